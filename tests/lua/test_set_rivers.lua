-- A zoomable map's own rivers: courses are kept at every zoom, water runs down them, and what cannot be is refused.

local esker = require "esker"
local Long = require "long_tests"
local tries = require "tries"
local unit = require "luaunit"

TestSetRivers = {}

local SIDE = 256 -- cells of level 0
local through_a_range = { { 128, 100 }, { 90, 140 }, { 60, 256 } }
local tributary = { { 125, 150 }, { 105, 150 }, { 92, 137 } } -- meets the other

local function lines(list, size)
    return esker.lines{ size = size or SIDE, list = list }
end

local function map(more)
    local given = { seed = 2 }
    for name, value in pairs(more or {}) do
        given[name] = value
    end
    return esker.river_map(given)
end

local function distance_to_segment(x, y, a, b)
    local dx, dy = b.x - a.x, b.y - a.y
    local along = ((x - a.x) * dx + (y - a.y) * dy) / math.max(dx * dx + dy * dy, 1e-12)
    along = math.max(0, math.min(1, along))
    return ((x - a.x - along * dx) ^ 2 + (y - a.y - along * dy) ^ 2) ^ 0.5
end

-- How far, in cells of level 0, a place is from the nearest river in a window around it.
local function distance_to_river(own, x, y, zoom)
    local size = 64
    local nearest = math.huge
    local rivers = own:rivers{ x = x / SIDE, y = y / SIDE, zoom = zoom, size = size }
    for _, reach in ipairs(rivers:reaches()) do
        for i = 2, #reach do
            nearest = math.min(nearest, distance_to_segment(size / 2, size / 2, reach[i - 1], reach[i]))
        end
    end
    return nearest * SIDE / zoom / size
end

local APART = tries(24, 5) -- cells of level 0

-- The share of places along a line, a few cells apart, from behind its source to the sea, that have a river within 1.5
-- cells of level 0: a course is that of cells, which finer levels straighten and bend.
local function share_kept(own, line, zoom)
    local kept, all = 0, 0
    for i = 2, #line do
        local a, b = line[i - 1], line[i]
        local steps = math.ceil(((b[1] - a[1]) ^ 2 + (b[2] - a[2]) ^ 2) ^ 0.5 / APART)
        for k = i == 2 and 1 or 0, steps - 1 do
            local x, y = a[1] + (b[1] - a[1]) * k / steps, a[2] + (b[2] - a[2]) * k / steps
            if own:altitude_at{ x = x / SIDE, y = y / SIDE, zoom = zoom } <= 0 then
                return kept / all, all
            end
            all = all + 1
            kept = kept + (distance_to_river(own, x, y, zoom) <= 1.5 and 1 or 0)
        end
    end
    return kept / all, all
end

-- A map whose river drains so many m² of land where it ends.
local function with_area(area, list)
    local given = list or { { parts = { through_a_range }, attributes = { drained = area } } }
    return map():set_rivers(lines(given), { area = "drained" })
end

-- What rivers drain, in m²: the most in a window, and the most that it falls downstream.
local function drained(own, x, y, zoom)
    local most, fall = 0, 0
    for _, reach in ipairs(own:rivers{ x = x / SIDE, y = y / SIDE, zoom = zoom, size = 64 }:reaches()) do
        local before = 0
        for _, point in ipairs(reach) do
            fall = math.max(fall, before - point.area)
            most, before = math.max(most, point.area), point.area
        end
    end
    local side = own.side
    return most * side ^ 2, fall * side ^ 2
end

function TestSetRivers.test_a_river_drains_the_area_that_is_asked_for()
    local natural = drained(with_area(0), 75, 180, 3)
    for zoom, area in pairs{ [3] = 1e12, [4] = 4e12 } do
        local most, fall = drained(with_area(area), 75, 180, zoom)
        unit.assertAlmostEquals(most / area, 1, 0.05, zoom)
        unit.assertEquals(fall, 0)
    end
    unit.assertTrue(natural < 0.2e12)
    unit.assertEquals(drained(with_area(1e9), 75, 180, 3), natural) -- it has more
end

function TestSetRivers.test_short_rivers_have_their_area_at_every_zoom()
    local slope = esker.field{ size = 65, values = function(x, y) return 0.9 - x / 60 + (y % 3) / 40 end }
    local land = esker.river_map{ seed = 1, guide = slope, relief = 500, side = 65e3 }
    for _, x in ipairs{ 0.5, 50 } do -- from the border, and inland
        local line = { parts = { { { x, 30 }, { 64, 30 } } }, attributes = { drained = 2e10 } }
        local own = land:set_rivers(esker.lines{ size = 65, list = { line } }, { area = "drained" })
        for _, zoom in ipairs{ 2, 8 } do
            local most = 0
            local rivers = own:rivers{ x = 0.85, y = 30 / 65, zoom = zoom, size = 64, inside = true }
            for _, reach in ipairs(rivers:reaches()) do
                most = math.max(most, reach[#reach].area * 65e3 ^ 2)
            end
            unit.assertAlmostEquals(most / 2e10, 1, 0.01, x .. " " .. zoom)
        end
    end
end

function TestSetRivers.test_tributaries_bring_what_they_have()
    local own = with_area(nil, { { parts = { tributary }, attributes = { drained = 3e12 } },
        { parts = { through_a_range }, attributes = { drained = 1e12 } } })
    unit.assertTrue(drained(own, 75, 180, 3) > 2.9e12)
end

-- What comes from beyond the map stays in the river where the land beside it is drier.
function TestSetRivers.test_water_does_not_fall_downstream()
    local climatic = esker.river_map{ seed = 3, side = 2e6, latitudes = { 15, 45 } }
    local course = { { 128, 100 }, { 90, 140 }, { 60, 200 }, { 30, 256 } }
    local line = { parts = { course }, attributes = { drained = 5e11 } }
    local own = climatic:set_rivers(lines{ line }, { area = "drained" })
    local steps = 0
    for _, reach in ipairs(own:rivers{ size = SIDE }:reaches()) do
        for i = 2, #reach do
            if reach[i].area > 0.02 then
                steps = steps + 1
                unit.assertTrue(reach[i].water >= 0.999 * reach[i - 1].water, reach[i].water)
            end
        end
    end
    unit.assertTrue(steps > 200, steps)
end

-- A hollow below the sea in a valley that a river fills is the river's: else its water would have a dark speck there.
function TestSetRivers.test_wide_rivers_have_no_specks()
    local course = { { 196.1, 39.9 }, { 193, 42 }, { 190, 41 }, { 187, 45 }, { 183.5, 45.5 } }
    local own = esker.river_map{ seed = 7, landscape = "alps" }:set_rivers(
        lines{ { parts = { course }, attributes = { drained = 1.2e13 } } }, { area = "drained" })
    local _, river = own:render{ x = 0.7168, y = 0.1777, zoom = 16, size = 400 }
    local wide = 0
    for y = 1, 398 do
        for x = 1, 398 do
            local across = math.min(river:get(x - 1, y), river:get(x + 1, y))
            if math.min(across, river:get(x, y - 1), river:get(x, y + 1)) > 1 then
                wide = wide + 1
                unit.assertTrue(river:get(x, y) > 1, x .. " " .. y)
            end
        end
    end
    unit.assertTrue(wide > 300, wide)
end

function TestSetRivers.test_areas_that_are_none()
    unit.assertErrorMsgContains('"drained" of river 1 must be a number of m²', with_area, "much")
    unit.assertErrorMsgContains('"drained" of river 1 must be a number of m²', with_area, -1)
    unit.assertErrorMsgContains('"drained" of river 1 must be a number of m²', with_area, 1e30)
    unit.assertErrorMsgContains("there is no attribute 'drained'", esker.set_rivers, map(), lines{ through_a_range },
        { area = "drained" })
end

function TestSetRivers.test_courses_are_kept_at_every_zoom()
    local own = map():set_rivers(lines{ through_a_range })
    for _, zoom in ipairs(tries(1, { 16, 8, 64, 256 })) do
        local share, places = share_kept(own, through_a_range, zoom)
        unit.assertTrue(places > 75 / APART, places)
        unit.assertTrue(share >= 0.95, ("zoom %d: %.2f"):format(zoom, share))
    end
end

function Long.test_a_map_of_its_own_has_other_courses()
    unit.assertTrue(share_kept(map(), through_a_range, 8) < 0.5)
end

function TestSetRivers.test_rivers_fall_and_flow()
    local own = map():set_rivers(lines{ through_a_range, tributary })
    local window = { x = 90 / SIDE, y = 140 / SIDE, zoom = 8, size = 256 }
    local widest = 0
    for _, reach in ipairs(own:rivers(window):reaches()) do
        for i = 2, #reach do
            unit.assertTrue(reach[i].altitude <= reach[i - 1].altitude)
        end
        widest = math.max(widest, reach[1].area)
    end
    unit.assertTrue(widest > 300 / SIDE ^ 2) -- what lies beside it drains into it
end

function TestSetRivers.test_land_beside_a_course_is_no_dam()
    local own = map():set_rivers(lines{ through_a_range })
    local height = own:render{ size = SIDE }
    local dams = 0
    for k = 2, 38 do -- from the source to the range
        local x, y = math.floor(128 - k), math.floor(100 + k * 40 / 38)
        local lowest = math.huge
        for dx = -1, 1 do -- of the bed
            for dy = -1, 1 do
                lowest = math.min(lowest, height:get(x + dx, y + dy))
            end
        end
        dams = dams + (height:get(x - 6, y - 6) < lowest and height:get(x + 6, y + 6) < lowest and 1 or 0)
    end
    unit.assertTrue(dams < 3, dams)
end

function TestSetRivers.test_windows_agree()
    local courses = lines{ through_a_range }
    local one, other = map():set_rivers(courses), map():set_rivers(courses)
    local wide = { one:render{ x = 0.375, y = 0.5, zoom = 64, size = 128 } }
    local part = { other:render{ x = 0.375 + 16 / 8192, y = 0.5, zoom = 128, size = 64 } }
    for i = 1, 3 do
        for y = 0, 63 do
            for x = 0, 63 do
                unit.assertEquals(part[i]:get(x, y), wide[i]:get(x + 48, y + 32))
            end
        end
    end
end

function TestSetRivers.test_parts_of_a_river_may_come_in_any_order()
    local upper, lower = { { 128, 100 }, { 90, 140 } }, { { 90, 140 }, { 60, 256 } }
    local whole = map():set_rivers(lines{ through_a_range }):render{ size = 128 }:hash()
    local in_turn = map():set_rivers(lines{ upper, lower }):render{ size = 128 }:hash()
    unit.assertEquals(map():set_rivers(lines{ lower, upper }):render{ size = 128 }:hash(), in_turn)
    local half = lines({ { { 64, 50 }, { 45, 70 }, { 30, 128 } } }, 128)
    unit.assertEquals(map():set_rivers(half):render{ size = 128 }:hash(), whole)
end

function TestSetRivers.test_rivers_are_replaced()
    local own = map():set_rivers(lines{ tributary, through_a_range }):set_rivers(lines{ through_a_range })
    local whole = map():set_rivers(lines{ through_a_range }):render{ size = 128 }:hash()
    unit.assertEquals(own:render{ size = 128 }:hash(), whole)
end

function TestSetRivers.test_a_loop_is_cut_and_a_crossing_ends_a_line()
    local around = { { 128, 100 }, { 110, 119 }, { 100, 110 }, { 112, 112 }, { 112, 117 }, { 90, 140 }, { 60, 256 } }
    local own = map():set_rivers(lines{ around })
    local across = { { 150, 40 }, { 160, 80 }, { 60, 150 }, { 80, 160 } } -- ends inland, behind the first
    own:render{ size = 64 }
    map():set_rivers(lines{ through_a_range, across }):render{ size = 64 }
end

function TestSetRivers.test_lines_are_placed_by_a_guide()
    local guide = esker.spectral{ size = 65, seed = 3 }:normalize{ low = -0.4, high = 0.8 }
    guide.frame = { x = 10, y = 50, cell = 0.01, system = "EPSG:4326" }
    local land = esker.river_map{ seed = 1, guide = guide, relief = 2000, side = 65e3 }
    local course = { { 20.7, 10.3 }, { 44.2, 30.8 }, { 65, 40.9 } } -- cells of the guide
    local places, cells = {}, {}
    for i, point in ipairs(course) do
        places[i] = ("[%.4f,%.4f]"):format(10 + point[1] / 100, 50 - point[2] / 100)
    end
    local path = os.tmpname()
    local file = assert(io.open(path .. ".geojson", "w"))
    file:write('{"type":"LineString","coordinates":[', table.concat(places, ","), "]}")
    file:close()
    local rivers = esker.load(path .. ".geojson")
    os.remove(path .. ".geojson")
    os.remove(path)
    local own = land:set_rivers(rivers, { like = guide })
    for i, point in ipairs(course) do -- a guide's outermost cells lie on the map's border
        cells[i] = { (point[1] - 0.5) / 64 * SIDE, (point[2] - 0.5) / 64 * SIDE }
    end
    unit.assertEquals(own:render{ size = 64 }:hash(), land:set_rivers(lines{ cells }):render{ size = 64 }:hash())
    unit.assertTrue(share_kept(own, cells, 16) >= 0.95)
    unit.assertErrorMsgContains("give like", land.set_rivers, land, rivers)
end

-- Of a network of which lines end inland, the others are set; a line that would end in one left out is left out, too.
function TestSetRivers.test_lines_that_end_inland_are_left_out_if_asked()
    local land, inland = map(), { { 120, 90 }, { 110, 90 } }
    local into_it = { { 115, 84 }, { 115, 90 } }
    local all = lines{ inland, through_a_range, into_it }
    unit.assertErrorMsgContains("river 1 ends inland", land.set_rivers, land, all)
    local window = { size = 256 }
    local left, alone = land:set_rivers(all, { inland = "skip" }), land:set_rivers(lines{ through_a_range })
    for i, field in ipairs{ left:render(window) } do
        unit.assertEquals(field:hash(), (select(i, alone:render(window))):hash())
    end
    unit.assertErrorMsgContains("all rivers end inland", land.set_rivers, land, lines{ inland }, { inland = "skip" })
end

-- A list of shares of the side.
local function along(line)
    local points = {}
    for i, point in ipairs(line) do
        points[i] = { point[1] / SIDE, point[2] / SIDE }
    end
    return points
end

function TestSetRivers.test_rivers_are_added_as_if_set_together()
    local window = { size = 64 }
    local together = map():set_rivers(lines{ through_a_range, tributary })
    local one_by_one = map():add_rivers{ along = along(through_a_range) }:add_rivers{ along = along(tributary) }
    local mixed = map():set_rivers(lines{ through_a_range }):add_rivers(lines{ tributary })
    for i, field in ipairs{ together:render(window) } do
        unit.assertEquals((select(i, one_by_one:render(window))):hash(), field:hash())
        unit.assertEquals((select(i, mixed:render(window))):hash(), field:hash())
    end
end

-- What was left out before is left out still, and what is added may not end inland because of that.
function TestSetRivers.test_rivers_left_out_stay_so_if_others_are_added()
    local inland = { { 120, 90 }, { 110, 90 } }
    local left = map():set_rivers(lines{ inland, through_a_range }, { inland = "skip" })
    local added = left:add_rivers{ along = along(tributary) }
    local whole = map():set_rivers(lines{ through_a_range, tributary })
    unit.assertEquals(added:render{ size = 64 }:hash(), whole:render{ size = 64 }:hash())
    unit.assertErrorMsgContains("river 1 ends inland", left.add_rivers, left,
        { along = along(inland), inland = "refuse" })
end

-- From where its line ends inland, a river goes on along the stream that was there, and brings that its water.
function TestSetRivers.test_an_added_river_goes_on_along_the_stream_at_its_end()
    local course = { { 128, 100 }, { 90, 140 } }
    local own = map():add_rivers{ along = along(course), width = 4000 }
    unit.assertTrue(share_kept(own, course, 2) >= 0.95)
    local before, after = map():rivers{ size = SIDE }:reaches(), own:rivers{ size = SIDE }:reaches()
    local function largest_at(reaches, x, y) -- of those within 2 cells
        local most = 0
        for _, reach in ipairs(reaches) do
            for _, point in ipairs(reach) do
                most = math.max(most, math.abs(point.x - x) <= 2 and math.abs(point.y - y) <= 2 and point.area or 0)
            end
        end
        return most
    end
    local grown = 0
    for _, reach in ipairs(before) do
        local last = reach[#reach]
        grown = math.max(grown, largest_at(after, last.x, last.y) - last.area)
        for i = 2, #reach do
            unit.assertTrue(reach[i].altitude <= reach[i - 1].altitude)
        end
    end
    unit.assertTrue(grown > 100 / SIDE ^ 2, grown * SIDE ^ 2) -- at the mouth of a river that was there
end

function TestSetRivers.test_an_added_river_is_as_wide_as_asked_for()
    local own = map():add_rivers{ along = along(through_a_range), width = 6000 }
    local most = 0
    for _, reach in ipairs(own:rivers{ x = 80 / SIDE, y = 170 / SIDE, zoom = 8, size = 64, inside = true }:reaches()) do
        for _, point in ipairs(reach) do
            most = math.max(most, point.width)
        end
    end
    unit.assertAlmostEquals(most * 3000e3 / 8 / 64, 6000, 600)
    unit.assertErrorMsgContains("width must be at most", map().add_rivers, map(),
        { along = along(through_a_range), width = 2e6 })
end

function TestSetRivers.test_what_cannot_be_added_is_refused()
    local land = map()
    unit.assertErrorMsgContains("give along, a list of points", land.add_rivers, land)
    unit.assertErrorMsgContains("not both", land.add_rivers, land, lines{ tributary }, { along = along(tributary) })
    unit.assertErrorMsgContains("give width with along", land.add_rivers, land,
        { along = along(tributary), area = "a" })
    unit.assertErrorMsgContains("along", land.add_rivers, land, { along = { { 0.5, 0.5 }, { 0.5, 1.5 } } })
end

function TestSetRivers.test_what_cannot_be_is_refused()
    local land = map()
    local wrong = {
        { land, lines{ { { 128, 100 }, { 90, 140 } } }, "river 1 ends inland at (0.3535, 0.5488)" },
        { land, lines{ through_a_range, { { 120, 90 }, { 110, 90 } } }, "river 2 ends inland" },
        { land, lines{ { { 100, 130 }, { 110, 130 }, { 110, 135 } }, { { 110, 135 }, { 100, 135 }, { 100, 130 } } },
          "river 2 flows back to itself" },
        { land, lines{ { { -20, -30 }, { -2, -2 } } }, "no line passes through the map" },
        { esker.river_map{ land = "raw" }, lines{ through_a_range }, 'maps with land = "eroded"' },
    }
    for _, case in ipairs(wrong) do
        unit.assertErrorMsgContains(case[3], case[1].set_rivers, case[1], case[2])
    end
end

os.exit(unit.LuaUnit.run())
