-- Files for game engines: an engine reads the same field, and the note lists the import settings.

local esker = require "esker"
local lu = require "luaunit"

TestExport = {}

local folder

function TestExport.setUp()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
end

function TestExport.tearDown()
    os.execute("rm -rf " .. folder)
end

local function text_of(name)
    local file <close> = assert(io.open(folder .. "/" .. name, "rb"))
    return file:read("a")
end

-- A ramp that rises to the east by 1 and to the south by 2.
local function ramp(size)
    local field = esker.field{ size = size, values = 0 }
    for y = 0, size - 1 do
        for x = 0, size - 1 do
            field:set(x, y, (x + 2 * y) / (3 * (size - 1)))
        end
    end
    return field
end

function TestExport.test_unreal()
    local land = ramp(505)
    land:export(folder .. "/land", { engine = "unreal", metres = 1024, cell = 2 })
    local back = esker.load(folder .. "/land.png")
    lu.assertEquals({ back.width, back.height }, { 505, 505 })
    local off = (back - land):abs():statistics().max
    lu.assertTrue(off <= 0.5 / 65535 + 1e-7, off)
    lu.assertStrContains(text_of("land.txt"), "Scale: X 200  Y 200  Z 200\n")
    lu.assertStrContains(text_of("land.txt"), "Location: X 0  Y 0  Z 51200 ")
end

-- Neighbours that share a column of cells share it in every engine, at every size.
function TestExport.test_neighbours_share_their_edge()
    local world = esker.noise{ width = 401, height = 201, seed = 4, wrap = false }
    local parts = { world:crop{ width = 201, height = 201 }, world:crop{ x = 200, width = 201, height = 201 } }
    local tried = 0
    for _, size in ipairs{ 0, 127, 253, 505 } do
        local edges = {}
        for i, part in ipairs(parts) do
            part:export(folder .. "/land", { engine = "unreal", size = size, low = 0, high = 1 })
            local back = esker.load(folder .. "/land.png")
            edges[i] = back:crop{ x = i == 1 and back.width - 1 or 0, width = 1, height = back.height }
        end
        lu.assertEquals(edges[1]:hash(), edges[2]:hash(), size)
        lu.assertTrue(edges[1]:statistics().stddev > 0.01)
        tried = tried + 1
    end
    lu.assertEquals(tried, 4)
end

function TestExport.test_sizes_are_the_engines()
    local land = ramp(100)
    for engine, size in pairs{ unreal = 127, unity = 129, godot = 257, minetest = 100 } do
        land:export(folder .. "/land", { engine = engine })
        lu.assertStrContains(text_of("land.txt"), ("%d x %d"):format(size, size))
    end
    land:export(folder .. "/large", { engine = "unreal", size = 1009, cell = 1008 / 99 })
    lu.assertEquals(esker.load(folder .. "/large.png").width, 1009)
    lu.assertStrContains(text_of("large.txt"), "X 100 ")
    lu.assertErrorMsgContains("takes the sizes 127, 253, 505", land.export, land, folder .. "/x",
        { engine = "unreal", size = 512 })
    lu.assertErrorMsgContains("take squares", land.export, land:crop{ width = 50 }, folder .. "/x", {})
    lu.assertErrorMsgContains("engine", land.export, land, folder .. "/x", { engine = "quake" })
    lu.assertErrorMsgContains("nowhere", land.export, land, folder .. "/nowhere/x", {})
    lu.assertNil(io.open(folder .. "/x.png"))
end

-- The file that gdal_translate makes of a picture is upside down in Unity: its first row is the southernmost.
function TestExport.test_unity_begins_in_the_south()
    local land = ramp(33)
    land:export(folder .. "/land", { engine = "unity", metres = 300 })
    local raw = text_of("land.raw")
    lu.assertEquals(#raw, 2 * 33 * 33)
    lu.assertEquals(("<I2"):unpack(raw), math.floor(65535 * 2 / 3 + 0.5)) -- south-west
    lu.assertEquals(("<I2"):unpack(raw, 2 * 32 + 1), 65535)
    lu.assertEquals(("<I2"):unpack(raw, 2 * 32 * 33 + 1), 0) -- north-west
    lu.assertStrContains(text_of("land.txt"), "Terrain Size: X 32  Y 300  Z 32\n")
end

function TestExport.test_godot()
    local land = ramp(257) - 0.5
    land:export(folder .. "/land", { engine = "godot", metres = 200 })
    local back = esker.load(folder .. "/land.r16", { width = 257, height = 257, low = -0.5, high = 0.5 })
    lu.assertTrue((back - land):abs():statistics().max <= 0.5 / 65535 + 1e-7)
    lu.assertStrContains(text_of("land.txt"), "R16 Range: -100 to 100\n")
end

function TestExport.test_masks_have_8_bits()
    local mask = ramp(100) * 0.5
    mask:export(folder .. "/grass", { engine = "unreal", mask = true })
    local png = text_of("grass.png")
    lu.assertEquals({ png:byte(25, 26) }, { 8, 0 }) -- bit depth, grey
    lu.assertAlmostEquals(esker.load(folder .. "/grass.png", { low = 0, high = 1 }):statistics().max, 0.5, 0.003)
end

-- A node is a cell, in every terrain: a range of heights would contradict the note and the mod.
function TestExport.test_nodes_have_no_range()
    local land = ramp(20)
    lu.assertErrorMsgContains("numbers are nodes", land.export, land, folder .. "/land",
        { engine = "minetest", low = 0, high = 1 })
    lu.assertNil(io.open(folder .. "/land.r16"))
    land:export(folder .. "/layer", { engine = "minetest", mask = true, low = 0, high = 2 })
    lu.assertAlmostEquals(esker.load(folder .. "/layer.png", { low = 0, high = 2 }):statistics().max, 1, 0.01)
end

function TestExport.test_a_frame_says_metres_and_cells()
    local land = 873 * ramp(257)
    local function told(frame, arguments)
        land.frame = frame
        arguments.engine = "godot"
        land:export(folder .. "/land", arguments)
        local text = text_of("land.txt")
        return text:match("R16 Range: (%S+ to %S+)\n") .. ", " .. text:match("Vertex Spacing: (%S+)\n")
    end
    local utm = { x = 733975, y = 3469995, cell = 30, system = "EPSG:26916", unit = "m" }
    lu.assertEquals(told(utm, {}), "0 to 873, 30")
    lu.assertEquals(told(utm, { metres = 2, cell = 10 }), "0 to 1746, 10")
    utm.unit = "ft"
    lu.assertEquals(told(utm, {}), "0 to 266.0904, 30")
    utm.unit = "US survey foot"
    lu.assertEquals(told(utm, {}), "0 to 266.090932, 30")
    utm.unit = "league"
    lu.assertErrorMsgContains("how long is the frame's unit of heights, 'league'?", told, utm, {})
    lu.assertEquals(told(utm, { metres = 1 }), "0 to 873, 30")
    utm.unit = "m"
    lu.assertEquals(told({ x = 0, y = 0, cell = 30 }, {}), "0 to 873, 30") -- heights beyond 1.5 are metres
    lu.assertErrorMsgContains("cells are 76.2382 × 111.168 m", told,
        { x = 7, y = 47, cell = 0.001, system = "EPSG:4326", unit = "m" }, {})
    local oblong = { x = 0, y = 0, cell_width = 10, cell_height = 20, unit = "m" }
    lu.assertErrorMsgContains("cells are 10 × 20 m, and this engine's are squares: resize{ width = ", told, oblong, {})
    lu.assertEquals(told(oblong, { cell = 5 }), "0 to 873, 5")
    land.frame = oblong
    land:export(folder .. "/land", { engine = "unity" })
    lu.assertStrContains(text_of("land.txt"), "Terrain Size: X 2560  Y 873  Z 5120")
    land:export(folder .. "/land", { engine = "unreal", size = 505 })
    lu.assertEquals({ text_of("land.txt"):match("Scale: X (%d+)%.%d+  Y (%d+)%.%d+  Z") }, { "507", "1015" })
    land = land / 873
    lu.assertEquals(told({ x = 0, y = 0, cell = 30 }, {}), "0 to 1000, 30")
    lu.assertEquals(told(utm, {}), "0 to 1, 30")
end

function TestExport.test_names()
    local land = ramp(33)
    for _, name in ipairs{ "", "sub/" } do
        lu.assertErrorMsgContains("the path names the files, without an ending", land.export, land,
            folder .. "/" .. name, { engine = "unity" })
    end
    lu.assertErrorMsgContains("got ''", land.export, land, "", { engine = "unity" })
    for _, ending in ipairs{ "raw", "PNG", "r16", "txt" } do
        lu.assertErrorMsgContains(("/land', not '%s/land.%s'"):format(folder, ending), land.export, land,
            folder .. "/land." .. ending, { engine = "unity" })
    end
    land:export(folder .. "/land-1.2", { engine = "unity" })
    lu.assertEquals(#text_of("land-1.2.raw"), 33 * 33 * 2)
end

-- What a format would ignore is an error, which names the formats that take it.
function TestExport.test_options_of_other_formats()
    local land = ramp(8)
    for _, each in ipairs{ { "b.npy", { flip = true }, "takes no flip, which is for .r16, .raw, .r32" },
        { "b.tif", { names = "x" }, "takes no names, which is for .exr" },
        { "b.TIFF", { low = 1, high = 2 }, "takes no low and high: its numbers are the heights" },
        { "b.asc", { high = 2 }, "takes no high" }, { "b.png", { type = "int16" }, "takes no type" },
        { "c.raw", { bits = "8" }, "takes no bits, which is for .png, .pgm" },
        { "b.png", { order = "big" }, "takes no order" }, { "b.tif", { more = { land } }, "takes no more" } } do
        lu.assertErrorMsgContains(each[3], land.save, land, folder .. "/" .. each[1], each[2])
    end
    local picture = land:relief{}
    lu.assertErrorMsgContains("low: for fields only, and this is an image", picture.save, picture,
        folder .. "/b.png", { low = 1, high = 3 })
    lu.assertNil(io.open(folder .. "/b.png"))
    for _, each in ipairs{ { "d.png", { bits = "8", low = 1, high = 2 } }, { "d.pgm", { bits = "8", high = 2 } },
        { "d.raw", { order = "big", flip = true, high = 2 } }, { "d.r32", { order = "big", flip = true } } } do
        land:save(folder .. "/" .. each[1], each[2])
    end
end

-- A window of a map knows its slopes, but metres only if a cell, a height or the map's side has some.
function TestExport.test_windows_of_maps_need_a_scale()
    local map, window = esker.river_map{ seed = 2, land = "raw" }, { x = 0.42, y = 0.57, zoom = 64, size = 127 }
    local land = map:render(window)
    lu.assertErrorMsgContains("how long is a cell of this map's window", land.export, land, folder .. "/x", {})
    local notes = {}
    window.side = 127 * 64 * 10
    local metres = map:render(window)
    for i, how in ipairs{ { land, { cell = 10 } }, { land, { metres = 0.055 * window.side } }, { metres, {} } } do
        local field, options = table.unpack(how)
        options.engine = "unreal"
        field:export(folder .. "/land", options)
        notes[i] = text_of("land.txt"):match("Scale: X 1000  Y 1000  Z %d+%.%d%d%d")
    end
    lu.assertEquals(#notes, 3)
    lu.assertEquals(notes[1], notes[2])
    lu.assertEquals(notes[1], notes[3])
end

-- Of heights that count from elsewhere, the note says where the sea is.
function TestExport.test_notes_of_relative_windows_know_the_sea()
    local map = esker.river_map{ seed = 2, land = "raw" }
    local window = { x = 0.42, y = 0.57, zoom = 64, size = 127, side = 200000 }
    local centre = map:altitude_at(window)
    window.relative = true
    local land = map:render(window)
    for engine, scale in pairs{ unreal = 100, unity = 1 } do
        land:export(folder .. "/land", { engine = engine, size = engine == "unity" and 129 or nil })
        local sea = text_of("land.txt"):match("%(sea level is then at [YZ] ([%d.-]+)%)")
        lu.assertAlmostEquals(sea / scale, -centre, 1e-4)
    end
end

-- A degree is no metre; away from the equator cells of a planet are higher than wide, and resizing makes them squares.
function TestExport.test_windows_of_planets_have_cells_of_the_ground()
    local planet, radius, size = esker.river_map{ seed = 4, tiling = "sphere", land = "raw" }, 6371000, 127
    local window = { x = 0.3, y = 0.375, zoom = 256, width = size * 2, height = size }
    local land = planet:render(window) -- at 45°
    local function part(field) return field:crop{ x = 64, width = size, height = size } end
    lu.assertErrorMsgContains("(argument cell, or render{ radius })", land.export, part(land), folder .. "/x", {})
    local web = planet:render{ x = 0.3, y = 0.375, zoom = 256, size = size, projection = "mercator" }
    lu.assertErrorMsgContains("(argument cell)", web.export, web, folder .. "/x", {})
    window.radius = radius
    local metres, cell = planet:render(window), 2 * math.pi * radius / 256 / (2 * size)
    local cells = ("cells are %.6g × %.6g m"):format(cell * math.sqrt(0.5), cell)
    lu.assertErrorMsgContains(cells, metres.export, part(metres),
        folder .. "/x", { engine = "minetest" })
    local function square(field)
        return field:resize{ width = math.floor(2 * size * math.sqrt(0.5) + 0.5), height = size }
            :crop{ width = size, height = size }
    end
    local scales = {}
    for i, how in ipairs{ { square(metres), {} }, { square(land), { metres = 0.055 * radius } } } do
        how[2].engine = "unreal"
        how[1]:export(folder .. "/land", how[2])
        local across, down
        across, down, scales[i] = text_of("land.txt"):match("Scale: X ([%d.]+)  Y ([%d.]+)  Z ([%d.]+)")
        lu.assertAlmostEquals(across / (100 * cell), 1, 0.005)
        lu.assertAlmostEquals(down / (100 * cell), 1, 0.005)
    end
    lu.assertAlmostEquals(scales[1] / scales[2], 1, 1e-3)
end

-- --- what lies on a terrain ------------------------------------------------------------------------------------

-- From an engine's coordinates to vertices of the terrain, from the north-west, and an altitude in metres.
-- `step`: metres between vertices.
local VERTEX_OF = {
    unreal = function(x, y, z, step) return x / 100 / step, y / 100 / step, z / 100 end,
    unity = function(x, z, y, step, size) return x / step, size - 1 - z / step, y end,
    godot = function(x, z, y, step) return x / step, z / step, y end,
    minetest = function(x, z, y, step, size) return x + size // 2, size // 2 - 1 - z, y * step end,
}

-- The heights that were exported, as metres by vertex.
local function exported(engine, size, low, high, cell)
    local file = text_of(engine == "unreal" and "land.png" or engine == "unity" and "land.raw" or "land.r16")
    local png = engine == "unreal" and esker.load(folder .. "/land.png", { low = 0, high = 65535 })
    local function number_at(column, row)
        if png then
            return png:get(column, row)
        end
        local from = engine == "unity" and size - 1 - row or row
        return (string.unpack("<I2", file, 2 * (from * size + column) + 1))
    end
    return function(u, v)
        local column, row = math.min(u // 1 | 0, size - 2), math.min(v // 1 | 0, size - 2)
        local a, b = u - column, v - row
        local number = (number_at(column, row) * (1 - a) + number_at(column + 1, row) * a) * (1 - b)
            + (number_at(column, row + 1) * (1 - a) + number_at(column + 1, row + 1) * a) * b
        return engine == "minetest" and (number - 32768) * cell or low + number / 65535 * (high - low)
    end
end

-- Trees, contours and rivers have the altitude of the exported ground where they lie, in each engine, also where its
-- terrain has other vertices than the field cells.
function TestExport.test_what_lies_on_a_terrain_is_in_the_engines_coordinates()
    local land = ramp(100)
    local things = { trees = land:scatter{ distances = { 0.1 }, seed = 1 }, lines = land:contours{ interval = 0.1 } }
    for engine, size in pairs{ unreal = 127, unity = 129, godot = 257, minetest = 100 } do
        local options = { engine = engine, metres = 900, cell = 2 }
        local limits = engine ~= "minetest" and { low = 0, high = 1 } or {}
        land:export(folder .. "/land", { engine = engine, metres = 900, cell = 2, low = limits.low,
            high = limits.high })
        local step = engine == "minetest" and 200 / size or 198 / (size - 1) -- nodes are cells, vertices points
        local ground = exported(engine, size, 0, 900, step)
        for name, thing in pairs(things) do
            thing:export(folder .. "/" .. name, options)
            local count = 0
            for x, y, z in text_of(name .. ".geojson"):gmatch("%[([%d.e+-]+),([%d.e+-]+),([%d.e+-]+)%]") do
                local u, v, altitude = VERTEX_OF[engine](tonumber(x), tonumber(y), tonumber(z), step, size)
                if math.min(u, v) > 5 and math.max(u, v) < size - 6 then
                    count = count + 1
                    local allowed = engine == "minetest" and step / 2 + 0.01 or 0.05
                    lu.assertAlmostEquals(ground(u, v), altitude, allowed, engine)
                end
            end
            lu.assertTrue(count > 30, name)
            lu.assertStrContains(text_of(name .. ".txt"), ("%d x %d vertices"):format(size, size))
        end
        local _, rows = text_of("trees.csv"):gsub("\n", "")
        local all = #things.trees:list() + 1 -- some lie beyond the outermost vertices
        lu.assertTrue(engine == "minetest" and rows == all or rows < all and rows > 0.9 * all, rows)
    end
end

-- A terrain ends at its outermost vertices, the middles of the outermost cells: beyond them trees hang in the air.
-- Nodes are cells, and a region of Terrain3D goes on to the next one.
function TestExport.test_points_beyond_the_terrain_are_left_out()
    local points = esker.points{ size = 64, list = { { 0.4, 9 }, { 0.5, 9 }, { 9, 63.5 }, { 63.6, 9 } } }
    for engine, count in pairs{ unreal = 2, unity = 2, godot = 2, minetest = 4 } do
        points:export(folder .. "/trees", { engine = engine, cell = 2 })
        lu.assertEquals(select(2, text_of("trees.csv"):gsub("\n", "")), 1 + count, engine)
    end
    points:export(folder .. "/trees", { engine = "godot", overlap = 0 })
    lu.assertEquals(select(2, text_of("trees.csv"):gsub("\n", "")), 5)
    local outside = { esker.points{ size = 64, list = { { -9, 70 } } },
        esker.lines{ size = 64, list = { { { 70, 3 }, { 80, 9 } } } },
        esker.polygons{ size = 64, list = { { { -9, 3 }, { -3, 3 }, { -3, 9 } } } } }
    for _, shapes in ipairs(outside) do
        lu.assertErrorMsgContains("and the terrain from 0, 0 to 64, 64", shapes.export, shapes, folder .. "/x",
            { engine = "unreal", cell = 2 })
    end
end

-- --- tiles of a larger terrain ----------------------------------------------------------------------------------

function TestExport.test_tiles_keep_their_size()
    local world = esker.noise{ size = 255, seed = 4, wrap = false }
    local west, east = world:crop{ width = 128, height = 128 }, world:crop{ x = 127, width = 128, height = 128 }
    lu.assertErrorMsgContains("have the sizes 127, 253, 505", west.export, west, folder .. "/x",
        { engine = "unreal", overlap = 1 })
    lu.assertErrorMsgContains("share no points: overlap must be 0", west.export, west, folder .. "/x",
        { engine = "godot", overlap = 1 })
    lu.assertErrorMsgContains("share a row of points: overlap must be 1", west.export, west, folder .. "/x",
        { engine = "unity", overlap = 0 })
    lu.assertErrorMsgContains("one file of any size", west.export, west, folder .. "/x",
        { engine = "minetest", overlap = 0 })
    lu.assertErrorMsgContains("keeps its size", west.export, west, folder .. "/x",
        { engine = "godot", overlap = 0, size = 256 })
    west:export(folder .. "/land", { engine = "godot", overlap = 0, cell = 2 })
    lu.assertEquals(#text_of("land.r16"), 2 * 128 * 128)
    lu.assertStrContains(text_of("land.txt"), "is 256 from that of the tile to the west")
    lu.assertNotEquals(west:hash(), east:hash())
end

-- The bits that Terrain3D reads as two textures and how much of the second shows.
function TestExport.test_control_maps_of_terrain3d()
    local size = 64
    local function part(share)
        return esker.field{ size = size, values = share }
    end
    local function control(image, x)
        image:export(folder .. "/control", { engine = "godot", overlap = 0, control = true })
        local field = esker.load(folder .. "/control.exr", { channel = "R" })
        local bits = ("<I4"):unpack(("<f"):pack(field:get(x or 3, 5)))
        return bits >> 27, bits >> 22 & 31, bits >> 14 & 255, bits & 0x3fff
    end
    local three = part(0.2):image{ green = part(0.6), blue = part(0.2), shares = true }
    lu.assertEquals({ control(three) }, { 1, 0, 64, 0 }) -- an opaque image has three textures
    local four = part(0):image{ green = part(0), blue = part(0.25), alpha = part(0.75), shares = true }
    lu.assertEquals({ control(four) }, { 3, 2, 64, 0 })
    local one = part(1):image{ green = part(0), blue = part(0), alpha = part(0), shares = true }
    lu.assertEquals({ control(one) }, { 0, 1, 0, 0 })
    lu.assertErrorMsgContains("control: for images and the engine", three.export, three, folder .. "/x",
        { engine = "unity", control = true })
    lu.assertErrorMsgContains("control: for images and the engine", part(0).export, part(0), folder .. "/x",
        { engine = "godot", control = true })
end

function TestExport.test_rivers_and_lakes_have_levels_and_widths()
    local map = esker.river_map{ seed = 2, side = 65536, landscape = "hills", lakes = 0.05 }
    local window = { x = 0.52, y = 0.5, zoom = 4, size = 127 }
    local lakes, rivers = map:lake_outlines(window), map:rivers(window)
    lakes:export(folder .. "/lakes", { engine = "unreal" })
    rivers:export(folder .. "/rivers", { engine = "unreal" })
    lakes:save(folder .. "/plain.geojson")
    local level = text_of("plain.geojson"):match('"level":([%d.]+)')
    local lake, z = text_of("lakes.geojson"):match('"level":([%d.]+).-%[[%d.-]+,[%d.-]+,([%d.-]+)%]')
    lu.assertAlmostEquals(tonumber(z), tonumber(level) * 100, 0.1)
    lu.assertEquals(lake, z)
    local width = rivers:reaches()[1][1].width * 65536 / 4 / 127 -- metres
    local exported_width = text_of("rivers.geojson"):match('"widths":%[([%d.]+)')
    lu.assertAlmostEquals(tonumber(exported_width), width * 100, 1)
end

function TestExport.test_pictures_have_the_terrains_size()
    local land = ramp(100)
    local picture = land:relief{}
    picture:export(folder .. "/splat", { engine = "unity", cell = 2 })
    local back = esker.load(folder .. "/splat.png")
    lu.assertEquals({ back.width, back.height }, { 129, 129 })
    lu.assertStrContains(text_of("splat.txt"), "129 x 129 pixels")
    picture:export(folder .. "/same", { engine = "minetest" })
    lu.assertEquals(esker.load(folder .. "/same.png"):hash(), picture:hash())
    local trees = land:scatter{ distances = { 0.1 } }
    lu.assertErrorMsgContains("mask: for fields only, and this is", trees.export, trees, folder .. "/x",
        { mask = true })
    lu.assertErrorMsgContains("low: for fields only, and this is", picture.export, picture, folder .. "/x",
        { low = 1 })
    lu.assertErrorMsgContains("the engine's is added", trees.export, trees, folder .. "/x.csv", {})
    lu.assertErrorMsgContains("take squares", trees.export, land:crop{ width = 50 }:scatter{}, folder .. "/x", {})
end

os.exit(lu.LuaUnit.run())
