-- Compiled code, by its first byte.
local f = load("\27Lua" .. ("x"):rep(100), "x", "b")
if f then print("LEAK") end
f = load(function() local s = code code = nil return s end, "x", "bt", { code = "\27LuaT" })
if f then print("LEAK") end
return { done = true }
