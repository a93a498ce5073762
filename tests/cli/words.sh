# Words of other programs find what does the same here, or what to use instead (tests/words.txt).
cat >words.lua <<'LUA'
local help = require "esker.help.command"
local count, section = 0, nil
for line in io.lines(os.getenv "ROOT" .. "/tests/words.txt") do
    local word, expected = line:match("^([^#:]+): (.*)$")
    section = line:match("^%[(.*)%]$") or section
    if word then
        local answer = help.find(word) or ""
        local shown, found = {}, false
        for name in answer:gmatch("\n  ([%a_]+) +%u") do
            shown[#shown + 1] = #shown < 3 and name or nil
        end
        for name in answer:gmatch("\n  examples/wishes/([%a-]+)%.lua") do
            shown[#shown + 1] = name
        end
        shown[#shown + 1] = #shown == 0 and (answer:match("^esker%.([%a_]+)") or answer:match("^%w+:([%a_]+)")
            or answer:match("^([%a_]+)\n")) or nil
        shown[#shown + 1] = answer:find("^Esker ") and "instead" or nil
        for name in expected:gmatch("%S+") do
            for _, each in ipairs(shown) do
                found = found or each == name
            end
        end
        count = count + 1
        if not found then
            print(("%s: '%s' shows %s, not %s"):format(section, word,
                #shown > 0 and table.concat(shown, " ") or "nothing", expected))
        end
    end
end
print(count > 350 and "all words were asked for" or count)
LUA
esker words.lua --trust -q
