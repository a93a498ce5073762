-- Sizes that overflow when they are multiplied.
for _, size in ipairs{ 65536, 65537, 1 << 31, 1 << 32, (1 << 32) + 1, -1, 0, 46341 } do
    for _, operation in ipairs(esker.operations()) do
        if operation.sized then
            pcall(esker[operation.name], { width = size, height = 65536 })
            pcall(esker[operation.name], { size = size })
        end
    end
end
