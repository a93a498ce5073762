-- Points, lines and polygons of other programs: what files say comes in, and what is broken is refused.

local lu = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

local function write(text, ending)
    local path = temporary(ending or ".geojson")
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
    return path
end

local function collection(features, before)
    return ('{"type":"FeatureCollection",%s"features":[%s]}'):format(before or "", features)
end

local function feature(kind, coordinates, properties)
    return ('{"type":"Feature","properties":%s,"geometry":{"type":"%s","coordinates":%s}}'):format(
        properties or "{}", kind, coordinates)
end

local utm = '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::26916"}},'
local square = "[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]]"

local function load_text(text, arguments)
    local path = write(text)
    local results = table.pack(pcall(esker.load, path, arguments))
    os.remove(path)
    if not results[1] then
        error(results[2], 0)
    end
    return results[2]
end

-- A field of `size` cells of a metre whose lower left corner is (0, 0).
local function metres(size, system)
    local field = esker.noise{ size = size, seed = 4, wrap = false }
    field.frame = { x = 0, y = size, cell = 1, system = system or "EPSG:26916", unit = "m" }
    return field
end

TestVectors = {}

function TestVectors.test_coordinates_and_attributes_come_back()
    local text = collection(feature("LineString", "[[733975.125,3469995.25],[734500.1,3469000]]",
        [[{"name":"\u00e9 \ud83d\ude00 \"q\"","class":3.5,"paved":true,"tags":{"a":[1,"]"]},"none":null}]]) .. ","
        .. feature("MultiLineString", "[[[734000,3469500],[734100,3469600]],[[734200,3469100],[734300,3469200]]]",
            '{"class":4}'), utm)
    local lines = load_text(text)
    lu.assertEquals(esker.type(lines), "Lines")
    lu.assertEquals({ lines.count, #lines, lines.frame.system }, { 2, 2, "EPSG:26916" })
    local list = lines:list()
    lu.assertEquals(list[1].attributes, { name = 'é 😀 "q"', class = 3.5, paved = true, tags = '{"a":[1,"]"]}' })
    lu.assertEquals({ #list[1].parts, #list[2].parts, list[2].attributes.class }, { 1, 2, 4 })
    local path = temporary(".geojson")
    lines:save(path)
    local again, file = esker.load(path), assert(io.open(path))
    local written = file:read("a")
    file:close()
    os.remove(path)
    lu.assertStrContains(written, "[[733975.125,3469995.25],[734500.1,3469000]]")
    lu.assertEquals(again:hash(), lines:hash())
end

function TestVectors.test_polygons_keep_their_holes()
    local polygons = load_text(collection(feature("Polygon", square) .. ","
        .. feature("MultiPolygon", "[" .. square .. ",[[[10,10],[12,10],[12,12],[10,10]]]]"), utm))
    local list = polygons:list()
    lu.assertEquals({ list[1].parts[1].hole, list[1].parts[2].hole }, { nil, true })
    lu.assertEquals({ #list[2].parts, list[2].parts[2].hole, list[2].parts[3].hole }, { 3, true, nil })
    local path = temporary(".geojson")
    polygons:save(path)
    lu.assertEquals(esker.load(path):hash(), polygons:hash())
    os.remove(path)
end

function TestVectors.test_members_may_come_in_any_order()
    local lines = load_text('{"features":[{"geometry":{"coordinates":[[1,2],[3,4]],"type":"LineString"},'
        .. '"id":7,"type":"Feature","properties":{"a":1}}],"type":"FeatureCollection"}')
    lu.assertEquals(lines:list()[1].attributes, { a = 1, id = 7 })
    lu.assertEquals(lines.frame.system, "EPSG:4326") -- RFC 7946
    lu.assertEquals(load_text('\xef\xbb\xbf{"type":"Point","coordinates":[1,2]}').count, 1)
    lu.assertEquals(load_text(feature("MultiPoint", "[[1,2],[3,4]]", '{"a":5}')):list()[2].attributes.a, 5)
end

function TestVectors.test_a_system_that_is_not_named_is_not_guessed()
    lu.assertNil(load_text(collection(feature("Point", "[733975,3469995]"))).frame.system)
    lu.assertNil(load_text(collection(feature("Point", "[1,2]"), '"crs":null,')).frame.system)
    local given = load_text(collection(feature("Point", "[733975,3469995]")), { system = "EPSG:26916" })
    lu.assertEquals(given.frame.system, "EPSG:26916")
end

function TestVectors.test_what_is_broken_says_where()
    local deep = ("["):rep(200) .. ("]"):rep(200)
    for text, message in pairs{
        [""] = "it ends where '{' is expected",
        ["{}"] = "a geometry of the unknown type ''",
        [collection(feature("LineString", "[[1,2],[3,4]"))] = "feature 1: ']' expected, got '}'",
        [collection(feature("LineString", "[[1,2]]"))] = "feature 1: a line has one position",
        [collection(feature("LineString", "[[1],[2,3]]"))] = "feature 1: a position has 1 number",
        [collection(feature("LineString", "[1,2]"))] = "its coordinates do not fit its type",
        [collection(feature("Polygon", "[[[0,0],[1,0],[0,0]]]"))] = "a ring of a polygon has 3 positions",
        [collection(feature("Polygon", "[[[0,0],[1,0],[1,1],[0,1]]]"))] = "does not end where it begins",
        [collection(feature("Polygon", "[[[0,0],[4,4],[4,0],[0,4],[0,0]]]"))] =
            "polygon 1: its outline crosses itself near 2, 2; ogr2ogr -makevalid mends it",
        [collection(feature("Polygon", "[[[0,0],[9,0],[9,9],[0,0]],[[1,2],[8,2],[8,1],[1,2]]]"))] = "crosses itself",
        [collection(feature("Point", "[1e999,2]"))] = "'1e999' is no number of JSON",
        [collection(feature("Point", "[1e40,2]"))] = "a position is out of range",
        [collection(feature("Point", "[01x,2]"))] = "expected, got 'x'",
        [collection(feature("Circle", "[1,2]"))] = "a geometry of the unknown type 'Circle'",
        [collection(feature("Point", "[1,2]", '{"a":"\\u0000"}'))] = "the character 0",
        [collection(feature("Point", "[1,2]", '{"a":' .. deep .. '}'))] = "more than 64 deep",
        [collection(feature("Point", deep))] = "a position expected",
        [collection(feature("Point", "[1,2]", "[]"))] = "'{' of properties expected",
        [collection("") .. "x"] = "the end expected, got 'x'",
        [collection("")] = "has no points, lines or polygons",
        [collection(feature("Point", "[1,2]"), '"crs":{"type":"link"},')] = "its coordinate system has no EPSG code",
        [collection(feature("Point", "[1,2]") .. "," .. feature("LineString", "[[1,2],[3,4]]"))] =
            'has 1 points, 1 lines and 0 polygons: geometry = "points" reads one kind',
    } do
        lu.assertErrorMsgContains(message, load_text, text)
    end
end

function TestVectors.test_one_kind_of_several_is_read()
    local text = collection(feature("Point", "[1,2]") .. "," .. feature("LineString", "[[1,2],[3,4]]"))
    lu.assertEquals(load_text(text, { geometry = "lines" }).count, 1)
    lu.assertEquals(esker.type(load_text(text, { geometry = "points" })), "Points")
    lu.assertErrorMsgContains("has no polygons", load_text, text, { geometry = "polygons" })
    local whole = '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},'
        .. '{"type":"LineString","coordinates":[[1,2],[3,4]]}]}'
    lu.assertErrorMsgContains("1 points, 1 lines and 0 polygons: geometry =", load_text, whole)
    lu.assertEquals(load_text(whole, { geometry = "lines" }).count, 1)
end

function TestVectors.test_outlines_may_touch_themselves()
    local polygons = load_text(collection(feature("Polygon", -- a hole that touches the outline
        "[[[0,0],[8,0],[8,8],[0,8],[0,0]],[[0,4],[4,2],[4,6],[0,4]]]")))
    lu.assertEquals(polygons.count, 1)
end

function TestVectors.test_a_table_of_points()
    local path = write('name;lat;lon;z\r\n"Peak; the ""A""";31.33;-84.45;120\r\n\r\nB;31.36;-84.41;\r\n', ".csv")
    local points = esker.load(path)
    os.remove(path)
    local list = points:list()
    lu.assertEquals({ points.count, points.frame.system }, { 2, "EPSG:4326" })
    lu.assertEquals({ list[1].attributes.name, list[2].attributes.name }, { 'Peak; the "A"', "B" })
    lu.assertEquals({ list[1].altitude, list[2].altitude }, { 120, 0 })
    for text, message in pairs{
        ["a,b\n1,2\n"] = "row 1: it names no columns of coordinates",
        ["x,y\n1,2\n3\n"] = "row 3 has 1 fields, the names are 2",
        ["x,y\n1,two\n"] = "row 2: 'two' is no coordinate",
        ['x,y,n\n1,2,"a\n'] = "a quote is not closed",
        ["x,y\n"] = "has no points",
    } do
        path = write(text, ".csv")
        lu.assertErrorMsgContains(message, esker.load, path)
        os.remove(path)
    end
end

-- Spreadsheets compute cells that begin so: texts are guarded by an apostrophe, and numbers are not.
function TestVectors.test_no_text_of_a_table_is_a_formula()
    local texts = { "=cmd|'/c calc'!A0", "@SUM(1)", "+1+2", "-2+3", "'=1", "\t=1", "'tis", "a=b", "=\"x\"" }
    local list = {}
    for i, text in ipairs(texts) do
        list[i] = { x = i, y = 1, attributes = { ["=name"] = text, number = -i } }
    end
    local path = temporary(".csv")
    esker.points{ size = 16, list = list }:save(path)
    local text = io.open(path):read("a")
    lu.assertEquals(text:match("^[^\n]*"), "x,y,altitude,'=name,number")
    lu.assertStrContains(text, "\n1,1,0,'=cmd|'/c calc'!A0,-1\n")
    lu.assertStrContains(text, ",''=1,-5\n")
    lu.assertStrContains(text, ",\"'=\"\"x\"\"\",-9\n")
    lu.assertNil(text:find("[,\n]\"?[=+@\t]"))
    for i, point in ipairs(esker.load(path):list()) do
        lu.assertEquals(point.attributes, { ["=name"] = texts[i], number = -i })
    end
    os.remove(path)
end

function TestVectors.test_a_table_has_each_column_once()
    local points = esker.points{ size = 8, list = { { x = 1, y = 2, altitude = 3, radius = 4, species = 5,
        attributes = { x = 500, altitude = "high", species = "oak", kind = "tree" } } } }
    local path = temporary(".csv")
    points:save(path)
    lu.assertEquals(io.open(path):read("a"), "x,y,altitude,radius,variation,kind,species\n1,2,3,4,0,tree,oak\n")
    os.remove(path)
end

function TestVectors.test_points_keep_what_they_have_in_files()
    local points = esker.points{ size = 8, list = { { x = 1, y = 2, altitude = 3, radius = 0.5, species = 2,
        attributes = { kind = "oak", tall = true, age = 7 } }, { 4, 5 } } }
    lu.assertEquals(points:list()[1].attributes, { kind = "oak", tall = true, age = 7 })
    lu.assertNotEquals(points:hash(), esker.points{ size = 8, list = { { x = 1, y = 2, altitude = 3, radius = 0.5,
        species = 2 }, { 4, 5 } } }:hash())
    local land = metres(8)
    local placed = esker.load(write(collection(feature("Point", "[1,2,3]", '{"radius":0.5,"species":2}'), utm)))
    local list = placed:reproject{ like = land }:list()
    lu.assertEquals({ list[1].x, list[1].y, list[1].radius, list[1].species }, { 1, 6, 0.5, 2 })
end

function TestVectors.test_lines_and_polygons_made_in_lua()
    local lines = esker.lines{ size = 8, list = { { { 1, 2 }, { 3, 4 } }, { parts = { { { 1, 2, 3 }, { 3, 4, 5 } },
        { { 0, 0 }, { 1, 1 } } }, attributes = { a = 1 } } } }
    lu.assertEquals(lines:list()[2].parts[1][2], { 3, 4, 5 })
    lu.assertEquals({ lines.count, #lines:list()[2].parts }, { 2, 2 })
    local polygons = esker.polygons{ size = 8, list = { { { 1, 1 }, { 7, 1 }, { 7, 7 } } } }
    lu.assertEquals(#polygons:list()[1].parts[1], 4) -- closed
    for message, list in pairs{ ["at least 3 positions"] = { { { 1, 1 }, { 2, 2 } } },
        ["crosses itself"] = { { { 0, 0 }, { 4, 4 }, { 4, 0 }, { 0, 4 } } },
        ["a position must be"] = { { { 1, 1 }, { 2 }, { 3, 3 } } }, ["unknown key 'part'"] = { { part = {} } } } do
        lu.assertErrorMsgContains(message, function() esker.polygons{ size = 8, list = list } end)
    end
end

function TestVectors.test_operations_on_lines_take_them()
    local land = metres(32)
    local road = load_text(collection(feature("LineString", "[[0,16],[32,16]]"), utm)):reproject{ like = land }
    local mask = road:rasterize{ line = 2 }
    lu.assertEquals(mask:statistics().sum, 64)
    lu.assertEquals(road:draw{ scale = 2 }.width, 64)
    lu.assertEquals(road:distance():get(5, 15), 0.0)
    lu.assertEquals(land:flatten(road, { width = 0.1 }).width, 32)
    local relief = land:relief{}
    lu.assertEquals(relief:paint(road).width, 32)
    local function lines(...)
        return esker.lines{ size = 32, list = { ... } }
    end
    local one, other = { { 1, 2 }, { 30, 4 } }, { { 30, 30 }, { 3, 25 }, { 8, 20 } }
    lu.assertEquals(relief:paint(lines(one, other)):hash(), relief:paint(lines(one)):paint(lines(other)):hash())
end

-- The box of the pixels where two images differ: left, top, right, bottom.
local function changed(one, other)
    local left, top, right, bottom = one.width, one.height, -1, -1
    one, other = one:from_terrain_rgb(), other:from_terrain_rgb()
    for y = 0, one.height - 1 do
        for x = 0, one.width - 1 do
            if one:get(x, y) ~= other:get(x, y) then
                left, top, right, bottom = math.min(left, x), math.min(top, y), math.max(right, x), math.max(bottom, y)
            end
        end
    end
    return { left, top, right, bottom }
end

-- Points with names, painted on 100 × 40 pixels of one colour, with their names and without.
local function named(list, options)
    local paper = esker.field{ width = 100, height = 40, values = 0.5 }:relief{}
    local points = { }
    for i, point in ipairs(list) do
        points[i] = { x = point[1], y = point[2], radius = point[4] or 2, attributes = { name = point[3] } }
    end
    points = esker.points{ width = 100, height = 40, list = points }
    options = options or {}
    local plain = paper:paint(points, options)
    options.labels = "name"
    return paper:paint(points, options), plain
end

function TestVectors.test_points_are_labelled_beside_them_inside_the_picture()
    local box = changed(named{ { 20, 20, "Aldhaven" } })
    lu.assertTrue(box[1] >= 21 and box[1] <= 25 and box[3] > 55 and box[3] < 75, lu.prettystr(box))
    lu.assertTrue(box[2] >= 12 and box[4] <= 27, lu.prettystr(box))
    box = changed(named{ { 90, 20, "Aldhaven" } })
    lu.assertTrue(box[1] > 25 and box[3] <= 89, lu.prettystr(box)) -- on the left
    box = changed(named({ { 50, 20, "Aldhaven" } }, { letters = 11 }))
    lu.assertTrue(box[4] < 20 and box[1] < 30 and box[3] > 70, lu.prettystr(box)) -- above
    local larger = changed(named{ { 20, 20, "Ald", 8 }, { 90, 35, "" } })
    local smaller = changed(named{ { 20, 20, "Ald", 8 } })
    lu.assertTrue(larger[4] - larger[2] > smaller[4] - smaller[2])
end

function TestVectors.test_labels_leave_each_other_and_dots_free()
    local first = named{ { 20, 20, "Aldhaven" }, { 24, 21, "" } }
    local both = named{ { 20, 20, "Aldhaven" }, { 24, 21, "Ox" } }
    lu.assertTrue(changed(first, both)[3] > 0) -- both have room
    local alone = named({ { 50, 20, "Aldhaven" }, { 51, 20, "" } }, { letters = 11 })
    lu.assertEquals(named({ { 50, 20, "Aldhaven" }, { 51, 20, "Brandsee" } }, { letters = 11 }):hash(), alone:hash())
    lu.assertNotEquals(named({ { 50, 20, "Brandsee" }, { 51, 20, "" } }, { letters = 11 }):hash(), alone:hash())
end

function TestVectors.test_labels_refuse_what_has_no_names()
    local paper = esker.field{ size = 32, values = 0.5 }:relief{}
    local points = esker.points{ size = 32, list = { { x = 1, y = 1, attributes = { people = 7 } } } }
    lu.assertErrorMsgContains("people", function() paper:paint(points, { labels = "name" }) end)
    lu.assertNotEquals(paper:paint(points, { labels = "people" }):hash(), paper:paint(points):hash())
    lu.assertEquals(paper:paint(esker.points{ size = 32, list = {} }, { labels = "name" }):hash(), paper:hash())
    lu.assertErrorMsgContains("labels: lines have none; points have", function()
        paper:paint(esker.lines{ size = 32, list = { { { 1, 2 }, { 3, 4 } } } }, { labels = "name" })
    end)
    lu.assertErrorMsgContains("halo must be one colour, got 2", function()
        paper:paint(points, { labels = "people", halo = { "#ffffff", "#000000" } })
    end)
end

-- Centres inside, as gdal_rasterize has it.
function TestVectors.test_polygons_cover_the_cells_whose_centres_they_contain()
    local land = metres(8)
    local polygons = load_text(collection(feature("Polygon", square, '{"n":5}') .. ","
        .. feature("Polygon", "[[[4.6,4],[7.4,4],[7.4,8],[4.6,8],[4.6,4]]]", '{"n":7}'), utm))
    local mask, zones = polygons:rasterize{ like = land }, polygons:rasterize{ like = land, attribute = "n" }
    local function row(field, y)
        local list = {}
        for x = 0, 7 do
            list[x + 1] = ("%.0f"):format(field:get(x, y))
        end
        return table.concat(list)
    end
    lu.assertEquals({ row(mask, 7), row(mask, 6), row(mask, 0) }, { "11110000", "10110000", "00000110" })
    lu.assertEquals({ row(zones, 7), row(zones, 0) }, { "55550000", "00000770" })
    lu.assertEquals(mask.frame.cell_width, 1)
    lu.assertErrorMsgContains("there is no attribute 'm'; there are: n", polygons.rasterize, polygons,
        { like = land, attribute = "m" })
end

function TestVectors.test_another_system_is_an_error_that_names_the_cure()
    local land, polygons = metres(8, "EPSG:26917"), load_text(collection(feature("Polygon", square), utm))
    lu.assertErrorMsgContains("the system of polygons is EPSG:26916, that of like EPSG:26917: reproject{ like = … }",
        polygons.rasterize, polygons, { like = land })
    local bare = esker.noise{ size = 8, seed = 4 }
    lu.assertErrorMsgContains("like has no place on a map", polygons.reproject, polygons, { like = bare })
    lu.assertErrorMsgContains("give like, a field, or system", polygons.reproject, polygons,
        { like = land, system = "EPSG:4326" })
end

function TestVectors.test_polygonize_is_undone_by_rasterize()
    local labels = (esker.noise{ size = 40, seed = 9, wrap = false } * 3 + 2):terrace{ steps = 4 }
    local polygons = labels:polygonize()
    local again = polygons:rasterize{ like = labels, attribute = "value" }
    lu.assertEquals(again:hash(), labels:hash())
    local diagonal = esker.field{ values = { { 1, 0, 1 }, { 0, 1, 0 }, { 1, 1, 1 } } }:polygonize()
    lu.assertEquals(diagonal.count, 3) -- corners do not join
    local ring = esker.field{ values = { { 1, 1, 1 }, { 1, 0, 1 }, { 1, 1, 1 } } }:polygonize():list()
    lu.assertEquals({ #ring, #ring[1].parts, ring[1].parts[2].hole }, { 1, 2, true })
end

-- Each cell, followed down on its own.
function TestVectors.test_catchments_are_what_drains_there()
    local land = esker.noise{ size = 48, seed = 5, wrap = false }
    local dry = { sea_level = -1e9 }
    local direction, flow = land:flow_direction(dry), land:flow_accumulation{ method = "d8", sea_level = -1e9 }
    local steps = { [1] = { 1, 0 }, [2] = { 1, 1 }, [4] = { 0, 1 }, [8] = { -1, 1 }, [16] = { -1, 0 },
        [32] = { -1, -1 }, [64] = { 0, -1 }, [128] = { 1, -1 } }
    local places, shares, points = { { 20, 30 }, { 30, 12 }, { 22, 33 } }, {}, {}
    for i, place in ipairs(places) do
        local x, y = place[1] + 0.5, place[2] + 0.5
        shares[i], points[i] = { x / 48, y / 48 }, { x, y }
    end
    local found = land:catchment{ at = shares, sea_level = -1e9 }
    lu.assertEquals(land:catchments(esker.points{ size = 48, list = points }, dry):hash(), found:hash())
    for y = 0, 47 do
        for x = 0, 47 do
            local label, at_x, at_y, step = 0, x, y
            repeat
                for i = #places, 1, -1 do
                    label = at_x == places[i][1] and at_y == places[i][2] and i or label
                end
                step = steps[direction:get(at_x, at_y)]
                at_x, at_y = at_x + (step and step[1] or 0), at_y + (step and step[2] or 0)
            until label > 0 or not step
            lu.assertEquals(found:get(x, y), label * 1.0)
        end
    end
    local snapped, most = land:catchment{ at = { 0.4, 0.6 }, snap = 8, sea_level = -1e9 }, 0
    for y = 0, 47 do
        for x = 0, 47 do
            local dx, dy = x - math.floor(0.4 * 48), y - math.floor(0.6 * 48)
            most = dx * dx + dy * dy <= 64 and math.max(most, flow:get(x, y)) or most
        end
    end
    lu.assertEquals(snapped:statistics().sum, most)
end

function TestVectors.test_the_longest_way_of_water()
    local values = {}
    for y = 1, 9 do
        values[y] = {}
        for x = 1, 9 do
            values[y][x] = 10 - y + math.abs(x - 5) * 3 -- a valley down the middle
        end
    end
    local land = esker.field{ values = values }
    land.frame = { x = 0, y = 90, cell = 10, unit = "m" }
    local line = land:longest_flow_path{ at = { 0.5, 0.99 } }:list()[1]
    local first, last = line.parts[1][1], line.parts[1][#line.parts[1]]
    lu.assertEquals({ last[1], last[2] }, { 4.5, 8.5 })
    lu.assertTrue(first[1] ~= 4.5 and line.attributes.length > 80)
    lu.assertEquals(land:longest_flow_path():list()[1].attributes.length, line.attributes.length)
end

-- A valley below 0 all along: without a sea all of it drains through one cell, and the frame says which sea there is.
function TestVectors.test_catchments_have_the_sea_of_the_frame()
    local values = {}
    for y = 1, 11 do
        values[y] = {}
        for x = 1, 20 do
            values[y][x] = x + 2 * math.abs(y - 6) - 100
        end
    end
    local land = esker.field{ values = values }
    local gauge = esker.points{ width = 20, height = 11, list = { { 0.5, 5.5 } } }
    for _, case in ipairs{ { nil, true }, { -1000, true }, { -1, false } } do
        local sea, dry = case[1], case[2]
        land.frame = { x = 0, y = 330, cell = 30, system = "EPSG:32631", unit = "m", sea = sea }
        local flow, outlet = land:flow_accumulation{ method = "d8" }, { at = { { 0, 5 } }, coordinates = "cells" }
        local cells = land:catchment(outlet):statistics().sum
        lu.assertEquals({ flow:get(0, 5), cells }, dry and { 220, 220 } or { 1, 1 })
        lu.assertEquals(land:catchments(gauge):statistics().sum, cells)
        lu.assertEquals(#land:longest_flow_path(outlet):list()[1].parts[1], dry and 20 or 2)
    end
    for _, operation in ipairs(esker.operations()) do
        for _, param in ipairs(operation.params) do
            lu.assertTrue(param.default == nil or not (param.unit or ""):find("frame.sea", 1, true), operation.name)
        end
    end
end

function TestVectors.test_bounds_of_places_are_those_of_shares()
    for _, operation in ipairs(esker.operations()) do
        for _, param in ipairs(operation.params) do
            if operation.name == "catchment" and param.name == "at" then
                lu.assertEquals(param.allowed, "1 to 128 rows of 2 numbers, each as a share 0 to 1")
            end
        end
    end
end

-- Cells of a field as text, a letter a row.
local function rows_of(field)
    local rows = {}
    for y = 0, field.height - 1 do
        local row = {}
        for x = 0, field.width - 1 do
            row[x + 1] = ("%.0f"):format(field:get(x, y))
        end
        rows[y + 1] = table.concat(row)
    end
    return table.concat(rows, " ")
end

function TestVectors.test_clip_leaves_what_is_inside()
    local land = metres(8)
    local polygons = load_text(collection(feature("Polygon", square), utm))
    local inside, outside = land:clip(polygons), land:clip(polygons, { invert = true, crop = false })
    lu.assertEquals({ inside.width, inside.height, inside.gaps, outside.gaps, outside.width }, { 4, 4, 1, 15, 8 })
    lu.assertEquals({ inside:get(0, 0), inside.frame.x, inside.frame.y, inside.frame.unit },
        { land:get(0, 4), 0.0, 4.0, "m" })
    lu.assertEquals(rows_of(inside:find_gaps()), "0000 0000 0100 0000")
end

-- Never higher than the ground, never rising downstream, and as high as that allows.
function TestVectors.test_burnt_beds_never_rise()
    local land = esker.noise{ width = 40, height = 30, seed = 8, wrap = false }
    local streams = esker.lines{ width = 40, height = 30, list = { { { 2.5, 2.5 }, { 20.5, 15.5 }, { 39.9, 29.9 } },
        { { 35.5, 3.5 }, { 20.5, 15.5 } } } }
    local burnt = land:burn(streams, { direction = "drawn" })
    local low, x, y = math.huge, 2, 2
    lu.assertTrue((land - burnt):statistics().min >= 0)
    lu.assertTrue((land - burnt):statistics().max > 0)
    lu.assertEquals(burnt:get(x, y), land:get(x, y))
    local main = esker.lines{ width = 40, height = 30, list = { { { 2.5, 2.5 }, { 20.5, 15.5 }, { 39.9, 29.9 } } } }
    local cells, alone = main:rasterize{ like = land }, land:burn(main, { direction = "drawn" })
    lu.assertEquals(cells.width, 40)
    local profile = alone:profile(main, { step = 0.25 }):list()
    for _, point in ipairs(profile) do -- cells along the line, in its order
        local height = alone:get(math.min(math.floor(point.x), 39), math.min(math.floor(point.y), 29))
        lu.assertTrue(height <= low)
        lu.assertTrue(height == low or height == land:get(math.min(math.floor(point.x), 39),
            math.min(math.floor(point.y), 29)))
        low = height
    end
    lu.assertTrue(burnt:get(25, 18) <= alone:get(25, 18)) -- a tributary may be lower
    local around = { { 5, 5 }, { 20, 5 }, { 20, 20 }, { 5, 20 }, { 5, 5 } }
    local ring = esker.lines{ width = 40, height = 30, list = { around } }
    lu.assertEquals(land:burn(ring, { direction = "drawn" }):get(12, 5), land:burn(ring):get(19, 20)) -- level
    lu.assertAlmostEquals((land - land:burn(main, { depth = 2, direction = "drawn" })):get(2, 2), 2, 1e-6)
end

function TestVectors.test_lines_lead_from_the_higher_end_to_the_lower()
    local slope = esker.field{ size = 8, values = function(x, y) return 8 - x + (y == 4 and x == 3 and 5 or 0) end }
    for _, list in ipairs{ { { 0.5, 4.5 }, { 7.5, 4.5 } }, { { 7.5, 4.5 }, { 0.5, 4.5 } } } do
        local burnt = slope:burn(esker.lines{ size = 8, list = { list } })
        lu.assertEquals({ burnt:get(2, 4), burnt:get(3, 4), burnt:get(4, 4) }, { 6.0, 6.0, 4.0 })
    end
end

function TestVectors.test_profiles_measure_along_lines()
    local land = esker.field{ width = 20, height = 10, values = function(x, y) return x + 10 * y end }
    land.frame = { x = 0, y = 100, cell = 10, unit = "m", system = "EPSG:26916" }
    local line = load_text(collection(feature("LineString", "[[5,55],[35,55],[35,15]]"), utm))
    local points = land:profile(line, { step = 2 })
    local list, last = points:list(), points.count
    lu.assertEquals({ list[1].altitude, list[2].altitude, list[last].altitude }, { 40.0, 42.0, 83.0 })
    lu.assertEquals(list[2].attributes, { line = 1, distance = 20 })
    lu.assertEquals({ list[last].attributes.distance, last }, { 70, 5 })
    local path = temporary(".csv")
    points:save(path)
    local again = esker.load(path)
    lu.assertEquals({ again.count, again:list()[2].attributes.distance, again.frame.system }, { 5, 20, "EPSG:26916" })
    os.remove(path)
    os.remove(path .. ".json")
end

function TestVectors.test_points_snap_to_channels()
    local flow = esker.field{ size = 9, values = function(x, y) return x == 6 and 10 + y or x == 3 and 2 or 0 end }
    local points = esker.points{ size = 9, list = { { x = 2.5, y = 4.5, altitude = 7, attributes = { name = "a" } } } }
    local far, near = points:snap(flow, { radius = 4 }):list()[1], points:snap(flow, { threshold = 1 }):list()[1]
    lu.assertEquals({ far.x, far.y, far.altitude, far.attributes.name }, { 6.5, 4.5, 7.0, "a" })
    lu.assertEquals({ near.x, near.y }, { 3.5, 4.5 })
    lu.assertEquals(points:snap(flow, { radius = 0.5 }):list()[1].x, 2.5)
end

-- In degrees a cell at 60° north is 15.5 m wide and 31 m high.
function TestVectors.test_points_snap_within_metres()
    local frame = { x = 6, y = 60, cell = 1 / 3600, system = "EPSG:4326" }
    local flow = esker.field{ size = 21, frame = frame,
        values = function(x, y) return x == 14 and y == 10 and 5 or x == 10 and y == 13 and 9 or 0 end }
    local points = esker.points{ size = 21, list = { { 10.5, 10.5 } } }
    local function moved(radius)
        local point = points:snap(flow, { radius = radius }):list()[1]
        return { point.x, point.y }
    end
    lu.assertEquals({ moved(60), moved(65), moved(92), moved(95) },
        { { 10.5, 10.5 }, { 14.5, 10.5 }, { 14.5, 10.5 }, { 10.5, 13.5 } })
    flow.frame = { cell = 10, system = "some ground" }
    lu.assertErrorMsgContains("'some ground' is no coordinate system", flow.catchment, flow, { snap = 5 })
end

function TestVectors.test_zonal_statistics_are_those_of_each_zone()
    local land = esker.noise{ size = 24, seed = 2, wrap = false } * 100
    local labels = land:terrace{ steps = 5 }
    local sums = {}
    for y = 0, 23 do
        for x = 0, 23 do
            local label = labels:get(x, y)
            sums[label] = sums[label] or { count = 0, sum = 0 }
            sums[label].count, sums[label].sum = sums[label].count + 1, sums[label].sum + land:get(x, y)
        end
    end
    local zones = land:zonal_statistics(labels)
    for i, zone in ipairs(zones.zone) do
        lu.assertEquals({ zones.cells[i], zones.sum[i] }, { sums[zone].count + 0.0, sums[zone].sum })
        lu.assertTrue(zone ~= 0 and zones.min[i] <= zones.mean[i] and zones.mean[i] <= zones.max[i])
    end
    local field = metres(8)
    local shapes = load_text(collection(feature("Polygon", square) .. ","
        .. feature("Polygon", "[[[20,20],[30,20],[30,30],[20,20]]]"), utm))
    local found = field:zonal_statistics(shapes)
    lu.assertEquals({ found.cells, found.area }, { { 15.0, 0.0 }, { 15.0, 0.0 } })
    lu.assertAlmostEquals(found.mean[1], field:clip(shapes):statistics().mean, 1e-6)
end

function TestVectors.test_align_resamples_onto_other_cells()
    local land = esker.field{ width = 16, height = 12, values = function(x, y) return 3 * x + 7 * y end }
    land.frame = { x = 100, y = 200, cell = 10, unit = "m" }
    local like = esker.field{ width = 5, height = 4, values = 0 }
    like.frame = { x = 117, y = 176, cell = 20 }
    for _, method in ipairs{ "linear", "cubic", "mean" } do -- all are exact on a plane
        local moved = land:align{ like = like, method = method }
        for y = 0, 3 do
            for x = 0, 4 do
                local at_x, at_y = (117 + 20 * (x + 0.5) - 100) / 10 - 0.5, (200 - 176 + 20 * (y + 0.5)) / 10 - 0.5
                lu.assertAlmostEquals(moved:get(x, y), 3 * at_x + 7 * at_y, 1e-4)
            end
        end
        local frame = moved.frame
        lu.assertEquals({ frame.x, frame.cell_width, frame.unit, moved.gaps }, { 117.0, 20.0, "m", 0 })
    end
    lu.assertEquals(land:align{ like = like, method = "nearest" }:get(1, 1), land:get(4, 5))
    lu.assertEquals(land:align{ like = land, method = "cubic" }:hash(), land:hash())
    -- Where one of 16 cells is missing the 4 around count: beside a gap, a cliff would throw cubic heights far up.
    local cliff = esker.field{ width = 16, height = 12, values = function(x) return x < 8 and 0 or 900 end }
    cliff.frame = land.frame
    local gap = cliff:set_gaps(esker.field{ width = 16, height = 12, values = function(x) return x > 9 and 1 or 0 end })
    local near = { x = 101, y = 200, cell = 10, unit = "m" } -- by a tenth of a cell
    local onto = esker.field{ width = 15, height = 11, values = 0, frame = near }
    local cubic, linear = gap:align{ like = onto, method = "cubic" }, gap:align{ like = onto, method = "linear" }
    lu.assertEquals(cubic:get(8, 5), linear:get(8, 5))
    lu.assertNotEquals(cubic:get(7, 5), linear:get(7, 5))
    lu.assertTrue(cubic:statistics().max <= 1.08 * 900)
    like.frame = { x = 245, y = 200, cell = 20 }
    lu.assertEquals(land:align{ like = like }.gaps, 4 * 5 - 1 * 4) -- one column overlaps
    like.frame = { x = 250, y = 200, cell = 20, system = "EPSG:26917" }
    land.frame = { x = 100, y = 200, cell = 10, system = "EPSG:26916" }
    lu.assertErrorMsgContains("gdalwarp changes one of them", land.align, land, { like = like })
end

function TestVectors.test_colours_become_heights_again()
    local land = esker.noise{ size = 16, seed = 3 } * 900 - 100
    lu.assertTrue((land:terrain_rgb():from_terrain_rgb() - land):abs():statistics().max <= 0.5 / 256 + 1e-4)
    land.frame = { cell = 10, system = "EPSG:32631" } -- heights in metres as of any model, without a sea
    lu.assertEquals(land:terrain_rgb():from_terrain_rgb().frame, land:georeference{ unit = "m" }.frame)
    local mapbox = land:terrain_rgb{ encoding = "mapbox" }:from_terrain_rgb{ encoding = "mapbox" }
    lu.assertTrue((mapbox - land):abs():statistics().max <= 0.0501)
    local red = land:normalize{}:image():from_terrain_rgb{ encoding = "red" }
    lu.assertTrue((red - land:normalize{}):abs():statistics().max <= 1 / 255)
end

-- A zone of 30 rows from 60° to 30° north, 3 columns wide, on the authalic sphere.
function TestVectors.test_zones_have_the_area_of_their_rows()
    local frame = { x = 0, y = 70, cell = 1, system = "EPSG:4326", unit = "m" }
    local land = esker.field{ size = 40, values = 1, frame = frame }
    local zones = esker.field{ size = 40, values = function(x, y) return x < 3 and y >= 10 and y < 40 and 1 or 0 end }
    local area = 6371007.2 ^ 2 * math.rad(3) * (math.sin(math.rad(60)) - math.sin(math.rad(30)))
    lu.assertAlmostEquals(land:zonal_statistics(zones).area[1] / area, 1, 0.004)
end

function TestVectors.test_zones_elsewhere_are_an_error()
    local land = metres(16)
    local zones = esker.polygons{ size = 16, list = { { { 30, 30 }, { 40, 30 }, { 40, 40 } } } }
    lu.assertErrorMsgContains("polygons lie outside height: from ", land.zonal_statistics, land, zones)
    local partly = esker.polygons{ size = 16, list = { { { 3, 3 }, { 40, 3 }, { 40, 40 } } } }
    lu.assertTrue(land:zonal_statistics(partly).cells[1] > 0)
end

-- The paper's figure 3 in small: what all directions say.
-- Nothing is left out in silence where all of it lies elsewhere: the error has both extents.
function TestVectors.test_vectors_elsewhere_are_an_error()
    local land = metres(16)
    local theirs, own = "from 20, -4 to 30, -14", "from 0, 16 to 16, 0"
    local function outside(extent, call, ...)
        local _, message = pcall(call, ...)
        lu.assertStrContains(tostring(message), "outside")
        lu.assertStrContains(tostring(message), extent == own and theirs or "from 20, 20 to 30, 30")
        lu.assertStrContains(tostring(message), extent)
    end
    local lines = esker.lines{ size = 16, list = { { { 20, 20 }, { 30, 30 } } } }
    local polygons = esker.polygons{ size = 16, list = { { { 20, 20 }, { 30, 20 }, { 30, 30 } } } }
    local points = esker.points{ size = 16, list = { { 20, 20 }, { 30, 30 } } }
    for _, name in ipairs{ "clip", "zonal_statistics" } do
        outside(own, land[name], land, polygons)
    end
    for _, name in ipairs{ "burn", "profile", "grade", "flatten" } do
        outside(own, land[name], land, lines)
    end
    outside(own, land.profile, land, polygons)
    for _, name in ipairs{ "catchments", "flatten" } do
        outside(own, land[name], land, points)
    end
    outside(own, points.snap, points, land)
    for _, shapes in ipairs{ lines, polygons, points } do
        outside(own, shapes.rasterize, shapes, { like = land })
        outside("from 0, 0 to 16, 16", shapes.rasterize, shapes)
        outside("from 0, 0 to 16, 16", shapes.distance, shapes)
    end
    local cells = esker.lines{ size = 16, list = { { { 20, 20 }, { 30, 30 } } } }
    lu.assertErrorMsgContains("lines lie outside height: from 20, 20 to 30, 30, and height from 0, 0 to 16, 16",
        function() return esker.noise{ size = 16 }:burn(cells) end)
    lu.assertEquals(land:relief{}:paint(lines):hash(), land:relief{}:hash())
    -- What reaches in counts: a disk, a line across an edge.
    local disk = esker.points{ size = 16, list = { { 18, 8, radius = 4 } } }
    lu.assertTrue(disk:rasterize():statistics().max > 0)
    local across = esker.lines{ size = 16, list = { { { -5, 8 }, { 5, 8 } } } }
    lu.assertTrue(#land:profile(across):list() < 11)
end

function TestVectors.test_geomorphons_of_plain_shapes()
    local function middle(height)
        local field = esker.field{ size = 21, values = height }
        field.frame = { x = 0, y = 21, cell = 1, unit = "m" }
        return field:geomorphons{ radius = 6 }:get(10, 10)
    end
    lu.assertEquals({ middle(function() return 0 end), middle(function(x, y) return -(x - 10) ^ 2 - (y - 10) ^ 2 end),
        middle(function(x, y) return (x - 10) ^ 2 + (y - 10) ^ 2 end), middle(function(x) return -(x - 10) ^ 2 end),
        middle(function(x) return (x - 10) ^ 2 end), middle(function(x) return x end) }, { 1, 2, 10, 3, 9, 6 })
    lu.assertEquals(middle(function(x) return math.max(x - 10, 0) end), 8.0) -- footslope
    lu.assertEquals(middle(function(x) return math.min(x - 10, 0) end), 4.0) -- shoulder
end

-- Cells nearer than the radius count, farther than `skip`.
function TestVectors.test_geomorphons_look_as_far_as_metres()
    local function sees(radius, skip)
        local walls = esker.field{ size = 21, frame = { cell = 10, unit = "m" }, values = function(x, y)
            return (x == 16 or x == 4) and y == 10 and 50 or y == 4 and x == 10 and 50 or 0
        end }
        return walls:geomorphons{ radius = radius, skip = skip, flat = 5 }:get(10, 10) ~= 1
    end
    lu.assertEquals({ sees(60), sees(60.5), sees(80, 59), sees(80, 60) },
        { false, true, true, false })
end

-- What counts as level: no large angle, as in r.geomorphon; or none that is much larger, as in the paper.
-- As many cells are left out along diagonals as along rows, and beyond those without data one sees on.
function TestVectors.test_geomorphons_leave_out_cells_and_gaps()
    local hole = esker.field{ size = 21, values = function(x, y)
        return math.max(math.abs(x - 10), math.abs(y - 10)) == 1 and 1 or 0
    end }
    local walls = hole * 50
    walls.frame = { x = 0, y = 0, cell = 10, unit = "m", system = "EPSG:26916" }
    local function form(land, radius, skip)
        return land:geomorphons{ radius = radius, skip = skip }:get(10, 10)
    end
    lu.assertEquals({ form(walls, 60), form(walls, 60, 9), form(walls, 60, 10) }, { 10.0, 10.0, 1.0 })
    local moat = esker.field{ size = 21, values = function(x, y)
        return math.max(math.abs(x - 10), math.abs(y - 10)) > 2 and 60 or 0
    end }
    moat.frame = walls.frame
    local gaps = moat:set_gaps(hole)
    lu.assertEquals({ form(gaps, 60), form(gaps, 25) }, { 10.0, 1.0 })
    lu.assertEquals((moat + hole * 900):set_gaps(hole):geomorphons{ radius = 60 }:hash(),
        gaps:geomorphons{ radius = 60 }:hash())
end

function TestVectors.test_geomorphons_level_ground()
    local hills = esker.field{ size = 21, frame = { cell = 10, unit = "m" }, values = function(x, y)
        local away = math.sqrt((x - 10) ^ 2 + (y - 10) ^ 2) * 10
        return math.max(math.abs(x - 10), math.abs(y - 10)) == 1 and math.tan(math.rad(10)) * away
            or -math.tan(math.rad(9.6)) * away
    end }
    lu.assertEquals({ hills:geomorphons{ radius = 60 }:get(10, 10),
        hills:geomorphons{ radius = 60, level = "difference" }:get(10, 10) }, { 10.0, 1.0 })
end

function TestVectors.test_crop_takes_coordinates()
    local land = metres(16)
    local part = land:crop{ box = { 3, 2.5, 7.001, 8 } }
    lu.assertEquals({ part.width, part.height, part.frame.x, part.frame.y, part:get(0, 0) }, { 4, 6, 3.0, 8.0,
        land:get(3, 8) })
    local gap = land:set_gaps(esker.field{ size = 16, values = function(x, y) return x == 4 and y == 9 and 1 or 0 end })
    lu.assertEquals(gap:crop{ box = { 3, 2.5, 7.001, 8 } }.gaps, 1)
    lu.assertEquals(land:crop{ box = { -50, -50, 50, 50 } }:hash(), land:hash())
    lu.assertErrorMsgContains("box lies outside the field: 16 × 16 cells", land.crop, land, { box = { 20, 0, 30, 10 } })
    lu.assertErrorMsgContains("box must be { left, bottom, right, top }", land.crop, land, { box = { 5, 5, 1, 9 } })
    lu.assertErrorMsgContains("the field has no place on a map", esker.crop, esker.field{ size = 4, values = 1 },
        { box = { 0, 0, 1, 1 } })
    local turned = land:flip{ axis = "diagonal" }
    lu.assertEquals(turned:crop{ box = { 3, 2.5, 7.001, 8 } }:hash(), part:flip{ axis = "diagonal" }:hash())
    lu.assertErrorMsgContains("coordinates are those of box", land.crop, land, { x = 3, coordinates = "degrees" })
end

local function has_gdal()
    local probe = esker.field{ size = 4, values = 0, frame = { x = 2433364, y = 879033, system = "EPSG:2274" } }
    return (pcall(probe.gradient_angle, probe))
end

-- A parallel is an arc in UTM: east of the zone's middle its ends lie farther north than the rest.
function TestVectors.test_crop_takes_longitude_and_latitude()
    local land = esker.field{ size = 40, values = function(x, y) return x + 40 * y end }
    land.frame = { x = -120, y = 50, cell = 0.25, system = "EPSG:4326", unit = "m" }
    local box = { -118, 43.1, -116.1, 48 }
    lu.assertEquals(land:crop{ box = box, coordinates = "degrees" }:hash(), land:crop{ box = box }:hash())
    if not has_gdal() then
        return
    end
    land.frame = { x = 600000, y = 4000000, cell = 1000, system = "EPSG:32611", unit = "m" }
    -- by gdaltransform: 609903 to 628163 east, 3972435 to 3989318 north
    local part = land:crop{ box = { -115.78, 35.89, -115.58, 36.04 }, coordinates = "degrees" }
    lu.assertEquals({ part.frame.x, part.frame.y, part.width, part.height }, { 609000.0, 3990000.0, 20, 18 })
end

-- A river whose altitude is a line over χ has one steepness; twice as steep above a break, two.
function TestVectors.test_steepness_of_a_known_river()
    local width, theta, cell = 400, 0.45, 10
    local chi, z, altitude = {}, {}, 0
    chi[width] = 0
    for x = width - 1, 1, -1 do -- A = the cells to the left and their side valleys, 3 rows each
        local function f(at) return (1 / (at * 3 * cell * cell)) ^ theta end
        chi[x] = chi[x + 1] + 0.5 * (f(x) + f(x + 1)) * cell
        z[x + 1] = z[x + 1] or 0
        altitude = altitude + (chi[x] - chi[x + 1]) * (x < 200 and 40 or 20)
        z[x] = altitude
    end
    local function check(frame, foot)
        local land = esker.field{ width = width, height = 3, values = function(x, y)
            return (z[x + 1] + (y == 1 and 0 or 50) + 1) / foot
        end }
        land.frame = frame
        local points = land:rivers_from_flow{ threshold = 0.02 }:river_profiles{ window = 8 }:list()
        local breaks, checked = {}, 0
        for _, point in ipairs(points) do
            local at = point.attributes
            local x = math.floor(point.x)
            if point.y == 1.5 and x < width - 20 and x > 30 and math.abs(x - 199) > 12 then
                checked = checked + 1
                lu.assertAlmostEquals(at.ksn, x < 199 and 40 or 20, 1)
            end
            breaks[#breaks + 1] = at.knickpoint ~= 0 and x > 30 and x < width - 20 and x or nil
        end
        lu.assertTrue(checked > 200)
        lu.assertEquals(#breaks, 1)
        lu.assertTrue(math.abs(breaks[1] - 199) <= 3)
    end
    check({ x = 0, y = 30, cell = cell, unit = "m", system = "EPSG:26916" }, 1)
    check({ x = 0, y = 30, cell = cell, system = "EPSG:26916" }, 1)
    check({ x = 0, y = 30, cell = cell, unit = "us-ft", system = "EPSG:26916" }, 1200 / 3937)
    if has_gdal() then -- heights are in the system's feet, too
        check({ x = 2433364, y = 879033, cell = cell * 3937 / 1200, system = "EPSG:2274" }, 1200 / 3937)
    end
end

os.exit(lu.LuaUnit.run())
