-- stream_power against what its equation says: steady states, waves of erosion, creep, single steps.

local esker = require "esker"
local unit = require "luaunit"

TestStreamPower = {}

local ways <const> = { [1] = { 1, 0 }, [2] = { 1, 1 }, [4] = { 0, 1 }, [8] = { -1, 1 }, [16] = { -1, 0 },
    [32] = { -1, -1 }, [64] = { 0, -1 }, [128] = { 1, -1 } }

local function placed(field, cell)
    return field:georeference{ cell = cell or 100, unit = "m" }
end

local function rough(width, height, amount)
    return placed(esker.noise{ width = width, height = height, seed = 2 } * (amount or 1))
end

-- Slopes over those of the steady state, by cells inside: their mean and how many are within a hundredth.
local function slopes_over(land, area, uplift, k, m, n)
    local direction, sum, close, count = land:flow_direction{}, 0, 0, 0
    local cell = land.frame.cell_width
    for y = 2, land.height - 3 do
        for x = 2, land.width - 3 do
            local way = ways[direction:get(x, y)]
            local slope = (land:get(x, y) - land:get(x + way[1], y + way[2]))
                / (cell * math.sqrt(way[1] ^ 2 + way[2] ^ 2))
            local over = slope / ((uplift * 1e-3 / k) ^ (1 / n) * area:get(x, y) ^ (-m / n))
            sum, count = sum + over, count + 1
            close = close + (math.abs(over - 1) < 0.01 and 1 or 0)
        end
    end
    return sum / count, close / count
end

function TestStreamPower.test_steady_slopes_are_those_of_the_equation()
    for _, case in ipairs{ { 1, 5e-6, 0.5, 1 }, { 0.3, 2e-6, 0.45, 1 }, { 1, 1e-6, 0.8, 1.6 },
        { 1, 2e-5, 0.4, 0.8 } } do
        local uplift, k, m, n = table.unpack(case)
        local land, area, rate = rough(48, 40):stream_power{ years = 4e7, steps = 250, uplift = uplift, erodibility = k,
            m = m, n = n, diffusivity = 0 }
        local mean, close = slopes_over(land, area, uplift, k, m, n)
        local what = table.concat(case, ", ")
        unit.assertAlmostEquals(mean, 1, 0.02, what)
        unit.assertTrue(close > 0.97, what .. ": " .. close)
        local inside = rate:crop{ x = 1, y = 1, width = 46, height = 38, wrap = false }:statistics()
        unit.assertAlmostEquals(inside.mean, uplift, 0.02 * uplift, what)
        unit.assertTrue(land:fill{ slope = 0 } == land, what) -- without pits
    end
end

-- A ramp of one row of cells that drains to the left: each cell has the area of those above.
local function ramp(length, cell, height_at)
    return placed(esker.field{ width = length, height = 1, values = height_at }, cell)
end

-- One step is the implicit equation, solved here by bisection.
function TestStreamPower.test_one_step_solves_the_implicit_equation()
    for _, n in ipairs{ 0.5, 0.8, 1, 1.5, 3 } do
        for _, k in ipairs{ 1e-9, 1e-6, 1e-3, 1 } do
            local cell, years, m, length = 50, 2e4, 0.4, 12
            local start = ramp(length, cell, function(x) return 7 * x + x * x end)
            local land = start:stream_power{ years = years, steps = 1, erodibility = k, m = m, n = n, diffusivity = 0,
                outlets = "left", uplift = 2 }
            local below = start:get(0, 0)
            unit.assertEquals(land:get(0, 0), below)
            for x = 1, length - 1 do
                local before, area = start:get(x, 0) + 2e-3 * years, (length - x) * cell * cell
                local low, high = below, before
                for _ = 1, 200 do
                    local z = 0.5 * (low + high)
                    local left = z - before + k * years * area ^ m * ((z - below) / cell) ^ n
                    low, high = left < 0 and z or low, left < 0 and high or z
                end
                unit.assertAlmostEquals(land:get(x, 0), low, 1e-5 * before, ("n %g, K %g, cell %d"):format(n, k, x))
                below = low
            end
        end
    end
end

-- Where the base falls, a wave goes up with K A^m (n = 1): the time that it takes is a sum over cells.
function TestStreamPower.test_waves_of_erosion_travel_upstream()
    local cell, length, k = 100, 200, 1e-5
    local steady = ramp(length, cell, function() return 0 end):stream_power{ years = 1e8, steps = 400, outlets = "left",
        erodibility = k, diffusivity = 0 }
    local years = 1e6
    local faster = steady:stream_power{ years = years, steps = 4000, outlets = "left", erodibility = k, diffusivity = 0,
        uplift = 2 }
    local time, reached = 0, nil
    for x = 1, length - 1 do
        time = time + cell / (k * math.sqrt((length - x) * cell * cell))
        if time > years then
            reached = x
            break
        end
    end
    local function slope(land, x)
        return (land:get(x, 0) - land:get(x - 1, 0)) / cell
    end
    unit.assertTrue(reached > 20 and reached < 180, reached)
    unit.assertAlmostEquals(slope(faster, reached // 2) / slope(steady, reached // 2), 2, 0.02)
    unit.assertAlmostEquals(slope(faster, reached + 40) / slope(steady, reached + 40), 1, 0.02)
    unit.assertAlmostEquals(slope(faster, reached) / slope(steady, reached), 1.5, 0.3)
end

-- U + D z'' = 0 between outlets: a parabola; along closed sides nothing changes.
function TestStreamPower.test_creep_ends_in_a_parabola()
    local cell, width, d = 10, 21, 0.05
    for _, outlets in ipairs{ "left_right", "top_bottom" } do
        local across = outlets == "left_right"
        local flat = placed(esker.field{ width = across and width or 9, height = across and 9 or width, values = 0 },
            cell)
        local land = flat:stream_power{ years = 1e6, steps = 2000, erodibility = 0, diffusivity = d, outlets = outlets }
        for i = 0, width - 1 do
            local expected = 1e-3 / (2 * d) * (i * cell) * ((width - 1 - i) * cell)
            for _, j in ipairs{ 0, 4, 8 } do
                local got = across and land:get(i, j) or land:get(j, i)
                unit.assertAlmostEquals(got, expected, 0.1, ("%s, %d, %d"):format(outlets, i, j))
            end
        end
    end
end

-- However long a step is, heights stay between those around them.
function TestStreamPower.test_long_steps_of_creep_make_no_pits()
    local block = placed(esker.field{ size = 41, values = function(x, y)
        return x >= 14 and x <= 26 and y >= 14 and y <= 26 and 100 or 0
    end }, 10)
    for _, years in ipairs{ 100, 1e4, 3e5, 1e9 } do
        for _, steps in ipairs{ 1, 3 } do
            local land = block:stream_power{ years = years, steps = steps, diffusivity = 1, uplift = 0, erodibility = 0,
                sea_level = -1 }
            local lie, middle = land:statistics(), land:get(20, 20)
            unit.assertTrue(lie.min >= 0 and lie.max <= 100.001, ("%g years: %g to %g"):format(years, lie.min, lie.max))
            unit.assertAlmostEquals(middle, lie.max, 1e-4 * lie.max + 1e-6)
        end
    end
end

function TestStreamPower.test_creep_keeps_what_no_side_lets_out()
    local dome = placed(esker.noise{ width = 30, height = 24, seed = 5 } * 50, 20)
    local land = dome:stream_power{ years = 1e5, steps = 20, erodibility = 0, uplift = 0, diffusivity = 0.5,
        outlets = "left" }
    unit.assertTrue(land:statistics().stddev < dome:statistics().stddev)
    -- The sum changes by what crosses the side alone: nothing where that is level with what lies beside it.
    local wall = placed(esker.field{ width = 30, height = 24, values = function(x, y)
        return x < 12 and 0 or 10 + math.sin(x * y)
    end }, 20)
    local short = wall:stream_power{ years = 200, steps = 4, erodibility = 0, uplift = 0, diffusivity = 0.5,
        outlets = "left" }
    unit.assertAlmostEquals(short:statistics().sum, wall:statistics().sum, 1e-3)
end

function TestStreamPower.test_outlets_and_the_sea_stay()
    local start = rough(40, 32, 100)
    local open = { all = { true, true, true, true }, left_right = { true, true }, left = { true },
        top_bottom = { false, false, true, true }, right = { false, true }, top = { false, false, true },
        bottom = { false, false, false, true } }
    for outlets, sides in pairs(open) do
        local land = start:stream_power{ years = 2e5, steps = 10, outlets = outlets }
        local risen = 0
        local function look(x, y, is_open)
            local same = land:get(x, y) == start:get(x, y)
            if is_open then
                unit.assertTrue(same, outlets)
            else
                risen = risen + (same and 0 or 1)
            end
        end
        for i = 1, 30 do
            look(0, i, sides[1])
            look(39, i, sides[2])
            look(i, 0, sides[3])
            look(i, 31, sides[4])
        end
        local closed = 0
        for side = 1, 4 do closed = closed + (sides[side] and 0 or 1) end
        unit.assertEquals(risen, 30 * closed, outlets)
    end
    local sea = start:statistics().mean
    local coast = start:stream_power{ years = 2e5, steps = 10, sea_level = sea, outlets = "left" }
    for y = 0, 31 do
        for x = 0, 39 do
            if start:get(x, y) < sea then
                unit.assertEquals(coast:get(x, y), start:get(x, y))
            end
        end
    end
end

function TestStreamPower.test_areas_are_all_of_the_ground()
    local _, area = rough(40, 32):stream_power{ years = 1e5, steps = 3, outlets = "left" }
    local sum = 0
    for y = 0, 31 do
        sum = sum + area:get(0, y)
    end
    unit.assertAlmostEquals(sum, 40 * 32 * 100 ^ 2, 1)
    local rain = esker.field{ width = 40, height = 32, values = 2 }
    local _, twice = rough(40, 32):stream_power{ years = 1e5, steps = 3, outlets = "left", rain = rain }
    local doubled = 0
    for y = 0, 31 do
        doubled = doubled + twice:get(0, y)
    end
    unit.assertAlmostEquals(doubled, 2 * sum, 1)
end

-- Four times the rain, or twice K: the same (m = 1/2). Feet are converted; rock that does not erode rises.
function TestStreamPower.test_units_and_rock()
    local start = rough(32, 32, 20)
    local base = start:stream_power{ years = 5e5, steps = 10, erodibility = 4e-6 }
    local rain = esker.field{ size = 32, values = 4 }
    unit.assertTrue(start:stream_power{ years = 5e5, steps = 10, erodibility = 2e-6, rain = rain } == base)
    local feet = (start / 0.3048):georeference{ like = start, unit = "ft" }
    local apart = feet:stream_power{ years = 5e5, steps = 10, erodibility = 4e-6 } * 0.3048 - base
    unit.assertTrue(apart:abs():statistics().max < 0.05)
    local hard = esker.field{ size = 32, values = 0 }
    local rock = start:stream_power{ years = 1e5, steps = 5, mask = hard, diffusivity = 0 }
    unit.assertAlmostEquals(rock:get(16, 16), start:get(16, 16) + 100, 1e-3)
    unit.assertTrue(start:stream_power{ years = 0 } == start)
    local nowhere = start:georeference{ nowhere = true }
    unit.assertEquals(nowhere:stream_power{ years = 1e5, steps = 5, cell = 100 }:hash(),
        start:stream_power{ years = 1e5, steps = 5 }:hash())
    local half = start:stream_power{ years = 1e5, steps = 5, erodibility = 0, diffusivity = 0,
        uplift_map = esker.field{ size = 32, values = 0.5 } }
    unit.assertAlmostEquals(half:get(16, 16), start:get(16, 16) + 50, 1e-3)
end

function TestStreamPower.test_bad_input()
    local start = rough(16, 16)
    local function refused(words, field, arguments)
        unit.assertErrorMsgContains(words, field.stream_power, field, arguments)
    end
    refused("must be lengths", esker.noise{ size = 16 }:georeference{ cell = 10, unit = "map" })
    refused("must be lengths", esker.noise{ size = 16 }:georeference{ cell = 10, unit = "degC" })
    refused("years must be 0 to", start, { years = -1 })
    refused("steps must be", start, { steps = 0 })
    refused("n must be 0.1 to 8", start, { n = 0 })
    refused("outlets must be", start, { outlets = "middle" })
    refused("uplift_map must be 0 to 1, got 2 to 2", start, { uplift_map = esker.field{ size = 16, values = 2 } })
    refused("mask must be 0 to 1, got -1 to -1", start, { mask = esker.field{ size = 16, values = -1 } })
    refused("no data", start:set_gaps(esker.field{ size = 16, values = function(x) return x == 3 and 1 or 0 end }), {})
end

os.exit(unit.LuaUnit.run())
