-- Coroutines that start coroutines.
local function deeper() return coroutine.wrap(deeper)() end
while true do pcall(deeper) end
