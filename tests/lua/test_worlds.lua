-- Worlds of Azgaar's Fantasy Map Generator: what the file says is on the map that grows from it, at every zoom, and a
-- file that is wrong is one clear error.

local azgaar_map = require "azgaar_map"
local esker = require "esker"
local lu = require "luaunit"
local temporary = require "temporary"
local tries = require "tries"

local LAND = 20

local function write(text)
    local path = temporary(".json")
    local file <close> = assert(io.open(path, "w"))
    file:write(text)
    return path
end

local function read_world(world, options)
    return esker.load_world(write(azgaar_map.text(world)), options)
end

-- The same file for all tests that do not change it.
local kept = {}

local function usual()
    if not kept.world then
        kept.world = azgaar_map.make()
        kept.loaded = read_world(kept.world)
        kept.map = esker.river_map{ seed = 3, guide = kept.loaded.guide }:set_rivers(kept.loaded.rivers)
    end
    return kept.world, kept.loaded, kept.map
end

-- A place of the file in shares of the square in whose middle the map lies.
local function share(world, at)
    local info = world.info
    local side = math.max(info.width, info.height)
    return (at[1] + (side - info.width) / 2) / side, (at[2] + (side - info.height) / 2) / side
end

local function altitude_of(height)
    return height >= LAND and (height - 18) ^ 1.8 or (height - 20) / height * 50
end

TestWorlds = {}

function TestWorlds.test_the_ground_is_that_of_the_cells()
    local world, loaded, map = usual()
    local size = 1024
    local altitude = map:render{ size = size }
    local wrong, all = 0, 0
    for _, cell in ipairs(world.pack.cells) do
        local x, y = share(world, cell.p)
        local guide = loaded.guide
        local got = guide:get(math.floor(x * (guide.width - 1) + 0.5), math.floor(y * (guide.height - 1) + 0.5))
        if cell.f == 3 then
            lu.assertTrue(got > 0)
        else -- half a cell of the guide beside the middle
            local wanted = altitude_of(cell.h)
            lu.assertTrue(wanted < 0 or math.abs(got - wanted) <= 12 + wanted / 3, got .. " is not " .. wanted)
            lu.assertEquals(got > 0, cell.h >= LAND)
        end
        local drawn = altitude:get(math.floor(x * size), math.floor(y * size))
        wrong = wrong + ((drawn > 0) == (cell.h >= LAND or cell.f == 3) and 0 or 1)
        all = all + 1
    end
    lu.assertEquals(all, 960)
    lu.assertTrue(wrong <= 0.01 * all, wrong)
end

function TestWorlds.test_the_map_lies_in_the_middle_of_a_square()
    local world, loaded, map = usual()
    local side = 1000 * world.info.width -- a kilometre a pixel
    lu.assertAlmostEquals(map.side, side, 1)
    lu.assertEquals(loaded.guide.width, 257)
    lu.assertEquals(loaded.guide.frame.unit, "m")
    lu.assertTrue(loaded.guide:get(128, 2) < -900 and loaded.guide:get(128, 254) < -900)
    local half = 10 * world.info.width / world.info.height -- degrees
    lu.assertAlmostEquals(loaded.latitudes[1], 40 - half, 1e-9)
    lu.assertAlmostEquals(loaded.latitudes[2], 40 + half, 1e-9)
    lu.assertEquals({ loaded.about.version, loaded.about.name }, { "1.108.0", "Testland" })
    local own = read_world(world, { side = 5e5, resolution = 129, beyond = "continued" })
    lu.assertEquals(own.guide.width, 129)
    lu.assertAlmostEquals(esker.river_map{ guide = own.guide, seed = 1 }.side, 5e5, 1e-3)
    lu.assertEquals(own.guide:get(64, 0), own.guide:get(64, 25)) -- the map begins in row 26
end

function TestWorlds.test_biomes_are_those_of_the_cells()
    local world, loaded = usual()
    lu.assertEquals(loaded.biome_names["2"], "Forest")
    for number = 0, #world.pack.cells - 1, 7 do
        local cell = world.pack.cells[number + 1]
        local x, y = share(world, cell.p)
        lu.assertEquals(loaded.biomes:get(math.floor(x * 256 + 0.5), math.floor(y * 256 + 0.5)), cell.biome)
    end
end

function TestWorlds.test_places_lie_on_land_where_the_file_has_them()
    local world, loaded, map = usual()
    local places = loaded.places:list()
    lu.assertEquals(#places, #world.pack.burgs - 2) -- one is no town, one is removed
    for i, place in ipairs(places) do
        local burg = world.pack.burgs[i + 1]
        local x, y = share(world, { burg.x, burg.y })
        lu.assertAlmostEquals(place.x / loaded.places.width, x, 1e-9)
        lu.assertAlmostEquals(place.y / loaded.places.height, y, 1e-9)
        lu.assertEquals({ place.attributes.name, place.attributes.population, place.attributes.port },
            { burg.name, math.floor(burg.population * 1000 + 0.5), burg.port == 1 })
        if i <= tries(3, #places) then
            lu.assertTrue(map:altitude_at{ x = x, y = y, zoom = 16 } > 0, burg.name)
        end
    end
    lu.assertTrue(places[1].attributes.capital)
    lu.assertEquals(loaded.routes:list()[1].attributes.kind, "roads")
end

-- How far a place of a window, in its pixels, is from the nearest of its rivers.
local function distance_to_river(reaches, x, y)
    local nearest = math.huge
    for _, reach in ipairs(reaches) do
        for i = 2, #reach do
            local a, b = reach[i - 1], reach[i]
            local dx, dy = b.x - a.x, b.y - a.y
            local along = ((x - a.x) * dx + (y - a.y) * dy) / math.max(dx * dx + dy * dy, 1e-12)
            along = math.max(0, math.min(1, along))
            nearest = math.min(nearest, ((x - a.x - along * dx) ^ 2 + (y - a.y - along * dy) ^ 2) ^ 0.5)
        end
    end
    return nearest
end

-- Within 1.5 of the guide's cells, of which there are 256 along the side.
function TestWorlds.test_rivers_run_where_the_file_has_them()
    local world, loaded, map = usual()
    local whole = map:rivers{ size = 1024 }:reaches()
    local kept_whole, kept_near, all = 0, 0, 0
    for i, river in ipairs(world.pack.rivers) do
        local line = loaded.rivers:list()[i]
        lu.assertEquals({ line.attributes.name, line.attributes.discharge }, { river.name, river.discharge })
        for k = 2, #river.cells - 1 do
            local x, y = share(world, world.pack.cells[river.cells[k] + 1].p)
            local near = map:rivers{ x = x, y = y, zoom = 16, size = 64 }:reaches()
            all = all + 1
            kept_whole = kept_whole + (distance_to_river(whole, x * 1024, y * 1024) <= 1.5 * 4 and 1 or 0)
            kept_near = kept_near + (distance_to_river(near, 32, 32) <= 1.5 * 4 and 1 or 0)
        end
    end
    lu.assertTrue(all > 40, all)
    lu.assertTrue(math.min(kept_whole, kept_near) >= 0.95 * all, ("%d, %d of %d"):format(kept_whole, kept_near, all))
end

function TestWorlds.test_lakes_are_level_in_the_guide_and_have_an_outline()
    local world, loaded = usual()
    local lake = loaded.lakes:list()[1]
    lu.assertEquals(loaded.lakes.count, 1)
    local wanted = (world.pack.features[4].height - 18) ^ 1.8
    lu.assertAlmostEquals(lake.attributes.altitude, wanted, 1e-9)
    lu.assertEquals({ lake.attributes.name, lake.attributes.kind }, { "Mere", "freshwater" })
    local mask = loaded.lakes:rasterize{ like = loaded.guide }
    local inside = 0
    for y = 0, 256 do
        for x = 0, 256 do
            if mask:get(x, y) == 1 then
                inside = inside + 1
                lu.assertAlmostEquals(loaded.guide:get(x, y), wanted, 1)
            end
        end
    end
    lu.assertTrue(inside > 100, inside)
end

local function shuffled(list)
    local result = setmetatable({}, getmetatable(list))
    for i = 1, #list do
        result[i] = list[(i * 7) % #list + 1]
    end
    lu.assertEquals(#result, #list)
    return result
end

-- Not along the shores, which keep clear of lower ground.
function TestWorlds.test_lakes_are_water()
    local world, loaded, map = usual()
    map = map:lake(loaded.lakes)
    local size, wet, all = 1024, 0, 0
    local _, _, _, water = map:render{ size = size }
    for _, cell in ipairs(world.pack.cells) do
        local x, y = share(world, cell.p)
        if cell.f == 3 then
            all = all + 1
            wet = wet + (water:get(math.floor(x * size), math.floor(y * size)) > 0 and 1 or 0)
        end
    end
    lu.assertTrue(wet >= 0.8 * all, ("%d of %d"):format(wet, all))
end

function TestWorlds.test_the_order_of_lists_counts_for_nothing()
    local world, loaded = usual()
    local other = azgaar_map.make()
    for _, name in ipairs{ "cells", "vertices", "burgs", "rivers" } do
        if #other.pack[name] % 7 ~= 0 then
            other.pack[name] = shuffled(other.pack[name])
        end
    end
    local again = esker.load_world(write(azgaar_map.text(other, true)))
    for _, name in ipairs{ "guide", "biomes", "rivers", "lakes", "places", "routes" } do
        lu.assertEquals(again[name]:hash(), loaded[name]:hash(), name)
    end
    lu.assertEquals(#world.pack.rivers, again.rivers.count)
end

-- The same cells as versions before 1.93.03 exported them.
function TestWorlds.test_the_older_generation_is_read()
    local _, loaded = usual()
    local world = azgaar_map.make()
    local pack = world.pack
    for _, vertex in ipairs(pack.vertices) do
        vertex.i = nil
    end
    world.info = { version = "1.89.16", mapName = "Testland" }
    world.vertices, world.cells, world.coords = pack.vertices, pack, world.mapCoordinates
    world.biomes = { i = { 0 }, name = setmetatable({ "Marine", "Steppe" }, getmetatable(pack.cells)) }
    world.pack, world.mapCoordinates, pack.vertices, pack.biomes, pack.routes = nil, nil, nil, nil, nil
    local older = read_world(world)
    lu.assertEquals(older.places.count, loaded.places.count)
    lu.assertEquals(older.biome_names, { ["0"] = "Marine", ["1"] = "Steppe" })
    lu.assertNil(older.routes)
    lu.assertAlmostEquals(older.guide:statistics().max, loaded.guide:statistics().max, 30)
end

function TestWorlds.test_load_reads_parts()
    local world, loaded = usual()
    local path = write(azgaar_map.text(world))
    lu.assertEquals(esker.load(path):hash(), loaded.guide:hash())
    for _, layer in ipairs{ "rivers", "lakes", "places", "routes" } do
        lu.assertEquals(esker.load(path, { layer = layer }):hash(), loaded[layer]:hash())
    end
    lu.assertErrorMsgContains("layer must be heights, rivers, lakes, places or routes, got 'towns'", esker.load, path,
        { layer = "towns" })
end

local function small()
    return azgaar_map.make{ columns = 12, rows = 9, rivers = 2 }
end

function TestWorlds.test_what_is_wrong_is_named()
    local cases = {
        { "pack.cells", function(pack) pack.cells[6].v[2] = 99999 end, "cell 5 names vertex 99999, but there are" },
        { "height", function(pack) pack.cells[3].h = 101 end, "cell 2 has the height 101, not 0 to 100" },
        { "no number", function(pack) pack.burgs[2].x = "west" end, "burgs[1].x: 'west' is no number" },
        { "a list", function(pack) pack.burgs[2].y = {} end, "burgs[1].y: a number expected, got '{'" },
        { "missing", function(pack) pack.cells[3].p = nil end, "cells[2].p: it is missing" },
        { "twice", function(pack) pack.cells[3].i = 1 end, "cells: two have the number 1" },
        { "a gap", function(pack) pack.cells[3].i = 500 end, "cells: number 2 is missing" },
        { "far", function(pack) pack.vertices[1].p[1] = 1e300 end, "vertices[0].p: the place 1e+300, " },
        { "fraction", function(pack) pack.cells[1].v[1] = 0.5 end, "cells[0].v: 0.5 is no whole number" },
        { "a river", function(pack) pack.rivers[1].cells[1] = 5000 end, "river 1 names cell 5000, but there are" },
        { "a burg", function(pack) pack.burgs[2].cell = 5000 end, "burg 1 names cell 5000, but there are" },
        { "no cells", function(pack) pack.cells = nil end, "it has no cells: only the full export to JSON is read" },
        { "no vertices", function(pack) pack.vertices = nil end, "it has no vertices: only the full export" },
        { "version", function(_, world) world.info.version = "0.7b" end, "its version is 0.7b; read are 1.85.02 to" },
        { "no places", function(_, world) world.info.version = "1.93.05" end, "its version is 1.93.05; read are" },
        { "none", function(_, world) world.info = nil end, "it is no export of Azgaar's Fantasy Map Generator" },
        { "settings", function(_, world) world.settings.heightExponent = 99 end, "settings.heightExponent is 99, not" },
        { "unit", function(_, world) world.settings.distanceUnit = "parsec" end,
            "unit of length, 'parsec', is none of mi, km, lg, vr, nmi, nlg: give side" },
        { "scale", function(_, world) world.settings.distanceScale = 0 end, "side is 0 m, not 1 to 4e8: give side" },
        { "size", function(_, world) world.info.width = -3 end, "info: the map has -3 ×" },
        { "overlap", function(pack, world)
            for i = 1, #pack.vertices do
                pack.vertices[i].p[1], pack.vertices[i].p[2] = i * 7919 % 400 * 3 - 400, i * 104729 % 300 * 3 - 300
            end
            world.info.width, world.info.height = 60, 60
        end, "its cells overlap" },
    }
    for _, case in ipairs(cases) do
        local world = small()
        case[2](world.pack, world)
        lu.assertErrorMsgContains(case[3], read_world, world)
    end
end

function TestWorlds.test_broken_text_is_an_error()
    local text = azgaar_map.text(small())
    for _, case in ipairs{
        { text:sub(1, #text // 2), "it ends where" },
        { text .. "x", "the end expected, got 'x'" },
        { text:gsub('"biome":', '"biome":NaN,"b":', 1), "cells[0].biome: a number expected, got 'N'" },
        { text:gsub('"biome":%d+', '"biome":1e999', 1), "cells[0].biome: '1e999' is no number of JSON" },
        { text:gsub('"notes":%[%]', '"notes":' .. ("["):rep(1000), 1), "more than 64 deep" },
        { '{"info":' .. ('{"a":'):rep(1000), "more than 64 deep" },
        { "[1,2]", "'{' expected" },
        { "", "it ends where '{' is expected" },
        { '{"type":"FeatureCollection","features":[]}', "it is no export of Azgaar's" },
    } do
        lu.assertErrorMsgContains(case[2], esker.load_world, write(case[1]))
    end
    lu.assertErrorMsgContains("must end in .json", esker.load_world, "map.map")
    lu.assertErrorMsgContains("resolution must be 0 or 2 to 1025, got 1", read_world, small(), { resolution = 1 })
end

-- --- the page --------------------------------------------------------------------------------------------------------

-- Each recipe of docs/your-map.md runs, on an island 32 cells wide, and draws it.
function TestWorlds.test_recipes_of_the_page_run()
    local _, loaded = usual()
    local island = esker.field{ size = 33, values = function(x, y)
        return 0.8 - ((x - 16) ^ 2 + (y - 16) ^ 2) ^ 0.5 / 16
    end }
    local given = {
        ["heights.png"] = function(options)
            return island:clamp{ low = 0, high = 1 } * (options.high - options.low) + options.low
        end,
        ["mask.png"] = function() return island:curve{ points = { { -0.01, 0 }, { 0.01, 1 } } } end,
        ["mountains.png"] = function(options) return island:clamp{ low = 0, high = 1 } * options.high end,
        ["model.tif"] = function() return (island * 1000):georeference{ x = 0, y = 0, cell = 900, unit = "m" } end,
    }
    local named = setmetatable({
        load = function(name, options) return assert(given[name], name)(options) end,
        load_world = function() return loaded end,
    }, { __index = esker })
    local file <close> = assert(io.open "docs/your-map.md")
    local count = 0
    for recipe in file:read("a"):gmatch("\n```lua\n(.-)\n```") do
        local reduced = recipe:gsub("size = 1024", "size = 64"):gsub("size = 512", "size = 64"):gsub("= 512", "= 33")
        local results = assert(load(reduced, "=your-map.md", "t", { esker = named }))()
        local drawn = results.relief or results.picture
        lu.assertEquals({ drawn.width, drawn.height }, { 64, 64 })
        count = count + 1
    end
    lu.assertEquals(count, 4)
end

os.exit(lu.LuaUnit.run())
