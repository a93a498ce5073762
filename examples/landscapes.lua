-- The same place of the same map as five landscapes: mixed, plains, hills, alps and mesa (docs/endless-land.md).
local p = params{
    seed = 2,
    size = { 512, min = 64, max = 8192 },
    x    = { 0.42, min = 0, max = 1 },
    y    = { 0.57, min = 0, max = 1 },
    zoom = { 24, min = 1, max = 1e4 },
}

local results = {}
for _, landscape in ipairs{ "mixed", "plains", "hills", "alps", "mesa" } do
    local map = esker.river_map{ seed = p.seed, landscape = landscape }
    local altitude, river = map:render{ x = p.x, y = p.y, zoom = p.zoom, size = p.size }
    local picture = altitude:relief{ rivers = river, exaggeration = math.max(1, 60 / p.zoom) }
    results[landscape] = picture
    results.sheet = results.sheet and results.sheet:join(picture) or picture
end
return results
