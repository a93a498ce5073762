local noise = esker.diamond_square{ size = 256, seed = 3, smooth = true }
local hills = esker.voronoi{ size = 256, seed = 4, coefficients = { -1, 1 } }
local base = (2 / 3 * noise + 1 / 3 * hills):perturb{ magnitude = 0.25, seed = 5, wrap = false }
local land = base:stream_erosion{ age = 0.8 }
return { relief = land:normalize():relief{ exaggeration = 1.5 }, realism = land:realism{}.score }
