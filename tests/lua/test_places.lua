-- What stands on land: distances, level places, stamps.

local unit = require "luaunit"
local esker = require "esker"

local width, height = 19, 12

-- A mask with few or many cells, as a field and as a function.
local function mask_of(share, seed, wrap)
    local mask = esker.noise{ width = width, height = height, seed = seed, kind = "white", wrap = wrap }
    return mask, function(x, y) return mask:get(x, y) > 1 - share end
end

TestDistance = {}

function TestDistance.test_it_is_the_least_of_all_distances()
    for _, wrap in ipairs{ true, false } do
        for seed, share in ipairs{ 0.003, 0.01, 0.1, 0.5, 0.99 } do
            local mask, belongs = mask_of(share, seed, wrap)
            local function nearest(x, y, inside)
                local least = math.huge
                for v = 0, height - 1 do
                    for u = 0, width - 1 do
                        if belongs(u, v) == inside then
                            local dx, dy = math.abs(u - x), math.abs(v - y)
                            if wrap then
                                dx, dy = math.min(dx, width - dx), math.min(dy, height - dy)
                            end
                            least = math.min(least, dx * dx + dy * dy)
                        end
                    end
                end
                return math.sqrt(least) / width
            end
            local plain = mask:distance{ threshold = 1 - share }
            local signed = mask:distance{ threshold = 1 - share, signed = true }
            unit.assertEquals(plain.wraps, wrap)
            local limit = (width + height) / width
            for y = 0, height - 1 do
                for x = 0, width - 1 do
                    local outside, inside = nearest(x, y, true), nearest(x, y, false)
                    unit.assertAlmostEquals(plain:get(x, y), math.min(outside, limit), 1e-6)
                    local half = 0.5 / width
                    unit.assertAlmostEquals(signed:get(x, y), outside > 0 and math.min(outside, limit) - half
                        or half - math.min(inside, limit), 1e-6)
                end
            end
        end
    end
end

function TestDistance.test_it_does_not_depend_on_the_resolution()
    local function disk(size)
        return esker.field{ size = size, values = function(x, y)
            return (x / size - 0.5) ^ 2 + (y / size - 0.5) ^ 2 < 0.04 and 1 or 0
        end }:distance{ signed = true }
    end
    local coarse, fine = disk(50), disk(200)
    for y = 0, 49, 7 do
        for x = 0, 49, 7 do
            local expected = math.sqrt((x / 50 - 0.5) ^ 2 + (y / 50 - 0.5) ^ 2) - 0.2
            unit.assertAlmostEquals(coarse:get(x, y), expected, 0.02)
            unit.assertAlmostEquals(fine:get(4 * x, 4 * y), expected, 0.005)
        end
    end
end

function TestDistance.test_a_networks_lines_have_no_distance()
    local network = esker.river_network{ size = 64, points = 100, seed = 3 }
    local away = network:distance{}
    unit.assertEquals(away.width, 64)
    unit.assertEquals(esker.statistics(away).min, 0)
    for _, reach in ipairs(network:reaches()) do
        for _, point in ipairs(reach) do
            local x, y = math.min(63, point.x // 1 | 0), math.min(63, point.y // 1 | 0)
            if x >= 0 and y >= 0 then
                unit.assertTrue(away:get(x, y) <= 1.5 / 64)
            end
        end
    end
end

function TestDistance.test_disks_of_points_go_on_beyond_edges_that_meet()
    local list = { { x = 0.5, y = 20.5, radius = 6 }, { x = 30, y = 63, radius = 4 } }
    local points = esker.points{ size = 64, wrap = true, list = list }
    local away, mask = points:distance{}, points:rasterize{}
    unit.assertTrue(away.wraps and mask.wraps)
    unit.assertEquals(away:hash(), esker.points{ size = 64, list = list }:distance{ wrap = true }:hash())
    for y = 0, 63 do
        for x = 0, 63 do
            local nearest = 1e9
            for i = 0, 8 do
                for _, point in ipairs(list) do
                    local dx, dy = x + 0.5 - point.x + 64 * (i % 3 - 1), y + 0.5 - point.y + 64 * (i // 3 - 1)
                    nearest = math.min(nearest, math.sqrt(dx * dx + dy * dy) - point.radius)
                end
            end
            unit.assertAlmostEquals(away:get(x, y) * 64, math.max(nearest, 0), 1)
            unit.assertAlmostEquals(mask:get(x, y), math.max(0, math.min(1, 0.5 - nearest)), 1e-6)
        end
    end
    unit.assertFalse(esker.points{ size = 64, list = list }:rasterize{}.wraps)
    unit.assertErrorMsgContains("wrap must be true or false, got 1", esker.points,
        { size = 8, list = {}, wrap = 1 })
end

function TestDistance.test_lines_go_on_beyond_edges_that_meet()
    local land = esker.field{ size = 64, values = function(x) return math.abs(x - 32.2) end }
    local line = land:contours{ levels = { 31.3 }, interval = 0, line = 9 } -- 0.9 from the left edge
    unit.assertTrue(line:rasterize():get(63, 20) < 0.1)
    unit.assertEquals(line:rasterize{ wrap = true }:get(63, 20), 1)
    unit.assertEquals(line:distance{ wrap = true }:get(61, 20), 0)
end

TestFlatten = {}

local land = esker.diamond_square{ width = 48, height = 40, seed = 3 }

local function disk_at(u, v, radius)
    return esker.field{ width = 48, height = 40, wrap = true, values = function(x, y)
        return (x - u) ^ 2 + (y - v) ^ 2 <= radius * radius and 1 or 0
    end }
end

function TestFlatten.test_a_place_is_level_and_the_rest_untouched()
    local town = disk_at(43, 3, 6) -- near edges that meet
    local flat, share = land:flatten(town, { edge = 6 / 48 })
    local sum, count = 0, 0
    for y = 0, 39 do
        for x = 0, 47 do
            if town:get(x, y) == 1 then
                sum, count = sum + land:get(x, y), count + 1
            end
        end
    end
    local away = town:distance{}
    for y = 0, 39 do
        for x = 0, 47 do
            local t = math.max(0, 1 - away:get(x, y) * 8)
            local weight = t * t * (3 - 2 * t)
            unit.assertAlmostEquals(share:get(x, y), weight, 1e-5)
            unit.assertAlmostEquals(flat:get(x, y), land:get(x, y) + (sum / count - land:get(x, y)) * weight, 1e-5)
        end
    end
    unit.assertAlmostEquals(land:flatten(town, { level = 7 }):get(43, 3), 7, 0)
    unit.assertEquals(land:flatten(town * 0):hash(), land:hash())
end

function TestFlatten.test_a_sloped_place_follows_its_ground()
    local plane = esker.field{ width = 48, height = 40, wrap = true, values = function(x, y)
        return 0.3 + 0.02 * x - 0.01 * y
    end }
    local town = disk_at(20, 17, 5)
    local difference = (plane:flatten(town, { sloped = true, edge = 0.1 }) - plane):abs()
    unit.assertTrue(esker.statistics(difference).max < 1e-5)
    local rough = (plane + land * 0.1):flatten(town, { sloped = true, edge = 0 })
    unit.assertAlmostEquals(rough:get(21, 17) - rough:get(20, 17), rough:get(20, 17) - rough:get(19, 17), 1e-6)
end

function TestFlatten.test_only_masks_are_sloped()
    local road = land:path{ paths = { 0.1, 0.1, 0.9, 0.9 } }
    local sites = esker.points{ width = land.width, height = land.height, list = { { x = 9, y = 9, radius = 3 } } }
    for _, place in ipairs{ road, sites } do
        unit.assertErrorMsgContains("flatten: sloped is for a mask", land.flatten, land, place, { sloped = true })
    end
end

function TestFlatten.test_a_roads_bed_is_as_high_as_the_ground_along_it()
    local network = esker.river_network{ width = 48, height = 40, points = 60, seed = 3 }
    local plane = esker.field{ width = 48, height = 40, values = function(x) return 0.01 * x end }
    local _, share = plane:flatten(network, { width = 0.06, edge = 0.04 })
    local away = network:distance{}
    for y = 0, 39 do
        for x = 0, 47 do
            if away:get(x, y) == 0 then
                unit.assertEquals(share:get(x, y), 1)
            elseif away:get(x, y) > 0.03 + 0.04 + 2 / 48 then
                unit.assertEquals(share:get(x, y), 0)
            end
        end
    end
    local road, covered = land:flatten(network, { width = 0.06, edge = 0.04 })
    local outside = (road - land):abs() * covered:remap{ from = { 0, 1e-6 }, to = { 1, 0 } }
    unit.assertEquals(esker.statistics(outside).max, 0)
    -- Along a straight line on a plane nothing is cut or filled on the line.
    local change = (plane:flatten(network, { width = 0.06, edge = 0.04, span = 0.1 }) - plane):abs()
    unit.assertTrue(esker.statistics(change).max < 0.04)
end

function TestFlatten.test_roads_cross_the_sea_on_dams()
    local bay = esker.field{ size = 48, values = function(x) return math.abs(x - 24) / 24 - 0.5 end }
    bay.wraps = false
    local road = bay:path{ paths = { 0.02, 0.5, 0.98, 0.5 }, crossing = 0 }
    local bed = bay:flatten(road, { width = 0.05 })
    for x = 1, 46 do
        unit.assertTrue(bed:get(x, 24) >= math.max(bay:get(x, 24) - 0.05, 0), x)
    end
    unit.assertTrue(bay:flatten(road, { width = 0.05, sea_level = -1 }):get(24, 24) < -0.3)
end

local function check_sites(across, radii)
    local list = { { x = 20.5, y = 2.5, radius = 8 }, { x = 40.5, y = 20.5, radius = 2 }, { x = 8.5, y = 30.5 } }
    local points = esker.points{ width = 48, height = 40, list = list }
    local flat, share = land:flatten(points, { edge = 0, width = across })
    for i, radius in ipairs(radii) do
        local sum, count, levels = 0, 0, {}
        for y = 0, 39 do
            for x = 0, 47 do
                local dx, dy = x + 0.5 - list[i].x, (y + 0.5 - list[i].y + 20) % 40 - 20
                if dx * dx + dy * dy <= radius * radius then
                    sum, count = sum + land:get(x, y), count + 1
                    levels[#levels + 1] = flat:get(x, y)
                    unit.assertEquals(share:get(x, y), 1)
                elseif dx * dx + dy * dy < (radius + 4) ^ 2 then
                    unit.assertEquals(share:get(x, y), 0)
                end
            end
        end
        for _, level in ipairs(levels) do
            unit.assertAlmostEquals(level, sum / count, 1e-6)
        end
    end
    unit.assertAlmostEquals(land:flatten(points, { level = 7 }):get(24, 36), 7, 1e-5)
    -- Where two edges overlap each disk is level, and the ground between them has no step.
    local steep = esker.field{ size = 64, values = function(x) return x end }
    local near = esker.points{ size = 64, list = { { x = 16, y = 32, radius = 8 }, { x = 40, y = 32, radius = 8 } } }
    local two = steep:flatten(near, { edge = 0.2 })
    for x = 1, 62 do
        unit.assertTrue(math.abs(two:get(x, 31) - two:get(x - 1, 31)) < 8)
    end
    unit.assertAlmostEquals(two:get(22, 31), two:get(10, 31), 1e-3)
    unit.assertAlmostEquals(two:get(46, 31), two:get(34, 31), 1e-3)
end

function TestFlatten.test_sites_are_disks_of_the_points_radius()
    check_sites(nil, { 8, 2, 0.5 })
    check_sites(6 / 48, { 3, 3, 3 })
end

-- Ground that rises by 0.2 a cell from a lake, whose bed is deep.
local function shore(x)
    return x < 20 and -9 or (x - 19) * 0.2
end

function TestFlatten.test_places_beside_water_have_no_bank()
    local size <const> = 64
    local ground = esker.field{ size = size, values = shore, wrap = false }
    local water = esker.field{ size = size, values = function(x) return x < 20 and 1 or 0 end, wrap = false }
    local disk = esker.points{ size = size, list = { { x = 32.5, y = 32.5, radius = 12 } } }
    local mask = esker.field{ size = size, values = function(x, y)
        return (x - 32) ^ 2 + (y - 32) ^ 2 <= 144 and 1 or 0
    end }
    local line = esker.lines{ size = size, list = { { { 2, 32.5 }, { 60, 32.5 } } } }
    for _, place in ipairs{ disk, mask, line } do
        local plain = ground:flatten(place, { edge = 0.2, level = 12, width = place == line and 0.2 or nil })
        unit.assertTrue(plain:get(20, 32) > ground:get(20, 32) + 8)
        local kept, share = ground:flatten(place, { edge = 0.2, level = 12, width = place == line and 0.2 or nil,
            water = water, bank = 0.5 * size })
        for x = 0, size - 1 do
            local change, away = kept:get(x, 32) - ground:get(x, 32), math.max(x - 19, 0)
            unit.assertTrue(math.abs(change) <= 0.5 * away + 1e-4, x)
            unit.assertAlmostEquals(change, share:get(x, 32) * (12 - ground:get(x, 32)), 1e-3)
        end
        unit.assertAlmostEquals(kept:get(45, 32), plain:get(45, 32), 0)
    end
    -- Neither a site nor a road gets its level from the bed.
    local site = esker.points{ size = size, list = { { x = 24.5, y = 32.5, radius = 8 } } }
    unit.assertTrue(ground:flatten(site, { edge = 0, water = water, bank = 1e4, sea_level = -10 }):get(24, 32) > 0.9)
    unit.assertTrue(ground:flatten(line, { edge = 0, water = water, bank = 1e4, sea_level = -10 }):get(20, 32) > 0.2)
    unit.assertTrue(ground:flatten(line, { edge = 0, sea_level = -10 }):get(20, 32) < -2)
end

TestStamp = {}

function TestStamp.test_a_stamp_lands_where_it_should()
    local mark = esker.field{ width = 8, height = 4, values = function(x, y) return 1 + x + 10 * y end }
    local function stamped(arguments)
        arguments.feather, arguments.mode = 0, "replace"
        return (land * 0):stamp(mark, arguments)
    end
    local plain = stamped{}
    for y = 0, 39 do
        for x = 0, 47 do
            local u, v = x - 20, y - 18
            local inside = u >= 0 and u < 8 and v >= 0 and v < 4
            unit.assertAlmostEquals(plain:get(x, y), inside and mark:get(u, v) or 0, 1e-5)
        end
    end
    local turned = stamped{ angle = 90 } -- clockwise: the top left goes to the top right
    unit.assertAlmostEquals(turned:get(25, 16), mark:get(0, 0), 1e-4)
    unit.assertAlmostEquals(turned:get(25, 23), mark:get(7, 0), 1e-4)
    unit.assertAlmostEquals(turned:get(22, 16), mark:get(0, 3), 1e-4)
    local large = stamped{ size = 16 / 48 }
    unit.assertAlmostEquals(large:get(24, 20), mark:get(4, 2) * 0.75 + mark:get(3, 2) * 0.25 - 10 * 0.25, 1e-4)
    local across = stamped{ x = 1, y = 1 } -- land wraps
    unit.assertAlmostEquals(across:get(47, 39), mark:get(3, 1), 1e-5)
    unit.assertAlmostEquals(across:get(0, 0), mark:get(4, 2), 1e-5)
end

-- Where edges fall on cells' centres, too, and turned by any number of right angles.
function TestStamp.test_a_hard_edge_is_half_open()
    local flat = esker.field{ size = 100, wrap = false, values = 0 }
    local function covered(across, down, options)
        options.feather = 0
        return flat:stamp(esker.field{ width = across, height = down, values = 1 }, options):statistics().sum
    end
    for _, angle in ipairs{ 0, 90, 180, 270, -90 } do
        for _, at in ipairs{ 0.5, 0.505, 0.5037 } do
            unit.assertEquals(covered(11, 9, { x = at, y = at, angle = angle }), 99)
            unit.assertEquals(covered(1, 1, { x = at, y = at, angle = angle }), 1)
            unit.assertEquals(covered(4, 6, { x = at, y = at, angle = angle }), 24)
        end
    end
    local one = flat:stamp(esker.field{ width = 1, height = 1, values = 1 }, { feather = 0, angle = 90 })
    unit.assertEquals(one:get(49, 49), 1) -- its centre is the corner of four cells
    local turned = flat:stamp(esker.field{ width = 3, height = 3, values = 1 }, { feather = 0, angle = 180 })
    unit.assertEquals({ turned:get(47, 47), turned:get(48, 48), turned:get(50, 50), turned:get(51, 51) },
        { 0, 1, 1, 0 })
end

function TestStamp.test_modes_and_feather()
    local half = esker.field{ size = 16, values = 0.5 }
    unit.assertAlmostEquals(land:stamp(half):get(24, 20), land:get(24, 20) + 0.5, 1e-6)
    for _, mode in ipairs{ "max", "min" } do
        unit.assertAlmostEquals(land:stamp(half, { mode = mode, magnitude = 1.2 }):get(24, 20),
            math[mode](land:get(24, 20), 0.6), 1e-6)
    end
    local soft = (land * 0):stamp(half, { feather = 1 })
    for x = 17, 23 do
        unit.assertTrue(soft:get(x, 20) > soft:get(x - 1, 20))
    end
    unit.assertTrue(soft:get(16, 20) < 0.02)
end

os.exit(unit.LuaUnit.run())
