cat > island.lua <<'X'
local p = params{ seed = 1, size = 64, talus = { 16, min = 0, max = 64 } }
local land = esker.diamond_square{ size = p.size, seed = p.seed }:olsen_erosion{ talus = p.talus }
return { height = land, relief = land:relief{}, mean = (land:statistics().mean > 0) and 1 or 0, name = "island" }
X
esker island.lua talus=12 -o out
ls -A out
# What an operation cannot find is told.
cat >none.lua <<'END'
local land = esker.field{ size = 4, values = function(x) return 0.5 + x / 8 end }
local none = land:scatter{ density = land * 0 }
land:flatten(land * 0)
land:flatten(none)
return { count = #land:contours{ interval = 5 } }
END
esker none.lua
