-- Elevation data with voids
-- Cells without data are filled with the smoothest surface that continues the slopes around them.
local p = params{ seed = 4, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.3 }:normalize()
local voids = esker.noise{ size = p.size, seed = p.seed, frequency = 5 }:equalize():select{ height = { 0.85, 9 } }
local data = land * (1 - voids) -- as read from a file, with 0 for no data
local whole = data:inpaint(voids)
local before = land:relief{ exaggeration = 1.5 }:paint(voids, { colour = "#1c1c28" })
return { picture = before:join(whole:relief{ exaggeration = 1.5 }), heights = whole }
