-- A handler that fails itself.
local function h() return xpcall(error, h) end
while true do xpcall(error, h) end
