-- A contour map to print
-- Contours every 50 metres with their heights, a scale bar and a north arrow.
local p = params{ seed = 5, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.3 }:normalize():blur{ sigma = 0.01 }
return { picture = land:contour_map{ metres = 1000, interval = 0.05, cell = 30 } }
