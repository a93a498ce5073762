-- Filters that change heights cell by cell, or move them, against their definitions in plain Lua.

local unit = require "luaunit"
local esker = require "esker"

local width, height = 24, 16
local land = esker.diamond_square{ width = width, height = height, seed = 3 } * 1.2 - 0.1
local other = esker.diamond_square{ width = width, height = height, seed = 4 } * 1.2 - 0.1

local function each_cell(check)
    for y = 0, height - 1 do
        for x = 0, width - 1 do
            check(x, y)
        end
    end
end

local function assert_is(field, expected, tolerance)
    each_cell(function(x, y)
        unit.assertAlmostEquals(field:get(x, y), expected(x, y), tolerance or 1e-5)
    end)
end

local function clamp(value, low, high)
    return math.max(low, math.min(high, value))
end

TestShaping = {}

function TestShaping.test_remap_is_its_definition()
    local shapes = {
        linear = function(t) return t end,
        smoothstep = function(t) return t * t * (3 - 2 * t) end,
        smootherstep = function(t) return t ^ 3 * (t * (t * 6 - 15) + 10) end,
    }
    local function bias(t, b) return t / ((1 / b - 2) * (1 - t) + 1) end
    local function gain(t, g) -- as Perlin defines it
        return t < 0.5 and bias(2 * t, 1 - g) / 2 or 1 - bias(2 - 2 * t, 1 - g) / 2
    end
    for shape, curve in pairs(shapes) do
        for _, from in ipairs{ { 0.2, 0.9 }, { 0.8, 0.1 } } do
            for _, b in ipairs{ 0.5, 0.2, 0.9 } do
                for _, g in ipairs{ 0.5, 0.1, 0.8 } do
                    assert_is(land:remap{ from = from, to = { -1, 3 }, shape = shape, bias = b, gain = g },
                        function(x, y)
                            local t = clamp((land:get(x, y) - from[1]) / (from[2] - from[1]), 0, 1)
                            return -1 + 4 * curve(gain(bias(t, b), g))
                        end, 2e-5)
                end
            end
        end
    end
end

function TestShaping.test_terraces_without_jitter_are_their_definition()
    for _, sharpness in ipairs{ 0, 0.6, 0.9 } do
        for _, slope in ipairs{ 0, 0.3, 1 } do
            assert_is(land:terrace{ steps = 6.5, sharpness = sharpness, slope = slope }, function(x, y)
                local t = land:get(x, y) * 6.5
                local k = math.floor(t)
                local rise = clamp((t - k - sharpness) / (1 - sharpness), 0, 1)
                return (k + slope * (t - k) + (1 - slope) * rise * rise * (3 - 2 * rise)) / 6.5
            end)
        end
    end
    local cliffs = land:terrace{ steps = 4, sharpness = 1, slope = 0 }
    assert_is(cliffs, function(x, y) return math.floor(land:get(x, y) * 4) / 4 end)
end

function TestShaping.test_terraces_keep_the_order_of_heights()
    local ramp = esker.field{ width = 400, height = 2, values = function(x) return x / 200 - 1 end }
    for seed = 1, 5 do
        local steps = ramp:terrace{ steps = 9, jitter = 0.9, seed = seed, slope = 0.05 }
        for x = 1, 399 do
            unit.assertTrue(steps:get(x, 0) >= steps:get(x - 1, 0) - 1e-6)
            unit.assertTrue(math.abs(steps:get(x, 0) - ramp:get(x, 0)) <= 2 / 9)
        end
    end
end

function TestShaping.test_terraces_of_heights_0_to_1_are_0_to_1()
    local ramp = esker.field{ width = 400, height = 2, values = function(x) return x / 399 end }
    for seed = 1, 20 do
        local range = ramp:terrace{ steps = 6, jitter = 0.9, seed = seed }:statistics()
        unit.assertEquals({ range.min, range.max }, { 0.0, 1.0 })
    end
end

-- Where a float has no room for steps, the ground stays.
function TestShaping.test_terraces_leave_extreme_heights_alone()
    for _, most in ipairs{ 1e10, 1e20, 1e30, 3e38 } do
        local high = esker.field{ width = 9, height = 2, values = function(x) return (x - 4) / 4 * most end }
        unit.assertTrue(high:terrace{ jitter = 0.5 } == high)
    end
end

function TestShaping.test_smooth_extremes_are_their_definition()
    for _, k in ipairs{ 0, 0.1, 0.7 } do
        local function below(a, b)
            return k > 0 and math.max(k - math.abs(a - b), 0) ^ 3 / (6 * k * k) or 0
        end
        assert_is(land:min(other, { blend = k }), function(x, y)
            local a, b = land:get(x, y), other:get(x, y)
            return math.min(a, b) - below(a, b)
        end)
        assert_is(land:max(0.4, { blend = k }), function(x, y)
            local a = land:get(x, y)
            return math.max(a, 0.4) + below(a, 0.4)
        end)
    end
end

local modes = {}
function modes.normal(_, b) return b end
function modes.add(a, b) return a + b end
function modes.subtract(a, b) return a - b end
function modes.multiply(a, b) return a * b end
function modes.screen(a, b) return a + b - a * b end
function modes.hard_light(a, b)
    return b <= 0.5 and modes.multiply(a, 2 * b) or modes.screen(a, 2 * b - 1)
end
function modes.overlay(a, b) return modes.hard_light(b, a) end
function modes.soft_light(a, b)
    if b <= 0.5 then
        return a - (1 - 2 * b) * a * (1 - a)
    end
    return a + (2 * b - 1) * ((a <= 0.25 and ((16 * a - 12) * a + 4) * a or math.sqrt(a)) - a)
end
function modes.difference(a, b) return math.abs(a - b) end
function modes.exclusion(a, b) return a + b - 2 * a * b end
function modes.dodge(a, b) return a == 0 and 0 or b == 1 and 1 or math.min(1, a / (1 - b)) end
function modes.burn(a, b) return a == 1 and 1 or b == 0 and 0 or 1 - math.min(1, (1 - a) / b) end
modes.darken, modes.lighten = math.min, math.max

function TestShaping.test_blend_modes_are_the_standards()
    local a, b, mask = land:clamp(), other:clamp(), land:terrace{ steps = 3 }:clamp()
    for mode, mixed in pairs(modes) do
        assert_is(a:blend(b, { mode = mode, opacity = 0.7, mask = mask }), function(x, y)
            local below, above = a:get(x, y), b:get(x, y)
            return below + (mixed(below, above) - below) * 0.7 * mask:get(x, y)
        end, 3e-5)
        local range = esker.statistics(a:blend(b, { mode = mode }))
        unit.assertTrue(mode == "add" or mode == "subtract" or range.min >= 0 and range.max <= 1 + 1e-6, mode)
    end
end

function TestShaping.test_warp_takes_heights_from_where_the_fields_say()
    local wave = esker.field{ size = 64, wrap = true, values = function(x, y)
        return math.sin(2 * math.pi * x / 64) + math.cos(2 * math.pi * y / 64)
    end }
    local function constant(value)
        return esker.field{ size = 64, values = value, wrap = true }
    end
    local moved = wave:warp(constant(0.75), constant(0), { magnitude = 0.5 })
    unit.assertEquals(moved:hash(), wave:crop{ x = 8, y = -16 }:hash())
    unit.assertTrue(moved.wraps)
    unit.assertEquals(wave:warp(constant(3), constant(3), { still = 3, wrap = false }):hash(), wave:hash())
end

os.exit(unit.LuaUnit.run())
