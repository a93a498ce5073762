-- Where the sun shines: vineyards
-- Gentle slopes that the sun of March warms, in the colour of wine.
local p = params{ seed = 9, size = 200 }
local colours = { { -0.01, "#7a1f4b" }, { 0, "#6c894c" }, { 0.5, "#8c8f5c" }, { 1, "#b2a99e" } }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.5 }:normalize()
local sunny = land:blur{ sigma = 2 }:insolation{ latitude = 47, day = 80 }:select{ height = { 3.9, 9, 0.4 } }
local vineyards = sunny * land:select{ height = { 0, 0.5, 0.1 }, slope = { 3, 35, 5 } }
local light = land:hillshade() * 1.3
return { picture = land:texture{ palette = colours, water = vineyards, snow = { 2, 0, 0 }, shade = light } }
