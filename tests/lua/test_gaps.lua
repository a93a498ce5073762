-- Cells without data: they are never taken for ground.

local unit = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

local size = 24
local hole = esker.field{ size = size, values = function(x, y)
    return x >= 5 and x < 9 and y >= 3 and y < 12 and 1 or 0
end }

local function ground()
    return 100 + 50 * esker.noise{ size = size, seed = 3, wrap = false }
end

local function has_hole(field)
    return field:find_gaps() == hole
end

TestGaps = {}

function TestGaps.test_they_are_declared_and_read()
    local land = ground()
    local field = land:set_gaps(hole)
    unit.assertEquals(field.gaps, 36)
    unit.assertEquals(land.gaps, 0)
    unit.assertNil(field:get(5, 3))
    unit.assertEquals(field:get(4, 3), land:get(4, 3))
    unit.assertTrue(has_hole(field))
    unit.assertNotEquals(field:hash(), land:hash())
    local other = field + 0
    other:set(5, 3, 7)
    unit.assertEquals({ other:get(5, 3), other.gaps, field.gaps }, { 7, 35, 36 })
    unit.assertFalse(other == field)
end

function TestGaps.test_statistics_leave_them_out()
    local land = ground()
    local low = (land - 1000 * hole):set_gaps(hole)
    local sum, count, least = 0, 0, math.huge
    for y = 0, size - 1 do
        for x = 0, size - 1 do
            if hole:get(x, y) == 0 then
                sum, count, least = sum + land:get(x, y), count + 1, math.min(least, land:get(x, y))
            end
        end
    end
    local found = low:statistics()
    unit.assertAlmostEquals(found.mean, sum / count, 1e-4)
    unit.assertEquals(found.min, least)
    local cells = 0
    for _, number in ipairs(low:histogram{ bins = 5 }.counts or low:histogram{ bins = 5 }) do
        cells = cells + number
    end
    unit.assertEquals(cells, count)
    unit.assertEquals(low:normalize():statistics().min, 0)
    unit.assertEquals(low:normalize():statistics().max, 1)
end

-- Contours end at gaps, and are whole: each end lies at the edge of the field or beside a gap.
function TestGaps.test_contours_end_at_them()
    local land = ground():set_gaps(hole)
    local points, lines = 0, land:contours{ interval = 5 }
    for _, line in ipairs(lines:reaches()) do
        for i, point in ipairs(line) do
            local in_hole = point.x > 5.5 and point.x < 8.5 and point.y > 3.5 and point.y < 11.5
            local beside = point.x >= 4.5 and point.x <= 9.5 and point.y >= 2.5 and point.y <= 12.5
            local outer = math.min(point.x, point.y) <= 0.5 or math.max(point.x, point.y) >= size - 0.5
            unit.assertFalse(in_hole)
            if (i == 1 or i == #line) and not (line[1].x == line[#line].x and line[1].y == line[#line].y) then
                unit.assertTrue(beside or outer)
                points = points + (beside and 1 or 0)
            end
        end
    end
    unit.assertTrue(points > 4)
end

-- Cells without data are no part of the deviation by which heights are divided.
function TestGaps.test_position_index_leaves_them_out()
    local land = ground()
    local half = esker.field{ size = size, values = function(x) return x < 7 and 1 or 0 end }
    local parted = land:set_gaps(half)
    local rise, index = parted:relative_height{ radius = 0.2 }, parted:position_index{ radius = { 0.2 } }
    unit.assertAlmostEquals(index:get(9, 9), rise:get(9, 9) / rise:statistics().stddev, 1e-5)
end

-- Parts that a cell takes of several gaps do not cancel out, though cubic weights have signs.
function TestGaps.test_cubic_interpolation_takes_no_part_of_them()
    local width, height = 37, 23
    local function is_gap(x, y)
        x, y = math.min(math.max(x, 0), width - 1), math.min(math.max(y, 0), height - 1)
        return (x * 7 + y * 13) % 11 == 0
    end
    local function marks(x, y) return is_gap(x, y) and 1 or 0 end
    local holes = esker.field{ width = width, height = height, values = marks }
    local function taps(at, from, to)
        local centre = (at + 0.5) * from / to - 0.5
        local t = centre - math.floor(centre)
        return math.floor(centre) - 1, { (-t ^ 3 + 2 * t ^ 2 - t) / 2, (3 * t ^ 3 - 5 * t ^ 2 + 2) / 2,
            (-3 * t ^ 3 + 4 * t ^ 2 + t) / 2, (t ^ 3 - t ^ 2) / 2 }
    end
    local field = esker.noise{ width = width, height = height, seed = 5, wrap = false }:set_gaps(holes)
    local found = field:resize{ width = 100, height = 60, interpolation = "cubic" }:find_gaps()
    for y = 0, 59 do
        local top, down = taps(y, height, 60)
        for x = 0, 99 do
            local left, across = taps(x, width, 100)
            local part = 0
            for j = 1, 4 do
                for i = 1, 4 do
                    part = part + (is_gap(left + i - 1, top + j - 1) and math.abs(down[j] * across[i]) or 0)
                end
            end
            unit.assertEquals(found:get(x, y), part > 1e-4 and 1 or 0)
        end
    end
end

function TestGaps.test_no_rain_falls_on_them()
    local land = (ground() - 100):set_gaps(hole)
    for _, rain_map in ipairs{ false, esker.field{ size = size, values = function() return 2 end } } do
        local _, _, _, stored, evaporated, drained =
            land:lakes{ rain = 0.5, evaporation = 0.1, rain_map = rain_map or nil }
        unit.assertAlmostEquals(stored + evaporated + drained, (rain_map and 1 or 0.5) * (size * size - 36), 1e-9)
    end
end

-- Water leaves into gaps as into the sea, whatever the ground around them, and none of them is ground.
function TestGaps.test_water_leaves_into_them()
    local land, side = ground(), 9
    local edge = esker.field{ size = size, values = function(x) return x < side and 1 or 0 end }
    local there, rest = land:set_gaps(edge), land:crop{ x = side, y = 0, width = size - side, height = size }
    local function same(a, b)
        return a:crop{ x = side, y = 0, width = size - side, height = size } == b
    end
    unit.assertTrue(same(there:fill{}, rest:fill{}))
    unit.assertTrue(same(there:lakes{}, rest:lakes{}))
    for _, operation in ipairs{ "fill", "breach", "lakes", "flow_accumulation", "flow_direction", "basins",
        "stream_order", "distance_to_river", "height_above_river", "wetness_index" } do
        local result = there[operation](there, {})
        unit.assertTrue(result:find_gaps() == edge, operation)
    end
    unit.assertTrue(there:height_above_river{}:statistics().max < land:statistics().max - land:statistics().min)
    local without = { threshold = 1, sea_level = -1000 }
    local raised = (there + 512):height_above_river(without) - there:height_above_river(without)
    unit.assertTrue(raised:abs():statistics().max < 1e-3)
    local whole, parted = rest:flow_direction{}, there:flow_direction{}
    for y = 1, size - 2 do
        for x = 1, size - side - 2 do
            unit.assertEquals(parted:get(x + side, y), whole:get(x, y))
        end
    end
    unit.assertEquals(there:flow_accumulation{ rain = edge }:statistics().max, 0)
    local wet = there:wetness_index{ sea_level = -1000 } -- the ground does not fall to gaps
    local drained, angle = there:flow_accumulation{ method = "dinf", sea_level = -1000 }, there:gradient_angle{}
    for y = 0, size - 1 do
        local slope = math.max(math.tan(math.rad(angle:get(side, y))), 0.001)
        unit.assertAlmostEquals(wet:get(side, y), math.log(drained:get(side, y) / slope), 1e-3)
    end
    for _, reach in ipairs(there:rivers_from_flow{ threshold = 0.02 }:reaches()) do
        unit.assertTrue(reach[#reach].altitude >= land:statistics().min and reach[#reach].x > side - 0.5)
    end
end

-- What lies in gaps changes nothing elsewhere: neighbours take them as an edge.
function TestGaps.test_no_operation_takes_them_for_ground()
    local land = ground()
    local a, b = (land - 5000 * hole):set_gaps(hole), (land + 300 * hole):set_gaps(hole)
    unit.assertTrue(a == b)
    for _, name in ipairs{ "blur", "slope", "median", "hillshade", "curvature", "sharpen", "normalize", "clamp" } do
        local left = a[name](a, {})
        unit.assertTrue(has_hole(left), name)
        unit.assertTrue(left:statistics().max < 200, name)
    end
    local flat = esker.field{ size = size, values = 7 }:set_gaps(hole)
    unit.assertEquals(flat:blur{}:statistics().min, 7)
    unit.assertEquals(flat:slope():statistics().max, 0)
    unit.assertEquals((land / (1 - hole):set_gaps(hole)).gaps, 36) -- not by the 0 of a gap
    unit.assertEquals((a + land:set_gaps(hole:crop{ x = 2, wrap = true })).gaps, 36 + 18)
end

-- The ground beside a gap goes on in it, the same however the land lies.
function TestGaps.test_a_turned_field_has_turned_results()
    local function turn(field)
        return field:flip{ axis = "diagonal" }:flip{ axis = "x" }
    end
    local mask = esker.noise{ size = 64, seed = 8 }
    mask = esker.field{ size = 64, values = function(x, y)
        return (mask:get(x, y) > 0.25 or (x * 7 + y * y * 5) % 23 == 0) and 1 or 0
    end }
    local field = (100 + 50 * esker.noise{ size = 64, seed = 3, wrap = false }):set_gaps(mask)
    for _, name in ipairs{ "slope", "blur", "median", "curvature", "sharpen", "laplacian" } do
        local run = field[name]
        local most = (turn(run(field, {})) - run(turn(field), {})):statistics()
        unit.assertTrue(math.max(-most.min, most.max) < 1e-3, ("%s: %g"):format(name, math.max(-most.min, most.max)))
    end
end

-- Where edges meet, a field that is shifted over them has the same results, shifted; the nearest height may lie beyond.
function TestGaps.test_edges_that_meet_are_no_edges_for_gaps()
    for _, side in ipairs{ size, size - 1, 5, 2, 1 } do
        local land = esker.noise{ size = size, seed = 3 }:crop{ height = side, wrap = true }
        for part = 2, 9, 7 do
            local mask = esker.field{ width = size, height = side, values = function(x, y)
                return (x * 7 + y * 5 + x * y) % 9 < part and 1 or 0
            end }
            local field = land:set_gaps(mask)
            field.wraps = true
            for y = 0, side - 1, 3 do
                local shift = { x = 7 * y + 5, y = y, width = size, height = side, wrap = true }
                for _, name in ipairs{ "blur", "median", "slope", "hillshade", "curvature", "sharpen" } do
                    local left, right = field[name](field, {}):crop(shift), field:crop(shift)
                    right = right[name](right, {})
                    unit.assertTrue(left.gaps == right.gaps and left:find_gaps() == right:find_gaps())
                    local most = (left - right):statistics()
                    unit.assertTrue(math.max(-most.min, most.max) < (name == "blur" and 1e-6 or 1e-30), name)
                end
            end
        end
    end
end

function TestGaps.test_what_moves_cells_moves_them()
    local field = ground():set_gaps(hole)
    unit.assertEquals(field:crop{ x = 6, y = 3, width = 10, height = 5 }.gaps, 15)
    unit.assertEquals(field:crop{ x = 9, y = 0 }.gaps, 0)
    unit.assertNil(field:flip{}:get(size - 6, 3))
    unit.assertEquals(field:flip{ axis = "diagonal" }:find_gaps(), hole:flip{ axis = "diagonal" })
    unit.assertEquals(field:resize{ size = 2 * size, interpolation = "nearest" }.gaps, 4 * 36)
    unit.assertTrue(field:resize{ size = 2 * size }.gaps >= 4 * 36)
    unit.assertEquals(field:transform{ angle = 180 }:find_gaps(), hole:transform{ angle = 180 })
end

-- What looks at cells one by one, or at those near or in sight, leaves them out.
function TestGaps.test_what_sees_cells_or_their_neighbours_skips_them()
    local land = ground()
    local field = (land - 1000 * hole):set_gaps(hole)
    for _, name in ipairs{ "ridges", "valleys", "viewshed", "equalize", "distance" } do
        unit.assertTrue(has_hole(field[name](field, {})), name)
    end
    unit.assertErrorMsgContains("the cell 6, 6 of the eye has no data", field.viewshed, field, { x = 0.27, y = 0.27 })
    unit.assertEquals(field:texture():hash(), (land + 300 * hole):set_gaps(hole):texture():hash())
    unit.assertNotEquals(field:texture():hash(), field:inpaint(hole):texture():hash())
end

function TestGaps.test_ranks_leave_them_out()
    local field = (ground() - 1000 * hole):set_gaps(hole)
    local even = field:equalize():statistics()
    unit.assertEquals({ even.min, even.max }, { 0, 1 })
    unit.assertAlmostEquals(even.mean, 0.5, 1e-6)
    local like = esker.noise{ size = 40, seed = 9 }:set_gaps(hole:crop{ width = 40, height = 40, wrap = true })
    local matched, wanted = field:match(like):statistics(), like:statistics()
    unit.assertEquals({ matched.min, matched.max }, { wanted.min, wanted.max })
    unit.assertEquals((ground():match(field)).gaps, 0) -- the other field's gaps are no places of this one
    local all = field:set_gaps(hole * 0 + 1)
    unit.assertEquals(all:equalize().gaps, size * size)
    unit.assertEquals(all:match(like).gaps, size * size)
    unit.assertErrorMsgContains("like has no data in any of its cells", like.match, like, all)
end

-- A gap belongs neither to a mask nor to what is outside.
function TestGaps.test_distances_are_to_cells_with_data()
    local mask = esker.field{ size = size, values = function(x) return x < 7 and 1 or 0 end }
    local away = (mask + 5 * hole):set_gaps(hole):distance()
    unit.assertAlmostEquals(away:get(9, 7), 5 / size, 1e-6) -- as far as column 4: 5 and 6 have no data
    unit.assertAlmostEquals(away:get(9, 20), 3 / size, 1e-6)
    local signed = (mask - 5 * hole):set_gaps(hole):distance{ signed = true, threshold = 0.5 }
    unit.assertAlmostEquals(signed:get(4, 7), -4.5 / size, 1e-6) -- as far as column 9
    unit.assertTrue(has_hole(signed))
end

function TestGaps.test_no_point_stands_and_no_path_leads_in_them()
    local field = (ground() - 1000 * hole):set_gaps(hole)
    local points = field:scatter{ distances = { 0.05 } }:list()
    unit.assertTrue(#points > 100)
    for _, point in ipairs(points) do
        unit.assertEquals(hole:get(math.floor(point.x), math.floor(point.y)), 0)
        unit.assertTrue(point.altitude > 0)
    end
    for _, point in ipairs(ground():scatter{ distances = { 0.05 }, density = (hole + 1):set_gaps(hole) }:list()) do
        unit.assertEquals(hole:get(math.floor(point.x), math.floor(point.y)), 0)
    end
    for _, turning in ipairs{ 0, 0.02 } do
        local way = { paths = { { 0.1, 0.3, 0.6, 0.3 } }, smooth = 0, turning = turning }
        local flat = esker.field{ size = size, values = 1 }
        local lines = flat:set_gaps(hole):path(way):rasterize()
        unit.assertEquals((lines:select{ height = { 0.5, 9 } } * hole):statistics().max, 0)
        unit.assertTrue((flat:path(way):rasterize() * hole):statistics().max > 0)
        way.cost = flat:set_gaps(hole) -- of any of its fields
        unit.assertEquals((flat:path(way):rasterize():select{ height = { 0.5, 9 } } * hole):statistics().max, 0)
        way.cost = nil
        way.paths = { { 0.27, 0.3, 0.9, 0.3 } }
        local wall = esker.field{ size = size, values = function(x) return x == 12 and 1 or 0 end }
        for _, land in ipairs{ flat:set_gaps(hole), flat:set_gaps(wall) } do
            unit.assertErrorMsgContains("cells without data lie across every way of row 1", land.path, land, way)
        end
    end
end

function TestGaps.test_peaks_and_saddles_are_outside_them()
    local land = ground()
    for _, kind in ipairs{ "peaks", "pits" } do
        local field = (land + (kind == "peaks" and 1000 or -1000) * hole):set_gaps(hole)
        local points, prominences, saddles = field:peaks{ kind = kind, prominence = 1 }
        local range = field:statistics()
        unit.assertTrue(#prominences > 1)
        unit.assertEquals(points:list()[1].altitude, kind == "peaks" and range.max or range.min)
        unit.assertAlmostEquals(prominences[1], range.max - range.min, 1e-4)
        for _, list in ipairs{ points:list(), saddles:list() } do
            for _, point in ipairs(list) do
                unit.assertEquals(field:get(math.floor(point.x), math.floor(point.y)), point.altitude)
            end
        end
    end
    local half = esker.field{ size = size, values = function(x, y) return y < 8 and math.abs(x - 12) or 0 end }
    local cut = half:set_gaps(esker.field{ size = size, values = function(x) return x // 4 == 2 and 1 or 0 end })
    local _, prominences = cut:peaks{ prominence = 2 }
    unit.assertEquals(prominences, { 12, 11 }) -- no way leads over the gaps
    unit.assertEquals(#cut:set_gaps(hole * 0 + 1):peaks():list(), 0)
end

function TestGaps.test_what_cannot_leave_them_out_says_so()
    local field = ground():set_gaps(hole)
    for _, name in ipairs{ "stream_erosion", "thermal_erosion", "olsen_erosion", "mesh" } do
        unit.assertErrorMsgContains("has no data in 36 of its cells, which " .. name .. " cannot skip",
            field[name], field, {})
    end
    unit.assertEquals(field:set_gaps(hole * 0 + 1):blur{}.gaps, field.width * field.height)
    local whole = field:inpaint(field:find_gaps())
    unit.assertEquals(whole.gaps, 0)
    unit.assertEquals(whole:get(20, 20), field:get(20, 20))
    unit.assertEquals(field:inpaint(hole:crop{ x = 2, wrap = true }).gaps, 18)
    unit.assertEquals(whole:fill().gaps, 0)
end

function TestGaps.test_large_fields_keep_gaps_that_they_had()
    local land = esker.noise{ size = 700, seed = 1 } + 1
    local function mask(seed) return esker.noise{ size = 700, seed = seed }:select{ height = { 0.5, 9, 0 } } end
    local one, other = mask(2), mask(3)
    local both = land:set_gaps(one):set_gaps(other)
    unit.assertEquals(both:find_gaps(), one:max(other))
    unit.assertEquals(both:hash(), (land * (1 - one:max(other))):set_gaps(one:max(other)):hash(), "0 in gaps")
    unit.assertEquals(land:set_gaps(one * 0), land)
end

function TestGaps.test_files_keep_them()
    local field = (ground() - 120):set_gaps(hole)
    for ending, how in pairs{ [".asc"] = {}, [".npy"] = {}, [".r32"] = { order = "big" } } do
        local path = temporary(ending)
        field:save(path, how)
        if ending == ".r32" then
            how.width, how.height = size, size
        end
        unit.assertEquals(esker.load(path, how), field, ending)
        os.remove(path)
    end
end

function TestGaps.test_raw_numbers_have_either_byte_first()
    local field = esker.field{ width = 2, height = 1, values = { { 1, 258 } } }
    for order, bytes in pairs{ little = "\1\0\2\1", big = "\0\1\1\2" } do
        local path = temporary(".raw")
        field:save(path, { order = order, low = 0, high = 65535 })
        unit.assertEquals(assert(io.open(path, "rb")):read("a"), bytes)
        local shape = { order = order, low = 0, high = 65535, width = 2, height = 1 }
        unit.assertEquals(esker.load(path, shape), field)
        shape.height = 2
        unit.assertErrorMsgContains("truncated", esker.load, path, shape)
        os.remove(path)
    end
end

-- Every cell against its surroundings, of which only cells with data count, also over edges that meet.
function TestGaps.test_maxima_and_means_leave_gaps_out()
    local width <const>, height <const>, reach <const> = 23, 17, 3
    local rough = esker.noise{ width = width, height = height, seed = 3, kind = "white" }
    local holes = esker.noise{ width = width, height = height, seed = 5, kind = "white" }
    for _, share in ipairs{ 0.3, 0.9 } do
        local dem = rough:set_gaps(esker.field{ width = width, height = height,
            values = function(x, y) return (holes:get(x, y) < share or x > 12) and 1 or 0 end })
        for _, wraps in ipairs{ false, true } do
            dem.wraps = wraps
            local function check(of, is_near, expected)
                for y = 0, height - 1 do
                    for x = 0, width - 1 do
                        local found = {}
                        for dy = -reach, reach do
                            for dx = -reach, reach do
                                local u, v = x + dx, y + dy
                                local exists = wraps or u >= 0 and v >= 0 and u < width and v < height
                                found[#found + 1] = exists and is_near(dx, dy) and dem:get(u % width, v % height) or nil
                            end
                        end
                        if dem:get(x, y) then
                            unit.assertAlmostEquals(of:get(x, y), expected(found, dem:get(x, y)), 1e-6)
                        end
                    end
                end
            end
            local function is_any() return true end
            local function is_in_disk(dx, dy) return dx * dx + dy * dy <= reach * reach end
            local function highest(found) return math.max(table.unpack(found)) end
            local function lowest(found) return math.min(table.unpack(found)) end
            local radius = reach / width + 1e-6
            check(dem:morphology{ radius = radius }, is_in_disk, highest)
            check(dem:morphology{ radius = radius, kind = "erode" }, is_in_disk, lowest)
            check(dem:morphology{ radius = radius, element = "square" }, is_any, highest)
            check(dem:relative_height{ radius = reach / width }, is_any, function(found, own)
                local sum = 0
                for _, value in ipairs(found) do
                    sum = sum + value
                end
                return own - sum / #found
            end)
        end
    end
end

os.exit(unit.LuaUnit.run())
