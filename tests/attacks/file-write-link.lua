-- A link in the output folder is replaced, not followed.
local land = esker.spectral{ size = 16 }
land:save("link.png")
return { done = true }
