-- An archipelago
-- Sea covers the lower half of gentle, warped noise, and streams carve what is left.
local p = params{ seed = 8, size = 200 }
local ground = esker.noise{ size = p.size, seed = p.seed, frequency = 4, warp = 0.06 }:equalize()
local land = ground:remap{ from = { 0.4, 1 }, to = { 0.4, 0.8 } }:stream_erosion{ age = 0.3, sea_level = 0.58 }
return { picture = land:texture{ sea_level = 0.58, shade = land:hillshade() * 1.35 } }
