-- A loop that a hook of the main thread does not see.
coroutine.wrap(function() while true do end end)()
