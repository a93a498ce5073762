-- Coroutines that hold what runs on, among the results.
local co = coroutine.create(function() while true do coroutine.yield(("x"):rep(100)) end end)
coroutine.resume(co)
return { n = 1, co = co }
