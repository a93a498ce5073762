-- A zoomable map's own places: they stay where they are at every zoom and in every window, the others keep their
-- distance and their names, roads lead to them, and what is wrong is named.

local azgaar_map = require "azgaar_map"
local esker = require "esker"
local lu = require "luaunit"
local temporary = require "temporary"
local tries = require "tries"

local WORLD = { seed = 7, latitudes = { 15, 45 } }
local world = esker.river_map(WORLD)

-- Places in shares of the map's side.
local LIST = {
    { 0.6213, 0.4127, "Anor", 300000, "capital" },
    { 0.6301, 0.4202, "Bree", 1000 },
    { 0.6291, 0.4038, "Derrello", 20000 }, -- a city of the map has this name, too
    { 0.6455, 0.4301, nil, 150 },
    { 0.59, 0.44, "Dor", nil },
}

local function points_of(list)
    local points = {}
    for i, place in ipairs(list) do
        points[i] = { x = place[1], y = place[2],
            attributes = { name = place[3], population = place[4], kind = place[5] } }
    end
    return esker.points{ size = 1, list = points }
end

local points = points_of(LIST)
local own = world:set_places(points)

-- A window of so many cells around a place.
local function window(zoom, size, x, y)
    return { x = x or 0.6213, y = y or 0.4127, zoom = zoom, size = size, spacing = 8 }
end

-- By name, with places in shares of the map's side.
local function by_name(map, asked)
    local all = {}
    for _, place in ipairs(map:places(asked):list()) do
        lu.assertNil(all[place.attributes.name], place.attributes.name)
        all[place.attributes.name] = place
        place.x = asked.x + (place.x / asked.size - 0.5) / asked.zoom
        place.y = asked.y + (place.y / asked.size - 0.5) / asked.zoom
    end
    return all
end

TestOwnPlaces = {}

function TestOwnPlaces.test_they_stay_where_they_are()
    local shown = 0
    for i, zoom in ipairs{ 8, 64, 512 } do
        for _, at in ipairs(i < 3 and LIST or { LIST[1] }) do
            local place = at[3] and by_name(own, window(zoom, 64, at[1], at[2]))[at[3]]
            if place then
                shown = shown + 1
                lu.assertAlmostEquals(place.x, at[1], 1e-12)
                lu.assertAlmostEquals(place.y, at[2], 1e-12)
                lu.assertEquals(place.attributes.population, at[4] or 1000)
                lu.assertTrue(not at[5] or place.attributes.kind == at[5])
            end
        end
    end
    lu.assertTrue(shown >= 7, shown)
    lu.assertEquals(by_name(own, window(8, 96)).Anor.attributes.level, 0)
    lu.assertNil(by_name(own, window(8, 96)).Bree) -- it has fewer people
end

function TestOwnPlaces.test_windows_alone_and_threads_agree()
    local asked = window(10, 64)
    lu.assertTrue(own:roads(asked).count > 0)
    local expected, usual = own:roads(asked):hash(), esker.threads()
    for _, threads in ipairs(tries(1, { 3, 1 })) do
        esker.threads(threads)
        local alone = esker.river_map(WORLD):set_places(points)
        if threads == 3 then
            alone:places(window(5, 64))
        end
        lu.assertEquals(alone:roads(asked):hash(), expected)
    end
    esker.threads(usual)
    lu.assertEquals(own:lake{ outline = { { 0.9, 0.9 }, { 0.92, 0.9 }, { 0.92, 0.92 }, { 0.9, 0.92 } } }
        :places(asked):hash(), own:places(asked):hash()) -- edits keep them
    lu.assertEquals((own:render{ size = 64 }):hash(), (world:render{ size = 64 }):hash())
end

function TestOwnPlaces.test_parts_of_a_window_agree()
    local texts = {}
    for i, asked in ipairs{ { 4096, 2400, 1560, 512 }, { 4096, 2480, 1640, 160 } } do
        local pixels, left, top, size = table.unpack(asked)
        texts[i] = {}
        for _, place in ipairs(own:places{ x = (left + size / 2) / pixels, y = (top + size / 2) / pixels,
            zoom = pixels / size, size = size }:list()) do
            local x, y = place.x + left - 2480, place.y + top - 1640
            if x >= 0 and y >= 0 and x < 160 and y < 160 then
                table.insert(texts[i], ("%s %d %a %a"):format(place.attributes.name, place.attributes.population, x, y))
            end
        end
    end
    lu.assertEquals(texts[2], texts[1])
    lu.assertTrue(#texts[1] > 10)
end

function TestOwnPlaces.test_the_others_keep_their_distance()
    local all = by_name(own, window(32, 200)) -- no name is there twice
    local ours = {}
    for _, at in ipairs(LIST) do
        ours[("%.9f"):format(at[1])] = true
    end
    for name, place in pairs(all) do
        for _, at in ipairs(LIST) do
            local near = ((place.x - at[1]) ^ 2 + (place.y - at[2]) ^ 2) ^ 0.5 * 2 ^ (3 + place.attributes.level)
            lu.assertTrue(ours[("%.9f"):format(place.x)] or near > 0.2, name)
        end
    end
    lu.assertAlmostEquals(all.Derrello.x, LIST[3][1], 1e-12)
end

-- The smaller a place of one's own, the nearer others may be.
function TestOwnPlaces.test_no_hamlet_drives_a_town_away()
    local largest
    for name, place in pairs(by_name(world, window(16, 128))) do
        if not largest or place.attributes.population > largest.population then
            largest = { name = name, population = place.attributes.population, x = place.x, y = place.y }
        end
    end
    for population, stays in pairs{ [60] = true, [1e6] = false } do
        local map = world:set_places(points_of{ { largest.x + 0.025, largest.y, "Here", population } })
        lu.assertEquals(by_name(map, window(16, 128))[largest.name] ~= nil, stays)
    end
end

function TestOwnPlaces.test_roads_lead_to_them()
    local asked = window(20, 100)
    local along, names = {}, {} -- a road that others joined runs on through a place
    for _, line in ipairs((own:roads(asked)):list()) do
        names[line.attributes.from], names[line.attributes.to] = true, true
        for _, part in ipairs(line.parts) do
            table.move(part, 1, #part, #along + 1, along)
        end
    end
    for _, at in ipairs{ LIST[1], LIST[2], LIST[3] } do
        local x, y = ((at[1] - 0.6213) * 20 + 0.5) * 100, ((at[2] - 0.4127) * 20 + 0.5) * 100
        local nearest = math.huge
        for _, point in ipairs(along) do
            nearest = math.min(nearest, ((point[1] - x) ^ 2 + (point[2] - y) ^ 2) ^ 0.5)
        end
        lu.assertTrue(names[at[3]] and nearest < 0.02, at[3] .. " " .. nearest)
    end
end

-- A lake of one's own is on fine levels alone.
function TestOwnPlaces.test_none_stands_in_a_lake_of_ones_own()
    local asked = { x = 0.42, y = 0.56, zoom = 32, size = 64 }
    local lake = esker.river_map{ seed = 2, landscape = "hills" }:lake{
        outline = { { 0.413, 0.555 }, { 0.425, 0.553 }, { 0.431, 0.560 }, { 0.424, 0.566 }, { 0.415, 0.565 } },
    }
    local _, _, _, water = lake:render(asked)
    lu.assertTrue(water:get(32, 32) > 0)
    local map = lake:set_places(points_of{ { 0.42, 0.56, "Wet", 900 } }, { others = "none" })
    local point = map:places(asked):list()[1]
    lu.assertEquals(water:get(math.floor(point.x), math.floor(point.y)), 0)
    lu.assertTrue(((point.x - 32) ^ 2 + (point.y - 32) ^ 2) ^ 0.5 < 16)
end

-- The coarsest level has no island that is drawn in the sea.
function TestOwnPlaces.test_one_may_be_on_an_island_of_ones_own()
    local island = esker.river_map{ seed = 2, landscape = "hills" }:coast{ kind = "land", height = 300,
        outline = { { 0.28, 0.06 }, { 0.33, 0.07 }, { 0.32, 0.12 }, { 0.27, 0.11 } } }
    lu.assertErrorMsgContains("in the sea", esker.add_places, esker.river_map{ seed = 2, landscape = "hills" },
        { at = { { 0.3, 0.09 } } })
    local map = island:add_places{ at = { { 0.3, 0.09 } }, name = "Utopia", population = 5e4 }
    local utopia = by_name(map, { x = 0.3, y = 0.09, zoom = 40, size = 64 }).Utopia
    lu.assertAlmostEquals(utopia.x, 0.3, 1e-9)
    lu.assertAlmostEquals(utopia.y, 0.09, 1e-9)
    lu.assertTrue(utopia.altitude > 0)
end

function TestOwnPlaces.test_others_may_be_smaller_or_none()
    local asked = { x = 0.6213, y = 0.4127, zoom = 30, size = 256, spacing = 8 }
    local three = points_of{ LIST[1], LIST[2], LIST[3] }
    lu.assertEquals(world:set_places(three, { others = "none" }):places(asked).count, 3)
    local least = 1000
    local list = world:set_places(three, { others = "smaller" }):places(asked):list()
    lu.assertTrue(#list > 20)
    for i, place in ipairs(list) do
        lu.assertEquals(place.attributes.population >= least, i <= 3)
    end
    -- A town without larger ones near is on the whole map, however few people it has.
    lu.assertEquals(world:set_places(points_of{ LIST[2] }, { others = "none" }):places{ size = 256 }.count, 1)
    lu.assertEquals(own:set_places(points_of{}, { others = "none" }):places{ size = 256 }.count, 0)
end

function TestOwnPlaces.test_adding_one_by_one_is_setting_all()
    local asked = window(16, 64)
    for _, others in ipairs{ "all", "none" } do
        local added = world:set_places(points_of{ LIST[1] }, { others = others })
            :add_places{ at = { { LIST[2][1], LIST[2][2] } }, name = LIST[2][3], population = LIST[2][4] }
            :add_places(points_of{ LIST[3], LIST[4] }, {})
        local all = world:set_places(points_of{ LIST[1], LIST[2], LIST[3], LIST[4] }, { others = others })
        lu.assertEquals(added:places(asked):hash(), all:places(asked):hash(), others)
        lu.assertTrue(added:places(asked).count >= 4)
    end
    local unnamed = world:add_places{ at = { { 0.6455, 0.4301 } }, population = 5e4 }
    lu.assertEquals(unnamed:places(asked):hash(), world:set_places(points_of{ { 0.6455, 0.4301, nil, 5e4 } })
        :places(asked):hash())
    lu.assertEquals(own:add_places(points_of{}):places(asked):hash(), own:places(asked):hash())
end

function TestOwnPlaces.test_what_is_wrong_is_named()
    local sea, coast = { 0.1, 0.1, "Ys", 5 }, { 0.575, 0.24, "Rungholt", 5 }
    lu.assertErrorMsgContains("Ys lies in the sea, at (0.1, 0.1)", world.set_places, world, points_of{ LIST[1], sea })
    lu.assertErrorMsgContains("Nowhere lies outside the map: x and y must be 0 to 1, got (1.5, 0.5)", world.set_places,
        world, points_of{ { 1.5, 0.5, "Nowhere" } })
    lu.assertErrorMsgContains("place 2 lies outside the map", world.set_places, world,
        points_of{ LIST[1], { 0.5, -1 } })
    lu.assertErrorMsgContains("Rungholt lies in water, ", world.set_places, world, points_of{ coast }, { ashore = 0 })
    lu.assertErrorMsgContains("the population of Anor must be a number", world.set_places, world,
        points_of{ { 0.6, 0.4, "Anor", "many" } })
    lu.assertErrorMsgContains("the population of Anor must be 1 to 1e+10, got -1", world.set_places, world,
        points_of{ { 0.6, 0.4, "Anor", -1 } })
    local raw = esker.river_map{ land = "raw" }
    lu.assertErrorMsgContains('own places are for maps with land = "eroded"', raw.set_places, raw, points)
    lu.assertErrorMsgContains("give at, a list of places", world.add_places, world)
    lu.assertErrorMsgContains("not both", world.add_places, world, points, { at = { { 0.6, 0.4 } } })
    lu.assertErrorMsgContains("name is that of one place", world.add_places, world,
        { at = { { 0.6, 0.4 }, { 0.61, 0.4 } }, name = "Twins" })
    lu.assertErrorMsgContains("Ys lies in the sea", world.add_places, world, { at = { { 0.1, 0.1 } }, name = "Ys" })
    lu.assertErrorMsgContains("at", world.add_places, world, { at = { { 0.6, 1.4 } } })
    lu.assertErrorMsgContains("own places are for maps with land", esker.add_places, esker.river_map{ land = "raw" },
        { at = { { 0.6, 0.4 } } })
    local moved = by_name(world:set_places(points_of{ coast }, { others = "none" }), window(100, 64, 0.575, 0.24))
    lu.assertTrue(not moved.Rungholt or moved.Rungholt.altitude >= 0)
end

-- What no map could show, nor a file keep.
function TestOwnPlaces.test_names_are_a_line_of_text_and_places_have_people()
    local line = "must be one line of at most 60 characters, got "
    for name, wrong in pairs{ ["Al\nd"] = "a line break", ["Al\u{2028}d"] = "a line break", ["A\1"] = "a control",
        ["A\u{85}"] = "a control", ["A\255"] = "bytes that are not UTF-8", [("x"):rep(100000)] = "100000",
        [("\u{17e}"):rep(61)] = "61" } do
        lu.assertErrorMsgContains("add_places: name " .. line .. wrong, world.add_places, world,
            { at = { { 0.6, 0.4 } }, name = name })
        lu.assertErrorMsgContains("set_places: name of place 2 " .. line .. wrong, world.set_places, world,
            points_of{ LIST[1], { 0.6, 0.4, name } })
        lu.assertErrorMsgContains("kind of place 1 " .. line .. wrong, world.add_places, world,
            points_of{ { 0.6, 0.4, "Ys", 5, name } })
    end
    lu.assertErrorMsgContains("population must be 1 to 1e+10, got 0", world.add_places, world,
        { at = { { 0.6, 0.4 } }, population = 0 })
    lu.assertErrorMsgContains("the population of Ys must be 1 to 1e+10, got 0", world.set_places, world,
        points_of{ { 0.6, 0.4, "Ys", 0 } })
    lu.assertNotNil(world:add_places{ at = { { LIST[1][1], LIST[1][2] } }, name = ("\u{17e}"):rep(60) })
end

function TestOwnPlaces.test_no_two_are_one()
    local at = { LIST[1][1], LIST[1][2] }
    lu.assertErrorMsgContains("place 2 lies where place 1 does, at (", world.add_places, world, { at = { at, at } })
    lu.assertErrorMsgContains("Ys lies where " .. LIST[1][3] .. " does", world.set_places, world,
        points_of{ LIST[1], { at[1], at[2], "Ys" } })
    lu.assertErrorMsgContains("Ys lies where a place of the map's own does", own.add_places, own,
        { at = { at }, name = "Ys" })
    lu.assertErrorMsgContains("a place of its own called " .. LIST[1][3] .. " already", own.add_places, own,
        { at = { { at[1] + 0.01, at[2] } }, name = LIST[1][3] })
end

-- docs/your-map.md, also for worlds that lack rivers, lakes or towns.
function TestOwnPlaces.test_a_world_has_its_towns()
    for _, without in ipairs(tries(1, { false, true })) do
        local made = azgaar_map.make()
        if without then
            made.pack.rivers, made.pack.burgs = nil, nil
        end
        local path = temporary(".json")
        local file <close> = assert(io.open(path, "w"))
        file:write(azgaar_map.text(made))
        file:close()
        local loaded = esker.load_world(path)
        local map = esker.river_map{ seed = 1, guide = loaded.guide }
        if loaded.rivers then
            map = map:set_rivers(loaded.rivers)
        end
        if loaded.places then
            map = map:set_places(loaded.places, { others = "smaller" })
        end
        lu.assertEquals(loaded.places == nil, without)
        local names = {}
        for _, place in ipairs(map:places{ size = 512, spacing = 8 }:list()) do
            names[place.attributes.name] = place
        end
        for _, town in ipairs(loaded.places and loaded.places:list() or {}) do
            lu.assertEquals(names[town.attributes.name].attributes.population, town.attributes.population)
        end
    end
end

-- Coarse grids, on which lanes are searched first, have the island, too, whose level is finer.
function TestOwnPlaces.test_lanes_go_around_an_island_of_ones_own()
    local x, y, radius, outline = 0.345, 0.83, 0.06, {}
    for i = 1, 12 do
        local angle = math.pi * i / 6
        outline[i] = { x + radius * math.cos(angle), y + radius * math.sin(angle) }
    end
    local map = esker.river_map{ seed = 2 }:coast{ outline = outline }
    local asked = { x = x, y = y, zoom = 0.2 / radius, size = 256, lanes = true }
    local lanes = map:add_places{ at = { { x, y } }, population = 60000 }:roads(asked)
    local all, inside = 0, 0
    for _, line in ipairs(lanes:list()) do
        for _, part in ipairs(line.attributes.class == "lane" and line.parts or {}) do
            for _, point in ipairs(part) do
                local away = math.sqrt((point[1] / 256 - 0.5) ^ 2 + (point[2] / 256 - 0.5) ^ 2) / asked.zoom
                all, inside = all + 1, inside + (away < 0.8 * radius and 1 or 0)
            end
        end
    end
    lu.assertTrue(all > 50, all)
    lu.assertEquals(inside, 0)
end

os.exit(lu.LuaUnit.run())
