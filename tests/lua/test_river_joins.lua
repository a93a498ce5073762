-- Rivers of eroded land where they join: the river below carries what the rivers above bring.

local esker = require "esker"
local lu = require "luaunit"

TestRiverJoins = {}

-- Joins of a window's rivers, how many lose more than a tenth of what runs into them, and what the worst one keeps.
local function joins_of(map, window)
    local reaches = map:rivers(window):reaches()
    local inflow, donors, all, lossy, least = {}, {}, 0, 0, 1
    for _, reach in ipairs(reaches) do
        local below = reach.downstream
        if below then
            inflow[below] = (inflow[below] or 0) + reach[#reach - 1].area
            donors[below] = (donors[below] or 0) + 1
        end
    end
    for below, brought in pairs(inflow) do
        if donors[below] > 1 then
            local kept = reaches[below][1].area / brought
            all, lossy, least = all + 1, lossy + (kept < 0.9 and 1 or 0), math.min(least, kept)
        end
    end
    return all, lossy, least
end

-- Level 0 is exact. A finer level passes on downstream, for some cells, what its own streams bring.
function TestRiverJoins.test_rivers_carry_what_their_tributaries_bring()
    local flat, planet = esker.river_map{ seed = 2 }, esker.river_map{ seed = 4, tiling = "sphere" }
    for _, case in ipairs{
        { flat, { size = 256 }, 0 },
        { flat, { size = 512 }, 0.01 },
        { flat, { size = 700 }, 0.01 },
        { flat, { size = 1024 }, 0.01 },
        { flat, { x = 0.42, y = 0.57, zoom = 30, size = 700 }, 0.01 },
        { flat, { x = 0.42, y = 0.57, zoom = 500, size = 512 }, 0.01 },
        { planet, { width = 1000, height = 500, zoom = 8 }, 0.01 },
    } do
        local map, window, share = table.unpack(case)
        local all, lossy, least = joins_of(map, window)
        local name = ("zoom %g, %d: %d of %d, %.2f"):format(window.zoom or 1, window.size or 0, lossy, all, least)
        lu.assertTrue(all >= 20, name)
        lu.assertTrue(lossy <= share * all and least > (share > 0 and 0.6 or 0.999999), name)
    end
end

-- Soil passes it on, too: there the water of a tributary was lost three cells below its join, up to where the coarser
-- level counted it, in 18 of these reaches.
function TestRiverJoins.test_rivers_on_soil_keep_what_their_tributaries_bring()
    local map, falls, steps = esker.river_map{ seed = 411426460, landscape = "hills" }, 0, 0
    for _, reach in ipairs(map:rivers{ x = 0.5, y = 0.5, zoom = 256, size = 512 }:reaches()) do
        for i = 2, #reach do
            steps = steps + 1
            falls = falls + (reach[i].area < 0.9 * reach[i - 1].area and 1 or 0)
        end
    end
    print(("# %d of %d steps fall"):format(falls, steps))
    lu.assertTrue(steps > 5000 and falls <= 6)
end

os.exit(lu.LuaUnit.run())
