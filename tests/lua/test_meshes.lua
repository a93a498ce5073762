-- Meshes from Lua: their files, read again by code that knows nothing of how they were written.

local lu = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

TestMeshes = {}

local land = esker.diamond_square{ width = 40, height = 25, seed = 3 }

local function bytes_of(mesh, ending)
    local path = temporary(ending)
    mesh:save(path)
    local file = assert(io.open(path, "rb"))
    local bytes = file:read("a")
    file:close()
    os.remove(path)
    return bytes
end

-- As floats, in text: what differs shows soon.
local function as_text(triangles)
    local lines = {}
    for i, triangle in ipairs(triangles) do
        local numbers = {}
        for k = 1, 9 do
            numbers[k] = ("%.7g"):format((("<f"):unpack(("<f"):pack(triangle[k]))))
        end
        lines[i] = table.concat(numbers, " ")
    end
    return table.concat(lines, "\n")
end

-- Corners of all triangles, as lists of nine numbers.
local function read_obj(text)
    local points, triangles = {}, {}
    for line in text:gmatch("[^\n]+") do
        local x, y, z = line:match("^v (%S+) (%S+) (%S+)$")
        if x then
            points[#points + 1] = { tonumber(x), tonumber(y), tonumber(z) }
        end
        local triangle = {}
        for number in (line:match("^f (.*)$") or ""):gmatch("(%d+)/%d+") do
            table.move(points[tonumber(number)], 1, 3, #triangle + 1, triangle)
        end
        triangles[#triangles + 1] = #triangle == 9 and triangle or nil
    end
    return triangles, #points
end

local function read_ply(bytes)
    local header, rest = bytes:match("^(ply\n.-end_header\n)()")
    local point_count = tonumber(header:match("element vertex (%d+)"))
    local triangle_count = tonumber(header:match("element face (%d+)"))
    local points, triangles, at = {}, {}, rest
    for i = 1, point_count do
        points[i] = { ("<fff"):unpack(bytes, at) }
        at = at + 12
    end
    for i = 1, triangle_count do
        local count, a, b, c = ("<BI4I4I4"):unpack(bytes, at)
        lu.assertEquals(count, 3)
        local triangle = {}
        for _, corner in ipairs{ a, b, c } do
            table.move(points[corner + 1], 1, 3, #triangle + 1, triangle)
        end
        triangles[i], at = triangle, at + 13
    end
    lu.assertEquals(at, #bytes + 1)
    return triangles, point_count
end

local function read_stl(bytes)
    local count = ("<I4"):unpack(bytes, 81)
    lu.assertEquals(#bytes, 84 + 50 * count)
    lu.assertNil(bytes:find("^solid"))
    local triangles = {}
    for i = 1, count do
        local numbers = { ("<ffffffffffff"):unpack(bytes, 85 + 50 * (i - 1)) }
        triangles[i] = table.move(numbers, 4, 12, 1, {})
        local length = numbers[1] ^ 2 + numbers[2] ^ 2 + numbers[3] ^ 2
        lu.assertAlmostEquals(length, 1, 1e-5)
    end
    return triangles
end

function TestMeshes.test_three_formats_hold_the_same_triangles()
    for _, mesh in ipairs{ land:mesh{}, land:mesh{ error = 0.05, side = 80, base = 4 } } do
        local obj, obj_points = read_obj(bytes_of(mesh, ".obj"))
        local ply, ply_points = read_ply(bytes_of(mesh, ".ply"))
        lu.assertEquals(#obj, mesh.triangles)
        lu.assertEquals(obj_points, mesh.points)
        lu.assertEquals(ply_points, mesh.points)
        lu.assertTrue(as_text(ply) == as_text(obj))
        lu.assertTrue(as_text(read_stl(bytes_of(mesh, ".stl"))) == as_text(obj))
    end
end

function TestMeshes.test_every_point_is_in_a_mesh_without_an_error()
    local mesh = land:mesh{ side = 40 }
    lu.assertEquals(mesh.points, 40 * 25)
    lu.assertEquals(mesh.triangles, 2 * 39 * 24)
    lu.assertEquals(tostring(mesh), "Mesh of 1872 triangles")
    lu.assertEquals(esker.type(mesh), "Mesh")
    local triangles = read_obj(bytes_of(mesh, ".obj"))
    local x, y, z = table.unpack(triangles[1]) -- the upper left corner of the map
    lu.assertEquals({ x, y }, { 0.5, 24.5 })
    lu.assertAlmostEquals(z, land:get(0, 0) * 40 / 16, 1e-5)
end

-- Grids that run to the south, to the west, turned, with oblong cells: each mesh is the plane of the map.
function TestMeshes.test_ground_lies_as_its_frame_says()
    local c, s = math.cos(0.5), math.sin(0.5)
    for i, sides in ipairs{ { 10, 10 }, { 10, -10 }, { -10, 10 }, { -10, -10 }, { 10, 20 }, { 0, 0, 10, -10 },
        { 20 * c, 10 * c, 10 * s, 20 * s } } do
        local frame = { x = 700, y = -300, cell_width = sides[1], cell_height = sides[2], turn_x = sides[3],
            turn_y = sides[4], system = "EPSG:32631", unit = "m" }
        local function place(column, row)
            return frame.x + column * sides[1] + row * (sides[3] or 0),
                frame.y + column * (sides[4] or 0) - row * sides[2]
        end
        local west, south = math.huge, math.huge
        for corner = 0, 3 do
            local x, y = place(corner % 2 * 12, corner // 2 * 9)
            west, south = math.min(west, x), math.min(south, y)
        end
        local plane = esker.field{ width = 12, height = 9, frame = frame, values = function(column, row)
            local x, y = place(column + 0.5, row + 0.5)
            return 0.3 * x + 0.4 * y
        end }
        for _, arguments in ipairs{ {}, { error = 1e-4 }, { error = 1e-4, triangles = "delaunay" } } do
            for _, triangle in ipairs((read_obj(bytes_of(plane:mesh(arguments), ".obj")))) do
                local ax, ay, az, bx, by, _, cx, cy = table.unpack(triangle)
                lu.assertAlmostEquals(az, 0.3 * (ax + west) + 0.4 * (ay + south), 1e-3, i)
                lu.assertTrue((bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0, "clockwise from above")
            end
        end
        -- Texture coordinates are those of the array, whose picture is as mirrored as the grid.
        local text, points, at = "\n" .. bytes_of(plane:mesh{}, ".obj"), {}, 0
        for x, y in text:gmatch("\nv (%S+) (%S+)") do
            points[#points + 1] = { tonumber(x) + west, tonumber(y) + south }
        end
        for u, v in text:gmatch("\nvt (%S+) (%S+)") do
            at = at + 1
            local x, y = place(tonumber(u) * 12, (1 - tonumber(v)) * 9)
            lu.assertAlmostEquals(x, points[at][1], 1e-2)
            lu.assertAlmostEquals(y, points[at][2], 1e-2)
        end
        lu.assertEquals(at, 108)
        -- A printable one is closed, with its outside outside: what it encloses is above 0.
        local volume = 0
        for _, t in ipairs((read_obj(bytes_of((plane - plane:statistics().min):mesh{ base = 5 }, ".obj")))) do
            volume = volume + t[1] * (t[5] * t[9] - t[6] * t[8]) + t[2] * (t[6] * t[7] - t[4] * t[9]) +
                t[3] * (t[4] * t[8] - t[5] * t[7])
        end
        lu.assertTrue(volume > 0)
        local squares = i ~= 5 and i ~= 7 -- which scatter needs
        local trees = squares and plane:mesh{}:plant(plane:scatter{ distances = { 0.3 } })
        local count = 0
        for x, z, y in (trees and bytes_of(trees, ".glb") or ""):gmatch('"translation":%[([^,]+),([^,]+),([^,]+)%]') do
            count = count + 1
            lu.assertAlmostEquals(tonumber(z), 0.3 * (x + west) + 0.4 * (south - y), 5.6, i) -- of the nearest cell
        end
        lu.assertEquals(count > 3, squares)
    end
end

function TestMeshes.test_a_field_in_metres_gives_a_mesh_in_metres()
    local metres = land * 300 + 1000
    metres.frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631", unit = "m" }
    local feet = metres:georeference{ like = metres, unit = "ft" }
    local bare = metres * 1
    bare.frame = nil
    local function first(field, arguments)
        return table.unpack(read_obj(bytes_of(field:mesh(arguments or {}), ".obj"))[1])
    end
    local x, y, z = first(metres)
    lu.assertEquals({ x, y }, { 15, 24.5 * 30 })
    lu.assertAlmostEquals(z, metres:get(0, 0), 1e-3)
    lu.assertAlmostEquals(select(3, first(feet)), metres:get(0, 0) * 0.3048, 1e-3)
    lu.assertAlmostEquals(select(3, first(metres, { vertical_scale = 2 })), metres:get(0, 0) * 2, 1e-3)
    lu.assertAlmostEquals(first(bare), 0.0125, 1e-8)
    lu.assertEquals(first(metres, { side = 40 }), 0.5)
    local left, right = metres:crop{ width = 21 }, metres:crop{ x = 20, width = 20 } -- with a column of both
    local edges = {}
    for i, part in ipairs{ left, right } do
        edges[i] = {}
        for _, triangle in ipairs((read_obj(bytes_of(part:mesh{}, ".obj")))) do
            for k = 1, 7, 3 do
                local east = triangle[k] + part.frame.x - 500000
                if east == 20.5 * 30 then
                    edges[i][triangle[k + 1]] = triangle[k + 2]
                end
            end
        end
    end
    lu.assertTrue(next(edges[1]) ~= nil)
    lu.assertEquals(edges[1], edges[2])
end

-- Points of a mesh of a window have the heights of their cells, true to the ground: `rise` for a height of 1 and
-- `across` and `down` between cells, in the mesh's unit.
local function check_slopes(window, arguments, across, down, rise)
    local mesh, seen = window:mesh(arguments), 0
    local base
    for _, triangle in ipairs((read_obj(bytes_of(mesh, ".obj")))) do
        for k = 1, 7, 3 do
            local column, row = triangle[k] / across - 0.5, window.height - triangle[k + 1] / down - 0.5
            local x, y = (column + 0.5) // 1 | 0, (row + 0.5) // 1 | 0
            lu.assertAlmostEquals(column, x, 1e-2)
            lu.assertAlmostEquals(row, y, 1e-2)
            base = base or triangle[k + 2] - rise * window:get(x, y)
            lu.assertAlmostEquals((triangle[k + 2] - base) / rise, window:get(x, y), 1e-3)
            seen = seen + 1
        end
    end
    lu.assertTrue(seen > 100)
    return base
end

function TestMeshes.test_a_window_of_a_map_keeps_its_slopes()
    local flat, planet = esker.river_map{ seed = 2, land = "raw" },
        esker.river_map{ seed = 4, tiling = "sphere", land = "raw" }
    for _, zoom in ipairs{ 8, 512 } do
        local window = { x = 0.42, y = 0.57, zoom = zoom, size = 32 }
        local altitude = flat:render(window)
        check_slopes(altitude, {}, 1 / 32, 1 / 32, 0.055 * zoom)
        check_slopes(altitude, { side = 50, vertical_scale = 2 }, 50 / 32, 50 / 32, 2 * 50 * 0.055 * zoom)
        window.side = 1e6
        local cell = 1e6 / zoom / 32
        lu.assertAlmostEquals(check_slopes(flat:render(window), {}, cell, cell, 1), 0, 0.1)
        window = { x = 0.2, y = 0.36, zoom = zoom, size = 32 }
        local shorter, turn = math.cos(2 * math.pi * (0.5 - window.y)), 2 * math.pi / zoom
        check_slopes(planet:render(window), {}, shorter / 32, 1 / 32, 0.055 / turn)
        window.radius = 1e6
        cell = 1e6 * turn / 32
        lu.assertAlmostEquals(check_slopes(planet:render(window), {}, shorter * cell, cell, 1), 0, 0.1)
    end
end

-- "The triangle mesh itself": its levels are grids, cut as the mesh is.
function TestMeshes.test_a_squig_mountain_is_its_mesh()
    local mesh = esker.squig_mountain{ levels = 5, seed = 2 }:mesh{}
    lu.assertEquals(mesh.triangles, 2 * 4 ^ 5)
end

function TestMeshes.test_mistakes_are_told()
    local mesh = land:mesh{}
    lu.assertErrorMsgContains("must end in .obj, .ply, .stl or .glb", mesh.save, mesh, "x.png")
    lu.assertErrorMsgContains("error must be 0 to 1000000000, got -1", land.mesh, land, { error = -1 })
    lu.assertErrorMsgContains("mesh: height must be a field, got Mesh", esker.mesh, mesh)
    lu.assertErrorMsgContains("Mesh has no method 'relief'", function() return mesh:relief{} end)
    lu.assertErrorMsgContains("drape must be an image, got Field", land.perspective, land,
        { drape = land })
end

-- The JSON and the bytes of a .glb file.
local function read_glb(bytes)
    local magic, version, length, json_length, json_kind = ("<c4I4I4I4c4"):unpack(bytes)
    lu.assertEquals({ magic, version, length, json_kind }, { "glTF", 2, #bytes, "JSON" })
    local json, binary_length, binary_kind, at = ("<c" .. json_length .. "I4c4"):unpack(bytes, 21)
    lu.assertEquals({ binary_kind, binary_length % 4, #bytes - at + 1 }, { "BIN\0", 0, binary_length })
    return json, bytes:sub(at)
end

-- Offset and length of a buffer view.
local function view_of(json, number)
    local count = 0
    for offset, length in json:gmatch('"byteOffset":(%d+),"byteLength":(%d+)') do
        if count == number then
            return math.tointeger(offset), math.tointeger(length)
        end
        count = count + 1
    end
end

function TestMeshes.test_gltf_has_the_triangles_of_the_others()
    local mesh = land:mesh{ error = 0.02 }
    local json, bytes = read_glb(bytes_of(mesh, ".glb"))
    local corners, length = view_of(json, 0)
    local points, triangles = view_of(json, 1), {}
    for at = corners, corners + length - 1, 12 do
        local triangle = {}
        for _, corner in ipairs{ ("<I4I4I4"):unpack(bytes, at + 1) } do
            if #triangle < 9 then
                local x, up, south = ("<fff"):unpack(bytes, points + 12 * corner + 1)
                table.move({ x, -south, up }, 1, 3, #triangle + 1, triangle)
            end
        end
        triangles[#triangles + 1] = triangle
    end
    lu.assertEquals(as_text(triangles), as_text((read_ply(bytes_of(mesh, ".ply")))))
    local normals, size = view_of(json, 2)
    for at = normals, normals + size - 1, 12 do
        local x, y, z = ("<fff"):unpack(bytes, at + 1)
        lu.assertAlmostEquals(x * x + y * y + z * z, 1, 1e-5)
        lu.assertTrue(y > 0) -- of ground
    end
end

function TestMeshes.test_pictures_and_trees_go_with_the_mesh()
    local relief = land:relief{}
    local bare = land:mesh{}
    local mesh = bare:drape(relief)
    lu.assertNotEquals(mesh:hash(), bare:hash())
    local json, bytes = read_glb(bytes_of(mesh, ".glb"))
    local path = temporary(".png")
    local file = assert(io.open(path, "wb"))
    local at, length = view_of(json, 4)
    file:write(bytes:sub(at + 1, at + length))
    file:close()
    lu.assertEquals(esker.load(path):hash(), relief:hash())
    os.remove(path)
    -- Coordinates: the first point is the middle of the upper left cell.
    local u, v = ("<ff"):unpack(bytes, view_of(json, 3) + 1)
    lu.assertAlmostEquals(u, 0.5 / 40, 1e-6)
    lu.assertAlmostEquals(v, 0.5 / 25, 1e-6)
    local points = land:scatter{ distances = { 0.2, 0.1 }, seed = 1 }
    local forest = mesh:plant(points, { height = 4 })
    lu.assertNotEquals(forest:hash(), mesh:hash())
    json, bytes = read_glb(bytes_of(forest, ".glb"))
    lu.assertEquals(select(2, json:gsub('"translation"', "")), points.count)
    lu.assertStrContains(json, '"name":"kind 2"')
    local red, green, blue = json:match('"name":"kind 1".-"baseColorFactor":%[([^,]+),([^,]+),([^,]+),1%]')
    lu.assertTrue(tonumber(green) > math.max(tonumber(red), tonumber(blue)))
    -- Trees far apart are no taller than trees are.
    local wide = esker.field{ size = 100, values = 10 }
    wide.frame = { x = 0, y = 0, cell = 10, unit = "m" }
    local sparse = wide:mesh{}:plant(wide:scatter{ distances = { 0.049 } })
    local tallest = 0
    for up in read_glb(bytes_of(sparse, ".glb")):gmatch('"scale":%[[^,]+,([^,]+),') do
        tallest = math.max(tallest, tonumber(up))
    end
    lu.assertTrue(tallest > 25 and tallest <= 25 * 1.25 + 1e-6)
    -- A tree is a cone: corners on a circle around its foot, or the tip. Its sides look outwards.
    local cone, size = view_of(json, 4)
    local normals = view_of(json, 5)
    lu.assertTrue(size > 0)
    for offset = 0, size - 1, 12 do
        local x, height, z = ("<fff"):unpack(bytes, cone + offset + 1)
        lu.assertAlmostEquals(x * x + z * z, 1 - height, 1e-6)
        local to_x, up, to_z = ("<fff"):unpack(bytes, normals + offset + 1)
        lu.assertAlmostEquals(to_x * to_x + up * up + to_z * to_z, 1, 1e-6)
        lu.assertTrue(up > 0 and x * to_x + height * up + z * to_z > 0)
    end
    lu.assertEquals(forest:drape(land:relief{ palette = "grey" }).triangles, bare.triangles)
    lu.assertNotEquals(bytes_of(forest:drape(land:relief{ palette = "grey" }), ".glb"), bytes_of(forest, ".glb"))
    lu.assertEquals(bytes_of(forest, ".stl"), bytes_of(bare, ".stl"))
end

os.exit(lu.LuaUnit.run())
