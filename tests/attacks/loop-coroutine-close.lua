-- A loop while a coroutine is closed.
local co = coroutine.create(function()
    local guard <close> = setmetatable({}, { __close = function() while true do end end })
    coroutine.yield(guard)
end)
coroutine.resume(co)
coroutine.close(co)
