-- Picks the table keys that messages name. Lua's own order of keys, like addresses, differs from run to run, and so
-- would the message, from which a recipe could compute heights.

local esker = require "esker"

local keys = {}

local ranks = { number = 1, string = 2 }

-- A key as text: one that has an address by its kind.
function keys.text(key)
    return (ranks[type(key)] or type(key) == "boolean") and tostring(key) or "a " .. esker.type(key)
end

-- The text of the first key that is not right: numbers ascending, then strings, then others. Nil when all are right.
-- Looks at what the table has, whatever a metatable says.
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
