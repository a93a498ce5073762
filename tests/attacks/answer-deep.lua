-- Names upon names, a million deep.
local t = { n = 1 }
for _ = 1, 1e6 do t = { t = t } end
return t
