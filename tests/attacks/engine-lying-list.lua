-- Lists whose length lies.
local lying = setmetatable({}, { __len = function() return 1 << 61 end, __index = function() return "a" end })
print(pcall(esker.nearest, "x", lying))
print(pcall(esker.curve, esker.spectral{ size = 64 }, { points = lying }))
print(pcall(esker.field, { values = lying }))
print(pcall(esker.relief, esker.spectral{ size = 64 }, { palette = lying }))
return { done = true }
