-- `esker explore --static --site`: a page that computes in the reader's tab. It is the site of `make web` (docs/web.md)
-- with one recipe in place of its examples.

local files = require "esker.files"
local output_folders = require "esker.recipe.output_folders"
local recipe = require "esker.recipe.recipe"
local screen = require "esker.screen"
local texts = require "esker.texts"

local site = {}

local left_out = { ["index.html"] = true, ["start.css"] = true, ["start.js"] = true }

local page = [[
<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=ADDRESS">
<link rel="icon" href="icon.svg">
<title>NAME</title>
<a href="ADDRESS">NAME</a>
]]

-- The bytes of a file of the site.
local function bytes_of(folder, name)
    local file <close> = folder:open(name)
    return file and file:read("a")
end

-- A name as the page takes it in its address (src/web/tab/world.js).
local function name_of(path)
    local name = path:match("([^/]*)$"):gsub("%.lua$", ""):gsub("[^%w_-]", "-"):sub(1, 40)
    return name ~= "" and name or "recipe"
end

local function escaped(text)
    return (text:gsub("[^%w_.~-]", function(byte) return ("%%%02X"):format(byte:byte()) end))
end

-- Where the page opens: the recipe, with the values of the command line.
local function address_of(name, overrides)
    local words = {}
    for parameter, value in pairs(overrides) do
        words[#words + 1] = ("&amp;p.%s=%s"):format(escaped(parameter), escaped(value))
    end
    table.sort(words)
    return "explore.html#example=" .. name .. table.concat(words)
end

-- What keeps the page offline, with the names of its files, and a version of its own for this recipe; nil if `text` is
-- of another version of Esker.
local function service_of(text, names, of)
    table.sort(names)
    local list = '"' .. table.concat(names, '", "') .. '"'
    local version, rest = text:match('^(.-kept = "esker [^"]*)(.*)$')
    local _, before = (rest or ""):find("const files = ", 1, true)
    local close = before and rest:find("]", before, true)
    if not close then
        return nil
    end
    return version .. "-" .. texts.hash(of) .. rest:sub(1, before) .. "[" .. list .. "]" .. rest:sub(close + 1)
end

-- Writes the page of a recipe's text, which is not run here, to options.output.
function site.write(options, text)
    local _, read = recipe.whole_text(options.target, text)
    for _, path in ipairs(read) do
        if path ~= options.target then
            error(("%s requires %s, and a page has only the recipe itself"):format(options.target, path), 0)
        end
    end
    local from = files.folder(options.site)
    local service = from and bytes_of(from, "service.js")
    if not service or not from:has("explore.html") or not from:has("esker.wasm") then
        error(("'%s' is not the site that `make web` writes: it lacks explore.html, esker.wasm or service.js")
            :format(options.site), 0)
    end
    local folder, why = output_folders.open(options.output, "explorer", true)
    if not folder then
        error(why, 0)
    end
    local name, names = name_of(options.target), {}
    local function write(path, bytes)
        folder:write(path, bytes)
        names[#names + 1] = path
    end
    folder:make("recipes")
    write("recipes/" .. name .. ".lua", text)
    write("index.html", (page:gsub("%u%u%u%u+", { ADDRESS = address_of(name, options.overrides), NAME = name })))
    for _, each in ipairs(from:names(".")) do
        if not each:find("/$") and not left_out[each] and each ~= "service.js" then
            write(each, bytes_of(from, each))
        end
    end
    service = service_of(service, names, text)
    if not service then
        error(("'%s' is the site of another version of Esker"):format(options.site), 0)
    end
    folder:write("service.js", service)
    if not options.quiet then
        screen.write(("%s  a page that computes in the reader's browser; any web host serves it, as does "
            .. "python3 -m http.server -d %s\n"):format(folder:path(), folder:path()))
    end
end

return site
