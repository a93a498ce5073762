-- esker tiles recipe/attack.lua -o out/forged
-- The parts claim that a run was joining them, the output is a link to a folder with a folder in the place of tiles.
return { height = esker.spectral{ size = 16 } }
