-- A treasure map
-- An island in ink on old paper, and a dashed red way from the landing place to the treasure.
local p = params{ seed = 23, size = 200 }
local paper = { { -0.3, "#d8c08c" }, { 0, "#c09a5e" }, { 0.01, "#5d3f1c" }, { 0.04, "#ead9ac" }, { 1, "#c9ad73" } }
local hill = esker.shape{ kind = "cone", size = p.size, radius = 0.6, magnitude = 1.2 }
local land = (hill + esker.noise{ size = p.size, seed = p.seed } * 1.5):normalize{ low = -0.7 }:max(-0.29)
local way = land:path{ paths = { { 0.27, 0.72, 0.6, 0.36 } } }
local cross = (land * 0):path{ paths = { { 0.59, 0.3, 0.65, 0.36 }, { 0.65, 0.3, 0.59, 0.36 } }, reuse = 1 }
local map = land:relief{ palette = paper, low = -1, high = 1 }
local red = { colour = "#a3231c", line = p.size / 70 }
map = map:paint(cross, red)
red.dash = p.size / 28
return { picture = map:paint(way, red) }
