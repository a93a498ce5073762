-- One base terrain, eroded five ways (Olsen 2004, table 2), with the scores of each.
local p = params{ seed = 4, size = { 512, min = 16, max = 16384 } }

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1 }
local base  = (2 / 3 * noise + 1 / 3 * hills):perturb{ seed = p.seed + 2 }

local results = {}
local function add(name, land)
    results[name] = land:relief{ palette = "desert" }
    results["score_" .. name] = land:erosion_score()
end

add("base", base)
add("thermal", base:thermal_erosion{})
add("thermal_reference", base:thermal_erosion{ method = "reference" })
add("hydraulic", base:hydraulic_erosion{})
add("olsen", base:olsen_erosion{})
return results
