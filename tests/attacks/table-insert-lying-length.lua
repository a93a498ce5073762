-- Table.insert where the length lies.
table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)
