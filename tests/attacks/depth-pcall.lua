-- Pcall of pcall of pcall.
local f = error
for _ = 1, 1e6 do local g = f f = function() return pcall(g) end end
f()
