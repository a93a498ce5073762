-- esker tiles recipe/attack.lua -o out/forged
-- The parts claim that a run was joining them, the output is a link to a folder with numbered folders.
return { height = esker.spectral{ size = 16 } }
