-- Rice terraces
-- Steps that follow the contours, with water on their treads, up to a height where forest begins.
local p = params{ seed = 17, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed, octaves = 3, interpolation = "spline" }:normalize()
local fields = land:select{ height = { 0, 0.7, 0.1 } }
local built = land:lerp(land:terrace{ steps = 16, sharpness = 0.75, slope = 0 }, fields)
local paddies = built:select{ slope = { 0, 1.5, 1 } } * fields
local light = built:hillshade{ exaggeration = 1.5 } * 1.3
local ground = built:texture{ rock = { 60, 10 }, snow = {}, shade = light }
return { picture = ground:paint(paddies, { colour = "#b3d0c4", opacity = 0.6 }) }
