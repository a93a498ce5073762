-- esker tiles recipe/attack.lua --kinds relief -o out/sets
-- The folder of a set of tiles is a link.
local land = esker.spectral{ size = 16 }
return { height = land, other = land }
