-- Which river drains what
-- Drainage basins in colours, multiplied with the shaded ground, and the rivers in blue.
local p = params{ seed = 21, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.6 }
local _, basins = land:basins{ threshold = 0.02 }
local light = (land:hillshade() * 1.3):colorize{ palette = "heights", low = 0, high = 1 }
local rivers = land:rivers_from_flow{ threshold = 0.005 }
return { picture = basins:blend(light, { mode = "multiply" }):paint(rivers, { colour = "#24557a", line = 1 }) }
