-- Functions for another process of the program where no process can be forked (Windows): what a function consists of
-- as a value that can be sent, and the function again. What belongs to a module of the program or to Lua's library is
-- sent by its name, everything else with the function: its code, the variables and tables that it uses. Variables
-- that two functions share stay shared.

local carried = {}

-- The members of loaded modules by value: { module, key }, and the modules themselves: { module }. Those that are
-- sent may be loaded later than this module was.
local function known_values()
    local known = {}
    for module, value in pairs(package.loaded) do
        if type(module) == "string" and type(value) == "table" then
            for key, member in next, value do
                if type(key) == "string" and (type(member) == "function" or type(member) == "table") then
                    known[member] = known[member] or { module, key }
                end
            end
        end
    end
    for module, value in pairs(package.loaded) do
        if type(value) == "function" or type(value) == "table" then
            known[value] = { module }
        end
    end
    for _, library in ipairs{ "string", "table", "math", "os", "io", "coroutine", "utf8", "debug", "_G" } do
        known[package.loaded[library]] = { library }
    end
    return known
end

-- A value that can be sent: `parts` describe tables and functions, which refer to each other by number.
function carried.pack(value)
    local known, parts, numbers, cells = known_values(), {}, {}, {}
    local encode

    local function table_part(from)
        local part = { meta = encode(getmetatable(from)) }
        for key, member in next, from do
            part[#part + 1], part[#part + 2] = encode(key), encode(member)
        end
        return part
    end

    local function function_part(from)
        if debug.getinfo(from, "S").what == "C" then
            error("a function of C cannot be sent to another process", 0)
        end
        local part, index = { code = string.dump(from), cells = {} }, 1
        while debug.getupvalue(from, index) do
            local _, now = debug.getupvalue(from, index)
            local id = debug.upvalueid(from, index)
            if not cells[id] then
                parts[#parts + 1] = {}
                cells[id] = #parts
                parts[cells[id]] = { cell = encode(now) }
            end
            part.cells[index], index = cells[id], index + 1
        end
        return part
    end

    encode = function(from)
        local kind = type(from)
        if kind ~= "table" and kind ~= "function" then
            return from -- or an error where it is sent
        elseif known[from] then
            return { table.unpack(known[from]) }
        elseif not numbers[from] then
            parts[#parts + 1] = {}
            numbers[from] = #parts
            parts[numbers[from]] = kind == "table" and table_part(from) or function_part(from)
        end
        return { numbers[from] }
    end

    return { whole = encode(value), parts = parts }
end

-- The value again.
function carried.unpack(packed)
    local parts, made, owners = packed.parts, {}, {}
    for number, part in ipairs(parts) do
        made[number] = part.code and assert(load(part.code, "=", "b")) or not part.cells and {} or nil
    end

    local function decode(from)
        if type(from) ~= "table" then
            return from
        elseif math.type(from[1]) == "integer" then
            return made[from[1]]
        end
        local module = from[1] == "_G" and _G or require(from[1])
        return from[2] and module[from[2]] or module
    end

    for number, part in ipairs(parts) do
        for index, cell in ipairs(part.cells or {}) do
            if owners[cell] then
                debug.upvaluejoin(made[number], index, owners[cell][1], owners[cell][2])
            else
                owners[cell] = { made[number], index }
                debug.setupvalue(made[number], index, decode(parts[cell].cell))
            end
        end
        for index = 1, part.code and 0 or #part, 2 do
            made[number][decode(part[index])] = decode(part[index + 1])
        end
        if part.meta then
            setmetatable(made[number], decode(part.meta))
        end
    end
    return decode(packed.whole)
end

return carried
