-- A network of roads
-- Ways of least cost over slopes; where they meet, they share the road. The palette's colour below 0 draws it.
local p = params{ seed = 9, size = 200 }
local colours = { { -0.01, "#fff3d6" }, { 0, "#6c894c" }, { 0.5, "#8c8f5c" }, { 1, "#b2a99e" } }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.4 }:normalize()
local paths = { { 0.05, 0.1, 0.9, 0.85 }, { 0.9, 0.1, 0.1, 0.9 }, { 0.05, 0.5, 0.95, 0.45 } }
local roads = land:path{ paths = paths, reuse = 0.3 }
local built, bed = land:flatten(roads, { width = 0.004, edge = 0.006, sloped = true })
local light = built:hillshade() * 1.2
return { picture = built:texture{ palette = colours, water = bed, snow = { 2, 0, 0 }, shade = light } }
