-- Where the sun shines: vineyards
-- Gentle slopes that the sun of March warms, painted in the colour of wine.
local p = params{ seed = 9, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.5, channel = 3e-4 }:normalize()
local sunny = land:blur{ sigma = 0.01 }:insolation{ latitude = 47, day = 80 }:select{ height = { 4.1, 9, 0.4 } }
local vineyards = sunny * land:select{ height = { 0, 0.45, 0.1 }, slope = { 5, 32, 5 } }
local ground = land:texture{ snow = {}, shade = land:hillshade() * 1.3 }
return { picture = ground:paint(vineyards, { colour = "#7a1f4b", opacity = 0.75 }) }
