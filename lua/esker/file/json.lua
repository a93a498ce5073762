-- JSON to and from Lua values. Lists are tables with the keys 1 … n; an empty table is an object unless it is marked by
-- json.list. null is json.null on the way in and out.

local names_of = require "esker.names"
local parameters = require "esker.recipe.parameters"
local texts = require "esker.texts"

local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local list_mark = {}

-- Marks a table as a list, which matters where it is empty.
function json.list(values)
    return setmetatable(values or {}, list_mark)
end

local encode

local function encode_table(value)
    local items = {}
    if getmetatable(value) == list_mark or #value > 0 then
        for i, each in ipairs(value) do
            items[i] = encode(each)
        end
        return "[" .. table.concat(items, ",") .. "]"
    end
    for i, name in ipairs(names_of(value)) do
        items[i] = texts.json(name) .. ":" .. encode(value[name])
    end
    return "{" .. table.concat(items, ",") .. "}"
end

encode = function(value)
    local kind = type(value)
    if kind == "string" then
        return texts.json(value)
    elseif kind == "table" and value ~= json.null then
        return encode_table(value)
    elseif math.type(value) == "float" then
        return value - value ~= 0 and "null" or parameters.exact_text(value) -- JSON has no infinity and no NaN
    end
    return value == nil and "null" or tostring(value)
end

-- The text of a value.
json.encode = encode

-- --- reading ---------------------------------------------------------------------------------------------------------

local deepest, escapes = 32, { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function fail(at)
    error({ json = "not JSON at byte " .. at }, 0)
end

local function read_escape(text, at)
    local letter = text:sub(at, at)
    if letter ~= "u" then
        return escapes[letter] or letter:match('^["\\/]$') or fail(at), at + 1
    end
    local code = tonumber(text:match("^%x%x%x%x", at + 1) or fail(at), 16)
    at = at + 5
    if code >= 0xd800 and code < 0xdc00 then
        local low = tonumber(text:match("^\\u([dD][c-fC-F]%x%x)", at) or fail(at), 16)
        code, at = 0x10000 + (code - 0xd800) * 0x400 + low - 0xdc00, at + 6
    elseif code >= 0xdc00 and code < 0xe000 then
        fail(at)
    end
    return utf8.char(code), at
end

local function read_string(text, at)
    local parts = {}
    while true do
        local plain, after = text:match('^([^"\\%c]*)()', at)
        parts[#parts + 1] = plain
        local mark = text:sub(after, after)
        if mark == '"' then
            return table.concat(parts), after + 1
        elseif mark ~= "\\" then
            fail(after)
        end
        parts[#parts + 1], at = read_escape(text, after + 1)
    end
end

local read_value

local function skip(text, at)
    return text:match("^[ \t\r\n]*()", at)
end

-- The members of a list or object, up to `close`; `read` reads one.
local function read_members(text, at, close, read)
    at = skip(text, at)
    if text:sub(at, at) == close then
        return at + 1
    end
    while true do
        at = skip(text, read(at))
        local mark = text:sub(at, at)
        if mark == close then
            return at + 1
        elseif mark ~= "," then
            fail(at)
        end
        at = skip(text, at + 1)
    end
end

local function read_list(text, at, depth)
    local list = json.list()
    return list, read_members(text, at, "]", function(here)
        local value, after = read_value(text, here, depth)
        list[#list + 1] = value
        return after
    end)
end

local function read_object(text, at, depth)
    local object = {}
    return object, read_members(text, at, "}", function(here)
        if text:sub(here, here) ~= '"' then
            fail(here)
        end
        local name, after = read_string(text, here + 1)
        after = skip(text, after)
        if text:sub(after, after) ~= ":" then
            fail(after)
        end
        object[name], after = read_value(text, skip(text, after + 1), depth)
        return after
    end)
end

local words = { ["true"] = true, ["false"] = false, null = json.null }

read_value = function(text, at, depth)
    local mark = text:sub(at, at)
    if depth > deepest then
        fail(at)
    elseif mark == "{" then
        return read_object(text, at + 1, depth + 1)
    elseif mark == "[" then
        return read_list(text, at + 1, depth + 1)
    elseif mark == '"' then
        return read_string(text, at + 1)
    end
    local word = text:match("^%l+", at)
    if word and words[word] ~= nil then
        return words[word], at + #word
    end
    local number = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at)
    local value = number and not number:match("^-?0%d") and tonumber(number)
    if not value or value - value ~= 0 then
        fail(at)
    end
    return value, at + #number
end

-- The value of a text; nil and what is wrong with it.
function json.decode(text)
    local well, value, after = pcall(function()
        local value, at = read_value(text, skip(text, text:match("^\xef\xbb\xbf()") or 1), 0)
        return value, skip(text, at)
    end)
    if not well then
        return nil, type(value) == "table" and value.json or error(value, 0)
    elseif after <= #text then
        return nil, "not JSON at byte " .. after
    end
    return value
end

return json
