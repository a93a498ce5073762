-- Writes other defaults into a recipe's text, where its `params` declares them as plain values.

local names_of = require "esker.names"
local parameters = require "esker.recipe.parameters"
local tokens_of = require "esker.explore.tokens"

local defaults = {}

local most_bytes = 1 << 20

-- --- tables ----------------------------------------------------------------------------------------------------------

local opens = { ["{"] = 1, ["("] = 1, ["["] = 1, ["}"] = -1, [")"] = -1, ["]"] = -1 }
local blocks = { ["function"] = 1, ["if"] = 1, ["do"] = 1, ["repeat"] = 1, ["end"] = -1, ["until"] = -1 }

local function kind_of(tokens, i)
    return tokens[i] and tokens[i].kind
end

-- The entry of a table whose tokens are first to last: its name, nil if it has none, and where its value starts.
local function entry_of(tokens, first, last)
    local entry = { first = first, last = last }
    if kind_of(tokens, first) == "name" and kind_of(tokens, first + 1) == "=" then
        entry.name, entry.first = tokens[first].text, first + 2
    elseif kind_of(tokens, first) == "[" and kind_of(tokens, first + 1) == "string" and
        kind_of(tokens, first + 2) == "]" and kind_of(tokens, first + 3) == "=" then
        local made = load("return " .. tokens[first + 1].text, "=name", "t", {})
        entry.name, entry.first = made and made() or false, first + 4
    elseif kind_of(tokens, first) == "[" then
        entry.name = false -- it is computed
    end
    return entry
end

-- The entries of the table whose brace is this token, and the token that closes it; nil if none does.
local function entries_of(tokens, brace)
    local entries, depth, first = {}, 0, brace + 1
    for i = brace, #tokens do
        local kind = tokens[i].kind
        depth = depth + (opens[kind] or kind == "name" and blocks[tokens[i].text] or 0)
        if depth == 0 or depth == 1 and (kind == "," or kind == ";") then
            entries[#entries + 1] = i > first and entry_of(tokens, first, i - 1) or nil
            first = i + 1
        end
        if depth == 0 then
            return entries, i
        end
    end
end

-- The only entry that fits; nil where there are none or several.
local function only(entries, fits)
    local found
    for _, entry in ipairs(entries or {}) do
        if fits(entry) then
            if found then
                return nil
            end
            found = entry
        end
    end
    return found
end

-- Whether a value is a number, a string, true or false, and nothing else.
local function is_plain(tokens, value)
    local first, token = value.first, tokens[value.last]
    if token and token.kind == "number" and first == value.last - 1 then
        return kind_of(tokens, first) == "-"
    end
    return token and first == value.last and (token.kind == "number" or token.kind == "string" or
        token.text == "true" or token.text == "false")
end

-- The default of a parameter's entry: the value itself, or that of its table.
local function default_of(tokens, entry)
    if kind_of(tokens, entry.first) ~= "{" then
        return entry
    end
    local entries = entries_of(tokens, entry.first)
    if entries and only(entries, function(each) return each.name == false end) then
        return nil
    end
    return only(entries, function(each) return each.name == "default" end) or
        entries and entries[1] and entries[1].name == nil and entries[1] or nil
end

-- --- texts -----------------------------------------------------------------------------------------------------------

-- The entries of all calls of `params` with a table. A call within another's table is not looked for.
local function declared(tokens)
    local all, i = {}, 0
    while i < #tokens do
        i = i + 1
        local token, before = tokens[i], kind_of(tokens, i - 1)
        local brace = kind_of(tokens, i + 1) == "(" and i + 2 or i + 1
        if token.kind == "name" and token.text == "params" and before ~= "." and before ~= ":" and
            kind_of(tokens, brace) == "{" then
            local entries, close = entries_of(tokens, brace)
            if not entries then
                return {}
            end
            table.move(entries, 1, #entries, #all + 1, all)
            i = close
        end
    end
    return all
end

-- A number may be given as a text, as on a command line.
local function lua_text(value, kind)
    value = kind == "number" and tonumber(value) or value
    return type(value) == "string" and ("%q"):format(value) or parameters.exact_text(value)
end

-- Entries by name; false for a name that several have.
local function by_name(entries)
    local named = {}
    for _, entry in ipairs(entries) do
        if entry.name then
            named[entry.name] = named[entry.name] == nil and entry
        end
    end
    return named
end

-- The text with other defaults, { name = value }; nil and the name of the first whose default is not found for sure, or
-- is not a plain value. Of a text of more than a mebibyte, whose tokens would fill the memory, none is found.
function defaults.replace(text, values)
    local tokens = #text <= most_bytes and tokens_of(text) or {}
    local named, changes = by_name(declared(tokens)), {}
    for i, name in ipairs(names_of(values)) do
        local found = named[name] and default_of(tokens, named[name])
        if not found or not is_plain(tokens, found) then
            return nil, name
        end
        changes[i] = { first = tokens[found.first].first, after = tokens[found.last].after,
            text = lua_text(values[name], kind_of(tokens, found.last)) }
    end
    table.sort(changes, function(a, b) return a.first < b.first end)
    local parts, at = {}, 1
    for _, change in ipairs(changes) do
        parts[#parts + 1], parts[#parts + 2], at = text:sub(at, change.first - 1), change.text, change.after
    end
    return table.concat(parts) .. text:sub(at)
end

return defaults
