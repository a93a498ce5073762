-- Code that runs when memory is collected.
setmetatable({}, { __gc = function() while true do end end })
