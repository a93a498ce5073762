-- Numbers beyond everything.
local huge = { 0 / 0, 1 / 0, -1 / 0, 1e308, -1e308, 1 << 63, math.maxinteger, -0.0, 2 ^ 53 + 1 }
for _, operation in ipairs(esker.operations()) do
    for _, param in ipairs(operation.params) do
        for _, number in ipairs(huge) do
            pcall(esker[operation.name], esker.spectral{ size = 16 }, { [param.name] = number, seed = 1 })
            pcall(esker[operation.name], { [param.name] = number, size = 16 })
        end
    end
end
