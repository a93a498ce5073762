-- Olsen's terrain for strategy games: noise and Voronoi hills, perturbed, eroded, scored.
local p = params{
    seed  = 1,
    size  = { 512, min = 16, max = 16384 },
    talus = { 16, min = 0, max = 64, doc = "erosion threshold, in 1/size per cell" },
}

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1 }
local base  = (2 / 3 * noise + 1 / 3 * hills):perturb{ magnitude = 0.25, seed = p.seed + 2 }
local land  = base:olsen_erosion{ talus = p.talus, iterations = 50 }

local play = land:playability{}
return {
    height      = land,
    relief      = land:relief{ palette = "alpine" },
    units       = play.units,
    buildings   = play.buildings,
    unit        = play.unit,
    building    = play.building,
    suitability = play.suitability,
}
