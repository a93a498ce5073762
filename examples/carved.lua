-- Rivers carved into fractal land: where the network's valleys are lower than the base, they win.
local p = params{
    seed  = 11,
    size  = { 512, min = 64, max = 8192 },
    depth = { 0.55, min = 0, max = 1, doc = "how high the base stands over the rivers" },
}

local base    = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }:perturb{ seed = p.seed + 1 }
local network = esker.river_network{ size = p.size, seed = p.seed + 2, rivers = 2, points = 1500 }
local valleys, river = network:terrain{ seed = p.seed + 3, slope = 7 }
local carved  = esker.min(valleys, 0.5 * valleys + p.depth * base)

return {
    height = carved,
    before = base:relief{ palette = "alpine" },
    relief = carved:relief{ rivers = river, palette = "alpine" },
}
