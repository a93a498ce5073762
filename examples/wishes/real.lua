-- A real elevation model, eight times finer
-- Any file that `esker.load` reads; here a field of 25 × 25 cells stands for it.
local p = params{ seed = 1, size = 25 }
local land = esker.spectral{ size = p.size * 2, seed = p.seed }:stream_erosion{ age = 0.5 }
local coarse = land:crop{ width = p.size, height = p.size }:normalize{ low = 0.1 }
local fine = coarse:amplify{ levels = 3 }
local before = coarse:resize{ size = fine.width, interpolation = "nearest" }
return { picture = before:relief{ exaggeration = 0.7 }:join(fine:relief{ exaggeration = 1.5 }) }
