-- Writes files as a Lua module that gives their texts by name, as they are served (stripped.lua): scripts/files.lua
-- FILE … . With --needs=FILE first, the module is empty where that file is missing.

package.path = "scripts/?.lua;" .. package.path
local stripped = require "stripped"

local needed = arg[1] and arg[1]:match("^%-%-needs=(.*)")

io.write("return {\n")
if not needed or stripped(needed) then
    for i = needed and 2 or 1, #arg do
        local text = assert(stripped(arg[i]), arg[i] .. " cannot be read")
        io.write(("    [%q] = %q,\n"):format(arg[i]:match("[^/]*$"), text))
    end
end
io.write("}\n")
