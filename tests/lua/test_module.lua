-- The module in a Lua that is not Esker's.

local unit = require "luaunit"
local esker = require "esker"

local function lines_of(path)
    local file = assert(io.open(path))
    local text = file:read("a")
    file:close()
    return text
end

TestModule = {}

-- As lua_close does, while threads of the pool still look out for the next loop.
function TestModule.test_a_lua_that_unloads_its_modules_leaves_the_threads_their_code()
    local code = [[
        local esker = require "esker"
        esker.threads(4)
        esker.spectral{ size = 256 }:blur()
        local libraries = debug.getregistry()._CLIBS
        getmetatable(libraries).__gc(libraries)
        local there = false
        for line in io.lines("/proc/self/maps") do there = there or line:find("esker%.so") ~= nil end
        print(there)
        io.stdout:flush()
        os.exit(true, false)]]
    local lua = -1 -- the interpreter comes first, before its options
    while arg[lua - 1] do
        lua = lua - 1
    end
    local pipe = assert(io.popen(("%s -e '%s'"):format(arg[lua] or "lua5.4", code)))
    local said = pipe:read("a")
    unit.assertTrue((pipe:close()))
    unit.assertEquals(said, "true\n")
end

-- What is printed of a stranger's text passes through one module: lua/esker/screen.lua.
function TestModule.test_nothing_else_prints()
    local list = assert(io.popen("ls lua/esker/*.lua lua/esker/[!m]*/*.lua"))
    for path in list:lines() do
        local text = lines_of(path):gsub("%-%-[^\n]*", "")
        local prints = text:find("io%.stdout") or text:find("io%.stderr") or text:find("io%.write")
            or text:find("%f[%w_.]print%s*%(")
        unit.assertEquals(prints ~= nil, path == "lua/esker/screen.lua", path)
    end
    list:close()
end

-- Messages quote the first of several wrong keys, whatever the order that Lua keeps them in.
function TestModule.test_messages_name_the_first_key()
    for _ = 1, 20 do -- each table has its own size, and with it an order of its own
        local wrong = { size = 2, values = 0 }
        for i = 1, math.random(40) do wrong[("k%02d"):format(i)] = i end
        unit.assertErrorMsgContains("unknown argument 'k01'", esker.field, wrong)
        unit.assertErrorMsgContains("unknown argument 'k01'", esker.spectral, wrong)
    end
end

-- Of several names as near, the first in the alphabet; values that have an address by their type.
function TestModule.test_messages_hold_nothing_that_differs_from_run_to_run()
    unit.assertEquals(esker.nearest("bat", { "cat", "rat", "hat" }), "cat")
    unit.assertEquals(esker.nearest("bat", { "rat", "hat", "cat" }), "cat")
    unit.assertErrorMsgContains("must be 1 to 65536, got a list of 0", esker.field, { size = {} })
    unit.assertErrorMsgContains("-2^63 to 2^63 - 1, got function", esker.spectral, { size = 8, seed = print })
end

os.exit(unit.LuaUnit.run())
