-- A volcano
-- Rain cuts gullies into a cone; the crater is cut afterwards, because streams would fill it.
local p = params{ seed = 2, size = 200 }
local cone = esker.shape{ kind = "volcano", size = p.size, radius = 0.45 }
local rough = cone + esker.noise{ size = p.size, seed = p.seed, frequency = 8 } * 0.3
local crater = esker.shape{ kind = "dome", size = p.size, radius = 0.06 }:perturb{ magnitude = 0.02 }
local land = rough:stream_erosion{ age = 0.3 }:normalize() - crater * 0.25
local light = land:hillshade{ shadows = true, exaggeration = 3 } * 1.3
return { picture = land:texture{ snow = {}, rock = { 36, 14 }, exaggeration = 3, shade = light } }
