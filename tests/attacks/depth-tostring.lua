-- A text made of a text made of a text.
local t = setmetatable({}, {})
getmetatable(t).__tostring = function(x) return tostring(x) end
return { x = tostring(t) }
