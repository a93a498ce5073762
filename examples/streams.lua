-- A drawn sketch, three ridges in the sea, as streams shape it: young, mature, and with hard rock in the east.
local p = params{
    seed = 1, size = { 512, min = 64, max = 8192 },
    age = { 1.0, min = 0, max = 1, doc = "of the mature island" },
}

local ridges <const> = { -- from, to, height
    { 0.2, 0.6, 0.5, 0.35, 0.7 }, { 0.5, 0.35, 0.8, 0.5, 1 }, { 0.55, 0.4, 0.6, 0.8, 0.6 },
}

local function height_at(x, y)
    local highest = 0
    for _, ridge in ipairs(ridges) do
        local x1, y1, x2, y2, top = table.unpack(ridge)
        local along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
        local t = math.max(0, math.min(1, along))
        local dx, dy = x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1)
        highest = math.max(highest, top * (1 - (dx * dx + dy * dy) ^ 0.5 / 0.28))
    end
    return highest
end

local function drawn(value)
    return esker.field{ size = p.size, values = function(x, y) return value(x / p.size, y / p.size) end }
end

local noise  = esker.diamond_square{ size = p.size, seed = p.seed }
local sketch = drawn(height_at) + 0.15 * (noise - 0.5)
local rock   = drawn(function(x) return x > 0.6 and 0.2 or 1 end):perturb{ seed = p.seed, wrap = false }

local results = {}
local function add(name, land, flow)
    local rivers = flow and ((flow - p.size) / p.size):clamp()
    results[name] = land:relief{ sea_level = 0.02, rivers = rivers }
end

add("sketch", sketch)
add("young", sketch:stream_erosion{ age = p.age / 2, sea_level = 0.02 })
add("mature", sketch:stream_erosion{ age = p.age, sea_level = 0.02 })
add("hard", sketch:stream_erosion{ age = p.age, sea_level = 0.02, mask = rock })
return results
