-- Worley's cells as islands: the same hills, kept or dropped by the domain map.
local p = params{
    seed     = 3,
    size     = { 512, min = 16, max = 16384 },
    coverage = { 0.6, min = 0, max = 1, doc = "share of the hills that are kept" },
}

local hills, domain = esker.voronoi{ size = p.size, seed = p.seed, regions = 5, domain = "random",
    hill_coverage = p.coverage }
local noise  = esker.diamond_square{ size = p.size, seed = p.seed + 1, persistence = 0.55 }
local islands = (0.7 * hills:perturb{ magnitude = 0.08, seed = p.seed + 2 } + 0.3 * noise):normalize()

return {
    relief = islands:relief{ sea_level = 0.32 },
    domain = domain,
}
