-- Roads on the ground and over water: their altitudes, bridges and ramps.

local esker = require "esker"
local unit = require "luaunit"

TestGrade = {}

local size <const> = 64

-- A valley between banks of heights 3 and 4, whose river is from 30 to 36, and 2 deep.
local function is_river(x)
    return x >= 30 and x < 36
end
local ground = esker.field{ size = size, wrap = false, values = function(x, y)
    return is_river(x) and 1 or (x < 30 and 3 or 4) + y / 100
end }
local water = esker.field{ size = size, values = function(x) return is_river(x) and 1 or 0 end }
local line = esker.lines{ size = size, list = { { { 4.5, 20.5 }, { 60.5, 20.5 } } } }

local function points_of(lines)
    return lines:list()[1].parts[1]
end

function TestGrade.test_a_road_has_the_heights_of_the_ground()
    local bumps = esker.spectral{ size = size, seed = 2 }
    local road, bridges = bumps:grade(bumps:path{})
    unit.assertEquals(bridges.count, 0)
    local last
    for _, point in ipairs(points_of(road)) do
        local probe = esker.lines{ size = size, list = { { { point[1], point[2] }, { 32, 32 } } } }
        unit.assertAlmostEquals(point[3], bumps:profile(probe):list()[1].altitude, 1e-5)
        unit.assertTrue(not last or (point[1] - last[1]) ^ 2 + (point[2] - last[2]) ^ 2 <= 1.001)
        last = point
    end
end

function TestGrade.test_a_bridge_is_straight_from_bank_to_bank()
    local road, bridges = ground:grade(line, { water = water, width = 0.1 })
    unit.assertEquals(bridges.count, 1)
    local bridge = points_of(bridges)
    unit.assertTrue(bridge[1][1] < 30 and bridge[#bridge][1] >= 36)
    unit.assertAlmostEquals(bridge[1][3], ground:get(29, 20), 0.02)
    unit.assertAlmostEquals(bridge[#bridge][3], ground:get(36, 20), 0.02)
    for i = 2, #bridge do
        unit.assertAlmostEquals((bridge[i][3] - bridge[1][3]) / (bridge[i][1] - bridge[1][1]),
            (bridge[#bridge][3] - bridge[1][3]) / (bridge[#bridge][1] - bridge[1][1]), 1e-4)
    end
    local over = 0
    for _, point in ipairs(points_of(road)) do
        over = over + (is_river(point[1]) and point[3] > 3 and 1 or 0)
    end
    unit.assertTrue(over >= 5, over)
    local attributes = bridges:list()[1].attributes
    unit.assertAlmostEquals(attributes.width, 0.1, 1e-6)
    unit.assertAlmostEquals(attributes.span, 7 / size, 0.5 / size)
    unit.assertEquals(ground:grade(line).count, 1)
end

function TestGrade.test_ramps_lead_onto_high_bridges()
    local _, bridges = ground:grade(line, { water = water, clearance = 6, slope = 0.5 * size })
    local bridge, steepest, highest = points_of(bridges), 0, 0
    for i = 2, #bridge do
        steepest = math.max(steepest, math.abs(bridge[i][3] - bridge[i - 1][3]) / (bridge[i][1] - bridge[i - 1][1]))
        highest = math.max(highest, bridge[i][3])
        unit.assertTrue(not is_river(bridge[i][1]) or bridge[i][3] >= 7 - 1e-4)
    end
    unit.assertTrue(steepest <= 0.5 + 1e-4, steepest)
    unit.assertAlmostEquals(bridges:list()[1].attributes.altitude, highest, 1e-4)
    unit.assertAlmostEquals(bridge[1][3], ground:get(16, 20), 1e-4)
    unit.assertTrue(bridge[1][1] > 15 and bridge[#bridge][1] < 50)
    -- Where a road ends beside the water, its ramp is as steep as it must be.
    local short = esker.lines{ size = size, list = { { { 27.5, 20.5 }, { 60.5, 20.5 } } } }
    local begun = points_of(select(2, ground:grade(short, { water = water, clearance = 6, slope = 0.5 * size })))
    unit.assertAlmostEquals(begun[1][3], ground:get(27, 20), 1e-4)
end

function TestGrade.test_roads_of_other_cells_and_attributes_are_kept()
    local map = esker.river_map{ seed = 2 }
    local window = { x = 0.42, y = 0.57, zoom = 60, size = 64 }
    local coarse = map:render(window)
    window.size = 128
    local fine = map:render(window)
    local road = points_of(fine:grade(coarse:path{}))
    unit.assertAlmostEquals(road[1][1], 13, 1e-6)
    local named = esker.lines{ size = size, list = {
        { parts = { { { 4, 4 }, { 50, 50 } } }, attributes = { name = "Mill Lane" } } } }
    unit.assertEquals(ground:grade(named):list()[1].attributes.name, "Mill Lane")
    unit.assertErrorMsgContains("georeference gives it one", ground.grade, ground, fine:path{}, {})
    local wet = esker.field{ size = size, values = 1 }
    unit.assertEquals(select(2, ground:grade(line, { water = wet })).count, 0)
end

os.exit(unit.LuaUnit.run())
