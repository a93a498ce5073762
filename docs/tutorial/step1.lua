local noise = esker.diamond_square{ size = 256, seed = 3, smooth = true }
return { relief = noise:relief{} }
