local land = esker.diamond_square{ size = 256, seed = 3, smooth = true }
return { relief = land:relief{} }
