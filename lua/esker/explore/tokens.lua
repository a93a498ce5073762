-- A recipe's text as tokens, for what the explorer changes in it.

-- Where white space and comments that start at a byte end.
local function skip(text, at)
    while true do
        at = text:match("^%s*()", at)
        if text:sub(at, at + 1) ~= "--" then
            return at
        end
        local long = text:match("^%-%-%[(=*)%[", at)
        local _, last = text:find(long and "]" .. long .. "]" or "\n", at, true)
        at = (last or #text) + 1
    end
end

-- Where the string ends that starts at a byte, the text's end if it does not; nil if it is none.
local function after_string(text, at)
    local level = text:match("^%[(=*)%[", at)
    if level then
        local _, last = text:find("]" .. level .. "]", at, true)
        return (last or #text) + 1
    end
    local quote = text:match("^[\"']", at)
    local i = quote and at + 1
    while i do
        local byte = text:sub(i, i)
        if byte == quote then
            return i + 1
        end
        i = byte ~= "" and i + (byte == "\\" and 2 or 1) or nil
    end
    return quote and #text + 1
end

local function after_number(text, at)
    if not text:find("^%.?%d", at) then
        return nil
    end
    local hexadecimal = text:match("^0[xX][%x.]*()", at)
    local after = hexadecimal or text:match("^[%d.]+()", at)
    return text:match(hexadecimal and "^[pP][+-]?%d+()" or "^[eE][+-]?%d+()", after) or after
end

-- The list of a text's tokens, { kind =, text =, first =, after = } each: names, strings, numbers, and signs, whose
-- kind is their text.
return function(text)
    local tokens, at = {}, skip(text, 1)
    while at <= #text do
        local kind, after = "name", text:match("^[%a_][%w_]*()", at)
        if not after then
            kind, after = "string", after_string(text, at)
        end
        if not after then
            kind, after = "number", after_number(text, at)
        end
        if not after then
            after = text:match("^[=~<>]=()", at) or at + 1
            kind = text:sub(at, after - 1)
        end
        tokens[#tokens + 1] = { kind = kind, text = text:sub(at, after - 1), first = at, after = after }
        at = skip(text, after)
    end
    return tokens
end
