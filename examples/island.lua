-- An island in the sea, shaped by hills, noise and erosion.
local p = params{
    seed  = 1,
    size  = { 512, min = 16, max = 16384 },
    talus = { 12, min = 0, max = 64, doc = "erosion threshold, in 1/size per cell" },
    sea   = { 0.3, min = 0, max = 1, doc = "sea level" },
}

local half = p.size / 2
local dome = esker.field{ size = p.size, values = function(x, y)
    local dx, dy = (x - half) / half, (y - half) / half
    return math.max(0, 1 - dx * dx - dy * dy)
end }

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1, regions = 6 }
local base  = (2 / 3 * noise + 1 / 3 * hills):perturb{ seed = p.seed + 2 }
local land  = (base * dome):normalize():olsen_erosion{ talus = p.talus, iterations = 20 }

local play = land:playability{}
return {
    height      = land,
    relief      = land:relief{ sea_level = p.sea },
    erosion     = play.erosion,
    suitability = play.suitability,
}
