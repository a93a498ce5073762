-- Table.concat where the length lies.
table.concat(setmetatable({}, { __len = function() return 1 << 60 end, __index = function() return "" end }))
