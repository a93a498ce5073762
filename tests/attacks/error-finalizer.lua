-- Errors that would run code when they are collected.
local made, problem = pcall(setmetatable, {}, { __gc = function() print("LEAK") while true do end end })
error(made and problem or { usage = "\27]0;LEAKED\7" .. tostring(problem) }, 0)
