-- Islands, bays and raised areas of one's own shape on a zoomable map: coasts along the outline at every zoom, far
-- ground keeps every bit, rivers fall.

local esker = require "esker"
local map_edits = require "map_edits"
local tries = require "tries"
local unit = require "luaunit"

TestCoastEdits = {}

local ring, area_of, same = map_edits.ring, map_edits.area_of, map_edits.same

local SEA, SHORE, INLAND, RADIUS = { 0.1465, 0.0801 }, { 0.118, 0.092 }, { 0.42, 0.57 }, 0.008
local plain = esker.river_map{ seed = 2 }
local island, bay = ring(SEA[1], SEA[2], RADIUS), ring(SHORE[1], SHORE[2], RADIUS)
local range = ring(INLAND[1], INLAND[2], RADIUS)
local kinds = {
    island = { plain:coast{ outline = island, height = 400 }, SEA },
    bay = { plain:coast{ outline = bay, kind = "sea" }, SHORE },
    range = { plain:raise{ outline = range, width = 20e3, height = 600 }, INLAND },
}

local function land_share(map, at, zoom, size)
    local heights = map:render{ x = at[1], y = at[2], zoom = zoom, size = size }
    return heights:select{ height = { 0, 20000 } }:statistics().mean
end

function TestCoastEdits.test_an_island_has_the_outline_at_every_zoom()
    for _, zoom in ipairs{ 40, 44 } do
        local share = land_share(kinds.island[1], SEA, zoom, zoom == 40 and 48 or 128)
        unit.assertAlmostEquals(share / zoom ^ 2 / area_of(island), 1, 0.12, zoom)
    end
    local top = kinds.island[1]:render{ x = SEA[1], y = SEA[2], zoom = 100, size = 48 }:statistics().max
    unit.assertTrue(top > 280 and top < 640, top)
    for i = 1, 24, tries(24, 4) do -- beside its outline, at a zoom that shows finer shores
        local point = island[i]
        for side, where in pairs{ land = 0.9, sea = 1.1 } do
            local x, y = SEA[1] + where * (point[1] - SEA[1]), SEA[2] + where * (point[2] - SEA[2])
            local height = kinds.island[1]:altitude_at{ x = x, y = y, zoom = 500 }
            unit.assertEquals(height > 0, side == "land", side .. i)
        end
    end
end

function TestCoastEdits.test_a_bay_has_the_outline()
    for _, zoom in ipairs{ 40, 160 } do
        local share = land_share(kinds.bay[1], SHORE, zoom, 64)
        local before = land_share(plain, SHORE, zoom, 64)
        local least = zoom == 40 and 0.15 or 0.4 -- of the window
        unit.assertTrue(share < before - least, ("zoom %d: %g, %g"):format(zoom, before, share))
    end
end

function TestCoastEdits.test_an_area_rises_as_a_whole()
    local window = { x = INLAND[1], y = INLAND[2], zoom = 150, size = 64 }
    local rise = kinds.range[1]:render(window):statistics().mean - plain:render(window):statistics().mean
    unit.assertTrue(rise > 150 and rise < 900, rise)
end

function TestCoastEdits.test_only_ground_near_the_outline_changes()
    for name, kind in pairs(kinds) do
        local map, at = table.unpack(kind)
        for _, zoom in ipairs{ name == "range" and 400 or 80 } do
            local window = { x = at[1] + 0.7 * RADIUS, y = at[2], zoom = zoom, size = 16 }
            unit.assertFalse(same(plain, map, window), name)
            window.x, window.y = at[1] + 4 * RADIUS + 0.5 / zoom, at[2] + 3 * RADIUS
            unit.assertTrue(same(plain, map, window), name)
        end
    end
end

function TestCoastEdits.test_windows_agree_on_any_number_of_threads()
    local threads = esker.threads()
    local window = { x = SHORE[1] + 0.004, y = SHORE[2], zoom = 64, size = 64 }
    local wide = plain:coast{ outline = bay, kind = "sea" }:coast{ outline = ring(0.13, 0.09, 0.005) }:render(window)
    esker.threads(threads == 1 and 2 or 1)
    local other = plain:coast{ outline = ring(0.13, 0.09, 0.005) }:coast{ outline = bay, kind = "sea" }
    local part = other:render{ x = window.x + 8 / 4096, y = window.y, zoom = 128, size = 32 }
    esker.threads(threads)
    for y = 0, 31 do
        for x = 0, 31 do
            unit.assertEquals(part:get(x, y), wide:get(x + 24, y + 16))
        end
    end
end

-- Streams of new land leave on all sides: none is large, and the largest is not the lowest.
function TestCoastEdits.test_a_lake_on_an_island_fills_its_outline()
    for _, case in ipairs{ { 0.773, 0.3632, 0.075 }, { 0.8051, 0.1804, 0.075 }, { 0.3447, 0.8302, 0.015 } } do
        local x, y, radius = table.unpack(case)
        local shore = ring(x, y, radius / 3)
        local lake = plain:coast{ outline = ring(x, y, radius) }:lake{ outline = shore }
        local area = 0
        for _, reach in ipairs(lake:lake_outlines{ x = x, y = y, zoom = 1 / radius, size = 64 }:reaches()) do
            area = math.max(area, reach[1].area)
        end
        unit.assertAlmostEquals(area / area_of(shore), 1, 0.15, x)
    end
end

-- Pixels of sea in a window that no sea joins with its border.
local function closed_sea(heights)
    local size, seen, list, wet = heights.width, {}, {}, 0
    local function reach(x, y)
        local at = y * size + x
        if x >= 0 and y >= 0 and x < size and y < size and not seen[at] and heights:get(x, y) < 0 then
            seen[at] = true
            list[#list + 1] = { x, y }
        end
    end
    for i = 0, size - 1 do
        reach(i, 0)
        reach(i, size - 1)
        reach(0, i)
        reach(size - 1, i)
    end
    local i = 1
    while list[i] do
        local x, y = table.unpack(list[i])
        reach(x - 1, y)
        reach(x + 1, y)
        reach(x, y - 1)
        reach(x, y + 1)
        i = i + 1
    end
    for k = 0, size * size - 1 do
        wet = wet + (heights:get(k % size, k // size) < 0 and 1 or 0)
    end
    return wet - #list
end

-- Land before the mouths of a coast keeps inlets.
local before_mouths = plain:coast{ outline = ring(0.128, 0.09, 0.012) }

function TestCoastEdits.test_rivers_keep_inlets()
    local window = { x = 0.124, y = 0.09, zoom = 32, size = 128 }
    local before = closed_sea(plain:render(window))
    unit.assertTrue(closed_sea(before_mouths:render(window)) <= before + 2)
    local rough = plain:coast{ outline = ring(0.128, 0.09, 0.012), roughness = 1 }
    unit.assertTrue(closed_sea(rough:render(window)) <= before + 2)
end

function TestCoastEdits.test_rivers_fall_into_the_sea()
    local before = before_mouths
    local maps = { { before, { 0.122, 0.09 } }, kinds.bay, kinds.island }
    for i, case in ipairs(maps) do
        local map, at = table.unpack(case)
        for _, reach in ipairs(map:rivers{ x = at[1], y = at[2], zoom = 32, size = 80 }:reaches()) do
            for k = 2, #reach do
                unit.assertTrue(reach[k].altitude <= reach[k - 1].altitude, i)
                unit.assertTrue(reach[k].area >= 0.999 * reach[k - 1].area, i)
            end
        end
        local ground = map:render{ x = at[1], y = at[2], zoom = 64, size = 64 }
        unit.assertTrue((ground:fill{} - ground):select{ height = { 20, 1e6 } }:statistics().mean < 0.01, i)
    end
end

function TestCoastEdits.test_what_cannot_be_is_refused()
    local bow = { { 0.41, 0.56 }, { 0.42, 0.57 }, { 0.42, 0.56 }, { 0.41, 0.57 } }
    local wrong = {
        { "coast", {}, "give outline, a list of points" },
        { "coast", { outline = bow }, "crosses itself near 0.415, 0.565" },
        { "coast", { outline = range }, "shape 1 cannot become land: there is no sea in it" },
        { "coast", { outline = { { 0.41, 0.56 }, { 0.42, 0.56 }, { 0.43, 0.56 } } }, "shape 1 has no area" },
        { "coast", { outline = range, kind = "sea" }, "the sea does not reach land in it" },
        { "coast", { outline = island, kind = "ice" }, "kind" },
        { "coast", { outline = island, height = -1 }, "height must be" },
        { "raise", { outline = range, along = { { 0.4, 0.4 } } }, "not both" },
        { "raise", { outline = bow }, "crosses itself" },
    }
    for _, case in ipairs(wrong) do
        unit.assertErrorMsgContains(case[3], plain[case[1]], plain, case[2])
    end
end

-- Its brooks carry what runs off there, though the open sea had no land when the climate was made.
function TestCoastEdits.test_islands_have_water_where_it_rains()
    local map = esker.river_map{ seed = 21, latitudes = { 25, 52 } }
    local centre, window = { 0.45, 0.65 }, { x = 0.452, y = 0.652, zoom = 40, size = 96 }
    local own = map:coast{ outline = ring(centre[1], centre[2], 0.03), height = 600 }
    local _, river, _, _, discharge = own:render(window)
    unit.assertTrue(own:climate(window).runoff:statistics().mean > 50)
    unit.assertTrue(river:statistics().mean > 0.005, river:statistics().mean)
    unit.assertTrue(discharge:statistics().max > 0.5, discharge:statistics().max)
end

os.exit(unit.LuaUnit.run())
