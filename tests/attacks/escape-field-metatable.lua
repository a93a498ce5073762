-- The functions that free a field.
local land = esker.spectral{ size = 64 }
local meta = getmetatable(land)
if type(meta) == "table" then
    print("LEAK")
    meta.__gc(land)
end
return { sum = land:get(1, 1) }
