-- An error that is not a string.
error(setmetatable({}, { __tostring = function() while true do end end, __index = function() return "usage" end }))
