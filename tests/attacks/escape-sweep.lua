-- Processes through esker.sweep.
local well = pcall(esker.sweep, { recipe = "attack.lua", grid = { n = { 1 } } })
if well then print("LEAK") end
return { done = true }
