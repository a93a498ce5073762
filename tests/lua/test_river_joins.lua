-- Rivers of eroded land where they join: the river below carries what the rivers above bring.

local esker = require "esker"
local kept_map = require "kept_map"
local lu = require "luaunit"
local tries = require "tries"

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

-- Level 0 is exact. A finer level passes on what its own streams bring, but no more than drains farther down.
function TestRiverJoins.test_rivers_carry_what_their_tributaries_bring()
    local flat, planet = kept_map{ seed = 2 }, kept_map{ seed = 4, tiling = "sphere" }
    for _, case in ipairs(tries(3, {
        { flat, { size = 256 }, 0 },
        { flat, { size = 512 }, 0.01 },
        { flat, { x = 0.42, y = 0.57, zoom = 30, size = 384 }, 0.03 },
        { flat, { size = 700 }, 0.01 },
        { flat, { size = 1024 }, 0.01 },
        { flat, { x = 0.42, y = 0.57, zoom = 30, size = 700 }, 0.03 },
        { flat, { x = 0.42, y = 0.57, zoom = 500, size = 512 }, 0.03 },
        { planet, { width = 1000, height = 500, zoom = 8 }, 0.03 },
    })) do
        local map, window, share = table.unpack(case)
        local all, lossy, least = joins_of(map, window)
        local name = ("zoom %g, %d: %d of %d, %.2f"):format(window.zoom or 1, window.size or 0, lossy, all, least)
        lu.assertTrue(all >= 20, name)
        lu.assertTrue(lossy <= share * all and least > (share > 0 and 0.45 or 0.999999), name)
    end
end

-- What a river drains never falls downstream: not where a tributary enters before the coarser level counted its water,
-- not where a bend is cut off, not on soil, mesas, planets or own rivers.
function TestRiverJoins.test_rivers_never_carry_less_downstream()
    local course = esker.lines{ size = 256, list = { { { 128, 100 }, { 90, 140 }, { 60, 256 } } } }
    local steps = 0
    local cases = tries(2, {
        { kept_map{ seed = 2 }, { x = 0.42, y = 0.57, zoom = 30, size = 384 } },
        { kept_map{ seed = 2 }:set_rivers(course), { size = 512 } },
        { kept_map{ seed = 2 }, { size = 700 } },
        { esker.river_map{ seed = 411426460, landscape = "hills" }, { zoom = 256, size = 384 } },
        { esker.river_map{ seed = 2, landscape = "mesa" }, { x = 0.42, y = 0.57, zoom = 4, size = 384 } },
        { esker.river_map{ seed = 3, lakes = 0.01 }, { x = 0.42, y = 0.44, zoom = 8, size = 384 } },
        { kept_map{ seed = 4, tiling = "sphere" }, { width = 1000, height = 500, zoom = 8 } },
    })
    for _, case in ipairs(cases) do
        for _, reach in ipairs(case[1]:rivers(case[2]):reaches()) do
            for i = 2, #reach do
                steps = steps + 1
                lu.assertTrue(reach[i].area >= reach[i - 1].area)
            end
        end
    end
    lu.assertTrue(steps > 5000 * #cases, steps)
end

os.exit(lu.LuaUnit.run())
