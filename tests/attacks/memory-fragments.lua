-- Small blocks, most freed, then large ones.
local kept = {}
for round = 1, 100 do
    local many = {}
    for i = 1, 1e5 do many[i] = ("x"):rep(90) .. i .. round end
    for i = 1, 1e5, 16 do kept[#kept + 1] = many[i] end
    kept[#kept + 1] = ("x"):rep(1e6) .. round
end
