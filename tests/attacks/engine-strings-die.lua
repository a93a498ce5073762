-- Texts that are collected while arguments are read.
local arguments = setmetatable({}, { __index = function(_, name)
    local garbage = {}
    for i = 1, 1e4 do garbage[i] = name .. i end
    return name .. #garbage
end })
esker.river_map(arguments)
