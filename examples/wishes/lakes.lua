-- A country of lakes
-- Rain fills hollows until they spill; each lake is level, and rivers run from lake to lake. They
-- end in lakes that do not spill, which are put below the sea for them.
local p = params{ seed = 6, size = 200 }
local land = esker.noise{ size = p.size, seed = p.seed, frequency = 6, gain = 0.42, wrap = false }:normalize()
local level, lakes, _, _, _, _, closed = land:lakes{ rain = 0.02 }
local rivers = (land - 2 * closed:clamp()):rivers_from_flow{ threshold = 0.002 }
local ground = land:texture{ snow = {}, shade = level:hillshade() * 1.35 }
local water = { colour = "#245a78", line = p.size / 150 }
return { picture = ground:paint(rivers, water):paint(lakes:clamp(), water) }
