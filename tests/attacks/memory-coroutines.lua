-- Coroutines without end.
local kept = {}
while true do
    local co = coroutine.create(function() coroutine.yield() end)
    coroutine.resume(co)
    kept[#kept + 1] = co
end
