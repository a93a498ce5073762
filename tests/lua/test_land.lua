-- Eroded land of zoomable maps: one map at every zoom, and water finds its way.

local esker = require "esker"
local kept_map = require "kept_map"
local Long = require "long_tests"
local lu = require "luaunit"
local river_places = require "river_places"
local tries = require "tries"

TestLand = {}

local random = math.random

-- The digits of the number whose binary ones are listed, 0.b1 b2 b3 …, all of them.
local function digits_of(bits)
    local digits = {}
    for i = #bits, 1, -1 do
        local carry = bits[i]
        for j = 1, #digits + 1 do
            local all = 10 * carry + (digits[j] or 0)
            digits[j], carry = all // 2, all % 2
        end
    end
    return "0." .. table.concat(digits)
end

-- The place of cell `cell` + `more` / 2 of a grid of 2^depth, whose cells are numbered by their binary digits.
local function place(cell, half_cells)
    local bits, carry = table.move(cell, 1, #cell, 1, {}), half_cells
    bits[#bits + 1] = 0
    for i = #bits, 1, -1 do
        local all = bits[i] + carry
        bits[i], carry = all % 2, all // 2
    end
    return digits_of(bits)
end

-- A cell far from the map's border.
local function random_cell(depth)
    local bits = { 0, 1 }
    for i = 3, depth do
        bits[i] = random(0, 1)
    end
    return bits
end

local function assert_crop(whole, part, x, y, name)
    local box = { x = x, y = y, width = part.width, height = part.height }
    lu.assertTrue(whole:crop(box) == part, name)
end

local function assert_same(whole, part, x, y, name)
    for i, what in ipairs{ "altitude", "river", "flow" } do
        assert_crop(whole[i], part[i], x, y, what .. ", " .. name)
    end
end

-- `size` pixels of a grid of 2^depth, from `cell` on.
local function pixels(map, depth, cell_x, cell_y, x, y, size)
    return { map:render{ x = place(cell_x, 2 * x + size), y = place(cell_y, 2 * y + size), size = size,
        zoom = 2.0 ^ depth / size } }
end

-- Windows on one grid, from a warm cache and from a cold one.
local function check_grid(arguments, depth)
    local map = kept_map(arguments)
    local cell_x, cell_y = random_cell(depth), random_cell(depth)
    local name = ("%s, seed %d, depth %d"):format(arguments.tiling or "right", arguments.seed, depth)
    local whole = pixels(map, depth, cell_x, cell_y, 0, 0, 64)
    for _, size in ipairs{ 16, 24, 40 } do
        local x, y = random(0, 64 - size), random(0, 64 - size)
        local part = pixels(size > 16 and map or esker.river_map(arguments), depth, cell_x, cell_y, x, y, size)
        assert_same(whole, part, x, y, name)
    end
end

function TestLand.test_windows_of_a_grid_agree_at_any_depth()
    math.randomseed(1)
    local cases = { { "penrose", 10 } }
    if os.getenv("ESKER_TIMES") then -- tests/long/rounds.sh
        cases = { { "right", 7 }, { "right", 9 }, { "right", 71 }, { "right", 71 }, { "penrose", 10 },
            { "penrose", 20 }, { "scalene", 20 } }
    end
    check_grid({ seed = 2 }, 36)
    for _, case in ipairs(cases) do
        local tiling, depth = table.unpack(case)
        check_grid({ seed = depth, tiling = tiling, wide = depth % 2 == 1 }, depth)
    end
end

local function random_digits()
    local digits = {}
    for i = 1, 40 do
        digits[i] = random(0, 9)
    end
    return "0." .. random(2, 7) .. table.concat(digits)
end

function TestLand.test_windows_around_any_place_agree_at_any_zoom()
    math.randomseed(2)
    for i = 1, tries(2, 4) do
        local map = kept_map{ seed = i }
        local x, y, zoom = random_digits(), random_digits(), 10 ^ (0.3 + 20 * random() ^ 2)
        local function around(size)
            return { map:render{ x = x, y = y, zoom = zoom * (64 // size), size = size } }
        end
        local part = around(16)
        assert_same(around(64), part, 24, 24, ("%s, %s, zoom %g"):format(x, y, zoom))
        assert_same(around(32), part, 8, 8, ("%s, %s, zoom %g"):format(x, y, zoom))
    end
end


-- On a wide river, whose banks are drawn from coarser levels: in any order, from what is kept and from nothing.
function TestLand.test_tiles_in_any_order_have_no_seams()
    math.randomseed(3)
    local warm, cold = kept_map{ seed = 2 }, esker.river_map{ seed = 2 }
    local left, top, zoom = 29744 - 64, 25120 - 64, 2 ^ 16 / 128
    local function tile(map, x, y, size)
        return { map:render{ x = (left + x + size / 2) / 2 ^ 16, y = (top + y + size / 2) / 2 ^ 16,
            zoom = zoom * 128 / size, size = size } }
    end
    local tiles = {}
    local side = tries(2, 4) -- of the square, in tiles
    for i = 0, side ^ 2 - 1 do
        table.insert(tiles, random(1, #tiles + 1), { i % side * 32, i // side * 32 })
    end
    for i, at in ipairs(tiles) do
        at[3] = tile(i == 8 and esker.river_map{ seed = 2 } or warm, at[1], at[2], 32)
        if i % 5 == 0 then -- something else in between
            warm:render{ x = random(), y = 0.5, zoom = 2.0 ^ random(1, 4), size = 16 }
        end
    end
    local whole = tile(cold, 0, 0, 32 * side)
    lu.assertTrue(whole[2]:statistics().max > 3, "a wide river")
    for _, at in ipairs(tiles) do
        assert_same(whole, at[3], at[1], at[2], ("tile at %d, %d"):format(at[1], at[2]))
    end
end

function TestLand.test_threads_and_other_maps_change_nothing()
    local threads = esker.threads()
    local window = { x = 0.413, y = 0.557, zoom = 37.7, size = 96 }
    local results = {}
    for i = 1, tries(2, 3) do
        esker.threads(i)
        local map, other = esker.river_map{ seed = 4 }, esker.river_map{ seed = 5, landscape = "alps" }
        if i == 2 then -- what is asked for in between does not count
            map:render{ zoom = 3, size = 64 }
            other:render(window)
        end
        results[i] = { map:render(window) }
    end
    esker.threads(threads)
    for i = 2, #results do
        assert_same(results[1], results[i], 0, 0, i .. " threads")
    end
end

-- --- water -----------------------------------------------------------------------------------------------------------

-- 1 where a field is above 0, else 0.
local function above_zero(field)
    return (field * 1e30):clamp{ low = 0, high = 1 }
end

-- The share of the land that fill raises.
local function raised_share(altitude)
    local land = above_zero(altitude)
    local raised, count = above_zero(altitude:fill{ sea_level = 0 } - altitude) * land, land:statistics().sum
    return raised:statistics().sum / math.max(count, 1), count
end

-- Where the pixels are cells of a level, and where they lie between them.
function TestLand.test_land_drains_at_every_zoom()
    for _, case in ipairs(tries(3, { { 1 }, { 2 ^ 40 }, { 23, off = 0.0041 }, { 16 }, { 1, tiling = "penrose" },
        { 2 ^ 12 }, { 3e5, off = 0.0041 } })) do
        local zoom, off = case[1], case.off or 0
        local map = kept_map{ seed = 2, tiling = case.tiling }
        local altitude = map:render{ x = zoom > 1 and 27 / 64 - off or 0.5, y = zoom > 1 and 37 / 64 + off or 0.5,
            zoom = zoom, size = 256, relative = zoom > 100 }
        if zoom > 100 then
            altitude = altitude - altitude:statistics().min + 1 / zoom -- far from the sea
        end
        local share, land = raised_share(altitude)
        lu.assertTrue(land > 10000, "there is land")
        lu.assertTrue(share < 0.003, ("zoom %g: %.3f %% is raised"):format(zoom, 100 * share))
    end
end

-- Around a pit on a pass ridges rise. Left unfilled, these were 107 m deep at level 6, 230 at 7 and 310 at 8.
function TestLand.test_passes_have_no_pits()
    for _, spot in ipairs(tries(1, { { seed = 454647, x = 0.91571, y = 0.407349, level = 7 },
        { seed = 611741, x = 0.32866, y = 0.620178, level = 7 },
        { seed = 808486, x = 0.475633, y = 0.961578, level = 5 } })) do
        local cells = 2.0 ^ (8 + spot.level)
        local altitude = kept_map{ seed = spot.seed }:render{ x = spot.x * cells // 1 / cells,
            y = spot.y * cells // 1 / cells, zoom = cells / 128, size = 128 }
        local deepest = (altitude:fill{ sea_level = 0 } - altitude):statistics().max
        lu.assertTrue(deepest < 20, ("seed %d: a pit %.0f m deep"):format(spot.seed, deepest))
    end
end

-- Where much drains through a pixel, much drains through one of the four that cover it at twice the size, or through
-- one beside them.
local function check_flow(map, window, least, name)
    local _, _, coarse = map:render(window)
    local size = window.size
    window.size = 2 * size
    local _, _, fine = map:render(window)
    local same, near, all = 0, 0, 0
    for y = 2, size - 3 do
        for x = 2, size - 3 do
            local flow = coarse:get(x, y)
            if flow >= least then
                local inside, around = 0, 0
                for j = 2 * y - 2, 2 * y + 3 do
                    for i = 2 * x - 2, 2 * x + 3 do
                        local there = fine:get(i, j)
                        around = math.max(around, there)
                        if i // 2 == x and j // 2 == y then
                            inside = math.max(inside, there)
                        end
                    end
                end
                all, same = all + 1, same + (inside >= 2 * flow and 1 or 0)
                near = near + (around >= 2 * flow and 1 or 0)
            end
        end
    end
    lu.assertTrue(all > 400, name)
    local told = ("%s: of %d pixels %d and %d"):format(name, all, same, near)
    lu.assertTrue(same > 0.97 * all and near > 0.995 * all, told)
end

function TestLand.test_rivers_keep_their_pixels_from_zoom_to_zoom()
    for _, zoom in ipairs(tries(2, { 1, 128, 8 })) do
        check_flow(kept_map{ seed = 2 }, { x = zoom > 1 and 27 / 64 or 0.5,
            y = zoom > 1 and 37 / 64 or 0.5, zoom = zoom, size = 256 }, 64, "zoom " .. zoom)
    end
    -- at the hillslope length those stay that drain four times its square
    local length = 200 / 3e6
    check_flow(kept_map{ seed = 2 }, { x = 27 / 64, y = 37 / 64, zoom = 512, size = 256 },
        4 * (length * 512 * 256) ^ 2, "hillslopes")
end

function TestLand.test_flow_is_what_drains_by_the_altitudes()
    local altitude, _, flow = kept_map{ seed = 2 }:render{ size = 512 }
    local drained = altitude:fill{ sea_level = 0 }:flow_accumulation{ sea_level = 0 }
    local found, all = 0, 0
    for y = 0, 511 do
        for x = 0, 511 do
            if flow:get(x, y) >= 64 then
                all, found = all + 1, found + (drained:get(x, y) >= 32 and 1 or 0)
            end
            lu.assertTrue(altitude:get(x, y) >= 0 or flow:get(x, y) == 0, "the sea has no flow")
        end
    end
    lu.assertTrue(all > 1000 and found > 0.96 * all, ("%d of %d"):format(found, all))
end

-- Whether the steepest way down from a pixel leads to as large a river.
local function stays_in_river(altitude, flow, x, y, large)
    local steepest, there = 0, 0
    for j = y - 1, y + 1 do
        for i = x - 1, x + 1 do
            local fall = (altitude:get(x, y) - altitude:get(i, j)) / (i ~= x and j ~= y and math.sqrt(2) or 1)
            if fall > steepest then
                steepest, there = fall, flow:get(i, j)
            end
        end
    end
    return there >= large
end

function Long.test_deep_rivers_keep_their_valleys()
    -- 0.33 where every bank was lowered, that of the far side too. No river is so wide that it shapes its own bed.
    local map = esker.river_map{ seed = 436, river_width = 1e-6 }
    local where = river_places.inland(map, 2 ^ 10)
    where.relative = true
    local altitude, _, flow = map:render(where)
    local found, all, large = 0, 0, 50000
    for y = 1, 254 do
        for x = 1, 254 do
            if flow:get(x, y) >= large then
                all, found = all + 1, found + (stays_in_river(altitude, flow, x, y, large) and 1 or 0)
            end
        end
    end
    lu.assertTrue(all > 50 and found > 0.6 * all, ("%d of %d"):format(found, all))
end

-- The share of pixels that are land in one and sea in the other.
local function coast_difference(a, b)
    return (above_zero(-a) - above_zero(-b):georeference{ like = a }):abs():statistics().mean
end

function TestLand.test_the_coast_is_near_that_of_the_raw_map()
    for _, options in ipairs(tries(2, { { seed = 2, sea_level = 0.1 }, { seed = 3, islands = true },
        { seed = 4, sea_level = 0.1 }, { seed = 5, corners = { 0.3, -0.2, 0.1, 0.4 } },
        { seed = 6, tiling = "scalene" } })) do
        local eroded = esker.river_map(options):render{ size = 512 }
        options.land = "raw"
        local differ = coast_difference(esker.river_map(options):render{ size = 512 }, eroded)
        lu.assertTrue(differ < 0.11, ("seed %d: %g"):format(options.seed, differ))
    end
end

-- Below the hillslope length all ground drains many pixels, but is no river.
function TestLand.test_soil_has_no_rivers()
    local window = { x = 0.42, y = 0.57, zoom = 8000, size = 128 }
    local least = 4 * (200 / 3e6) ^ 2
    local reaches = kept_map{ seed = 2 }:rivers(window):reaches()
    for _, reach in ipairs(reaches) do
        for _, point in ipairs(reach) do
            lu.assertTrue(point.area >= 0.9 * least, "a river of soil")
        end
    end
    local finer = esker.river_map{ seed = 2, hillslope = 20 }:rivers(window):reaches()
    lu.assertTrue(#finer > #reaches + 20, "streams without soil")
end

-- --- parameters ------------------------------------------------------------------------------------------------------

function TestLand.test_parameters_at_their_ends()
    local ends = { side = { 1, 4e8 }, relief = { 1, 3e5 }, concavity = { 0.2, 0.5 }, variety = { 0, 1 },
        talus = { 0.3, 1.5 }, rounding = { 0, 0.5 }, roughness = { 0, 1 }, hardness = { 0, 0.9 }, deposition = { 0, 1 },
        hillslope = { 1, 1e5 } }
    local names = {}
    for name in pairs(ends) do
        names[#names + 1] = name
    end
    table.sort(names)
    for i, name in ipairs(tries(2, names)) do
        local values = i % 2 == 0 and ends[name] or { ends[name][2], ends[name][1] }
        for _, value in ipairs(tries(1, values)) do
            local map = esker.river_map{ seed = 2, [name] = value }
            local altitude = map:render{ x = 0.42, y = 0.57, zoom = 16, size = 128 }
            local share = raised_share(altitude)
            lu.assertTrue(share < 0.015, ("%s = %g: %.2f %% is raised"):format(name, value, 100 * share))
        end
    end
end

local function landscapes()
    for _, operation in ipairs(esker.operations()) do
        for _, param in ipairs(operation.params) do
            if operation.name == "river_map" and param.name == "landscape" then
                return param.choices
            end
        end
    end
end

function TestLand.test_landscapes_differ_and_take_parameters()
    local window, seen = { x = 0.42, y = 0.57, zoom = 8, size = 64 }, {}
    for _, landscape in ipairs(landscapes()) do
        local hash = esker.river_map{ seed = 2, landscape = landscape }:render(window):hash()
        lu.assertNil(seen[hash], landscape)
        seen[hash] = true
    end
    local as_mixed = { seed = 2, landscape = "mesa", hardness = 0 }
    lu.assertNil(seen[esker.river_map(as_mixed):render(window):hash()])
end

function TestLand.test_maps_are_eroded_unless_the_paper_is_asked_for()
    local function kinds(arguments)
        local globe = arguments.tiling == "sphere"
        local altitude, river, flow = kept_map(arguments):render{ width = 32, height = globe and 16 or 32 }
        return { altitude:hash(), esker.type(river), flow and esker.type(flow) }
    end
    for i, tiling in ipairs(tries(2, { "right", "sphere", "scalene" })) do
        local eroded = kinds{ seed = 2, tiling = i > 1 and tiling or nil }
        lu.assertEquals(eroded[3], "Field")
        if tiling == "right" then
            lu.assertEquals(kinds{ seed = 2, tiling = tiling, land = "eroded" }, eroded)
        end
        local raw = kinds{ seed = 2, tiling = tiling, land = "raw" }
        lu.assertNil(raw[3])
        lu.assertNotEquals(raw[1], eroded[1])
    end
    lu.assertNil(kinds{ seed = 2, rules = "paper" }[3])
end

-- Pixels beside wide water, and those of them that are lower.
local function banks_of(altitude, river)
    local banks, lower = 0, 0
    for y = 0, 255 do
        for x = 2, 253 do
            for beside = x - 2, x + 2, 4 do
                if river:get(x, y) > 20 and river:get(beside, y) == 0 then
                    banks = banks + 1
                    lower = lower + (altitude:get(beside, y) < altitude:get(x, y) and 1 or 0)
                end
            end
        end
    end
    return banks, lower
end

-- No bank is lower than the water beside it: the ground fits the river.
function Long.test_wide_rivers_lie_in_beds()
    local banks, lower, seed = 0, 0, 42
    while banks <= 100 and seed < 60 do
        seed = seed + 1
        local map = esker.river_map{ seed = seed, landscape = "hills", river_width = 0.004 }
        local window, course = river_places.mouth(map, 24)
        if window and course[160] then
            local more, below = banks_of(map:render(river_places.around(window, course[160], 2)))
            banks, lower = banks + more, lower + below
        end
    end
    lu.assertTrue(banks > 100 and lower < 0.05 * banks, ("%d of %d"):format(lower, banks))
end

local function assert_error(message, arguments)
    lu.assertErrorMsgContains(message, esker.river_map, arguments)
end

function TestLand.test_errors()
    assert_error('talus is for land = "eroded"', { land = "raw", talus = 0.5 })
    assert_error('talus is for land = "eroded"', { tiling = "sphere", land = "raw", talus = 0.5 })
    assert_error('landscape is for land = "eroded"', { rules = "paper", landscape = "mesa" })
    assert_error('rules = "paper"', { land = "eroded", rules = "paper" })
    assert_error('land must be "raw" or "eroded", got "wet"', { land = "wet" })
    assert_error("landscape must be", { land = "eroded", landscape = "new" })
    assert_error("concavity must be 0.2 to 0.5, got 0", { land = "eroded", concavity = 0 })
    assert_error("side must be 1 to 400000000, got 4000000000", { side = 4e9 })
    assert_error("radius is for planets: this map is flat (side)", { radius = 1e6 })
    assert_error("side is for flat maps: this one is a planet (radius)", { tiling = "sphere", side = 1e6 })
    assert_error('side is for land = "eroded"', { land = "raw", side = 1e6 })
    assert_error("relief must be at most a tenth of the map's side, 100 m; got 2000 m", { side = 1000, relief = 2000 })
    assert_error("a guide needs relief, the metres of its altitude 1", { guide = esker.field{ size = 4, values = 0 } })
    assert_error("talus must be 0.3 to 1.5, got nan", { land = "eroded", talus = 0 / 0 })
    lu.assertErrorMsgContains("zoom must be at most", function()
        esker.river_map{}:render{ zoom = 2 ^ 85, size = 64 }
    end)
end

-- Where the last water lay on a divide, a wall 10 cells long and 0.7 high stood on gentle ground.
function TestLand.test_no_wall_is_left_on_divides()
    local altitude = kept_map{ seed = 8 }:render{ x = 2520 / 4096, y = 2341 / 4096, zoom = 256, size = 16,
        relative = true }
    local highest = 0
    for y = 3, 12 do
        for x = 0, 15 do
            local beside = math.max(altitude:get(x, y - 3), altitude:get(x, y + 3))
            highest = math.max(highest, 4096 / 3e6 * (altitude:get(x, y) - beside))
        end
    end
    lu.assertTrue(highest < 0.4, highest)
end

-- --- guides ----------------------------------------------------------------------------------------------------------

-- Two valleys that wind to the sea in the south, of 128 cells.
local function valleys(size)
    return esker.field{ size = size, values = function(x, y)
        local across, down = x / (size - 1), y / (size - 1)
        local off = math.min(math.abs(across - 0.3 - 0.08 * math.sin(9 * down)),
            math.abs(across - 0.72 - 0.06 * math.sin(11 * down)))
        return 0.3 - 0.34 * down + 0.8 * off
    end }
end

-- Rivers that end in the same cell of the sea end with their own discharge, not with that of the first of them. Few
-- lose some where a stream becomes one that is inherited.
function Long.test_rivers_keep_their_discharge_at_their_mouths()
    local less, ends, maps = 0, 0, 6
    for seed = 77, 77 * maps, 77 do
        for _, reach in ipairs(esker.river_map{ seed = seed }:rivers{ size = 512 }:reaches()) do
            ends = ends + (reach.mouth and 1 or 0)
            less = less + (reach.mouth and reach[#reach].area < 0.999 * reach[#reach - 1].area and 1 or 0)
        end
    end
    lu.assertTrue(ends > 80 * maps and less < ends / 200, ("%d of %d"):format(less, ends))
end

local function along_valley(x, y)
    return math.min(math.abs(x - 0.3 - 0.08 * math.sin(9 * y)), math.abs(x - 0.72 - 0.06 * math.sin(11 * y)))
end

function TestLand.test_rivers_follow_the_valleys_of_a_guide()
    local map = esker.river_map{ seed = 3, guide = valleys(128), relief = 4000 }
    local near, all = 0, 0
    for _, reach in ipairs(map:rivers{ size = 512 }:reaches()) do
        for _, point in ipairs(reach) do
            if point.area > 0.02 and point.altitude > 0 then
                all = all + 1
                near = near + (along_valley(point.x / 512, point.y / 512) * 128 < 4 and 1 or 0)
            end
        end
    end
    lu.assertTrue(all > 300 and near > 0.9 * all, ("%d of %d"):format(near, all))
end

-- Also one with hollows, which are filled.
function TestLand.test_a_guide_is_followed_at_its_resolution()
    local rough = esker.spectral{ size = 256, seed = 1 }:normalize{ low = 0.05, high = 0.5 }
    for _, guide in ipairs{ valleys(256), rough } do
        local altitude = esker.river_map{ seed = 3, guide = guide, relief = 4000 }:render{ size = 256 }
        local raw = esker.river_map{ seed = 3, guide = guide, rivers = false, land = "raw" }:render{ size = 256 }
        local relief = guide:statistics().max - guide:statistics().min
        local off = ((altitude * (1 / 4000)):georeference{ like = raw } - raw):abs():statistics()
        lu.assertTrue(off.mean < 0.01 * relief, ("%g of %g"):format(off.mean, relief))
    end
end

-- Erosion would lower it by 1.3 % of its relief at four times its resolution, and half of it by more than 1 %.
function TestLand.test_a_guide_is_kept_at_finer_zooms()
    local guide = esker.spectral{ size = 256, seed = 4 }:stream_erosion():normalize{ low = 0.02, high = 0.6 }
    local raw = esker.river_map{ seed = 3, guide = guide, rivers = false, land = "raw" }:render{ size = 256 }
    local altitude = esker.river_map{ seed = 3, guide = guide, relief = 4000 }:render{ size = 1024 }
    local kept = (altitude * (1 / 4000)):resize{ size = 256 }:georeference{ like = raw }
    local fell = (raw - kept):crop{ x = 8, y = 8, width = 240, height = 240 }
    local far = fell:abs():add(-0.01 * 0.58):clamp{ low = 0, high = 1e-30 } * 1e30
    lu.assertTrue(math.abs(fell:statistics().mean) < 0.004 * 0.58, fell:statistics().mean)
    lu.assertTrue(far:statistics().mean < 0.1, far:statistics().mean)
end

-- The uplift that keeps it is local.
function TestLand.test_windows_of_a_guided_map_agree()
    math.randomseed(3)
    for _, depth in ipairs(tries(1, { 10, 14 })) do
        check_grid({ seed = 3, tiling = "right", guide = valleys(64), relief = 4000 }, depth)
    end
end

local function guide_of(width, height, values)
    return esker.field{ width = width, height = height, values = values }
end

-- What drains, and what does not: the sea alone.
local function check_guided(name, guide)
    local map = esker.river_map{ seed = 3, guide = guide, relief = 4000 }
    for _, level in ipairs{ 0, 3 } do
        local cells = 2.0 ^ (8 + level)
        local x = level == 0 and 0.5 or math.floor(0.41 * cells) / cells
        local altitude, _, flow = map:render{ x = x, y = x, zoom = 2.0 ^ level, size = 256 }
        local lie = altitude:statistics()
        lu.assertTrue(lie.min > -4400 and lie.max < 4400, name)
        lu.assertTrue(raised_share(altitude) < 0.003, name)
        local differ = 0 -- where a pixel holds both
        for i = 0, 255 do
            differ = differ + ((flow:get(i, 255 - i) > 0) == (altitude:get(i, 255 - i) >= 0) and 0 or 1)
        end
        lu.assertTrue(differ < 16, ("%s: %d"):format(name, differ))
    end
end

-- A tributary that runs on into the water of a river 600 pixels wide builds no wall there: the bed is gentle.
function Long.test_beds_of_tributaries_end_in_wide_rivers()
    local zoom, size = 4096, 256
    local map = esker.river_map{ seed = 5, river_width = 0.004 }
    local altitude, river = map:render{ x = 0.4273376465, y = 0.24755859375, zoom = zoom, size = size }
    local steep, under = 0, 0
    for y = 0, size - 1 do
        for x = 1, size - 1 do
            if river:get(x, y) > 1 and river:get(x - 1, y) > 1 then
                steep = steep + math.abs(altitude:get(x, y) - altitude:get(x - 1, y)) * zoom * size / 3e6
                under = under + 1
            end
        end
    end
    lu.assertTrue(under > 40000, under)
    lu.assertTrue(steep / under < 0.02, steep / under)
end

function Long.test_guides_of_any_shape_drain()
    check_guided("land", guide_of(32, 32, 0.3))
    check_guided("sea", guide_of(9, 9, -1))
    check_guided("shore", guide_of(16, 16, 0))
    check_guided("pit", guide_of(33, 33, function(x, y) return x == 13 and y == 17 and -1 or 0.3 end))
    check_guided("peak", guide_of(33, 33, function(x, y) return x == 13 and y == 17 and 1 or -0.3 end))
    check_guided("two cells", guide_of(2, 2, function(x, y) return x + y - 1 end))
    check_guided("narrow", guide_of(2, 300, function(_, y) return y * 7919 % 1000 / 1000 - 0.3 end))
    check_guided("checks", guide_of(64, 64, function(x, y) return (x + y) % 2 * 2 - 1 end))
    assert_error("guide must have at least 2 × 2 cells", { guide = guide_of(1, 4096, 0), relief = 4000 })
end

-- A mesa's slopes are gentle on its tops and steep at its cliffs: they vary more than with soft rock.
function Long.test_hard_strata_make_tops_and_cliffs()
    for _, seed in ipairs{ 2, 3 } do
        local function variation(hardness)
            local altitude = esker.river_map{ seed = seed, hardness = hardness }:render{ size = 256, zoom = 8 }
            return altitude:realism{}.slope_variation
        end
        local soft, hard = variation(0), variation(0.85)
        lu.assertTrue(hard > 1.1 * soft, ("seed %d: %g, %g"):format(seed, soft, hard))
    end
end

-- Levels 3, 6 and 9 have their own layers, 16 cells thick: of hard ones most ground lies near the top: 0.19, 0.26 and
-- 0.23 of it on these maps, without them 0.09, 0.16 and 0.17.
function Long.test_tables_show_at_deep_zooms()
    local maps = {}
    for i, seed in ipairs{ 2, 3, 404, 5, 7, 8, 9 } do
        maps[i] = esker.river_map{ seed = seed, landscape = "mesa" }
    end
    for level, least in pairs{ [3] = 0.14, [6] = 0.16 } do
        local high, count = 0, 0
        for _, map in ipairs(maps) do
            local altitude = map:render{ size = 256, zoom = 2.0 ^ level, x = 0.5, y = 0.3 }
            for cell = 0, 256 * 256 - 1, 7 do
                local height = altitude:get(cell % 256, cell // 256) * 0.055 * 256 * 2 ^ level / 16
                if height > 0 then
                    high, count = high + (height % 1 > 0.83 and 1 or 0), count + 1
                end
            end
        end
        lu.assertTrue(high / count > least, ("level %d: %g of %d"):format(level, high / count, count))
    end
end

-- How many of a window's pixels of land lie four pixels or more below the ground two pixels away on both sides, and how
-- many stand three above or below a neighbour.
local function count_slits_and_walls(map, window)
    local altitude, scale = map:render(window), window.zoom * window.size / 3e6
    local slits, walls, land = 0, 0, 0
    for y = 2, window.size - 3 do
        for x = 2, window.size - 3 do
            local height = altitude:get(x, y)
            local function rise(dx, dy)
                return (math.min(altitude:get(x + dx, y + dy), altitude:get(x - dx, y - dy)) - height) * scale
            end
            if height > 0 then
                local right, below = altitude:get(x + 1, y) - height, altitude:get(x, y + 1) - height
                local wall = math.max(math.abs(right), math.abs(below)) * scale > 3
                slits, walls = slits + (math.max(rise(2, 0), rise(0, 2)) > 4 and 1 or 0), walls + (wall and 1 or 0)
                land = land + 1
            end
        end
    end
    return slits / land, walls / land
end

-- Small streams run on tables and fall over their rims, canyons have talus and cliffs. If all streams kept their beds
-- under upright walls, 1.6 % of the first window would be slits, and 14 % of the second, finer one walls.
function Long.test_canyons_of_mesas_are_no_slits()
    local map = esker.river_map{ seed = 1234, landscape = "mesa" }
    local slits = count_slits_and_walls(map, { x = 0.62, y = 0.32, zoom = 64, size = 256 })
    lu.assertTrue(slits < 0.001, "slits: " .. slits)
    local _, walls = count_slits_and_walls(map, { x = 0.630775, y = 0.32175, zoom = 2000, size = 256 })
    lu.assertTrue(walls < 0.01, "walls: " .. walls)
end

-- How often land along the border stands three pixels above what lies six pixels behind it.
local function wall_share(map, size)
    local altitude, land, walls = map:render{ size = size }, 0, 0
    local function look(x, y, behind_x, behind_y)
        local height, behind = altitude:get(x, y), altitude:get(behind_x, behind_y)
        if height > 0 and behind > 0 then
            land, walls = land + 1, walls + ((height - behind) * size / 3e6 > 3 / 256 and 1 or 0)
        end
    end
    for i = 30, size - 31 do
        look(i, 0, i, 6)
        look(i, size - 1, i, size - 7)
        look(0, i, 6, i)
        look(size - 1, i, size - 7, i)
    end
    return walls / land
end

function TestLand.test_the_border_is_no_wall()
    -- 3 to 9 % as long as level 0 kept the height of its outermost cells
    for _, seed in ipairs(tries(1, { 8, 3, 58, 77 })) do
        lu.assertTrue(wall_share(kept_map{ seed = seed }, 1024) < 0.01, "seed " .. seed)
    end
end

-- How much of the sea along the border is as deep four cells farther in, in how many cells.
local function streaks(altitude)
    local size, sea, same = altitude.width, 0, 0
    local function look(x, y, inside_x, inside_y)
        local depth, inside = altitude:get(x, y), altitude:get(inside_x, inside_y)
        if depth < -13 and inside < -13 then
            sea, same = sea + 1, same + (math.abs(depth - inside) < 0.32 and 1 or 0)
        end
    end
    for i = 40, size - 41 do
        look(i, 0, i, 4)
        look(i, size - 1, i, size - 5)
        look(0, i, 4, i)
        look(size - 1, i, size - 5, i)
    end
    return same, sea
end

-- Heights from beyond the border are mirrored; 0.06 as long as those of the border were repeated, 0.067 where the
-- smoothed floor is level across it, 0.034 far inside.
function TestLand.test_the_sea_has_no_streaks_along_the_border()
    local same, sea, seeds = 0, 0, tries(3, 10)
    for seed = 1, seeds do
        local more, cells = streaks(kept_map{ seed = seed }:render{ size = 256 })
        same, sea = same + more, sea + cells
    end
    lu.assertTrue(sea > 300 * seeds and same / sea < 0.035, ("%g of %d"):format(same / sea, sea))
end

-- The steepest slopes of whole maps are no steeper against the others than those of real land.
function Long.test_mountains_are_no_walls()
    local tails, seeds = 0, { 3, 8, 404, 11, 58, 77 }
    for _, seed in ipairs(seeds) do
        local altitude = kept_map{ seed = seed }:render{ size = 256 }
        tails = tails + altitude:realism{ vertical_scale = 256 / 3e6 }.slope_tail
    end
    lu.assertTrue(tails / #seeds < esker.realism_ranges{}.slope_tail[2], tails / #seeds)
end

local valley_maps = {}
for i, seed in ipairs{ 3, 8, 404, 21, 12 } do
    valley_maps[i] = kept_map{ seed = seed }
end

-- Banks are lower at each level, so more ground is concave; 0.442 with banks as steep as other ground.
function Long.test_valleys_are_concave()
    local concave, count = 0, 0
    for _, map in ipairs(valley_maps) do
        for _, at in ipairs{ { 0.5, 0.3 }, { 0.3, 0.3 }, { 0.6, 0.6 } } do
            local altitude, _, flow = map:render{ size = 256, zoom = 128, x = at[1], y = at[2], relative = true }
            if flow:statistics().min > 0 then
                local measures = altitude:realism{ sea_level = -1e9 }
                concave, count = concave + measures.concave, count + 1
            end
        end
    end
    lu.assertTrue(concave / count > 0.4, concave / count)
end

-- The first levels carve the slopes between the rivers of level 0, so slopes vary as on real land: 0.60; 0.49 where
-- these levels cut no faster than others and the slopes stay planes with equal gullies.
function Long.test_valleys_divide_slopes()
    local variation, count = 0, 0
    for _, map in ipairs(valley_maps) do
        for _, at in ipairs{ { 0.5, 0.3 }, { 0.3, 0.3 }, { 0.6, 0.6 } } do
            local altitude, _, flow = map:render{ size = 256, zoom = 32, x = at[1], y = at[2], relative = true }
            if flow:statistics().min > 0 then
                variation = variation + altitude:realism{ sea_level = -1e9 }.slope_variation
                count = count + 1
            end
        end
    end
    lu.assertTrue(variation / count > 0.55, variation / count)
end

-- Between cells, too, each river's pixel beside the border has a lower one beside it.
function TestLand.test_rivers_leave_over_the_border()
    local size, rivers = 700, 0
    local altitude, _, flow = kept_map{ seed = 8 }:render{ size = size }
    local function look(x, y)
        if flow:get(x, y) < 64 then
            return
        end
        local lowest = math.huge
        for j = y - 1, y + 1 do
            for i = x - 1, x + 1 do
                lowest = math.min(lowest, altitude:get(i, j))
            end
        end
        rivers = rivers + 1
        lu.assertTrue(lowest < altitude:get(x, y), ("(%d, %d)"):format(x, y))
    end
    for i = 1, size - 2 do
        look(i, 1)
        look(i, size - 2)
        look(1, i)
        look(size - 2, i)
    end
    lu.assertTrue(rivers > 50)
end

os.exit(lu.LuaUnit.run())
