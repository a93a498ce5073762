-- Images without end.
local land, kept = esker.spectral{ size = 256 }, {}
while true do kept[#kept + 1] = land:relief{} end
