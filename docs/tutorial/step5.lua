local p = params{ seed = 3, size = 256, talus = { 16, min = 0, max = 64 } }

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1, coefficients = { -1, 1 } }
local base = (2 / 3 * noise + 1 / 3 * hills):perturb{ magnitude = 0.25, seed = p.seed + 2 }
local land = base:olsen_erosion{ talus = p.talus }

local play = land:playability{}
return {
    height      = land,
    relief      = land:normalize():relief{ sea_level = 0.2 },
    unit        = play.unit,
    building    = play.building,
    suitability = play.suitability,
}
