-- A view from a mountain
-- A camera on a summit looks over the land, with sun, shadows and haze.
local p = params{ seed = 3, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.5 }:normalize()
local camera = { camera = { 0.5, 0.98, 0.1 }, target = { 0.5, 0.4, 0.02 }, field_of_view = 40, vertical_scale = 1.5 }
camera.width, camera.height = p.size, p.size * 5 // 8
return { picture = land:perspective(camera) }
