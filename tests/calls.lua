-- The calls that fingerprint.lua makes, as a list that other languages repeat: { op =, inputs =, params =, made = }. A
-- value of Esker is { value = N }, the N-th that was made; `made` has the results in order: a hash, a number, a list or
-- texts by name. Calls whose arguments no other language has, and those that fail, are left out.

local esker = require "esker"
local value_types = require "esker.value_types"

local calls = {}

local list = {}
local numbers = setmetatable({}, { __mode = "k" }) -- of values that were made
local count = 0

-- What stands for an argument; nil where nothing can.
local function written(value)
    local kind = value_types[esker.type(value)]
    if kind then
        return numbers[value] and { value = numbers[value] }
    elseif type(value) ~= "table" then
        return type(value) ~= "function" and value or nil
    end
    local copy = {}
    for key, each in pairs(value) do
        copy[key] = written(each)
        if copy[key] == nil then
            return nil
        end
    end
    return copy
end

local function number_text(value)
    return { number = ("%.17g"):format(value) } -- JSON has no infinity
end

-- What others compare a result with.
local function seen(value)
    local kind = value_types[esker.type(value)]
    if kind then
        count = count + 1
        numbers[value] = count
        return { hash = value_types.has_method(kind, "hash") and value:hash() or "0000000000000000" }
    end
    if type(value) ~= "table" then
        return number_text(value)
    end
    local list_of = { list = {} }
    for i, number in ipairs(value) do
        list_of.list[i] = number_text(number).number
    end
    return list_of.list[1] and list_of or { labels = value }
end

-- Results in the order of the operation: numbers come in one table, by name.
local function results_of(operation, made)
    local first = made[1]
    if type(first) == "table" and #operation.outputs > 1 then
        local inner = {}
        for i, output in ipairs(operation.outputs) do
            inner[i] = first[output.name]
        end
        made = inner
    end
    local found = {}
    for i = 1, #operation.outputs do
        if made[i] ~= nil then
            found[#found + 1] = seen(made[i])
        end
    end
    return found
end

local function record(operation, given, made)
    local call = { op = operation.name, inputs = {}, params = {} }
    for i, value in ipairs(given) do
        local is_params = type(value) == "table" and not value_types[esker.type(value)]
        local text = written(value)
        if text == nil then
            return
        elseif is_params then
            call.params = text
        else
            call.inputs[i] = text
        end
    end
    call.made = results_of(operation, made)
    list[#list + 1] = call
end

-- Has the operations of the table `esker` tell what they are asked.
function calls.listen()
    for _, operation in ipairs(esker.operations()) do
        local run = esker[operation.name]
        esker[operation.name] = function(...)
            local made = table.pack(run(...))
            record(operation, { ... }, made)
            return table.unpack(made, 1, made.n)
        end
    end
end

local function json_of(value)
    if type(value) == "string" then
        return '"' .. value:gsub('[%c"\\]', function(byte) return ("\\u%04x"):format(byte:byte()) end) .. '"'
    elseif type(value) ~= "table" then
        return math.type(value) == "float" and ("%.17g"):format(value) or tostring(value)
    end
    local items = {}
    for i, each in ipairs(value) do
        items[i] = json_of(each)
    end
    if #items > 0 then
        return "[" .. table.concat(items, ",") .. "]"
    end
    for key, each in pairs(value) do
        items[#items + 1] = json_of(key) .. ":" .. json_of(each)
    end
    return "{" .. table.concat(items, ",") .. "}"
end

-- What was asked since, as JSON: a line for each call.
function calls.json()
    local lines = {}
    for i, call in ipairs(list) do
        lines[i] = ('{"op":%s,"inputs":[%s],"params":%s,"made":[%s]}'):format(json_of(call.op),
            json_of(call.inputs):sub(2, -2), json_of(call.params), json_of(call.made):sub(2, -2))
    end
    return "[" .. table.concat(lines, ",\n") .. "]\n"
end

return calls
