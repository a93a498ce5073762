-- A terrain from spot heights
-- The smoothest surface through points of known height, which are marked on its contours.
local p = params{ seed = 2, size = 200 }
local hills = esker.noise{ size = p.size, seed = p.seed, frequency = 2, octaves = 2 }:normalize()
local points = hills:scatter{ distances = { 0.12 } }
local land = points:from_points{ tension = 0.05 }
local lines = land:contours{ interval = 0.1 }
local map = land:relief{ palette = "alpine" }:paint(lines, { colour = "#5d3f1c", opacity = 0.6 })
return { picture = map:paint(points, { colour = "#b3261e", thickness = 0, line = p.size / 50 }), heights = land }
