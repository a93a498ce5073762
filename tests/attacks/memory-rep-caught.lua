-- Large texts, and the refusal is ignored.
local kept = {}
while true do pcall(function() kept[#kept + 1] = ("x"):rep(1 << 22) .. #kept end) end
