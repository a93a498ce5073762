-- Results whose metatables answer whatever they are asked, at every level.
local asked = 0
local meta = {}
for _, name in ipairs{ "__index", "__pairs", "__len", "__tostring", "__name", "__eq", "__lt", "__le", "__concat", "__call",
    "__close", "__newindex", "__metatable" } do
    meta[name] = function() asked = asked + 1 print("LEAK") while true do end end
end
local inner = setmetatable({ n = 1 }, meta)
return { inner = inner, land = esker.spectral{ size = 16 } }
