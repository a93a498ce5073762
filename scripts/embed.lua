-- Writes a C file that holds the Lua modules named on the command line: lua/esker/help/command.lua becomes the module
-- esker.help.command. They are compiled here: that is three quarters of the time that the program needs to start; all
-- releases of Lua 5.4 have the same virtual machine. Strings are compiled faster than lists of numbers.
-- With --text first they stay text, without comments on lines of their own and without indentation, and are compiled
-- where they are needed: that is less where a network carries them, compressed.

package.path = "scripts/?.lua;" .. package.path
local bare = require "bare"

local as_text = arg[1] == "--text"
if as_text then
    table.remove(arg, 1)
end

local function escaped(byte)
    return ("\\%03o"):format(byte:byte())
end

local out = { '#include "lua/embedded.h"\n' }
local rows = {}
for index, path in ipairs(arg) do
    local code = as_text and bare(path) or string.dump(assert(loadfile(path, "t")))
    local pieces = { '""\n' }
    for first = 1, #code, 100 do
        pieces[#pieces + 1] = '"' .. code:sub(first, first + 99):gsub('[^ !#->@-Z^-~]', escaped) .. '"\n'
    end
    out[#out + 1] = ("static const unsigned char module_%d[] =\n%s;\n"):format(index, table.concat(pieces))
    local name = path:gsub("^lua/", ""):gsub("^.*/pages/", ""):gsub("%.lua$", ""):gsub("/", ".")
    rows[#rows + 1] = ('    { "%s", module_%d, %d },\n'):format(name, index, #code)
end
out[#out + 1] = "const EmbeddedModule embedded_modules[] = {\n" .. table.concat(rows) .. "    { 0 },\n};\n"
io.write(table.concat(out, "\n"))
