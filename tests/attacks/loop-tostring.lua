-- A text that is never finished.
return { x = tostring(setmetatable({}, { __tostring = function() while true do end end })) }
