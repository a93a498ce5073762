-- Where fields lie: frames through operations and files. What GDAL's own tools say of the files: tests/exchange.sh.

local Long = require "long_tests"
local unit = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

local utm = { x = 733975, y = 3469995, cell_width = 30, cell_height = 30, system = "EPSG:26916", unit = "m" }

local function land(width, height)
    local field = 500 * esker.noise{ width = width or 40, height = height or 30, seed = 4, wrap = false }
    field.frame = utm
    return field
end

-- The map coordinates of the highest cell's centre.
local function summit(field)
    local best, x, y = -math.huge, 0, 0
    for v = 0, field.height - 1 do
        for u = 0, field.width - 1 do
            if field:get(u, v) > best then
                best, x, y = field:get(u, v), u + 0.5, v + 0.5
            end
        end
    end
    local frame = field.frame
    return { frame.x + x * frame.cell_width + y * (frame.turn_x or 0),
        frame.y - y * frame.cell_height + x * (frame.turn_y or 0) }
end

TestFrames = {}

function TestFrames.test_codes_are_in_capital_letters()
    local field = esker.field{ size = 4, values = 1 }
    unit.assertEquals(field:georeference{ system = "epsg:32631" }.frame.system, "EPSG:32631")
    field.frame = { cell = 30, system = "Epsg:32631" }
    unit.assertEquals((field + field:georeference{ cell = 30, system = "EPSG:32631" }).frame.system, "EPSG:32631")
end

-- What is written beside a file is checked when it is read: what would be refused there is refused at once.
function TestFrames.test_a_file_is_saved_only_with_a_frame_that_load_takes()
    local field, path = esker.field{ size = 4, values = 1 }, temporary(".npy")
    for _, system in ipairs{ "EPSG:0", "epsg:", "EPSG:-1", "EPSG:4326+", "EPSG:4326 ", "EPSG:4294967297", "epsg: x" } do
        unit.assertErrorMsgContains('system must be "EPSG:" and a number, or WKT, got \'EPSG:' .. system:sub(6),
            field.georeference, field, { cell = 30, system = system })
    end
    local long = ("x"):rep(100) -- is kept as a system, which may be long
    field:georeference{ cell = 30, system = long }:save(path)
    unit.assertEquals(esker.load(path).frame.system, long)
    unit.assertErrorMsgContains("at most 32 bytes", field.georeference, field, { cell = 30, unit = long })
end

function TestFrames.test_they_are_set_and_read_as_tables()
    unit.assertNil(esker.field{ size = 4, values = 0 }.frame)
    unit.assertEquals(land().frame, utm)
    local field = esker.field{ size = 4, values = 0, frame = { x = 1, y = 2, cell = 0.5 } }
    unit.assertEquals(field.frame, { x = 1, y = 2, cell_width = 0.5, cell_height = 0.5 })
    unit.assertEquals(field:georeference{ like = land(), unit = "ft" }.frame.unit, "ft")
    unit.assertNil(land():georeference{ nowhere = true }.frame)
    field.frame = nil
    unit.assertNil(field.frame)
    for problem, frame in pairs{ ["did you mean 'system'"] = { systen = "EPSG:4326" },
        ["have no area"] = { cell_width = 0 }, ["must be a table"] = 7, ["without line breaks"] = { system = "a\nb" },
        ["must be -1e+15 to 1e+15, got nan"] = { x = 0 / 0 } } do
        unit.assertErrorMsgContains(problem, function() field.frame = frame end)
    end
end

function TestFrames.test_operations_keep_the_ground()
    local field = land()
    for name, made in pairs{ blur = field:blur{}, add = field + 1, erosion = field:thermal_erosion{ iterations = 1 },
        fill = field:fill{}, lowest = field:min(3) } do
        unit.assertEquals(made.frame, utm, name)
    end
    unit.assertNil(field:normalize().frame.unit) -- no metres any more
    unit.assertNil(field:remap{ from = { 0, 500 } }.frame.unit)
    unit.assertNil(field:flow_accumulation().frame.unit)
    local finer = field:resize{ width = 80, height = 90 }.frame
    unit.assertEquals({ finer.x, finer.y, finer.cell_width, finer.cell_height }, { utm.x, utm.y, 15, 10 })
    unit.assertEquals(field:amplify{ levels = 1 }.frame.cell_width, 15)
    for name, value in pairs{ rivers = field:rivers_from_flow{ threshold = 0.02 }, contours = field:contours{},
        points = field:scatter{}, basins = field:basins() } do
        unit.assertEquals(value.frame.x, utm.x, name)
        unit.assertEquals(value.frame.system, utm.system, name)
    end
end

function TestFrames.test_georeference_keeps_what_is_not_given()
    local field = land()
    field.frame = { x = 5, y = 7, cell_width = 30, cell_height = -20, turn_x = 2, turn_y = 3, system = "EPSG:26916",
        unit = "m", sea = 4, top = 90 }
    local slope = field:slope():hash()
    unit.assertEquals(field:georeference{ unit = "m" }:slope():hash(), slope)
    for name, value in pairs{ x = 1, y = 2, cell_width = 3, cell_height = 4, turn_x = 5, turn_y = 6,
        system = "EPSG:32631", unit = "ft", sea = 8, top = 9 } do
        local expected = {}
        for key, old in pairs(field.frame) do
            expected[key] = key == name and value or old
        end
        unit.assertEquals(field:georeference{ [name] = value }.frame, expected, name)
        local other = esker.field{ size = 4, values = 0 }:georeference{ like = field, [name] = value }
        unit.assertEquals(other.frame, expected)
    end
    unit.assertNil(land():georeference{ unit = "ft" }.frame.sea) -- a model has none before and after
    unit.assertEquals(field:georeference{ nowhere = true }:georeference{ unit = "ft" }.frame,
        { x = 0, y = 0, cell_width = 1, cell_height = 1, unit = "ft" })
    field.frame = { unit = "ft" } -- is a whole one
    unit.assertEquals(field.frame, { x = 0, y = 0, cell_width = 1, cell_height = 1, unit = "ft" })
end

-- It is a copy, of which a change would be lost.
function TestFrames.test_a_frame_is_assigned_as_a_whole()
    local field = land()
    unit.assertErrorMsgContains("or use field:georeference{ unit = ", function() field.frame.unit = "ft" end)
    unit.assertErrorMsgContains("assign a whole one", function() field.frame.nowhere = 1 end)
    local names, other = {}, esker.field{ size = 4, values = 0 }
    for name, value in pairs(field.frame) do
        names[name] = value
    end
    unit.assertEquals(names, utm)
    unit.assertEquals(field.frame.unit, "m")
    other.frame = field.frame
    unit.assertEquals(other.frame, utm)
    names.unit = "ft"
    other.frame = names
    unit.assertEquals(other.frame.unit, "ft")
end

-- Each field is a table of its own, in which Lua would keep the names in another order.
function TestFrames.test_its_names_have_one_order()
    for _ = 1, 20 do
        local names = {}
        for name in pairs(land().frame) do
            names[#names + 1] = name
        end
        unit.assertEquals(table.concat(names, " "), "x y cell_width cell_height system unit")
    end
    local names, field = {}, esker.field{ size = 4, values = 0 }
    field.frame = { x = 0, y = 1, cell_width = 2, cell_height = 3, turn_x = 1, turn_y = 1, system = "EPSG:32633",
        unit = "m", sea = 4 }
    for name in pairs(field.frame) do
        names[#names + 1] = name
    end
    unit.assertEquals(table.concat(names, " "), "x y cell_width cell_height turn_x turn_y system unit sea")
end

function TestFrames.test_what_moves_cells_moves_the_frame()
    local field = land()
    local peak = summit(field)
    unit.assertEquals(field:crop{ x = 3, y = 5 }.frame.x, utm.x + 90)
    unit.assertEquals(field:crop{ x = 3, y = 5 }.frame.y, utm.y - 150)
    for _, axis in ipairs{ "x", "y", "diagonal" } do
        unit.assertEquals(summit(field:flip{ axis = axis }), peak, axis)
    end
    local square = land(40, 40)
    peak = summit(square)
    for _, angle in ipairs{ 90, 180, 270 } do
        local there = summit(square:transform{ angle = angle })
        unit.assertAlmostEquals(there[1], peak[1], 1e-6)
        unit.assertAlmostEquals(there[2], peak[2], 1e-6)
    end
    local cone = esker.field{ size = 40, frame = utm, values = function(x, y)
        return -math.sqrt((x - 23) ^ 2 + (y - 17) ^ 2)
    end }
    peak = summit(cone)
    local moved = summit(cone:transform{ angle = 30, scale = 2, x = 0.1, wrap = true })
    unit.assertAlmostEquals(moved[1], peak[1], 30) -- two cells of the finer field
    unit.assertAlmostEquals(moved[2], peak[2], 30)
end

-- A cell of a turned field has the height of its place on the map, or none.
function TestFrames.test_turned_fields_have_no_ground_from_beyond_their_edges()
    local ramp = esker.field{ width = 40, height = 30, frame = utm, values = function(x) return x end }
    local turned = ramp:transform{ angle = 30, x = 0.1 }
    local frame, holes = turned.frame, 0
    for y = 0, 29 do
        for x = 0, 39 do
            local height = turned:get(x, y)
            local east = frame.x + (x + 0.5) * frame.cell_width + (y + 0.5) * frame.turn_x
            local column = (east - utm.x) / 30 - 0.5
            holes = holes + (height and 0 or 1)
            if height then -- nowhere mirrored, not within the outer half of the outermost cells either
                unit.assertAlmostEquals(height, column, 1e-3)
            end
        end
    end
    unit.assertEquals(turned.gaps, holes)
    unit.assertTrue(holes > 100 and holes < 600)
    unit.assertEquals(ramp:transform{ angle = 180 }.gaps, 0)
    unit.assertEquals(ramp:transform{ angle = 30, wrap = true }.gaps, 0)
    local bare = ramp * 1
    bare.frame = nil
    unit.assertEquals(bare:transform{ angle = 30 }.gaps, 0)
    local middle = esker.field{ width = 40, height = 30,
        values = function(x, y) return x == 20 and y == 15 and 1 or 0 end }
    unit.assertTrue(ramp:set_gaps(middle):transform{ angle = 30, x = 0.1 }.gaps > holes) -- both kinds
end

-- The same ground in another order of cells has the same directions: mirrored, transposed and turned.
function TestFrames.test_north_is_where_the_frame_says()
    local field = land(24, 24)
    local function measured(of)
        return { aspect = of:aspect(), angle = of:flow_direction{ unit = "angle" },
            light = of:hillshade{ light = { 300, 30 } }, shadow = of:hillshade{ light = { 90, 20 }, shadows = true },
            sun = of:insolation{ steps = 3, shadows = false }, north = of:select{ aspect = { 300, 20, 15 } } }
    end
    local here = measured(field)
    for _, axis in ipairs{ "x", "y", "diagonal" } do
        for name, there in pairs(measured(field:flip{ axis = axis })) do
            local apart = (there:flip{ axis = axis } - here[name]):abs()
            if name == "aspect" or name == "angle" then
                apart = esker.min(apart, (apart - 360):abs())
            end
            local found = apart:statistics() -- of equally steep ways out of a pit another may be taken
            local well = found.max < 1e-3 or (name == "angle" and found.mean < 10)
            unit.assertTrue(well, ("%s %s %g %g"):format(axis, name, found.max, found.mean))
        end
    end
end

function TestFrames.test_cells_of_different_places_are_not_mixed()
    local field = land()
    local beside = field:georeference{ x = utm.x + 30 }
    unit.assertErrorMsgContains("b lies elsewhere: cells of 30 × 30 from 734005, 3469995 in EPSG:26916, not",
        function() return field + beside end)
    unit.assertErrorMsgContains("mask lies elsewhere", field.thermal_erosion, field, { mask = beside:normalize() })
    unit.assertErrorMsgContains("lies elsewhere", function()
        return field + field:georeference{ like = field, system = "EPSG:4326" }
    end)
    -- The message says how to lay it there, in few digits.
    local nowhere = field:georeference{ nowhere = true }
    local third = nowhere:georeference{ x = utm.x, y = utm.y, cell = 100 / 3 }
    unit.assertErrorMsgContains("cells of 33.3333333 × 33.3333333 from 733975, 3469995, not cells of 30 × 30 from "
        .. "733975, 3469995 in EPSG:26916; if it belongs here, rivers:georeference{ like = height } puts it here",
        field.relief, field, { rivers = third })
    field:relief{ rivers = third:georeference{ like = field } }
    local feet = field:georeference{ like = field, unit = "ft" }
    unit.assertErrorMsgContains("b has heights in ft, not in m", function() return field + feet end)
    unit.assertErrorMsgContains("b has heights in m, not in ft", esker.max, feet, field)
    -- So is one that is assumed of the system, US survey feet here; masks have none.
    local state = field:georeference{ x = 1135000, y = 1048000, system = "EPSG:2285" }
    local bare_feet = esker.field{ width = 40, height = 30, values = 7 }
    bare_feet.frame = { x = 1135000, y = 1048000, cell = 30, system = "EPSG:2285" }
    unit.assertErrorMsgContains("b has heights in m, and the others are taken in the unit of the coordinates",
        function() return bare_feet - state end)
    unit.assertErrorMsgContains("b is taken in the unit of the coordinates, and the others have heights in m",
        function() return state - bare_feet end)
    unit.assertEquals((state:georeference{ unit = "us-ft" } + bare_feet).frame.unit, "us-ft")
    unit.assertEquals((state + bare_feet:select{ height = { 0, 9 } }).frame.unit, "m")
    unit.assertNil((field * feet).frame.unit)
    for _, name in ipairs{ "metre", "METRE", "Metre", "M" } do
        unit.assertEquals((field + field:georeference{ like = field, unit = name }).frame.unit, "m")
    end
    unit.assertEquals((field + field:georeference{ like = field, system = "epsg:26916" }).frame.system, "EPSG:26916")
    local bare = nowhere:georeference{ x = utm.x, y = utm.y, cell = 30 } -- without system and unit
    unit.assertEquals((bare + field).frame, utm)
    unit.assertEquals((field + bare).frame, utm)
    unit.assertEquals((nowhere + field).frame, utm)
end

-- Slopes of a window are those of the ground at any zoom, whether its side is known in metres or not.
function TestFrames.test_windows_of_a_map_know_their_slopes()
    local map, steep = esker.river_map{ seed = 2, land = "raw" }, {}
    for _, zoom in ipairs{ 16, 256 } do
        local window = { x = 0.42, y = 0.57, zoom = zoom, size = 128 }
        local altitude = map:render(window)
        window.side = 200000
        local metres, river = map:render(window)
        unit.assertEquals(metres.frame.unit, "m")
        unit.assertAlmostEquals(metres.frame.cell_width, 200000 / zoom / 128, 1e-9)
        unit.assertAlmostEquals(metres:get(5, 9), altitude:get(5, 9) * 0.055 * 200000, 1e-3)
        unit.assertEquals(map:rivers(window).frame.cell_width, river.frame.cell_width)
        local angle, real = altitude:gradient_angle():statistics().mean, metres:gradient_angle():statistics().mean
        unit.assertAlmostEquals(angle, real, 1e-3)
        unit.assertAlmostEquals(altitude:realism{}.slope, metres:realism{}.slope, 1e-4)
        unit.assertAlmostEquals(altitude:playability{}.suitability, metres:playability{}.suitability, 1e-3)
        table.insert(steep, angle)
        local lie = altitude:statistics() -- without its unit, the same shading has to be asked for
        local same = (altitude * 1):relief{ low = lie.min, high = lie.max,
            exaggeration = (lie.max - lie.min) * 0.055 * 16 * zoom }
        unit.assertEquals(altitude:relief{ low = lie.min, high = lie.max }:hash(), same:hash())
    end
    unit.assertTrue(steep[1] > 5 and steep[2] > 5, steep[1] .. " " .. steep[2])
end

-- A plane that rises to the east by its longitude, to the north by its latitude: on a sphere it is steeper the
-- shorter a degree of longitude is, in each row.
function TestFrames.test_degrees_of_planets_get_shorter_towards_the_poles()
    local rows, moon = { 1, 9, 18 }, 1737400
    local system = 'GEOGCS["Moon",DATUM["D",SPHEROID["M",1737400,0]],PRIMEM["P",0],UNIT["degree",0.0174532925199433]]'
    local function check(frame, radius, latitude_of)
        local span, rise = math.rad(1), 0.3 -- for a radian on the ground at the equator, in radii
        for _, way in ipairs{ "east", "north" } do
            local field = esker.field{ size = 20, frame = frame, values = function(x, y)
                return (way == "east" and x or -y) * span * rise * radius
            end }
            local angle = field:gradient_angle()
            for _, row in ipairs(rows) do
                local latitude, shorter = latitude_of(row)
                local slope = rise / (way == "east" and math.cos(latitude) or shorter or 1)
                unit.assertAlmostEquals(angle:get(10, row), math.deg(math.atan(slope)), 1e-3, way .. row)
            end
        end
    end
    local function in_degrees(row) return math.rad(80 - row - 0.5) end
    check({ y = 80, cell = 1, unit = "planet" }, 1 / 0.055, in_degrees)
    check({ y = 80, cell = 1, unit = "m", system = system }, moon, in_degrees)
    check({ y = 6378137, cell = 6378137 * math.rad(1), unit = "planet", system = "EPSG:3857" }, 1 / 0.055, function(row)
        local latitude = math.atan((math.exp(1 - math.rad(row + 0.5)) - math.exp(math.rad(row + 0.5) - 1)) / 2)
        return latitude, math.cos(latitude)
    end)
    local oblate = esker.field{ size = 20, values = function(x) return x end,
        frame = { y = 80, cell = 1, unit = "m", system = system:gsub("1737400,0", "1737400,300") } }
    unit.assertTrue(oblate:gradient_angle():statistics().stddev > 0.001) -- an ellipsoid
end

-- The squares of differences of heights are too small for a float there: no slope at all as long as they were squared
-- before they were divided by the length of a cell.
function Long.test_the_deepest_windows_of_a_map_know_their_slopes()
    local map = esker.river_map{ seed = 2, side = 1e7 }
    local window = { x = "0.42000000000000000000000001", y = "0.57", zoom = 1e22, size = 64, relative = true }
    local altitude = map:render(window)
    window.side = 1e7
    local metres = map:render(window)
    for name, options in pairs{ gradient_angle = {}, select = { slope = { 5, 20, 10 } } } do
        local mean = altitude[name](altitude, options):statistics().mean
        local real = metres[name](metres, options):statistics().mean
        unit.assertAlmostEquals(mean, real, 1e-4 * real, name)
        unit.assertTrue(real > 0.1, name)
    end
    local wet, real = altitude:wetness_index():statistics().mean, metres:wetness_index():statistics().mean
    unit.assertAlmostEquals(real, wet, 1e-3)
end

-- Of a planet, whether its radius is known in metres or not; the same ground has the same slopes at any zoom and
-- latitude.
function TestFrames.test_windows_of_a_planet_know_their_slopes()
    local planet, radius = esker.river_map{ seed = 4, tiling = "sphere", land = "raw" }, 3000000
    local function mean_angle(field) return field:gradient_angle():statistics().mean end
    for _, place in ipairs{ { 0.3, 0.47 }, { 0.2, 0.36 }, { 0.125, 0.2825 } } do
        local window, angles = { x = place[1], y = place[2], size = 128 }, {}
        for i, zoom in ipairs{ 256, 512 } do
            window.zoom, window.radius = zoom, nil
            local altitude = planet:render(window)
            unit.assertEquals(altitude.frame.unit, "planet")
            window.radius = radius
            local metres, river = planet:render(window)
            unit.assertEquals(metres.frame.unit, "m")
            unit.assertNil(river.frame.unit)
            unit.assertEquals(metres.frame.cell_width, altitude.frame.cell_width)
            unit.assertAlmostEquals(metres:get(5, 9), altitude:get(5, 9) * 0.055 * radius, 0.05)
            unit.assertEquals(planet:rivers(window).frame.system, metres.frame.system)
            unit.assertAlmostEquals(mean_angle(altitude), mean_angle(metres), 1e-3)
            unit.assertAlmostEquals(altitude:realism{}.slope, metres:realism{}.slope, 1e-4)
            unit.assertAlmostEquals(altitude:playability{}.suitability, metres:playability{}.suitability, 1e-3)
            -- without its unit, the same shading has to be asked for
            local lie, frame = altitude:statistics(), altitude.frame
            local same = (altitude * 1):relief{ low = lie.min, high = lie.max, projection = "equirectangular",
                latitudes = { frame.y, frame.y - 128 * frame.cell_height },
                exaggeration = (lie.max - lie.min) * 0.055 * 16 * zoom / (2 * math.pi) }
            unit.assertEquals(altitude:relief{ low = lie.min, high = lie.max }:hash(), same:hash())
            angles[i] = i == 1 and mean_angle(altitude:crop{ x = 32, y = 32, width = 64, height = 64 })
                or mean_angle(altitude:resize{ size = 64 })
        end
        unit.assertTrue(angles[1] > 1 and math.abs(angles[1] / angles[2] - 1) < 0.15, angles[1] .. " " .. angles[2])
    end
    unit.assertAlmostEquals(planet:altitude_at{ x = 0.3, y = 0.47, radius = radius },
        planet:altitude_at{ x = 0.3, y = 0.47 } * 0.055 * radius, 1e-6)
    for problem, window in pairs{ ["side is for flat maps: this one is a planet (radius)"] = { size = 32, side = 1000 },
        ["coordinates are those of web maps"] = { size = 32, projection = "mercator", radius = 1000 } } do
        unit.assertErrorMsgContains(problem, planet.render, planet, window)
    end
    local flat = esker.river_map{ seed = 2, land = "raw" }
    unit.assertErrorMsgContains("radius is for planets: this map is flat (side)", flat.render, flat,
        { size = 32, radius = 1000 })
end

-- A window in metres is shaded as the same window without them, where slopes are not exaggerated.
function TestFrames.test_windows_in_metres_show_their_slopes()
    local grey = { palette = { { -1, "#888888" }, { 1, "#888888" } } }
    for _, how in ipairs{ { "right", "side", 2e5 }, { "sphere", "radius", 3e6 } } do
        local map = esker.river_map{ seed = 2, tiling = how[1], land = "raw" }
        local window = { zoom = 200, x = 0.42, y = 0.57, size = 64 }
        local function shades(field)
            local path, top = temporary(".tif"), field.frame.top or 1
            field:relief{ palette = grey.palette, low = 0, high = top, exaggeration = 1 }:save(path)
            return esker.load(path, { band = 1 }):georeference{ nowhere = true }
        end
        local function most(one, other) return (shades(one) - shades(other)):abs():statistics().max end
        local altitude = map:render(window)
        window[how[2]] = how[3]
        local metres, river = map:render(window)
        local model = metres:georeference{ cell = 30, unit = "m" }
        unit.assertTrue(most(altitude, metres) <= 1)
        unit.assertTrue(most(altitude, model) > 1)
        unit.assertEquals(metres:crop{ x = 3, y = 3 }.frame.top, 0.055 * how[3])
        unit.assertNil(river.frame.top)
        unit.assertNil((metres * 2).frame.top)
        for _, ending in ipairs{ "png", "npy", "tif" } do
            local path = temporary("." .. ending)
            metres:save(path)
            unit.assertEquals(esker.load(path).frame.top, metres.frame.top, ending)
        end
    end
end

-- Heights have the same colours in each window of a map, with heights from any level, and in metres those of altitudes.
function TestFrames.test_windows_keep_the_colours_of_the_map()
    local palette = { { -1, "#000000" }, { 0, "#000000" }, { 1, "#ffffff" } }
    local function colours(field, low, high)
        local path = temporary(".tif")
        field:relief{ palette = palette, contrast = 0, low = low, high = high }:save(path)
        return esker.load(path, { band = 1 }):georeference{ nowhere = true }
    end
    for _, place in ipairs{ { 31, 0.45, 0.88 }, { 7, 0.6, 0.4 } } do
        local map, window = esker.river_map{ seed = place[1] }, { x = place[2], y = place[3], zoom = 2000, size = 64 }
        local altitude = map:render(window)
        local relative = { relative = true }
        for key, value in pairs(window) do relative[key] = value end
        unit.assertTrue((colours((map:render(relative))) - colours(altitude)):abs():statistics().max <= 1)
    end
    local function shade(metres, frame) -- of a plain at this altitude, beside other land or none
        local plain = esker.field{ size = 4, values = function(x) return x < 2 and metres or 3000 end, frame = frame }
        return colours(plain):get(0, 0)
    end
    local frame, last = { cell = 30, unit = "m" }, -1
    for _, metres in ipairs{ 10, 100, 300, 1000, 2000, 3000, 6000 } do
        local here = shade(metres, frame)
        unit.assertTrue(here > last + 5, metres)
        unit.assertEquals(shade(metres / 0.3048, { cell = 30, unit = "ft" }), here)
        unit.assertEquals(shade(metres, { cell = 1000, unit = "m", top = 8000 }), here)
        last = here
    end
    -- so has the sea, whose depth in the window was the scale's; also where a scale of the land alone is given
    palette = { { -1, "#000000" }, { 0, "#ffffff" }, { 1, "#888888" } }
    local map, inner = esker.river_map{ seed = 2, land = "raw" }, { width = 120, height = 120 }
    local whole, part = map:render{ size = 256 }, map:render{ x = 0.25, y = 0.25, zoom = 2, size = 128 }
    unit.assertTrue((colours(whole):crop(inner) - colours(part):crop(inner)):abs():statistics().max <= 1)
    unit.assertTrue((colours(whole, 0, 1) - colours(whole)):abs():statistics().max <= 1)
end

function TestFrames.test_windows_of_a_map_lie_on_it()
    local map = esker.river_map{ seed = 2, land = "raw" }
    local window = { x = 0.25, y = 0.25, zoom = 4, size = 32 }
    local altitude, river = map:render(window)
    local frame = { x = 0.125, y = 0.875, cell_width = 1 / 128, cell_height = 1 / 128, heights = false }
    unit.assertEquals(river.frame, frame)
    frame.unit, frame.heights = "map", nil
    unit.assertEquals(altitude.frame, frame)
    unit.assertEquals(map:rivers(window).frame, frame)
    local planet = esker.river_map{ seed = 2, tiling = "sphere", land = "raw" }
    local whole = planet:render{ width = 32, height = 16 }
    unit.assertEquals(whole.frame, { x = -180, y = 90, cell_width = 11.25, cell_height = 11.25, unit = "planet" })
    unit.assertNil(planet:render{ size = 16, projection = "orthographic" }.frame)
end

-- A window whose altitudes count from its centre knows where the sea is.
function TestFrames.test_relative_windows_know_the_sea()
    local flat = esker.river_map{ seed = 2, land = "raw" }
    local planet = esker.river_map{ seed = 4, tiling = "sphere", land = "raw" }
    for _, how in ipairs{ { flat, "side" }, { planet, "radius" } } do
        local map, metres = table.unpack(how)
        local window = { x = 0.3, y = 0.47, zoom = 16, size = 96 }
        local sea = -map:altitude_at(window)
        window.relative = true
        local altitude, river = map:render(window)
        unit.assertEquals(altitude.frame.sea, sea)
        unit.assertNil(river.frame.sea)
        unit.assertEquals(altitude:crop{ x = 8, y = 8 }.frame.sea, sea)
        unit.assertNil((altitude * 2).frame.sea)
        local bare = altitude:georeference{ like = altitude, sea = 0 } -- the sea at the window's centre
        for _, name in ipairs{ "relief", "perspective", "fill", "flow_accumulation" } do
            local own = altitude[name](altitude):hash()
            unit.assertEquals(own, altitude[name](altitude, { sea_level = sea }):hash(), name)
            unit.assertEquals(own, bare[name](bare, { sea_level = sea }):hash(), name)
            unit.assertTrue(name == "fill" or own ~= bare[name](bare):hash(), name)
        end
        window[metres] = 1e6
        unit.assertAlmostEquals(map:render(window).frame.sea, sea * 0.055 * 1e6, 1e-6)
        window.from_zoom, window.from_x, window.from_y = 4, 0.4, 0.5
        local other = { x = 0.4, y = 0.5, zoom = 4, size = 96, [metres] = 1e6 }
        unit.assertAlmostEquals(map:render(window).frame.sea, -map:altitude_at(other), 1e-6)
        window.relative = nil
        unit.assertErrorMsgContains("from_zoom is for relative = true", map.render, map, window)
        for _, name in ipairs{ "from_x", "from_y" } do
            local message = name .. " needs from_zoom"
            unit.assertErrorMsgContains(message, map.render, map, { [name] = 0.4 })
            unit.assertErrorMsgContains(message, map.render, map, { [name] = "0.5", relative = true })
            unit.assertErrorMsgContains(message, map.altitude_at, map, { [name] = 0.5 })
        end
        local from_middle = { x = 0.4, from_zoom = 4, from_x = 0.5, from_y = "0.5" }
        unit.assertEquals(map:altitude_at{ x = 0.4, from_zoom = 4 }, map:altitude_at(from_middle))
    end
    unit.assertNil(planet:render{ size = 32, projection = "orthographic", relative = true }.frame)
end

-- Its land is made once, not first for the altitude of its centre.
function Long.test_relative_windows_take_no_longer()
    local map, threads = esker.river_map{ seed = 2 }, esker.threads()
    local function seconds_of(relative)
        local least = math.huge
        for i = 1, 3 do -- with finer levels that no other has
            local edited = map:raise{ along = { { 0.9334, 0.9235 + i * 1e-4 } }, width = 3000, height = 100 }
            local begun = os.clock()
            edited:render{ x = 0.9334, y = 0.9235, zoom = 256, size = 64, relative = relative }
            least = math.min(least, os.clock() - begun)
        end
        return least
    end
    esker.threads(1)
    seconds_of(false) -- the coarser land
    local absolute, relative = seconds_of(false), seconds_of(true)
    esker.threads(threads)
    unit.assertTrue(relative < 1.6 * absolute)
end

function TestFrames.test_the_sea_is_part_of_a_frame()
    local frame = { cell = 2, unit = "m", sea = -3.25 }
    local field = esker.field{ size = 8, frame = frame, values = function(x, y)
        return (x - 4) ^ 2 + (y - 3) ^ 2 - 5
    end }
    unit.assertEquals(field.frame, { x = 0, y = 0, cell_width = 2, cell_height = 2, unit = "m", sea = -3.25 })
    local other = esker.field{ size = 8, values = 1 }
    other.frame = field.frame
    unit.assertEquals(other.frame, field.frame)
    for _, ending in ipairs{ ".png", ".r32", ".tif" } do
        local path = temporary(ending)
        field:save(path)
        unit.assertEquals(esker.load(path).frame, field.frame)
    end
    local water = field:flow_accumulation()
    unit.assertEquals(esker.large{ field = field }:flow_accumulation():hash(), water:hash())
    unit.assertEquals(field:flow_accumulation{ sea_level = -3.25 }:hash(), water:hash())
    unit.assertFalse(water:hash() == (field * 1):flow_accumulation():hash())
end

-- Heights that count from different zeros are not combined, as those in different units.
function TestFrames.test_seas_of_combined_heights_are_one()
    local window = { x = 0.42, y = 0.57, zoom = 30, size = 32, side = 2e5 }
    local map = esker.river_map{ seed = 2, land = "raw" }
    local absolute = map:render(window)
    window.relative = true
    local relative, river = map:render(window)
    local sea = relative.frame.sea
    unit.assertEquals((-relative).frame.sea, -sea)
    unit.assertNil((-absolute).frame.sea)
    for _, combine in ipairs{ esker.add, esker.subtract, esker.max, function(a, b) return a:lerp(b, 0.5) end } do
        unit.assertErrorMsgContains("b has the sea at", combine, relative, absolute)
        unit.assertErrorMsgContains("b has the sea at", combine, absolute, relative)
        unit.assertEquals(combine(relative, relative).frame.sea, sea)
        unit.assertEquals(combine(relative, river).frame.sea, sea)
        unit.assertEquals(combine(river, relative).frame, relative.frame)
        unit.assertEquals(combine(relative, 1).frame.sea, sea)
    end
    local raised = (relative - sea):georeference{ like = relative, sea = 0 }
    unit.assertNil((raised + absolute).frame.sea)
    unit.assertTrue((raised - absolute):abs():statistics().max < 1e-3)
    unit.assertEquals((-esker.large{ field = relative }).frame.sea, -sea)
end

-- Contours of a relative window lie where those of the absolute one do: one on the coast.
function TestFrames.test_contours_count_from_the_sea()
    local map = esker.river_map{ seed = 2, land = "raw" }
    local window = { x = 0.42, y = 0.57, zoom = 4, size = 128, side = 2e5 }
    local absolute = map:render(window)
    window.relative = true
    local relative = map:render(window)
    local sea, here, there = relative.frame.sea, {}, {}
    for _, line in ipairs(absolute:contours{ interval = 200 }:reaches()) do
        here[math.floor(line[1].altitude + 0.5)] = line.order
    end
    for _, line in ipairs(relative:contours{ interval = 200 }:reaches()) do
        there[math.floor(line[1].altitude - sea + 0.5)] = line.order
    end
    unit.assertEquals(there, here)
    unit.assertEquals(here[0], 2)
    local function sheet(height)
        local path = temporary(".tif")
        height:contour_map{ interval = 200, contrast = 0, low = -4000, high = 4000,
            palette = { { -1, "#888888" }, { 1, "#888888" } } }:save(path)
        return esker.load(path, { band = 1 }):georeference{ nowhere = true }
    end
    unit.assertTrue((sheet(absolute) - sheet(relative)):abs():statistics().mean < 0.5) -- labels, too
end

-- What is saved and loaded again, and the file's text.
local function through_file(value, ending)
    local path = temporary(ending)
    value:save(path)
    local text = assert(io.open(path, "rb")):read("a")
    local again = ending ~= ".geojson" and esker.load(path)
    os.remove(path)
    return again, text
end

function TestFrames.test_files_keep_what_they_can()
    local without_system = { x = utm.x, y = utm.y, cell_width = 30, cell_height = 30 }
    unit.assertEquals(through_file(land(), ".png").frame, utm)
    local bare = land():georeference{ nowhere = true }
    unit.assertEquals(through_file(bare:georeference(without_system), ".asc").frame, without_system)
    local turned = land():transform{ angle = 20 }
    unit.assertEquals(through_file(turned, ".png").frame, turned.frame)
end

function TestFrames.test_rivers_and_points_have_the_coordinates_of_their_ground()
    local field = land()
    for _, value in ipairs{ field:rivers_from_flow{ threshold = 0.02 }, field:contours{}, field:scatter{} } do
        local _, text = through_file(value, ".geojson")
        unit.assertStrContains(text, "urn:ogc:def:crs:EPSG::26916")
        for line in text:gmatch('"coordinates":(%b[])') do
            for x, y in line:gmatch("%[(%-?[%d.]+),(%-?[%d.]+),") do
                unit.assertTrue(tonumber(x) >= utm.x and tonumber(x) <= utm.x + 40 * 30)
                unit.assertTrue(tonumber(y) <= utm.y and tonumber(y) >= utm.y - 30 * 30)
            end
        end
    end
end

-- A system with heights is that of its ground: in sums, GeoJSON and the .json beside a file.
function TestFrames.test_latitudes_end_at_the_poles()
    local field = esker.noise{ size = 19, seed = 4, wrap = false } * 1000
    local function measures(frame)
        field.frame = { x = 0, y = frame.y, cell = frame.cell, system = "EPSG:4326", unit = "m" }
        field:slope()
        field:normalize():distance()
    end
    measures{ y = 90, cell = 1 }
    measures{ y = 90.5, cell = 1 } -- a grid whose first row is at the pole
    measures{ y = 95, cell = 10 } -- and from pole to pole
    local cases = { ["the first row of cells is at 94.5"] = { y = 95, cell = 1 },
        ["the first row of cells is at 199.5"] = { y = 200, cell = 1 },
        ["a latitude must be -90 to 90, and the last row of cells is at -97.5"] = { y = -79, cell = 1 } }
    for message, frame in pairs(cases) do
        unit.assertErrorMsgContains(message, measures, frame)
    end
end

function TestFrames.test_compound_systems_are_their_ground()
    local field, frame = land(), { x = 6, y = 46, cell = 0.001, unit = "m" }
    local wkt = ('COMPD_CS["both",%s,VERT_CS["EGM2008",VERT_DATUM["EGM2008 geoid",2005],UNIT["metre",1]]]'):format(
        'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],AUTHORITY["EPSG","4326"]]')
    for _, system in ipairs{ "EPSG:4326+3855", "EPSG:9518", "EPSG:4979", "epsg:4326+5773", wkt } do
        frame.system = system
        field.frame = frame
        local plain = field:georeference{ like = field, system = "EPSG:4326" }
        unit.assertEquals((plain + field).frame.system, "EPSG:4326")
        local _, text = through_file(field:contours{}, ".geojson")
        unit.assertStrContains(text, "urn:ogc:def:crs:EPSG::4326\"")
        unit.assertEquals(through_file(field, ".r32").frame.system, field.frame.system)
        unit.assertErrorMsgContains("lies elsewhere", function()
            return field + field:georeference{ like = field, system = "EPSG:4258" }
        end)
    end
end

-- A roof of 45 degrees in metres, whatever the number of cells.
function TestFrames.test_slopes_are_true_in_metres()
    local frames = { { x = 5e5, y = 4e6, cell = 30, system = "EPSG:26916", unit = "m" }, { cell = 30, unit = "m" } }
    for _, frame in ipairs(frames) do
        local plane = esker.field{ width = 120, height = 80, values = function(x) return 30 * x end, frame = frame }
        unit.assertAlmostEquals(plane:gradient_angle():statistics().mean, 45, 1e-3)
        unit.assertEquals(plane:select{ slope = { 44, 46 } }:statistics().min, 1)
        unit.assertAlmostEquals(plane:gradient_angle{ exaggeration = 0 }:statistics().max, 0, 0)
        local bare = plane:georeference{ nowhere = true }
        local grey = { palette = { { -1, "#888888" }, { 1, "#888888" } }, contrast = 0 } -- metres change no colour
        local shown = plane:contour_map(grey):hash()
        unit.assertNotEquals(shown, bare:contour_map(grey):hash())
        grey.cell = 30
        unit.assertEquals(shown, bare:contour_map(grey):hash())
        local turned = plane:georeference{ cell_width = 0, cell_height = 0, turn_x = -30, turn_y = -30, unit = "m" }
        unit.assertNotEquals(plane:contour_map():hash(), turned:contour_map():hash()) -- the arrow
    end
    local feet = esker.field{ width = 40, height = 20, values = function(x) return 100 * x end,
        frame = { cell = 30.48, unit = "Feet" } }
    unit.assertAlmostEquals(feet:gradient_angle():statistics().mean, 45, 1e-3)
    local field = esker.noise{ size = 16, seed = 1 }
    field.frame = { cell = 30, unit = "m" }
    local angles = field:gradient_angle():hash()
    field.frame = { cell = 30 } -- heights in the unit of the coordinates
    unit.assertEquals(field:gradient_angle():hash(), angles)
end

-- Heights at the middles of cells, wherever these lie.
local function sampled(width, height, frame, height_at)
    return esker.field{ width = width, height = height, frame = frame, values = function(column, row)
        local c, r = column + 0.5, row + 0.5
        return height_at(frame.x + c * frame.cell_width + r * (frame.turn_x or 0),
            frame.y + c * (frame.turn_y or 0) - r * frame.cell_height)
    end }
end

local function placed(cell_width, cell_height, turn_x, turn_y)
    return { x = 0, y = 0, cell_width = cell_width, cell_height = cell_height, turn_x = turn_x, turn_y = turn_y,
        system = "EPSG:32631", unit = "m" }
end

-- A plane that rises by 0.3 to the east and 0.4 to the north, in cells of any sides and directions.
function TestFrames.test_slopes_are_those_of_the_map_where_cells_are_no_squares()
    local c, s = math.cos(0.5), math.sin(0.5)
    for _, frame in ipairs{ placed(10, 10), placed(10, 20), placed(90, 30), placed(10, -20), placed(-7, 10),
        placed(20 * c, 10 * c, 10 * s, 20 * s), placed(0, 0, 10, -30) } do
        local plane = sampled(24, 20, frame, function(x, y) return 0.3 * x + 0.4 * y end)
        local name = ("%g %g"):format(frame.cell_width, frame.cell_height)
        local function is(of, wanted)
            local found = of:statistics()
            unit.assertAlmostEquals(found.min, wanted, 2e-3, name)
            unit.assertAlmostEquals(found.max, wanted, 2e-3, name)
        end
        for _, method in ipairs{ "horn", "zevenbergen" } do
            is(plane:gradient_angle{ method = method }, math.deg(math.atan(0.5)))
            is(plane:aspect{ method = method }, math.deg(math.atan(-0.3, -0.4)) % 360)
            is(plane:hillshade{ light = { 90, 30 }, method = method },
                (math.sin(math.rad(30)) - 0.3 * math.cos(math.rad(30))) / math.sqrt(1.25))
        end
        is(plane:select{ slope = { 26.5, 26.6 }, aspect = { 216, 218 } }, 1)
        is(plane:curvature(), 0)
    end
end

-- The same ridge and pit in square cells and in oblong ones of two of these each.
function TestFrames.test_light_and_bends_are_those_of_the_ground_where_cells_are_no_squares()
    local function land_at(x, y)
        return 60 * math.exp(-((x - 300) ^ 2 + 0.5 * (y + 340) ^ 2) / 14000)
            - 50 * math.exp(-((x - 400) ^ 2 + (y + 250) ^ 2) / 9000) + 0.04 * y
    end
    local squares = sampled(128, 128, placed(5, 5), land_at)
    local function far(measure, ...)
        for _, oblong in ipairs{ sampled(128, 64, placed(5, 10), land_at), sampled(64, 128, placed(10, 5), land_at) } do
            local here, there = measure(squares, ...), measure(oblong, ...):resize{ size = 128 }
            local inner = { x = 12, y = 12, width = 104, height = 104 }
            local apart = (here - there:georeference{ like = here }):abs():crop(inner):statistics()
            local range = here:crop(inner):statistics()
            unit.assertTrue(apart.mean < 0.01 * (range.max - range.min), ("%s %g of %g"):format(
                tostring((...)), apart.mean, range.max - range.min))
        end
    end
    for _, kind in ipairs{ "mean", "profile", "tangential" } do
        far(function(field) return field:curvature{ kind = kind } end, kind)
    end
    far(function(field) return field:hillshade{ light = { 70, 25 }, shadows = true } end, "shadows")
    far(function(field) return field:insolation{ latitude = 50, day = 355, steps = 6 } end, "insolation")
    far(function(field) return field:sky_view{ directions = 16 } end, "sky_view")
end

-- 64 cells of 16 metres: a slope of 16/N is 45 degrees in both, and a height of 1 is 64 metres.
function TestFrames.test_slopes_of_erosion_are_true_in_metres()
    local shares = esker.noise{ size = 64, seed = 3, wrap = false }:normalize()
    local metres = (shares * 64):georeference{ cell = 16, unit = "m" }
    for _, erode in ipairs{
        function(height) return (height:stream_erosion{ age = 0.5, talus = 12 }) end,
        function(height) return (height:thermal_erosion{ talus = 6 }) end,
        function(height) return (height:olsen_erosion{ talus = 12, iterations = 5 }) end,
        function(height) return height:fill{ slope = 0.5 } end,
    } do
        local lies_there = { cell = 16, unit = "m" }
        unit.assertEquals((erode(shares) * 64):georeference(lies_there):hash(), erode(metres):hash())
    end
end

-- What a .json beside a file says is taken or refused, never passed over.
function TestFrames.test_a_json_beside_a_file_is_right_or_an_error()
    local folder = temporary("")
    assert(os.execute("mkdir " .. folder))
    local path = folder .. "/s.raw"
    local field = land(40, 30)
    field:save(path)
    local function read(name)
        local file <close> = assert(io.open(name, "rb"))
        return file:read("a")
    end
    local function write(name, text)
        local file <close> = assert(io.open(name, "wb"))
        file:write(text)
    end
    local right = read(path .. ".json")
    local function fails(problem, text, at)
        at = at or path
        write(at .. ".json", text)
        unit.assertErrorMsgContains(problem, esker.load, at)
        unit.assertErrorMsgContains(at:match("[^/]+$") .. ".json", esker.load, at)
    end
    for _, case in ipairs{ { "low", '"0"', "low must be a number from -3.40282e+38 to 3.40282e+38, got \"0\"" },
        { "low", "1e39", "low must be a number" }, { "low", "0x1", "got 0x1" },
        { "high", "-1e9", "high must be above low" },
        { "low", nil, "low must be a number from -3.40282e+38 to 3.40282e+38, got nothing" },
        { "high", nil, "got nothing" }, { "low", "nan", "got nan" },
        { "width", "40.5", "width must be a whole number from 1 to 65536, got 40.5" }, { "width", "0", "got 0" },
        { "height", nil, "height must be a whole number" }, { "width", "70000", "got 70000" },
        { "byte_order", '"middle"', 'byte_order must be "little" or "big", got "middle"' },
        { "first_row", "7", "got 7" },
        { "type", '"float32"', 'type must be "uint16", got "float32"' }, { "unit", "5", "unit must be a text" },
        { "place", '"1 2 3"', 'place must be "X Y' }, { "place", '"0 0 0 0 0 0"', "cells with an area" },
        { "system", "{}", "system must be a text" },
        { "system", '"EPSG:zzz"', 'system must be "EPSG:" and a number, or WKT, got "EPSG:zzz"' },
        { "cell", "1", "cell must be 30, as in place, got 1" }, { "cell", '"30"', "cell must be a number" },
        { "width", '40, "width": 41', "width must be there once" }, { "unit", '"m\\u0000"', "unit must be a text" },
        { "unit", '"\\ud83d"', "unit must be a text" }, { "unit", '"\\n"', "unit must be a text" } } do
        local key, value, problem = table.unpack(case, 1, 3)
        local text, count = right:gsub('"' .. key .. '": ("[^"]*")', function()
            return value and ('"%s": %s'):format(key, value) or '"x": 0'
        end)
        if count == 0 then
            text, count = right:gsub('"' .. key .. '": ([^",\n]+)', function()
                return value and ('"%s": %s'):format(key, value) or '"x": 0'
            end)
        end
        unit.assertEquals(count, 1, key)
        fails(problem, text)
    end
    for escaped, meant in pairs{ ["m\\u00e8tre"] = "mètre", ["\\ud83d\\uDE00\\/"] = "😀/", ["\\u20ac\\u007e"] = "€~" } do
        write(path .. ".json", "\xef\xbb\xbf" .. right:gsub('"unit": "m"', '"unit": "' .. escaped .. '"'))
        unit.assertEquals(esker.load(path).frame.unit, meant)
    end
    fails("no whole JSON object", right:sub(1, 120))
    fails("no whole JSON object", "")
    fails("no whole JSON object", right .. "}")
    write(path .. ".json", (right:gsub('"width"', '"x"'):gsub('"height"', '"y"')))
    unit.assertEquals(esker.load(path, { width = 40, height = 30 }).frame, utm)
    write(path .. ".json", right)
    unit.assertEquals(esker.load(path).frame, utm)
    unit.assertEquals(esker.load(path, { width = 30, height = 40 }).width, 30)
    field:save(folder .. "/a.npy")
    fails("says 41 × 30 cells, but the file has 40 × 30", read(folder .. "/a.npy.json"):gsub("40,", "41,", 1),
        folder .. "/a.npy")
    os.remove(folder .. "/a.npy.json")
    unit.assertNil(esker.load(folder .. "/a.npy").frame)
    for _, command in ipairs{ "mkdir", "mkfifo", "ln -s nowhere" } do
        assert(os.execute(("%s '%s/a.npy.json'"):format(command, folder)))
        unit.assertErrorMsgContains("a.npy.json", esker.load, folder .. "/a.npy")
        os.execute(("rm -r '%s/a.npy.json'"):format(folder))
    end
    os.execute("rm -r " .. folder)
end

os.exit(unit.LuaUnit.run())
