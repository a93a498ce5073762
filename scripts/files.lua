-- Writes files as a Lua module that gives their texts by name: scripts/files.lua FILE … . With --needs=FILE first, the
-- module is empty where that file is missing. Comments on lines of their own, and indentation, stay behind.

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
        if not arg[i]:find("%.min%.js$") then
            text = ("\n" .. text):gsub("\n%s*//[^\n]*", ""):gsub("\n%s+", "\n"):sub(2)
        end
        io.write(("    [%q] = %q,\n"):format(arg[i]:match("[^/]*$"), text))
    end
end
io.write("}\n")
