-- Many coroutines, each of which runs a little.
while true do
    local co = coroutine.wrap(function() for i = 1, 1000 do coroutine.yield(i) end end)
    for _ = 1, 1000 do co() end
end
