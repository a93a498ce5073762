-- An environment through coroutines and errors.
local co = coroutine.create(function() error(coroutine.running()) end)
local _, thread = coroutine.resume(co)
if type(thread) == "thread" then pcall(coroutine.wrap(function() coroutine.close(thread) end)) end
return { done = true }
