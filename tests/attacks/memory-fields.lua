-- Fields without end.
local kept = {}
while true do kept[#kept + 1] = esker.field{ size = 256, values = #kept } end
