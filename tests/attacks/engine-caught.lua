-- Passes of erosion; errors that stop them are ignored.
local land = esker.diamond_square{ size = 1024 }
while true do pcall(land.thermal_erosion, land, { iterations = 1000000 }) end
