-- What makes the collector run while the answer is sent, and strings where freed memory was.
for i = 1, 3e5 do local _ = { i } end
local kept = {}
for i = 1, 4000 do kept[i] = ("B"):rep(440 + i % 128) .. i end
return { n = #kept, land = esker.spectral{ size = 64 } }
