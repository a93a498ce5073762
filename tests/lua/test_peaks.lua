-- Summits, pits and their prominence, by flooding from each of them.

local unit = require "luaunit"
local esker = require "esker"

-- How far one must descend from (x, y) before the way leads to higher ground, by trying levels: the ground that can be
-- reached without going below a level, cell by cell.
local function prominence(heights, width, height, x, y, wraps)
    local levels = {}
    for i = 0, width * height - 1 do
        levels[i + 1] = heights[i]
    end
    table.sort(levels, function(a, b) return a > b end)
    local top = heights[y * width + x]
    for _, level in ipairs(levels) do
        local seen, queue, next_one = { [y * width + x] = level <= top or nil }, { y * width + x }, 1
        while level <= top and queue[next_one] do
            local u, v = queue[next_one] % width, queue[next_one] // width
            next_one = next_one + 1
            for k = 0, 8 do
                local s, t = u + k % 3 - 1, v + k // 3 - 1
                if wraps then
                    s, t = s % width, t % height
                end
                local at = t * width + s
                if s >= 0 and t >= 0 and s < width and t < height and not seen[at] and heights[at] >= level then
                    if heights[at] > top then
                        return top - level
                    end
                    seen[at] = true
                    queue[#queue + 1] = at
                end
            end
        end
    end
    return top - levels[#levels]
end

TestPeaks = {}

function TestPeaks.test_all_summits_and_pits_by_flooding()
    for _, wraps in ipairs{ true, false } do
        local width, height = 13, 9
        local land = esker.noise{ width = width, height = height, seed = 4, kind = "white" }
        land.wraps = wraps
        for kind, sign in pairs{ peaks = 1, pits = -1 } do
            local heights, expected = {}, 0
            for i = 0, width * height - 1 do
                heights[i] = sign * land:get(i % width, i // width)
            end
            for i = 0, width * height - 1 do
                expected = expected + (prominence(heights, width, height, i % width, i // width, wraps) > 0 and 1 or 0)
            end
            local points, prominences = land:peaks{ kind = kind, prominence = 1e-9, sea_level = -2 }
            unit.assertEquals({ points.count, #prominences }, { expected, expected })
            for i, point in ipairs(points:list()) do
                local x, y = point.x // 1 | 0, point.y // 1 | 0
                unit.assertAlmostEquals(prominences[i], prominence(heights, width, height, x, y, wraps), 1e-6)
                unit.assertEquals({ point.x - x, point.y - y, point.altitude }, { 0.5, 0.5, land:get(x, y) })
                unit.assertTrue(i == 1 or prominences[i] <= prominences[i - 1])
            end
        end
    end
end

function TestPeaks.test_the_first_is_the_highest_and_the_lowest_cell()
    local land = esker.spectral{ size = 100, seed = 3 }
    local range = land:statistics()
    local highest, lowest = land:peaks{ count = 1 }, land:peaks{ kind = "pits", count = 1, sea_level = -2 }
    unit.assertEquals({ highest.count, lowest.count }, { 1, 1 })
    unit.assertEquals({ highest:list()[1].altitude, lowest:list()[1].altitude }, { range.max, range.min })
    local few, many = land:peaks{}, land:peaks{ prominence = 0.01 }
    unit.assertTrue(few.count > 1 and many.count > 2 * few.count)
    for i, point in ipairs(few:list()) do
        unit.assertEquals(many:list()[i], point)
    end
    unit.assertEquals(esker.field{ size = 8, values = 2 }:peaks().count, 0)
end

-- Several bands of rows, each searched on its own: columns lie across them.
function TestPeaks.test_rows_and_columns_alike()
    local land = esker.noise{ width = 700, height = 420, seed = 2, frequency = 30 }
    local turned = land:flip{ axis = "diagonal" }
    for _, kind in ipairs{ "peaks", "pits" } do
        local points, prominences, saddles = land:peaks{ kind = kind, prominence = 1e-3 }
        local others, same, passes = turned:peaks{ kind = kind, prominence = 1e-3 }
        unit.assertTrue(points.count > 100)
        unit.assertEquals(others.count, points.count)
        local all, beside = { points:list(), saddles:list() }, { others:list(), passes:list() }
        for i, height in ipairs(prominences) do
            unit.assertEquals(same[i], height)
        end
        for k = 1, 2 do
            for i, point in ipairs(all[k]) do
                local other = beside[k][i]
                local alone = prominences[i] ~= prominences[i - 1] and prominences[i] ~= prominences[i + 1]
                unit.assertEquals(not alone or { point.x, point.y, point.altitude },
                    not alone or { other.y, other.x, other.altitude })
            end
        end
    end
end

function TestPeaks.test_a_plateau_is_one_summit()
    local mesas = esker.field{ size = 30, values = function(x, y)
        return (x // 10 + y // 10) % 2 == 0 and x % 10 > 1 and y % 10 > 1 and 1 or 0
    end }
    local points, prominences = mesas:peaks()
    unit.assertEquals({ points.count, prominences[1], prominences[5] }, { 5, 1, 1 })
end

-- Two islands, the lower with two summits, and a seamount.
function TestPeaks.test_the_sea_is_flat_and_passes_are_given()
    local at = { [3] = 1, [10] = 0.5, [11] = 0.2, [12] = 0.4, [17] = -0.1 }
    local land = esker.field{ width = 20, height = 1, values = function(x) return at[x] or -0.4 end }
    land.wraps = false
    local summits, prominences, passes = land:peaks{ prominence = 0.01 }
    local found = {}
    for i, summit in ipairs(summits:list()) do
        local pass = passes:list()[i]
        found[i] = ("%g %.2f %.2f %.2f"):format(summit.x, summit.altitude, prominences[i], pass.altitude)
    end
    unit.assertEquals(found, { "3.5 1.00 1.00 0.00", "10.5 0.50 0.50 0.00", "12.5 0.40 0.20 0.20" })
    unit.assertEquals(passes:list()[3].x, 11.5)
    unit.assertEquals(land:peaks{ prominence = 0.01, sea_level = -2 }.count, 4)
    unit.assertEquals(land:peaks{ kind = "pits", prominence = 0.01 }:list()[1].x, 11.5) -- not the sea
end

function TestPeaks.test_summits_are_drawn_as_marks()
    local land = esker.spectral{ size = 240, seed = 3 }
    local summits, discs = (land:peaks()), {}
    for i, summit in ipairs(summits:list()) do
        discs[i] = { x = summit.x, y = summit.y, radius = 240 / 80 / 2 }
    end
    discs = esker.points{ size = 240, wrap = true, list = discs }
    local base = land:colorize{ palette = "grey" }
    unit.assertEquals(summits:draw():hash(), discs:draw():hash())
    unit.assertEquals(base:paint((summits)):hash(), base:paint(discs):hash())
end

TestRasterize = {}

function TestRasterize.test_lines_and_points_as_masks()
    local land = esker.spectral{ size = 64, seed = 2 }
    local rivers = land:rivers_from_flow{ threshold = 0.01 }
    local mask = rivers:rasterize()
    unit.assertEquals({ mask.width, mask.height, mask:statistics().max }, { 64, 64, 1 })
    for _, line in ipairs(rivers:reaches()) do -- cells of the river, and none far away
        unit.assertTrue(mask:get(line[1].x // 1 | 0, line[1].y // 1 | 0) > 0.4)
    end
    unit.assertEquals((mask * rivers:distance{ wrap = false }:remap{ from = { 0.05, 0.051 } }):statistics().max, 0)
    unit.assertEquals(rivers:rasterize{ scale = 2 }.width, 128)
    unit.assertTrue(rivers:rasterize{ line = 4 }:statistics().mean > 1.5 * mask:statistics().mean)
    local dots = esker.points{ size = 32, list = { { x = 10, y = 20, radius = 3 } } }:rasterize()
    unit.assertAlmostEquals(dots:statistics().sum, math.pi * 9, 3)
    unit.assertEquals(dots:get(9, 19), 1)
    -- where a field is wanted, and a network given
    local message = "rivers must be a field of the same size, got RiverNetwork; :rasterize() makes one of it"
    unit.assertErrorMsgContains(message, land.relief, land, { rivers = rivers })
    unit.assertNotEquals(land:contour_map{ rivers = mask }:hash(), land:contour_map{}:hash())
    unit.assertEquals(land:contour_map{ title = " \n " }:hash(), land:contour_map{}:hash())
    -- Colours span the heights as in relief: from 0 to 1, as given, or all of a small range.
    unit.assertNotEquals(land:contour_map{ low = -0.2, high = 0.3 }:hash(), land:contour_map{}:hash())
    local low = land:normalize{} * 0.05 + 0.3
    local range = low:statistics()
    unit.assertEquals(low:contour_map{}:hash(), low:contour_map{ low = range.min, high = range.max }:hash())
    unit.assertNotEquals(low:contour_map{}:hash(), low:contour_map{ low = 0, high = 1 }:hash())
    unit.assertErrorMsgContains("high must be above low", low.contour_map, low, { low = 0.5, high = 0.4 })
end

-- As places are given to operations: path, viewshed, shape, identify.
function TestPeaks.test_places_are_listed_in_the_coordinates_that_are_asked_for()
    local land = esker.noise{ width = 60, height = 40, seed = 2 }
    local function places(points, coordinates)
        local list = {}
        for i, point in ipairs(points:list(coordinates)) do
            list[i] = { point.x, point.y }
        end
        return list
    end
    local bare = land:peaks()
    unit.assertEquals(places(bare, "cells"), places(bare))
    unit.assertErrorMsgContains('coordinates "map": the points have no frame', bare.list, bare, "map")
    unit.assertErrorMsgContains("invalid option 'metres'", bare.list, bare, "metres")
    local placed = (land * 900):georeference{ x = -118, y = 60, cell = 0.01, system = "EPSG:4326", unit = "m" }
    local peaks, tried = placed:peaks(), 0
    for i, cell in ipairs(places(peaks)) do
        local share, map = places(peaks, "shares")[i], places(peaks, "map")[i]
        unit.assertAlmostEquals(share[1] * 60, cell[1], 1e-9)
        unit.assertAlmostEquals(share[2] * 40, cell[2], 1e-9)
        unit.assertAlmostEquals(map[1], -118 + 0.01 * cell[1], 1e-9)
        unit.assertAlmostEquals(map[2], 60 - 0.01 * cell[2], 1e-9)
        unit.assertEquals(places(peaks, "degrees")[i], map)
        unit.assertEquals(placed:get(map[1], map[2], "map"), peaks:list("map")[i].altitude)
        tried = tried + 1
    end
    unit.assertTrue(tried > 2)
end

os.exit(unit.LuaUnit.run())
