-- Rivers of zoomable maps as data.

local esker = require "esker"
local Long = require "long_tests"
local temporary = require "temporary"
local lu = require "luaunit"

TestRivers = {}

local function window(tiling, size)
    return { width = size, height = tiling == "sphere" and size // 2 or size }
end

local function check_reach(reach, reaches)
    lu.assertTrue(#reach >= 2)
    for i = 2, #reach do
        lu.assertTrue(reach[i].altitude <= reach[i - 1].altitude)
        lu.assertTrue(reach[i].area >= reach[i - 1].area * (1 - 1e-6))
        lu.assertTrue(reach[i].width >= 0)
    end
    local last = reach[#reach]
    if not reach.downstream then
        return
    end
    local below = reaches[reach.downstream]
    lu.assertEquals({ below[1].x, below[1].y, below[1].altitude }, { last.x, last.y, last.altitude })
    lu.assertTrue(below.order >= reach.order)
end

-- The sea, or a fjord, within two pixels.
local function is_by_the_sea(altitude, point)
    for y = point.y // 1 - 2, point.y // 1 + 2 do
        for x = point.x // 1 - 2, point.x // 1 + 2 do
            if x < 0 or y < 0 or x >= altitude.width or y >= altitude.height or altitude:get(x, y) < 0 then
                return true
            end
        end
    end
    return false
end

-- The same two pixels of a whole map of 256, 64 times as large: a fjord that was too narrow to be seen.
local function is_in_a_fjord(map, network, point)
    local x, y = network:place(point.x, point.y)
    return map:render{ x = x, y = y, zoom = 64, size = 256 }:statistics{}.min < 0
end

-- Whatever ends, ends in the sea or leaves the window. Returns whether the sea is too small to be seen.
local function check_end(reach, altitude, map, network)
    local last = reach[#reach]
    if reach.mouth then
        lu.assertTrue(last.altitude <= 0)
        local seen = is_by_the_sea(altitude, last)
        lu.assertTrue(seen or is_in_a_fjord(map, network, last))
        return not seen
    elseif not reach.downstream then
        lu.assertTrue(last.x < 2 or last.y < 2 or last.x > altitude.width - 2 or last.y > altitude.height - 2)
    end
end

local function check_no_circle(reach, reaches)
    local steps = 0
    while reach.downstream do
        reach, steps = reaches[reach.downstream], steps + 1
        lu.assertTrue(steps <= #reaches)
    end
end

function TestRivers.test_networks_flow_down_to_the_sea_or_the_border()
    local mouths, hidden = 0, 0
    for _, tiling in ipairs{ "right", "penrose", "scalene", "sphere" } do
        for seed = 3, 5 do
            local size = window(tiling, 256)
            local map = esker.river_map{ seed = seed, tiling = tiling, land = "raw" }
            local network, altitude = map:rivers(size), map:render(size)
            local reaches = network:reaches()
            lu.assertTrue(#reaches > 10, tiling)
            for _, reach in ipairs(reaches) do
                check_reach(reach, reaches)
                check_no_circle(reach, reaches)
                if tiling ~= "sphere" then -- which has an antimeridian
                    mouths = mouths + (reach.mouth and 1 or 0)
                    hidden = hidden + (check_end(reach, altitude, map, network) and 1 or 0)
                end
            end
        end
    end
    lu.assertTrue(hidden > 0 and hidden < 0.01 * mouths, ("%d of %d"):format(hidden, mouths))
end

-- What is drawn and what is told are the same rivers.
function TestRivers.test_networks_lie_where_render_draws_rivers()
    for _, tiling in ipairs{ "right", "penrose", "scalene" } do
        local map = esker.river_map{ seed = 3, tiling = tiling, land = "raw" }
        local where = { zoom = 2, x = 0.3, y = 0.6, size = 200 }
        local _, river = map:render(where)
        local drawn, told = 0, 0
        for _, reach in ipairs(map:rivers(where):reaches()) do
            for _, point in ipairs(reach) do
                local x, y = math.floor(point.x), math.floor(point.y)
                if x >= 0 and y >= 0 and x < 200 and y < 200 then
                    told = told + 1
                    drawn = drawn + (river:get(x, y) > 0 and 1 or 0)
                end
            end
        end
        lu.assertTrue(told > 50 and drawn == told, ("%s: %d of %d"):format(tiling, drawn, told))
    end
end

local function saved(rivers)
    local path = temporary ".geojson"
    rivers:save(path)
    local file = assert(io.open(path))
    local text = file:read("a")
    file:close()
    os.remove(path)
    return text
end

function TestRivers.test_geojson_holds_every_reach()
    local rivers = esker.river_map{ seed = 3 }:rivers{ size = 64 }
    local text = saved(rivers)
    lu.assertStrContains(text, '{"type":"FeatureCollection","features":[')
    local _, features = text:gsub('"type":"Feature"', "")
    lu.assertEquals(features, #rivers:reaches())
    local _, points = text:gsub('"widths":%b[]', ""):gsub("%[[%d.e-]+,[%d.e-]+,[%d.e-]+%]", "")
    local expected = 0
    for _, reach in ipairs(rivers:reaches()) do
        expected = expected + #reach
    end
    lu.assertEquals(points, expected)
end

-- The columns of a .csv and a reach's area in .geojson, of the same rivers as shares and in metres.
function TestRivers.test_files_have_metres_where_the_map_has_a_length()
    local function table_of(rivers)
        local path, rows = temporary ".csv", {}
        rivers:save(path)
        for line in io.lines(path) do
            local width, area = line:match(",([%d.e+-]+),([%d.e+-]+)$")
            rows[#rows + 1] = width and { tonumber(width), tonumber(area) }
        end
        os.remove(path)
        return rows
    end
    for _, case in ipairs{ { "right", "side", 1e6, 1e6, 1e12 },
        { "sphere", "radius", 6e6, 2 * math.pi * 6e6, 4 * math.pi * 6e6 ^ 2 } } do
        local map = esker.river_map{ seed = 4, tiling = case[1], land = "raw" }
        local place = { x = 0.3, y = 0.47, zoom = 8, size = 64 }
        local rivers = map:rivers(place)
        place[case[2]] = case[3]
        local metres = map:rivers(place)
        local shares, lengths, most = table_of(rivers), table_of(metres), 0
        lu.assertTrue(#shares > 20 and #shares == #lengths)
        for i, row in ipairs(shares) do
            most = math.max(most, row[2])
            lu.assertAlmostEquals(lengths[i][1], row[1] * case[4], 1e-6 * row[1] * case[4])
            lu.assertAlmostEquals(lengths[i][2], row[2] * case[5], 1e-6 * row[2] * case[5])
        end
        lu.assertTrue(most < 1, most)
        local number = 0
        for area in saved(metres):gmatch('"area":([%d.e+-]+)') do
            number = number + 1
            local reach = rivers:reaches()[number]
            local own = reach[reach.mouth and #reach or #reach - 1].area * case[5]
            lu.assertAlmostEquals(tonumber(area), own, 1e-6 * own)
        end
        lu.assertEquals(number, #rivers:reaches())
    end
end

-- A river that leaves the map on one side and comes back on the other is two lines, not one across the world.
function TestRivers.test_lines_do_not_cross_the_antimeridian()
    local text = saved(esker.river_map{ seed = 1, tiling = "sphere" }:rivers{ width = 512, height = 256 })
    lu.assertStrContains(text, "MultiLineString")
    local lines = 0
    for block in text:gmatch('"coordinates":(%b[])') do
        for line in (block .. "]],[["):gmatch("(.-)%]%],%[%[") do
            local before, count = nil, 0
            for longitude in ("[" .. line):gmatch("%[([-%d.e]+),") do
                lu.assertTrue(math.abs(longitude) <= 180)
                lu.assertTrue(not before or math.abs(longitude - before) < 180)
                before, count = tonumber(longitude), count + 1
            end
            lu.assertTrue(count >= 2)
            lines = lines + 1
        end
    end
    lu.assertTrue(lines > 100)
end

function TestRivers.test_a_map_without_rivers_has_an_empty_network()
    lu.assertEquals(#esker.river_map{ seed = 3, rivers = false }:rivers{ size = 64 }:reaches(), 0)
    lu.assertEquals(#esker.river_map{ seed = 3, tiling = "tetrahedra", land = "raw" }
        :rivers{ width = 64, height = 32 }:reaches(), 0)
end

function TestRivers.test_deep_windows_have_rivers_of_their_own()
    local map = esker.river_map{ seed = 3 }
    local reaches = map:rivers{ size = 256 }:reaches()
    local x, y
    repeat -- away from the map's edge
        local reach = table.remove(reaches)
        x, y = reach[1].x / 256, reach[1].y / 256
    until math.max(math.abs(x - 0.5), math.abs(y - 0.5)) < 0.4
    lu.assertTrue(#map:rivers{ x = x, y = y, zoom = 100, size = 256 }:reaches() > 0)
end

-- Rivers around the land part it; a ford joins it again.
function TestRivers.test_rivers_are_barriers_and_fords_join_their_banks()
    local flat = esker.field{ size = 32, values = 0, wrap = true }
    local river = esker.field{ size = 32, values = 0 }
    for i = 0, 31 do
        river:set(i, 4, 1)
        river:set(i, 20, 0.5)
    end
    local whole, parted = flat:playability{}, flat:playability{ rivers = river }
    lu.assertEquals(whole.unit, 1)
    lu.assertEquals(parted.unit, 15 / 32)
    lu.assertEquals(parted.accessible:get(3, 4), 0)
    river:set(7, 20, 0)
    lu.assertEquals(flat:playability{ rivers = river }.unit, 30 / 32 + 1 / 1024)
    lu.assertErrorMsgContains("rivers", flat.playability, flat, { rivers = esker.field{ size = 16, values = 0 } })
end

-- The sea around a cell where no flow is: how many cells, the largest river into it, and whether it leaves the window.
local function sea_around(flow, start, seen)
    local size, cells, river, open = flow.width, { start }, 0, false
    seen[start] = true
    for _, cell in ipairs(cells) do -- which grows
        local x, y = cell % size, cell // size
        open = open or x == 0 or y == 0 or x == size - 1 or y == size - 1
        for at_y = math.max(y - 1, 0), math.min(y + 1, size - 1) do
            for at_x = math.max(x - 1, 0), math.min(x + 1, size - 1) do
                local at, here = at_y * size + at_x, flow:get(at_x, at_y)
                river = math.max(river, here)
                if here == 0 and not seen[at] then
                    seen[at] = true
                    cells[#cells + 1] = at
                end
            end
        end
    end
    return #cells, river, open
end

-- Finer levels would lose most of a smaller sea, and its rivers would end in specks of it.
function Long.test_no_large_river_ends_in_a_pond()
    local function check(seed, size, place, least)
        place.size = size
        local _, _, flow = esker.river_map{ seed = seed }:render(place)
        local seen = {}
        for cell = 0, size * size - 1 do
            if not seen[cell] and flow:get(cell % size, cell // size) == 0 then
                local cells, river, open = sea_around(flow, cell, seen)
                local told = ("seed %d: %d cells, %g"):format(seed, cells, river)
                lu.assertTrue(open or cells >= 12 or river < least, told)
            end
        end
    end
    for _, seed in ipairs{ 2, 6, 200, 7071 } do
        check(seed, 256, {}, 0)
    end
    local x, y = 0.9375 + 705 / 16384, 0.34375 + 610 / 4096 + 435 / 16384
    check(7071, 256, { zoom = 64, x = x, y = y }, 1000)
end

function TestRivers.test_bad_windows_and_files_are_named()
    local map = esker.river_map{ seed = 3, land = "raw" }
    lu.assertErrorMsgContains("rivers: zoom must be 1 to 2^100, got 0",
        map.rivers, map, { size = 64, zoom = 0 })
    lu.assertErrorMsgContains("x must be 0.25 to 0.75, got 0.9", map.rivers, map, { size = 64, zoom = 2, x = 0.9 })
    lu.assertErrorMsgContains("a planet is twice as wide as high", function()
        esker.river_map{ tiling = "sphere" }:rivers{ width = 64, height = 64 }
    end)
    lu.assertErrorMsgContains("zoom must be", map.rivers, map, { size = 64, zoom = 1 / 0 })
    lu.assertErrorMsgContains("zoom must be", map.rivers, map, { size = 64, zoom = 0 / 0 })
    lu.assertErrorMsgContains('x must be a number, or its digits as a string ("0.25", "0x.4"), got "0.3x"', map.rivers,
        map, { size = 64, x = "0.3x" })
    local rivers = map:rivers{ size = 64 }
    lu.assertErrorMsgContains("must end in .geojson", rivers.save, rivers, "x.png")
    lu.assertErrorMsgContains("reaches: network must be a RiverNetwork, got 3", rivers.reaches, 3)
end

-- The bounds that a message names are places at which a window may lie, at every zoom.
function TestRivers.test_bounds_of_places_are_true()
    local map = esker.river_map{ seed = 3, land = "raw" }
    for _, zoom in ipairs{ 1, 1.0000000001, 3, 1e6, 1e15, 1e20, 1e27 } do
        local beyond = { { x = 1, y = 0.5 }, { x = 0, y = 0.5 }, { x = 0.5, y = "1" }, { x = 0.5, y = "0.0" } }
        for _, at in ipairs(beyond) do
            at.zoom, at.width, at.height = zoom, 64, 64
            local message = select(2, pcall(map.render, map, at))
            local name, bounds = message:match("at this zoom ([xy]) must be (.*), got ")
            local least, most = bounds:match("^(%S+) to (%S+)$")
            for _, bound in ipairs{ least or bounds, most or bounds } do
                at[name] = bound
                map:render(at)
            end
            lu.assertTrue(zoom < 2 or least ~= most, message)
        end
    end
end

function TestRivers.test_a_network_names_places_exactly()
    local network = esker.river_map{ seed = 3, land = "raw" }:rivers{ x = 0.25, y = "0.5", zoom = 2 ^ 70, size = 128 }
    local x, y = network:place(64, 64)
    lu.assertEquals({ tonumber(x), tonumber(y) }, { 0.25, 0.5 })
    local next_x = network:place(65, 64)
    lu.assertEquals(#next_x, 42)
    lu.assertEquals(next_x:sub(1, 24), "0.2500000000000000000000") -- 2^-77 is about 6.6e-24
    lu.assertNotEquals(next_x, x)
end

-- Places beside the map have no digits that another window takes.
function TestRivers.test_places_beside_the_map_are_refused()
    local function refuses(message, network, x, y)
        lu.assertErrorMsgContains("place: " .. message, network.place, network, x, y)
    end
    local corner = esker.river_map{ seed = 3, land = "raw" }:rivers{ x = 0.25, y = 0.25, zoom = 2, size = 128 }
    lu.assertEquals({ corner:place(256, 256) }, { "1", "1" }) -- outside the window, on the map
    refuses("x must be 0.0 to 256.0, the map's extent, got -1.0", corner, -1, 5)
    refuses("y must be 0.0 to 256.0, the map's extent, got 256.5", corner, 5, 256.5)
    refuses("x must be 0.0 to 256.0", corner, 0 / 0, 1)
    refuses("y must be 0.0 to 256.0", corner, 1, 1 / 0)
    refuses("y must be a number, got nil", corner, 1)
    local planet = esker.river_map{ seed = 3, tiling = "sphere" }:rivers{ width = 128, height = 64 }
    lu.assertEquals({ planet:place(128, 64) }, { "1", "0.75" .. ("0"):rep(38) })
    refuses("y must be 0.0 to 64.0, the map's extent, got 65.0", planet, 5, 65)
    refuses("the network is not part of a map", esker.river_network{ size = 32, points = 20 }, 1, 1)
end

function TestRivers.test_bad_maps_are_named()
    local function refuses(message, arguments)
        lu.assertErrorMsgContains(message, esker.river_map, arguments)
    end
    refuses("unknown argument 'size', which render takes: map:render{ size = … }", { size = 512 })
    refuses("unknown argument 'zoom', which render takes", { zoom = 4 })
    refuses("unknown argument 'island', did you mean 'islands'?", { island = true })
    refuses("wide rivers are for flat maps", { tiling = "sphere", wide = true })
    refuses("river_width must be 1e-06 to 0.1, got 0", { wide = true, river_width = 0 })
    refuses('tiling must be "right", "penrose", "scalene", "sphere" or "tetrahedra", got "squares"',
        { tiling = "squares" })
    refuses("sea_level must be -1 to 1, got 2", { sea_level = 2 })
    refuses("k2 must be 0 to 0.8, got 1", { k2 = 1 })
    local flat, planet = esker.river_map{}, esker.river_map{ tiling = "tetrahedra" }
    lu.assertErrorMsgContains("projection, face and rotation are for planets", flat.render, flat,
        { size = 64, face = "top" })
    lu.assertErrorMsgContains('only the projection "cube" has faces', planet.render, planet,
        { width = 64, height = 32, face = "top" })
end

-- More sea, less land; the sea stays at 0.
function TestRivers.test_the_sea_rises()
    local last = math.huge
    for _, level in ipairs{ -0.3, 0, 0.3 } do
        local altitude = esker.river_map{ seed = 3, sea_level = level }:render{ size = 64 }
        local land = 0
        for y = 0, 63 do
            for x = 0, 63 do
                land = land + (altitude:get(x, y) > 0 and 1 or 0)
            end
        end
        lu.assertTrue(land < last)
        last = land
    end
end

-- A pixel of style "paper" is one in which a line begins, so that lines cover it.
function TestRivers.test_whole_pixels_are_those_of_the_lines()
    local map = esker.river_map{ seed = 2, land = "eroded" }
    local _, lines = map:render{ x = 0.42, y = 0.57, zoom = 4, size = 64 }
    local _, whole = map:render{ x = 0.42, y = 0.57, zoom = 4, size = 64, style = "paper" }
    local count = 0
    for y = 0, 63 do
        for x = 0, 63 do
            lu.assertTrue(whole:get(x, y) == 0 or whole:get(x, y) == 1 and lines:get(x, y) > 0)
            count = count + whole:get(x, y)
        end
    end
    lu.assertTrue(count > 50)
end

os.exit(lu.LuaUnit.run())
