-- A flat site for a town, and a road to it
-- The ground is levelled with soft edges; the road cuts and fills its way, and houses keep their distance.
local p = params{ seed = 5, size = 200 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.4, channel = 3e-4 }:normalize()
local site = esker.polygon{ size = p.size, points = { { 0.55, 0.4 }, { 0.75, 0.42 }, { 0.72, 0.6 }, { 0.57, 0.62 } } }
local levelled = land:flatten(site, { edge = 0.08 })
local road = levelled:path{ paths = { { 0.02, 0.9, 0.65, 0.51 } } }
local built = levelled:flatten(road, { width = 0.008, edge = 0.008 })
local houses = built:scatter{ distances = { 0.02 }, density = site * road:distance():select{ height = { 0.01, 9 } } }
local ground = built:texture{ snow = {}, shade = built:hillshade() * 1.3 }
local streets = ground:paint(site, { colour = "#b9b58a", opacity = 0.5 }):paint(road, { colour = "#f1e3bf", line = 2 })
return { picture = streets:paint(houses, { colour = "#9c3f2e", thickness = 0.7 }), houses = houses }
