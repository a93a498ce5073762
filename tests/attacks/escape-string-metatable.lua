-- The metatable that all strings share.
local meta = getmetatable("")
if type(meta) == "table" then
    print("LEAK")
    meta.__index.format = function() return "poisoned" end
end
string.format = function() return "poisoned" end
if ("%d"):format(1) ~= "1" then print("LEAK") end
return { done = true }
