-- Scattered points keep their distance, leave no room, and are a function of place.

local unit = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

local land = esker.diamond_square{ width = 96, height = 64, seed = 2 }
local open = land + 0
open.wraps = false

local function distance(a, b, wrap)
    local dx, dy = math.abs(a.x - b.x), math.abs(a.y - b.y)
    if wrap then
        dx, dy = math.min(dx, 96 - dx), math.min(dy, 64 - dy)
    end
    return math.sqrt(dx * dx + dy * dy)
end

local function key(point, dx, dy)
    return ("%.4f %.4f %d %.6f"):format(point.x + dx, point.y + dy, point.species, point.variation)
end

TestScatter = {}

function TestScatter.test_points_keep_their_distance_and_leave_no_room()
    for _, wrap in ipairs{ true, false } do
        local points = land:scatter{ distances = { 0.05 }, seed = 3, wrap = wrap }
        local list, least = points:list(), 0.05 * 96
        unit.assertEquals(#points, #list)
        unit.assertEquals(points.count, #list)
        for i, a in ipairs(list) do
            for k = 1, i - 1 do
                unit.assertTrue(distance(a, list[k], wrap) >= least - 1e-6)
            end
            unit.assertAlmostEquals(a.radius, least / 2, 1e-5)
            unit.assertTrue(a.x >= 0 and a.x < 96 and a.y >= 0 and a.y < 64 and a.species == 1)
        end
        -- Disks of half the distance cover nearly what chance can pack, 0.547.
        unit.assertAlmostEquals(#list * math.pi * (least / 2) ^ 2 / (96 * 64), 0.49, 0.03)
        for y = 6, 57, 3 do
            for x = 6, 89, 3 do
                local nearest = math.huge
                for _, point in ipairs(list) do
                    nearest = math.min(nearest, distance(point, { x = x, y = y }, wrap))
                end
                unit.assertTrue(nearest < 1.6 * least)
            end
        end
    end
end

function TestScatter.test_windows_that_overlap_have_the_same_points()
    local function inside(at, left, top)
        local found = {}
        for _, point in ipairs(open:scatter{ distances = { 0.08, 0.03 }, seed = 4, at = at }:list()) do
            local x, y = point.x + at[1] * 96, point.y + at[2] * 96
            if x > left and x < left + 40 and y > top and y < top + 30 then
                found[#found + 1] = key(point, at[1] * 96, at[2] * 96)
            end
        end
        table.sort(found)
        return found
    end
    local first = inside({ 0, 0 }, 50, 30)
    unit.assertTrue(#first > 20)
    unit.assertEquals(inside({ 0.5, 0.25 }, 50, 30), first)
    unit.assertEquals(inside({ 0.4, -0.1 }, 41, 20), inside({ -0.1, 0.1 }, 41, 20))
end

-- Fields end half a cell outside the centres of their cells.
function TestScatter.test_points_stand_on_the_ground()
    local ramp = esker.field{ width = 9, height = 7, values = function(x, y) return x + 20 * y end }
    for _, point in ipairs(ramp:scatter{ distances = { 0.1 }, seed = 2 }:list()) do
        local x, y = math.max(0, math.min(point.x - 0.5, 8)), math.max(0, math.min(point.y - 0.5, 6))
        unit.assertAlmostEquals(point.altitude, x + 20 * y, 1e-4)
    end
end

-- A wall along one edge that meets the opposite one: points beside it stand on its slope, on both sides.
function TestScatter.test_altitudes_go_on_over_edges_that_meet()
    local wall = esker.field{ size = 8, wrap = true, values = function(x)
        return x == 7 and 1 or 0
    end }
    local count = 0
    for _, point in ipairs(wall:scatter{ distances = { 0.02 }, seed = 1 }:list()) do
        if point.x < 0.5 then
            unit.assertAlmostEquals(point.altitude, 0.5 - point.x, 1e-6)
            count = count + 1
        end
    end
    unit.assertTrue(count > 10)
end

function TestScatter.test_species_keep_half_the_sum_of_their_distances()
    local list = land:scatter{ distances = { 0.1, 0.04, 0.02 }, seed = 5 }:list()
    local each, counts = { 9.6, 3.84, 1.92 }, { 0, 0, 0 }
    for i, a in ipairs(list) do
        counts[a.species] = counts[a.species] + 1
        for k = 1, i - 1 do
            unit.assertTrue(distance(a, list[k], true) >= (each[a.species] + each[list[k].species]) / 2 - 1e-6)
        end
    end
    unit.assertTrue(counts[1] > 20 and counts[2] > counts[1] and counts[3] > counts[2])
    -- The first species does not depend on those after it.
    local alone = land:scatter{ distances = { 0.1 }, seed = 5 }:list()
    for i, point in ipairs(alone) do
        unit.assertEquals(key(point, 0, 0), key(list[i], 0, 0))
    end
end

function TestScatter.test_density_is_the_share_that_remains()
    local all = land:scatter{ distances = { 0.01 }, seed = 6 }
    local half = esker.field{ width = 96, height = 64, values = function(x) return x < 48 and 0.3 or 0 end }
    local list = land:scatter{ distances = { 0.01 }, seed = 6, density = half }:list()
    unit.assertAlmostEquals(#list / #all, 0.15, 0.015)
    for _, point in ipairs(list) do
        unit.assertTrue(point.x < 49)
    end
    unit.assertEquals(#land:scatter{ density = land * 0 }, 0)
end

function TestScatter.test_each_species_may_have_its_density()
    local west = esker.field{ size = 64, values = function(x) return x < 32 and 1 or 0 end }
    local function count(density, distances)
        local points = west:scatter{ distances = distances, density = density, wrap = false }
        local counts = { { 0, 0 }, { 0, 0 }, { 0, 0 } }
        for _, point in ipairs(points:list()) do
            local side = point.x < 31 and 1 or point.x > 33 and 2
            if side then
                counts[point.species][side] = counts[point.species][side] + 1
            end
        end
        return counts
    end
    local apart = count({ west, 1 - west, 1 - west }, { 0.05, 0.04, 0.03 })
    unit.assertTrue(apart[1][1] > 50 and apart[1][2] == 0)
    unit.assertTrue(apart[2][1] == 0 and apart[2][2] > 50)
    unit.assertTrue(apart[3][1] == 0 and apart[3][2] > 0)
    unit.assertEquals(count(west, { 0.05, 0.04 }), count({ west, west }, { 0.05, 0.04 }))
    for _, wrong in ipairs{
        { "element 2 must be a field, got 1", { west, 1 } },
        { "list of 1 to 8 of them", {} },
        { "density must be a field, or a list of up to 8, each of the same size, got the text \"high\"", "high" },
        { "density must be one field, or one for each of the 1 distances, got 2", { west, west } },
        { "64 × 64", { west, west:resize{ size = 32 } } },
    } do
        unit.assertErrorMsgContains(wrong[1], west.scatter, west, { density = wrong[2] })
    end
end

function TestScatter.test_files_have_a_row_for_each_point()
    local points = land:scatter{ distances = { 0.2, 0.1 } }
    local path = temporary ""
    points:save(path .. ".csv")
    local rows = {}
    for line in io.lines(path .. ".csv") do
        rows[#rows + 1] = line
    end
    unit.assertEquals(rows[1], "x,y,altitude,radius,species,variation")
    unit.assertEquals(#rows, #points + 1)
    local x, y = rows[2]:match("^([^,]+),([^,]+),")
    local first = points:list()[1]
    unit.assertAlmostEquals(tonumber(x), first.x, 1e-6)
    unit.assertAlmostEquals(tonumber(y), first.y, 1e-6)
    unit.assertAlmostEquals(first.altitude, land:get(first.x // 1 | 0, first.y // 1 | 0), 0.2)
    points:save(path .. ".geojson")
    local file <close> = io.open(path .. ".geojson")
    local _, features = file:read("a"):gsub('"Point"', "")
    unit.assertEquals(features, #points)
    unit.assertEquals(points:hash(), land:scatter{ distances = { 0.2, 0.1 } }:hash())
    unit.assertNotEquals(points:hash(), land:scatter{ distances = { 0.2, 0.1 }, seed = 1 }:hash())
end

function TestScatter.test_points_are_made_from_lists()
    local points = esker.diamond_square{ size = 64 }:scatter{ distances = { 0.1, 0.05 } }
    local same = esker.points{ size = 64, list = points:list() }
    unit.assertEquals(same.hash, points.hash)
    unit.assertEquals(esker.points{ width = 9, height = 5, list = { { 1, 2, 3 } } }:list(),
        { { x = 1, y = 2, altitude = 3, radius = 0, variation = 0, species = 1 } })
    for _, wrong in ipairs{
        { "give size", { list = {} } },
        { "did you mean 'size'", { siz = 8 } },
        { "element 1: unknown key 'altitud', did you mean 'altitude'?",
            { list = { { 1, 2, altitud = 3 } }, size = 8 } },
        { "list must be a list", { size = 8, list = { x = 1 } } },
        { "element 2: y must be a number, got nil", { size = 8, list = { { 1, 2 }, { 1 } } } },
        { "element 1: altitude must be a number, got", { size = 8, list = { { 1, 2, 0 / 0 } } } },
        { "element 1: species must be a whole number from 1", { size = 8, list = { { 1, 2, species = 1.5 } } } },
        { "element 1: radius must be 0 to 1e9", { size = 8, list = { { 1, 2, radius = -1 } } } },
        { "element 1 must be { x", { size = 8, list = { 3 } } },
    } do
        unit.assertErrorMsgContains(wrong[1], esker.points, wrong[2])
    end
    unit.assertErrorMsgContains("takes one table", esker.points, 3)
end

function TestScatter.test_points_are_drawn_where_they_are()
    local points = land:scatter{ distances = { 0.3 }, seed = 7 }
    local image = points:draw{ scale = 2 }
    unit.assertEquals({ image.width, image.height }, { 192, 128 })
    unit.assertNotEquals(image:hash(), land:scatter{ density = land * 0 }:draw{ scale = 2 }:hash())
end

function TestScatter.test_points_know_whether_edges_meet()
    local points = land:scatter{ distances = { 0.3 }, seed = 7 }
    unit.assertEquals(points.wraps, land.wraps)
    unit.assertTrue(land:scatter{ wrap = true }.wraps and land:peaks{ wrap = true }.wraps)
    unit.assertFalse(land:scatter{ wrap = false }.wraps)
    unit.assertEquals(points:distance{}:hash(), points:distance{ wrap = land.wraps }:hash())
    local seam = esker.points{ size = 32, wrap = true, list = { { x = 0.5, y = 16, radius = 5 } } }
    local cut = esker.points{ size = 32, list = { { x = 0.5, y = 16, radius = 5 } } }
    unit.assertNotEquals(seam:draw():hash(), cut:draw():hash())
end

function TestScatter.test_places_may_be_points()
    local points = land:scatter{ distances = { 0.3 }, seed = 7 }
    local away = points:distance{ wrap = true }
    local flat = land:flatten(points, { width = 0.05, edge = 0.02, span = 0.05 })
    for _, point in ipairs(points:list()) do
        local x, y = point.x // 1 | 0, point.y // 1 | 0
        unit.assertEquals(away:get(x, y), 0)
        unit.assertAlmostEquals(flat:get(x, y), flat:get((x + 1) % 96, y), 1e-6)
    end
end

os.exit(unit.LuaUnit.run())
