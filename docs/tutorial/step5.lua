local p = params{
    seed = 3, size = 256, sea = 0.3,
    age = { 0.8, min = 0, max = 1, doc = "how long streams have carved" },
}

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1, coefficients = { -1, 1 } }
local base = (2 / 3 * noise + 1 / 3 * hills):perturb{ magnitude = 0.25, seed = p.seed + 2 }:normalize()
local land = base:stream_erosion{ age = p.age, sea_level = p.sea }

local play = land:playability{}
return {
    height      = land,
    relief      = land:relief{ sea_level = p.sea, exaggeration = 1.5 },
    unit        = play.unit,
    building    = play.building,
    suitability = play.suitability,
}
