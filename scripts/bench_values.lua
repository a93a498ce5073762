-- What operations are measured with: bench_values(operation, arguments, land, size) returns the arguments of a call
-- whose fields have `size` cells a side. Values that are not fields are made once for each size.

package.path = "tests/?.lua;" .. package.path
local esker = require "esker"
local some_values = require "some_values"

local makers = {
    field = function(land) return land end,
    map = function() return esker.river_map{ seed = 2 } end,
    network = function(_, size) return esker.river_network{ size = size, seed = 2 } end,
    image = function(land) return land:relief{} end,
}

local kept = setmetatable({}, { __index = function(all, key)
    all[key] = {}
    return all[key]
end })

local function value_of(kind, land, size)
    if not kept[size][kind] then
        local maker = makers[kind]
        kept[size][kind] = maker and maker(land, size) or some_values.make(kind, land)
    end
    return kept[size][kind]
end

return function(operation, arguments, land, size)
    local values = {}
    for i, input in ipairs(operation.inputs) do
        local kind = input.kind:match("^%w+")
        values[i] = kind == "field" and land or value_of(kind, land, size)
    end
    if operation.name == "amplify" then -- `size` is the result's
        values[1] = land:resize{ size = size // 8 }
    end
    arguments.size = operation.sized and size or nil
    arguments.levels = operation.name == "squig_mountain" and math.floor(math.log(size, 2)) or nil
    values[#values + 1] = arguments
    return values
end
