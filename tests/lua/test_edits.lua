-- Edits of a zoomable map: they enter at every zoom, far ground keeps every bit, windows agree, water still falls, and
-- what cannot be is refused.

local esker = require "esker"
local Long = require "long_tests"
local kept_map = require "kept_map"
local map_edits = require "map_edits"
local tries = require "tries"
local unit = require "luaunit"

TestEdits = {}

local same = map_edits.same

local SIDE = 3000e3 -- metres
local REACH = 4     -- widths beyond an edit where ground may change

local function fresh()
    return esker.river_map{ seed = 2 }
end

local function plain() -- with the land that other tests have drawn
    return kept_map{ seed = 2 }
end

-- Edits of each kind around a place, with the width that they have, in sides of the map.
local kinds = {
    hill = function(map)
        return map:raise{ along = { { 0.4158, 0.5708 } }, width = 12e3, height = 700 }, 12e3 / SIDE, 0
    end,
    ridge = function(map)
        return map:raise{ along = { { 0.412, 0.573 }, { 0.42, 0.569 } }, width = 6e3, height = 500 }, 6e3 / SIDE, 0.004
    end,
    valley = function(map)
        return map:raise{ along = { { 0.412, 0.573 }, { 0.42, 0.569 } }, width = 6e3, height = -400 }, 6e3 / SIDE, 0.004
    end,
    pit = function(map)
        return map:raise{ along = { { 0.4158, 0.5708 } }, width = 12e3, height = -700 }, 12e3 / SIDE, 0
    end,
    site = function(map)
        return map:level{ along = { { 0.4158, 0.5708 } }, width = 8e3 }, 8e3 / SIDE, 0
    end,
    quarter = function(map)
        local outline = { { 0.4138, 0.57 }, { 0.4178, 0.569 }, { 0.4168, 0.573 } }
        return map:level{ outline = outline, width = 12e3, altitude = 500 }, 12e3 / SIDE, 0.003
    end,
}

-- The map with one of them, its width and its length, kept for all tests.
local edits = {}
local function edited(name)
    edits[name] = edits[name] or { kinds[name](plain()) }
    return table.unpack(edits[name])
end

local names = { "ridge", "quarter", "pit", "site", "hill", "valley" }

-- A brook begins in the middle on the level that it enters, and would hold that down.
function TestEdits.test_a_hill_is_highest_in_its_middle()
    local at, width, height = { 0.42, 0.57 }, 20e3, 800
    local window = { x = at[1], y = at[2], zoom = 150, size = 64 }
    local rise = plain():raise{ along = { at }, width = width, height = height }:render(window) - plain():render(window)
    local function mean(radius) -- pixels
        local sum = 0
        for i = 1, 48 do
            local angle = 2 * math.pi * i / 48
            sum = sum + rise:get(math.floor(32 + radius * math.cos(angle)), math.floor(32 + radius * math.sin(angle)))
        end
        return sum / 48
    end
    local former = mean(2)
    for _, radius in ipairs{ 6, 10, 14, 20 } do
        unit.assertTrue(mean(radius) < 0.95 * former, radius)
        former = mean(radius)
    end
end

-- Each kind meets each direction or the next one, at another zoom.
function TestEdits.test_only_ground_near_an_edit_changes()
    local before, directions = plain(), { { 1, 0 }, { 0, 1 }, { -1, 0.3 }, { 0.2, -1 } }
    for k, name in ipairs(tries(3, names)) do
        local after, width, length = edited(name)
        for z, zoom in ipairs(tries(1, k % 2 == 0 and { 256, 128, 1024 } or { 128, 1024, 256 })) do
            local size, half = 48, 0.5 / zoom
            unit.assertFalse(same(before, after, { x = 0.4158, y = 0.5708, zoom = zoom, size = size }), name .. zoom)
            local away = length + width / 2 + REACH * width + half
            for i = 1, tries(1, #directions) do
                local towards = directions[(k + z + i) % #directions + 1]
                local window =
                    { x = 0.4158 + towards[1] * away, y = 0.5708 + towards[2] * away, zoom = zoom, size = size }
                unit.assertTrue(same(before, after, window), ("%s at zoom %d"):format(name, zoom))
            end
        end
    end
end

-- A map and those with its edits keep their land together.
function TestEdits.test_what_was_drawn_before_changes_nothing()
    local window = { x = 0.4158, y = 0.5708, zoom = 256, size = 48 }
    local untouched = kinds.site(kinds.hill(plain()))
    local before = plain()
    local hill = kinds.hill(before)
    local site = kinds.site(hill)
    for _, map in ipairs{ before, hill, site, before } do
        map:render(window)
    end
    unit.assertTrue(same(site, untouched, window))
    unit.assertTrue(same(before, plain(), window))
    unit.assertFalse(same(before, hill, window))
    unit.assertFalse(same(hill, site, window))
end

-- Also on another number of threads.
function TestEdits.test_windows_agree()
    local threads = esker.threads()
    for _, name in ipairs(tries(2, names)) do
        local wide = { edited(name):render{ x = 0.4158, y = 0.5708, zoom = 128, size = 96 } }
        esker.threads(threads + 1)
        local part = { kinds[name](fresh()):render{ x = 0.4158 + 12 / 12288, y = 0.5708, zoom = 256, size = 48 } }
        esker.threads(threads)
        for i = 1, 3 do
            for y = 0, 47, 3 do
                for x = 0, 47 do
                    unit.assertEquals(part[i]:get(x, y), wide[i]:get(x + 36, y + 24), name)
                end
            end
        end
    end
end

-- The land of the first window reaches the level ground, that of the second does not: their rows are made in two ways.
function TestEdits.test_windows_agree_beside_level_ground()
    local x, y, pixel = 0.4158, 0.5708, 1 / 32 / 128
    local function drawn(map, at)
        map = map:raise{ along = { { x + 0.065, y } }, width = 560e3, height = 2000 }
        map = map:level{ along = { { x - (64 + 190) * pixel - 40800 / SIDE, y } }, width = 48e3 }
        return map:render{ x = at, y = y, zoom = 32, size = 128 }
    end
    local first, second = drawn(plain(), x), drawn(fresh(), x + 64 * pixel)
    for row = 0, 127, 3 do
        for column = 0, 63 do
            unit.assertEquals(second:get(column, row), first:get(column + 64, row))
        end
    end
end

function TestEdits.test_rivers_fall_and_are_kept()
    local before, windows, largest = plain(), {}, {}
    local function rivers(map, window, name)
        local area = 0
        for _, reach in ipairs(map:rivers(window):reaches()) do
            for i = 2, #reach do
                unit.assertTrue(reach[i].altitude <= reach[i - 1].altitude, name)
            end
            area = math.max(area, reach[#reach].area)
        end
        return area
    end
    for i, zoom in ipairs(tries(1, { 96, 384 })) do
        windows[i] = { x = 0.4158, y = 0.5708, zoom = zoom, size = 128 }
        largest[i] = rivers(before, windows[i], "before")
    end
    for _, name in ipairs(tries(2, names)) do
        local after = edited(name)
        for i, window in ipairs(windows) do
            unit.assertTrue(rivers(after, window, name) >= 0.6 * largest[i], name)
        end
    end
end

function TestEdits.test_hills_rise_and_valleys_sink()
    local before = plain()
    local window = { x = 0.4158, y = 0.5708, zoom = 128, size = 64 }
    local ground = before:render(window):statistics().mean
    unit.assertTrue(edited("hill"):render(window):statistics().mean > ground + 20)
    unit.assertTrue(edited("ridge"):render(window):statistics().mean > ground + 30)
    unit.assertTrue(edited("valley"):render(window):statistics().mean < ground - 8)
end

function TestEdits.test_level_ground_is_level_at_every_zoom()
    local before = plain()
    local town = before:level{ along = { { 0.4158, 0.5708 } }, width = 8e3, altitude = 600 }
    for _, zoom in ipairs(tries(2, { 512, 4096, 32768 })) do
        local window = { x = 0.4158, y = 0.5708, zoom = zoom, size = 64 }
        local heights = town:render(window)
        local ranks = {}
        for y = 0, 63 do
            for x = 0, 63 do
                ranks[#ranks + 1] = math.abs(heights:get(x, y) - 600)
            end
        end
        table.sort(ranks)
        unit.assertTrue(ranks[#ranks // 2] < 10, ("zoom %d: %g"):format(zoom, ranks[#ranks // 2]))
    end
end

-- Ground that is filled shows what does not drain: no deeper than without edits.
function TestEdits.test_all_that_is_edited_drains()
    local before, at = plain(), { { 0.4158, 0.5708 } }
    local deep = {
        pit = before:raise{ along = at, width = 12e3, height = -3000 },
        sunk = before:level{ along = at, width = 8e3, altitude = 0 },
        dam = before:raise{ along = { { 0.41, 0.56 }, { 0.416, 0.575 }, { 0.425, 0.57 } }, width = 4e3, height = 900 },
    }
    local function hollows(map, window)
        local ground = map:render(window)
        return (ground:fill{} - ground):statistics().max
    end
    for _, zoom in ipairs(tries(1, { 96, 48, 512 })) do
        local window = { x = 0.4158, y = 0.5708, zoom = zoom, size = 128 }
        local most = hollows(before, window)
        for name, map in pairs(deep) do
            local deepest = hollows(map, window)
            unit.assertTrue(deepest <= most + 10, ("%s at %d: %.1f m, %.1f m"):format(name, zoom, deepest, most))
        end
    end
end

-- Finer levels lift its flanks, and its crest with them: else it is a trough of pits.
function TestEdits.test_a_ridge_in_the_sea_has_a_crest()
    local along = { { 0.8533032911877196, 0.05526416235543878 }, { 0.853515625, 0.056640625 } }
    local map = esker.river_map{ seed = 7, landscape = "plains" }:raise{ along = along, width = 6000, height = 300 }
    local ridge = map:render{ x = 0.8534, y = 0.056, zoom = 512, size = 128 }
    unit.assertTrue((ridge:fill{} - ridge):statistics().max < 1)
end

-- Brooks that are there before do not cut a ridge into fins: its crest has two thirds of the height
-- between the rivers that do.
function TestEdits.test_a_ridge_is_whole_between_rivers()
    local along = { { 0.121, 0.066 }, { 0.124, 0.074 }, { 0.131, 0.083 } }
    local size, zoom = 192, 100
    local ground = plain():raise{ along = along, width = 13e3, height = 450 }:render{
        x = 0.1245,
        y = 0.0739,
        zoom = zoom,
        size = size,
    }
    for i = 0, 40 do
        local highest = 0 -- across the ridge
        for k = -12, 12 do
            local x = 0.1225 + 0.0045 * i / 40 - 0.0078 * k / 75
            local y = 0.07 + 0.0078 * i / 40 + 0.0045 * k / 75
            local column = math.floor((x - 0.1245) * zoom * size + size / 2)
            highest = math.max(highest, ground:get(column, math.floor((y - 0.0739) * zoom * size + size / 2)))
        end
        unit.assertTrue(highest > 330, ("at %d of 40: %.0f m"):format(i, highest))
    end
end

-- The sea around its mouth is raised; the mouth itself was left as a pit of one cell.
function TestEdits.test_a_brook_goes_on_over_what_is_raised_at_a_coast()
    local range = { along = { { 0.121, 0.066 }, { 0.124, 0.074 }, { 0.131, 0.083 } }, width = 13e3, height = 450 }
    local window = { x = 0.125537, y = 0.075762, zoom = 512, size = 64 }
    local wide = { plain():raise(range):render(window) }
    unit.assertTrue(plain():render(window):statistics().min < 0)
    unit.assertTrue(wide[1]:statistics().min > 0)
    window = { x = window.x + 8 / 32768, y = window.y - 4 / 32768, zoom = 1024, size = 32 }
    local part = { fresh():raise(range):render(window) }
    for i = 1, 3 do
        for y = 0, 31, 3 do
            for x = 0, 31 do
                unit.assertEquals(part[i]:get(x, y), wide[i]:get(x + 24, y + 12))
            end
        end
    end
end

function TestEdits.test_a_hill_and_an_equal_pit_cancel()
    local hill = { along = { { 0.4158, 0.5708 } }, width = 12e3, height = 700 }
    local pit = { along = hill.along, width = hill.width, height = -hill.height }
    local window = { x = 0.4158, y = 0.5708, zoom = 128, size = 64 }
    unit.assertTrue(same(plain():raise(hill):raise(pit), plain(), window))
end

-- Its water is level at every zoom, and a river leaves it.
function TestEdits.test_a_pit_below_its_river_is_a_lake()
    local lake = plain():raise{ along = { { 0.9298, 0.9232 } }, width = 12e3, height = -700 }
    local levels = {}
    for i, zoom in ipairs(tries(2, { 130, 260, 520 })) do
        local heights, _, _, depth = lake:render{ x = 0.9298, y = 0.9232, zoom = zoom, size = 64 }
        local least, most, wet = math.huge, -math.huge, 0
        for k = 0, 64 * 64 - 1 do
            if depth:get(k % 64, k // 64) > 0 then
                local height = heights:get(k % 64, k // 64)
                least, most, wet = math.min(least, height), math.max(most, height), wet + 1
            end
        end
        unit.assertTrue(wet > 40, ("zoom %d: %d"):format(zoom, wet))
        unit.assertTrue(most - least < 0.01, ("zoom %d: %g"):format(zoom, most - least))
        levels[i] = most
    end
    unit.assertAlmostEquals(levels[1], levels[2], 0.1 * levels[2]) -- levels rise in proportion
    unit.assertAlmostEquals(levels[#levels - 1], levels[#levels], 0.02 * levels[#levels])
    local outlines = lake:lake_outlines{ x = 0.9298, y = 0.9232, zoom = 130, size = 64 }
    unit.assertTrue(#outlines:reaches() >= 1)
end

-- Coarser levels than that of the pit know no lake.
function TestEdits.test_a_pits_lake_is_as_deep_at_all_zooms()
    local cases = { { 2, 0.9298, 0.9232, 12e3, -700, 320 }, { 11, 0.353485, 0.414963, 30e3, -1000, 80 } }
    for _, case in ipairs(tries(1, cases)) do
        local seed, x, y, width, height, zoom = table.unpack(case)
        local lake = kept_map{ seed = seed }:raise{ along = { { x, y } }, width = width, height = height }
        local depths = {}
        for i = 1, tries(3, 4) do
            local _, _, _, depth = lake:render{ x = x, y = y, zoom = zoom * 2 ^ (i - 1), size = 16 }
            depths[i] = depth:get(8, 8)
        end
        local least, most = math.min(table.unpack(depths)), math.max(table.unpack(depths))
        unit.assertTrue(least > 20 and most < 1.2 * least, table.concat(depths, ", "))
    end
end

function TestEdits.test_the_sea_gets_islands_and_bays()
    local before, sea, shore = plain(), { 0.1465, 0.0801 }, { 0.1113, 0.0957 }
    local window = { x = sea[1], y = sea[2], zoom = 256, size = 32 }
    unit.assertTrue(before:render(window):statistics().max < 0)
    local island = before:raise{ along = { sea }, width = 30e3, height = 600 }:render(window)
    unit.assertTrue(island:statistics().max > 450, island:statistics().max)
    local deep = { x = 0.755213, y = 0.137648, zoom = 94, size = 32 } -- 1,130 m
    local low = before:raise{ along = { { deep.x, deep.y } }, width = 20e3, height = 300 }:render(deep)
    unit.assertTrue(low:statistics().max > 200, low:statistics().max)
    unit.assertTrue(low:select{ height = { 0, 20000 } }:statistics().mean > 0.1) -- 0.55 of its width
    local coast = { x = 0.123, y = 0.088, zoom = 200, size = 64 }
    local bay = { along = { { 0.123, 0.0879 }, shore }, width = 9e3, height = -400 }
    local function wet(map)
        return map:render(coast):select{ height = { -20000, 0 } }:statistics().mean
    end
    unit.assertTrue(wet(before:raise(bay)) > wet(before) + 0.02)
end

function TestEdits.test_order_does_not_matter_where_forms_add_up()
    local hill = { along = { { 0.4158, 0.5708 } }, width = 12e3, height = 700 }
    local ridge = { along = { { 0.414, 0.571 }, { 0.42, 0.569 } }, width = 5e3, height = 300 }
    local window = { x = 0.4158, y = 0.5708, zoom = 128, size = 64 }
    local one = plain():raise(hill):raise(ridge):render(window):hash()
    unit.assertEquals(plain():raise(ridge):raise(hill):render(window):hash(), one)
    local islands = {} -- also where they raise the sea by a share of its depth
    for i, order in ipairs{ { 0, 1, 2 }, { 2, 0, 1 }, { 1, 2, 0 } } do
        local map = plain()
        for _, k in ipairs(order) do
            map = map:raise{ along = { { 0.755 + k / 900, 0.1376 } }, width = 12e3 + 1e3 * k, height = 331 + 7 * k }
        end
        islands[i] = map:render{ x = 0.756, y = 0.1376, zoom = 150, size = 64 }:hash()
    end
    unit.assertEquals(islands, { islands[1], islands[1], islands[1] })
end

function TestEdits.test_the_later_level_ground_wins()
    local function town(map, altitude)
        return map:level{ along = { { 0.4158, 0.5708 } }, width = 8e3, altitude = altitude }
    end
    local function middle(map) -- a river crosses it
        local heights, ranks = map:render{ x = 0.4158, y = 0.5708, zoom = 512, size = 32 }, {}
        for i = 0, 32 * 32 - 1 do
            ranks[#ranks + 1] = heights:get(i % 32, i // 32)
        end
        table.sort(ranks)
        return ranks[#ranks // 2]
    end
    unit.assertAlmostEquals(middle(town(town(plain(), 900), 600)), 600, 20)
    unit.assertAlmostEquals(middle(town(town(plain(), 600), 900)), 900, 20)
    local narrow = { along = { { 0.4158, 0.5708 } }, width = 3e3, altitude = 1000 }
    unit.assertAlmostEquals(middle(town(plain():level(narrow), 900)), 900, 20)
end

function TestEdits.test_the_map_before_is_left_as_it_is()
    local before = plain()
    local window = { x = 0.4158, y = 0.5708, zoom = 128, size = 48 }
    kinds.hill(before):render(window)
    unit.assertEquals(before:render(window):hash(), fresh():render(window):hash())
    local raised = before:raise{ along = { { 0.3, 0.3 } } }
    collectgarbage()
    unit.assertTrue(same(raised, before, window))
end

function Long.test_threads_change_nothing()
    local threads = esker.threads()
    local window = { x = 0.4158, y = 0.5708, zoom = 128, size = 64 }
    local hashes = {}
    for i = 1, 2 do
        esker.threads(i)
        hashes[i] = kinds.quarter((kinds.hill(fresh()))):render(window):hash()
    end
    esker.threads(threads)
    unit.assertEquals(hashes[1], hashes[2])
end

function TestEdits.test_many_places_are_edits_each()
    local window = { x = 0.4158, y = 0.5708, zoom = 96, size = 64 }
    local lines = esker.lines{ size = 1000, list = { { { 412, 573 }, { 420, 569 } }, { { 414, 567 }, { 417, 566 } } } }
    local shape = { width = 4e3, height = 300 }
    local together = plain():raise(lines, shape):render(window):hash()
    local one = plain():raise{ along = { { 0.412, 0.573 }, { 0.42, 0.569 } }, width = 4e3, height = 300 }
    local other = one:raise{ along = { { 0.414, 0.567 }, { 0.417, 0.566 } }, width = 4e3, height = 300 }
    unit.assertEquals(other:render(window):hash(), together)
end

function TestEdits.test_own_rivers_and_edits_go_together()
    local course = esker.lines{ size = 256, list = { { { 128, 100 }, { 90, 140 }, { 60, 256 } } } }
    local window = { x = 0.42, y = 0.5, zoom = 64, size = 48 }
    local hill = { along = { { 0.42, 0.5 } }, width = 12e3, height = 700 }
    local one = plain():set_rivers(course):raise(hill):render(window):hash()
    unit.assertEquals(plain():raise(hill):set_rivers(course):render(window):hash(), one)
end

function TestEdits.test_what_cannot_be_is_refused()
    local map = plain()
    local at = { { 0.4158, 0.5708 } }
    local bow = { { 0.41, 0.56 }, { 0.42, 0.57 }, { 0.42, 0.56 }, { 0.41, 0.57 } }
    local wrong = {
        { "raise", { along = at, width = 100, height = -101 }, "height must be at most the width, 100 m, up or down" },
        { "raise", { along = at, width = 100, height = -41 }, "a pit may be 0.4 of its width deep, 40 m" },
        { "raise", { along = at, width = 100, height = 101 }, "height must be at most the width, 100 m, up or down" },
        { "raise", { along = { { 1.2, 0.5 } } }, "along: row 1, column 1 must be 0 to 1, got 1.2" },
        { "raise", { along = { { 0 / 0, 0.5 } } }, "along" },
        { "raise", { along = at, width = 0 / 0 }, "width" },
        { "raise", { along = at, width = 1e-4 }, "width must be" },
        { "raise", { along = at, width = 4e6 }, "width must be" },
        { "raise", { width = 100 },
            "give along or outline, a list of points { x, y }, or Points, Lines, RiverNetwork or Polygons" },
        { "level", {}, "give along or outline, a list of points { x, y }, or Points, Lines, RiverNetwork or Polygons" },
        { "lake", {}, "give outline, a list of points { x, y }, or Polygons" },
        { "level", { along = at, outline = bow }, "not both" },
        { "level", { outline = bow }, "shape 1: its outline crosses itself near 0.415, 0.565" },
        { "raise", { outline = { { 0.4, 0.5 }, { 0.4 + 1e-10, 0.5 }, { 0.4, 0.5 + 1e-10 } }, height = 9 },
            "shape 1 is too small: its mean width must be" },
        { "level", { outline = { { 0.4, 0.4 }, { 0.5, 0.5 } } }, "outline" },
        { "level", { along = at, altitude = -5 }, "altitude must be" },
        { "level", { along = at, altitude = 1e5 }, "altitude must be 0 to 30000" },
    }
    for _, case in ipairs(wrong) do
        unit.assertErrorMsgContains(case[3], map[case[1]], map, case[2])
    end
    local outside = esker.lines{ size = 100, list = { { { 50, 50 }, { 150, 50 } } } }
    unit.assertErrorMsgContains("shape 1 lies outside the map", map.raise, map, outside, {})
    -- Before the land is made, of any of many shapes.
    local untouched = esker.river_map{ seed = 4 }
    local began = os.clock()
    for message, refused in pairs{
        ["shape 1: its outline"] = function() untouched:lake{ outline = bow } end,
        ["shape 2 lies outside"] = function()
            local list = { { { 41, 57 }, { 42, 56 } }, { { 50, 50 }, { 150, 50 } } }
            untouched:carve(esker.lines{ size = 100, list = list })
        end,
    } do
        unit.assertErrorMsgContains(message, refused)
    end
    unit.assertTrue(os.clock() - began < 0.02)
    local raw = esker.river_map{ land = "raw" }
    unit.assertErrorMsgContains('edits are for maps with land = "eroded"', raw.raise, raw, { along = at })
end

os.exit(unit.LuaUnit.run())
