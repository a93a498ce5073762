-- Worley's cells as islands: the same hills, kept or dropped by the domain map, and shaped by streams.
local p = params{
    seed     = 3,
    size     = { 512, min = 16, max = 16384 },
    coverage = { 0.6, min = 0, max = 1, doc = "share of the hills that are kept" },
    age      = { 0.6, min = 0, max = 1, doc = "0: raw, 1: worn by streams for long" },
}
local SEA <const> = 0.32

local hills, domain = esker.voronoi{ size = p.size, seed = p.seed, regions = 5, domain = "random",
    hill_coverage = p.coverage }
local noise  = esker.diamond_square{ size = p.size, seed = p.seed + 1, persistence = 0.55 }
local islands = (0.7 * hills:perturb{ magnitude = 0.08, seed = p.seed + 2 } + 0.3 * noise):normalize()
local land = islands:stream_erosion{ age = p.age, sea_level = SEA }

return {
    relief = land:relief{ sea_level = SEA },
    domain = domain,
}
