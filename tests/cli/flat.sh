# What makes a picture empty without being an error is told.
cat >flat.lua <<'END'
local land = esker.noise{ size = 64, seed = 1 }:normalize()
local low, high = 0.01 * land, 1000 * land
for _, field in ipairs{ low, high, land, low * 0 } do field:relief{} end
low:relief{ low = 0, high = 0.01 }
high:contour_map{ interval = 5000 }
high:contours{ interval = 5000 }
high:contour_map{}
for _, height in ipairs{ high, land, high:georeference{ unit = "m" } } do height:thermal_erosion{} end
high:hillshade{}
high:hillshade{ exaggeration = 0.001 } -- who sets it knows
for _, height in ipairs{ land, high:georeference{ unit = "m" } } do height:openness{} end
high:openness{}
high:georeference{ x = 7, y = 46, cell = 1 / 3600, unit = "m", system = "EPSG:4326" }:gradient_angle()
local function part(width, height) return land:resize{ width = width, height = height } end
for _, height in ipairs{ 26, 27 } do part(50, height):colorize{ legend = true } end
part(1000, 30):contour_map{ cell = 30 }
part(100, 40):contour_map{ cell = 30 }
part(200, 58):contour_map{ cell = 30 }
return { n = 1 }
END
esker flat.lua
