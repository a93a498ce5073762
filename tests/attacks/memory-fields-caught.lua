-- Fields, and the refusal is ignored.
local kept = {}
while true do pcall(function() kept[#kept + 1] = esker.field{ size = 256, values = 1 } end) end
