-- Dunes
-- Waves of sand across the wind; what is too steep slides down the lee side.
local p = params{ seed = 8, size = 200 }
local ridges = esker.noise{ size = p.size, seed = p.seed, fractal = "ridged", octaves = 2, frequency = 6, warp = 0.05,
    wrap = false }:transform{ stretch = 2 }:normalize()
local sand = (ridges ^ 2 * 0.7):thermal_erosion{ talus = 5, iterations = 60 }
return { picture = sand:relief{ palette = "desert", light = { 20, 35 }, low = -0.3, high = 1 } }
