-- The same place of the same map as four landscapes: worn, young, mesa and old (docs/endless-land.md).
local p = params{
    seed = 2,
    size = { 512, min = 64, max = 8192 },
    x    = { 0.42, min = 0, max = 1 },
    y    = { 0.57, min = 0, max = 1 },
    zoom = { 24, min = 1, max = 1e4 },
}

local results = {}
for _, landscape in ipairs{ "mixed", "alps", "mesa", "hills" } do
    local map = esker.river_map{ seed = p.seed, landscape = landscape }
    local altitude, river = map:render{ x = p.x, y = p.y, zoom = p.zoom, size = p.size }
    local picture = altitude:relief{ rivers = river }
    results[landscape] = picture
    results.sheet = results.sheet and results.sheet:join(picture) or picture
end
return results
