-- Marshes where water gathers
-- The wetness index is high where much water drains over flat ground.
local p = params{ seed = 14, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }
    :stream_erosion{ age = 0.9, deposition = 1, channel = 3e-4 }:normalize()
local wet = land:wetness_index():blur{ sigma = 0.006 }:select{ height = { 6, 99, 3 } }
return { picture = land:texture{ water = wet, shade = land:hillshade() * 1.3, snow = {} } }
