-- Rice terraces
-- Steps that follow the contours, with water on their treads, up to a height where forest begins.
local p = params{ seed = 17, size = 200 }
local colours = { { -0.01, "#b3d0c4" }, { 0, "#6c894c" }, { 0.6, "#7d9450" }, { 1, "#56703c" } }
local land = esker.spectral{ size = p.size, seed = p.seed, octaves = 3, interpolation = "spline" }:normalize()
local fields = land:select{ height = { 0, 0.75, 0.1 } }
local built = land:lerp(land:terrace{ steps = 16, sharpness = 0.75, slope = 0 }, fields)
local paddies = built:select{ slope = { 0, 2, 1 } } * fields * 0.6
local light = built:hillshade{ exaggeration = 1.5 } * 1.3
local paint = { palette = colours, water = paddies, rock = { 60, 10 }, snow = { 2, 0, 0 }, shade = light }
return { picture = built:texture(paint) }
