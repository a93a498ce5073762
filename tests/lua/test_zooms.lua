-- A zoomable map is one map at every pixel size: what render and rivers give of all tilings and options, by
-- whichever of their ways (squares, lattices, tiles, blocks of tiles) they come to it.

local esker = require "esker"
local kept_map = require "kept_map"
local lu = require "luaunit"
local river_places = require "river_places"
local tries = require "tries"

TestZooms = {}

local function with(arguments, more)
    local all = {}
    for _, part in ipairs{ arguments, more } do
        for name, value in pairs(part) do
            all[name] = value
        end
    end
    return all
end

-- A field whose cells are the vertices left … left + count - 1 and top … of the lattice of 2^depth cells: pixels of
-- its cells' size whose centres lie on vertices, where nothing is interpolated.
local function vertices(map, depth, left, top, count)
    local side = 2 ^ depth
    return (map:render{ x = (left + (count - 1) / 2) / side, y = (top + (count - 1) / 2) / side,
        zoom = side / count, size = count })
end

local function guide()
    local field = esker.field{ size = 33, values = 0 }
    for y = 0, 32 do
        for x = 0, 32 do
            field:set(x, y, 0.4 - ((x - 16) ^ 2 + (y - 16) ^ 2) / 400 + 0.1 * math.sin(x * y))
        end
    end
    return field
end

-- Every second vertex of twice as many, which are those of the depth before.
local function check_depth(map, depth, left, top, count, name)
    local coarse = vertices(map, depth, left, top, count)
    local fine = vertices(map, depth + 1, 2 * left - 1, 2 * top - 1, 2 * count)
    lu.assertEquals(fine:resize{ size = count, interpolation = "nearest" }:hash(), coarse:hash(),
        ("%s, depth %d"):format(name, depth))
end

-- The whole map from 2^7 to 2^10 pixels along it, except its border; then the vertices around a place down to 2^40.
local function check_vertices(map, x, y, name)
    for depth = 7, 9 do
        check_depth(map, depth, 1, 1, 2 ^ depth - 2, name)
    end
    for depth = 10, 39 do
        local last = 2 ^ depth - 66
        check_depth(map, depth, math.max(1, math.min(last, x * 2 ^ depth // 1 - 32)),
            math.max(1, math.min(last, y * 2 ^ depth // 1 - 32)), 64, name)
    end
end

local squares = {
    rivers = {}, islands = { islands = true }, paper = { rules = "paper" },
    ["paper with islands"] = { rules = "paper", islands = true }, ["no rivers"] = { rivers = false },
    guide = { guide = guide() }, ["higher sea"] = { sea_level = 0.2, islands = true },
}

function TestZooms.test_a_vertex_keeps_its_altitude_at_every_pixel_size()
    for name, options in pairs(squares) do
        for _, seed in ipairs{ 3, 8 } do
            local map = esker.river_map(with(options, { seed = seed, land = "raw" }))
            local reach = map:rivers{ size = 64 }:reaches()[seed]
            local at = reach and reach[#reach] or { x = 20, y = 40 } -- mostly in a fjord
            check_vertices(map, at.x / 64, at.y / 64, name .. ", seed " .. seed)
        end
    end
end

-- Whether a pixel's altitude lies among those of the pixels of eight times finer ones around it.
local function lies_among(altitude, fine, x, y)
    local low, high = math.huge, -math.huge
    for j = 8 * y - 12, 8 * y + 20, 2 do
        for i = 8 * x - 12, 8 * x + 20, 2 do
            local there = fine:get(i, j)
            low, high = math.min(low, there), math.max(high, there)
        end
    end
    return altitude >= low and altitude <= high
end

-- Where vertices lie anywhere, and a tile may be cut alone or in a block: what a pixel shows stays near.
function TestZooms.test_tiles_keep_their_altitudes_at_every_pixel_size()
    for _, tiling in ipairs{ "penrose", "scalene", "sphere", "tetrahedra" } do
        for _, zoom in ipairs{ 4, 60, 1e4, 1e7 } do
            local map = esker.river_map{ seed = 5, tiling = tiling, land = "raw" }
            local window = { x = 0.41, y = 0.45, zoom = zoom, size = 24 }
            local coarse = map:render(window)
            window.size = 192
            local fine = map:render(window)
            local inside, all = 0, 0
            for y = 2, 21 do
                for x = 2, 21 do
                    all = all + 1
                    inside = inside + (lies_among(coarse:get(x, y), fine, x, y) and 1 or 0)
                end
            end
            lu.assertTrue(inside > 0.99 * all, ("%s at zoom %g: %d of %d"):format(tiling, zoom, inside, all))
        end
    end
end

-- In cells; a planet's right edge is its left one, and near its poles a step east is a short one.
local function step_between(a, b, window)
    local across, down = math.abs(a.x - b.x), math.abs(a.y - b.y)
    if window.planet then
        across = math.min(across, window.width - across) * math.sin(math.pi * a.y / window.height)
    end
    return math.max(across, down)
end

local function check_reach(reach, window, name)
    for i = 2, #reach do
        local above, below = reach[i - 1], reach[i]
        local where = (": %s, %d pixels at zoom %g, %g, %g"):format(name, window.width, window.zoom, below.x, below.y)
        lu.assertTrue(step_between(above, below, window) < 1.5, "a river leaps" .. where)
        if window.mended then
            lu.assertTrue(below.altitude <= above.altitude, "a river rises" .. where)
        end
        if window.mended and not window.islands then -- which part it
            lu.assertTrue(below.area >= above.area * (1 - 1e-6), "a river shrinks" .. where)
        end
    end
    lu.assertTrue(not reach.mouth or reach[#reach].altitude <= 0, "a mouth above the sea: " .. name)
end

-- Crossings keep their altitudes, on an island's both sides, too. Returns those of this window.
local function check_crossings(reaches, before, window, name)
    local altitudes, count = {}, 0
    for _, reach in ipairs(reaches) do
        for _, point in ipairs(reach) do
            altitudes[("%.9g"):format(point.altitude)] = true
        end
    end
    for _, reach in ipairs(before or {}) do
        for i = 2, #reach - 1 do -- springs and mouths lie where the smallest triangles do
            local point = reach[i]
            local inside = point.x > 4 and point.y > 4 and point.x < window.width / 2 - 4
                and point.y < window.height / 2 - 4
            count = count + 1
            lu.assertTrue(not inside or altitudes[("%.9g"):format(point.altitude)],
                ("a crossing is gone: %s, %d pixels at zoom %g"):format(name, window.width, window.zoom))
        end
    end
    return count
end

-- At a size, twice that, and for whole maps four times. Returns the last network, and how many crossings were compared.
local function walk(map, window, name)
    local network, before, count = nil, nil, 0
    for _ = 1, window.zoom == 1 and 3 or 2 do
        network = map:rivers{ x = window.x, y = window.y, zoom = window.zoom, width = window.width,
            height = window.height }
        local reaches = network:reaches()
        for _, reach in ipairs(reaches) do
            check_reach(reach, window, name)
        end
        count = count + check_crossings(reaches, before, window, name)
        before = reaches
        window.width, window.height = 2 * window.width, 2 * window.height
    end
    return network, count
end

-- The longest reach far from the borders, and a planet's poles.
local function middle_of_a_river(network, height)
    local best
    for _, reach in ipairs(network:reaches()) do
        local point = reach[#reach // 2]
        if math.abs(point.y - height / 2) < height / 4 and (not best or #reach > #best) then
            best = reach
        end
    end
    local point = best[#best // 2]
    return network:place(point.x, point.y)
end

local walks = {
    { "plain", {}, { mended = true } }, { "paper with islands", { rules = "paper", islands = true }, {} },
    { "islands", { islands = true }, { mended = true, islands = true } }, { "paper", { rules = "paper" }, {} },
}

function TestZooms.test_rivers_flow_down_at_every_pixel_size()
    for i, tiling in ipairs(tries(2, { "right", "sphere", "penrose", "scalene" })) do
        local planet = tiling == "sphere"
        for _, variant in ipairs(os.getenv("ESKER_TIMES") and walks or { walks[i] }) do
            for seed = 2, tiling == "right" and os.getenv("ESKER_TIMES") and 3 or 2 do
                local name = ("%s, %s, seed %d"):format(tiling, variant[1], seed)
                local map = esker.river_map(with(variant[2], { tiling = tiling, seed = seed, land = "raw" }))
                local whole = with(variant[3], { x = 0.5, y = 0.5, zoom = 1, width = planet and 128 or 64,
                    height = 64, planet = planet })
                local network, count = walk(map, whole, name)
                lu.assertTrue(count > 100, name)
                local x, y = middle_of_a_river(network, whole.height / 2)
                for _, zoom in ipairs{ 300, tiling == "right" and 2 ^ 40 or 2 ^ 16 } do
                    walk(map, with(variant[3], { x = x, y = y, zoom = zoom, width = 64, height = 64 }), name)
                end
            end
        end
    end
end

-- How much a pixel differs from its neighbours.
local function texture(field, x, y)
    return math.abs(4 * field:get(x, y) - field:get(x - 1, y) - field:get(x + 1, y) - field:get(x, y - 1)
        - field:get(x, y + 1))
end

local function is_dry(river, x, y)
    return river:get(x, y) == 0 and river:get(x - 1, y) == 0 and river:get(x + 1, y) == 0
        and river:get(x, y - 1) == 0 and river:get(x, y + 1) == 0
end

-- Low ground beside a wide river is raised; no discs and fans, it keeps the shape that it has without the river.
function TestZooms.test_land_beside_wide_rivers_is_rough()
    local views = {
        { seed = 28, tiling = "scalene", x = 0.1773, y = 0.6269, zoom = 16 },
        { seed = 28, tiling = "scalene", x = 0.1773, y = 0.6269, zoom = 64 },
        { seed = 7, tiling = "right", x = 0.7333, y = 0.8427, zoom = 8 },
    }
    for _, view in ipairs(views) do
        local window = { x = view.x, y = view.y, zoom = view.zoom, size = 200 }
        local map = { seed = view.seed, tiling = view.tiling, land = "raw" }
        local bare = esker.river_map(map):render(window)
        local land, river = esker.river_map(with(map, { wide = true, river_width = 0.02 })):render(window)
        local raised, flat = 0, 0
        for y = 1, 198 do
            for x = 1, 198 do
                if is_dry(river, x, y) and land:get(x, y) > bare:get(x, y) then
                    raised = raised + 1
                    flat = flat + (texture(land, x, y) < 0.03 * texture(bare, x, y) and 1 or 0)
                end
            end
        end
        lu.assertTrue(raised > 1000 and flat < 0.05 * raised, ("%d of %d are flat"):format(flat, raised))
    end
end

-- With a border, the same cells and more around them on the same grid, as far as the map goes.
function TestZooms.test_borders_are_the_land_around()
    for name, map in pairs{ eroded = kept_map{ seed = 2 }, raw = esker.river_map{ seed = 2, land = "raw" },
        scalene = esker.river_map{ seed = 2, land = "raw", tiling = "scalene" } } do
        local whole = map:render{ size = 256 }
        for _, case in ipairs{ { 1, 2, 40, 40, 40 }, { 0, 3, 0, 40, 0 }, { 3, 1, 40, 0, 40 } } do
            local column, row, left, right, below = table.unpack(case)
            local place = { x = (column + 0.5) / 4, y = (row + 0.5) / 4, zoom = 4, size = 64 }
            local window = map:render(with(place, { border = 40 }))
            lu.assertEquals({ window.width, window.height }, { 64 + left + right, 64 + 40 + below }, name)
            lu.assertEquals(window:hash(), whole:crop{ x = column * 64 - left, y = row * 64 - 40,
                width = window.width, height = window.height }:hash(), name)
            local wide, narrow = map:rivers(with(place, { border = 40 })), map:rivers(place)
            lu.assertEquals({ wide.width, wide.height }, { window.width, window.height })
            lu.assertTrue(wide:hash() ~= narrow:hash())
        end
    end
    local map = esker.river_map{ seed = 2 }
    lu.assertErrorMsgContains("border must be", function() map:render{ border = -1 } end)
    lu.assertErrorMsgContains("more than 65536 cells a side", function()
        map:render{ width = 65530, height = 2, border = 100, zoom = 2 }
    end)
end

local all_kinds = {}
for _, kind in ipairs(tries(3, { { "raw", { land = "raw" } }, { "eroded", {} },
    { "sphere", { tiling = "sphere", land = "raw" } }, { "penrose", { tiling = "penrose", land = "raw" } },
    { "tetrahedra", { tiling = "tetrahedra", land = "raw" } }, { "planet", { tiling = "sphere" } } })) do
    all_kinds[kind[1]] = kind[2]
end

function TestZooms.test_altitude_at_depends_on_zoom_times_size()
    local map = kept_map{ seed = 2 }
    local function at(x, zoom, size)
        return map:altitude_at{ x = x, y = 0.5, zoom = zoom, size = size }
    end
    lu.assertEquals(at(0.3, 256, 2), at(0.3, 2, 256))
    lu.assertEquals(at(0.1, 256, 2), at(0.1, 8, 64))
    lu.assertEquals(at(0.1, 256, 2), at(0.1, 2, 256)) -- a window of this place would leave the map
end

function TestZooms.test_altitude_at_refuses_what_render_refuses()
    local map, planet = kept_map{ seed = 2 }, kept_map{ seed = 2, tiling = "sphere" }
    for _, each in ipairs{ map, planet } do
        lu.assertErrorMsgContains("zoom must be at most", each.altitude_at, each, { y = 0.5, zoom = 2.0 ^ 100 })
    end
    lu.assertErrorMsgContains("side is for flat maps", planet.altitude_at, planet, { y = 0.5, side = 1000 })
    local place = { x = 0.42, y = 0.57 }
    local altitude = map:altitude_at(place)
    place.side = 3e6
    lu.assertEquals(map:altitude_at(place), altitude)
    place.side = 200000
    lu.assertErrorMsgContains("side must be the map's, 3000000 m, got 200000", map.altitude_at, map, place)
    map = esker.river_map{ seed = 2, land = "raw" }
    place.side = nil
    altitude = map:altitude_at(place)
    place.side = 200000
    lu.assertAlmostEquals(map:altitude_at(place), altitude * 0.055 * 200000, 1e-6)
end

function TestZooms.test_altitude_at_needs_only_a_place()
    for name, kind in pairs(all_kinds) do
        local map = kept_map(with(kind, { seed = 2 }))
        local top, bottom = map.planet and 0.25 or 0, map.planet and 0.75 or 1
        local places = { { 0, top }, { 0.42, 0.57 }, { 1, bottom }, { 0.0001, top }, { 0, bottom }, { 0.9999, 0.57 },
            { 1, 0.57 } }
        for _, place in ipairs(kind.land == "raw" and places or tries(1, places)) do
            local x, y = table.unpack(place)
            local altitude = map:altitude_at{ x = x, y = y }
            local most = kind.land == "raw" and 1.1 or 1e4
            lu.assertTrue(altitude >= -most and altitude <= most, name)
            lu.assertEquals(altitude, map:altitude_at{ x = x, y = y, zoom = 2 ^ 18, size = 2 }, name)
            lu.assertEquals(map:altitude_at{ x = x, y = y, from_x = x, from_y = y, from_zoom = 1024 }, 0, name)
        end
        -- The ground that fine pixels show, not that of a coarse map.
        local at = kind.land == "raw" and places[2] or places[1] -- where the eroded ground is drawn already
        local deep = map:altitude_at{ x = at[1], y = at[2], zoom = 2 ^ 21 }
        lu.assertAlmostEquals(map:altitude_at{ x = at[1], y = at[2] }, deep, kind.land == "raw" and 3e-3 or 30, name)
    end
    local planet = kept_map{ seed = 2, tiling = "sphere" }
    lu.assertErrorMsgContains("y must be 0.25 to 0.75, from pole to pole", planet.altitude_at, planet, { y = 0.2 })
    for face, y in pairs{ front = 0, top = 1 } do -- at the same corner of the cube
        lu.assertIsNumber(planet:altitude_at{ x = 1, y = y, face = face })
    end
end

-- Windows that are measured from one named place fit together; altitude_at says how far their own centres lie apart.
function TestZooms.test_windows_are_relative_to_a_named_place()
    for name, kind in pairs(all_kinds) do
        local map = kept_map(with(kind, { seed = 2 }))
        local zoom = map.planet and 64.0 or name == "penrose" and 2.0 ^ 20 or 2.0 ^ 40
        local cube, face = map.planet and "cube" or nil, map.planet and "front" or nil
        local from = { from_x = "0.4368", from_y = "0.3651", from_zoom = zoom / 2 }
        local left = { x = "0.43685", y = "0.3651", zoom = zoom, size = 32 }
        local own = map:render(with(left, { relative = true, projection = cube }))
        local named = map:render(with(with(left, from), { relative = true, projection = cube }))
        local apart = map:altitude_at(with(with(left, from), { face = face }))
        for _, cell in ipairs{ 0, 7, 31 } do
            local range = math.abs(apart) + math.abs(own:get(cell, cell))
            lu.assertAlmostEquals(named:get(cell, cell) - own:get(cell, cell), apart, 3e-7 * range, name)
        end
        -- There and back is no way; by a third place it is as far as without.
        local third = { from_x = "0.4369", from_y = "0.365", from_zoom = zoom / 4 }
        local by = map:altitude_at{ x = from.from_x, y = from.from_y, zoom = from.from_zoom, size = 32, face = face,
            from_x = third.from_x, from_y = third.from_y, from_zoom = third.from_zoom }
        lu.assertAlmostEquals(map:altitude_at(with(with(left, third), { face = face })), apart + by,
            1e-14 * (math.abs(apart) + math.abs(by)), name)
        lu.assertEquals(map:altitude_at(with(left, { face = face, from_x = left.x, from_y = left.y,
            from_zoom = left.zoom })), 0, name)
    end
end

-- 256 / 237 · 237 is less than 256 in doubles: such a window lies on the whole map's grid all the same.
function TestZooms.test_a_zoom_that_rounding_keeps_off_a_grid_is_on_it()
    local map = esker.river_map{ seed = 174140435 }
    local whole, window = { map:render{ size = 256 } }, { map:render{ zoom = 256 / 237, width = 77, height = 237,
        x = 0.486328125, y = 0.466796875 } }
    lu.assertTrue(256 / 237 * 237 < 256)
    for i = 1, 3 do
        lu.assertEquals(window[i]:hash(), whole[i]:crop{ x = 86, y = 1, width = 77, height = 237 }:hash())
    end
end

local function distinct(field)
    local seen, count = {}, 0
    for y = 0, field.height - 1 do
        for x = 0, field.width - 1 do
            local value = field:get(x, y)
            count, seen[value] = count + (seen[value] and 0 or 1), true
        end
    end
    return count
end

-- The land that a wide river has shaped may be far from what it was without; the zero is what is shown there.
function TestZooms.test_relative_altitudes_resolve_in_and_beside_wide_rivers()
    local map = esker.river_map{ seed = 2, river_width = 0.004 }
    local raw = esker.river_map{ seed = 2, land = "raw", wide = true, river_width = 0.02 }
    local stream = river_places.junction(map, 0.45, 0.45)
    local places = {
        { map, stream.x, stream.y, 3e6 }, -- in the water
        { map, stream.x + 0.5 * 0.004 * math.sqrt(stream.area), stream.y, 3e6 }, -- on its bank
        { raw, "0.28271484375", "0.37158203125", 1 }, -- in the water of raw land
    }
    local levels = { { 16, 24, 34, 40 }, { 24, 40, 16, 34 }, { 40, 16, 24, 34 } }
    for number, place in ipairs(places) do
        for _, level in ipairs(tries(1, levels[number])) do
            local window = { x = place[2], y = place[3], zoom = 2.0 ^ level, size = 64, relative = true }
            local altitude = place[1]:render(window)
            local side = place[4]
            local pixels = altitude * (window.zoom * 64 / side)
            local what = ("place %d, zoom 2^%d: %g pixels"):format(number, level, pixels:get(32, 32))
            lu.assertTrue(math.abs(pixels:get(32, 32)) < 32, what)
            lu.assertTrue(distinct(altitude) > 3000, what)
            -- A window on the same grid, measured from there, shows the same; altitude_at tells the same zero.
            local left = { x = place[2], y = place[3], zoom = 2.0 ^ (level + 1), size = 32, relative = true,
                from_x = place[2], from_y = place[3], from_zoom = 2.0 ^ (level + 1) }
            lu.assertEquals(place[1]:render(left):hash(),
                altitude:crop{ x = 16, y = 16, width = 32, height = 32 }:hash(), what)
            local shown = place[1]:render(with(window, { relative = false })):get(32, 32)
            window.relative = nil
            lu.assertAlmostEquals(place[1]:altitude_at(window), shown,
                side * (1e-6 + 32 / window.zoom / 64), what)
        end
    end
end

-- Deep inland an absolute altitude has more digits than a field's cells.
function TestZooms.test_altitude_at_has_more_digits_than_a_field()
    local map = esker.river_map{ seed = 7, land = "raw" }
    local place = { x = "0.43685", y = "0.3651", zoom = 2.0 ^ 60, size = 64 }
    local altitude, shown = map:altitude_at(place), map:render(place):get(32, 32)
    lu.assertTrue(altitude ~= shown and math.abs(altitude - shown) < 1e-7)
    lu.assertErrorMsgContains("this map is flat", function() map:altitude_at{ face = "front" } end)
    lu.assertEquals(select("#", map:render{ size = 8 }), 2) -- raw land has no flow
    lu.assertEquals(select("#", esker.river_map{ seed = 7 }:render{ size = 8 }), 3)
end

function TestZooms.test_borders_change_no_zero_and_go_on_beyond_a_face()
    for name, kind in pairs(all_kinds) do
        local map = kept_map(with(kind, { seed = 2 }))
        local corner = { x = 1 / 16, y = 1 / 16, zoom = 8, size = 32, relative = true,
            projection = map.planet and "cube" or nil }
        local bare, wide = map:render(corner), map:render(with(corner, { border = 4 }))
        local cut = map.planet and 4 or 0
        lu.assertEquals(wide.width, 36 + cut, name)
        lu.assertTrue(wide:crop{ x = cut, y = cut, width = 32, height = 32 } == bare, name)
    end
end

os.exit(lu.LuaUnit.run())
