-- Results that are never all told.
return setmetatable({}, { __pairs = function() return function() return "a", 1 end end })
