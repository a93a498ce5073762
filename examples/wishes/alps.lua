-- An alpine range
-- Streams carve a sketch of the range into ridges and valleys.
local p = params{ seed = 3, size = 200 }
local crest = { { 0, 0.7, 0.6 }, { 0.4, 0.45, 1 }, { 1, 0.3, 0.7 } }
local range = esker.ridge_line{ size = p.size, points = crest, radius = 0.6 }
local sketch = range:perturb{ seed = p.seed, magnitude = 0.3, wrap = false }
    + esker.noise{ size = p.size, seed = p.seed, frequency = 3 } * 0.5
local land = sketch:stream_erosion{ age = 0.5, channel = 1e-4 }:normalize()
local light = land:hillshade{ shadows = true, exaggeration = 1.5 } * 0.9 + land:sky_view{ exaggeration = 1.5 } * 0.5
return { picture = land:texture{ snow = { 0.62, 0.1, 50 }, shade = light } }
