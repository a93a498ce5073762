-- Gsub in gsub.
local function f(s) return (s:gsub(".", f)) end
f("x")
