-- A canyon
-- A plateau of hard layers that a winding river and its tributaries have cut.
local p = params{ seed = 19, size = 200 }
local plateau = esker.noise{ size = p.size, seed = p.seed, frequency = 3 }:normalize() * 0.3 + 0.7
local line = esker.ridge_line{ size = p.size, radius = 0.3, points = { { -0.2, 0.4, 0.75 }, { 1.2, 0.6, 1 } } }
local cut = line:perturb{ seed = p.seed, magnitude = 0.25, lattice = 5 }
local land = (plateau - cut):stream_erosion{ age = 0.15 }:normalize{ low = 0.15 }
local layers = land:terrace{ steps = 7, sharpness = 0.7, jitter = 0.5 }
local river = land:rivers_from_flow{ threshold = 0.06 }
local rock = { { 0, "#e8cf9a" }, { 0.4, "#cf9a5b" }, { 0.6, "#b5703f" }, { 0.85, "#96492c" }, { 1, "#8a5a3c" } }
local ground = layers:relief{ palette = rock, exaggeration = 1.6, light = { 320, 35 }, low = 0, high = 1 }
return { picture = ground:paint(river, { colour = "#3f7f86", line = p.size / 100 }) }
