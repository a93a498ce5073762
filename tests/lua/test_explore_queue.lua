-- Which of the explorer's processes gets which task.

local unit = require "luaunit"

package.path = "lua/?.lua;" .. package.path
package.loaded["esker.screen"] = { note = print }
local queue = require "esker.explore.queue"

-- Two processes that note what they are given; finish(number) ends what one does.
local function two_processes()
    local given, ready = { {}, {} }, {}
    local work = queue.new(2, function(number)
        return {
            send = function(_, message)
                table.insert(given[number], message)
                return true
            end,
            receive = function() return true, { value = 1 } end,
            descriptor = function() return number end,
        }
    end)
    local function finish(number)
        ready = { [number] = true }
        work.go_on(ready)
    end
    local function add(name, near, more)
        local task = { message = name, light = true, near = near, done = function() end }
        for key, value in pairs(more or {}) do
            task[key] = value
        end
        work.add(task)
    end
    return add, finish, given
end

TestQueue = {}

-- Which another would have to run again.
function TestQueue.test_the_process_that_ran_the_recipe_draws_the_first_tile()
    local add, finish, given = two_processes()
    add("run", nil, { light = false })
    finish(1)
    add("a", { "5/0", "4/0" })
    add("elsewhere", { "5/9", "4/4" })
    unit.assertEquals(given, { { "run", "a" }, { "elsewhere" } })
    finish(2)
    finish(1)
    add("b")
    unit.assertEquals(given, { { "run", "a" }, { "elsewhere", "b" } })
end

function TestQueue.test_tiles_of_one_region_share_a_process()
    local add, finish, given = two_processes()
    add("a", { "5/0", "4/0" })
    add("b", { "5/0", "4/0" })
    add("child", { "6/0", "5/0" })
    unit.assertEquals(given, { {}, { "a" } })
    add("elsewhere", { "5/9", "4/4" })
    unit.assertEquals(given, { { "elsewhere" }, { "a" } })
    finish(1)
    unit.assertEquals(given, { { "elsewhere" }, { "a" } })
    finish(2)
    finish(2)
    unit.assertEquals(given, { { "elsewhere" }, { "a", "b", "child" } })
end

-- So it may have all threads.
function TestQueue.test_a_tile_hears_that_it_is_alone()
    local add, finish = two_processes()
    local function add_tile(x)
        local message = { x = x, y = "0" }
        add(message, { "5/0", level = "5" })
        return message
    end
    local alone = add_tile("1")
    local waits = add_tile("2")
    unit.assertTrue(alone.alone)
    unit.assertNil(waits.alone)
    add("elsewhere", { "7/7" })
    finish(2)
    unit.assertFalse(waits.alone)
end

function TestQueue.test_no_tile_lets_all_others_pass()
    local add, finish, given = two_processes()
    add("first", { "5/0", "4/0" }, { light = false })
    add("far", { "2/3" }, { light = false })
    for i = 1, 20 do
        add(i, { "5/0", "4/0" }, { light = false })
    end
    for _ = 1, 20 do
        finish(1)
    end
    local place
    for i, name in ipairs(given[1]) do
        place = name == "far" and i or place
    end
    unit.assertTrue(place and place <= 11, place)
end

function TestQueue.test_a_process_begins_elsewhere_where_many_wait()
    local add, _, given = two_processes()
    for i = 1, 9 do
        add(i, { "5/0", "4/0" })
    end
    unit.assertEquals(#given[1], 1)
end

function TestQueue.test_a_process_prefers_what_it_knows()
    local add, finish, given = two_processes()
    add("a", { "5/0", "4/0" })
    add("b", { "5/9", "4/4" })
    add("other", { "5/70", "4/35" })
    add("below b", { "6/18", "5/9" })
    finish(1)
    unit.assertEquals(given, { { "b", "below b" }, { "a" } })
end

function TestQueue.test_another_process_does_what_one_knows_if_that_is_free()
    local add, finish, given = two_processes()
    add("a", { "5/9", "4/4" })
    add("b", { "5/0", "4/0" })
    finish(1)
    finish(2)
    add("run", nil, { light = false })
    add("c", { "5/0", "4/0" })
    unit.assertEquals(given, { { "b", "run" }, { "a", "c" } })
end

function TestQueue.test_the_first_alone_does_what_is_not_light()
    local add, finish, given = two_processes()
    add("run", nil, { light = false })
    add("run again", nil, { light = false })
    add("tile")
    unit.assertEquals(given, { { "run" }, { "tile" } })
    finish(2)
    finish(1)
    unit.assertEquals(given, { { "run", "run again" }, { "tile" } })
end

-- A run of another page waits until what is asked of earlier runs is there, but not for ever.
function TestQueue.test_a_patient_task_lets_some_others_pass()
    local add, finish, given = two_processes()
    add("run", nil, { light = false })
    add("patient", nil, { light = false, patient = true })
    add("also patient", nil, { light = false, patient = true })
    for i = 1, 20 do
        add(i, nil, { light = false })
    end
    for _ = 1, 11 do
        finish(1)
    end
    unit.assertEquals(given[1], { "run", 1, 2, 3, 4, 5, 6, 7, 8, "patient", "also patient", 9 })
end

function TestQueue.test_what_nobody_waits_for_is_not_done()
    local add, finish, given = two_processes()
    add("a", nil, { light = false })
    local dropped = 0
    add("gone", nil, { light = false, is_wanted = function() return false end, dropped = function()
        dropped = dropped + 1
    end })
    add("b", nil, { light = false })
    finish(1)
    unit.assertEquals(given[1], { "a", "b" })
    unit.assertEquals(dropped, 1)
end

function TestQueue.test_a_tile_tells_which_of_its_neighbours_wait()
    local add, finish, given = two_processes()
    local function tile(x, y, level)
        add({ x = x, y = y }, { "5/0", "4/0", level = level or "5" })
    end
    add("busy", { "5/0", "4/0" })
    tile("9ffffffffff", "10")
    tile("a0000000000", "10")
    tile("a0000000000", "f")
    tile("a0000000001", "10") -- too far from the first
    tile("9ffffffffff", "11", "6") -- another level
    for _ = 1, 5 do
        finish(2)
    end
    local beside = {}
    for i = 2, 6 do
        beside[i - 1] = given[2][i].beside or false
    end
    unit.assertEquals(beside, { { left = 0, top = 1, right = 1, bottom = 0 }, false, false,
        { left = 0, top = 0, right = 0, bottom = 0 }, { left = 0, top = 0, right = 0, bottom = 0 } })
end

function TestQueue.test_cells_of_any_size_are_told_apart()
    local places = require "esker.places"
    local low, high = "9" .. ("f"):rep(19), "a" .. ("0"):rep(19)
    for _, case in ipairs{ { "3", "5", 2 }, { "10", "f", -1 }, { low, high, 1 }, { high, low, -1 },
        { low, low, 0 } } do
        unit.assertEquals(places.between(case[1], case[2]), case[3])
    end
    unit.assertNil(places.between("1" .. ("0"):rep(30), "f"))
end

function TestQueue.test_a_level_has_two_to_its_power_columns()
    local places = require "esker.places"
    for level = 0, 9 do
        for column = 0, 2 ^ (level + 1) // 1 do
            unit.assertEquals(places.is_cell(("%x"):format(column), level), column < 2 ^ level)
        end
    end
    unit.assertTrue(places.is_cell(("f"):rep(25), 100))
    unit.assertFalse(places.is_cell("1" .. ("0"):rep(25), 100))
    for _, text in ipairs{ "", "01", "F", "1 ", "g", "0x1" } do
        unit.assertFalse(places.is_cell(text, 50), text)
    end
end

-- Whole numbers and powers of two: nothing is rounded.
function TestQueue.test_a_cells_middle_is_a_place()
    local places = require "esker.places"
    local map = require "esker".river_map{ seed = 2, land = "raw" }
    for _, case in ipairs{ { "0", 0, 0.5 }, { "3", 2, 0.875 }, { "1f", 5, 63 / 64 }, { "abc", 12, 0xabc.8p-12 } } do
        local text = places.middle(case[1], case[2])
        unit.assertEquals(places.number(text), case[3])
        unit.assertEquals(map:altitude_at{ x = text, y = 0.5 }, map:altitude_at{ x = case[3], y = 0.5 })
    end
    local deep = places.middle("8" .. ("0"):rep(23) .. "1", 99) -- 2^-97 right of 0.5000…
    unit.assertNotEquals(map:altitude_at{ x = deep, y = 0.5, zoom = 2.0 ^ 80 }, nil)
end

function TestQueue.test_texts_of_places()
    local places = require "esker.places"
    for text, number in pairs{ ["0.5"] = 0.5, ["1"] = 1, ["1."] = 1, ["0x.8a"] = 0x.8a, ["0x8ap-8"] = 0x.8a,
        ["0x1.p-1"] = 0.5, ["0x" .. ("f"):rep(40) .. "p-160"] = 1 } do
        unit.assertEquals(places.number(text), number, text)
    end
    for _, text in ipairs{ "", "2", "1.5", "-0.5", "0x", "0x.", "0x.8g", "0x8", "0x8p", "0x8p-1", "nan", "inf", " 0.5",
        "1e-1", "0." .. ("1"):rep(200) } do
        unit.assertNil(places.number(text), text)
    end
end

os.exit(unit.LuaUnit.run())
