-- One valley as published, and with each of the paper's open problems solved: a river that falls, a symmetric valley,
-- tributaries (Prusinkiewicz and Hammel 1993, Conclusions); then with all of them.
local p = params{
    seed   = 7,
    levels = { 10, min = 1, max = 15 },
    width  = { 960, min = 16, max = 8192 },
}

local variants = {
    published   = {},
    slope       = { slope = 0.4, waterfalls = 0.3 },
    symmetry    = { symmetry = 1 },
    tributaries = { tributaries = 0.35, branch_levels = 5 },
    all         = { slope = 0.3, symmetry = 1, tributaries = 0.35, branch_levels = 5, smoothness = 1 },
}

local results = {}
for name, arguments in pairs(variants) do
    arguments.levels, arguments.seed = p.levels, p.seed
    local land, river = esker.squig_mountain(arguments)
    results[name] = land:perspective{
        width = p.width, height = p.width * 9 // 16, rivers = river, azimuth = 0, pitch = 36, distance = 1.5,
        vertical_scale = 4, light = { 300, 35 },
    }
    if name == "all" then
        results.height = land
        results.model = land:mesh{ error = 0.002, side = 100, base = 2, vertical_scale = 4 }
    end
end
return results
