-- The module's functions replaced.
for name in pairs(esker) do esker[name] = function() return "Field" end end
return { done = 1 }
