-- Names that must not be there.
for _, name in ipairs{ "io", "debug", "package", "collectgarbage", "dofile", "loadfile" } do
    if rawget(_G, name) ~= nil then print("LEAK", name) end
end
for _, name in ipairs{ "execute", "getenv", "remove", "rename", "exit", "tmpname", "setlocale" } do
    if os[name] ~= nil then print("LEAK", name) end
end
if string.dump then print("LEAK dump") end
return { done = true }
