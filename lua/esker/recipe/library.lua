-- The Lua library that recipes see: nothing that reaches outside the recipe, and nothing that differs from run to run.
-- Stock Lua visits string keys in an order that changes with each start, prints addresses, breaks ties in a sort by the
-- clock, and seeds its random numbers from it.

local library = {}

local raw_next, raw_tostring, raw_format, raw_sort = next, tostring, string.format, table.sort
local metatable_of = debug.getmetatable

-- The parts of Lua's library that recipes get unchanged. The rest (io, debug, package, collectgarbage, the rest of os)
-- is for trusted recipes.
local plain = { "assert", "error", "getmetatable", "ipairs", "pcall", "rawequal", "rawget", "rawlen", "rawset",
    "select", "tonumber", "type", "xpcall", "_VERSION" }

local function metamethod(value, name)
    local meta = metatable_of(value)
    return type(meta) == "table" and rawget(meta, name) or nil
end

-- --- order -----------------------------------------------------------------------------------------------------------

local order_of_kinds = { number = 1, string = 2, boolean = 3 }

local function key_before(a, b)
    local kind_a, kind_b = type(a), type(b)
    if kind_a ~= kind_b then
        return (order_of_kinds[kind_a] or 4) < (order_of_kinds[kind_b] or 4)
    elseif kind_a == "boolean" then
        return not a and b
    end
    return a < b
end

local function refuse_unordered()
    error("pairs: keys that are tables, functions or fields have no order that is the same in every run; "
        .. "use a list (--trust lifts this)", 4)
end

-- The keys of a table: 1, 2, 3 … as far as they go, then other numbers, strings, false and true in ascending order,
-- then at most one key without an order. `present` counts as a key even if it has been removed.
local function ordered_keys(t, present)
    local keys, count = {}, 0
    while rawget(t, count + 1) ~= nil or (count + 1 == present) do
        count = count + 1
        keys[count] = count
    end
    local rest, sequence = {}, count
    local of_kind = { number = 0, string = 0, boolean = 0 }
    local function put(key)
        if math.type(key) ~= "integer" or key < 1 or key > sequence then
            rest[#rest + 1] = key
            local kind = type(key)
            of_kind[kind] = (of_kind[kind] or 0) + 1
        end
    end
    for key in raw_next, t do
        put(key)
    end
    if present ~= nil and rawget(t, present) == nil then
        put(present)
    end
    if #rest - of_kind.number - of_kind.string - of_kind.boolean > 1 then
        refuse_unordered()
    end
    local alike = of_kind.number == #rest or of_kind.string == #rest -- which Lua can sort, and quickly
    raw_sort(rest, not alike and key_before or nil)
    table.move(rest, 1, #rest, sequence + 1, keys)
    return keys
end

local function ordered_pairs(t)
    local own = metamethod(t, "__pairs")
    if own then
        local step, state, first = own(t)
        return step, state, first
    elseif type(t) ~= "table" then
        error(raw_format("bad argument #1 to 'pairs' (table expected, got %s)", type(t)), 2)
    end
    local keys, at = ordered_keys(t), 0
    return function()
        local key, value
        repeat -- skips what was removed meanwhile
            at = at + 1
            key = keys[at]
            if key == nil then
                return nil
            end
            value = rawget(t, key)
        until value ~= nil
        return key, value
    end, t, nil
end

-- The first of these keys, usually the only one that `next(t)` is called for.
local function first_key(t)
    if rawget(t, 1) ~= nil then
        return 1
    end
    local first, unordered = nil, 0
    for key in raw_next, t do
        unordered = unordered + (order_of_kinds[type(key)] and 0 or 1)
        if unordered > 1 then
            refuse_unordered()
        elseif first == nil or key_before(key, first) then
            first = key
        end
    end
    return first
end

-- For each table that next iterates over: its keys, and the position in them.
local walks = setmetatable({}, { __mode = "k" })

local function walk_at(t, key)
    local walk = walks[t]
    if walk and walk.keys[walk.at] == key then
        return walk
    end
    walk = { keys = ordered_keys(t, key), at = 1 }
    while walk.keys[walk.at] ~= key do
        walk.at = walk.at + 1
    end
    walks[t] = walk
    return walk
end

local function ordered_next(t, key)
    if type(t) ~= "table" then
        error(raw_format("bad argument #1 to 'next' (table expected, got %s)", type(t)), 2)
    end
    local following
    if key ~= key then
        error("invalid key to 'next'", 2)
    elseif key == nil then
        walks[t] = nil
        following = first_key(t)
    else
        local walk = walk_at(t, key)
        repeat -- skips what was removed meanwhile
            walk.at = walk.at + 1
            following = walk.keys[walk.at]
        until following == nil or rawget(t, following) ~= nil
    end
    if following == nil then
        return nil
    end
    return following, rawget(t, following)
end

-- Merge sort: equal elements keep their order.
local function merge(from, to, first, middle, stop, before)
    local left, right = first, middle
    for i = first, stop - 1 do
        if left < middle and (right >= stop or not before(from[right], from[left])) then
            to[i] = from[left]
            left = left + 1
        else
            to[i] = from[right]
            right = right + 1
        end
    end
end

local function stable_sort(list, before)
    if type(list) ~= "table" then
        error(raw_format("bad argument #1 to 'sort' (table expected, got %s)", type(list)), 2)
    elseif before ~= nil and type(before) ~= "function" then
        error(raw_format("bad argument #2 to 'sort' (function expected, got %s)", type(before)), 2)
    end
    before = before or function(a, b) return a < b end
    local count = #list
    local from, to = table.move(list, 1, count, 1, {}), {}
    local width = 1
    while width < count do
        for first = 1, count, 2 * width do
            merge(from, to, first, math.min(first + width, count + 1), math.min(first + 2 * width, count + 1), before)
        end
        from, to, width = to, from, 2 * width
    end
    table.move(from, 1, count, 1, list)
end

-- --- text ------------------------------------------------------------------------------------------------------------

local numbers = setmetatable({}, { __mode = "k" }) -- of values with an address, by first use
local numbered = 0

local has_address = { table = true, ["function"] = true, userdata = true, thread = true }

local function text_of(value)
    if not has_address[type(value)] or metamethod(value, "__tostring") then
        return raw_tostring(value)
    end
    if not numbers[value] then
        numbered = numbered + 1
        numbers[value] = numbered
    end
    local name = metamethod(value, "__name")
    return raw_format("%s: %d", type(name) == "string" and name or type(value), numbers[value])
end

local function format(pattern, ...)
    if type(pattern) == "string" and pattern:find("p", 1, true) and pattern:gsub("%%%%", ""):find("%%[-+ #0%d.]*p") then
        error("bad argument #1 to 'format' (%p shows addresses, which differ from run to run)", 2)
    end
    local values = table.pack(...)
    for i = 1, values.n do
        if has_address[type(values[i])] then
            values[i] = text_of(values[i])
        end
    end
    return raw_format(pattern, table.unpack(values, 1, values.n))
end

-- A function print that passes whole lines to `write`; untrusted recipes see no addresses.
function library.printer(write, trusted)
    return function(...)
        local texts = table.pack(...)
        for i = 1, texts.n do
            texts[i] = (trusted and raw_tostring or text_of)(texts[i])
        end
        write(table.concat(texts, "\t"), "\n")
    end
end

-- --- chance, time, memory --------------------------------------------------------------------------------------------

local function random_seed(...)
    if select("#", ...) == 0 then
        error("math.randomseed: give a seed, as in math.randomseed(p.seed): recipes draw the same numbers in every run",
            2)
    end
    return math.randomseed(...)
end

local function needs_time(name, given)
    if given == nil then
        error(("os.%s: recipes cannot read the time, which differs from run to run (--trust lifts this)")
            :format(name), 3)
    end
end

local clock = {
    clock = os.clock,
    time = function(when)
        needs_time("time", when)
        return os.time(when)
    end,
    date = function(pattern, when)
        needs_time("date", when)
        return os.date(pattern, when)
    end,
}

-- Results must not depend on garbage collection, so recipes cannot run code at it.
local function set_metatable(t, meta)
    if type(meta) == "table" then
        for _, name in ipairs{ "__gc", "__mode" } do
            if rawget(meta, name) ~= nil then
                error(("setmetatable: %s is for trusted recipes: it depends on when memory is collected")
                    :format(name), 2)
            end
        end
    end
    return setmetatable(t, meta)
end

-- --- all of it -------------------------------------------------------------------------------------------------------

local function copy(from, without)
    local to = {}
    for name, value in raw_next, from do
        if name ~= without then
            to[name] = value
        end
    end
    return to
end

local function strings()
    local all = copy(string, "dump")
    all.format = format
    return all
end

-- The rest of os is refused by name: calling nil says nothing of why.
local confined_os = {
    __index = function(_, name)
        if os[name] ~= nil then
            error(("os.%s: recipes are confined: they start no programs and change no files (--trust lifts this)")
                :format(name), 2)
        end
    end,
    __metatable = false,
}

-- Fills `environment`, the table of a recipe's globals.
function library.fill(environment)
    for _, name in ipairs(plain) do
        environment[name] = _G[name]
    end
    environment.coroutine, environment.utf8 = copy(coroutine), copy(utf8)
    environment.math, environment.table, environment.string = copy(math), copy(table), strings()
    environment.math.randomseed = random_seed
    environment.table.sort = stable_sort
    environment.os = setmetatable(copy(clock), confined_os)
    environment.next, environment.pairs = ordered_next, ordered_pairs
    environment.tostring = text_of
    environment.setmetatable = set_metatable
    environment.load = function(text, name, _, env)
        return load(text, name, "t", env or environment)
    end
end

-- Replaces ("x"):format(…) too, out of a recipe's reach, and thus for the whole process, which must be one that runs a
-- recipe.
function library.seal()
    local meta = metatable_of("")
    meta.__index, meta.__metatable = strings(), "string"
end

return library
