-- Units follow from the frame: one model of ground in metres, in feet, in degrees and on stretched projections has the
-- same slopes, lengths, areas and curvatures, each compared with what geometry says.

local esker = require "esker"
local unit = require "luaunit"

TestUnits = {}

local us_foot <const> = 1200 / 3937
local has_gdal <const> = (function()
    local probe = esker.field{ size = 4, values = 0, frame = { x = 2433364, y = 879033, system = "EPSG:2274" } }
    return (pcall(probe.gradient_angle, probe))
end)()

-- Metres of a degree of longitude and of latitude on WGS 84.
local function degree(latitude)
    local phi, e2 = math.rad(latitude), 0.00669437999014
    local w = math.sqrt(1 - e2 * math.sin(phi) ^ 2)
    return math.rad(6378137 * math.cos(phi) / w), math.rad(6378137 * (1 - e2) / w ^ 3)
end

-- A plane that rises to the east by `slope` coordinate units of heights for each of x.
local function plane(frame, slope)
    local cell = frame.cell
    return esker.field{ size = 64, frame = frame, values = function(x) return slope * x * cell end }
end

local function angle(field)
    return field:gradient_angle():get(32, 32)
end

-- --- slopes ----------------------------------------------------------------------------------------------------------

function TestUnits.test_planes_have_their_slope_in_any_system()
    local planes = { { { x = 733939, y = 4063826, cell = 10, system = "EPSG:26916", unit = "m" }, 1, 45 },
        { { x = 733939, y = 4063826, cell = 10, system = "EPSG:26916" }, 1, 45 }, -- heights without a unit
        { { x = 733939, y = 4063826, cell = 10, system = "EPSG:26916", unit = "ft" }, 1 / 0.3048, 45 },
        { { cell = 10 }, 1, 45 },
        { { x = 1e6, y = 8399738, cell = 10, system = "EPSG:3857", unit = "m" }, 1, 63.376 }, -- at 60° north
        { { x = 6, y = 46, cell = 1 / 3600, system = "EPSG:4326" }, 0.1 * degree(46 - 32.5 / 3600), 5.7106 },
        { { x = 6, y = -46, cell = 1 / 3600, system = "EPSG:4269", unit = "ft" },
            0.1 * degree(46 + 32.5 / 3600) / 0.3048, 5.7106 } }
    if has_gdal then
        planes[#planes + 1] = { { x = 2433364, y = 879033, cell = 10, system = "EPSG:2274", unit = "us-ft" }, 1, 45 }
        planes[#planes + 1] = { { x = 2433364, y = 879033, cell = 10, system = "EPSG:2274" }, 1, 45 }
        planes[#planes + 1] = { { x = 2433364, y = 879033, cell = 10, system = "EPSG:2274+6360" }, 1, 45 }
        planes[#planes + 1] = { { x = 733939, y = 4063826, cell = 10, system = "EPSG:26916+6360" }, 1 / us_foot, 45 }
        planes[#planes + 1] = { { x = 2433364, y = 879033, cell = 10, system = "EPSG:2274", unit = "m" }, us_foot, 45 }
        planes[#planes + 1] = { { x = 1e6, y = 8362698, cell = 10, system = "EPSG:3395" }, 1, 63.376 }
    end
    for _, each in ipairs(planes) do
        local frame, slope, expected = table.unpack(each)
        unit.assertAlmostEquals(angle(plane(frame, slope)), expected, 0.01,
            (frame.system or "no system") .. ", heights in " .. (frame.unit or "no unit"))
    end
end

-- Every row has cells of its own width.
-- Far from the middle row, and across many rows, lengths along lines are those of the rows that they cross.
function TestUnits.test_lengths_along_lines_follow_their_rows()
    local land = esker.field{ width = 80, height = 200,
        values = function(x, y) return 500 - 2 * y + math.abs(x - 40) - (x == 40 and 9 or 0) end,
        frame = { x = 10, y = 70, cell = 0.05, system = "EPSG:4326", unit = "m" } }
    local function far(points)
        local list = land:profile(esker.lines{ width = 80, height = 200, list = { points } }):list()
        return list[#list].attributes.distance
    end
    local pieces = {}
    for i = 0, 400 do
        pieces[#pieces + 1] = { 5 + 70 * i / 400, 5 + 190 * i / 400 }
    end
    unit.assertTrue(math.abs(far{ pieces[1], pieces[#pieces] } / far(pieces) - 1) < 1e-4)
    -- The parallel of the sixth row, on the ellipsoid.
    local parallel, latitude = { { 10, 5.5 }, { 70, 5.5 } }, math.rad(69.725)
    local known = math.rad(3) * 6378137 * math.cos(latitude) / math.sqrt(1 - 0.00669437999 * math.sin(latitude) ^ 2)
    unit.assertTrue(math.abs(far(parallel) / known - 1) < 1e-6)
    local roads = land:grade(esker.lines{ width = 80, height = 200, list = { parallel } })
    unit.assertTrue(math.abs(roads:list()[1].attributes.length / known - 1) < 1e-6)
    local network = land:rivers_from_flow{ cells = 1000 }
    local longest = 0
    for _, point in ipairs(network:river_profiles():list()) do
        longest = math.max(longest, point.attributes.distance)
    end
    unit.assertEquals(network:network_statistics().reaches, 1)
    unit.assertTrue(math.abs(longest / network:network_statistics().length - 1) < 1e-6)
end

function TestUnits.test_degrees_are_as_long_as_at_their_row()
    local frame = { x = 0, y = 80, cell = 2, system = "EPSG:4326", unit = "m" }
    local field = esker.field{ size = 32, frame = frame, values = function(x, y)
        local east = degree(80 - 2 * (y + 0.5))
        return 0.001 * east * 2 * x
    end }
    for y = 4, 27 do
        unit.assertAlmostEquals(field:gradient_angle{ method = "zevenbergen" }:get(0, y) > 0 and
            math.tan(math.rad(esker.field{ width = 32, height = 32, frame = frame, values = function(x)
                return 0.001 * degree(80 - 2 * (y + 0.5)) * 2 * x
            end }:gradient_angle{}:get(16, y))), 0.001, 1e-6, y)
    end
end

function TestUnits.test_what_is_not_known_is_an_error()
    local field = plane({ cell = 10, unit = "degC" }, 1)
    unit.assertErrorMsgContains("'degC', which is no length", field.gradient_angle, field)
    field.frame = { cell = 10, system = "some ground" }
    for _, name in ipairs{ "gradient_angle", "curvature", "distance_to_river", "distance" } do
        unit.assertErrorMsgContains("'some ground' is no coordinate system", field[name], field)
    end
    unit.assertErrorMsgContains("some ground", field.stream_order, field, { area = 10 })
    unit.assertErrorMsgContains("some ground", field.flow_accumulation, field, { measure = "area" })
    field:fill() -- measures nothing
    field.frame = { cell = 10, system = "EPSG:99999", unit = "m" }
    local unknown = has_gdal and "PROJ knows no coordinate system 'EPSG:99999'" or "comes with GDAL"
    unit.assertErrorMsgContains(unknown, field.gradient_angle, field)
    unit.assertErrorMsgContains("'EPSG:99999'", field.viewshed, field, { x = 1, y = 2, coordinates = "degrees" })
end

function TestUnits.test_curvature_is_the_inverse_of_metres()
    local radius = 5000 -- of a dome
    for _, cell in ipairs{ 10, 20 } do
        local dome = esker.field{ size = 41, frame = { cell = cell, unit = "m" }, values = function(x, y)
            return math.sqrt(radius ^ 2 - ((x - 20) ^ 2 + (y - 20) ^ 2) * cell ^ 2) - radius
        end }
        unit.assertAlmostEquals(dome:curvature{ method = "zevenbergen" }:get(20, 20), 1 / radius, 2e-7, cell)
    end
end

-- --- water -----------------------------------------------------------------------------------------------------------

-- A straight valley to the north, and what drains there.
local function valley(frame, size, metres, height_unit)
    return esker.field{ size = size, frame = frame, values = function(x, y)
        return (100 + math.abs(x - size // 2) * metres * 0.05 + (y + 1) * metres * 0.01) / (height_unit or 1)
    end }
end

-- Rivers come into these windows from a hundred times their area.
function TestUnits.test_the_density_of_a_window_is_that_of_its_rivers()
    local map = esker.river_map{ seed = 5 }
    for _, size in ipairs{ 128, 256 } do
        local network = map:rivers{ x = 0.43, y = 0.2553, size = size, zoom = 64 }
        local facts, side = network:network_statistics(), size * network.frame.cell_width / 1000
        local of_window = facts.length / 1000 / side ^ 2
        unit.assertAlmostEquals(facts.density, of_window, 1e-9)
    end
end

function TestUnits.test_networks_and_ways_are_in_metres()
    local frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631", unit = "m" }
    local field = valley(frame, 65, 30)
    local facts = field:rivers_from_flow{ cells = 60 }:network_statistics()
    unit.assertAlmostEquals(facts.length, 65 * 30, 70)
    unit.assertAlmostEquals(facts.density, facts.length / 1000 / (65 * 65 * 0.0009), 0.1)
    local far = field:distance_to_river{ cells = 60 }
    unit.assertAlmostEquals(far:statistics().max, 32 * 30, 1e-3) -- straight down the sides
    unit.assertEquals(field:height_above_river{ cells = 60 }.frame.unit, "m")
    unit.assertNil(far.frame.unit)
end

function TestUnits.test_rivers_begin_where_an_area_drains()
    local function cells(field, arguments)
        return field:stream_order(arguments):clamp{ low = 0, high = 1 }:statistics().sum
    end
    local frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631", unit = "m" }
    local field = valley(frame, 64, 30)
    unit.assertEquals(cells(field, { area = 900 * 50 }), cells(field, { cells = 50 }))
    unit.assertEquals(cells(field, { threshold = 50 / 4096 }), cells(field, { cells = 50 }))
    local bare = field:georeference{ nowhere = true }
    unit.assertErrorMsgContains("area: the field has no frame", bare.stream_order, bare, { area = 5e6 })
    unit.assertErrorMsgContains("give one", field.stream_order, field, { area = 5e6, cells = 3 })
    -- A cell of 1/1200° is 92.6 m by 64 m at 46° north: the same area, counted in other cells.
    local east, north = degree(46)
    local degrees = valley({ x = 6, y = 46, cell = 1 / 1200, system = "EPSG:4326" }, 64, 80)
    unit.assertEquals(cells(degrees, { area = 60.2 * east * north / 1200 ^ 2 }), cells(degrees, { cells = 60 }))
    -- Cells are counted, and areas measured, for lines as for cells: in rows that differ by two thirds, too.
    local tall = (esker.noise{ size = 64, seed = 3 } * 9000):georeference{ x = 10, y = 80, cell = 0.15,
        system = "EPSG:4326", unit = "m" }
    for _, begin in ipairs{ { cells = 20 }, { threshold = 0.005 }, { area = 3e9 } } do
        local order, drawn, at = tall:stream_order(begin), 0, {}
        for _, reach in ipairs(tall:rivers_from_flow(begin):reaches()) do
            for _, point in ipairs(reach) do
                local x, y = point.x // 1, point.y // 1
                if x < 64 and y < 64 and not at[y * 64 + x] and order:get(x, y) > 0 then
                    at[y * 64 + x], drawn = true, drawn + 1
                end
            end
        end
        unit.assertTrue(drawn > 100)
        unit.assertEquals(drawn, cells(tall, begin))
    end
end

function TestUnits.test_drained_areas_are_those_of_the_ground()
    local east, north = degree(46 - 32 / 1200)
    local field = valley({ x = 6, y = 46, cell = 1 / 1200, system = "EPSG:4326" }, 64, 80)
    local counted, measured = field:flow_accumulation(), field:flow_accumulation{ measure = "area" }
    local ratio = measured:statistics().max / counted:statistics().max / (east * north / 1200 ^ 2)
    unit.assertAlmostEquals(ratio, 1, 1e-3)
    local plane_of = valley({ x = 5e5, y = 4e6, cell = 20, system = "EPSG:32631" }, 64, 20)
    local specific = plane_of:flow_accumulation{ measure = "specific" }
    unit.assertAlmostEquals(specific:get(32, 0), plane_of:flow_accumulation():get(32, 0) * 20, 1e-2)
    -- Wetness: of a metre of contour.
    local index = plane_of:wetness_index():get(32, 40)
    local bare = plane_of:georeference{ cell = 20, unit = "ft" }
    unit.assertAlmostEquals(index, bare:wetness_index():get(32, 40) - math.log(1 / 0.3048), 1e-3)
end

-- Beside 61° of latitude a cell of a degree is half as wide as it is high: a diagonal leads nearly north.
function TestUnits.test_water_takes_the_steepest_way_on_the_ground()
    local around = { { 1, 0, 1 }, { 1, 1, 2 }, { 0, 1, 4 }, { -1, 1, 8 }, { -1, 0, 16 }, { -1, -1, 32 }, { 0, -1, 64 },
        { 1, -1, 128 } }
    local bowl = esker.spectral{ width = 40, height = 30, seed = 3 }:normalize{} * 300 + 5
    local function steepest(field, x, y, east, north)
        local most, code = 0, 0
        for _, way in ipairs(around) do
            local fall = (field:get(x, y) - field:get(x + way[1], y + way[2]))
                / math.sqrt((way[1] * east) ^ 2 + (way[2] * north) ^ 2)
            if fall > most then most, code = fall, way[3] end
        end
        return most > 0 and code
    end
    local hashes = {}
    for _, frame in ipairs{ { x = 5, y = 61, cell = 1 / 1200, system = "EPSG:4326", unit = "m" },
        { cell_width = 10, cell_height = 25, unit = "m" }, { cell_width = 30, cell_height = 20, unit = "m" },
        { cell = 10, unit = "m" } } do
        bowl.frame = frame
        local direction = bowl:flow_direction{}
        local raised = bowl:fill{ slope = 0 } - bowl
        local compared = 0
        for y = 1, 28 do
            local east, north = frame.cell_width or frame.cell, frame.cell_height or frame.cell
            if frame.system then east, north = degree(61 - (y + 0.5) / 1200) end
            for x = 1, 38 do
                local code = raised:crop{ x = x - 1, y = y - 1, width = 3, height = 3 }:statistics().max == 0
                    and steepest(bowl, x, y, east, north)
                if code then
                    unit.assertEquals(direction:get(x, y), code, ("%d, %d, cells %g × %g"):format(x, y, east, north))
                    compared = compared + 1
                end
            end
        end
        unit.assertTrue(compared > 250, compared)
        hashes[direction:hash()] = true
        -- The same in strips, whose rows know where they lie.
        local large = esker.large{ field = bowl, rows = 7 }:flow_accumulation{}
        unit.assertEquals(large:crop{ x = 0, y = 0, width = 40, height = 30 }:hash(), bowl:flow_accumulation{}:hash())
    end
    local count = 0
    for _ in pairs(hashes) do count = count + 1 end
    unit.assertEquals(count, 4)
end

-- D-infinity (Tarboton 1997, equations 1 to 6) down a plane: all water goes to one neighbour where the ground falls
-- towards it, and else is parted by the angles between two.
function TestUnits.test_parted_water_keeps_angles_on_the_ground()
    for _, cell in ipairs{ { 10, 10 }, { 10, 25 }, { 30, 10 } } do
        local east, south = cell[1], cell[2]
        local corner = math.deg(math.atan(south, east)) -- of the diagonal, from the east
        for _, angle_of_fall in ipairs{ 0, 0.25 * corner, corner, 0.5 * (corner + 90), 90 } do
            local a = math.rad(angle_of_fall)
            local slope = esker.field{ size = 9, values = function(x, y)
                return 500 - 0.1 * (x * east * math.cos(a) + y * south * math.sin(a))
            end, frame = { cell_width = east, cell_height = south, unit = "m" } }
            local rain = esker.field{ size = 9, values = function(x, y) return (x == 4 and y == 4) and 1 or 0 end }
            local water = slope:flow_accumulation{ method = "dinf", rain = rain:georeference{ like = slope } }
            local right, below = angle_of_fall <= corner and 1 - angle_of_fall / corner or 0,
                angle_of_fall > corner and (angle_of_fall - corner) / (90 - corner) or 0
            local what = ("%d × %d, %g°"):format(east, south, angle_of_fall)
            unit.assertAlmostEquals(water:get(5, 4), right, 1e-3, what)
            unit.assertAlmostEquals(water:get(4, 5), below, 1e-3, what)
            unit.assertAlmostEquals(water:get(5, 5), 1 - right - below, 2e-3 + right + below, what)
        end
    end
end

-- Slopes between cells of one height are 0, also where rounded sides of cells would make them a little more: water
-- would run in circles.
function TestUnits.test_parted_water_runs_in_no_circles_on_lakes()
    local land = esker.noise{ size = 97, seed = 3, wrap = false } * 900 - 2000
    land.frame = { x = 10, y = 60.5, cell = 1 / 1200, system = "EPSG:4326", unit = "m" }
    local flow = land:flow_accumulation{ method = "dinf" }:statistics()
    unit.assertTrue(flow.min >= 1 and flow.max < 97 * 97, flow.min)
end

-- Distances count with both sides of a cell: where rows differ, with those halfway between two cells.
function TestUnits.test_distances_are_those_of_the_ground()
    local function fixed(across, down)
        return function() return across, down end
    end
    local function degrees(top, cell)
        return function(y)
            local east, north = degree(top - cell * (y + 0.5))
            return east * cell, north * cell
        end
    end
    for _, each in ipairs{ { { cell_width = 10, cell_height = 25, unit = "m" }, fixed(10, 25), 1e-4 },
        { { cell_width = 30, cell_height = 20, unit = "m" }, fixed(30, 20), 1e-4 },
        { { x = 5, y = 61, cell = 1 / 1200, system = "EPSG:4326", unit = "m" }, degrees(61, 1 / 1200), 1e-4 },
        { { x = 5, y = 71, cell = 0.1, system = "EPSG:4326", unit = "m" }, degrees(71, 0.1), 2e-3 } } do
        local frame, sides, error = table.unpack(each)
        local across, down = sides(14.5)
        local marked = { { 3, 4 }, { 30, 7 }, { 12, 25 }, { 13, 25 } }
        local mask = esker.field{ width = 40, height = 30, values = 0 }
        for _, cell in ipairs(marked) do
            mask:set(cell[1], cell[2], 1)
        end
        mask.frame = frame
        local distance = mask:distance{}
        for y = 0, 29 do
            for x = 0, 39 do
                local nearest = math.huge
                for _, cell in ipairs(marked) do
                    local wide, high = sides((y + cell[2]) / 2)
                    nearest = math.min(nearest, math.sqrt((wide * (x - cell[1])) ^ 2 + (high * (y - cell[2])) ^ 2))
                end
                unit.assertAlmostEquals(distance:get(x, y), nearest, error * nearest + 1e-4)
            end
        end
        -- Half a cell from the border: along rows half its width, along columns half its height.
        local half = esker.field{ width = 9, height = 9, values = function(x) return x < 4 and 1 or 0 end }
        for turn, part in ipairs{ half, half:flip{ axis = "diagonal" } } do
            part.frame = frame
            local border, wide, high = part:distance{ signed = true }, sides(4)
            for i = 0, 8 do
                local got = turn == 1 and border:get(i, 4) or border:get(4, i)
                local side = turn == 1 and wide or high
                unit.assertAlmostEquals(got, (i - 3.5) * side, 2e-3 * math.abs(i - 3.5) * side)
            end
        end
        local none = mask:distance{ threshold = 2 }
        unit.assertAlmostEquals(none:get(0, 0), 40 * across + 30 * down, 5e-3 * across * 70)
    end
end

-- --- the sea ---------------------------------------------------------------------------------------------------------

-- Cells twice as high as wide, as degrees are at 60° N.
function TestUnits.test_openness_sees_how_far_away_ground_is()
    local function wall(x, y) return (x == 20 or y == 20) and 60 or 0 end
    local land = esker.field{ size = 41, values = wall }
    land.frame = { x = 500000, y = 4100000, cell_width = 30, cell_height = 60, system = "EPSG:32613", unit = "m" }
    local open = land:openness{ radius = 0.02 } -- one step
    unit.assertAlmostEquals(open:get(19, 5), 90 - (math.deg(math.atan(60, 30)) + 2 * math.deg(math.atan(60,
        (30 ^ 2 + 60 ^ 2) ^ 0.5))) / 8, 1e-3)
    unit.assertAlmostEquals(open:get(5, 19), 90 - (math.deg(math.atan(60, 60)) + 2 * math.deg(math.atan(60,
        (30 ^ 2 + 60 ^ 2) ^ 0.5))) / 8, 1e-3)
end

function TestUnits.test_channels_fall_by_the_length_of_the_ground()
    local function falls(width, height, across)
        local land = esker.field{ size = 21, values = function(x, y)
            local along, beside = across and x or y, across and y or x
            return beside ~= 10 and 400 or along == 5 and 50 or along > 5 and 100 or 300
        end }
        land.frame = { x = 0, y = 0, cell_width = width, cell_height = height, system = "EPSG:32613", unit = "m" }
        local open = land:breach{ slope = 0.16 }
        return across and open:get(9, 10) - open:get(10, 10) or open:get(10, 9) - open:get(10, 10)
    end
    unit.assertAlmostEquals(falls(30, 60, true), 0.3, 1e-4)
    unit.assertAlmostEquals(falls(30, 60, false), 0.6, 1e-4)
    unit.assertAlmostEquals(falls(30, 30, true), 0.3, 1e-4)
end

function TestUnits.test_low_land_is_no_sea()
    local land = esker.spectral{ size = 128, seed = 1 }:normalize{} * 800
    local frame = { x = 500000, y = 4000000, cell = 30, system = "EPSG:32636", unit = "m" }
    local function facts(field)
        return { field:flow_accumulation():statistics().max, field:basins():statistics().max,
            (field:height_above_river{ cells = 30 }):statistics().max // 0.01 }
    end
    local high, low = land + 100, land - 430
    high.frame, low.frame = frame, frame
    unit.assertEquals(facts(low), facts(high))
    unit.assertNotEquals(low:flow_accumulation{ sea_level = 0 }:hash(), low:flow_accumulation():hash())
    frame.sea = 0
    low.frame = frame
    unit.assertEquals(low.frame.sea, 0)
    unit.assertEquals(low:flow_accumulation{ sea_level = 0 }:hash(), low:flow_accumulation():hash())
    unit.assertEquals((land - 430):flow_accumulation{ sea_level = 0 }:hash(), (land - 430):flow_accumulation():hash())
    low:relief{} -- colours and slopes do not need one
    low:perspective{ width = 40, height = 30 }
end

-- --- places ----------------------------------------------------------------------------------------------------------

function TestUnits.test_places_are_given_in_any_coordinates()
    local frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631", unit = "m" }
    local land = esker.spectral{ size = 64, seed = 3 }:normalize{} * 300
    land.frame = frame
    local x, y = 20.5, 40.5
    local shares = land:viewshed{ x = x / 64, y = y / 64 }:hash()
    unit.assertEquals(land:viewshed{ x = x, y = y, coordinates = "cells" }:hash(), shares)
    unit.assertEquals(land:viewshed{ x = 500000 + 30 * x, y = 4649776 - 30 * y, coordinates = "map" }:hash(), shares)
    local path = land:path{ paths = { 0.25, 0.25, 0.75, 0.75 } }
    unit.assertEquals(land:path{ paths = { 16, 16, 48, 48 }, coordinates = "cells" }:hash(), path:hash())
    if has_gdal then -- 3° east is the zone's middle
        local degrees = land:viewshed{ x = 3.0074, y = 41.988, coordinates = "degrees" }
        unit.assertEquals(degrees.width, 64)
    end
    unit.assertErrorMsgContains("lies outside of the field", land.viewshed, land,
        { x = 1, y = 2, coordinates = "map" })
    if has_gdal then
        unit.assertErrorMsgMatches(".*x: 10 lies outside of the field: 64 × 64 cells, .* in EPSG:32631, degrees "
            .. "3%.0000%d%d, 41%.99%d+ to 3%.023%d+, 41%.98%d+", land.viewshed, land,
            { x = 10, y = 50, coordinates = "degrees" })
    end
    unit.assertErrorMsgContains("x must be 0 to 1", land.viewshed, land, { x = 20, y = 0.5 })
    local bare = land:georeference{ nowhere = true }
    unit.assertErrorMsgContains("the field has no frame", bare.viewshed, bare, { x = 1, y = 2, coordinates = "map" })
    local here = esker.field{ width = 20, height = 10, values = function(column, row) return 100 * row + column end,
        frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631" } }
    unit.assertEquals({ here:get(7.9, 3.2, "cells"), here:get(0.39, 0.32, "shares"), here:get(500237, 4649680, "map"),
        here:get(3.00285, 41.99913, "degrees"), here:get(7, 3) }, { 307, 307, 307, 307, 307 })
    unit.assertErrorMsgContains("get: 3.1, 42.0 lies outside of the field: 20 × 10 cells", here.get, here, 3.1, 42,
        "degrees")
    unit.assertErrorMsgContains("invalid option 'metres'", here.get, here, 1, 2, "metres")
    unit.assertErrorMsgContains("the field has no frame", function()
        return here:georeference{ nowhere = true }:get(1, 2, "map")
    end)
end

-- --- sight -----------------------------------------------------------------------------------------------------------

-- Level ground: behind the horizon the earth itself hides d² / (2 R) of what stands there.
function TestUnits.test_the_earth_curves_away()
    local frame = { x = 500000, y = 4649776, cell = 500, system = "EPSG:32631", unit = "m" }
    local flat = esker.field{ width = 201, height = 3, values = 0, frame = frame }
    local eye, earth = 10, 6378137
    local function hidden(share)
        local horizon = math.sqrt(2 * earth * eye / share)
        return ((100000 - 500 - horizon) ^ 2) * share / (2 * earth)
    end
    for _, share in ipairs{ 1, 6 / 7 } do
        local seen = flat:viewshed{ x = 0, y = 0.5, eye = eye, curvature = share }
        unit.assertAlmostEquals(seen:get(199, 1), hidden(share), 0.02 * hidden(share), share)
    end
    unit.assertEquals(flat:viewshed{ x = 0, y = 0.5, eye = eye, curvature = 0 }:statistics().max, 0)
    unit.assertTrue(flat:viewshed{ x = 0, y = 0.5, eye = eye }:get(199, 1) > 100)
    local near = flat:viewshed{ x = 0.5, y = 0.5, radius = 20000 }
    unit.assertEquals(near.gaps, 3 * 201 - 81 - 2 * 79)
    unit.assertEquals(near.frame.unit, "m")
end

-- What moves material or keeps distances takes squares, in a coordinate system nothing else.
function TestUnits.test_erosion_and_scatter_need_squares_in_a_system()
    local land = esker.noise{ size = 64, seed = 3, wrap = false } * 100
    local function placed(frame)
        return land:georeference(frame)
    end
    local north = placed{ x = 8, y = 60, cell = 1 / 3600, system = "EPSG:4326", unit = "m" }
    local tall = placed{ x = 8, y = 70, cell_width = 0.1, cell_height = 0.05, system = "EPSG:4326", unit = "m" }
    local even = placed{ x = 8, y = 0, cell = 1 / 3600, system = "EPSG:4326", unit = "m" }
    for _, name in ipairs{ "scatter", "thermal_erosion", "hydraulic_erosion", "olsen_erosion", "stream_erosion" } do
        unit.assertErrorMsgContains("m, and it needs squares: resize{ width = 64, height = 1", land[name], north)
        unit.assertErrorMsgContains("of one size: project the file to metres", land[name], tall)
    end
    unit.assertEquals(#even:scatter():list(), #land:scatter():list())
    local squares = north:resize{ width = 64, height = 128 }
    unit.assertTrue(squares:thermal_erosion{ iterations = 1 }.height == 128)
end

-- --- all operations --------------------------------------------------------------------------------------------------

-- The same ground, cell by cell, in metres, in feet and in degrees at the equator; and in cells half as large.
local function models()
    local east, north = degree(0)
    local function ground(x, y)
        local wave = 40 * math.sin(x / 211) * math.cos(y / 173) + 15 * math.sin((x + 2 * y) / 97 + 1)
        return 400 + wave + 0.08 * x + 0.05 * y + 6 * math.sin(x / 41 + 0.3) * math.sin(y / 37 + 0.7)
    end
    local function model(frame, cell, height)
        return esker.field{ size = math.floor(1440 / cell), frame = frame,
            values = function(x, y) return ground((x + 0.5) * cell, (y + 0.5) * cell) / height end }
    end
    local list = { metres = { model({ x = 5e5, y = 4e6, cell = 30, system = "EPSG:32631", unit = "m" }, 30, 1), 1 },
        degrees = { model({ x = 6, y = 720 / north, cell_width = 30 / east, cell_height = 30 / north,
            system = "EPSG:4326" }, 30, 1), 1 },
        fine = { model({ x = 5e5, y = 4e6, cell = 15, system = "EPSG:32631", unit = "m" }, 15, 1), 1 } }
    if has_gdal then
        list.feet = { model({ x = 2433364, y = 879033, cell = 30 / us_foot, system = "EPSG:2274" }, 30, us_foot),
            us_foot }
    end
    return list
end

-- Results of a call as fields and numbers.
local function results_of(operation, land)
    local results = table.pack(pcall(esker[operation.name], land))
    if not results[1] then
        return nil
    end
    table.remove(results, 1)
    if operation.record then
        local record = results[1]
        for i, output in ipairs(operation.outputs) do
            results[i] = record[output.name]
        end
    end
    return results
end

-- The share of cells whose results differ by more than a hundredth of their range.
local function share_of_others(a, b, scale)
    local lie, others = a:statistics(), 0
    local most = 0.01 * math.max(lie.max - lie.min, 1e-6)
    for y = 0, a.height - 1 do
        for x = 0, a.width - 1 do
            local one, other = a:get(x, y) or 0, b:get(x, y) or 0
            others = others + (math.abs(one - other * scale) > most and 1 or 0)
        end
    end
    return others / (a.width * a.height)
end

-- Operations that do not measure ground: bounds that are heights of 0 to 1 by default; per cell.
local others <const> = { clamp = true, laplacian = true }

function TestUnits.test_all_operations_give_the_same_of_the_same_ground()
    local lands, walked, wrong = models(), 0, {}
    for _, operation in ipairs(esker.operations()) do
        local input = operation.inputs[1]
        if input and input.kind:find("field") and #operation.inputs == 1 and not others[operation.name] then
            local expected = results_of(operation, lands.metres[1])
            for name, land in pairs(expected and lands or {}) do
                local results = name ~= "fine" and results_of(operation, land[1])
                for i, output in ipairs(results and operation.outputs or {}) do
                    local scale = output.unit == "unit of the heights" and land[2] or 1
                    local one, other = expected[i], results[i]
                    local differ = 0
                    if esker.type(one) == "Field" and one.width == other.width then
                        differ = share_of_others(one, other, scale)
                    elseif type(one) == "number" then
                        differ = math.abs(one - other * scale) > 0.01 * math.abs(one) + 1e-6 and 1 or 0
                    end
                    walked = walked + 1
                    if differ > 0.02 then
                        wrong[#wrong + 1] = ("%s.%s in %s: %.3f"):format(operation.name, output.name, name, differ)
                    end
                end
            end
        end
    end
    table.sort(wrong)
    unit.assertEquals(wrong, {})
    unit.assertTrue(walked > 100, walked)
end

-- What is measured on the ground hardly depends on how finely it is sampled.
function TestUnits.test_half_the_cell_gives_the_same_ground()
    local lands = models()
    local function facts(land)
        local begin = { area = 40000 }
        local network = land:rivers_from_flow(begin):network_statistics()
        return { angle = land:gradient_angle():statistics().mean, bend = land:curvature():statistics().stddev,
            wet = land:wetness_index():statistics().mean, far = land:distance_to_river(begin):statistics().mean,
            above = land:height_above_river(begin):statistics().mean, length = network.length,
            density = network.density, farther = land:distance():statistics().max,
            area = land:flow_accumulation{ measure = "area" }:statistics().max }
    end
    local coarse, fine = facts(lands.metres[1]), facts(lands.fine[1])
    local most = { angle = 0.08, bend = 0.25, wet = 0.15, far = 0.2, above = 0.2, length = 0.15, density = 0.15,
        farther = 0.1, area = 0.1 }
    for name, value in pairs(coarse) do
        unit.assertAlmostEquals(fine[name] / (value == 0 and 1 or value), value == 0 and 0 or 1, most[name], name)
    end
end

os.exit(unit.LuaUnit.run())
