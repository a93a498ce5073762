-- Functions as values that another process can be sent (lua/esker/carried.lua).

local unit = require "luaunit"
require "esker"
local carried = require "esker.carried"

TestCarried = {}

local function again(value)
    return carried.unpack(carried.pack(value))
end

function TestCarried.test_plain_values()
    for _, value in ipairs{ 1, 1.5, "text", true } do
        unit.assertEquals(again(value), value)
    end
    unit.assertNil(again(nil))
end

function TestCarried.test_tables_stay_one_where_they_are_one()
    local inner = { 1, name = "x" }
    local outer = setmetatable({ inner, inner, [inner] = 3 }, { __index = inner })
    outer.self = outer
    local made = again(outer)
    unit.assertNotEquals(tostring(made), tostring(outer))
    unit.assertTrue(rawequal(made[1], made[2]))
    unit.assertTrue(rawequal(made.self, made))
    unit.assertEquals(made[made[1]], 3)
    unit.assertEquals(made.name, "x")
end

function TestCarried.test_functions_share_their_variables()
    local count, nothing = 0, nil
    local function add(more)
        count = count + more
        return count
    end
    local function factorial(n)
        return n < 2 and 1 or n * factorial(n - 1)
    end
    local work = again(function(more)
        return add(more), count, factorial(5), nothing
    end)
    unit.assertEquals({ work(2) }, { 2, 2, 120 })
    unit.assertEquals({ work(3) }, { 5, 5, 120 })
    unit.assertEquals(count, 0)
end

-- What modules have is the other process's own.
function TestCarried.test_modules_go_by_name()
    local upper, strings = string.upper, string
    local work = again(function(text)
        return upper(text), rawequal(upper, string.upper), rawequal(strings, string)
    end)
    unit.assertEquals({ work("ab") }, { "AB", true, true })
    unit.assertTrue(rawequal(again(carried.pack), carried.pack))
    unit.assertTrue(rawequal(again(_G), _G))
end

function TestCarried.test_what_cannot_be_sent()
    local own = coroutine.wrap(function() end)
    unit.assertErrorMsgContains("a function of C cannot be sent to another process", carried.pack, function()
        return own()
    end)
end

os.exit(unit.LuaUnit.run())
