-- Which river drains what
-- Drainage basins in colours, over shaded ground.
local p = params{ seed = 21, size = 200 }
local colours = { { 0, "#8dd3c7" }, { 0.25, "#e8d27a" }, { 0.5, "#8f8fc8" }, { 0.75, "#e58a7d" }, { 1, "#a9cc66" } }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.6 }
local basins = land:basins{ threshold = 0.02 }
local flat = { palette = colours, rock = { 180, 0 }, snow = { 2, 0, 0 }, variation = 0, shade = land:hillshade() * 1.3 }
return { picture = basins:texture(flat) }
