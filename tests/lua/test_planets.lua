-- Eroded planets: one planet in every projection and at every zoom, with rivers over the edges of faces.

local esker = require "esker"
local kept_map = require "kept_map"
local Long = require "long_tests"
local lu = require "luaunit"
local tries = require "tries"

TestPlanets = {}

local function planet(arguments)
    local all = { seed = 4, tiling = "sphere", land = "eroded" }
    for name, value in pairs(arguments or {}) do
        all[name] = value
    end
    return kept_map(all)
end

-- Two of the same, which keep different windows.
local usual, other = planet(), esker.river_map{ seed = 4, tiling = "sphere" }

-- `width` × `height` pixels of a grid of 2^depth, from pixel (x, y) on.
local function pixels(map, depth, x, y, width, height, options)
    local side, window = 2.0 ^ depth, { width = width, height = height }
    for name, value in pairs(options or {}) do
        window[name] = value
    end
    window.x, window.y, window.zoom = (x + width / 2) / side, (y + height / 2) / side, side / math.max(width, height)
    return { map:render(window) }
end

-- Windows of different sizes, drawn by one planet and by another that has not seen the place.
local function check(depth, x, y, width, height, parts, options)
    local whole = pixels(usual, depth, x, y, width, height, options)
    for i, part in ipairs(parts) do
        local drawn = pixels(i % 2 == 0 and usual or other, depth, x + part[1], y + part[2], part[3], part[4], options)
        for n, what in ipairs{ "altitude", "river", "flow" } do
            local crop = whole[n]:crop{ x = part[1], y = part[2], width = part[3], height = part[4] }
            lu.assertTrue(crop == drawn[n], ("%s at depth %d, part %d"):format(what, depth, i))
        end
    end
end

function TestPlanets.test_windows_agree()
    local threads = esker.threads()
    check(8, 0, 64, 256, 128, { { 25, 7, 37, 22 }, { 100, 100, 12, 25 } })
    esker.threads(1)
    check(15, 5500, 14750, 100, 60, { { 60, 10, 30, 40 } })
    esker.threads(threads)
    check(7, 0, 0, 64, 64, { { 0, 50, 30, 14 } }, { projection = "cube", face = "top" })
end

function Long.test_windows_of_projections_agree()
    check(10, 0, 256, 1024, 512, { { 100, 30, 150, 90 }, { 400, 400, 24, 100 } })
    check(8, 40, 40, 120, 120, { { 70, 50, 30, 30 } }, { projection = "orthographic", rotation = { 100, -40 } })
    check(10, 110, 180, 120, 120, { { 40, 30, 30, 40 }, { 60, 70, 20, 30 } }, { projection = "orthographic" })
    check(8, 100, 20, 120, 120, { { 70, 50, 30, 30 }, { 0, 0, 60, 20 } }, { projection = "mercator" })
    check(30, 2 ^ 30 * 0.18 // 1, 2 ^ 30 * 0.46 // 1, 60, 60, { { 20, 10, 20, 30 } })
end

-- A map meets itself: windows go on beyond its sides, with the bits of those on either side.
local function check_across(map, y, options)
    local depth, half, height = 11, 70, 90
    local across = pixels(map, depth, -half, y, 2 * half, height, options)
    local other_side = pixels(map, depth, 2 ^ depth - half, y, 2 * half, height, options)
    local halves = { pixels(map, depth, 2 ^ depth - half, y, half, height, options),
        pixels(map, depth, 0, y, half, height, options) }
    for i, field in ipairs(across) do
        lu.assertTrue(field == other_side[i])
        for side, part in ipairs(halves) do
            lu.assertTrue(field:crop{ x = (side - 1) * half, width = half, height = height } == part[i])
        end
    end
    return across[1].frame, other_side[1].frame
end

function TestPlanets.test_windows_go_on_beyond_180_degrees()
    local left, right = check_across(usual, 920)
    lu.assertAlmostEquals(left.x, -180 - 70 * 360 / 2048, 1e-9)
    lu.assertAlmostEquals(right.x, left.x + 360, 1e-9)
    check_across(usual, 860, { projection = "mercator" })
    check_across(planet{ land = "raw" }, 920)
    check_across(planet{ land = "raw", tiling = "tetrahedra" }, 920)
    local whole, turned = usual:render{ size = 128 }, usual:render{ size = 128, x = 0.75 }
    lu.assertTrue(turned:crop{ width = 96, height = 64 } == whole:crop{ x = 32, width = 96, height = 64 })
    lu.assertTrue(turned:crop{ x = 96, width = 32, height = 64 } == whole:crop{ width = 32, height = 64 })
end

function TestPlanets.test_a_border_goes_on_beyond_180_degrees()
    local window = { x = 0.125, y = 0.5, zoom = 4, size = 64 }
    local plain = usual:render(window)
    window.border = 10
    local bordered = usual:render(window)
    lu.assertEquals({ bordered.width, bordered.height }, { 84, 84 })
    lu.assertTrue(bordered:crop{ x = 10, y = 10, width = 64, height = 64 } == plain)
    lu.assertEquals(usual:render{ size = 128, border = 10, zoom = 1.085 }.width, 138) -- of 138.88
    lu.assertEquals(usual:render{ size = 128, border = 10 }.width, 128)
end

-- The rivers of such a window lie in its cells, and in its degrees.
function TestPlanets.test_rivers_go_on_beyond_180_degrees()
    for _, land in ipairs{ "eroded", "raw" } do
        local map = planet{ seed = 5, land = land }
        local window, points, most = { x = 0, y = 0.45, zoom = 6, size = 256 }, 0, 0
        local network = map:rivers(window)
        for _, reach in ipairs(network:reaches()) do
            for i = 1, #reach - 1 do
                most = math.max(most, math.abs(reach[i + 1].x - reach[i].x))
                lu.assertTrue(reach[i].x > -10 and reach[i].x < 266)
                points = points + 1
            end
        end
        lu.assertTrue(points > 300 and most < 10, land)
        local x = network:place(1, 128)
        lu.assertAlmostEquals(tonumber(x), 1 - 127 / 256 / 6, 1e-9)
        local name, west, east = os.tmpname(), 0, -360
        network:save(name .. ".geojson")
        local file = io.open(name .. ".geojson")
        for longitude in file:read("a"):gmatch("%[(%-[%d.]+),[-%d.e]+,[-%d.e]+%]") do
            west, east = math.min(west, tonumber(longitude)), math.max(east, tonumber(longitude))
        end
        file:close()
        os.remove(name)
        os.remove(name .. ".geojson")
        lu.assertTrue(math.abs(west + 210) < 1 and math.abs(east + 150) < 1, land)
    end
end

-- Points of rivers are written in the degrees in which the window's frame has its cells, poles and equator in place.
function TestPlanets.test_files_have_latitude_and_longitude_of_the_frame()
    local name = os.tmpname()
    for _, land in ipairs{ "eroded", "raw" } do
        local map, window = planet{ land = land }, { x = 0.4, y = 0.36, zoom = 12, size = 128 }
        local network, frame = map:rivers(window), map:render(window).frame
        lu.assertAlmostEquals(frame.y - 64 * frame.cell_height, 360 * (0.5 - 0.36), 1e-9) -- of the middle
        network:save(name .. ".geojson")
        local file <close> = io.open(name .. ".geojson")
        local lines = {}
        for line in file:read("a"):gmatch('"coordinates":(%b[])') do
            lines[#lines + 1] = line
        end
        local next_place, points = table.concat(lines):gmatch("%[([-%d.e]+),([-%d.e]+),[-%d.e]+%]"), 0
        for _, reach in ipairs(network:reaches()) do
            for _, point in ipairs(reach) do
                local longitude, latitude = next_place()
                lu.assertAlmostEquals(tonumber(longitude), frame.x + point.x * frame.cell_width, 1e-6)
                lu.assertAlmostEquals(tonumber(latitude), frame.y - point.y * frame.cell_height, 1e-6)
                points = points + 1
            end
        end
        lu.assertTrue(points > 20 and next_place() == nil, land)
    end
    os.remove(name)
    os.remove(name .. ".geojson")
end

-- The reach that ends in the sea inside a window and is widest there.
local function widest_mouth(map, window)
    local widest
    for _, reach in ipairs(map:rivers(window):reaches()) do
        local last = reach[#reach]
        local inside = math.min(last.x, last.y, window.size - last.x, window.size - last.y) > window.size / 8
        if inside and reach.mouth and (not widest or last.width > widest[#widest].width) then
            widest = reach
        end
    end
    return widest
end

-- In an estuary the river's share of the water rises upstream from next to nothing; narrow rivers have none.
function Long.test_wide_rivers_of_planets_end_in_estuaries()
    local narrow, estuaries, seeds = 0, 0, 4
    for seed = 3, 2 + seeds do
        local map = planet{ seed = seed, river_width = 0.02 }
        local window = { x = 0.5, y = 0.5, zoom = 4, size = 256 }
        local reach = widest_mouth(map, window)
        while reach and reach[#reach].width < 40 do -- ever nearer to the mouth
            window.x = window.x + (reach[#reach].x / 256 - 0.5) / window.zoom
            window.y = window.y + (reach[#reach].y / 256 - 0.5) / window.zoom
            window.zoom = window.zoom * 3
            reach = widest_mouth(map, window)
            local _, river = map:render(window)
            local function share(i) return river:get(math.floor(reach[i].x), math.floor(reach[i].y)) end
            if reach and reach[#reach].width > 9 then
                for i = #reach, 2, -1 do
                    lu.assertTrue(share(i) > 0 and share(i - 1) > share(i) - 0.02 and share(#reach) < 0.2)
                end
                estuaries = estuaries + 1
            elseif reach and reach[#reach].width > 2 and reach[#reach].width < 7 then
                lu.assertTrue(share(#reach) > 0.9)
                narrow = narrow + 1
            end
        end
    end
    print(("# %d windows with estuaries, %d with narrow mouths"):format(estuaries, narrow))
    lu.assertTrue(narrow > seeds / 2 and estuaries > seeds / 2)
end

-- Near a globe's edge the ground lies aslant, so that pixels are far from each other: as wide as on the ground, rivers
-- were rows of dots there: 3 % of their pixels stood alone.
function Long.test_rivers_near_the_edge_of_a_globe_are_lines()
    local size, wet, alone, seeds = 512, 0, 0, 2
    for seed = 12, 11 + seeds do
        local map = planet{ seed = seed, river_width = 0.02 }
        local _, river = map:render{ size = size, projection = "orthographic" }
        for y = 1, size - 2 do
            for x = 1, size - 2 do
                local out = math.sqrt((x + 0.5 - size / 2) ^ 2 + (y + 0.5 - size / 2) ^ 2) / (size / 2)
                if out > 0.85 and out < 0.98 and river:get(x, y) > 0 then
                    local box = { x = x - 1, y = y - 1, width = 3, height = 3 }
                    local around = river:crop(box):remap{ from = { 0, 1e-6 } }:statistics().sum
                    wet, alone = wet + 1, alone + (around < 1.5 and 1 or 0)
                end
            end
        end
    end
    print(("# %d of %d pixels of rivers stand alone"):format(alone, wet))
    lu.assertTrue(wet > 500 * seeds and alone < 0.003 * wet)
end

-- One lies on a face, the other reaches over an edge, so its level is of several patches.
function Long.test_windows_on_one_face_and_on_several_agree()
    for _, case in ipairs{
        { seed = 129349478, landscape = "mesa", at = { 0.306640625, 0.306640625, 16 }, by = { 1, 72 } },
        { seed = 912689, landscape = "alps", at = { 0.16259765625, 0.6064453125, 8 }, by = { 44, 19 } },
    } do
        local x, y, zoom = table.unpack(case.at)
        local right, down = table.unpack(case.by)
        local function window(from_x, from_y)
            local map = esker.river_map{ seed = case.seed, landscape = case.landscape, tiling = "sphere" }
            return (map:render{ x = from_x, y = from_y, zoom = zoom, size = 256 })
        end
        local one = window(x, y):crop{ x = right, y = down, width = 256 - right, height = 256 - down }
        local moved = window(x + right / (256 * zoom), y + down / (256 * zoom))
        lu.assertTrue(one == moved:crop{ width = 256 - right, height = 256 - down }, case.landscape)
    end
end

-- The plain call gives the whole planet, which is half as high as wide.
function TestPlanets.test_a_size_is_the_width_of_a_whole_planet()
    for _, map in ipairs{ usual, planet{ land = "raw" }, planet{ land = "raw", tiling = "tetrahedra" } } do
        local plain = map:render{}
        lu.assertEquals({ plain.width, plain.height }, { 512, 256 })
        lu.assertTrue(plain == map:render{ width = 512, height = 256 })
        local part = map:render{ size = 90, zoom = 1.5, y = 0.45 }
        lu.assertEquals({ part.width, part.height }, { 90, 45 })
        local network = map:rivers{}
        lu.assertEquals({ network.width, network.height }, { 512, 256 })
        for _, square in ipairs{ { size = 64, zoom = 2 }, { size = 64, projection = "orthographic" },
            { size = 64, projection = "cube" }, { size = 64, projection = "mercator" } } do
            local field = map:render(square)
            lu.assertEquals({ field.width, field.height }, { 64, 64 })
        end
    end
    lu.assertErrorMsgContains("a planet is twice as wide as high", usual.render, usual, { width = 64, height = 64 })
    local flat = esker.river_map{ seed = 4 }:render{ size = 64 }
    lu.assertEquals(flat.height, 64)
end

-- Threads find cells in rows of faces, put lines into the same blocks, and set lines that one adds to the network.
function Long.test_threads_change_nothing()
    local threads = esker.threads()
    local window, networks, pictures = { x = 0.4, y = 0.45, zoom = 16, width = 500, height = 400 }, {}, {}
    for i = 1, 2 do
        esker.threads(i)
        networks[i], pictures[i] = usual:rivers(window):hash(), { usual:render(window) }
    end
    esker.threads(threads)
    lu.assertEquals(networks[2], networks[1])
    lu.assertTrue(pictures[2][2] == pictures[1][2], "rivers")
    lu.assertTrue(pictures[2][1] == pictures[1][1], "altitudes")
    local points = 0
    for _, reach in ipairs(usual:rivers(window):reaches()) do
        points = points + #reach
    end
    lu.assertTrue(points > 2 * 4096, points .. " points")
end

-- Mercator's latitude at a place on the map: its tangent is the hyperbolic sine of the ordinate.
-- Maps whose middle is on the equator have frames: the same degrees are the same ground.
function TestPlanets.test_maps_lie_where_their_frames_say()
    local map = usual
    local plain = map:render{ width = 256, height = 128 }
    local function at(field, x, y)
        local frame = field.frame
        return field:get((x - frame.x) // frame.cell_width | 0, (frame.y - y) // frame.cell_height | 0)
    end
    local turned = map:render{ width = 256, height = 128, rotation = { 90, 0 } }
    local web = map:render{ size = 256, projection = "mercator" }
    local shifted = map:render{ size = 256, projection = "mercator", rotation = { 90, 0 } }
    local window = map:render{ size = 128, projection = "mercator", x = 0.25, y = 0.5, zoom = 2, border = 5 }
    local equator, count, off, elsewhere = 40075016.685578488, 0, 0, 0
    for longitude = -173, 173, 10 do
        for latitude = -63, 63, 10 do
            local altitude = at(plain, longitude, latitude)
            lu.assertEquals(at(turned, longitude < -90 and longitude + 360 or longitude, latitude), altitude)
            local x = longitude / 360 * equator
            local y = math.log(math.tan(math.pi / 4 + math.rad(latitude) / 2)) / (2 * math.pi) * equator
            off, count = off + math.abs(at(web, x, y) - altitude), count + 1
            elsewhere = elsewhere + math.abs(at(web, -x, y) - altitude)
            lu.assertEquals(at(shifted, longitude < -90 and x + equator or x, y), at(web, x, y))
        end
    end
    lu.assertTrue(off < 0.2 * elsewhere, ("%g, %g"):format(off / count, elsewhere / count))
    lu.assertEquals(web.frame.system, "EPSG:3857")
    lu.assertAlmostEquals(window.frame.cell_width, equator / 256, 1e-6)
    lu.assertAlmostEquals(window.frame.x, -equator / 2 - 5 * equator / 256, 1e-6)
    lu.assertAlmostEquals(window.frame.y, equator / 4 + 5 * equator / 256, 1e-6)
    lu.assertNil(map:render{ width = 64, height = 32, rotation = { 0, 30 } }.frame)
    for _, plane in ipairs{ { size = 64, projection = "orthographic", rotation = { 0, 30 } },
        { size = 64, projection = "cube", face = "top" } } do
        local frame = map:render(plane).frame
        lu.assertEquals({ frame.x, frame.y, frame.cell_width, frame.unit }, { -6371e3, 6371e3, 6371e3 / 32, "m" })
    end
    local raw = esker.river_map{ tiling = "sphere", land = "raw" }
    lu.assertNil(raw:render{ size = 64, projection = "orthographic" }.frame)
end

-- So that relief shades a window as the same part of the whole map.
function TestPlanets.test_relief_reads_where_a_window_lies()
    local square = { x = 0.3, y = 0.375, zoom = 8, size = 64 }
    local field = usual:render(square)
    local middle, half = 360 * (0.5 - square.y), 180 / square.zoom
    local function drawn(options)
        options.projection = options.projection or "equirectangular"
        return field:relief(options):hash()
    end
    lu.assertTrue(drawn{} == drawn{ latitudes = { middle + half, middle - half } })
    lu.assertFalse(drawn{} == drawn{ latitudes = { 90, -90 } })
    square.projection, square.zoom = "mercator", 4 -- exact in metres, too
    field = usual:render(square)
    local above, below = square.y - 0.5 / square.zoom, square.y + 0.5 / square.zoom
    local framed, given = drawn{ projection = "mercator" }, drawn{ projection = "mercator", extent = { above, below } }
    lu.assertTrue(framed == given)
    lu.assertFalse(framed == drawn{ projection = "mercator", extent = { 0, 1 } })
    field = usual:render{ size = 64, rotation = { 0, 30 } } -- no frame: a whole planet, as before
    lu.assertTrue(drawn{} == drawn{ latitudes = { 90, -90 } })
end

function TestPlanets.test_mercator_shows_the_same_ground()
    local depth, y = 9, 100
    local up = 2 * math.pi * (0.5 - (y + 1) / 512)
    local north = math.atan((math.exp(up) - math.exp(-up)) / 2) / math.pi
    local mercator = pixels(usual, depth, 200, y, 2, 2, { projection = "mercator" })[1]:statistics().mean
    local narrower = (math.exp(up) + math.exp(-up)) / 2 -- than at the equator
    local plain = usual:render{ size = 2, zoom = 2 ^ (depth - 1) * narrower, x = 201 / 512, y = 0.5 - north / 2 }
    lu.assertAlmostEquals(mercator, plain:statistics().mean, 30)
end

-- A pole, where all columns show places within 80 km.
function TestPlanets.test_the_poles_are_one_place()
    local altitude = usual:render{ width = 256, height = 128 }
    local function range(row)
        local low, high = math.huge, -math.huge
        for x = 0, 255 do
            low, high = math.min(low, altitude:get(x, row)), math.max(high, altitude:get(x, row))
        end
        return high - low
    end
    lu.assertTrue(range(0) < 0.25 * range(2))
end

-- The edges of a cube's faces show the same ground: front's right column is right's left one, nearly.
function TestPlanets.test_faces_of_the_picture_meet()
    local map = usual
    local front = map:render{ projection = "cube", face = "front", size = 128 }
    local right = map:render{ projection = "cube", face = "right", size = 128 }
    for y = 0, 127 do
        lu.assertTrue(math.abs(front:get(127, y) - right:get(0, y)) < 500)
    end
end

-- The pixels of the sea around one that lies inside, connected over sides; infinite where it reaches the edge.
local function sea_around(altitude, x, y)
    local width, height, count, stack, seen = altitude.width, altitude.height, 0, { y * altitude.width + x }, {}
    while #stack > 0 do
        local cell = table.remove(stack)
        local column, row = cell % width, cell // width
        if not seen[cell] and altitude:get(column, row) < 0 then
            if column == 0 or row == 0 or column == width - 1 or row == height - 1 then
                return math.huge
            end
            seen[cell] = true
            count = count + 1
            for _, step in ipairs{ 1, -1, width, -width } do
                table.insert(stack, cell + step)
            end
        end
    end
    return count
end

-- A place on the coast nearest to a planet's front.
local function coast_of(map)
    local globe, nearest = map:render{ width = 256, height = 128 }, math.huge
    local x, y
    for row = 40, 88 do
        for column = 20, 236 do
            local from_middle = (column - 128) ^ 2 + (row - 64) ^ 2
            if from_middle < nearest and globe:get(column, row) < 0 and globe:get(column + 1, row) >= 0 then
                nearest, x, y = from_middle, column, row
            end
        end
    end
    return (x + 1) / 256, (y + 0.5 + 64) / 256
end

-- Means of cells parted straits and closed inlets, and cut 18 of 356 mouths off from the sea.
function Long.test_straits_stay_open_between_cells()
    local mouths, cut_off, seeds = 0, 0, 2
    for seed = 1, seeds do
        local map = planet{ seed = seed }
        local x, y = coast_of(map)
        for _, zoom in ipairs{ 6, 40 } do
            local window = { x = x, y = y, zoom = zoom, size = 360 }
            local altitude = map:render(window)
            for _, reach in ipairs(map:rivers(window):reaches()) do
                local mouth = reach[#reach]
                local column, row = mouth.x // 1 | 0, mouth.y // 1 | 0
                local inside = column >= 0 and row >= 0 and column < 360 and row < 360
                if reach.mouth and inside and altitude:get(column, row) < 0 then
                    mouths = mouths + 1
                    cut_off = cut_off + (sea_around(altitude, column, row) < 100 and 1 or 0)
                end
            end
        end
    end
    print(("# %d of %d mouths cut off"):format(cut_off, mouths))
    lu.assertTrue(mouths > 50 * seeds)
    lu.assertEquals(cut_off, 0)
end

-- Whether the sea around a pixel of an equirectangular map is smaller than this, in pixels at the equator.
local function is_pond(altitude, x, y, least)
    local width, height, size, stack, seen = altitude.width, altitude.height, 0, { { x, y } }, {}
    while #stack > 0 and size < least do
        local at = table.remove(stack)
        local column, row = at[1] % width, at[2]
        local cell = row * width + column
        if row >= 0 and row < height and not seen[cell] and altitude:get(column, row) < 0 then
            seen[cell] = true
            size = size + math.sin(math.pi * (row + 0.5) / height)
            for step = 0, 8 do
                table.insert(stack, { column + step % 3 - 1, row + step // 3 - 1 })
            end
        end
    end
    return size < least
end

-- Finer levels would lose seas of fewer than 12 cells of level 0: a third of what drains ended in such.
function Long.test_few_rivers_end_in_ponds()
    local map, size = planet{ seed = 3 }, { width = 1024, height = 512 }
    local altitude, all, lost = map:render(size), 0, 0
    for _, reach in ipairs(map:rivers(size):reaches()) do
        if reach.mouth then
            local mouth, area = reach[#reach], reach[#reach - 1].area
            all = all + area
            lost = lost + (is_pond(altitude, mouth.x // 1 | 0, mouth.y // 1 | 0, 40) and area or 0)
        end
    end
    lu.assertTrue(all > 0.1 and lost < 0.15 * all, ("%g of %g"):format(lost, all))
end

local function step_between(a, b, width, height)
    local across = math.abs(a.x - b.x)
    across = math.min(across, width - across) * math.sin(math.pi * (a.y + b.y) / 2 / height)
    return math.max(across, math.abs(a.y - b.y))
end

-- Where a point of the equirectangular map, 1 wide, is seen from the middle of a map turned by `rotation`, x to the
-- right, y up, z towards the viewer.
local function seen_at(x, y, rotation)
    local east, north = 2 * math.pi * (x - 0.5) - math.rad(rotation[1]), math.pi * (0.5 - 2 * y)
    local latitude = math.rad(rotation[2])
    local up, near = math.sin(north), math.cos(north) * math.cos(east)
    return math.cos(north) * math.sin(east), up * math.cos(latitude) - near * math.sin(latitude),
        up * math.sin(latitude) + near * math.cos(latitude)
end

-- Pixels are no cells, but the sea into which a river runs is not averaged away, whatever the projection.
function Long.test_rivers_end_in_sea_that_is_drawn()
    local mouths = {}
    for _, reach in ipairs(usual:rivers{ width = 1000, height = 500 }:reaches()) do
        table.insert(mouths, reach.mouth and reach[#reach] or nil)
    end
    -- Of one level: what a projection shows of a place, in parts of its whole map.
    local views = {
        { { width = 1000, height = 500 }, function(x, y)
            return x, y
        end },
        { { size = 300, projection = "orthographic", rotation = { 100, -40 } }, function(x, y, rotation)
            local right, up, near = seen_at(x, y, rotation)
            return near > 0.3 and 0.5 + right / 2, 0.5 - up / 2
        end },
        { { size = 700, projection = "mercator" }, function(x, y)
            return x, 0.5 - math.log(math.tan(math.pi * (0.5 - y))) / (2 * math.pi)
        end },
        { { size = 240, projection = "cube", face = "right" }, function(x, y)
            local right, up, near = seen_at(x, y, { 90, 0 })
            return near > 0 and 0.5 + right / near / 2, 0.5 - up / near / 2
        end },
    }
    for _, view in ipairs(views) do
        local window, place = table.unpack(view)
        local altitude = usual:render(window)
        local width, height, all, dry = altitude.width, altitude.height, 0, 0
        for _, mouth in ipairs(mouths) do
            local x, y = place(mouth.x / 1000, mouth.y / 1000, window.rotation)
            x, y = x and x * width // 1 or -1, y * (height < width and width or height) // 1
            if x >= 0 and y >= 0 and x < width and y < height then
                all, dry = all + 1, dry + (altitude:get(x | 0, y | 0) >= 0 and 1 or 0)
            end
        end
        -- Elsewhere pixels are larger: a larger river may run through the same.
        local name = window.projection or "equirectangular"
        lu.assertTrue(all > 30 and dry <= (window.projection and 0.02 * all or 0),
            ("%s: %d of %d"):format(name, dry, all))
    end
end

function TestPlanets.test_rivers_run_down_to_the_sea()
    for _, tiling in ipairs{ "sphere", "tetrahedra" } do
        local map = tiling == "sphere" and usual or planet{ tiling = tiling }
        local altitude, river, flow = map:render{ width = 512, height = 256 }
        local network, mouths, points = map:rivers{ width = 512, height = 256 }, 0, 0
        for _, reach in ipairs(network:reaches()) do
            for i = 2, #reach do
                local above, below = reach[i - 1], reach[i]
                lu.assertTrue(below.altitude < above.altitude or below.altitude == 0)
                lu.assertTrue(below.area >= 0.5 * above.area or (reach.mouth and i == #reach)) -- two may share one
                lu.assertTrue(step_between(above, below, 512, 256) < 2.5)
                points = points + 1
            end
            mouths = mouths + (reach.mouth and 1 or 0)
            lu.assertTrue(reach.mouth or reach.downstream ~= nil) -- the planet has no other end
        end
        lu.assertTrue(mouths > 30 and points > 500, tiling)
        lu.assertTrue(flow:statistics().max > 500 and river:statistics().max > 0.1)
        lu.assertTrue(altitude:statistics().min < -0.1)
    end
end

-- As on flat maps the share of a wide river's water falls evenly to its mouth.
function Long.test_wide_rivers_go_over_into_the_sea()
    local size = 256
    local map = planet{ seed = 5, river_width = 0.0065 }
    local _, river = map:render{ x = 0.8151164650917, y = 0.3784220218658, zoom = 200, size = size }
    local water = river:remap{ from = { 0, 1e-6 } }:morphology{ radius = 3 / size, kind = "erode" }
    local estuary, steepest = 0, 0
    local function share(x, y)
        return math.min(river:get(x, y), 1)
    end
    for y = 0, size - 2 do
        for x = 0, size - 2 do
            if water:get(x, y) > 0 then
                estuary = estuary + (share(x, y) < 1 and 1 or 0)
                steepest = math.max(steepest, math.abs(share(x + 1, y) - share(x, y)),
                    math.abs(share(x, y + 1) - share(x, y)))
            end
        end
    end
    print(("# %d pixels of an estuary, steepest step %.3f"):format(estuary, steepest))
    lu.assertTrue(estuary > 1000 and steepest < 0.1)
end

-- Near a pole a narrow river is many pixels wide, on a Mercator map also high: `relief` draws it as one and not as an
-- estuary, which it takes no shares in all of the land for.
function Long.test_narrow_rivers_at_a_pole_are_no_estuaries()
    local size = 256
    local function check_place(arguments, window)
        local altitude, river = planet(arguments):render(window)
        lu.assertTrue(altitude:statistics().min > 0 and river:statistics().max > 0.2)
        local inside = esker.field{
            size = size,
            values = function(x, y)
                return x > 60 and x < size - 60 and y > 8 and y < size - 8 and river:get(x, y) or 0
            end,
        }
        local everywhere = inside:max(esker.field{ size = size, values = 1e-9 })
        lu.assertEquals(altitude:relief{ rivers = inside }:hash(), altitude:relief{ rivers = everywhere }:hash())
    end
    check_place({ seed = 88, landscape = "alps" }, { x = 0.144, y = 0.7288, zoom = 180, size = size })
    local places = { { seed = 3, x = 0.3, y = 0.93, zoom = 16 }, { seed = 5, x = 0.2, y = 0.95, zoom = 60 } }
    for _, place in ipairs(places) do
        check_place({ seed = place.seed },
            { x = place.x, y = place.y, zoom = place.zoom, size = size, projection = "mercator" })
    end
end

function TestPlanets.test_a_planet_drains_at_every_zoom()
    for _, zoom in ipairs(tries(1, { 8, 2 ^ 20 })) do
        local altitude = usual:render{ x = 0.181, y = 0.4531, zoom = zoom, size = 128, relative = zoom > 100 }
        local range = altitude:statistics()
        local raised = altitude:fill():subtract(altitude):statistics().mean
        lu.assertTrue(raised < 0.002 * (range.max - range.min), ("zoom %g: %g"):format(zoom, raised))
    end
end

-- Strata are as thick, for their height, as those of flat maps.
function Long.test_strata_keep_altitudes_within_their_range()
    for i, seed in ipairs{ 21, 4 } do
        for _, tiling in ipairs{ "sphere", "right", "tetrahedra" } do
            local function altitudes(hardness)
                local map = esker.river_map{ seed = seed, tiling = tiling, landscape = i == 1 and "mesa" or "mixed",
                    hardness = hardness }
                return map:render{}:statistics()
            end
            local soft, hard = altitudes(0), altitudes(0.9)
            local name = ("%s, seed %d: highest %.3f, with strata %.3f"):format(tiling, seed, soft.max, hard.max)
            lu.assertTrue(hard.mean > soft.mean and hard.max < 1.15 * soft.max, name)
        end
    end
end

-- Raw or eroded, of either tiling: less and less land.
function TestPlanets.test_the_sea_rises()
    for i, tiling in ipairs{ "sphere", "tetrahedra" } do
        for _, land in ipairs(tries(2 - i, { "raw", "eroded" })) do
            local above
            for _, level in ipairs(land == "raw" and { -1, -0.3, 0, 0.3, 1 } or { -1, 0.3, 1 }) do
                local map = esker.river_map{ seed = 5, tiling = tiling, land = land, sea_level = level }
                local mean = map:render{ width = 64, height = 32 }:statistics().mean
                lu.assertTrue(not above or mean < above - 0.1, ("%s, %s, %g: %g"):format(tiling, land, level, mean))
                above = mean
            end
        end
    end
end

function TestPlanets.test_errors()
    lu.assertErrorMsgContains("wide rivers are for flat maps", planet, { wide = true })
    lu.assertErrorMsgContains('rules = "paper" needs land = "raw"', planet, { rules = "paper" })
end

-- How much the mean slope differs on either side of a line across a window, from one height at the left to another.
local function break_of_slopes(altitude, zoom, left, right)
    local size, unit = altitude.width, zoom * altitude.width / (2 * math.pi * 6371e3)
    local above, below = { 0, 0, 0 }, { 0, 0, 0 }
    for y = 1, size - 2 do
        for x = 1, size - 2 do
            local off = y - left - (right - left) * x / size
            local side = math.abs(off) < 20 and (off > 3 and below or off < -3 and above)
            if side then
                side[1] = side[1] + (altitude:get(x + 1, y) - altitude:get(x - 1, y)) / 2 * unit
                side[2] = side[2] + (altitude:get(x, y + 1) - altitude:get(x, y - 1)) / 2 * unit
                side[3] = side[3] + 1
            end
        end
    end
    local across, down = above[1] / above[3] - below[1] / below[3], above[2] / above[3] - below[2] / below[3]
    return math.sqrt(across ^ 2 + down ^ 2)
end

-- Lines of the grid bend at the edges of faces. While slopes went on along them, they broke by 0.47 and 0.32 here,
-- where edges run across the window.
function Long.test_edges_of_faces_are_no_creases()
    local map = esker.river_map{ seed = 1792459628, tiling = "sphere" }
    for _, at in ipairs{ { 12, 0.99713516235, 0.51107311249, 143, 113 },
        { 18, 0.73724162579, 0.65002949536, 182, 74 } } do
        local zoom = 2 ^ at[1]
        local altitude = map:render{ zoom = zoom, x = at[2], y = at[3], size = 256, relative = true }
        lu.assertTrue(break_of_slopes(altitude, zoom, at[4], at[5]) < 0.22)
    end
end

os.exit(lu.LuaUnit.run())
