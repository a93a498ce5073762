-- Which Lua text draws an operation's picture in the reference: what its declaration says, or its example, which ends
-- with the value to show. Nil: the operation has no picture.

local pictured = { field = true, image = true, map = true, network = true, mesh = true }

return function(operation)
    if operation.picture then
        return operation.picture
    end
    local first = operation.outputs[1]
    if not operation.example or not first or operation.record or not pictured[first.kind] then
        return nil
    end
    local name
    for assigned in operation.example:gmatch("local ([%w_]+)") do
        name = assigned
    end
    return operation.example:gsub("size = %d+", "size = height.width") .. "\nreturn " .. name
end
