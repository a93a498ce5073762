-- A splat map for a game engine
-- Shares of rock, grass and snow as the channels of an image, with the heights and normals beside it.
local p = params{ seed = 6, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.5 }:normalize()
local rock = land:select{ slope = { 37, 90, 10 } }
local snow = land:select{ height = { 0.7, 2, 0.1 }, slope = { 0, 40, 10 } }
local splat = rock:image{ green = 1 - rock:max(snow), blue = snow, shares = true }
return { picture = splat, heights = { land, format = "r16" }, normals = land:normal_map() }
