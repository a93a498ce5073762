-- Fjords
-- Streams cut the valleys, ice widens them, and the sea drowns them.
local p = params{ seed = 3, size = 200 }
local ramp = esker.shape{ kind = "ramp", size = p.size, azimuth = 55, radius = 0.7 }
local rough = ramp + esker.noise{ size = p.size, seed = p.seed, frequency = 3 } * 0.4
local carved = rough:stream_erosion{ age = 0.9, channel = 3e-4 }:normalize()
local widened = carved:morphology{ kind = "erode", radius = 0.01 }:blur{ sigma = 0.0075 }
local land = carved:lerp(widened, carved:remap{ from = { 0.7, 0.3 } })
local light = land:hillshade{ exaggeration = 1.5 } * 1.3
return { picture = land:texture{ sea_level = 0.3, snow = { 0.5, 0.2, 60 }, exaggeration = 1.5, shade = light } }
