-- A stretch of coast before and after edits (docs/edits.md): an island, a bay, a range and a lake.
local p = params{
    size = { 512, min = 64, max = 4096 },
    zoom = { 18, min = 1, max = 1000 },
}

local map = esker.river_map{ seed = 2 }
local island = { { 0.14, 0.075 }, { 0.153, 0.076 }, { 0.15, 0.085 }, { 0.144, 0.083 } }
local bay = { { 0.111, 0.097 }, { 0.122, 0.094 }, { 0.127, 0.101 }, { 0.117, 0.106 } }
local range = { { 0.121, 0.066 }, { 0.124, 0.074 }, { 0.131, 0.083 } }
local lake = { { 0.107, 0.0812 }, { 0.111, 0.0795 }, { 0.1145, 0.0815 }, { 0.113, 0.0855 }, { 0.1095, 0.087 } }
local shaped = map:coast{ outline = island, height = 500 }:coast{ outline = bay, kind = "sea" }
    :raise{ along = range, width = 13e3, height = 450 }:lake{ outline = lake }

local results = {}
for name, land in pairs{ before = map, after = shaped } do
    local altitude, river = land:render{ x = 0.128, y = 0.084, zoom = p.zoom, size = p.size }
    results[name] = altitude:relief{ rivers = river, exaggeration = 4 }
end
results.sheet = results.before:join(results.after)
return results
