-- esker recipe/attack.lua grid=grids/dem.asc -o out
-- Links beside a grid that the user names lead to other files.
local p = params{ grid = "" }
local grid = esker.load(p.grid)
print(grid.frame and grid.frame.system)
print(pcall(esker.load, "secret/secret.png") and "LEAK" or "refused")
return { done = true }
