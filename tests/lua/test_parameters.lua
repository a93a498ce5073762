-- params{…}: what a recipe declares, and what the command line makes of it.

local unit = require "luaunit"
require "esker"
local parameters = require "esker.recipe.parameters"

local function declare(overrides, declarations)
    local set = parameters.new(overrides)
    return set.declare(declarations), set
end

local function usage_of(overrides, declarations)
    local done, problem = pcall(declare, overrides, declarations)
    unit.assertFalse(done)
    return type(problem) == "table" and problem.usage or problem
end

TestParameters = {}

function TestParameters.test_defaults_hold_where_nothing_is_overridden()
    local p = declare({}, { seed = 7, talus = { 16, min = 0, max = 64 }, fast = false, name = "x" })
    unit.assertEquals(p.seed, 7)
    unit.assertEquals(p.talus, 16)
    unit.assertEquals(p.fast, false)
    unit.assertEquals(p.name, "x")
end

function TestParameters.test_text_is_read_by_the_kind_of_the_default()
    local p = declare({ seed = "12", talus = "2.5", fast = "true", name = "7", far = "1e3" },
        { seed = 7, talus = 16.0, fast = false, name = "x", far = 1.5 })
    unit.assertEquals(math.type(p.seed), "integer")
    unit.assertEquals(p.talus, 2.5)
    unit.assertEquals(p.fast, true)
    unit.assertEquals(p.name, "7")
    unit.assertEquals(p.far, 1000.0)
end

-- As `run(path, { x = … })` in a session and as a sweep give them.
function TestParameters.test_values_from_lua_are_exact_and_as_their_text()
    local p = declare({ x = 0.1 + 0.2, n = 8.0, on = true, name = 5 }, { x = 0.5, n = 0.5, on = false, name = "x" })
    unit.assertTrue(p.x == 0.1 + 0.2)
    unit.assertEquals(math.type(p.n), "integer") -- as n=8
    unit.assertEquals(p.on, true)
    unit.assertEquals(p.name, "5")
end

function TestParameters.test_an_integer_default_takes_numbers_unless_it_says_otherwise()
    local p = declare({ talus = "12.5", size = "64", n = "3" }, { talus = 12, size = 32, n = { 2, integer = true } })
    unit.assertEquals(p.talus, 12.5)
    unit.assertEquals(math.type(p.size), "integer")
    unit.assertEquals(math.type(p.n), "integer")
    unit.assertEquals(usage_of({ n = "2.5" }, { n = { 2, integer = true } }), "n must be a whole number, got '2.5'")
    unit.assertStrContains(usage_of({}, { n = { 2.5, integer = true } }),
        "the default of n must be a whole number, got 2.5")
end

function TestParameters.test_a_default_of_false_can_be_declared_in_a_table()
    local p = declare({}, { fast = { false, doc = "in a hurry" } })
    unit.assertEquals(p.fast, false)
end

function TestParameters.test_text_of_the_wrong_kind_is_named()
    unit.assertEquals(usage_of({ seed = "x" }, { seed = 1 }), "seed must be a whole number, got 'x'")
    unit.assertEquals(usage_of({ seed = "1.5" }, { seed = 1 }), "seed must be a whole number, got '1.5'")
    unit.assertEquals(usage_of({ talus = "" }, { talus = 1.5 }), "talus must be a number, got ''")
    unit.assertEquals(usage_of({ fast = "yes" }, { fast = true }), "fast must be true or false, got 'yes'")
end

function TestParameters.test_ranges_and_choices_are_checked()
    unit.assertEquals(usage_of({ talus = "65" }, { talus = { 16, min = 0, max = 64 } }),
        "talus must be 0 to 64, got 65")
    unit.assertEquals(usage_of({ n = "0" }, { n = { 2, min = 1 } }), "n must be at least 1, got 0")
    unit.assertEquals(usage_of({ t = "nan" }, { t = 1.5 }), "t must be a number, got 'nan'")
    unit.assertEquals(usage_of({ m = "c" }, { m = { "a", choices = { "a", "b" } } }), "m must be one of a, b, got c")
end

function TestParameters.test_an_unknown_override_lists_the_known()
    unit.assertEquals(usage_of({ tallus = "1" }, { talus = 1, seed = 2 }),
        "there is no parameter 'tallus', did you mean 'talus'? (it has seed, talus)")
end

function TestParameters.test_a_bad_default_is_the_recipes_error()
    unit.assertStrContains(usage_of({}, { talus = { 65, max = 64 } }), "the default of talus must be at most 64")
    unit.assertStrContains(usage_of({}, { talus = { min = 1 } }), "the default of talus must be a number")
    unit.assertStrContains(usage_of({}, { talus = { 1, maximum = 2 } }), "unknown key 'maximum'")
end

function TestParameters.test_the_table_is_strict()
    local p = declare({}, { talus = 16 })
    unit.assertErrorMsgContains("there is no parameter 'tallus', did you mean 'talus'?", function()
        return p.tallus
    end)
    unit.assertErrorMsgContains("'talus' cannot be changed", function()
        p.talus = 3
    end)
end

function TestParameters.test_words_read_back_as_the_same_values()
    local declarations = { a = 0.1, b = 1 / 3, c = 12, d = "two words", e = true, f = 1e300 }
    local p, set = declare({}, declarations)
    local overrides = {}
    for _, word in ipairs(set.words()) do
        local name, text = word:match("^(%w+)=(.*)$")
        overrides[name] = text
    end
    local again = declare(overrides, declarations)
    for name in pairs(declarations) do
        unit.assertEquals(again[name], p[name])
    end
end

function TestParameters.test_a_declaration_that_is_none_is_named_the_same_in_every_run()
    local lying = setmetatable({}, { __index = function() error("asked") end, __lt = function() return false end })
    local function problem_of(declarations)
        local _, problem = pcall(declare, {}, declarations)
        return (tostring(problem):gsub("^[^:]*:%d+: ", ""))
    end
    for _ = 1, 10 do
        local unknown, names = { 1 }, { [2] = 1, [lying] = 1, ["a b"] = 1, ok = 1 }
        for i = 1, math.random(30) do
            unknown["k" .. i + 10] = 1
            names["é" .. i] = 1
        end
        unit.assertStrContains(problem_of{ a = unknown }, "params: a: unknown key 'k11'")
        unit.assertEquals(problem_of(names), "params: names are letters, digits and _, got 2")
        names[2] = nil
        unit.assertEquals(problem_of(names), "params: names are letters, digits and _, got a b")
    end
    unit.assertEquals(problem_of{ [lying] = 1 }, "params: names are letters, digits and _, got a table")
    unit.assertEquals(problem_of{ a = lying },
        "params: the default of a must be a number, a string, true or false, got nil")
    unit.assertEquals(problem_of{ a = { 1, min = lying } }, "params: a: min must be a number, got a table")
    unit.assertEquals(problem_of{ a = { 1, doc = 2 } }, "params: a: doc must be a string, got a number")
    unit.assertEquals(problem_of{ a = { 1, choices = { lying } } },
        "params: a: choices are numbers and strings, got a table")
    unit.assertStrContains(problem_of{ b = lying, a = lying }, "the default of a must")
end

os.exit(unit.LuaUnit.run())
