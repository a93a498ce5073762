-- Gives a function that takes out of a module of WebAssembly what a page does not need for its first picture: the texts
-- of declarations that only help shows, and the Lua modules of lua/esker/tab/late_modules.lua. It gives the module with
-- zeros in their place, and what is put there later (src/web/tab/engine.js): an address of 4 bytes, the least first,
-- and the bytes from there on, with zeros between the texts.

package.path = "scripts/?.lua;" .. package.path
local bare = require "bare"

-- --- what comes late -------------------------------------------------------------------------------------------------

-- Members of declarations (core/operation.h, core/param.h) that only help and errors read; a type's picture draws it.
local members = { doc = true, summary = true, description = true, source = true, example = true, picture = true,
    keywords = true, see_also = true }
local function is_late(member, path)
    return members[member] and not (member == "picture" and path:find("_type%.c$"))
end

local shortest <const> = 8 -- shorter texts are more likely to be something else's, too

local escapes = { n = "\n", t = "\t", ['"'] = '"', ["\\"] = "\\" }
local quote <const>, backslash <const> = 34, 92

-- The string literals from a quote in C source on, joined, and where they end.
local function literals_at(source, at)
    local parts = {}
    while true do
        local stop = at + 1
        while stop <= #source and source:byte(stop) ~= quote do
            stop = stop + (source:byte(stop) == backslash and 2 or 1)
        end
        parts[#parts + 1] = source:sub(at + 1, stop - 1):gsub("\\(.)", escapes)
        at = source:match('^%s*()"', stop + 1)
        if not at then
            return table.concat(parts), stop + 1
        end
    end
end

-- Counts the texts of a file of C: all of them, and those of late members. Each ends with a zero, as in memory.
local function count_texts(path, all, late)
    local file <close> = assert(io.open(path))
    local source = file:read("a")
    local at = source:find("[\"'/]")
    while at do
        local after = source:match("^//[^\n]*()", at) or source:match("^'\\?.[^'\n]*'()", at) or at + 1
        if source:byte(at) == quote then
            local member = source:sub(math.max(1, at - 60), at - 1):match("%.(%l[%l_]*)%s*=%s*$")
            local text, stop = literals_at(source, at)
            text, after = text .. "\0", stop
            all[text] = (all[text] or 0) + 1
            if member and is_late(member, path) then
                late[text] = (late[text] or 0) + 1
            end
        end
        at = source:find("[\"'/]", after)
    end
end

-- The texts that nothing else uses or ends with, the longest first.
local function late_texts(sources)
    local all, late, list = {}, {}, {}
    for path in sources do
        count_texts(path, all, late)
    end
    for text, count in pairs(all) do
        for start = 2, late[text] == count and 0 or #text - shortest do
            late[text:sub(start)] = nil
        end
    end
    for text, count in pairs(late) do
        if all[text] == count and #text > shortest then
            list[#list + 1] = text
        end
    end
    for _, name in ipairs(dofile("lua/esker/tab/late_modules.lua")) do
        list[#list + 1] = bare("lua/" .. name:gsub("%.", "/") .. ".lua")
    end
    table.sort(list, function(a, b) return #a > #b or #a == #b and a < b end)
    return list
end

-- --- WebAssembly -----------------------------------------------------------------------------------------------------

-- A number in LEB128 at a byte, and where it ends.
local function number_at(bytes, at)
    local number, shift = 0, 0
    repeat
        local byte = bytes:byte(at)
        number, shift, at = number | (byte & 127) << shift, shift + 7, at + 1
    until byte < 128
    return number, at
end

-- The segments of a module's data: a list of { at = of the first byte in the module, size =, address = in memory }.
local function segments_of(module)
    local active <const>, constant <const>, finish <const>, data <const> = 0, 0x41, 0x0b, 11
    local at, list = 9, {} -- behind the head
    while at <= #module do
        local kind, size, start = module:byte(at), number_at(module, at + 1)
        if kind == data then
            local count, from = number_at(module, start)
            for i = 1, count do
                local flags, first = module:byte(from, from + 1)
                assert(flags == active and first == constant, "a segment without an address")
                local address, length
                address, from = number_at(module, from + 2)
                assert(module:byte(from) == finish, "an address that is no constant")
                length, from = number_at(module, from + 1)
                list[i] = { at = from, size = length, address = address }
                from = from + length
            end
        end
        at = start + size
    end
    return list
end

-- `sources` iterates over the paths of C files with declarations.
return function(module, sources)
    local list, segments = late_texts(sources), segments_of(module)
    local ends, cuts, found = {}, {}, 0 -- cuts: { at = in the module, size = }
    for _, text in ipairs(list) do
        local at = module:find(text, segments[1].at, true)
        found = found + (at and 1 or 0)
        while at do
            if not ends[at + #text] then -- else it is the end of another one
                ends[at + #text] = true
                cuts[#cuts + 1] = { at = at, size = #text }
            end
            at = module:find(text, at + #text, true)
        end
    end
    assert(found > 0.9 * #list, ("only %d of %d texts are in the module"):format(found, #list))
    table.sort(cuts, function(a, b) return a.at < b.at end)
    local early, late, at, segment = {}, {}, 1, 1
    local first, last -- addresses
    for _, cut in ipairs(cuts) do
        while cut.at >= segments[segment].at + segments[segment].size do
            segment = segment + 1
        end
        local address = segments[segment].address + cut.at - segments[segment].at
        first, last = first or address, last or address
        early[#early + 1] = module:sub(at, cut.at - 1) .. ("\0"):rep(cut.size)
        late[#late + 1] = ("\0"):rep(address - last) .. module:sub(cut.at, cut.at + cut.size - 1)
        at, last = cut.at + cut.size, address + cut.size
    end
    early[#early + 1] = module:sub(at)
    return table.concat(early), ("<I4"):pack(first) .. table.concat(late)
end
