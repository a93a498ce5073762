-- An island in the sea: hills and noise, which streams have shaped.
local p = params{
    seed  = 1,
    size  = { 512, min = 16, max = 16384 },
    age   = { 0.7, min = 0, max = 1, doc = "0: raw, 1: worn by streams for long" },
    talus = { 20, min = 1, max = 64, doc = "steepest slope, in 1/size per cell" },
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
local land, flow = (base * dome):normalize():stream_erosion{ age = p.age, talus = p.talus, sea_level = p.sea }
local rivers = (400 * flow / p.size ^ 2):clamp() ^ 0.5 -- what drains a 400th of the map is a river

local play = land:playability{}
return {
    height      = land,
    relief      = land:relief{ sea_level = p.sea, rivers = rivers },
    erosion     = play.erosion,
    suitability = play.suitability,
}
