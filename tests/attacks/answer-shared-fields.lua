-- One field under a thousand names.
local land, results = esker.spectral{ size = 512 }, {}
for i = 1, 1000 do results["h" .. i] = { a = land, b = land } end
return results
