-- The mod for Luanti: it declares what esker.h has, and makes land of exported files. Where luajit is installed, it
-- makes columns of the heights that `render` gives, the same in all chunks that see them. tests/long/luanti.sh runs it
-- in a server.

local esker = require "esker"
local lu = require "luaunit"
local temporary = require "temporary"

TestLuanti = {}

local MOD = "examples/luanti/esker"

local function text_of(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

-- C without comments, directives and space that means nothing.
local function bare(text)
    text = text:gsub("//[^\n]*", ""):gsub("/%*.-%*/", ""):gsub("%f[^\n\0]#[^\n]*", ""):gsub("ESKER_API ", "")
    return (text:gsub("%s+", " "):gsub(" ?([^%w_ ]) ?", "%1"):gsub(",}", "}"))
end

-- The top-level declarations.
local function declarations_of(text)
    local list, start, depth = {}, 1, 0
    for at, letter in text:gmatch("()([{};])") do
        depth = depth + (letter == "{" and 1 or letter == "}" and -1 or 0)
        if letter == ";" and depth == 0 then
            list[#list + 1] = text:sub(start, at)
            start = at + 1
        end
    end
    return list
end

function TestLuanti.test_the_mod_declares_what_the_header_has()
    local header = bare(text_of("src/esker.h"))
    local list = declarations_of(bare(dofile(MOD .. "/declarations.lua")))
    lu.assertTrue(#list > 15)
    for _, declaration in ipairs(list) do
        lu.assertNotNil(header:find(declaration, 1, true), declaration)
    end
end

-- Prints the columns of two chunks that meet, and of the one place in them, by luajit.
local COLUMNS = [[
local ffi, mod, library = require("ffi"), arg[1], arg[2]
local Land, write_nodes = dofile(mod .. "/library.lua"), dofile(mod .. "/nodes.lua")
local make = dofile(mod .. "/columns.lua")
local options = { library = library, seed = "2", landscape = "hills", side = 70000, cell = 1, lakes = 0.02,
    snow = 1500, trees = 6 }
local declarations = dofile(mod .. "/declarations.lua")
local land = Land.open(ffi, declarations, make, options)
print("middle", land.x, land.y)
local function print_columns(columns, name)
    for row = make.BORDER, columns.side - 1 - make.BORDER do
        for column = make.BORDER, columns.side - 1 - make.BORDER do
            local i = row * columns.side + column
            print(name, columns.x + column, columns.z + row, columns.ground[i], columns.water[i])
        end
    end
end
local west, both = make.columns(land, 0, 0, 24), make.columns(land, 12, 0, 24)
print_columns(west, "column")
print("at", 3, 4, make.at(land, 3, 4))
-- What two windows have in common.
local differ = 0
for z = 0, 23 do
    for x = 12, 23 do
        local i, k = (z + make.BORDER) * west.side + x + make.BORDER,
            (z + make.BORDER) * both.side + x + make.BORDER - 12
        differ = differ + (west.ground[i] == both.ground[k] and west.water[i] == both.water[k]
            and west.top[i] == both.top[k] and 0 or 1)
    end
end
print("differ", differ)
-- What covers the ground, in the middles of cells of two squares, and beyond where the map ends.
for k, x in ipairs{ 30, -10, 1e6 } do
    print("cover" .. k, ("%.9g %.9g %d"):format(land:share_at("trees", x, 50), land:share_at("grass", x, 50),
        land:cover_at(x, 50).column))
end
-- Nodes of a chunk in one piece, and in eight.
local ids = { air = "air", stone = "s", dirt = "d", grass = "g", sand = "a", snow = "n", tree = "t", leaves = "l",
    pine_tree = "p", pine_needles = "e", water = "w", river = "r",
    gravel = "v", planks = "k" }
local function nodes(x, y, z, size, data)
    local columns, area = make.columns(land, x, z, size), {}
    function area.index(_, a, b, c)
        return (c * 4096 + b + 2048) * 4096 + a
    end
    write_nodes(columns, data, area, { x = x, y = y, z = z }, { x = x + size - 1, y = y + size - 1, z = z + size - 1 },
        ids)
end
local function air()
    return setmetatable({}, { __index = function() return "air" end })
end
local whole, parts, low = air(), air(), west.lowest - 8
nodes(0, low, 0, 24, whole)
for k = 0, 7 do
    nodes(k % 2 * 12, low + math.floor(k / 2) % 2 * 12, math.floor(k / 4) * 12, 12, parts)
end
local count, off = 0, 0
for at, node in pairs(whole) do
    count, off = count + 1, off + (parts[at] == node and 0 or 1)
end
print("nodes", count, off)
-- Another thread, with the same ground.
local other = Land.open(ffi, declarations, make, options, land:addresses())
print("shared", make.at(other, 3, 4))
options.map = arg[3]
print("file", make.at(Land.open(ffi, declarations, make, options), 3, 4))
options.map = nil
-- thread.lua, in a game that is a table.
local callback, made = nil, air()
core = { get_modpath = function() return mod end, get_content_id = function(name) return name end,
    ipc_get = function() return { options = options, addresses = land:addresses() } end,
    registered_aliases = {}, registered_nodes = setmetatable({}, { __index = function() return true end }),
    register_on_generated = function(called) callback = called end }
VoxelArea = { new = function()
    return { index = function(_, a, b, c) return (c * 4096 + b + 2048) * 4096 + a end }
end }
dofile(mod .. "/thread.lua")
callback({ get_emerged_area = function() return {}, {} end, get_data = function(_, data)
    setmetatable(data, { __index = function() return "air" end })
end, set_data = function(_, data) made = data end, calc_lighting = function() end, update_liquids = function() end },
    { x = 0, y = low, z = 0 }, { x = 23, y = low + 23, z = 23 })
local same = 0
for at, node in pairs(whole) do
    same = same + ((made[at] == "air") == (node == "air") and made[at] ~= "air" and 1 or 0)
end
print("thread", same)
options.side = 1000
print("refused", (select(2, pcall(Land.open, ffi, declarations, make, options))))
]]

function TestLuanti.test_columns_are_those_of_the_map()
    local library = (os.getenv("ESKER_BUILD") or "build") .. "/libesker.so.1"
    lu.skipIf(not os.execute("luajit -v >/dev/null 2>&1"), "luajit is not installed")
    lu.skipIf(os.getenv("ESKER_BUILD") ~= nil and os.getenv("ESKER_BUILD") ~= "build", "luajit is not instrumented")
    local script = temporary(".lua")
    local file <close> = assert(io.open(script, "w"))
    file:write(COLUMNS)
    file:close()
    local map = esker.river_map{ seed = 2, landscape = "hills", side = 70000, lakes = 0.02 }
    local saved = temporary(".json")
    map:save_map(saved)
    local pipe <close> = assert(io.popen(("luajit %s %s ./%s %s 2>&1"):format(script, MOD, library, saved)))
    local said, columns = {}, {}
    for line in pipe:lines() do
        local name, rest = line:match("^(%S+)%s*(.*)$")
        if name == "column" then
            local x, z, ground, water = rest:match("(%S+)\t(%S+)\t(%S+)\t(%S+)")
            columns[#columns + 1] = { tonumber(x), tonumber(z), tonumber(ground), tonumber(water) }
        else
            said[name or ""] = rest
        end
    end
    lu.assertEquals(#columns, 24 * 24, said)
    local middle_x, middle_y = said.middle:match("(%d+)%s+(%d+)")
    local altitude, river, _, lake = map:render{ size = 24, zoom = 70000 / 24, x = (middle_x + 11.5) / 70000,
        y = 1 - (middle_y + 11.5) / 70000 }
    for _, column in ipairs(columns) do
        local x, z, ground, water = table.unpack(column)
        local height = altitude:get(x, 23 - z)
        lu.assertEquals(lake:get(x, 23 - z), 0)
        if river:get(x, 23 - z) == 0 then
            lu.assertEquals({ ground, water < ground }, { (height + 0.5) // 1, true }, column)
        elseif river:get(x, 23 - z) >= 1 then
            lu.assertTrue(water > ground and water <= height + 1.5 and water > height - 3, column)
        end
    end
    lu.assertEquals({ said.at, said.shared, said.file }, { "3\t4\t" .. said.shared, said.shared, said.shared })
    lu.assertEquals(said.differ, "0")
    local cover = map:cover{ size = 4, zoom = 70000 / 80, x = (middle_x + 20) / 70000, y = 1 - (middle_y + 40) / 70000 }
    for k, column in ipairs{ 3, 1 } do
        lu.assertStrContains(said["cover" .. k], ("%.9g %.9g %d"):format(cover.trees:get(column, 1),
            cover.grass:get(column, 1), 1 - k))
    end
    lu.assertStrMatches(said.cover3, "[%d.e-]+ [%d.e-]+ " .. (70000 - 20 - tonumber(middle_x)) // 640 - 1)
    local nodes, off = said.nodes:match("(%d+)%s+(%d+)")
    lu.assertTrue(tonumber(nodes) > 2000 and off == "0", said.nodes)
    lu.assertEquals(said.thread, nodes)
    lu.assertStrContains(said.refused, "esker_side must be at least 62100, twice 31050 nodes of 1 m, got 1000")
end

-- The columns of land that a function gives: altitude and the river's width in a cell, and its level.
local function columns_of(cell_of, width)
    local make = dofile(MOD .. "/columns.lua")
    local land = { options = { cell = 1, snow = 1000 }, kept = {}, order = {}, numbers = function() return {} end,
        add_trees = function() end, room_of = function()
            return { side = width + 2 * make.BORDER, altitude = {}, water = {}, level = {}, river = {} }
        end, fill = function(_, room, x, z)
            for i = 0, room.side ^ 2 - 1 do
                local altitude, river, level = cell_of(x - make.BORDER + i % room.side,
                    z - make.BORDER + i // room.side)
                room.altitude[i], room.river[i], room.level[i], room.water[i] = altitude, river, level or altitude, 0
            end
        end }
    local columns = make.columns(land, 0, 0, width)
    return function(x, z)
        local i = (z - columns.z) * columns.side + x - columns.x
        return columns.water[i] > columns.ground[i], columns.ground[i], columns.water[i], columns.top[i]
    end
end

-- The sea and beds of rivers that lie centimetres below it are water, a node deep, with a beach.
function TestLuanti.test_shallow_sea_is_water()
    local column = columns_of(function(x) return x < 10 and -0.1 or 0.3, 0, math.max(x < 10 and 0 or 0.3) end, 20)
    lu.assertEquals({ column(9, 5) }, { true, -1, 0, 5 })
    lu.assertEquals({ column(0, 5) }, { true, -1, 0, 5 })
    lu.assertEquals({ column(10, 5) }, { false, 0, -32768, 2 })
    lu.assertEquals({ column(14, 5) }, { false, 0, -32768, 1 })
end

-- A brook of a node is whole whatever its direction, a narrower one is not shown: it would be a row of puddles.
function TestLuanti.test_brooks_are_whole_or_not_there()
    for _, slope in ipairs{ 0, 0.3, 0.7, 1 } do
        for width, shown in pairs{ [0.6] = false, [1.3] = true, [2] = true } do
            local half = width / 2 * math.sqrt(1 + slope ^ 2) -- above and below its middle
            local column = columns_of(function(x, z)
                local middle, sum = 10.5 + slope * (x - 8), 0
                for part = 0, 15 do -- the share of the cell that it covers
                    local off = z + (part // 4 + 0.5) / 4 - middle - slope * ((part % 4 + 0.5) / 4)
                    sum = sum + (math.abs(off) < half and 1 or 0)
                end
                return 20, sum == 16 and width or sum / 16
            end, 20)
            local wet = 0
            for x = 2, 14 do
                local found = false
                for z = 0, 19 do
                    found = found or column(x, z)
                end
                wet = wet + (found and 1 or 0)
            end
            lu.assertEquals(wet, shown and 13 or 0, ("%g wide, slope %g"):format(width, slope))
        end
    end
end

-- Of a JSON text without brackets in its strings.
local function value_of(text)
    local lua = text:gsub("[%[%]]", { ["["] = "{", ["]"] = "}" }):gsub('("[^"]*"):', "[%1]="):gsub("null", "nil")
    return assert(load("return " .. lua))()
end

-- What the whole mod makes of the files in `folder`, in a game that is a table: a function that gives the node at a
-- place, what it told, where a player begins, what other mods can call, and the signs that players see.
local function game_of(folder, low, high)
    local nodes, callbacks, told = {}, {}, {}
    local function area(_, edges)
        function edges.index(_, x, y, z)
            return (z + 512) * 2 ^ 20 + (y + 512) * 2 ^ 10 + x + 512
        end
        return edges
    end
    local manipulator = { get_emerged_area = function() return {}, {} end, get_data = function(_, data)
        setmetatable(data, { __index = function() return "air" end })
        nodes = data
    end, set_data = function() end, calc_lighting = function() end, update_liquids = function() end,
        write_to_map = function() end }
    local names, pipe <close> = {}, assert(io.popen("ls " .. folder))
    for name in pipe:lines() do
        names[#names + 1] = name
    end
    local environment = setmetatable({ VoxelArea = { new = area }, core = {
        get_modpath = function() return folder end, get_dir_list = function() return names end,
        set_mapgen_setting = function() end, get_mapgen_setting = function() return "1" end,
        settings = { get = function() return nil end, get_bool = function(_, _, default) return default end },
        request_insecure_environment = function() return nil end, log = function(_, text) told[#told + 1] = text end,
        parse_json = value_of, registered_aliases = {},
        registered_nodes = setmetatable({}, { __index = function() return true end }),
        get_content_id = function(name) return (name:gsub("mapgen_", ""):gsub("default:", "")) end,
        get_mapgen_object = function() return manipulator end,
        register_on_generated = function(made) callbacks.made = made end,
        register_on_joinplayer = function(made) callbacks.joined = made end,
        register_on_newplayer = function(made) callbacks.player = made end, register_on_respawnplayer = function() end,
        register_on_shutdown = function() end } }, { __index = _G })
    function environment.dofile(path)
        return assert(loadfile(MOD .. path:sub(#folder + 1), "t", environment))()
    end
    environment.dofile(folder .. "/init.lua")
    callbacks.made(low, high)
    local place
    callbacks.player{ set_pos = function(_, at) place = at end }
    local signs = {}
    callbacks.joined{ hud_add = function(_, sign) signs[#signs + 1] = sign end }
    return function(x, y, z)
        return nodes[area(nil, {}).index(nil, x, y, z)]
    end, table.concat(told, "\n"), place, environment.esker, signs
end

-- A slope to the east with a lake, a river, a road over both, and trees.
function TestLuanti.test_land_of_exported_files()
    local folder = temporary("")
    assert(os.execute("mkdir " .. folder))
    local options = { engine = "minetest", cell = 2, metres = 1 }
    local land = esker.field{ size = 40, values = function(x) return x < 15 and 20 or 20 + 2 * (x - 15) // 1 end }
    land:export(folder .. "/valley", options)
    local function lines(name, list)
        esker.lines{ size = 40, list = list }:export(folder .. "/" .. name, options)
    end
    lines("valley-road", { { { 1, 20, 20 }, { 39, 20, 20 } } })
    local shore = { { 4, 14, 20 }, { 12, 14, 20 }, { 12, 26, 20 }, { 4, 26, 20 } }
    local lake = esker.polygons{ size = 40, list = { shore } }
    lake:export(folder .. "/valley-lakes", options)
    local trees = esker.points{ size = 40, list = { { 30.5, 5.5 }, { 31.5, 5.5 }, { 30.5, 20.5 }, { 8.5, 16.5 } } }
    trees:export(folder .. "/valley-trees", options)
    trees:export(folder .. "/valley-stones", options)
    local node, told, place, mod = game_of(folder, { x = -25, y = -10, z = -25 }, { x = 24, y = 60, z = 24 })
    lu.assertStrContains(told, "valley-road.geojson: 1 are on the land")
    lu.assertStrContains(told, "valley-trees.geojson: 3 are on the land, 1 stand closer than 4 nodes")
    lu.assertStrContains(told, "valley-stones.geojson: not read")
    -- Ground: 20 m are 10 nodes, and x = -20 is the field's first column.
    lu.assertEquals({ node(-18, 10, 15), node(-18, 9, 15), node(-18, 11, 15), node(-18, 5, 15) },
        { "dirt_with_grass", "dirt", "air", "stone" })
    lu.assertEquals(node(-22, 0, 0), "air") -- beyond the field
    -- The lake has its level, and is deeper in its middle.
    lu.assertEquals({ node(-14, 10, 4), node(-14, 11, 4), node(-14, 9, 4), node(-13, 7, 0) },
        { "river_water_source", "air", "river_water_source", "river_water_source" })
    lu.assertEquals({ node(-14, 8, 4), node(-16, 9, 4), node(-16, 8, 4) }, { "sand", "sand", "sand" })
    -- The road lies on the ground, and on planks over the lake.
    lu.assertEquals({ node(-18, 10, 0), node(-12, 11, 0), node(-12, 10, 0), node(10, 25, 0) },
        { "gravel", "wood", "river_water_source", "gravel" })
    -- A tree stands where there is no road and no water.
    lu.assertEquals({ node(10, 26, 14), node(10, 25, 14), node(10, 26, -1), node(-12, 11, 3) },
        { "tree", "dirt_with_grass", "air", "air" })
    lu.assertEquals({ place.x, place.y }, { 0, 16.5 })
    lu.assertEquals({ mod.at(-18, 15) }, { 10, -32768 })
    lu.assertEquals({ mod.at(-18.3, 15.4) }, { 10, -32768 }) -- where a player stands
end

-- A bridge has its own altitude, and ramps of earth; a town has a square, a sign, no trees, and players.
function TestLuanti.test_bridges_and_towns_of_exported_files()
    local folder = temporary("")
    assert(os.execute("mkdir " .. folder))
    local options = { engine = "minetest", cell = 2, metres = 1 }
    local function is_river(x)
        return x >= 18 and x < 23
    end
    local land = esker.field{ size = 40, values = function(x) return is_river(x) and 14 or 20 end }
    local water = esker.field{ size = 40, values = function(x) return is_river(x) and 1 or 0 end }
    local line = esker.lines{ size = 40, list = { { { 1.5, 20.5 }, { 38.5, 20.5 } } } }
    local road, bridges = land:grade(line, { water = water, clearance = 12, slope = 16 * 0.25, width = 0.2 })
    land:export(folder .. "/v", options)
    road:export(folder .. "/v-road", options)
    bridges:export(folder .. "/v-bridges", options)
    local banks = { { 18, 1, 16 }, { 23, 1, 16 }, { 23, 39, 16 }, { 18, 39, 16 } }
    esker.polygons{ size = 40, list = { banks } }:export(folder .. "/v-lakes", options)
    local middle = { x = 30.5, y = 8.5, radius = 5, attributes = { name = "Brand" } }
    esker.points{ size = 40, list = { middle } }:export(folder .. "/v-towns", options)
    esker.points{ size = 40, list = { { 28.5, 8.5 }, { 38.5, 8.5 } } }:export(folder .. "/v-trees", options)
    local node, told, place, _, signs = game_of(folder, { x = -25, y = -10, z = -25 }, { x = 24, y = 60, z = 24 })
    lu.assertStrContains(told, "v-bridges.geojson: 1 are on the land")
    lu.assertStrContains(told, "v-towns.geojson: 1 are on the land")
    -- 20 m are 10 nodes; the bed is at 7, the water at 8 and the deck, 12 m above the bed, at 13.
    lu.assertEquals({ node(0, 13, -1), node(0, 12, -1), node(0, 9, -1), node(0, 8, -1), node(0, 14, -1) },
        { "wood", "air", "air", "river_water_source", "air" })
    lu.assertEquals({ node(0, 13, 2), node(0, 13, -6) }, { "wood", "air" })
    local top
    for x = -19, -3 do -- the ramp rises by single nodes, on a dam
        local deck = 10
        for y = 10, 14 do
            deck = node(x, y, -1) ~= "air" and y or deck
        end
        lu.assertTrue(not top or deck == top or deck == top + 1, x)
        lu.assertEquals({ node(x, deck, -1), node(x, deck - 1, -1) }, { "gravel", "dirt" }, x)
        top = deck
    end
    lu.assertEquals(top, 13)
    -- Its banks fall by single nodes to the ground, and none stands in the water.
    for z = 4, 7 do
        local ground = math.max(16 - z, 10)
        lu.assertEquals({ node(-4, ground, z), node(-4, ground + 1, z) }, { "dirt_with_grass", "air" }, z)
    end
    lu.assertEquals({ node(-2, 8, 4), node(-2, 9, 4) }, { "river_water_source", "air" })
    lu.assertEquals({ node(10, 10, 11), node(10, 11, 11), node(14, 10, 11) }, { "gravel", "air", "dirt_with_grass" })
    lu.assertEquals({ node(8, 11, 11), node(18, 11, 11) }, { "air", "tree" })
    lu.assertEquals({ place.x, place.y, place.z }, { 10, 11.5, 11 })
    lu.assertEquals({ #signs, signs[1].name, signs[1].world_pos.y }, { 1, "Brand", 13 })
end

os.exit(lu.LuaUnit.run())
