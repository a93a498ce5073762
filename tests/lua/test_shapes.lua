-- Shapes: their definitions, at every resolution.

local unit = require "luaunit"
local esker = require "esker"

local width, height = 60, 40

local function assert_is(field, expected, tolerance)
    for y = 0, field.height - 1 do
        for x = 0, field.width - 1 do
            unit.assertAlmostEquals(field:get(x, y), expected((x + 0.5) / field.width, (y + 0.5) / field.height),
                tolerance or 1e-5)
        end
    end
end

TestShapes = {}

function TestShapes.test_profiles_are_their_definition()
    local rim = 0.036 / 0.196
    local profiles = {
        cone = function(d) return math.max(0, 1 - d) end,
        dome = function(d) return math.sqrt(math.max(0, 1 - d * d)) end,
        gaussian = function(d) return math.exp(-2 * d * d) end,
        disk = function(d)
            local t = math.max(0, math.min(1, 1 - (d - 1) * 0.3 / 0.2))
            return t * t * (3 - 2 * t)
        end,
        crater = function(d) return d < 1 and d * d - 1 + rim or rim / d ^ 3 end,
        volcano = function(d)
            return d < 0.15 and 1 - 0.1 * (1 - (d / 0.15) ^ 2) or math.max(0, 1 - d) ^ 2 / 0.85 ^ 2
        end,
    }
    for kind, profile in pairs(profiles) do
        for _, scale in ipairs{ 1, 2 } do
            local field = esker.shape{ kind = kind, width = width * scale, height = height * scale, x = 0.4, y = 0.6,
                radius = 0.3, edge = 0.2, magnitude = 2 }
            unit.assertFalse(field.wraps)
            assert_is(field, function(u, v)
                return 2 * profile(math.sqrt((u - 0.4) ^ 2 + ((v - 0.6) * 2 / 3) ^ 2) / 0.3)
            end)
        end
    end
end

function TestShapes.test_ramps_and_stretched_shapes_turn()
    assert_is(esker.shape{ kind = "ramp", width = width, height = height, radius = 0.5 }, function(u) return u end)
    local c, s = math.cos(math.rad(30)), math.sin(math.rad(30))
    assert_is(esker.shape{ width = width, height = height, radius = 0.2, stretch = 2, azimuth = 120 }, function(u, v)
        local x, y = u - 0.5, (v - 0.5) * 2 / 3
        return math.max(0, 1 - math.sqrt(((x * c + y * s) / 2) ^ 2 + (y * c - x * s) ^ 2) / 0.2)
    end)
end

function TestShapes.test_a_polygons_mask_is_its_inside()
    local square = { { 0.25, 0.25 }, { 0.75, 0.25 }, { 0.75, 0.75 }, { 0.25, 0.75 } }
    local function inside(u, v) return u > 0.25 and u < 0.75 and v > 0.25 and v < 0.75 and 1 or 0 end
    assert_is(esker.polygon{ width = width, height = height, points = square }, inside, 0)
    local soft = esker.polygon{ size = 80, points = square, edge = 0.2 }
    for x = 0, 79 do
        local away = math.min((x + 0.5) / 80 - 0.25, 0.75 - (x + 0.5) / 80)
        local t = math.max(0, math.min(1, 0.5 + away / 0.2))
        unit.assertAlmostEquals(soft:get(x, 40), t * t * (3 - 2 * t), 1e-5)
    end
    -- A star that crosses itself has a hole; corners may come in either order.
    local star, back = {}, {}
    for i = 0, 4 do
        star[i + 1] = { 0.5 + 0.4 * math.sin(i * 0.8 * math.pi), 0.5 - 0.4 * math.cos(i * 0.8 * math.pi) }
        back[5 - i] = star[i + 1]
    end
    local mask = esker.polygon{ size = 64, points = star }
    unit.assertEquals(mask:get(32, 32), 0)
    unit.assertEquals(mask:get(32, 12), 1)
    unit.assertTrue(esker.statistics((esker.polygon{ size = 64, points = back } - mask):abs()).max < 1e-6)
end

function TestShapes.test_a_ridge_has_its_heights_along_the_line()
    local line = { { 0.25, 0.5, 0.4 }, { 0.75, 0.5, 1 } }
    for profile, at in pairs{ linear = function(t) return t end, concave = function(t) return t * t end,
        smooth = function(t) return t * t * (3 - 2 * t) end } do
        local range = esker.ridge_line{ size = 64, points = line, radius = 0.2, profile = profile }
        assert_is(range, function(u, v)
            local share = math.max(0, math.min(1, (u - 0.25) / 0.5))
            local away = math.sqrt((u - 0.25 - share * 0.5) ^ 2 + (v - 0.5) ^ 2)
            return (0.4 + 0.6 * share) * at(math.max(0, 1 - away / 0.2))
        end)
    end
end

os.exit(unit.LuaUnit.run())
