-- Endless land: a continent that water has shaped. Zoom in as far as you like.
local p = params{
    seed      = { 7, min = 0, max = 10000 },
    landscape = { "mixed", choices = { "mixed", "plains", "hills", "alps", "mesa", "islands" } },
    sea       = { 0, min = -0.5, max = 0.5, doc = "rise of the sea" },
}

return { land = esker.river_map{ seed = p.seed, landscape = p.landscape, sea_level = p.sea } }
