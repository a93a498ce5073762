-- esker sweep recipe/attack.lua --from grids/design.csv -o out
-- A table that came with the recipe names a file.
local p = params{ path = "" }
local well = pcall(esker.load, p.path)
if well then
    error("LEAK")
end
return { done = true }
