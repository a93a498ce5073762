-- Mesas and cliffs
-- Hard layers stay as steps.
local p = params{ seed = 12, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.3 }:normalize()
local mesas = land:terrace{ steps = 6, sharpness = 0.9 }
return { picture = mesas:relief{ palette = "desert", exaggeration = 1.3 } }
