-- An error that is no text.
error(setmetatable({}, { __tostring = function() while true do end end, __index = function() return "usage" end }))
