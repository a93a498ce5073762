-- Where the explorer writes edits of a map into a recipe's text.

local unit = require "luaunit"

package.path = "lua/?.lua;" .. package.path
local edits = require "esker.explore.edits"

TestExploreEdits = {}

local function block(name, indent)
    return ("%s-- Edits of %s, one a line\n%s-- End of edits\n"):format(indent or "", name, indent or "")
end

-- Texts before and after, for a result, and the variable that has the map.
local texts = {
    { "land", "land", "local land = esker.river_map{ seed = 2 }\nreturn { land = land }\n",
      "local land = esker.river_map{ seed = 2 }\n" .. block "land" .. "return { land = land }\n" },
    { "shown", "map", "local map = esker.river_map{ seed = 2 } -- the world\nreturn { shown = map }\n",
      "local map = esker.river_map{ seed = 2 } -- the world\n" .. block "map" .. "return { shown = map }\n" },
    { "map", "map",
      "local map = esker.river_map{\n    seed = 2,\n}:raise{\n    along = { { 0.5, 0.5 } },\n} return map",
      "local map = esker.river_map{\n    seed = 2,\n}:raise{\n    along = { { 0.5, 0.5 } },\n}\n" .. block "map" ..
          "return map" },
    { "map", "map", "return { map = esker.river_map{ seed = 2 }, n = 3 }\n",
      "local map = esker.river_map{ seed = 2 }\n" .. block "map" .. "return { map = map, n = 3 }\n" },
    { "map", "map", "local m = 3 return { map = esker.river_map{} }",
      "local m = 3 local map = esker.river_map{}\n" .. block "map" .. "return { map = map }" },
    { "return", "map", "return esker.river_map{ seed = 2 }",
      "local map = esker.river_map{ seed = 2 }\n" .. block "map" .. "return map" },
    { "a", "map", "local a = 1\nreturn { a = esker.river_map{ seed = a } }",
      "local a = 1\nlocal map = esker.river_map{ seed = a }\n" .. block "map" .. "return { a = map }" },
    { "b", "b", "local a = esker.river_map{}\nlocal b = esker.river_map{ seed = 3 };\nreturn { a, b = b }\n",
      "local a = esker.river_map{}\nlocal b = esker.river_map{ seed = 3 };\n" .. block "b" .. "return { a, b = b }\n" },
    { "map", "map",
      "local function make(seed)\n    return esker.river_map{ seed = seed }\nend\nreturn { map = make(2) }\n",
      "local function make(seed)\n    local map = esker.river_map{ seed = seed }\n" .. block("map", "    ") ..
          "    return map\nend\nreturn { map = make(2) }\n" },
    { "map", "map_2", "local map <const> = esker.river_map{}\nreturn { map = map }\n",
      "local map_2 = esker.river_map{}\n" .. block "map_2" .. "local map <const> = map_2\nreturn { map = map }\n" },
    { "map", "map", "local map\nif true then map = esker.river_map{} else map = nil end\nreturn { map = map }\n",
      "local map\nif true then map = esker.river_map{}\n" .. block "map" ..
          "else map = nil end\nreturn { map = map }\n" },
    { "map", "map", "local map = esker.river_map{} --[[ a\nworld ]]\nreturn { map = map }\n",
      "local map = esker.river_map{}\n" .. block "map" .. "--[[ a\nworld ]]\nreturn { map = map }\n" },
}

function TestExploreEdits.test_a_block_follows_the_statement_that_makes_the_map()
    for i, each in ipairs(texts) do
        local result, variable, before, after = table.unpack(each)
        local text, name = edits.prepare(before, result)
        unit.assertEquals(text, after, i)
        unit.assertEquals(name, variable, i)
        unit.assertNotNil(load(text), i)
    end
end

function TestExploreEdits.test_a_text_that_has_a_block_stays_as_it_is()
    for _, each in ipairs(texts) do
        local result, name, _, after = table.unpack(each)
        if name ~= "map_2" then
            unit.assertEquals({ edits.prepare(after, result) }, { after, name })
        end
    end
end

function TestExploreEdits.test_what_is_not_clear_is_refused()
    for _, text in ipairs{ "", "return 1", "return { a = esker.river_map{",
        "local river_map = esker.river_map return 1",
        "return { a = esker.river_map{}, b = esker.river_map{} }", "return { map = esker.load_map'map' }",
        "local map = esker.river_map{}\nmap = esker.river_map{}\nreturn { map = map }", "]]}}))end end",
    } do
        local made, problem = edits.prepare(text, "map")
        unit.assertNil(made, text)
        unit.assertStrContains(problem, "give it a variable of this name")
    end
end

os.exit(unit.LuaUnit.run())
