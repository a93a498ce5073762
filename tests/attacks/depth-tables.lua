-- A table in a table, a hundred thousand deep, as a result.
local t = {}
for _ = 1, 1e5 do t = { t } end
return { t = t }
