-- A planet that can be turned and zoomed into, down to its gullies.
local p = params{
    seed = { 7, min = 0, max = 10000 },
    sea  = { 0, min = -0.5, max = 0.5, doc = "rise of the sea" },
}

return { planet = esker.river_map{ seed = p.seed, tiling = "sphere", sea_level = p.sea } }
