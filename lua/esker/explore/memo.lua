-- Operations in the explorer's processes: their results are computed when something reads them, and not again while
-- their arguments stay the same. What an operation gives is known by a key: a hash of its name and the keys of its
-- arguments; a field that comes from elsewhere is known by its cells.

local deferring = require "esker.deferring"
local esker = require "esker"
local host = require "esker.host"
local recipe_line = require "esker.recipe.line"
local texts = require "esker.texts"

local explore_memo = {}

-- Their declarations by name, those that were called: all of them would hold up the first picture of a page.
local operations = setmetatable({}, {
    __index = function(known, name)
        known[name] = deferring.declaration(name)
        return known[name]
    end,
})

local kinds = {} -- of values that can be made later
for _, declared in ipairs(esker.values()) do
    kinds[declared.kind] = true
end

local keys = setmetatable({}, { __mode = "k" }) -- of values
local users = setmetatable({}, { __mode = "k" }) -- lists of functions that compute what depends on a value
local entries, bytes, clock = {}, 0, 0 -- by key: { values =, bytes =, used = }

local active = false
local protected = 0 -- calls of pcall and xpcall that are being run

explore_memo.max_bytes = 64 * 2 ^ 20
explore_memo.computed = 0 -- operations of recipes, so far
explore_memo.warnings = {} -- of operations, in order: { line = "recipe.lua:3: ", text = "lake: …" }

local warned = {} -- the texts of the operation that runs now
host.on_warning(function(text) warned[#warned + 1] = text end)

-- --- keys ------------------------------------------------------------------------------------------------------------

local key_of

local function key_of_table(value, depth)
    local parts = {}
    for name, each in pairs(value) do -- of a frame, too, whose names are read by __pairs
        local name_key, key = key_of(name, depth + 1), key_of(each, depth + 1)
        if not name_key or not key then
            return nil
        end
        parts[#parts + 1] = name_key .. "=" .. key
    end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
end

-- A text that is equal for equal arguments; nil for what has none, such as functions.
key_of = function(value, depth)
    local kind = type(value)
    if math.type(value) == "float" then
        return ("%a"):format(value)
    elseif kind == "string" then
        return ("%d:%s"):format(#value, value)
    elseif kind == "nil" or kind == "boolean" or kind == "number" then
        return tostring(value)
    elseif kind == "table" then
        return depth < 8 and not getmetatable(value) and key_of_table(value, depth) or nil
    elseif kind ~= "userdata" or keys[value] then
        return keys[value]
    end
    local well, hash = pcall(function() return value:hash() end)
    local is_field = well and esker.type(value) == "Field"
    local frame = is_field and value.frame and key_of_table(value.frame, 0) or ""
    keys[value] = well and ("cells %s %s %s"):format(hash, is_field and value.wraps, frame) or nil
    return keys[value]
end

-- --- what is kept ----------------------------------------------------------------------------------------------------

local function size_of(value)
    local name = esker.type(value)
    if name == "Field" or name == "Image" then
        return 4 * value.width * value.height
    end
    return type(value) == "userdata" and 2 ^ 18 or 100
end

local function drop(key)
    bytes = bytes - (entries[key] and entries[key].bytes or 0)
    entries[key] = nil
end

function explore_memo.clear()
    entries, bytes = {}, 0
    collectgarbage()
end

local function keep(key, values)
    drop(key)
    local size = 1000
    for i = 1, values.n do
        size = size + size_of(values[i])
        if type(values[i]) == "userdata" then
            keys[values[i]] = key .. "/" .. i
        end
    end
    clock = clock + 1
    entries[key] = { values = values, bytes = size, used = clock }
    bytes = bytes + size
    while bytes > explore_memo.max_bytes do
        local oldest
        for each, entry in pairs(entries) do
            oldest = (not oldest or entry.used < entries[oldest].used) and each or oldest
        end
        drop(oldest)
    end
end

local function find(key)
    local entry = key and entries[key]
    if entry then
        clock = clock + 1
        entry.used = clock
        return entry.values
    end
end

-- --- calls -----------------------------------------------------------------------------------------------------------

local function copy(value)
    if type(value) ~= "table" then
        return value
    end
    local own = {}
    for name, each in next, value do
        own[name] = copy(each)
    end
    return own
end

-- A kept value for a recipe, which may change fields and tables, but no other values.
local function handed(value, key)
    local own = value
    if type(value) == "table" then
        own = {}
        for name, each in next, value do
            own[name] = handed(each, key .. "." .. tostring(name))
        end
    elseif esker.type(value) == "Field" then
        own = deferring.copied(value)
        keys[own] = key
    end
    return own
end

-- An operation's results, in a list, as it returns them.
local function returned(operation, values)
    if not operation.record or values.n < #operation.outputs then
        return table.unpack(values, 1, values.n)
    end
    local record = {}
    for i, output in ipairs(operation.outputs) do
        record[output.name] = values[i]
    end
    return record
end

local function handed_all(operation, values, key)
    local own = { n = values.n }
    for i = 1, values.n do
        own[i] = handed(values[i], key .. "/" .. i)
    end
    return returned(operation, own)
end

-- The error of an operation, which begins with the recipe's line if it is its own, not that of an argument.
local function raise(name, where, problem)
    local own = type(problem) == "string" and problem:sub(1, #name + 1) == name .. ":"
    error(own and where .. problem or problem, 0)
end

-- What an operation warned of when it ran belongs to each line that has its result.
local function tell_warnings(texts_of_it, where)
    for _, text in ipairs(texts_of_it or {}) do
        table.insert(explore_memo.warnings, { line = where, text = text })
    end
end

-- Calls an operation, and gives what it warned of. Arguments may be computed meanwhile, with warnings of their own.
local function heard(direct, arguments)
    local before, own = warned, {}
    warned = own
    local made = table.pack(pcall(direct, table.unpack(arguments, 1, arguments.n)))
    warned = before
    return made, own
end

-- Runs an operation; an error begins with the recipe's line.
local function run(name, where, direct, arguments)
    explore_memo.computed = explore_memo.computed + 1
    local made, warnings = heard(direct, arguments)
    if not made[1] and tostring(made[2]):find("memory", 1, true) and next(entries) then
        explore_memo.clear()
        made, warnings = heard(direct, arguments)
    end
    if not made[1] then
        raise(name, where, made[2])
    end
    tell_warnings(warnings, where)
    local values = table.pack(table.unpack(made, 2, made.n))
    values.warnings = warnings
    return values
end

-- Whether all outputs are values, and are there in any case.
local function is_deferrable(operation)
    for _, output in ipairs(operation.outputs) do
        if output.optional or not kinds[output.kind] then
            return false
        end
    end
    return not operation.one_output and operation.outputs[1] ~= nil
end

local function add_user(value, make)
    if type(value) == "userdata" then
        users[value] = users[value] or {}
        table.insert(users[value], make)
    elseif type(value) == "table" then
        for _, each in next, value do
            add_user(each, make)
        end
    end
end

-- Empty results that are filled when one of them is read.
local function later(operation, where, direct, arguments, key)
    local results = { n = #operation.outputs }
    local done = false
    local function make()
        if done then
            return
        end
        local made = run(operation.name, where, direct, arguments)
        results.warnings = made.warnings
        if operation.record then
            made = made[1]
        end
        done, arguments = true, nil
        for i = 1, results.n do
            deferring.fill(results[i], made[operation.record and operation.outputs[i].name or i])
        end
        if key then
            keep(key, results)
        end
    end
    for i, output in ipairs(operation.outputs) do
        results[i] = deferring.value(output.kind, make)
        keys[results[i]] = key and key .. "/" .. i
    end
    add_user(arguments, make)
    return results
end

-- nil where an argument has no key.
local function key_of_call(name, arguments)
    local parts = { name }
    for i = 1, arguments.n do
        parts[i + 1] = key_of(arguments[i], 0)
        if not parts[i + 1] then
            return nil
        end
    end
    return texts.hash(table.concat(parts, "\0"))
end

local function call(name, direct, ...)
    if not active then
        return direct(...)
    end
    local operation = operations[name]
    local arguments = table.pack(...)
    local key = operation.category ~= "file" and key_of_call(name, arguments)
    local found = find(key)
    if found then
        tell_warnings(found.warnings, found.warnings and found.warnings[1] and recipe_line())
        return handed_all(operation, found, key)
    elseif not key then
        return table.unpack(run(name, recipe_line(), direct, arguments))
    end
    for i = 1, arguments.n do
        arguments[i] = copy(arguments[i]) -- the recipe may change its tables
    end
    if protected == 0 and is_deferrable(operation) then
        local well, problem = pcall(deferring.check, name, table.unpack(arguments, 1, arguments.n))
        if not well then -- which would be told only where a result is looked at
            raise(name, recipe_line(), problem)
        end
        return returned(operation, later(operation, recipe_line(), direct, arguments, key))
    end
    local made = run(name, recipe_line(), direct, arguments)
    keep(key, made)
    return handed_all(operation, made, key)
end

-- A field is about to be changed: what depends on it is computed first.
local function change(value)
    for _, make in ipairs(users[value] or {}) do
        make()
    end
    users[value] = nil
    if keys[value] then
        drop(keys[value]:match("^%x+"))
        keys[value] = nil
    end
end

-- A function of Lua that catches errors, in which operations are computed at once: later nobody would catch them.
local function catching(catch)
    local function finish(...)
        protected = protected - 1
        return ...
    end
    return function(...)
        protected = protected + 1
        return finish(catch(...))
    end
end

-- For recipes, instead of Lua's own.
explore_memo.functions = { pcall = catching(pcall), xpcall = catching(xpcall) }

-- Calls a function whose operations are kept and deferred; those that its results need later are, too.
function explore_memo.within(f)
    deferring.begin(call, change)
    active, protected = true, 0
    local results = table.pack(pcall(f))
    active = false
    if not results[1] then
        error(results[2], 0)
    end
    return table.unpack(results, 2, results.n)
end

return explore_memo
