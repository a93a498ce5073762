-- A treasure map
-- An island in ink on old paper, and a dashed red way from the landing place to the treasure.
local p = params{ seed = 23, size = 200 }
local paper = { { -0.4, "#a3231c" }, { -0.3, "#d8c08c" }, { 0, "#c09a5e" }, { 0.01, "#5d3f1c" }, { 0.04, "#ead9ac" } }
local hill = esker.shape{ kind = "cone", size = p.size, radius = 0.6, magnitude = 1.2 }
local land = (hill + esker.noise{ size = p.size, seed = p.seed } * 1.5):normalize{ low = -0.7 }:max(-0.29)
local dashes = esker.field{ size = p.size, values = function(x, y) return (x - y) * 30 // p.size % 2 end }
local way = land:path{ paths = { { 0.27, 0.72, 0.6, 0.36 } } }:distance() + dashes
local cross = (land * 0):path{ paths = { { 0.59, 0.3, 0.65, 0.36 }, { 0.65, 0.3, 0.59, 0.36 } }, reuse = 1 }:distance()
local red = way:min(cross):select{ height = { -1, 0.006, 0.003 } }
return { picture = land:relief{ palette = paper, low = -1, high = 1, rivers = red } }
