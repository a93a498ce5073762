# Operations that take cells for squares tell where they are not; those that measure with both sides do not.
cat >oblong.lua <<'END'
local land = esker.noise{ size = 16, seed = 1 } * 100
local oblong = land:georeference{ cell_width = 10, cell_height = 20, unit = "m" }
oblong:gradient_angle{}
oblong:hillshade{ shadows = true }
oblong:viewshed{}
oblong:mesh{}
oblong:blur{ sigma = 0.1 }
oblong:fill{}
oblong:flow_accumulation{}
oblong:height_above_river{}
oblong:thermal_erosion{}
oblong:fill{ slope = 0.5 }
oblong:resize{ width = 16, height = 32 }:flow_accumulation{}
local skewed = land:georeference{ cell = 10, turn_x = 5, turn_y = 0, unit = "m" }
skewed:hillshade{}
skewed:distance{}
skewed:mesh{}
oblong:georeference{ x = 7, y = 47, cell_width = 0.001, cell_height = 0.0005, system = "EPSG:4326" }:openness{}
return { n = 1 }
END
esker oblong.lua
# Of fields larger than memory once, with the size of the whole.
cat >large.lua <<'END'
local land = esker.noise{ width = 130, height = 97, seed = 1, wrap = false } * 100
land = land:georeference{ cell_width = 10, cell_height = 20, unit = "m" }
local large = esker.large{ field = land, rows = 16 }
large:thermal_erosion{}:keep()
large:hillshade{}:keep()
large:flow_accumulation{}
large:fill{}
return { n = 1 }
END
esker large.lua
