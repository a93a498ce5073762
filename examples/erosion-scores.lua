-- Olsen's tables 2 and 3 as sweeps: one base terrain a seed, one way of erosion, its scores.
--
--     esker sweep examples/erosion-scores.lua seed=1..50 --no-pictures -o table2 \
--         way=none,thermal,thermal_reference,hydraulic,hydraulic_reference
--     esker sweep examples/erosion-scores.lua seed=1..50 talus=8,12,16,20 --no-pictures -o table2-new
--     esker sweep examples/erosion-scores.lua seed=1..50 coverage=0.25,0.5,0.75,1 --no-pictures -o table3
--     esker sweep examples/erosion-scores.lua seed=1..50 offset=-0.5..-0.1/5 --no-pictures -o table3-offsets
--     esker table table2 --group way; esker table table3 --group coverage
local p = params{
    seed     = 1,
    size     = { 512, min = 16, max = 4096 },
    way      = { "olsen",
        choices = { "none", "thermal", "thermal_reference", "hydraulic", "hydraulic_reference", "olsen" } },
    talus    = { 16, min = 0, max = 64, doc = "of Olsen's erosion, in 1/size per cell" },
    coverage = { 1.0, min = 0, max = 1, doc = "of the Voronoi diagram's hills" },
    offset   = { 0.0, min = -1, max = 1, doc = "of the Voronoi diagram" },
}

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1, hill_coverage = p.coverage, offset = p.offset }
local base  = (2 / 3 * noise + 1 / 3 * hills):perturb{ seed = p.seed + 2 }

local ways = {
    none                = function() return base end,
    thermal             = function() return base:thermal_erosion{} end,
    thermal_reference   = function() return base:thermal_erosion{ method = "reference", c = 0.5 } end,
    hydraulic           = function() return base:hydraulic_erosion{ rain = 0.0002, solubility = 1 } end,
    hydraulic_reference = function() return base:hydraulic_erosion{ method = "reference" } end,
    olsen               = function() return base:olsen_erosion{ talus = p.talus } end,
}
local land = ways[p.way]()
local play = land:playability{}
return {
    height      = land,
    erosion     = play.erosion,
    unit        = play.unit,
    building    = play.building,
    suitability = play.suitability,
}
