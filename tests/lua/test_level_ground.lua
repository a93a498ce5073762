-- Water on land whose heights are whole numbers, as elevation models have them: the same whichever way it lies.

local unit = require "luaunit"
local esker = require "esker"

local function whole(field, levels)
    return esker.field{ width = field.width, height = field.height, values = function(x, y)
        return math.floor(field:get(x, y) * levels)
    end }
end

-- The eight ways to lay a field, as lists of flips.
local layings = {}
for _, diagonal in ipairs{ false, true } do
    for _, x in ipairs{ false, true } do
        for _, y in ipairs{ false, true } do
            layings[#layings + 1] = { x and "x", y and "y", diagonal and "diagonal" }
        end
    end
end

local function lay(field, laying)
    for i = 1, 3 do
        field = laying[i] and field:flip{ axis = laying[i] } or field
    end
    return field
end

local function lay_back(field, laying)
    for i = 3, 1, -1 do
        field = laying[i] and field:flip{ axis = laying[i] } or field
    end
    return field
end

local function correlation(a, b)
    local one, other = a - a:statistics().mean, b - b:statistics().mean
    local function product(p, q)
        return (p * q):statistics().sum
    end
    return product(one, other) / math.sqrt(product(one, one) * product(other, other))
end

TestLevelGround = {}

local runs = {
    flow = function(land) return land:flow_accumulation{ sea_level = -1 } end,
    dinf = function(land) return land:flow_accumulation{ sea_level = -1, method = "dinf" } end,
    order = function(land) return land:stream_order{ sea_level = -1, threshold = 0.002 } end,
    above = function(land) return land:height_above_river{ sea_level = -1, threshold = 0.002 } end,
    wetness = function(land) return land:wetness_index{ sea_level = -1 } end,
    rivers = function(land)
        return land:rivers_from_flow{ sea_level = -1, threshold = 0.002 }:rasterize{}
    end,
}

function TestLevelGround.test_water_runs_the_same_way_however_the_land_lies()
    for seed, levels in ipairs{ 12, 60, 300 } do
        local land = whole(esker.spectral{ size = 128, seed = seed }, levels)
        for name, run in pairs(runs) do
            local straight = run(land)
            for k = 2, 8 do
                local other = lay_back(run(lay(land, layings[k])), layings[k])
                unit.assertTrue(correlation(straight, other) > 0.9999, ("%s, %d levels, %d"):format(name, levels, k))
            end
        end
    end
end

-- Cells of which another flow drains where the land lies another way: ways drawn by the place decide there.
function TestLevelGround.test_hardly_a_way_is_drawn_by_its_place()
    local other, all = 0, 0
    for seed, levels in ipairs{ 12, 60, 300 } do
        local land = whole(esker.spectral{ size = 256, seed = seed }, levels)
        local straight = runs.flow(land)
        for k = 2, 8, 3 do
            local turned = lay_back(runs.flow(lay(land, layings[k])), layings[k])
            for y = 0, 255 do
                for x = 0, 255 do
                    all, other = all + 1, other + (straight:get(x, y) == turned:get(x, y) and 0 or 1)
                end
            end
        end
    end
    unit.assertTrue(other < 5e-4 * all, ("%d of %d"):format(other, all))
end

-- As many basins as large, though they are numbered in another order.
function TestLevelGround.test_basins_are_the_same_however_the_land_lies()
    local land = whole(esker.spectral{ size = 128, seed = 4 }, 12)
    local function sizes(basins)
        local counts, sorted = {}, {}
        for y = 0, 127 do
            for x = 0, 127 do
                local label = basins:get(x, y)
                counts[label] = (counts[label] or 0) + 1
            end
        end
        for _, count in pairs(counts) do
            sorted[#sorted + 1] = count
        end
        table.sort(sorted)
        return sorted
    end
    local here = sizes((land:basins{ sea_level = -1 }))
    for k = 2, 8 do
        local other = sizes((lay(land, layings[k]):basins{ sea_level = -1 }))
        unit.assertAlmostEquals(#other, #here, 3)
        unit.assertAlmostEquals(other[#other], here[#here], 0.02 * here[#here])
    end
end

function TestLevelGround.test_no_direction_is_preferred()
    local counts, all = {}, 0
    for seed = 1, 2 do
        local land = whole(esker.spectral{ size = 128, seed = seed }, 12)
        for _, laying in ipairs(layings) do
            local directions = lay(land, laying):flow_direction{ sea_level = -1 }
            for y = 10, 117 do
                for x = 10, 117 do
                    local code = directions:get(x, y)
                    counts[code], all = (counts[code] or 0) + 1, all + 1
                end
            end
        end
    end
    for _, kind in ipairs{ { 1, 4, 16, 64 }, { 2, 8, 32, 128 } } do
        for _, code in ipairs(kind) do
            unit.assertAlmostEquals(counts[code] / all, counts[kind[1]] / all, 0.003)
        end
    end
end

-- A plane that falls a metre in `tread` cells drains straight down.
function TestLevelGround.test_stairs_drain_straight_down()
    local n, codes = 101, { y = { 4, 64 }, x = { 1, 16 } }
    for axis, code in pairs(codes) do
        for up = 0, 1 do
            for _, tread in ipairs{ 2, 3, 5, 20 } do
                local stairs = esker.field{ size = n, values = function(x, y)
                    local at = axis == "x" and x or y
                    return 100 - (up == 1 and n - 1 - at or at) // tread
                end }
                local directions = stairs:flow_direction{ sea_level = -1 }
                local margin, wrong = math.max(10, 2 * tread), 0
                for y = margin, n - 1 - margin do
                    for x = margin, n - 1 - margin do
                        wrong = wrong + (directions:get(x, y) == code[up + 1] and 0 or 1)
                    end
                end
                unit.assertEquals(wrong, 0)
                unit.assertTrue(stairs:flow_accumulation{ sea_level = -1 }:statistics().max <= n)
            end
        end
    end
end

local step_of = { [1] = { 1, 0 }, [2] = { 1, 1 }, [4] = { 0, 1 }, [8] = { -1, 1 }, [16] = { -1, 0 },
                  [32] = { -1, -1 }, [64] = { 0, -1 }, [128] = { 1, -1 } }

-- The share of cells of level rivers beside which another one runs the same way.
local function twins(land)
    local filled = land:fill{ sea_level = -1 }
    local directions = land:flow_direction{ sea_level = -1 }
    local flow = land:flow_accumulation{ sea_level = -1 }
    local function level_river(x, y)
        local inside = x >= 0 and y >= 0 and x < land.width and y < land.height
        local step = inside and flow:get(x, y) >= 50 and step_of[directions:get(x, y)]
        return step and filled:get(x, y) == filled:get(x + step[1], y + step[2]) and step
    end
    local rivers, beside = 0, 0
    for y = 0, land.height - 1 do
        for x = 0, land.width - 1 do
            local step, twin = level_river(x, y), false
            for _, to in pairs(step and step_of or {}) do
                local along = to[1] * step[1] + to[2] * step[2]
                local ahead = to == step or along == -(step[1] ^ 2 + step[2] ^ 2)
                twin = twin or not ahead and level_river(x + to[1], y + to[2]) == step
            end
            rivers, beside = rivers + (step and 1 or 0), beside + (twin and 1 or 0)
        end
    end
    return beside / rivers
end

-- Lakes, and land in steps: ways that are equally cheap join instead of running side by side.
function TestLevelGround.test_rivers_on_level_ground_join()
    local lakes = esker.noise{ size = 300, seed = 12, frequency = 2, wrap = false }:normalize{}:max(0.45)
    local steps = whole(esker.spectral{ size = 300, seed = 5 }, 12)
    for name, land in pairs{ lakes = lakes, steps = steps } do
        local share = twins(land)
        unit.assertTrue(share < 0.3, ("%s: %.3f"):format(name, share))
    end
end

-- A long trough between high banks, with one outlet: its water gathers in the middle, also that of the
-- rivers which join there.
function TestLevelGround.test_water_gathers_in_the_middle_of_a_lake()
    local lake = esker.field{ width = 121, height = 31, values = function(x, y)
        local wet = x > 4 and x < 110 and y > 4 and y < 26
        return wet and 0.5 or (x >= 110 and y == 15) and 0.5 - (x - 109) / 1000 or 1
    end }
    local flow = lake:flow_accumulation{ sea_level = -1 }
    for x = 30, 100 do
        local most, beside = flow:get(x, 15), 0
        for y = 5, 25 do
            beside = math.max(beside, y ~= 15 and flow:get(x, y) or 0)
        end
        unit.assertTrue(most > 4 * beside, ("%d: %g beside %g"):format(x, most, beside))
    end
end

-- Rivers of land in steps lie where those of the land itself do.
function TestLevelGround.test_rivers_are_those_of_the_land_without_steps()
    local land = esker.spectral{ size = 160, seed = 5 }:blur{ sigma = 0.02 }:normalize{}
    local function rivers(field)
        local flow = field:flow_accumulation{ sea_level = -1 }
        return flow:morphology{ radius = 3 / 160, kind = "dilate", wrap = false } ^ 0.3
    end
    unit.assertTrue(correlation(rivers(land), rivers(whole(land, 40))) > 0.75)
end

os.exit(unit.LuaUnit.run())
