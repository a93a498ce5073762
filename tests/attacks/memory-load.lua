-- A program of a hundred megabytes.
local i = 0
load(function()
    i = i + 1
    return i < 1e8 and "do local x = '" .. i .. "' end " or nil
end)
