-- Open files without end.
for i = 1, 1e4 do pcall(esker.load, "recipe/broken.png") end
return { h = esker.spectral{ size = 16 } }
