-- A canyon
-- A plateau of hard layers that one winding river has cut through.
local p = params{ seed = 19, size = 200 }
local plateau = esker.noise{ size = p.size, seed = p.seed, frequency = 3 }:normalize() * 0.3 + 0.7
local line = esker.ridge_line{ size = p.size, radius = 0.3, points = { { -0.2, 0.4, 0.75 }, { 1.2, 0.6, 1 } } }
local cut = line:perturb{ seed = p.seed, magnitude = 0.25, lattice = 5 }
local land = (plateau - cut):stream_erosion{ age = 0.15 }:normalize{ low = 0.15 }
local layers = land:terrace{ steps = 7, sharpness = 0.7, jitter = 0.5 }
return { picture = layers:relief{ palette = "desert", exaggeration = 1.6, light = { 320, 35 } } }
