-- Writes files as a Lua module that gives their texts by name: scripts/files.lua FILE … . With --needs=FILE first, the
-- module is empty where that file is missing.

local needed = arg[1] and arg[1]:match("^%-%-needs=(.*)")
local function read(path)
    local file = io.open(path, "rb")
    local text = file and file:read("a")
    return file and file:close() and text
end

io.write("return {\n")
if not needed or read(needed) then
    for i = needed and 2 or 1, #arg do
        local text = assert(read(arg[i]), arg[i] .. " cannot be read")
        io.write(("    [%q] = %q,\n"):format(arg[i]:match("[^/]*$"), text))
    end
end
io.write("}\n")
