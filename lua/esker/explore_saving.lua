-- Saves a recipe with other defaults under a new name beside it.

local files = require "esker.files"
local names_of = require "esker.names"
local parameters = require "esker.parameters"

local saving = {}

local literal = "^()[-+]?[%d.][%w.+-]*()"

-- Where the literal value begins and ends that starts at `at`: a number, a string without escapes, true or false.
local function literal_at(text, at)
    local first, last = text:match(literal, at)
    if not first then
        first, last = text:match("^()%b\"\"()", at)
    end
    if not first then
        first, last = text:match("^()%b''()", at)
    end
    if not first then
        local word, after = text:match("^(%a+)()", at)
        first, last = (word == "true" or word == "false") and at or nil, after
    end
    return first, last
end

local function lua_text(value)
    return type(value) == "string" and ("%q"):format(value) or parameters.exact_text(value)
end

-- The text with another default of one parameter; nil where it is not written as a plain value.
local function with_default(text, name, value)
    local block = text:match("%f[%w_]params%s*%(?%s*(){")
    local finish = block and text:match("^%b{}()", block)
    local at = block and text:match("%f[%w_]" .. name .. "%s*=%s*()", block)
    if not at or at >= finish then
        return nil
    end
    if text:sub(at, at) == "{" then
        local inner = text:match("^%b{}()", at)
        local named = text:match("%f[%w_]default%s*=%s*()", at)
        at = named and inner and named < inner and named or text:match("^{%s*()", at)
    end
    local first, last = literal_at(text, at)
    return first and text:sub(1, first - 1) .. lua_text(value) .. text:sub(last)
end

-- A name beside the recipe that is not taken: island-2.lua, island-3.lua, …
local function new_name(path)
    local base = path:gsub("%.lua$", ""):gsub("%-%d+$", "")
    for i = 2, 999 do
        local name = ("%s-%d.lua"):format(base, i)
        if not files.changed(name) then
            return name
        end
    end
end

-- Writes the recipe of this text, whose file is `path`, with the overrides as defaults, under the name `wanted` or a
-- new one beside it. Gives the path; nil and why not.
function saving.save(path, text, overrides, wanted)
    for _, name in ipairs(names_of(overrides)) do
        local changed = with_default(text, name, overrides[name])
        if not changed then
            return nil, ("the default of %s is no plain value in the recipe: it cannot be changed there"):format(name)
        end
        text = changed
    end
    if wanted ~= nil and (type(wanted) ~= "string" or not wanted:match("^[%w_][%w_. -]*%.lua$")) then
        return nil, "the new name is letters, digits, spaces, _ - and dots, and ends in .lua"
    end
    local to = wanted and (path:match("^(.*/)[^/]*$") or "") .. wanted or new_name(path)
    if not to or files.changed(to) then
        return nil, ("'%s' exists"):format(to or path)
    end
    local well, problem = pcall(files.write, to, text)
    if not well then
        return nil, tostring(problem)
    end
    return to
end

return saving
