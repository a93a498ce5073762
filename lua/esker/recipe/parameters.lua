-- params{…}: a recipe declares its parameters with their defaults; the command line, a sweep and the session override
-- them by name. The table returned is strict: a misspelt name is an error, not a nil that disappears in an argument
-- table.

local esker = require "esker"
local did_you_mean = require "esker.did_you_mean"
local keys = require "esker.keys"
local names_of = require "esker.names"
local usage_error = require "esker.usage_error"

local parameters = {}

local function unknown_name(name, names)
    local list = #names > 0 and (" (it has %s)"):format(table.concat(names, ", ")) or " (it has none)"
    return ("there is no parameter '%s'%s%s"):format(name, did_you_mean(esker.nearest(name, names)), list)
end

-- The kinds of parameter, by their default: their names, and how their text is read.
local kinds = {
    whole = { called = "a whole number", read = function(text) return math.tointeger(tonumber(text)) end },
    integer = { called = "a number", read = tonumber }, -- written without a point, as 12, but not `integer = true`
    float = { called = "a number", read = tonumber },
    boolean = {
        called = "true or false",
        read = function(text)
            return ({ ["true"] = true, ["false"] = false })[text]
        end,
    },
    string = { called = "a string", read = tostring },
}

local function kind_of(value, whole)
    return whole and "whole" or math.type(value) or type(value)
end

local function is_name(key)
    return type(key) == "string" and key:match("^[%a_][%w_]*$")
end

-- The members of a declaration besides its default.
local shapes = { { "min", "number" }, { "max", "number" }, { "doc", "string" }, { "choices", "table" },
    { "integer", "boolean" } }
local known = { true, default = true, min = true, max = true, doc = true, choices = true, integer = true }

-- Limits, since lists and completions of parameters keep all of them: counts and bytes.
local most = { parameters = 200, name = 100, doc = 1000, text = 4096, choices = 100, choice = 100 }

local function is_choice(value)
    return type(value) == "number" or type(value) == "string"
end

-- The keys of a declaration, from the recipe or sent by its process; nil and what is wrong with them.
local function read_spec(name, spec, default)
    local whole = rawget(spec, "integer") or name == "seed" and math.type(default) == "integer"
    local read = { default = whole and math.tointeger(default) or default, kind = kind_of(default, whole) }
    if not kinds[kind_of(default)] then
        return nil, ("the default of %s must be a number, a string, true or false, got %s"):format(name,
            esker.type(default))
    elseif whole and not math.tointeger(default) then
        return nil, ("the default of %s must be a whole number, got %s"):format(name, keys.text(default))
    end
    if #name > most.name then
        return nil, ("a name has at most %d bytes, got one of %d"):format(most.name, #name)
    elseif type(default) == "string" and #default > most.text then
        return nil, ("the default of %s has %d bytes, at most %d are allowed"):format(name, #default, most.text)
    end
    for _, shape in ipairs(shapes) do
        local key, wanted = table.unpack(shape)
        read[key] = rawget(spec, key)
        if read[key] ~= nil and type(read[key]) ~= wanted then
            return nil, ("%s: %s must be a %s, got a %s"):format(name, key, wanted, esker.type(read[key]))
        end
    end
    if read.doc and #read.doc > most.doc then
        return nil, ("%s: doc has %d bytes, at most %d are allowed"):format(name, #read.doc, most.doc)
    elseif read.choices and rawlen(read.choices) > most.choices then
        return nil, ("%s: it has %d choices, at most %d are allowed"):format(name, rawlen(read.choices), most.choices)
    elseif read.choices then
        read.choices = table.move(read.choices, 1, rawlen(read.choices), 1, {})
        for _, choice in ipairs(read.choices) do
            if not is_choice(choice) then
                return nil, ("%s: choices are numbers and strings, got a %s"):format(name, esker.type(choice))
            elseif #tostring(choice) > most.choice then
                return nil, ("%s: a choice has at most %d bytes, got one of %d"):format(name, most.choice, #choice)
            end
        end
    end
    return read
end

-- { 16, min = 0, max = 64, doc = "…" } or a plain default.
local function read_declaration(name, declaration)
    local spec = type(declaration) == "table" and declaration or { declaration }
    local default = rawget(spec, 1)
    if default == nil then
        default = rawget(spec, "default")
    end
    local read, problem = read_spec(name, spec, default)
    local unknown = read and keys.first_wrong(spec, function(key) return known[key] end)
    if unknown then
        problem = ("%s: unknown key '%s' (known: default, min, max, integer, choices, doc)"):format(name, unknown)
    end
    return problem and error("params: " .. problem, 4) or read
end

-- What is wrong with the value, or nil.
local function objection(spec, value)
    if type(value) == "number" then
        if value ~= value or value - value ~= 0 then
            return "finite"
        end
        if spec.min and spec.max and (value < spec.min or value > spec.max) then
            return ("%s to %s"):format(spec.min, spec.max)
        elseif spec.min and value < spec.min then
            return ("at least %s"):format(spec.min)
        elseif spec.max and value > spec.max then
            return ("at most %s"):format(spec.max)
        end
    end
    if spec.choices then
        for _, choice in ipairs(spec.choices) do
            if choice == value then
                return nil
            end
        end
        return "one of " .. table.concat(spec.choices, ", ")
    end
end

-- The allowed values of a parameter, in words.
function parameters.allowed(spec)
    if spec.choices then
        return "one of " .. table.concat(spec.choices, ", ")
    end
    local low, high = spec.min and parameters.exact_text(spec.min), spec.max and parameters.exact_text(spec.max)
    return kinds[spec.kind].called .. (low and high and (" from %s to %s"):format(low, high)
        or low and " of at least " .. low or high and " of at most " .. high or "")
end

-- `given` is text from the command line, or a value from Lua, which becomes what its text would.
local function read_override(name, spec, given)
    local text = parameters.exact_text(given)
    local value = kinds[spec.kind].read(text)
    if value == nil or (value == false and spec.kind ~= "boolean") then
        local at, after = text:find("..", 1, true)
        if not at then
            at, after = text:find("-", 2, true)
        end
        local low, high = tonumber(at and text:sub(1, at - 1)), tonumber(at and text:sub(after + 1))
        usage_error("%s must be %s, got '%s'%s", name, kinds[spec.kind].called, text, low and high
            and (" (esker sweep runs a range: %s=%s..%s)"):format(name, text:sub(1, at - 1), text:sub(after + 1)) or "")
    end
    local wrong = objection(spec, value)
    if wrong then
        usage_error("%s must be %s, got %s", name, wrong, text)
    end
    return value
end

local function strict(values)
    return setmetatable({}, {
        __index = function(_, name)
            local value = values[name]
            if value == nil then
                error(unknown_name(keys.text(name), names_of(values)), 2)
            end
            return value
        end,
        __newindex = function(_, name)
            error(("parameter '%s' cannot be changed; use a local variable"):format(keys.text(name)), 2)
        end,
        __pairs = function()
            local names, i = names_of(values), 0
            return function()
                i = i + 1
                return names[i], values[names[i]]
            end
        end,
    })
end

-- Declarations from a recipe's process, checked again.
function parameters.received(declared)
    local specs, count = {}, 0
    for name, spec in pairs(type(declared) == "table" and declared or {}) do
        count = count + 1
        local read = count <= most.parameters and is_name(name) and type(spec) == "table"
            and read_spec(name, spec, spec.default)
        specs[name] = read or error("the recipe's declarations cannot be read", 0)
    end
    return specs
end

-- A set of overrides, { name = text or value }, and the parameters that result. `declare` is the recipe's function
-- params; `declared` is nil until it has been called, `values` until all are valid. `lenient`: overrides that the
-- recipe does not take are left out.
function parameters.new(overrides, lenient)
    local set = {}

    function set.declare(declarations)
        if type(declarations) ~= "table" then
            error("params: takes one table, as in params{ seed = 1 }; got " .. esker.type(declarations), 2)
        end
        if set.values then
            error("params: may be called only once", 2)
        end
        local declared, values = {}, {}
        local wrong_name = keys.first_wrong(declarations, is_name)
        if wrong_name then
            error("params: names are letters, digits and _, got " .. wrong_name, 2)
        end
        local own_names = names_of(declarations)
        if #own_names > most.parameters then
            error(("params: a recipe has at most %d parameters, got %d"):format(most.parameters, #own_names), 2)
        end
        for _, name in ipairs(own_names) do
            declared[name] = read_declaration(name, rawget(declarations, name))
        end
        set.declared = declared
        for _, name in ipairs(names_of(overrides)) do
            local well, value = pcall(parameters.read, declared, name, overrides[name])
            if well then
                values[name] = value
            elseif not lenient then
                error(value, 0)
            end
        end
        for _, name in ipairs(names_of(declared)) do
            local spec = declared[name]
            if values[name] == nil then
                local wrong = objection(spec, spec.default)
                if wrong then
                    error(("params: the default of %s must be %s, got %s"):format(name, wrong, spec.default), 2)
                end
                values[name] = spec.default
            end
        end
        set.values = values
        if set.on_declare then
            set.on_declare()
        end
        return strict(values)
    end

    -- Called after the recipe: overrides that no params{} used are an error too.
    function set.check_used()
        if not set.values and next(overrides) and not lenient then
            usage_error("%s", unknown_name(names_of(overrides)[1], {}))
        end
    end

    function set.words()
        return parameters.words(set.values or {})
    end

    return set
end

-- What a recipe with these declarations (a set's `declared`) makes of a text or value; an error if it is invalid.
function parameters.read(declared, name, given)
    local spec = declared[name] or usage_error("%s", unknown_name(name, names_of(declared)))
    return read_override(name, spec, given)
end

-- Values, { name = value }, as `NAME=VALUE` words in alphabetical order, each of which reads back exactly.
function parameters.words(values)
    local words = {}
    for i, name in ipairs(names_of(values)) do
        words[i] = name .. "=" .. parameters.exact_text(values[name])
    end
    return words
end

-- The shortest text that reads back as the same value.
function parameters.exact_text(value)
    if math.type(value) ~= "float" then
        return tostring(value)
    end
    for digits = 6, 17 do
        local text = ("%%.%dg"):format(digits):format(value)
        if tonumber(text) == value then
            return text
        end
    end
    return value ~= value and "nan" or value > 0 and "inf" or "-inf" -- which no number reads back
end

return parameters
