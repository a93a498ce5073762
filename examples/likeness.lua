-- Which noise looks like this elevation model? For a search:
--
--     esker search examples/likeness.lua persistence=0.3..0.75 --maximize likeness --budget 60 -o found
local p = params{
    path        = { "examples/data/ridge.png", doc = "heights, in any file that esker.load reads" },
    seed        = 1,
    size        = { 256, min = 64, max = 4096 },
    persistence = { 0.5, min = 0.1, max = 0.9, doc = "roughness of the noise" },
    iterations  = { 60, min = 0, max = 1000, integer = true, doc = "passes of hydraulic erosion" },
}

local model = esker.load(p.path)
local whole = model:inpaint(model:find_gaps()):normalize() -- without its unit: noise has no slopes in metres
local land = esker.spectral{ size = p.size, seed = p.seed, persistence = p.persistence }
    :hydraulic_erosion{ iterations = p.iterations }

return { relief = land:relief{}, likeness = land:realism{ like = whole }.score, measures = land:realism{} }
