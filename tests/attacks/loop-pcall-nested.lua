-- Errors caught in errors caught.
local function f() while true do pcall(f) end end
f()
