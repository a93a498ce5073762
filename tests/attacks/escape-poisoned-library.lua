-- The library's functions replaced.
for name in pairs(string) do string[name] = function() return "poisoned" end end
for name in pairs(table) do table[name] = error end
math.floor, tostring, type, pairs, ipairs, error = error, error, error, error, error, nil
return { done = 1 }
