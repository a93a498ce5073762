-- Table.concat of one large text many times.
local t, s = {}, ("x"):rep(1e6)
for i = 1, 1e5 do t[i] = s end
return { x = table.concat(t) }
