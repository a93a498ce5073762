-- A field that is closed while arguments are read.
local co, land
co = coroutine.create(function()
    local inner <close> = esker.spectral{ size = 512 }
    land = inner
    coroutine.yield()
end)
coroutine.resume(co)
local arguments = setmetatable({}, { __index = function() coroutine.close(co) end })
land:blur(arguments)
