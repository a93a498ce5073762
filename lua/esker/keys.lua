-- Picks the table keys that messages name. Lua's own order of keys, like addresses, differs from run to run, and so
-- would the message, from which a recipe could compute heights.

local esker = require "esker"

local keys = {}

local ranks = { number = 1, string = 2 }

-- A key as text; a key with an address by its type.
function keys.text(key)
    return (ranks[type(key)] or type(key) == "boolean") and tostring(key) or "a " .. esker.type(key)
end

-- The text of the first invalid key: numbers ascending, then strings, then others; nil if all are valid. Reads the raw
-- table, ignoring metatables.
function keys.first_wrong(t, is_right)
    local first, least
    for key in next, t do
        if not is_right(key) then
            local rank = ranks[type(key)] or 3
            local value = rank < 3 and key or keys.text(key)
            if not first or rank < least or rank == least and value < first then
                first, least = value, rank
            end
        end
    end
    return first and tostring(first)
end

return keys
