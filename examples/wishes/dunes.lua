-- Dunes
-- Sand rises gently with the wind, to the south-east, and slides down steep slip faces behind the crests.
local p = params{ seed = 8, size = 200 }
local bends = esker.noise{ size = p.size, seed = p.seed, octaves = 2, gain = 0.4, frequency = 6, wrap = false }
local wind = esker.shape{ kind = "ramp", size = p.size, azimuth = 155, radius = 0.75 } + bends * 0.2
local sand = (wind - wind:terrace{ steps = 16, sharpness = 0.6, slope = 0, jitter = 0.25, seed = p.seed }):normalize()
local supply = esker.noise{ size = p.size, seed = p.seed + 1, octaves = 2, wrap = false }:normalize{ low = 0.15 }
local dunes = (sand * supply):thermal_erosion{ talus = 6 }
return { picture = dunes:relief{ palette = "desert", light = { 315, 30 }, exaggeration = 1.3, low = -0.3, high = 1 } }
