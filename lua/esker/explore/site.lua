-- `--site`: a recipe's page that computes in the reader's tab, of explore --static and of a sweep's runs. It is the
-- site of `make web` (docs/web.md) with one recipe in place of its examples.

local files = require "esker.files"
local names_of = require "esker.names"
local output_folders = require "esker.recipe.output_folders"
local recipe = require "esker.recipe.recipe"
local screen = require "esker.screen"
local texts = require "esker.texts"

local site = {}

local record <const> = "explore.html" -- written first: a folder that has it is Esker's
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

-- Where the page of the recipe at `path` opens, with these values, { name = text }.
function site.address(path, values)
    local words = {}
    for parameter, value in pairs(values) do
        words[#words + 1] = ("&p.%s=%s"):format(escaped(parameter), escaped(value))
    end
    table.sort(words)
    return "explore.html#example=" .. name_of(path) .. table.concat(words)
end

-- What keeps the page offline, with the names of its files, and a version of its own for this recipe; nil if `text` is
-- of another version of Esker.
local function service_of(text, names, of)
    local list = '"' .. table.concat(names, '", "') .. '"'
    local version, rest = text:match('^(.-kept = "esker [^"]*)(.*)$')
    local _, before = (rest or ""):find("const files = ", 1, true)
    local close = before and rest:find("]", before, true)
    if not close then
        return nil
    end
    return version .. "-" .. texts.hash(of) .. rest:sub(1, before) .. "[" .. list .. "]" .. rest:sub(close + 1)
end

-- Raises an error where the recipe at `path` with this text cannot be a page of its own.
function site.check(path, text)
    local _, read = recipe.whole_text(path, text)
    for _, module in ipairs(read) do
        if module ~= path then
            error(("%s requires %s, and a page has only the recipe itself"):format(path, module), 0)
        end
    end
end

-- The site in a folder at this path, opened.
function site.open(path)
    local source = files.folder(path)
    if not source or not source:has("service.js") or not source:has("explore.html") or not source:has("esker.wasm") then
        error(("'%s' is not the site that `make web` writes: it lacks explore.html, esker.wasm or service.js")
            :format(path), 0)
    end
    return source
end

-- Writes an open site into an open folder, with the recipe at `path` in place of its examples; `more`: further files by
-- name, which the page keeps offline as well.
function site.copy(source, folder, path, text, more)
    local all = { ["recipes/" .. name_of(path) .. ".lua"] = text }
    for _, each in ipairs(source:names(".")) do
        if not each:find("/$") and not left_out[each] and each ~= "service.js" then
            all[each] = bytes_of(source, each)
        end
    end
    for name, bytes in pairs(more or {}) do
        all[name] = bytes
    end
    local names = names_of(all)
    local service = service_of(bytes_of(source, "service.js"), names, text)
    if not service then
        error(("'%s' is the site of another version of Esker"):format(source:path()), 0)
    end
    all["service.js"] = service
    all[record] = all[record]:gsub('\n *<a id="home"[^\n]*', "", 1) -- to the start page, which is left out
    output_folders.check_own(folder, record, "<title>Esker</title>", names_of(all))
    folder:make("recipes")
    folder:write(record, all[record])
    for name, bytes in pairs(all) do
        folder:write(name, bytes)
    end
end

-- What shows a written page, for messages: browsers do not run one that they open as a file.
function site.server_of(folder)
    local python = package.config:sub(1, 1) == "\\" and "py" or "python3" -- its launcher's name on Windows
    return ("any web host serves it, as does %s -m http.server -d %s"):format(python, folder)
end

-- Writes the page of a recipe's text, which is not run here, to options.output.
function site.write(options, text)
    site.check(options.target, text)
    local source = site.open(options.site)
    local folder, why = output_folders.open(options.output, "explorer", true)
    if not folder then
        error(why, 0)
    end
    local address, name = site.address(options.target, options.overrides), name_of(options.target)
    site.copy(source, folder, options.target, text,
        { ["index.html"] = page:gsub("%u%u%u%u+", { ADDRESS = address:gsub("&", "&amp;"), NAME = name }) })
    if not options.quiet then
        screen.write(("%s  a page that computes in the reader's browser; %s\n")
            :format(folder:path(), site.server_of(folder:path())))
    end
end

return site
