-- A finalizer that is put in afterwards.
local meta = {}
local t = setmetatable({}, meta)
meta.__gc = function() print("LEAK") while true do end end
t = nil
for _ = 1, 1e6 do local _ = {} end
return { done = true, t = t }
