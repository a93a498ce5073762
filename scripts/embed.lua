-- Writes a C file that holds the Lua modules named on the command line: lua/esker/help.lua becomes the
-- module esker.help. Bytes are written as numbers, because C limits the length of a string.

local out = { '#include "lua/embedded.h"\n' }
local rows = {}
for index, path in ipairs(arg) do
    local file = assert(io.open(path, "rb"))
    local text = file:read("a")
    file:close()
    local bytes = {}
    for i = 1, #text do
        bytes[i] = string.byte(text, i) .. (i % 24 == 0 and ",\n" or ",")
    end
    out[#out + 1] = ("static const unsigned char module_%d[] = {\n%s0\n};\n"):format(index, table.concat(bytes))
    local name = path:gsub("^lua/", ""):gsub("^.*/web/", ""):gsub("%.lua$", ""):gsub("/", ".")
    rows[#rows + 1] = ('    { "%s", "%s", module_%d, %d },\n'):format(name, path, index, #text)
end
out[#out + 1] = "const EmbeddedModule embedded_modules[] = {\n" .. table.concat(rows) .. "    { 0 },\n};\n"
io.write(table.concat(out, "\n"))
