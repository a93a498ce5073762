-- A path of a megabyte.
local land = esker.spectral{ size = 16 }
pcall(land.save, land, ("a/"):rep(5e5) .. "x.png")
pcall(esker.load, ("a/"):rep(5e5) .. "x.png")
return { done = true }
