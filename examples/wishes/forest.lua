-- Trees where they grow
-- Broad trees low down, conifers higher up, each dense where it likes the ground. They can be saved for a game engine,
-- as .csv.
local p = params{ seed = 3, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.4, channel = 3e-4 }:normalize()
local low = land:select{ height = { 0, 0.3, 0.2 }, slope = { 0, 25, 10 } }
local high = land:select{ height = { 0.45, 0.6, 0.2 }, slope = { 0, 35, 10 } }
local trees = land:scatter{ seed = p.seed, distances = { 0.022, 0.012 }, density = { low, high } }
local ground = land:texture{ snow = {}, shade = land:hillshade() * 1.3 }
local shaded = ground:paint(trees, { colour = "#1a2414", opacity = 0.6, thickness = 1.3 })
return { picture = shaded:paint(trees, { colour = { "#5f8a3a", "#2f5a3c" } }), trees = trees }
