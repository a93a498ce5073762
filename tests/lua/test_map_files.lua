-- A zoomable map in a file: it comes back to the bit with all its edits; damaged and forged files are errors.

local esker = require "esker"
local unit = require "luaunit"
local temporary = require "temporary"

TestMapFiles = {}

local window <const> = { x = 0.42, y = 0.57, zoom = 60, size = 48 }

local function hashes(map)
    local list = {}
    for _, each in ipairs{ map:render(window) } do
        list[#list + 1] = each:hash()
    end
    return table.concat(list, " ")
end

local function text_of(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

local function kept(map)
    local path = temporary(".json")
    map:save_map(path)
    return esker.load_map(path), path
end

function TestMapFiles.test_a_map_comes_back()
    local guide = esker.field{ size = 33, values = function(x, y) return (math.sin(x / 7) + math.cos(y / 9)) / 2 end }
    for _, map in ipairs{ esker.river_map{ seed = 2, landscape = "hills", side = 200000, lakes = 0.05 },
        esker.river_map{ seed = 2 ^ 53 // 1 + 1, guide = guide, relief = 900, latitudes = { 20, 40 } } } do
        local back, path = kept(map)
        unit.assertEquals(hashes(back), hashes(map))
        unit.assertEquals(text_of(select(2, kept(back))):match('"steps".*'), text_of(path):match('"steps".*'))
    end
end

function TestMapFiles.test_edits_come_back()
    local towns = esker.points{ size = 1, list = { { x = 0.421, y = 0.571, attributes = { name = "Ärm \"x\"" } } } }
    local ridge = esker.lines{ size = 1000, list = { { { 412, 575 }, { 426, 569 } } } }
    local map = esker.river_map{ seed = 2, lakes = 0.02 }:set_places(towns)
    map = map:raise(ridge, { width = 5000, height = 400 })
    map = map:level{ along = { { 0.42, 0.565 } }, width = 2000 }
    map = map:imprint(esker.shape{ size = 32, kind = "volcano" } * 900, { at = { { 0.412, 0.5735 } }, side = 24e3 })
    local back = kept(map)
    unit.assertEquals(hashes(back), hashes(map))
    unit.assertEquals(back:places{ size = 64 }:hash(), map:places{ size = 64 }:hash())
    unit.assertNotEquals(hashes(back), hashes(esker.river_map{ seed = 2, lakes = 0.02 }))
    -- Edits go on from there, and a file has them, too.
    local hill = { along = { { 0.425, 0.575 } }, width = 3000, height = 300 }
    unit.assertEquals(hashes(kept(back:raise(hill))), hashes(map:raise(hill)))
end

-- What edits found below them is in the file, so that reading is quick; what cannot be ground is found anew.
function TestMapFiles.test_the_ground_of_edits_is_kept()
    local map = esker.river_map{ seed = 2 }:level{ along = { { 0.423, 0.566 } }, width = 8000 }
    map = map:crater{ at = { { 0.413, 0.57 }, { 0.42, 0.562 } }, width = 9e3, lake = 0.3 }
    local expected, back, path = hashes(map), kept(map)
    local text, forged = text_of(path), temporary(".json")
    unit.assertEquals(hashes(back), expected)
    local place = { x = 0.423, y = 0.566, zoom = 256, size = 24 } -- where the level place is seen
    unit.assertEquals(back:render(place):hash(), map:render(place):hash())
    unit.assertEquals(select(2, text:gsub('"ground":', "")), 2)
    unit.assertEquals(text_of(select(2, kept(back))):match('"steps".*'), text:match('"steps".*'))
    local function read(ground, times)
        local file <close> = assert(io.open(forged, "wb"))
        file:write((text:gsub('"ground":%b[]', ground and '"ground":' .. ground or "%0", times)))
        file:flush()
        local begun = os.clock()
        local map_read = esker.load_map(forged)
        return os.clock() - begun, map_read
    end
    local quick = read()
    local slow, anew = read("[-1,0,0,0,1e300,0,0,0]")
    unit.assertEquals(hashes(anew), expected)
    unit.assertTrue(quick < slow / 2, { quick, slow })
    -- What can be ground is taken, and kept when the map is saved again.
    local _, other = read("[3,0,0,0]", 1)
    unit.assertTrue(other:render(place):get(12, 12) < map:render(place):get(12, 12) - 30)
    unit.assertStrContains(text_of(select(2, kept(other))), '"ground":[3,0,0,0]')
    unit.assertErrorMsgContains("cannot read", read, "[1,2,3,null]")
    unit.assertErrorMsgContains("cannot read", read, "7")
end

function TestMapFiles.test_blanks_do_not_matter()
    local map = esker.river_map{ seed = 2, rivers = false }
    local _, path = kept(map)
    local file = assert(io.open(path, "r+b"))
    local text = file:read("a")
    file:seek("set")
    file:write((text:gsub('"rivers":false', '"rivers" : false'):gsub(",", " ,\n ")))
    file:close()
    unit.assertEquals(hashes(esker.load_map(path)), hashes(map))
end

function TestMapFiles.test_foreign_files_are_errors()
    local map = esker.river_map{ seed = 2 }:raise{ along = { { 0.42, 0.57 } }, width = 3000, height = 300 }
    local _, good = kept(map)
    local text, path = text_of(good), temporary(".json")
    local function refused(damaged, message)
        local file = assert(io.open(path, "wb"))
        file:write(damaged)
        file:close()
        unit.assertErrorMsgContains(message, esker.load_map, path)
    end
    -- Other programs write spaces between the tokens.
    local spaced = '{ "esker_map" : 1, "steps" : [ { "operation" : "river_map", "seed" : "2", '
        .. '"arguments" : { "islands" : %s } } ] }'
    local file <close> = assert(io.open(path, "wb"))
    file:write(spaced:format("true"))
    file:flush()
    unit.assertEquals(hashes(esker.load_map(path)), hashes(esker.river_map{ seed = 2, islands = true }))
    refused(spaced:format("null"), "islands must be true or false")
    refused(spaced:format("1e999"), "cannot read")
    refused((text:gsub('"height":300', '"height":NaN')), "a number expected")
    refused('{"x":' .. ("["):rep(1e5), "lie more than 64 deep")
    refused("", "a map of save_map")
    refused("{}", "no map that save_map has written")
    refused('{"esker_map":2,"steps":[]}', "reads files of version 1")
    refused('{"esker_map":1,"steps":[]}', "no map that save_map has written")
    refused(text:sub(1, -9), "cannot read")
    refused((text:gsub('"operation":"raise"', '"operation":"save"')), "'save' is no operation that makes a map")
    refused((text:gsub('"height":300', '"height":3e99')), "raise: height must be")
    refused((text:gsub('"height":300', '"heigth":300')), "raise has no argument 'heigth'")
    refused((text:gsub('"width":3000', '"width":"x"')), "cannot read")
    refused((text:gsub('"arguments":{', '"arguments":{"rivers":null,', 1)), "rivers must be true or false")
    refused((text:gsub('"operation":"river_map".-},\n', '"operation":"level","arguments":{}},\n')),
        "level has no map before it")
    refused((text:gsub('"inputs":{}}\n', '"inputs":{"places":{"points":"AAAA"}}}\n')), "cannot be read")
    refused((text:gsub('"inputs":{}}\n', '"inputs":{"places":{"field":"AAAA"}}}\n')), "places takes no 'field'")
    refused((text:gsub('"inputs":{}}\n', '"inputs":{"map":{"points":"AAAA"}}}\n')), "map takes no 'points'")
    for _, seed in ipairs{ "-1", "+5", " 5", "", "0x10", "18446744073709551616" } do
        refused((text:gsub('"seed":"2"', '"seed":"' .. seed .. '"')),
            "seed must be a whole number, 0 to 2^64 - 1, got '" .. seed .. "'")
    end
    for _, wrong in ipairs{ "map.png", "map", "json", "map.json.gz" } do
        unit.assertErrorMsgContains("path must end with .json, got '" .. wrong .. "'", map.save_map, map, wrong)
    end
    unit.assertErrorMsgContains("no_such", esker.load_map, "no_such.json")
end

-- Each byte of a file may be any other: an error or a map, and no crash.
function TestMapFiles.test_damaged_bytes_never_crash()
    local towns = esker.points{ size = 1, list = { { x = 0.421, y = 0.571 } } }
    local _, good = kept(esker.river_map{ seed = 2 }:set_places(towns))
    local text, path, errors = text_of(good), temporary(".json"), 0
    local from = text:find('"steps"', 1, true)
    for at = from, #text, math.max((#text - from) // 30, 1) do
        local file = assert(io.open(path, "wb"))
        file:write(text:sub(1, at - 1), string.char((text:byte(at) * 7 + at) % 256), text:sub(at + 1))
        file:close()
        errors = errors + (pcall(esker.load_map, path) and 0 or 1)
    end
    unit.assertTrue(errors > 10, errors)
end

os.exit(unit.LuaUnit.run())
