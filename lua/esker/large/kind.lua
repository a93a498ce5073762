-- What tells fields larger than memory from other values, for those who need none of their operations.

local large_kind = {}

large_kind.metatable = { __name = "LargeField" }

function large_kind.is(value)
    return debug.getmetatable(value) == large_kind.metatable
end

-- Pictures larger than memory.
large_kind.picture_metatable = { __name = "LargeImage" }

function large_kind.is_picture(value)
    return debug.getmetatable(value) == large_kind.picture_metatable
end

return large_kind
