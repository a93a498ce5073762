-- Filters that move cells or rank them.

local unit = require "luaunit"
local esker = require "esker"

local width, height = 21, 13
local land = esker.noise{ width = width, height = height, seed = 3, kind = "white", wrap = false }

TestRearranging = {}

function TestRearranging.test_flips_mirror_and_undo_themselves()
    local places = {
        x = function(x, y) return width - 1 - x, y end,
        y = function(x, y) return x, height - 1 - y end,
        diagonal = function(x, y) return y, x end,
    }
    for axis, place in pairs(places) do
        local flipped = land:flip{ axis = axis }
        for y = 0, height - 1 do
            for x = 0, width - 1 do
                unit.assertEquals(flipped:get(place(x, y)), land:get(x, y))
            end
        end
        unit.assertEquals(flipped:flip{ axis = axis }:hash(), land:hash())
    end
    unit.assertTrue(esker.noise{ size = 16 }:flip{}.wraps)
end

-- The transpose goes by squares, which larger fields have whole.
function TestRearranging.test_transposes_of_large_fields()
    for _, shape in ipairs{ { 150, 90 }, { 16, 130 }, { 2, 70 }, { 64, 64 } } do
        local field = esker.noise{ width = shape[1], height = shape[2], seed = 5, kind = "white", wrap = false }
        local flipped = field:flip{ axis = "diagonal" }
        for x = 0, shape[1] - 1, 7 do
            for y = 0, shape[2] - 1 do
                unit.assertEquals(flipped:get(y, x), field:get(x, y))
            end
        end
        unit.assertEquals(flipped:flip{ axis = "diagonal" }:hash(), field:hash())
    end
end

function TestRearranging.test_quarter_turns_are_exact()
    local square = land:crop{ width = 13 }
    local turned = square:transform{ angle = 90 }
    unit.assertEquals(turned:hash(), square:flip{ axis = "diagonal" }:flip{}:hash())
    unit.assertEquals(square:transform{ angle = 180 }:hash(), square:flip{}:flip{ axis = "y" }:hash())
    unit.assertEquals(square:transform{ angle = -270 }:hash(), turned:hash())
    unit.assertEquals(square:transform{ angle = 720 }:hash(), square:hash())
end

function TestRearranging.test_transforms_are_affine()
    local plane = esker.field{ size = 33, values = function(x, y) return 2 * (x - 16) - 3 * (y - 16) end }
    local angle = math.rad(25)
    local c, s = math.cos(angle), math.sin(angle)
    local moved = plane:transform{ angle = 25, scale = 2, stretch = 1.5, x = 3 / 33, y = -2 / 33 }
    for y = 10, 22 do
        for x = 10, 22 do
            local dx, dy = x - 16 - 3, y - 16 + 2
            local u, v = (c * dx + s * dy) / 3, (c * dy - s * dx) / 2
            unit.assertAlmostEquals(moved:get(x, y), 2 * u - 3 * v, 1e-4)
        end
    end
    local tile = esker.noise{ size = 32, seed = 2 }
    unit.assertEquals(tile:transform{ x = 0.25, y = -0.5 }:hash(), tile:crop{ x = -8, y = 16 }:hash())
end

local function ranks(field)
    local values = {}
    for y = 0, field.height - 1 do
        for x = 0, field.width - 1 do
            values[#values + 1] = field:get(x, y)
        end
    end
    table.sort(values)
    return values
end

function TestRearranging.test_an_equalized_height_is_its_rank()
    local stepped = (land * 10 - 5):terrace{ steps = 1, sharpness = 1, slope = 0 }:max(land * 10 - 5)
    for _, field in ipairs{ land, land * -1e9, stepped, land * 0 } do
        local sorted, even = ranks(field), field:equalize{ low = -1, high = 3 }
        for y = 0, height - 1 do
            for x = 0, width - 1 do
                local below, equal = 0, 0
                for _, value in ipairs(sorted) do
                    below = below + (value < field:get(x, y) and 1 or 0)
                    equal = equal + (value == field:get(x, y) and 1 or 0)
                end
                unit.assertAlmostEquals(even:get(x, y), -1 + 4 * (below + (equal - 1) / 2) / (#sorted - 1), 1e-5)
            end
        end
    end
end

-- Larger fields are sorted in parts.
function TestRearranging.test_all_ranks_of_a_large_field_are_there()
    local large = esker.noise{ width = 331, height = 257, kind = "white", seed = 7 }
    local sorted, even = ranks(large), large:equalize{}
    for y = 0, large.height - 1, 16 do
        for x = 0, large.width - 1 do
            local low, high = 1, #sorted -- the first that is not below
            while low < high do
                local middle = (low + high) // 2
                low, high = sorted[middle] < large:get(x, y) and middle + 1 or low,
                    sorted[middle] < large:get(x, y) and high or middle
            end
            unit.assertAlmostEquals(even:get(x, y), (low - 1) / (#sorted - 1), 2e-5)
        end
    end
    unit.assertEquals(ranks(large:match(large)), sorted)
end

function TestRearranging.test_a_matched_field_has_the_others_heights_and_its_own_order()
    local other = esker.noise{ width = height, height = width, seed = 4, kind = "white" } ^ 3 - 0.5
    local matched = land:match(other)
    unit.assertEquals(ranks(matched), ranks(other))
    unit.assertEquals(matched:equalize{}:hash(), land:equalize{}:hash())
    unit.assertEquals(land:match(land):hash(), land:hash())
    local coarse = ranks(esker.noise{ size = 4, kind = "white" })
    local stretched = ranks(land:match(esker.noise{ size = 4, kind = "white" }))
    unit.assertEquals({ stretched[1], stretched[#stretched] }, { coarse[1], coarse[#coarse] })
end

function TestRearranging.test_a_seamless_field_meets_itself_and_stays_in_the_middle()
    local slope = esker.field{ width = 60, height = 40, values = function(x, y) return (x + 2 * y) / 100 end }
    local tile = slope:seamless{ edge = 0.2 }
    unit.assertTrue(tile.wraps)
    local function fades(at, count)
        local t = math.max(0, 1 - math.min(at, count - 1 - at) / (0.2 * count))
        return t * t * (3 - 2 * t)
    end
    for y = 0, 39 do
        for x = 0, 59 do
            local u, v = fades(x, 60), fades(y, 40)
            local function row(at)
                return slope:get(x, at) * (1 - u) + slope:get((x + 30) % 60, at) * u
            end
            unit.assertAlmostEquals(tile:get(x, y), row(y) * (1 - v) + row((y + 20) % 40) * v, 1e-5)
        end
        unit.assertAlmostEquals(tile:get(59, y), tile:get(0, y), 0.011)
    end
    unit.assertEquals(tile:crop{ x = 12, y = 8, width = 36, height = 24 }:hash(),
        slope:crop{ x = 12, y = 8, width = 36, height = 24 }:hash())
end

function TestRearranging.test_joined_images_stay_apart_by_the_gap()
    local function image(across, down, seed)
        return esker.noise{ width = across, height = down, seed = seed }:relief{}
    end
    for _, way in ipairs{ { direction = "right", gap = 3 }, { direction = "below", gap = 0 } } do
        local a, b, c = image(400, 300, 1), image(500, 300, 2), image(400, 320, 3)
        local right = way.direction == "right"
        local pair = a:join(b, way)
        unit.assertEquals({ pair.width, pair.height }, right and { 903, 300 } or { 500, 600 })
        unit.assertEquals(pair:join(c, way):hash(), a:join(b:join(c, way), way):hash())
        unit.assertNotEquals(pair:hash(), b:join(a, way):hash())
    end
    -- Golden: the whole sheet, of images of two sizes, with what is white.
    local sheet = image(40, 30, 1):join(image(50, 20, 2), { direction = "below", gap = 2 })
    unit.assertEquals(sheet:hash(), "5a88da5599f2e895")
end

os.exit(unit.LuaUnit.run())
