-- What is known of a place: by other operations, of fields and of maps.

local unit = require "luaunit"
local esker = require "esker"
local tries = require "tries"

TestIdentify = {}

local steps = { [1] = { 1, 0 }, [2] = { 1, 1 }, [4] = { 0, 1 }, [8] = { -1, 1 }, [16] = { -1, 0 }, [32] = { -1, -1 },
    [64] = { 0, -1 }, [128] = { 1, -1 } }

-- The cell at which water leaves, and the way to it in cells.
local function follow(height, direction, x, y, sea)
    local far = 0
    while steps[direction:get(x, y)] do
        local step = steps[direction:get(x, y)]
        if height:get(x + step[1], y + step[2]) < sea then
            break
        end
        x, y, far = x + step[1], y + step[2], far + math.sqrt(step[1] ^ 2 + step[2] ^ 2)
    end
    return x, y, far
end

local function check_field(height, options)
    local sea = options.sea_level or 0
    local direction, flow = height:flow_direction(options), height:flow_accumulation(options)
    local angle = height:gradient_angle()
    local cells, longer = height.width * height.height, math.max(height.width, height.height)
    for y = 0, height.height - 1, 3 do
        for x = 0, height.width - 1, 2 do
            local place = height:identify{ x = (x + 0.5) / height.width, y = (y + 0.5) / height.height,
                sea_level = options.sea_level }
            unit.assertEquals(place.altitude, height:get(x, y))
            unit.assertEquals(place.slope, angle:get(x, y))
            unit.assertEquals(place.river, 0)
            local out_x, out_y, far = follow(height, direction, x, y, sea)
            local is_land = height:get(x, y) >= sea
            unit.assertAlmostEquals(place.drained, is_land and flow:get(x, y) / cells or 0, 1e-12)
            unit.assertAlmostEquals(place.outlet_drained, is_land and flow:get(out_x, out_y) / cells or 0, 1e-12)
            unit.assertAlmostEquals(place.distance, is_land and far / longer or 0, 1e-9)
            unit.assertAlmostEquals(place.outlet_x, (out_x + 0.5) / height.width, 1e-12)
            unit.assertAlmostEquals(place.outlet_y, (out_y + 0.5) / height.height, 1e-12)
        end
    end
end

function TestIdentify.test_a_field_is_what_other_operations_say()
    local land = esker.diamond_square{ width = 41, height = 23, seed = 4 }
    check_field(land, {})
    check_field(land - 0.5, {})
    check_field(land, { sea_level = 0.4 })
    check_field(land:crop{ width = 30, height = 20 }, {})
end

-- Of cells that are longer than wide, in metres.
function TestIdentify.test_slopes_and_ways_are_true_on_the_ground()
    local land = (esker.diamond_square{ size = 24, seed = 2 } * 100):georeference{ x = 0, y = 0, cell_width = 10,
        cell_height = 20, unit = "m" }
    local angle = land:gradient_angle()
    for i = 0, 23 do
        unit.assertEquals(land:identify{ x = (i + 0.5) / 24, y = 0.5 }.slope, angle:get(i, 12))
    end
    local plane = esker.field{ size = 8, values = function(_, y) return y + 1 end }:georeference{ x = 0, y = 0,
        cell_width = 1, cell_height = 4, unit = "m" }
    unit.assertAlmostEquals(plane:identify{ x = 0.5, y = 0.99 }.distance, 7 * 4, 1e-9) -- metres
    local there = plane:identify{ x = 4, y = -31, coordinates = "map" }
    unit.assertEquals({ there.altitude, there.outlet_x, there.outlet_y }, { 8, 4.5, -2 })
end

function TestIdentify.test_water_leaves_before_a_gap()
    local hole = esker.field{ size = 16, values = function(x, y) return x == 3 and y == 7 and 1 or 0 end }
    local land = esker.field{ size = 16, values = function(x) return x + 1 end }:set_gaps(hole)
    local place = land:identify{ x = 0.6, y = 7.5 / 16 }
    unit.assertEquals({ place.outlet_x, place.outlet_y }, { 4.5 / 16, 7.5 / 16 })
    unit.assertErrorMsgContains("there is no data at x = 0.2", land.identify, land, { x = 0.2, y = 7.5 / 16 })
end

local function check_map(map, face, x, y, zoom)
    local size = 512
    local window = { x = x, y = y, zoom = zoom * size / 3, size = 3, relative = true,
        projection = face and "cube" or nil, face = face }
    local altitude, river, flow = map:render(window)
    local place = map:identify{ x = x, y = y, zoom = zoom, face = face }
    local name = ("%s at %g"):format(map, zoom)
    unit.assertAlmostEquals(place.altitude, map:altitude_at{ x = x, y = y, zoom = zoom, face = face }, 1e-12, name)
    unit.assertAlmostEquals(place.river, river:get(1, 1), 1e-6, name)
    if flow and place.altitude >= 0 then
        unit.assertAlmostEquals(place.drained, flow:get(1, 1) / (zoom * size) ^ 2, 1e-12, name)
    end
    if not face then
        unit.assertAlmostEquals(place.slope, altitude:gradient_angle():get(1, 1), 0.02, name)
    end
    return place, altitude
end

function TestIdentify.test_a_map_is_what_other_operations_say()
    for _, land in ipairs{ "raw", "eroded" } do
        local map = esker.river_map{ seed = 7, land = land }
        local whole = map:render{}
        for _, zoom in ipairs(tries(land == "raw" and 4 or 2, { 1, 1000, 16, 2 ^ 40 })) do -- deep eroded land is dear
            local place = check_map(map, nil, 0.5, 0.375, zoom)
            local there = whole:identify{ x = 0.5, y = 0.375 }
            unit.assertTrue(place.altitude > 0 and place.outlet_drained > 0)
            unit.assertEquals({ place.outlet_x, place.outlet_y, place.outlet_drained, place.distance },
                { there.outlet_x, there.outlet_y, there.outlet_drained, there.distance })
            check_map(map, nil, "0x.8", "0x60p-8", zoom)
        end
        for _, corner in ipairs{ 0, 1 } do
            unit.assertTrue(map:identify{ x = corner, y = corner, zoom = 64 }.slope < 90)
        end
    end
end

-- The point of the unit sphere at a place of a face, by the directions of its middle, right and lower side.
local faces = { front = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, -1, 0 } }, top = { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } } }

local function point_at(face, x, y)
    local middle, right, down = table.unpack(faces[face])
    local point, length = {}, 0
    for i = 1, 3 do
        point[i] = middle[i] + (2 * x - 1) * right[i] + (2 * y - 1) * down[i]
        length = length + point[i] ^ 2
    end
    for i = 1, 3 do
        point[i] = point[i] / math.sqrt(length)
    end
    return point
end

local function product(a, b)
    return a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
end

-- The angle of the ground in the middle of 3 × 3 pixels of a face: of the gradient g in the plane of the vectors from
-- pixel to pixel, e and f, for which g · e and g · f are the rises along them (Horn 1981).
local function angle_on_face(window, face, x, y, pixel)
    local function between(dx, dy)
        local a, b = point_at(face, x - dx, y - dy), point_at(face, x + dx, y + dy)
        return { (b[1] - a[1]) / 2, (b[2] - a[2]) / 2, (b[3] - a[3]) / 2 }
    end
    local function rise(dx, dy)
        local sum = 0
        for i = -1, 1 do
            local weight = 2 - math.abs(i)
            sum = sum + weight * (window:get(1 + dx + i * dy, 1 + dy + i * dx)
                - window:get(1 - dx + i * dy, 1 - dy + i * dx))
        end
        return 0.055 * sum / 8
    end
    local e, f, along_e, along_f = between(pixel, 0), between(0, pixel), rise(1, 0), rise(0, 1)
    local ee, ef, ff = product(e, e), product(e, f), product(f, f)
    local square = (ff * along_e ^ 2 - 2 * ef * along_e * along_f + ee * along_f ^ 2) / (ee * ff - ef ^ 2)
    return math.deg(math.atan(math.sqrt(square)))
end

function TestIdentify.test_slopes_on_a_planets_faces_are_those_on_the_sphere()
    local planet, zoom = esker.river_map{ seed = 3, tiling = "sphere", land = "raw" }, 64
    for face in pairs(faces) do
        for _, at in ipairs(tries(3, { { 0.5, 0.5 }, { 0.1, 0.9 }, { 0.93, 0.94 }, { 0.85, 0.12 }, { 0.3, 0.6 } })) do
            local place, window = check_map(planet, face, at[1], at[2], zoom)
            unit.assertAlmostEquals(place.slope, angle_on_face(window, face, at[1], at[2], 1 / 512 / zoom), 0.02)
            unit.assertEquals({ place.outlet_x, place.outlet_y, place.outlet_drained, place.distance },
                { at[1], at[2], 0, 0 })
        end
    end
    check_map(planet, nil, 0.3, 0.4, zoom)
    check_map(esker.river_map{ seed = 3, tiling = "sphere" }, "front", 0.3, 0.4, zoom)
end

function TestIdentify.test_bad_places_are_named()
    local land, map = esker.diamond_square{ size = 16 }, esker.river_map{ seed = 2, land = "raw" }
    for message, call in pairs{
        ["x must be 0 to 1, a share of the width or height"] = { land, { x = 2 } },
        ['x must be a number, or its digits as a string ("0.25", "0x.4"), got "0x.8g"'] = { land, { x = "0x.8g" } },
        ["zoom and face are for maps: this is a field"] = { land, { zoom = 4 } },
        ["face is for planets; this map is flat"] = { map, { face = "front" } },
        ["sea_level is for fields: a map's sea is at 0"] = { map, { sea_level = 0.1 } },
        ["zoom must be at most"] = { map, { zoom = 2 ^ 99 } },
    } do
        unit.assertErrorMsgContains(message, call[1].identify, call[1], call[2])
    end
end

TestInside = {}

-- A window that would leave the map is the one at its edge; others stay where they are.
function TestInside.test_windows_are_moved_inside()
    local map = esker.river_map{ seed = 7, land = "raw" }
    local function window(x, y, more)
        local arguments = { x = x, y = y, zoom = 8, size = 32, inside = true }
        for name, value in pairs(more or {}) do
            arguments[name] = value
        end
        return (map:render(arguments))
    end
    local function plain(x, y, more)
        local arguments = more or {}
        arguments.inside = false
        return window(x, y, arguments)
    end
    unit.assertTrue(window(0, 1) == plain(1 / 16, 15 / 16))
    unit.assertTrue(window("0x.01", 0.4) == plain(1 / 16, 0.4))
    unit.assertTrue(window(0.3, 0.4) == plain(0.3, 0.4))
    unit.assertTrue(window(1, 0.4, { relative = true }) == plain(15 / 16, 0.4, { relative = true }))
    unit.assertTrue(window(0.6, 0, { relative = true }) == plain(0.6, 1 / 16, { relative = true }))
    unit.assertTrue(window(1, 0.4, { border = 2 }) == plain(15 / 16, 0.4, { border = 2 }))
    unit.assertEquals(map:rivers{ x = 0, y = 0, zoom = 8, inside = true }:hash(),
        map:rivers{ x = 1 / 16, y = 1 / 16, zoom = 8 }:hash())
    local planet = esker.river_map{ seed = 7, tiling = "sphere", land = "raw" }
    unit.assertTrue(planet:render{ x = 0.1, y = 0, zoom = 8, size = 16, inside = true }
        == planet:render{ x = 0.1, y = 0.25 + 1 / 16, zoom = 8, size = 16 })
    unit.assertErrorMsgContains("the window is larger than the map", planet.render, planet,
        { width = 16, height = 16, inside = true })
end

os.exit(unit.LuaUnit.run())
