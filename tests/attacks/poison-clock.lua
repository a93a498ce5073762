-- The clock and all else that a program may take from its library.
local function nan() return 0 / 0 end
for _, t in ipairs{ esker, esker.palettes, string, table, math, os, coroutine, utf8 } do
    for name, value in pairs(t) do
        if type(value) == "function" then t[name] = nan end
    end
end
for name in pairs(_G) do -- pairs itself, too
    if type(_G[name]) == "function" then _G[name] = nan end
end
return { n = 1 }
