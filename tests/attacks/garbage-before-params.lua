-- The same before the parameters are declared.
for i = 1, 3e5 do local _ = { i } end
local p = params{ seed = 1 }
return { n = p.seed }
