-- Metatables behind metatables.
local t = {}
for _ = 1, 1e6 do t = setmetatable({}, { __index = t }) end
return { x = t.missing or 1 }
