-- A real elevation model: shaded, eroded, scored. The path is a parameter: a 16-bit grey PNG of metres, or a GeoTIFF.
local p = params{
    path   = { "examples/data/ridge.png", doc = "heights in metres, as a 16-bit PNG or a GeoTIFF" },
    passes = { 30, min = 0, max = 1000 },
}

local loaded = esker.load(p.path, p.path:match("%.png$") and { high = 65535 } or {}) -- a GeoTIFF has heights
local metres = loaded:inpaint(loaded:find_gaps())
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
