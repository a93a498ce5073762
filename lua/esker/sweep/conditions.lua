-- Conditions over the columns of a table, as in `talus > 8 and play.suitability >= 0.5`: a small language, parsed here
-- and, in a gallery, by src/web/conditions.js. Nothing is evaluated as Lua.
--
--   condition:  `or` of `and` of `not` of comparisons (== ~= < <= > >=) of sums
--   sums:       + - * / % ^, unary minus, parentheses
--   values:     8, 0.5, 1e-3, "text", 'text', true, false, and names; `a name` in backquotes may hold a minus
--
-- A comparison with a name that has no value in the row, or with NaN, is false.

local names_of = require "esker.names"
local usage_error = require "esker.usage_error"

local conditions = {}

-- --- words -----------------------------------------------------------------------------------------------------------

local patterns = { -- kind, pattern; the first that matches
    { "space", "^%s+()" },
    { "number", "^%d+%.?%d*()" }, { "number", "^%.%d+()" },
    { "text", '^"[^"]*"()' }, { "text", "^'[^']*'()" }, { "quoted", "^`[^`]+`()" },
    { "name", "^[%a_][%w_]*()" },
    { "sign", "^[=~<>]=()" }, { "sign", "^[<>+%-*/%%^()]()" },
}

local words = { ["and"] = "sign", ["or"] = "sign", ["not"] = "sign", ["true"] = "boolean", ["false"] = "boolean" }

local most_words = 1000

-- A list of { kind, text, at }; the last is { "end" }.
local function split(source, fail)
    local tokens, at = {}, 1
    while at <= #source do
        local kind, stop
        for _, pattern in ipairs(patterns) do
            kind, stop = pattern[1], source:match(pattern[2], at)
            if stop then
                break
            end
        end
        if not stop then
            fail(source:match("^=[^=]", at) and "'%s': equality is written ==" or "'%s' is not understood",
                source:sub(at))
        end
        if kind == "number" then
            stop = source:match("^[eE][+-]?%d+()", stop) or stop
        elseif kind == "name" then -- play.suitability is one
            while source:match("^%.[%w_]", stop) do
                stop = source:match("^%.[%w_]+()", stop)
            end
        end
        local text = source:sub(at, stop - 1)
        if kind ~= "space" then
            tokens[#tokens + 1] = { words[text] or kind, text }
            if #tokens >= most_words then -- each may nest deeper
                fail("the condition has more than %s words", "1,000")
            end
        end
        at = stop
    end
    tokens[#tokens + 1] = { "end", "" }
    return tokens
end

-- --- meaning ---------------------------------------------------------------------------------------------------------

local arithmetic = {
    ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
    ["*"] = function(a, b) return a * b end, ["/"] = function(a, b) return a / b end,
    ["%"] = function(a, b) return b ~= 0 and a % b or nil end, ["^"] = function(a, b) return a ^ b end,
}

local ordered = {
    ["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end,
    [">"] = function(a, b) return a > b end, [">="] = function(a, b) return a >= b end,
}

local function is_missing(value)
    return value == nil or value ~= value
end

local function compare(operator, a, b)
    if is_missing(a) or is_missing(b) then
        return false
    elseif operator == "==" or operator == "~=" then
        return (a == b) == (operator == "==")
    end
    return type(a) == type(b) and type(a) ~= "boolean" and ordered[operator](a, b)
end

local function calculate(operator, a, b)
    if type(a) == "number" and type(b) == "number" then
        return arithmetic[operator](a, b)
    end
end

-- --- grammar ---------------------------------------------------------------------------------------------------------

-- Operators from lowest to highest precedence: for each level its operators, whether they repeat, and their function of
-- two values.
local levels = {
    { { ["or"] = true }, true, function(_, a, b) return a == true or b == true end },
    { { ["and"] = true }, true, function(_, a, b) return a == true and b == true end },
    { { ["not"] = true }, nil, function(_, a) return a ~= true end },
    { { ["=="] = true, ["~="] = true, ["<"] = true, ["<="] = true, [">"] = true, [">="] = true }, false, compare },
    { { ["+"] = true, ["-"] = true }, true, calculate },
    { { ["*"] = true, ["/"] = true, ["%"] = true }, true, calculate },
    { { ["-"] = true }, nil, function(_, a) return calculate("-", 0, a) end },
}

-- What is left to read of a condition: tokens from `at` on. Each read_… returns a function of a row's values.
local Reader = {}
Reader.__index = Reader

function Reader:fail(...)
    usage_error("%s: %s", self.option, string.format(...))
end

-- The next token's kind and text.
function Reader:next()
    return table.unpack(self.tokens[self.at])
end

-- Whether the next token is one of these signs: takes it.
function Reader:take(signs)
    local kind, text = self:next()
    if kind == "sign" and signs[text] then
        self.at = self.at + 1
        return text
    end
end

function Reader:read_name(name)
    if self.known[name] == nil then
        self:fail("there is no '%s' (there are %s)", name, table.concat(names_of(self.known), ", "))
    end
    return function(values)
        return values[name]
    end
end

function Reader:read_value()
    local kind, text = self:next()
    self.at = self.at + 1
    if kind == "number" or kind == "text" or kind == "boolean" then
        local value = kind == "number" and tonumber(text) or kind == "text" and text:sub(2, -2) or text == "true"
        return function() return value end
    elseif kind == "name" or kind == "quoted" then
        return self:read_name(kind == "quoted" and text:sub(2, -2) or text)
    elseif text == "(" then
        local inner = self:read_level(1)
        if not self:take{ [")"] = true } then
            self:fail("a ) is missing in '%s'", self.source)
        end
        return inner
    end
    self:fail(kind == "end" and "a value is missing at the end of '%s'" or "a value is missing before '%s'",
        kind == "end" and self.source or text)
end

function Reader:read_power()
    local base = self:read_value()
    if not self:take{ ["^"] = true } then
        return base
    end
    local exponent = self:read_level(#levels)
    return function(values)
        return calculate("^", base(values), exponent(values))
    end
end

function Reader:read_level(number)
    local level = levels[number]
    if not level then
        return self:read_power()
    end
    local operators, repeats, combine = level[1], level[2], level[3]
    if repeats == nil then -- before its value
        if not self:take(operators) then
            return self:read_level(number + 1)
        end
        local inner = self:read_level(number)
        return function(values) return combine(nil, inner(values)) end
    end
    local left, operator = self:read_level(number + 1), self:take(operators)
    while operator do
        local before, after, sign = left, self:read_level(number + 1), operator
        left = function(values) return combine(sign, before(values), after(values)) end
        operator = repeats and self:take(operators)
    end
    return left
end

-- A function of a row's values, { name = value }. `known` has the existing names; other names are errors that name
-- `option`.
function conditions.read(source, option, known)
    local reader = setmetatable({ source = source, option = option, known = known, at = 1 }, Reader)
    reader.tokens = split(source, function(...) reader:fail(...) end)
    local whole = reader:read_level(1)
    local kind, text = reader:next()
    if kind ~= "end" then
        reader:fail("'%s' is not expected", text)
    end
    return function(values)
        return whole(values) == true
    end
end

return conditions
