-- Every operation with every kind of value.
local things = { 1, "x", true, {}, print, coroutine.create(print), esker.spectral{ size = 16 }, esker.river_map{},
    esker.spectral{ size = 16 }:relief{} }
for _, operation in ipairs(esker.operations()) do
    for _, a in ipairs(things) do
        for _, b in ipairs(things) do
            pcall(esker[operation.name], a, b)
            pcall(esker[operation.name], a, b, {})
        end
    end
end
return { done = true }
