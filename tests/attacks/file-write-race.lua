-- A folder that is exchanged while it is written to.
local land = esker.spectral{ size = 4 }
for i = 1, 1e5 do pcall(land.save, land, "race/written" .. i % 10 .. ".png") end
