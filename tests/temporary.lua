-- The name of a file that does not exist: temporary(ending). What lies below that name, as the .json beside a file
-- does, is removed when the test ends.
local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir -m 700 " .. folder))

local exit, count = os.exit, 0
function os.exit(...) -- luacheck: ignore 122
    os.execute("rm -rf " .. folder)
    exit(...)
end

return function(ending)
    count = count + 1
    return ("%s/%d%s"):format(folder, count, ending)
end
