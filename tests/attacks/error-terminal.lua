-- Commands to the terminal wherever a message quotes: names, keys, arguments, choices, paths, modules.
local bad = "\27]0;LEAKED\7\xC2\x9b31m\x9b32m\u{202E}\u{2066}\xff"
for _, try in ipairs{
    function() error(bad, 0) end,
    function() return _G[bad] end,
    function() return esker.spectral{ [bad] = 1 } end,
    function() return esker.spectral{ size = bad } end,
    function() return esker.field{ size = 2, values = bad, [bad] = 1 } end,
    function() return esker.spectral{ size = 8 }:relief{ palette = bad } end,
    function() return esker.spectral{ size = 8 }[bad] end,
    function() return esker.load(bad) end,
    function() return require(bad) end,
    function() return load(bad, bad) end,
    function() return params{ [bad] = 1 } end,
    function() return params{ x = { 1, [bad] = 2 } } end,
} do
    print(select(2, pcall(try)), ("%q"):format(bad))
end
error({ usage = bad }, 0)
