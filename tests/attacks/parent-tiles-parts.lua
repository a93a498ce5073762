-- esker tiles recipe/attack.lua -o out/tiles
-- The folder of parts is a link: the recipe's output folder would be what it leads to.
local land = esker.spectral{ size = 16 }
print(pcall(land.save, land, "secret.png"))
return { height = land }
