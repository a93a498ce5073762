-- A world without end
-- Any window at any zoom, with rivers that fit: the same place at three zooms.
local p = params{ seed = 8, size = 120 }
local map, sheet = esker.river_map{ seed = p.seed }, nil
for _, zoom in ipairs{ 2, 16, 128 } do
    local height, rivers = map:render{ size = p.size, zoom = zoom, x = 0.73624674, y = 0.53393555 }
    local picture = height:relief{ rivers = rivers, exaggeration = 1.5 }
    sheet = sheet and sheet:join(picture) or picture
end
return { picture = sheet }
