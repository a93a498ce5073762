-- A country of lakes
-- Rain fills hollows until they spill; each lake is level.
local p = params{ seed = 6, size = 200 }
local land = esker.noise{ size = p.size, seed = p.seed, frequency = 6, gain = 0.42, wrap = false }:normalize()
local level, lakes = land:lakes{ rain = 0.02 }
return { picture = land:texture{ water = lakes:clamp(), snow = {}, shade = level:hillshade() * 1.35 } }
