-- Writes the statements of a session that worked as a recipe with parameters.

local esker = require "esker"
local trim = require "esker.trim"
local value_types = require "esker.value_types"

local journal = {}

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true "
    .. "until while"):gmatch("%a+") do
    keywords[word] = true
end

-- Source without strings and comments, so that names in them do not count.
local function bare(source)
    return (source:gsub("%-%-[^\n]*", ""):gsub("%b\"\"", "\"\""):gsub("%b''", "''"))
end

-- Whether the source uses the name, other than as a field, a method or an argument's name.
local function mentions(source, name)
    local text = " " .. bare(source) .. " "
    for before, after in text:gmatch("([^%w_])" .. name .. "%s*([^%w_])") do
        local is_field = before == "." or before == ":"
        if not is_field and not (after == "=" and text:match("[{,]%s*" .. name .. "%s*=[^=]")) then
            return true
        end
    end
    return false
end

-- The names that a statement assigns to, or nil: `a = …`, `a, b = …`, `function a(…)`.
local function assigned(source)
    local name = source:match("^%s*function%s+([%a_][%w_]*)%s*%(")
    if name then
        return { name }, "function"
    end
    local list = source:match("^%s*([%a_][%w_%s,]*)=[^=]")
    if not list then
        return nil
    end
    local names = {}
    for each in list:gmatch("[^,]+") do
        each = each:match("^%s*([%a_][%w_]*)%s*$")
        if not each or keywords[each] then
            return nil
        end
        names[#names + 1] = each
    end
    return names, "values"
end

-- `talus = 16`: the name and the literal.
local function literal_assignment(source)
    local name, literal = source:match("^%s*([%a_][%w_]*)%s*=(.*)$")
    if not name or keywords[name] then
        return nil
    end
    literal = trim((trim(literal):gsub(";$", "")))
    local plain = tonumber(literal) or literal == "true" or literal == "false" or literal:match('^"[^"\\]*"$')
    return plain and name or nil, literal
end

function journal.new()
    return { entries = {} }
end

-- Records that the session began with the results of this recipe: its text, the parameters that were set ({ { name,
-- literal } … }), and the results' names.
function journal.begin_with(log, text, set, names)
    local usable = {} -- as variables
    for _, name in ipairs(names) do
        usable[#usable + 1] = not keywords[name] and name or nil
    end
    log.base = { text = text, set = set, names = usable }
end

-- An entry is { source =, expression = whether it is an expression, not a statement }. What is returned to the prompt
-- is shown there; a recipe returns its results.
function journal.add(log, source, expression)
    if not source:find("^%s*return%f[^%w_]") then
        log.entries[#log.entries + 1] = { source = source, expression = expression }
    end
end

-- The number of entries, and how to return to it.
function journal.length(log)
    return #log.entries
end

function journal.shorten(log, length)
    for i = #log.entries, length + 1, -1 do
        log.entries[i] = nil
    end
end

-- The names that a log uses and that were assigned before it began: entries of `whole` did.
function journal.borrowed(log, whole)
    local made, borrowed = {}, {}
    for i = 1, #whole.entries - #log.entries do
        for _, name in ipairs(assigned(whole.entries[i].source) or {}) do
            made[name] = true
        end
    end
    for _, entry in ipairs(log.entries) do
        local names = assigned(entry.source) or {}
        local used = #names > 0 and entry.source:gsub("^[^=]*=", "", 1) or entry.source
        for name in pairs(made) do
            if mentions(used, name) then
                borrowed[#borrowed + 1], made[name] = name, nil
            end
        end
        for _, name in ipairs(names) do
            made[name] = nil
        end
    end
    table.sort(borrowed)
    return borrowed
end

-- The entries that a recipe needs: statements, and expressions whose values are used as `_`.
local function needed(entries)
    local kept, wanted = {}, false -- whether what follows uses the value of an expression
    for i = #entries, 1, -1 do
        local source, expression = entries[i].source, entries[i].expression
        if not expression or wanted then
            table.insert(kept, 1, { source = expression and "_ = " .. source or source })
            wanted = mentions(source, "_") or wanted and not expression
        end
    end
    return kept
end

-- Whether the right side of an assignment only makes values: it calls operations, and neither a function of the user's
-- nor one that writes a file, changes a field or draws a random number.
local function makes_only(source)
    local text = " " .. bare(source)
    for before, name in text:gmatch("([^%w_])([%a_][%w_]*)%s*[%({\"']") do
        if before ~= "." and before ~= ":" and not keywords[name] then
            return false
        end
    end
    return not (text:find("math.random", 1, true) or text:find("%f[%w]function%f[%W]")
        or text:find("[:.]%s*set%s*%(") or text:find("[:.]%s*save%s*[%({\"']") or text:find("[:.]%s*export%s*[%({]"))
end

-- Leaves out assignments whose values nothing uses before the same names are assigned again (a line that was typed
-- twice, or an attempt that a better one replaced), and a file that is saved again at once.
local function without_replaced(entries)
    local names, kept, coming = {}, {}, {} -- coming: whether a name is next used or assigned
    for _, entry in ipairs(entries) do
        for _, name in ipairs(assigned(entry.source) or {}) do
            names[name] = true
        end
    end
    for _, entry in ipairs(entries) do
        for name in pairs(names) do -- a function uses them whenever it is called
            names[name] = not (bare(entry.source):find("%f[%w]function%f[%W]") and mentions(entry.source, name))
                and names[name] or nil
        end
    end
    for i = #entries, 1, -1 do
        local source = entries[i].source
        local list, kind = assigned(source)
        local right = kind == "values" and source:gsub("^[^=]*=", "", 1) or source
        local is_replaced = kind == "values" and makes_only(right)
        for _, name in ipairs(list or {}) do
            is_replaced = is_replaced and names[name] and coming[name] == "assigned"
        end
        local is_saved_again = not list and kept[1] and kept[1].source == source and source:find("^%s*[%w_]+:save%(")
        if not (is_replaced or is_saved_again) then
            table.insert(kept, 1, entries[i])
            for _, name in ipairs(kind == "values" and list or {}) do
                coming[name] = "assigned"
            end
            for name in pairs(names) do
                coming[name] = mentions(right, name) and "used" or coming[name]
            end
        end
    end
    return kept
end

-- Literals assigned once become parameters; names assigned again stay as they are, since what was computed in between
-- depends on their order. A recipe declares its parameters once: pasted declarations remain the only ones.
local function find_parameters(entries)
    local times, parameters, names = {}, {}, {}
    for _, entry in ipairs(entries) do
        if mentions(entry.source, "params") then
            return {}, {}
        end
        for _, name in ipairs(assigned(entry.source) or {}) do
            times[name] = (times[name] or 0) + 1
        end
    end
    for _, entry in ipairs(entries) do
        local name, literal = literal_assignment(entry.source)
        if name and times[name] == 1 then
            parameters[name], names[#names + 1], entry.parameter = literal, name, true
        end
    end
    return parameters, names
end

-- Leaves out what a recipe cannot do, the session's own functions, and everything that depends on them. A name that was
-- assigned is the user's from then on, even if the session has a function of that name. Also returns the number of
-- assignments left out.
local function without_session(entries)
    local session_only = {}
    for _, entry in ipairs(require "esker.session.functions") do
        session_only[entry.name] = true
    end
    local kept, lost, left_out = {}, {}, 0
    for _, entry in ipairs(entries) do
        local names, hopeless = assigned(entry.source) or {}, false
        for _, name in ipairs(names) do
            session_only[name] = nil
        end
        for name in pairs(session_only) do
            hopeless = hopeless or mentions(entry.source, name)
        end
        for name in pairs(lost) do
            local made_anew = #names == 1 and names[1] == name
                and not mentions(entry.source:gsub("^%s*" .. name .. "%s*=", "", 1), name)
            hopeless = hopeless or not made_anew and mentions(entry.source, name)
        end
        for _, name in ipairs(names) do
            lost[name] = hopeless or nil
        end
        if not hopeless then
            kept[#kept + 1] = entry
        elseif #names > 0 then
            left_out = left_out + 1
        end
    end
    return kept, left_out
end

-- Statements that make the parameters that were set the defaults of the recipe that follows.
local function defaults_lines(set)
    local list = {}
    for i, each in ipairs(set) do
        list[i] = each.name .. " = " .. each.literal
    end
    return { "local declare = params", "local function params(declared) -- with the session's values as defaults",
        "    for name, value in pairs{ " .. table.concat(list, ", ") .. " } do",
        "        if type(declared[name]) == \"table\" then",
        "            declared[name][1], declared[name].default = value, nil", "        else",
        "            declared[name] = value", "        end", "    end", "    return declare(declared)", "end" }
end

-- The lines that return the results of the session's recipe: its whole text, as a function. It declares the parameters.
local function base_lines(base)
    local lines = #base.set > 0 and defaults_lines(base.set) or {}
    lines[#lines + 1] = "local base = (function(...) -- the recipe with which the session began"
    for line in (base.text:gsub("^#[^\n]*", ""):match("^.*[^\n]") or ""):gmatch("[^\n]*") do
        lines[#lines + 1] = line
    end
    lines[#lines + 1] = "end)()"
    if #base.names > 0 then
        lines[#lines + 1] = "local " .. table.concat(base.names, ", ") .. " = base."
            .. table.concat(base.names, ", base.")
    end
    lines[#lines + 1] = ""
    return lines
end

local printable = { number = true, string = true, boolean = true }

-- Whether a recipe can return it.
local function is_result(value)
    return printable[esker.type(value)] or value_types.usual_format(esker.type(value))
end

-- The recipe as text, the number of its results, and of assignments left out. `globals` are the session's values, which
-- determine what a recipe can return.
function journal.recipe(log, globals)
    local entries, left_out = without_session(without_replaced(needed(log.entries)))
    local lines, declared, results = { "-- From a session of Esker " .. esker.version .. "." }, {}, {}
    local parameters, names = {}, {} -- a recipe declares them once: the base's stay the only ones
    if log.base then
        for _, line in ipairs(base_lines(log.base)) do
            lines[#lines + 1] = line
        end
        for _, name in ipairs(log.base.names) do
            declared[name], results[name], results[#results + 1] = true, true, name
        end
    else
        parameters, names = find_parameters(entries)
    end
    if #names > 0 then
        local list, values = {}, {}
        for i, name in ipairs(names) do
            list[i], values[i], declared[name] = name .. " = " .. parameters[name], "p." .. name, true
        end
        lines[#lines + 1] = "local p = params{ " .. table.concat(list, ", ") .. " }"
        lines[#lines + 1] = "local " .. table.concat(names, ", ") .. " = " .. table.concat(values, ", ")
        lines[#lines + 1] = ""
    end
    for _, entry in ipairs(entries) do
        if not entry.parameter then
            local source, written = entry.source, assigned(entry.source)
            local fresh, old = {}, false
            for _, name in ipairs(written or {}) do
                if declared[name] then
                    old = true
                else
                    declared[name] = true
                    fresh[#fresh + 1] = name
                end
                if name ~= "_" and not results[name] and is_result(rawget(globals, name)) then
                    results[name], results[#results + 1] = true, name
                end
            end
            if #fresh > 0 and old then
                lines[#lines + 1] = "local " .. table.concat(fresh, ", ")
            end
            lines[#lines + 1] = (#fresh > 0 and not old and "local " or "") .. source:gsub("^%s+", "")
        end
    end
    if #results > 0 then
        local list = {}
        for i, name in ipairs(results) do
            list[i] = name .. " = " .. name
        end
        lines[#lines + 1] = ""
        lines[#lines + 1] = "return { " .. table.concat(list, ", ") .. " }"
    end
    return table.concat(lines, "\n") .. "\n", #results, left_out
end

return journal
