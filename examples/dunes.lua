-- Spectral noise folded into ridges, screes at their feet, in desert colours.
local p = params{ seed = 8, size = { 512, min = 16, max = 16384 } }

local noise = esker.spectral{ size = p.size, seed = p.seed, octaves = 5 }
local ridges = 1 - (2 * noise - 1):abs()
local dunes = (ridges ^ 2):normalize():thermal_erosion{ method = "reference", c = 0.2, talus = 5,
    iterations = 120 }

return {
    height = dunes,
    relief = dunes:relief{ palette = "desert", light = { 300, 35 } },
    score  = dunes:erosion_score(),
}
