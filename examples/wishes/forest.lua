-- Trees where they grow
-- Points that keep their distances, dense on low gentle ground. They can be saved for a game engine, as .csv.
local p = params{ seed = 3, size = 200 }
local green = { { -0.01, "#1c3317" }, { 0, "#93a566" }, { 0.5, "#8c8f5c" }, { 1, "#b2a99e" } }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.4 }:normalize()
local grows = land:select{ height = { 0, 0.6, 0.3 }, slope = { 0, 30, 10 } }
local trees = land:scatter{ seed = p.seed, distances = { 0.022, 0.012 }, density = grows }
local crowns = trees:distance{ signed = true } * -150
local light = (land + crowns:clamp() * 0.1):hillshade() * 1.3
return { picture = land:texture{ palette = green, water = crowns, snow = { 2, 0, 0 }, shade = light }, trees = trees }
