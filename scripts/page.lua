-- Writes a page as a Lua module that gives its text: scripts/page.lua PAGE.html LIBRARY … . Style sheets and scripts
-- are put into the page, from files beside it or from a LIBRARY of that name; a library that is not there is left out.
-- SCRIPTS in the page's Content-Security-Policy becomes their hashes, so that no other script runs.

local page_path = arg[1]
local folder = page_path:match("^(.*/)") or ""
local libraries = {}
for i = 2, #arg do
    libraries[arg[i]:match("[^/]*$")] = arg[i]
end

local function read(path)
    local file = io.open(path, "rb")
    if not file then
        return nil
    end
    local text = file:read("a")
    file:close()
    return text
end

local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function base64(bytes)
    return (bytes:gsub("..?.?", function(group)
        local a, b, c = group:byte(1, 3)
        local word = a << 16 | (b or 0) << 8 | (c or 0)
        local text = ""
        for shift = 18, 0, -6 do
            local digit = (word >> shift & 63) + 1
            text = text .. digits:sub(digit, digit)
        end
        return text:sub(1, #group + 1) .. ("="):rep(3 - #group)
    end))
end

local function hash(text)
    local name = os.tmpname()
    local file = assert(io.open(name, "wb"))
    assert(file:write(text))
    assert(file:close())
    local pipe = assert(io.popen("sha256sum " .. name))
    local sum = pipe:read("a"):match("^%x+")
    pipe:close()
    os.remove(name)
    assert(sum and #sum == 64, "sha256sum gives no sum")
    return "'sha256-" .. base64((sum:gsub("%x%x", function(byte)
        return string.char(tonumber(byte, 16))
    end))) .. "'"
end

local hashes = {}
local page = assert(read(page_path), page_path .. " cannot be read")
page = page:gsub('<link rel="stylesheet" href="([^"]+)">\n', function(name)
    return "<style>\n" .. assert(read(folder .. name), name) .. "</style>\n"
end)
page = page:gsub('<script src="([^"]+)"></script>\n', function(name)
    local text = read(folder .. name) or libraries[name] and read(libraries[name])
    if not text then
        assert(libraries[name], name .. " is not there")
        return ""
    end
    if name:find("/", 1, true) then -- a module of another page, whose functions this page's scripts share
        text = ("\n" .. text):gsub("\nexport ", "\n"):gsub("\nimport [^\n]*", ""):sub(2)
    end
    assert(not text:lower():find("</script", 1, true) and not text:find("<!--", 1, true), name .. " ends its element")
    text = "\n" .. text
    hashes[#hashes + 1] = hash(text)
    return "<script>" .. text .. "</script>\n"
end)
page = page:gsub("SCRIPTS", (table.concat(hashes, " "):gsub("%%", "%%%%")), 1)
io.write("return ", ("%q"):format(page), "\n")
