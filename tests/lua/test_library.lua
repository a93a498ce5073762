-- Lua's library as recipes see it: nothing that differs from run to run, and nothing that reaches beyond.

local unit = require "luaunit"
require "esker"
local library = require "esker.recipe.library"

local function environment()
    local env = {}
    library.fill(env)
    return env
end

local env = environment()

local function keys_by_pairs(t)
    local keys = {}
    for key, value in env.pairs(t) do
        unit.assertEquals(value, t[key])
        keys[#keys + 1] = key
    end
    return keys
end

local function keys_by_next(t)
    local keys = {}
    local key = env.next(t)
    while key ~= nil do
        keys[#keys + 1] = key
        key = env.next(t, key)
    end
    return keys
end

TestOrder = {}

function TestOrder.test_numbers_then_strings_then_booleans()
    local t = { 10, 20, [5] = 5, [-1] = 1, [0.5] = 2, b = 3, a = 4, [""] = 6, [false] = 7, [true] = 8, [2 ^ 53] = 9 }
    local expected = { 1, 2, -1, 0.5, 5, 2 ^ 53, "", "a", "b", false, true }
    unit.assertEquals(keys_by_pairs(t), expected)
    unit.assertEquals(keys_by_next(t), expected)
end

function TestOrder.test_every_key_comes_once_whatever_was_put_in_first()
    math.randomseed(7)
    for _ = 1, 200 do
        local list, t, again = {}, {}, {}
        for i = 1, math.random(0, 40) do
            local kind = math.random(4)
            list[i] = kind == 1 and math.random(-5, 20) or kind == 2 and math.random() or "k" .. math.random(99)
        end
        for _, key in ipairs(list) do
            t[key] = true
        end
        for i = #list, 1, -1 do
            again[list[i]] = true
        end
        local count = 0
        for _ in pairs(t) do
            count = count + 1
        end
        local keys = keys_by_pairs(t)
        unit.assertEquals(#keys, count)
        unit.assertEquals(keys_by_pairs(again), keys)
        unit.assertEquals(keys_by_next(t), keys)
    end
end

function TestOrder.test_entries_may_be_changed_and_removed_on_the_way()
    local t = { 1, 2, 3, a = 4, b = 5, c = 6 }
    local seen = {}
    for key in env.pairs(t) do
        seen[#seen + 1] = key
        t[key] = key == "a" and 7 or nil
        t.b = nil
    end
    unit.assertEquals(seen, { 1, 2, 3, "a", "c" })
    unit.assertEquals(t, { a = 7 })
    t = { x = 1, y = 2, z = 3 }
    for key in env.next, t do
        t[key] = nil
    end
    unit.assertNil(next(t))
end

function TestOrder.test_two_tables_at_once()
    local a, b, lines = { p = 1, q = 2, r = 3 }, { 7, 8, s = 9 }, {}
    local i, j = env.next(a), env.next(b)
    while i ~= nil or j ~= nil do
        lines[#lines + 1] = tostring(i) .. tostring(j)
        i, j = i ~= nil and env.next(a, i) or nil, j ~= nil and env.next(b, j) or nil
    end
    unit.assertEquals(lines, { "p1", "q2", "rs" })
    -- As queues are emptied.
    a, b, lines = { x = 1, y = 2, z = 3 }, { 7, 8, 9 }, {}
    for _ = 1, 3 do
        for _, t in ipairs{ a, b } do
            local key = env.next(t)
            lines[#lines + 1] = tostring(key)
            t[key] = nil
        end
    end
    unit.assertEquals(table.concat(lines), "x1y2z3")
    i, j = nil, nil
    a, b, lines = { x = 1, y = false, z = 3 }, { 7, false, [-1] = 9 }, {}
    repeat -- removed on the way, two at once
        local v, w
        i, v = env.next(a, i)
        j, w = env.next(b, j)
        lines[#lines + 1] = tostring(i) .. tostring(v) .. tostring(j) .. tostring(w)
        if i ~= nil then a[i], b[j] = nil, nil end
    until i == nil
    unit.assertEquals(table.concat(lines, " "), "x117 yfalse2false z3-19 nilnilnilnil")
    local grown = { p = 1 }
    env.next(grown, env.next(grown))
    grown.q = 2
    unit.assertEquals(keys_by_next(grown), { "p", "q" })
    unit.assertNil(env.next({}))
    unit.assertErrorMsgContains("invalid key", env.next, a, 0 / 0)
end

function TestOrder.test_one_key_without_an_order_is_the_last_and_two_are_an_error()
    local key = {}
    unit.assertEquals(keys_by_pairs({ [key] = 1, z = 2 }), { "z", key })
    unit.assertErrorMsgContains("have no order", env.pairs, { [{}] = 1, [print] = 2 })
    unit.assertErrorMsgContains("table expected, got nil", env.pairs, nil)
    unit.assertErrorMsgContains("table expected, got nil", env.next, nil)
end

function TestOrder.test_metatables_answer_for_themselves()
    local t = setmetatable({}, { __pairs = function() return next, { x = 1 } end })
    local seen = {}
    for key, value in env.pairs(t) do
        seen[key] = value
    end
    unit.assertEquals(seen, { x = 1 })
    unit.assertEquals(keys_by_pairs(setmetatable({ a = 1 }, { __index = { b = 2 } })), { "a" })
end

TestSort = {}

function TestSort.test_equal_elements_keep_their_order()
    math.randomseed(3)
    for count = 0, 130 do
        local list = {}
        for i = 1, count do
            list[i] = { value = math.random(10), place = i }
        end
        env.table.sort(list, function(a, b) return a.value < b.value end)
        unit.assertEquals(#list, count)
        for i = 2, count do
            local a, b = list[i - 1], list[i]
            unit.assertTrue(a.value < b.value or (a.value == b.value and a.place < b.place))
        end
    end
end

function TestSort.test_it_sorts_as_stock_lua_does()
    local words = {}
    for word in ("the quick brown fox jumps over the lazy dog 12 7 A a"):gmatch("%S+") do
        words[#words + 1] = word
    end
    local mine, stock = { table.unpack(words) }, { table.unpack(words) }
    env.table.sort(mine)
    table.sort(stock)
    unit.assertEquals(mine, stock)
    unit.assertErrorMsgContains("table expected, got nil", env.table.sort)
    unit.assertErrorMsgContains("function expected, got number", env.table.sort, {}, 1)
    unit.assertErrorMsgContains("compare", env.table.sort, { 1, "x" })
end

TestText = {}

function TestText.test_no_address_is_seen()
    local fresh = environment()
    local t, f = {}, function() end
    local first = fresh.tostring(t)
    unit.assertStrMatches(first, "table: %d+")
    unit.assertEquals(fresh.tostring(t), first)
    unit.assertStrMatches(fresh.tostring(f), "function: %d+")
    unit.assertStrMatches(fresh.tostring(coroutine.create(f)), "thread: %d+")
    unit.assertEquals(fresh.string.format("%s|%5.1f|%%p", t, 2), first .. "|  2.0|%p")
    unit.assertErrorMsgContains("shows addresses", fresh.string.format, "%p", t)
    unit.assertErrorMsgContains("shows addresses", fresh.string.format, "%-20p", "x")
    unit.assertEquals(fresh.tostring(setmetatable({}, { __tostring = function() return "mine" end })), "mine")
    unit.assertStrMatches(fresh.tostring(setmetatable({}, { __name = "Hill" })), "Hill: %d+")
    unit.assertEquals(fresh.tostring(nil), "nil")
    unit.assertEquals(fresh.tostring(1.5), "1.5")
end

function TestText.test_print_gives_whole_lines_without_addresses()
    local lines = {}
    local function write(...) lines[#lines + 1] = table.concat{ ... } end
    library.printer(write)(1, "b", nil, print)
    library.printer(write, true)("c", print)
    unit.assertEquals(lines[1]:gsub("%d+\n$", "N\n"), "1\tb\tnil\tfunction: N\n")
    unit.assertEquals(lines[2], "c\t" .. tostring(print) .. "\n")
end

TestReach = {}

function TestReach.test_chance_the_present_and_collection_are_errors()
    unit.assertErrorMsgContains("give a seed", env.math.randomseed)
    unit.assertErrorMsgContains("os.time: recipes cannot read the time", env.os.time)
    unit.assertErrorMsgContains("os.date: recipes cannot read the time", env.os.date, "%Y")
    unit.assertEquals(env.os.date("!%Y", 0), "1970")
    unit.assertEquals(type(env.os.clock()), "number")
    unit.assertErrorMsgContains("__gc is for trusted", env.setmetatable, {}, { __gc = print })
    unit.assertErrorMsgContains("__mode is for trusted", env.setmetatable, {}, { __mode = "k" })
    unit.assertEquals(getmetatable(env.setmetatable({}, { __index = 1 })).__index, 1)
    env.math.randomseed(5)
    local first = env.math.random()
    env.math.randomseed(5)
    unit.assertEquals(env.math.random(), first)
end

function TestReach.test_only_text_is_loaded()
    unit.assertNil(env.string.dump)
    local chunk, problem = env.load(string.dump(function() return 1 end), "x", "b")
    unit.assertNil(chunk)
    unit.assertStrContains(problem, "attempt to load a binary chunk")
    unit.assertEquals(env.load("return 2")(), 2)
    unit.assertErrorMsgContains("nil value", env.load("return io.open"))
    for _, name in ipairs{ "io", "debug", "package", "require", "collectgarbage", "dofile", "loadfile" } do
        unit.assertNil(env[name])
    end
end

os.exit(unit.LuaUnit.run())
