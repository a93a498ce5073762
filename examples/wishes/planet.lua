-- A planet
-- The whole globe is one zoomable map with rivers.
local p = params{ seed = 4, size = 200 }
local globe = esker.river_map{ seed = p.seed, tiling = "sphere" }
local height = globe:render{ size = p.size, projection = "orthographic" }
return { picture = height:relief{ projection = "orthographic" } }
