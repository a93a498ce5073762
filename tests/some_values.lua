-- A value of any type, for tests that go over all of them.

local esker = require "esker"

local some_values = {}

local makers -- operations by the kind of value that they make

-- The operation of the type's own name, or the first that needs no more than a field.
local function find_makers()
    local operations, found = esker.operations(), {}
    for _, type in ipairs(esker.values()) do
        local own_name = type.name:gsub("(%l)(%u)", "%1_%2"):lower()
        for _, operation in ipairs(operations) do
            local output, input = operation.outputs[1], operation.inputs[1]
            if output and output.kind == type.kind and (not input or input.kind == "field" and #operation.inputs == 1)
                and (not found[type.kind] or operation.name == own_name) then
                found[type.kind] = operation
            end
        end
    end
    return found
end

local kept = {} -- what is made of nothing: eroded land keeps what it has made

-- One of this kind, made of the field `land` where it is made of one, and as large; `tiling`: of maps; `points`: how
-- many a network has.
function some_values.make(kind, land, tiling, points)
    makers = makers or find_makers()
    local maker = assert(makers[kind], kind)
    local arguments = { seed = maker.seeded and 5 or nil, tiling = tiling }
    arguments.points = kind == "network" and points or nil
    if maker.sized then
        arguments.width, arguments.height = land.width, land.height
    end
    if maker.inputs[1] then
        return esker[maker.name](land, arguments)
    end
    local key = ("%s %s %s %s %s"):format(kind, arguments.width, arguments.height, tiling, arguments.points)
    kept[key] = kept[key] or esker[maker.name](arguments)
    return kept[key]
end

return some_values
