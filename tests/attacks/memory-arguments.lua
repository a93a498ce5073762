-- A table of arguments of ten million names.
local t = {}
for i = 1, 1e7 do t["n" .. i] = i end
esker.spectral(t)
