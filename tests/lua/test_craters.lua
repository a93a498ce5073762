-- Craters of a zoomable map: they have the depth and the rim that are asked for at every zoom, far ground keeps every
-- bit, windows agree, their water ends in them, and what cannot be is refused.

local esker = require "esker"
local kept_map = require "kept_map"
local map_edits = require "map_edits"
local Long = require "long_tests"
local tries = require "tries"
local unit = require "luaunit"

TestCraters = {}

local SIDE = 3000e3 -- metres
local same = map_edits.same

local function plain() -- with the land that other tests have drawn
    return kept_map{ seed = 2 }
end

local bowl = { at = { { 0.3, 0.5 } }, width = 3e3 }
local wide = { at = { { 0.3, 0.5 } }, width = 10e3, depth = 800, rim = 200 }
local lake = { at = { { 0.4805, 0.535 } }, width = 12e3, lake = 0.5 }

-- The map with one of them, kept for all tests.
local maps = {}
local function struck(crater)
    maps[crater] = maps[crater] or plain():crater(crater)
    return maps[crater]
end

local function median(list)
    table.sort(list)
    return list[#list // 2 + 1]
end

-- The heights of the crest, the floor and the ground around, on 48 rays; `ground` is the map before.
local function measure(map, crater, zoom, size)
    local x, y = table.unpack(crater.at[1])
    local half = crater.width / SIDE / 2 * zoom * size -- pixels
    local heights = map:render{ x = x, y = y, zoom = zoom, size = size }
    local crests, floor = {}, math.huge
    for i = 1, 48 do
        local highest = -math.huge
        for k = 0, 100 do
            local away = half * k / 80
            local u = math.floor(size / 2 + away * math.cos(i * math.pi / 24))
            local v = math.floor(size / 2 + away * math.sin(i * math.pi / 24))
            local height = heights:get(u, v)
            highest = k >= 60 and math.max(highest, height) or highest
            floor = k <= 50 and math.min(floor, height) or floor
        end
        crests[i] = highest
    end
    return median(crests), floor
end

-- Mean ground inside the rim.
local function ground_of(map, crater)
    local x, y = table.unpack(crater.at[1])
    return map:render{ x = x, y = y, zoom = SIDE / crater.width, size = 32 }:statistics().mean
end

function TestCraters.test_depth_and_rim_at_three_zooms()
    local before = plain()
    for _, case in ipairs{ { bowl, 600, 108 }, { wide, 800, 200 } } do
        local crater, depth, rim = table.unpack(case)
        local after, ground = struck(crater), ground_of(before, crater)
        for _, share in ipairs(tries(1, crater == bowl and { 1.4, 2, 4 } or { 4, 2, 1.4 })) do -- widths in the picture
            local crest, floor = measure(after, crater, SIDE / crater.width / share, 160)
            local got = ("%g m, picture of %g: depth %.0f, rim %.0f"):format(crater.width, share, crest - floor,
                crest - ground)
            unit.assertTrue(crest - floor > 0.8 * depth and crest - floor < 1.2 * depth, got)
            unit.assertTrue(crest - ground > 0.8 * rim and crest - ground < 1.2 * rim, got)
        end
    end
end

function TestCraters.test_only_ground_near_changes()
    local before = plain()
    for i, crater in ipairs{ bowl, wide, lake } do
        local x, y = table.unpack(crater.at[1])
        local after, width = struck(crater), crater.width / SIDE
        for k, widths in ipairs(tries(1, i == 2 and { 3, 0.8, 0.2 } or { 0.8, 3, 0.2 })) do
            local window = { x = x, y = y, zoom = 1 / width / widths, size = 48 }
            unit.assertFalse(same(before, after, window))
            local away = 4 * width + widths * width / 2
            window.x, window.y = x + ((i + k) % 2 * 2 - 1) * away, y + (k % 2) * away
            unit.assertTrue(same(before, after, window), ("%d: %g"):format(i, widths))
        end
    end
end

function TestCraters.test_windows_agree()
    for _, crater in ipairs(tries(1, { lake, bowl })) do
        local zoom = 2 ^ (math.log(SIDE / crater.width / 2, 2) // 1)
        local x, y = table.unpack(crater.at[1])
        local function make(map) return map:crater(crater) end
        unit.assertTrue(map_edits.parts_agree(make, x, y, zoom))
    end
end

-- Nothing rises along a river, and where one ends inland it is at the floor.
function TestCraters.test_rivers_fall_and_end_at_the_floor()
    local x, y = table.unpack(wide.at[1])
    local map = struck(wide)
    for _, widths in ipairs(tries(1, { 1, 4 })) do
        local window = { x = x, y = y, zoom = SIDE / wide.width / widths, size = 192 }
        local floor, inside = map:render(window):statistics().min, 0
        for _, reach in ipairs(map:rivers(window):reaches()) do
            for i = 2, #reach do
                unit.assertTrue(reach[i].altitude <= reach[i - 1].altitude)
            end
            inside = math.abs(reach[#reach].altitude - floor) < 40 and inside + 1 or inside
        end
        unit.assertTrue(inside > 0 or widths == 4, ("%d at %g"):format(inside, widths))
    end
end

-- Streams that come through a rim fall to the sink: none ends on the wall, where finer levels would raise it.
function TestCraters.test_streams_through_the_rim_reach_the_sink()
    local land = { seed = 8, landscape = "hills", side = 1000e3 }
    local window = { x = 0.4863, y = 0.3564, zoom = 1000e3 / 2903 / 2, size = 192 }
    local map = esker.river_map(land):crater{ at = { { window.x, window.y } }, width = 2903 }
    local ends, sink = 0, nil
    for _, reach in ipairs(map:rivers(window):reaches()) do
        local last = reach[#reach]
        for i = 2, #reach do
            unit.assertTrue(reach[i].altitude <= reach[i - 1].altitude)
        end
        if math.sqrt((last.x - 96) ^ 2 + (last.y - 96) ^ 2) < 44 and last.altitude < (sink or math.huge) then
            sink = last.altitude
        end
        ends = ends + (last.altitude == sink and 1 or 0)
    end
    unit.assertTrue(ends > 0 and ends < 8, ends .. " reaches end at the sink")
end

-- Its water is level, at every zoom.
-- The floor of a shallow crater is higher than valleys in its rim: the depth that is named holds one.
function TestCraters.test_a_lake_that_would_flow_out_is_refused()
    local shallow = { at = { { 0.29345778073216, 0.51228887430912 } }, width = 6e3, lake = 0.5, depth = 120 }
    local refusal = "a valley comes through its rim at 570 m, and its floor is at 607 m; depth must be 194 m or more"
    unit.assertErrorMsgContains(refusal, plain().crater, plain(), shallow)
    shallow.depth = 194
    local x, y = table.unpack(shallow.at[1])
    local _, _, _, depth = plain():crater(shallow):render{ x = x, y = y, zoom = 400, size = 32 }
    unit.assertTrue(depth:statistics().max > 10)
end

function TestCraters.test_a_lake_has_one_level()
    local x, y = table.unpack(lake.at[1])
    local levels = {}
    for i, widths in ipairs(tries(2, { 1, 2, 0.5 })) do
        local heights, _, _, depth = struck(lake):render{ x = x, y = y, zoom = SIDE / lake.width / widths, size = 64 }
        local least, most, wet = math.huge, -math.huge, 0
        for k = 0, 64 * 64 - 1 do
            if depth:get(k % 64, k // 64) > 0 then
                local height = heights:get(k % 64, k // 64)
                least, most, wet = math.min(least, height), math.max(most, height), wet + 1
            end
        end
        unit.assertTrue(wet > 300 and most - least < 0.01, ("%d pixels, %g m"):format(wet, most - least))
        levels[i] = most
    end
    unit.assertAlmostEquals(levels[1], levels[2], 0.05 * levels[2])
end

-- Finer levels ask for a crater's ground at each of their cells.
function Long.test_places_in_a_crater_are_told_about_as_fast_as_on_a_hill()
    local function time(map)
        map:render{ x = 0.4805, y = 0.535, zoom = 64, size = 2 } -- makes the coarsest levels
        local start = os.clock()
        map:identify{ x = 0.4805, y = 0.535 }
        return os.clock() - start
    end
    local hill = { along = lake.at, width = lake.width, height = 500 }
    unit.assertTrue(time(plain():crater(lake)) < 8 * time(plain():raise(hill)))
end

function TestCraters.test_many_places_are_craters_each()
    local points = esker.points{ size = 1000, list = { { 300, 500 }, { 304, 502 } } }
    local window = { x = 0.302, y = 0.501, zoom = 200, size = 64 }
    local shape = { width = 3e3 }
    local listed = plain():crater{ at = { { 0.3, 0.5 }, { 0.304, 0.502 } }, width = 3e3 }
    unit.assertTrue(same(plain():crater(points, shape), listed, window))
    unit.assertFalse(same(plain(), listed, window))
end

function TestCraters.test_what_cannot_be_is_refused()
    local map, at = plain(), { { 0.3, 0.5 } }
    for _, wrong in ipairs{
        { { at = at, width = 1000, depth = 401 }, "depth must be at most 0.4 of the width, 400 m, got 401 m" },
        { { at = at, width = 1000, depth = 100, rim = 51 }, "rim must be at most half of the depth, 50 m, got 51 m" },
        { { at = at, width = 1000, peak = 1000 }, "peak must be at most the depth, 200 m, got 1000 m" },
        { { at = at, width = 0.001 }, "width must be" },
        { { at = at, width = 0 / 0 }, "width" },
        { { at = { { 1.2, 0.5 } } }, "at: row 1, column 1 must be 0 to 1, got 1.2" },
        { { width = 1000 }, "give at, a list of points { x, y }, or Points" },
        { { at = { { 0.1465, 0.0801 } }, width = 5e3 }, "shape 1 lies in the sea or too low for a crater" },
        { { at = at, width = 9e3, depth = 3000 }, "the floor of shape 1 would lie below the sea: depth must be" },
    } do
        unit.assertErrorMsgContains(wrong[2], map.crater, map, wrong[1])
    end
end

os.exit(unit.LuaUnit.run())
