-- Dunes across the wind: sand rises gently with it, and slides down a steep slip face behind each crest.
local p = params{
    seed  = 8,
    size  = { 512, min = 16, max = 16384 },
    wind  = { 155, min = 0, max = 360, doc = "direction to which it blows, clockwise from north" },
    rows  = { 20, min = 2, max = 60, integer = true, doc = "number of crests" },
}

local bends = esker.noise{ size = p.size, seed = p.seed, octaves = 3, gain = 0.4, frequency = 5, wrap = false }
local along = esker.shape{ kind = "ramp", size = p.size, azimuth = p.wind, radius = 0.75 } + 0.2 * bends
local steps = along:terrace{ steps = p.rows, sharpness = 0.6, slope = 0, jitter = 0.3, seed = p.seed }
local supply = esker.noise{ size = p.size, seed = p.seed + 1, octaves = 3, wrap = false }:normalize{ low = 0.1 }
local dunes = ((along - steps):normalize() * supply):thermal_erosion{ talus = 6 }

return {
    height = dunes,
    relief = dunes:relief{ palette = "desert", light = { 315, 30 }, exaggeration = 1.3, low = -0.3, high = 1 },
    score  = dunes:erosion_score(),
}
