-- Where the explorer's page writes edits of a map into a recipe's text: in a block of lines, `map = map:raise{ … }`,
-- after the statement that makes the map. The page itself reads and writes these lines (edit_lines.js).

local tokens_of = require "esker.explore.tokens"

local edits = {}

local most_bytes = 1 << 20

local makes_maps = { raise = true, level = true, crater = true, lake = true, coast = true, carve = true, imprint = true,
    set_rivers = true, add_rivers = true, set_places = true, add_places = true }
local closing = { ["{"] = "}", ["("] = ")", ["["] = "]" }

local function set_of(words)
    local set = {}
    for word in words:gmatch("%S+") do
        set[word] = true
    end
    return set
end

local keywords = set_of("and break do else elseif end false for function goto if in local nil not or repeat return " ..
    "then true until while")
local operands = set_of "end false nil true break" -- keywords after which a statement may begin
local continues = set_of "and or not then do else elseif end until in" -- and those that begin none
local opens_block = set_of "if do repeat function"

local function text_of(tokens, i)
    return tokens[i] and tokens[i].text
end

local function is_name(token)
    return token ~= nil and token.kind == "name" and not keywords[token.text]
end

local function ends_operand(token)
    local kind = token.kind
    return kind == "string" or kind == "number" or kind == ")" or kind == "]" or kind == "}" or
        kind == "name" and (not keywords[token.text] or operands[token.text] or false)
end

-- For each token the first of the innermost statement in which it is.
local function statements_of(tokens)
    local begins, stack = {}, {}
    local current, fresh, takes_parameters = 1, true, false
    for i, token in ipairs(tokens) do
        local word = token.kind == "name" and token.text
        if fresh or word and not continues[word] and ends_operand(tokens[i - 1]) then
            current = i
        end
        fresh = false
        if word == "end" or word == "until" or token.kind == "}" or token.kind == ")" or token.kind == "]" then
            local opened = table.remove(stack) or { current = current }
            current, fresh = opened.current, opened.parameters or false
        end
        begins[i] = current
        if closing[token.kind] then
            stack[#stack + 1] = { current = current, parameters = token.kind == "(" and takes_parameters }
            takes_parameters = takes_parameters and token.kind ~= "("
        elseif word and opens_block[word] then
            stack[#stack + 1] = { current = current }
            takes_parameters = word == "function"
        end
        if word == "else" or word == "elseif" then
            current = stack[#stack] and stack[#stack].current or current
        end
        fresh = fresh or word == "then" or word == "do" or word == "else" or word == "repeat" or token.kind == ";"
    end
    return begins
end

-- The token that closes the bracket at this one; nil if none does.
local function close_of(tokens, i)
    local depth, open, close = 0, tokens[i].kind, closing[tokens[i].kind]
    for k = i, #tokens do
        depth = depth + (tokens[k].kind == open and 1 or tokens[k].kind == close and -1 or 0)
        if depth == 0 then
            return k
        end
    end
end

-- The last token of a call's arguments that begin at this one; nil if it has none in brackets.
local function arguments_end(tokens, i)
    local kind = tokens[i] and tokens[i].kind
    return (kind == "{" or kind == "(") and close_of(tokens, i) or nil
end

-- The calls of river_map with what follows of own rivers and edits: { first =, last =, start =, name = }, start: of the
-- statement; name: of the variable or entry whose value it is, nil if there is none.
local function calls_of(tokens, begins)
    local calls = {}
    for i, token in ipairs(tokens) do
        local last = token.kind == "name" and token.text == "river_map" and text_of(tokens, i - 1) ~= ":" and
            text_of(tokens, i - 1) ~= "function" and arguments_end(tokens, i + 1)
        if last then
            local first = text_of(tokens, i - 1) == "." and is_name(tokens[i - 2]) and i - 2 or i
            local more = last
            while more do
                last = more
                more = text_of(tokens, last + 1) == ":" and makes_maps[text_of(tokens, last + 2)] and
                    arguments_end(tokens, last + 3)
            end
            local given = text_of(tokens, first - 1) == "=" and is_name(tokens[first - 2])
            calls[#calls + 1] = { first = first, last = last, start = begins[first],
                name = given and tokens[first - 2].text or nil }
        end
    end
    return calls
end

local function call_for(calls, result)
    local found
    for _, call in ipairs(calls) do
        if #calls == 1 or call.name == result then
            if found then
                return nil
            end
            found = call
        end
    end
    return found
end

-- Whether the call is all that its statement gives to a variable, which may be given another value.
local function is_whole(tokens, begins, call)
    local before, after = call.first - call.start, tokens[call.last + 1]
    local given = text_of(tokens, call.first - 1) == "=" and
        (before == 2 or before == 3 and text_of(tokens, call.start) == "local")
    return given and (not after or after.kind == ";" or begins[call.last + 1] == call.last + 1 or
        after.text == "end" or after.text == "else" or after.text == "elseif" or after.text == "until")
end

-- A name for a new variable: the result's, unless something else in the text has it.
local function new_name(tokens, begins, result)
    local taken = {}
    for i, token in ipairs(tokens) do
        local before = text_of(tokens, i - 1)
        local is_entry = text_of(tokens, i + 1) == "=" and begins[i] ~= i and before ~= "local"
        if token.kind == "name" and before ~= "." and before ~= ":" and not is_entry then
            taken[token.text] = true
        end
    end
    local name, i = result, 1
    while not name:find("^[%a_][%w_]*$") or keywords[name] or taken[name] do
        i = i + 1
        name = i == 2 and "map" or "map_" .. i - 1
    end
    return name
end

local function block_of(name, indent)
    return ("-- Edits of %s, one a line\n%s-- End of edits"):format(name, indent)
end

-- The text with a block for edits of the map that is this result, and the name of the variable that has it; the text
-- as it is where it has one. nil and why not where it is not found for sure.
function edits.prepare(text, result)
    local tokens = #text <= most_bytes and tokens_of(text) or {}
    local begins = statements_of(tokens)
    local call = call_for(calls_of(tokens, begins), result)
    if not call then
        return nil, ("it is not clear which river_map the result '%s' is: give it a variable of this name")
            :format(result)
    end
    local whole = is_whole(tokens, begins, call)
    local name = whole and call.name or new_name(tokens, begins, result)
    for found in text:gmatch("%-%- Edits of ([%w_]+)") do
        if whole and found == name then
            return text, name
        end
    end
    local at = tokens[call.start].first
    local line = at
    while line > 1 and text:sub(line - 1, line - 1) ~= "\n" do
        line = line - 1
    end
    local indent = text:match("^[ \t]*", line)
    local block = block_of(name, indent)
    if not whole then
        local first, after = tokens[call.first].first, tokens[call.last].after
        return table.concat{ text:sub(1, at - 1), "local ", name, " = ", text:sub(first, after - 1), "\n", indent,
            block, "\n", indent, text:sub(at, first - 1), name, text:sub(after) }, name
    end
    local last = text_of(tokens, call.last + 1) == ";" and call.last + 1 or call.last
    local after = tokens[last].after
    local rest = tokens[last + 1] and text:sub(after, tokens[last + 1].first - 1) or text:sub(after)
    local stop = not rest:find("--[", 1, true) and rest:find("\n", 1, true) -- a long comment may have several lines
    if stop or rest == "" then -- nothing but a comment is on its line
        local to = stop and after + stop - 1 or #text + 1
        return text:sub(1, to - 1) .. "\n" .. indent .. block .. text:sub(to), name
    end
    return text:sub(1, after - 1) .. "\n" .. indent .. block .. "\n" .. indent .. rest:gsub("^[ \t]+", "") ..
        text:sub(after + #rest), name
end

return edits
