-- A network of roads
-- Paths of least cost over slopes; where they meet, they share the road. Painted twice, it has borders.
local p = params{ seed = 9, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.4, channel = 3e-4 }:normalize()
local paths = { { 0.05, 0.1, 0.9, 0.85 }, { 0.9, 0.1, 0.1, 0.9 }, { 0.05, 0.5, 0.95, 0.45 } }
local roads = land:path{ paths = paths, reuse = 0.3 }
local built = land:flatten(roads, { width = 0.004, edge = 0.006 })
local ground = built:texture{ snow = {}, shade = built:hillshade() * 1.3 }
local bordered = ground:paint(roads, { colour = "#4d3a20", line = 4 })
return { picture = bordered:paint(roads, { colour = "#fff3d6", line = 2 }) }
