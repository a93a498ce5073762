-- A few tables, reached in millions of ways, of which its pairs shows one.
local t = { leaf = 1 }
for _ = 1, 8 do
    local wider = {}
    for i = 1, 10 do wider["k" .. i] = t end
    t = wider
end
return setmetatable({ n = 1, t = t }, { __pairs = function(all) return function(_, key) if not key then return "n", 1 end end, all end })
