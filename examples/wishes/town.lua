-- A flat site for a town, and a road to it
-- The ground is levelled with soft edges; the road cuts and fills its way.
local p = params{ seed = 5, size = 200 }
local colours = { { -0.01, "#e9d8b4" }, { 0, "#6c894c" }, { 0.5, "#8c8f5c" }, { 1, "#b2a99e" } }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.4 }:normalize()
local site = esker.polygon{ size = p.size, points = { { 0.55, 0.4 }, { 0.75, 0.42 }, { 0.72, 0.6 }, { 0.57, 0.62 } } }
local levelled = land:flatten(site, { edge = 0.08 })
local road = levelled:path{ paths = { { 0.02, 0.9, 0.58, 0.58 } } }
local built, bed = levelled:flatten(road, { width = 0.008, edge = 0.008, sloped = true })
local light = built:hillshade() * 1.2
return { picture = built:texture{ palette = colours, water = bed:max(site), snow = { 2, 0, 0 }, shade = light } }
