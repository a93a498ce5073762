-- A page in a browser's tab and its workers, which take the place of the explorer's processes.

local unit = require "luaunit"

package.path = "lua/?.lua;" .. package.path
local told, work = {}, nil
package.loaded["esker.screen"], package.loaded["esker.texts"] = { note = print }, {}
package.loaded["esker.tab"] = { limit = function() end, pack = function(message) return message end,
    unpack = function(bytes) return bytes end,
    tell = function(kind, number) told[#told + 1] = kind .. " " .. number end }
package.loaded["esker.tab.absent"] = true
package.loaded["esker.explore.api"] = { new = function(_, _, queue) work = queue end }
local front = require "esker.tab.front"

TestTab = {}

function TestTab.test_workers_answer_and_end()
    local got = {}
    local function ask(message)
        told = {}
        work.add{ message = message, light = true, note = function(kind, text) got[#got + 1] = kind .. ": " .. text end,
            done = function(answer) got[#got + 1] = answer.error or answer.value end }
        return told
    end
    front.begin(1, "land.lua", '{ "text": "return 1" }')
    unit.assertEquals(ask "first", { "start 1", "send 1" })
    front.take(1, "step", "half")
    front.take(1, "answer", { true, { value = "tile" } })
    unit.assertEquals(ask "second", { "send 1" })
    front.take(1, "ended", "not enough memory")
    unit.assertEquals(ask "third", { "start 1", "send 1" })
    front.take(1, "answer", { true, { value = "another" } })
    unit.assertEquals(got, { "step: half", "tile", "not enough memory", "another" })
end

os.exit(unit.LuaUnit.run())
