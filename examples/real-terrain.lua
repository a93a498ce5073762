-- A real elevation model: shaded, eroded, scored. The path is a parameter; 16-bit grey PNG, metres.
local p = params{
    path   = { "examples/data/ridge.png", doc = "a 16-bit PNG of heights in metres" },
    passes = { 30, min = 0, max = 1000 },
}

local metres = esker.load(p.path, { high = 65535 })
local land   = metres:normalize()
local eroded = land:hydraulic_erosion{ iterations = p.passes, rain = 0.002 }
local s      = metres:statistics()

return {
    before  = land:relief{},
    after   = eroded:relief{},
    lowest  = s.min,
    highest = s.max,
    score_before = land:erosion_score(),
    score_after  = eroded:erosion_score(),
}
