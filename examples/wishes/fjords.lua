-- Fjords
-- A zoomable map of a steep coast, which the sea has flooded.
local p = params{ seed = 11, size = 200 }
local height, rivers = esker.river_map{ seed = p.seed, islands = true }:render{ size = p.size, zoom = 3 }
return { picture = height:relief{ rivers = rivers, exaggeration = 2 } }
