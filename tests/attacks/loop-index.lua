-- A metamethod that never ends.
local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end })
while true do pcall(function() return t.a end) end
