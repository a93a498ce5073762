-- What Tab offers within a text: files to read, files to write, choices.

local esker = require "esker"
local unit = require "luaunit"

package.path = "lua/?.lua;" .. package.path
package.loaded["esker.files"] = { is_file = function(name) return name == "old.png" end,
    names = function() return { "old.png", "old.r16", "old.lua", "old.txt", "folder/" } end }
package.loaded["esker.terminal"] = { size = function() return 80 end }
package.loaded["esker.texts"] = { visible = function(text) return text end }
local completion = require "esker.help.completion"

TestCompletion = {}

function TestCompletion.test_texts()
    local land = esker.field{ size = 4, values = 0 }
    for before, expected in pairs{ ['esker.load("'] = { "folder/", "old.png", "old.r16" },
        ['esker.load("old.p'] = { "old.png" }, ['esker.load("new.p'] = {}, ['run "'] = { "folder/", "old.lua" },
        ['land:save("new.pg'] = { "new.pgm" }, ['land:save("old.pn'] = { "old.png" },
        ['esker.save(land, "new.asc'] = { "new.asc" }, ['land:mesh{}:save("new.gl'] = { "new.glb" },
        ['print("'] = {}, ['land:blend(land, { mode = "dark'] = { "darken" } } do
        unit.assertEquals((completion.candidates(before, { esker = esker, land = land })), expected, before)
    end
end

os.exit(unit.LuaUnit.run())
