-- A designer's island that can be zoomed into: a sketch of 24 cells guides the map, chance and rivers refine it.
local p = params{
    seed = 3,
    size = { 512, min = 16, max = 16384 },
    x    = { 0.5, min = 0, max = 1 },
    y    = { 0.5, min = 0, max = 1 },
    zoom = { 1, min = 1, max = 1e4 },
}

local sketch = esker.field{ size = 24, values = function(x, y)
    local dx, dy = (x - 11.5) / 11.5, (y - 11.5) / 11.5
    local distance, angle = math.sqrt(dx * dx + dy * dy), math.atan(dy, dx)
    local altitude = 0.7 - 1.1 * distance + 0.12 * math.sin(3 * angle) + 0.08 * math.sin(5 * angle + 1)
    return math.max(-0.5, math.min(0.6, altitude))
end }

local map = esker.river_map{ seed = p.seed, guide = sketch, relief = 4000 }
local altitude, river = map:render{ x = p.x, y = p.y, zoom = p.zoom, size = p.size }
local high = 1.2 * altitude:statistics().max
return {
    sketch = sketch:normalize(),
    relief = altitude:relief{ rivers = river, sea_level = 0, low = -high, high = high,
        exaggeration = math.max(1, 60 / p.zoom) },
}
