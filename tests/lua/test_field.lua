-- Fields as Lua values: made from numbers, functions and tables; read, changed, compared.

local unit = require "luaunit"
local esker = require "esker"

local function fails(message, f, ...)
    unit.assertErrorMsgContains(message, f, ...)
end

TestField = {}

function TestField.test_a_field_is_made_from_a_number_a_function_or_rows()
    local flat = esker.field{ width = 3, height = 2, values = 0.5 }
    local ramp = esker.field{ size = 4, values = function(x, y) return x + 10 * y end }
    local rows = esker.field{ values = { { 1, 2, 3 }, { 4, 5, 6 } } }
    unit.assertEquals({ flat.width, flat.height, flat:get(2, 1) }, { 3, 2, 0.5 })
    unit.assertEquals({ ramp:get(3, 0), ramp:get(0, 3), ramp:get(1, 2) }, { 3.0, 30.0, 21.0 })
    unit.assertEquals({ rows.width, rows.height, rows:get(2, 0), rows:get(0, 1) }, { 3, 2, 3.0, 4.0 })
    unit.assertEquals(tostring(rows), "Field 3 × 2")
end

function TestField.test_bytes_are_the_heights_row_by_row()
    local field = esker.field{ values = { { 1, -2.5 }, { 0, 3e-7 } } }
    local a, b, c, d = ("<ffff"):unpack(field:bytes())
    unit.assertEquals({ a, b, c, d, #field:bytes() }, { 1.0, -2.5, 0.0, field:get(1, 1), 16 })
end

function TestField.test_bad_values_are_named()
    fails('cell (1, 0) must be a number, got the text "x"', esker.field, { values = { { 1, "x" } } })
    fails("cell (1, 1) must be finite", esker.field, { values = { { 1, 2 }, { 3, 0 / 0 } } })
    fails("cell (0, 0) must be finite", esker.field, { size = 2, values = math.huge })
    fails("cell (0, 0) must be finite", esker.field, { size = 2, values = 1e300 })
    fails("row 2 of values must be a list of 2 numbers", esker.field, { values = { { 1, 2 }, { 3 } } })
    fails("values must be a list of rows", esker.field, { values = {} })
    fails("values must be a number, a function of (x, y) or a list of rows, got nil", esker.field, { size = 2 })
    fails("give size, or width and height", esker.field, { values = 1 })
    fails("size must be 1 to 65536, got 0", esker.field, { size = 0, values = 1 })
    fails("size must be 1 to 65536, got 1e+99", esker.field, { size = 1e99, values = 1 })
    fails("unknown argument 'value', did you mean 'values'?", esker.field, { size = 2, value = 1 })
    fails("takes one table", esker.field, 64)
end

function TestField.test_an_error_in_the_function_passes_through()
    fails("hello", esker.field, { size = 2, values = function() error("hello") end })
end

function TestField.test_cells_are_read_and_changed()
    local f = esker.field{ size = 4, values = 0 }
    f:set(3, 1, 0.25)
    unit.assertEquals(f:get(3, 1), 0.25)
    fails("there is no cell (4, 0), x is 0 to 3, y is 0 to 3", f.get, f, 4, 0)
    fails("there is no cell (0, -1)", f.set, f, 0, -1, 1)
    fails("get: takes x and y, got 3 arguments", f.get, f, 1, 2, 3)
    fails("set: takes x, y and a height, got 4 arguments", f.set, f, 1, 2, 3, 4)
    fails("must be finite", f.set, f, 0, 0, 0 / 0)
end

function TestField.test_equality_and_hash_tell_fields_apart()
    local function ramp() return esker.field{ size = 8, values = function(x, y) return x * y end } end
    local a, b = ramp(), ramp()
    unit.assertTrue(a == b)
    unit.assertEquals(a:hash(), b:hash())
    unit.assertEquals(#a:hash(), 16)
    b:set(7, 7, 48.999)
    unit.assertFalse(a == b)
    unit.assertNotEquals(a:hash(), b:hash())
end

function TestField.test_an_unknown_method_is_an_error()
    local f = esker.field{ size = 2, values = 0 }
    fails("Field has no method 'smooth'", function() return f:smooth() end)
end

function TestField.test_fields_that_are_no_longer_used_are_freed()
    collectgarbage()
    local before = esker.memory()
    local most = 0
    for _ = 1, 60 do
        esker.field{ size = 1024, values = 0 }
        most = math.max(most, (esker.memory()))
    end
    unit.assertTrue(most - before < 20 * 4 * 1024 * 1024, most)
    collectgarbage()
    unit.assertEquals(esker.memory(), before)
end

function TestField.test_a_field_can_be_closed_at_once()
    local before = esker.memory()
    do
        local f <close> = esker.field{ size = 512, values = 0 }
        unit.assertTrue((esker.memory()) > before)
        unit.assertEquals(f.width, 512)
    end
    unit.assertEquals(esker.memory(), before)
end

os.exit(unit.LuaUnit.run())
