-- An island with beaches
-- A dome with noise, flat where it meets the sea.
local p = params{ seed = 5, size = 200 }
local dome = esker.shape{ kind = "dome", size = p.size, radius = 0.48 }
local noise = esker.noise{ size = p.size, seed = p.seed, frequency = 3 }:normalize()
local land = (dome + noise * 0.8):normalize():remap{ from = { 0.35, 1 }, to = { 0.3, 1 }, gain = 0.4 }
local shaped = land:stream_erosion{ age = 0.3, sea_level = 0.4 }
return { picture = shaped:texture{ sea_level = 0.4, shade = shaped:hillshade() * 1.3 } }
