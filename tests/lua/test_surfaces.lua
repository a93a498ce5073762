-- Smooth surfaces through given heights, against a direct solution of their equations.

local unit = require "luaunit"
local esker = require "esker"

-- The heights of the cells where `hole` is above 0.5 that minimise the energy of smooth_surface.c: its equations, set
-- up difference by difference, solved by elimination.
local function reference(land, hole, tension, wrap)
    tension = tension / (tension + (1 - tension) * (math.max(land.width, land.height) / 10) ^ 2) -- of a cell
    local width, height = land.width, land.height
    local unknown, index = {}, {}
    for y = 0, height - 1 do
        for x = 0, width - 1 do
            if hole:get(x, y) > 0.5 then
                unknown[#unknown + 1] = { x, y }
                index[y * width + x] = #unknown
            end
        end
    end
    local matrix, right = {}, {}
    for i = 1, #unknown do
        matrix[i], right[i] = {}, 0
        for j = 1, #unknown do
            matrix[i][j] = 0
        end
    end
    local function add(weight, cells) -- cells: { x, y, factor }: weight · (Σ factor z)² where all exist
        for _, cell in ipairs(cells) do
            if wrap then
                cell[1], cell[2] = cell[1] % width, cell[2] % height
            elseif cell[1] < 0 or cell[2] < 0 or cell[1] >= width or cell[2] >= height then
                return
            end
        end
        for _, a in ipairs(cells) do
            local i = index[a[2] * width + a[1]]
            for _, b in ipairs(i and cells or {}) do
                local j = index[b[2] * width + b[1]]
                if j then
                    matrix[i][j] = matrix[i][j] + weight * a[3] * b[3]
                else
                    right[i] = right[i] - weight * a[3] * b[3] * land:get(b[1], b[2])
                end
            end
        end
    end
    for y = -1, height do
        for x = -1, width do
            if x >= 0 and y >= 0 and x < width and y < height then
                add(1 - tension, { { x - 1, y, 1 }, { x, y, -2 }, { x + 1, y, 1 } })
                add(1 - tension, { { x, y - 1, 1 }, { x, y, -2 }, { x, y + 1, 1 } })
                add(2 - 2 * tension, { { x, y, 1 }, { x + 1, y, -1 }, { x, y + 1, -1 }, { x + 1, y + 1, 1 } })
                add(tension, { { x, y, 1 }, { x + 1, y, -1 } })
                add(tension, { { x, y, 1 }, { x, y + 1, -1 } })
            end
        end
    end
    for i = 1, #unknown do -- symmetric and positive: no pivots
        for j = i + 1, #unknown do
            local factor = matrix[j][i] / matrix[i][i]
            for k = i, factor ~= 0 and #unknown or i - 1 do
                matrix[j][k] = matrix[j][k] - factor * matrix[i][k]
            end
            right[j] = right[j] - factor * right[i]
        end
    end
    local result = land + 0
    for i = #unknown, 1, -1 do
        for k = i + 1, #unknown do
            right[i] = right[i] - matrix[i][k] * right[k]
        end
        right[i] = right[i] / matrix[i][i]
        result:set(unknown[i][1], unknown[i][2], right[i])
    end
    return result
end

local function assert_same(a, b, tolerance)
    local difference = esker.statistics(a - b)
    unit.assertTrue(math.max(difference.max, -difference.min) <= tolerance, difference.max .. " " .. difference.min)
end

TestSurfaces = {}

function TestSurfaces.test_holes_are_filled_with_the_smoothest_surface()
    local land = esker.diamond_square{ width = 17, height = 14, seed = 2 }
    for name, holds in pairs{
        middle = function(x, y) return x > 3 and x < 14 and y > 2 and y < 11 end,
        corner = function(x, y) return x < 9 and y > 5 end,
        dots = function(x, y) return (x * 5 + y * 3) % 11 ~= 0 end,
    } do
        local hole = esker.field{ width = 17, height = 14, values = function(x, y) return holds(x, y) and 1 or 0 end }
        for _, tension in ipairs{ 0, 0.3, 1 } do
            for _, wrap in ipairs{ false, true } do
                local filled = land:inpaint(hole, { tension = tension, wrap = wrap })
                local expected = reference(land, hole, tension, wrap)
                local difference = esker.statistics(filled - expected)
                unit.assertTrue(math.max(difference.max, -difference.min) < 1e-4,
                    ("%s %g %s %g %g"):format(name, tension, wrap, difference.max, difference.min))
            end
        end
    end
end

-- Also where the hole reaches the edges.
function TestSurfaces.test_planes_go_on_into_holes()
    local plane = esker.field{ size = 90, values = function(x, y) return 0.3 * x - 0.7 * y + 5 end }
    local hole = esker.field{ size = 90, values = function(x, y) return x > 20 and y < 60 and 1 or 0 end }
    local filled = (plane * (1 - hole)):inpaint(hole)
    assert_same(filled, plane, 2e-3)
    local away = (filled - plane) * (1 - hole)
    assert_same(away, away * 0, 0)
    unit.assertEquals(plane:inpaint(hole * 0).hash, plane.hash)
end

function TestSurfaces.test_a_membrane_stays_within_the_heights_around_it()
    local land = esker.diamond_square{ size = 64, seed = 4 }
    local hole = esker.shape{ kind = "dome", size = 64, radius = 0.3 } * 100
    local inside = land:inpaint(hole, { tension = 1 })
    local range, around = esker.statistics(inside), esker.statistics(land)
    unit.assertTrue(range.max <= around.max and range.min >= around.min)
end

-- A hole in a smooth wave, in cells of half the size: the same surface.
function TestSurfaces.test_surfaces_hardly_depend_on_resolution()
    local function filled(size)
        local land = esker.field{ size = size, values = function(x, y)
            return math.sin(5 * (x + 0.5) / size) * math.cos(3 * (y + 0.5) / size)
        end }
        local hole = esker.shape{ kind = "dome", size = size, radius = 0.3 } * 1e4
        return land:inpaint(hole)
    end
    assert_same(filled(64), filled(128):resize{ size = 64 }, 0.02)
end

function TestSurfaces.test_bad_masks_are_refused()
    local land = esker.diamond_square{ size = 16 }
    unit.assertErrorMsgContains("mask must leave at least one cell", land.inpaint, land, land * 0 + 1)
    unit.assertErrorMsgContains("16 × 16", land.inpaint, land, esker.diamond_square{ size = 32 })
    unit.assertErrorMsgContains("tension must be 0 to 1", land.inpaint, land, land, { tension = 2 })
    local alone = esker.field{ size = 16, values = function(x, y) return x == 3 and y == 5 and 0 or 1 end }
    assert_same(land:inpaint(alone), land * 0 + land:get(3, 5), 1e-6)
end

local function plane(x, y)
    return 0.01 * x - 0.02 * y + 3
end

function TestSurfaces.test_terrain_from_points_goes_through_them()
    local land = esker.noise{ size = 96, seed = 3, frequency = 2 }
    local points = land:scatter{ distances = { 0.1 }, wrap = false }
    local drawn = points:from_points()
    for _, point in ipairs(points:list()) do
        unit.assertAlmostEquals(drawn:get(point.x // 1 | 0, point.y // 1 | 0), point.altitude, 1e-6)
    end
    local corners = {}
    for i, at in ipairs{ { 3, 4 }, { 60, 9 }, { 30, 50 } } do
        corners[i] = { at[1] + 0.5, at[2] + 0.5, plane(at[1], at[2]) }
    end
    local through = esker.points{ size = 64, list = corners }:from_points()
    for _, at in ipairs{ { 0, 0 }, { 63, 0 }, { 20, 63 }, { 33, 17 } } do
        unit.assertAlmostEquals(through:get(at[1], at[2]), plane(at[1], at[2]), 2e-3)
    end
end

-- As a hole that leaves only the points' cells.
function TestSurfaces.test_terrain_from_points_is_the_smoothest()
    local list, rest = {}, esker.field{ width = 13, height = 15, values = 1 }
    for i = 1, 12 do
        list[i] = { x = i * 37 % 13 + 0.3, y = i * 53 % 15 + 0.9, altitude = math.sin(i) }
        rest:set(i * 37 % 13, i * 53 % 15, 0)
    end
    list[13] = { x = 20, y = 3, altitude = 1e9 } -- outside
    local points = esker.points{ width = 13, height = 15, list = list }
    for _, wrap in ipairs{ false, true } do
        local drawn = points:from_points{ tension = 0.2, wrap = wrap }
        unit.assertEquals(drawn.wraps, wrap)
        assert_same(drawn, reference(drawn, rest, 0.2, wrap), 1e-4)
    end
    local finer = points:from_points{ scale = 3 }
    unit.assertEquals({ finer.width, finer.height }, { 39, 45 })
    unit.assertAlmostEquals(finer:get(list[1].x * 3 // 1 | 0, list[1].y * 3 // 1 | 0), list[1].altitude, 1e-6)
end

-- No pimples at a plain's points, however fine the cells.
function TestSurfaces.test_tension_does_not_depend_on_resolution()
    local list = {}
    for i = 0, 24 do
        list[i + 1] = { 4.5 + i % 5 * 8, 4.5 + i // 5 * 8, 0.5 + 0.1 * math.sin(i * i) }
    end
    local points = esker.points{ size = 41, list = list }
    local coarse, fine = points:from_points{ tension = 0.3 }, points:from_points{ scale = 5, tension = 0.3 }
    local function mound(size) -- over a hole, whose border is steep: tension takes its overshoot away
        local ground = esker.field{ size = size, values = function(x, y)
            local u, v = (x + 0.5) / size - 0.5, (y + 0.5) / size - 0.5
            return math.max(0, 0.3 - math.sqrt(u * u + v * v))
        end }
        local hole = esker.shape{ kind = "disk", size = size, radius = 0.2 }
        return ground:inpaint(hole, { tension = 0.3 }):get(size // 2, size // 2)
    end
    unit.assertAlmostEquals(mound(33), mound(165), 0.018)
    for y = 5, 36 do
        for x = 5, 36 do
            unit.assertAlmostEquals(fine:get(5 * x + 2, 5 * y + 2), coarse:get(x, y), 0.01)
        end
    end
end

-- Up to the edges, which few points hold.
function TestSurfaces.test_terrain_from_few_points_does_not_depend_on_resolution()
    local list = { { 4.5, 8.5, 0.4 }, { 33.5, 12.5, 0.7 }, { 20.5, 37.5, 0.1 }, { 16.5, 20.5, 1 } }
    local points = esker.points{ size = 41, list = list }
    local coarse, fine = points:from_points(), points:from_points{ scale = 5 }
    for y = 0, 40 do
        for x = 0, 40 do
            unit.assertAlmostEquals(fine:get(5 * x + 2, 5 * y + 2), coarse:get(x, y), 0.02)
        end
    end
end

function TestSurfaces.test_points_of_one_cell_have_their_mean()
    local points = esker.points{ size = 8, list = { { 2.1, 3.2, 1 }, { 2.9, 3.9, 2 }, { 2.5, 3.5, 6 } } }
    assert_same(points:from_points(), esker.field{ size = 8, values = 3 }, 1e-6)
    unit.assertErrorMsgContains("no point lies inside the window", esker.from_points,
        esker.points{ size = 8, list = { { 9, 9, 1 } } })
end

os.exit(unit.LuaUnit.run())
