-- Filters of surroundings against plain loops over them, with edges that meet and edges that do not.

local unit = require "luaunit"
local esker = require "esker"

local width, height = 23, 17
local land = esker.noise{ width = width, height = height, seed = 3, kind = "white" } * 2 - 1

-- The value of `operation` at each cell is that of `expected`, which gets x, y and a function that gives the height of
-- a cell, or nil where there is none.
local function assert_is(name, arguments, expected, tolerance)
    for _, wrap in ipairs{ true, false } do
        local given = { wrap = wrap }
        for key, value in pairs(arguments) do
            given[key] = value
        end
        local field = land[name](land, given)
        unit.assertEquals(field.wraps, wrap)
        local function at(x, y)
            if wrap then
                return land:get(x % width, y % height)
            elseif x >= 0 and y >= 0 and x < width and y < height then
                return land:get(x, y)
            end
        end
        for y = 0, height - 1 do
            for x = 0, width - 1 do
                unit.assertAlmostEquals(field:get(x, y), expected(x, y, at), tolerance or 0)
            end
        end
    end
end

-- With the outermost cells repeated where there are none.
local function repeated(at)
    return function(x, y)
        return at(x, y) or at(math.max(0, math.min(width - 1, x)), math.max(0, math.min(height - 1, y)))
    end
end

local function extreme(better, inside, reach)
    return function(x, y, at)
        local best
        for dy = -reach, reach do
            for dx = -reach, reach do
                local value = inside(dx, dy) and at(x + dx, y + dy)
                best = value and (best and better(best, value) or value) or best
            end
        end
        return best
    end
end

TestNeighbourhoods = {}

function TestNeighbourhoods.test_morphology_is_the_extreme_of_the_element()
    for _, radius in ipairs{ 0, 1, 1.5, 2, 2.3, 5, 9 } do
        local function disk(dx, dy) return dx * dx + dy * dy <= radius * radius end
        local function square() return true end
        for element, inside in pairs{ disk = disk, square = square } do
            local share = radius / width
            assert_is("morphology", { element = element, radius = share }, extreme(math.max, inside, radius // 1 | 0))
            assert_is("morphology", { kind = "erode", element = element, radius = share },
                extreme(math.min, inside, radius // 1 | 0))
        end
    end
end

-- Small elements are joined in one pass where there are no gaps: of zeros with different signs the same one stays.
function TestNeighbourhoods.test_a_gap_far_away_changes_no_bit()
    local side, noise = 40, esker.noise{ size = 40, kind = "white", seed = 3 }
    local hole = esker.field{ size = side, values = function(x, y) return x == 20 and y == 30 and 1 or 0 end }
    for kind, beyond in pairs{ dilate = -1, erode = 1 } do
        local zeros = esker.field{ size = side, values = function(x, y)
            return ({ -0.0, 0.0 })[noise:get(x, y) * 8 // 1 + 1 | 0] or beyond
        end }
        for _, each in ipairs{ { 1, "disk" }, { 1, "square" }, { 2, "disk" }, { 2, "square" }, { 3, "disk" } } do
            for _, wrap in ipairs{ true, false } do
                local function away(field)
                    local made = field:morphology{ radius = each[1] / side, element = each[2], kind = kind,
                        wrap = wrap }
                    return made:crop{ width = side, height = 24, wrap = false }:hash()
                end
                unit.assertEquals(away(zeros), away(zeros:set_gaps(hole)), kind .. " " .. each[2] .. " " .. each[1])
            end
        end
    end
end

-- All cells of a disk and no others, whatever it is composed of.
function TestNeighbourhoods.test_the_dilation_of_one_cell_is_the_disk()
    local side, middle = 257, 128
    local point = esker.field{ size = side, values = function(x, y) return x == middle and y == middle and 1 or 0 end }
    for _, radius in ipairs{ 3, 7.07, 10, 12, 17.5, 20, 29.9, 30, 41, 50, 65, 77.7, 100, 123, 128 } do
        local share = radius / side
        local disk = esker.field{ size = side, values = function(x, y)
            return (x - middle) ^ 2 + (y - middle) ^ 2 <= radius * radius and 1 or 0
        end }
        for _, wrap in ipairs{ true, false } do
            unit.assertEquals(point:morphology{ radius = share, wrap = wrap }:hash(), disk:hash(), "radius " .. radius)
            unit.assertEquals((1 - point):morphology{ radius = share, kind = "erode", wrap = wrap }:hash(),
                (1 - disk):hash(), "radius " .. radius)
        end
    end
end

-- k / N times N may be less than k in floating point.
function TestNeighbourhoods.test_a_radius_of_whole_cells_is_whole()
    local point = esker.field{ width = 256, height = 1, values = function(x) return x == 0 and 1 or 0 end }
    for side = 2, 256 do
        local row = point:crop{ x = 0, y = 0, width = side, height = 1 }
        for radius = 1, side // 2 do
            local wide = row:morphology{ radius = radius / side, element = "square", wrap = false }
            unit.assertAlmostEquals(wide:statistics().mean * side, radius + 1, 0.01,
                radius .. " of " .. side)
        end
    end
end

-- Nor is the square of a root's share what it is the root of.
function TestNeighbourhoods.test_a_disk_has_the_cells_at_its_radius()
    local side, middle = 58, 29
    local point = esker.field{ size = side, values = function(x, y) return x == middle and y == middle and 1 or 0 end }
    for squared = 1, 28 * 28 do
        local disk, cells = point:morphology{ radius = math.sqrt(squared) / side }, 0
        for y = -28, 28 do
            local half = squared - y * y
            cells = cells + (half >= 0 and 2 * math.floor(math.sqrt(half)) + 1 or 0)
        end
        unit.assertAlmostEquals(disk:statistics().mean * side * side, cells, 0.01, "root of " .. squared)
    end
end

function TestNeighbourhoods.test_opening_and_closing_are_idempotent_and_ordered()
    for _, element in ipairs{ "disk", "square" } do
        local arguments = { element = element, radius = 0.12 }
        local function of(kind, field)
            arguments.kind = kind
            return field:morphology(arguments)
        end
        local open, close = of("open", land), of("close", land)
        unit.assertEquals(open:hash(), of("dilate", of("erode", land)):hash())
        unit.assertEquals(close:hash(), of("erode", of("dilate", land)):hash())
        unit.assertEquals(of("open", open):hash(), open:hash())
        unit.assertEquals(of("close", close):hash(), close:hash())
        unit.assertEquals(open:min(land):hash(), open:hash())
        unit.assertEquals(close:max(land):hash(), close:hash())
    end
end

function TestNeighbourhoods.test_medians_are_in_the_middle()
    for radius = 0, 4 do
        assert_is("median", { radius = radius }, function(x, y, at)
            local values, get = {}, repeated(at)
            for dy = -radius, radius do
                for dx = -radius, radius do
                    values[#values + 1] = get(x + dx, y + dy)
                end
            end
            table.sort(values)
            return values[#values // 2 + 1]
        end)
    end
end

function TestNeighbourhoods.test_bilateral_is_its_definition()
    assert_is("bilateral", { sigma = 1.3, range = 0.4 }, function(x, y, at)
        local sum, weights, get = 0, 0, repeated(at)
        for dy = -4, 4 do
            for dx = -4, 4 do
                local difference = get(x + dx, y + dy) - at(x, y)
                local weight = math.exp(-(dx * dx + dy * dy) / (2 * 1.3 ^ 2) - difference ^ 2 / (2 * 0.4 ^ 2))
                sum, weights = sum + weight * difference, weights + weight
            end
        end
        return at(x, y) + sum / weights
    end, 1e-5)
end

-- A Gaussian with infinite reach, over cells that exist.
local function gaussian(sigma)
    local reach = math.ceil(6 * sigma)
    return function(x, y, at)
        local sum, weights = 0, 0
        for dy = -reach, reach do
            for dx = -reach, reach do
                local value = at(x + dx, y + dy)
                local weight = value and math.exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)) or 0
                sum, weights = sum + weight * (value or 0), weights + weight
            end
        end
        return sum / weights
    end
end

function TestNeighbourhoods.test_gaussians_are_those_of_the_formula()
    for _, sigma in ipairs{ 0.7, 3 } do
        local soft = gaussian(sigma)
        assert_is("blur", { sigma = sigma / width, exact = true }, soft, 1e-5)
    end
end

function TestNeighbourhoods.test_sharpen_adds_what_blur_takes_away()
    for _, sigma in ipairs{ 0.01, 0.05, 0.5 } do
        for _, exact in ipairs{ true, false } do
            local lost = land - land:blur{ sigma = sigma, exact = exact }
            for _, amount in ipairs{ -1, 2 } do
                local sharper = land:sharpen{ sigma = sigma, amount = amount, exact = exact }
                unit.assertTrue((sharper - land - amount * lost):abs():statistics().max < 1e-5)
            end
        end
    end
end

-- Lengths are shares of N: what they do hardly depends on the resolution.
function TestNeighbourhoods.test_lengths_mean_the_same_at_every_resolution()
    local function made(size)
        local hills = esker.spectral{ size = 256, seed = 2, octaves = 2 }:resize{ size = size }
        local level = hills:position_index{ radius = { 0.1 } }
        return { hills:blur{ sigma = 0.05 }, hills:blur{ sigma = 0.05, exact = true }, hills:sharpen{ sigma = 0.05 },
            hills:relative_height{ radius = 0.1 }, hills:openness{ radius = 0.22 } / 90, level / 4 }
    end
    local coarse, fine = made(64), made(256)
    for i, field in ipairs(coarse) do
        local difference = (fine[i]:resize{ size = 64 } - field):statistics()
        local range = field:statistics()
        unit.assertTrue(difference.stddev < 0.15 * range.stddev and math.abs(difference.mean) < 0.2 * range.stddev,
            ("%d: %g %g of %g"):format(i, difference.stddev, difference.mean, range.stddev))
    end
end

function TestNeighbourhoods.test_an_exact_blur_has_a_longest_reach()
    local small, long = esker.diamond_square{ size = 16 }, esker.field{ width = 3000, height = 1, values = 0 }
    unit.assertErrorMsgContains("sigma must be at most 1024 cells with exact, got 1200", long.blur, long,
        { sigma = 0.4, exact = true })
    unit.assertErrorMsgContains("sigma must be at most 1024 cells with exact, got 1200", long.sharpen, long,
        { sigma = 0.4, exact = true })
    unit.assertEquals(small:blur{ sigma = 0, exact = true }:hash(), small:hash())
end

function TestNeighbourhoods.test_the_laplacian_is_its_stencil_and_that_of_a_paraboloid()
    assert_is("laplacian", {}, function(x, y, at)
        local get = repeated(at)
        local sides = get(x, y - 1) + get(x, y + 1) + get(x - 1, y) + get(x + 1, y)
        local corners = get(x - 1, y - 1) + get(x + 1, y - 1) + get(x - 1, y + 1) + get(x + 1, y + 1)
        return (4 * sides + corners - 20 * get(x, y)) / 6 * width * width
    end, 2e-3)
    for _, side in ipairs{ 16, 64 } do
        local bowl = esker.field{ size = side, values = function(x, y) return (x * x + 2 * y * y) / side ^ 2 end }
        unit.assertAlmostEquals(bowl:laplacian():get(side // 2, side // 2), 6, 0.01)
    end
end

os.exit(unit.LuaUnit.run())
