-- Writes a site that computes in the browser (make web, docs/web.md): scripts/site.lua FOLDER VERSION ESBUILD FILE …
-- The files lie side by side in it, as the explorer modules name each other. explorer/index.html is explore.html there,
-- tab/start.html index.html, and tab/ask_workers.js stands in for explorer/ask.js. esbuild makes few files of the
-- modules, which load faster and are smaller. Recipes and pictures of the examples are in folders.

package.path = "scripts/?.lua;" .. package.path
local late = require "late"
local stripped = require "stripped"

local folder, version, esbuild = arg[1], arg[2], arg[3]

-- The start page's recipes, in its order: two of the site's own, and examples; a picture or the result that is opened
-- may have another name.
local own, shared = "src/web/tab/recipes/", "examples/"
local recipes = {
    { "land", own, picture = "fjords-4" }, { "globe", own, picture = "planet" },
    { "island", shared, result = "relief" }, { "fjords", shared }, { "endless-land", shared }, { "valley", shared },
    { "watershed", shared, picture = "watershed-view", result = "height" },
    { "archipelago", shared, result = "relief" }, { "landscapes", shared }, { "streams", shared },
    { "guided", shared, result = "relief" }, { "penrose", shared },
    { "dunes", shared }, { "carved", shared }, { "playable", shared }, { "erosions", shared }, { "plates", shared },
    { "squig", shared },
}

-- For static hosts, which set no headers.
local policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    .. "img-src 'self' blob: data:; connect-src 'self' blob:; worker-src 'self'; manifest-src 'self'; "
    .. "base-uri 'none'; form-action 'none'"

local written = {} -- names

local function write(name, text)
    local file = assert(io.open(folder .. "/" .. name, "wb"))
    assert(file:write(text))
    assert(file:close())
    written[#written + 1] = name
end

local function read(path)
    return assert(stripped(path), path .. " cannot be read")
end

local function replaced(text, what, by)
    local first, last = text:find(what, 1, true)
    assert(first, what .. " is not there")
    return text:sub(1, first - 1) .. by .. text:sub(last + 1)
end

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", ['"'] = "&quot;" }
local function escaped(text)
    return (text:gsub('[&<"]', entities))
end

-- Phones want PNG for the icon of an installed page. Without rsvg-convert there is only the SVG.
local icons = {} -- entries of the manifest
for _, side in ipairs{ 192, 512 } do
    local name = ("icon-%d.png"):format(side)
    local drawing = ("rsvg-convert --width=%d --height=%d --output='%s/%s' src/web/tab/icon.svg 2>&1")
        :format(side, side, folder, name)
    if os.execute(drawing) then
        icons[#icons + 1] = ('{ "src": "%s", "sizes": "%dx%d", "type": "image/png" }, '):format(name, side, side)
    end
end

-- What all pages of the site have in their head.
local head = ([[<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<link rel="manifest" href="esker.webmanifest">%s]]):format(policy,
    #icons > 0 and '\n<link rel="apple-touch-icon" href="icon-192.png">' or "")

-- Shown where no script runs: a browser that opens the page as a file refuses modules and workers.
local unserved = '<p class="unserved">Nothing here? This page needs JavaScript and a web server, for example '
    .. "<code>python3 -m http.server</code> (on Windows: <code>py -m http.server</code>) in its folder. "
    .. "It does not run from a file.</p>"

-- From a world to the start page. Pages of one recipe have none (lua/esker/explore/site.lua).
local home = '<a id="home" href="index.html" title="Start page"><img src="icon.svg" alt="Start page"></a>\n'

-- The first sentence of a recipe's comment, without what it cites.
local function summary_of(text)
    local comment = {}
    for line in text:gmatch("([^\n]*)\n") do
        local words = line:match("^%-%-%s*(.*)")
        if not words then
            break
        end
        comment[#comment + 1] = words
    end
    local sentence = table.concat(comment, " "):match("^(.-%.)%f[%s\0]") or table.concat(comment, " ")
    return (sentence:gsub("%s*%b()", ""))
end

-- Recipes without a card, which links of older sites name.
local earlier = { "planet" }

local function card(name, each, summary)
    local title = name:gsub("^%l", string.upper):gsub("%-", " ")
    local result = each.result and "&amp;result=" .. each.result or ""
    return ([[<a class="card" href="explore.html#example=%s%s"><img src="pictures/%s.png" alt="" loading="lazy">]]
        .. [[<b>%s</b><span>%s</span></a>]]):format(name, result, each.picture or name, title, escaped(summary))
end

local cards, pictures = {}, {}
for i, each in ipairs(recipes) do
    local name = each[1]
    local text, picture = read(each[2] .. name .. ".lua"), (each.picture or name) .. ".png"
    write("recipes/" .. name .. ".lua", text)
    pictures[i] = { "pictures/" .. picture, read("docs/gallery/" .. picture) }
    cards[i] = card(name, each, summary_of(text))
end

for _, name in ipairs(earlier) do
    write("recipes/" .. name .. ".lua", read(shared .. name .. ".lua"))
end

-- What pages and workers name, and what stays as it is; a host may change limits.js.
local entries = "ask.js main.js worker.js drop_worker.js"
local plain = { ["limits.js"] = true, ["offline.js"] = true, ["start.js"] = true }

-- Puts the bundles of the written modules in their place; gives the names of those that the page loads at once.
local function bundle()
    local program = io.open(esbuild) and esbuild or "esbuild"
    local command = ("cd '%s' && '%s' %s --bundle --splitting --minify --format=esm --target=es2022 " ..
        "--legal-comments=none --external:./limits.js --log-level=warning --outdir=bundles")
        :format(folder, program, entries)
    assert(os.execute(command), "make web needs esbuild, which npm fetches or Debian has as a package")
    local others = {}
    for _, name in ipairs(written) do
        if name:find("^[^/]*%.js$") and not plain[name] then
            os.remove(folder .. "/" .. name)
        else
            others[#others + 1] = name
        end
    end
    written = others
    local names <close> = io.popen(("cd '%s' && ls bundles && mv bundles/* . && rmdir bundles"):format(folder))
    for name in names:lines() do
        written[#written + 1] = name
    end
    local loaded, list = {}, {}
    local function load(name)
        if loaded[name] then
            return
        end
        loaded[name] = true
        list[#list + 1] = name
        local file <close> = assert(io.open(folder .. "/" .. name))
        for other in file:read("a"):gmatch('%f[%w][fi][rm][op][mo]r?t?"%./([%w_-]+%.js)"') do
            load(other)
        end
    end
    load("ask.js")
    load("main.js")
    return list
end

local pages = {}
for i = 4, #arg do
    local path = arg[i]
    local name, text = path:match("[^/]*$"), read(path)
    if path:find("explorer/index.html", 1, true) then
        text = text:gsub('<link rel="modulepreload"[^\n]*\n', "")
        text = replaced(text, '<meta charset="utf-8">', head .. "\nMODULES"
            .. '<link rel="preload" href="esker.wasm" as="fetch" crossorigin>')
        text = replaced(text, "<title>", -- workers load first
            '<script type="module" async src="ask.js"></script>\n<title>')
        text = replaced(text, "<body>", "<body>\n" .. unserved)
        text = replaced(text, '<link rel="icon" href="data:,">', '<link rel="icon" href="icon.svg">')
        text = replaced(text, '<h1 id="name">', home .. '<h1 id="name">')
        pages["explore.html"] = text
    elseif name == "start.html" then
        text = replaced(text, '<meta charset="utf-8">', head)
        pages["index.html"] = replaced(text, "CARDS", table.concat(cards, "\n"))
    elseif name == "esker.webmanifest" then
        write(name, replaced(text, '"icons": [', '"icons": [' .. table.concat(icons)))
    elseif name == "esker.wasm" then
        local sources <close> = assert(io.popen("ls src/*/*.c src/*/*/*.c"))
        local early, rest = late(text, sources:lines())
        write(name, early)
        write("late.bin", rest)
    elseif name == "ask_workers.js" then
        write("ask.js", text)
    elseif name == "service.js" then
        pages[name] = text
    elseif not path:find("explorer/ask.js", 1, true) then
        write(name, text)
    end
end
local modules = {}
for i, name in ipairs(bundle()) do
    modules[i] = ('<link rel="modulepreload" href="%s">\n'):format(name)
end
write("explore.html", replaced(pages["explore.html"], "MODULES", table.concat(modules)))
write("index.html", pages["index.html"])

-- The version of all that is kept offline: of the texts, not of when they were written.
local sums = io.popen(("cd '%s' && sha256sum %s | sha256sum"):format(folder, table.concat(written, " ")))
local hash = sums:read("a"):match("^%x+")
sums:close()
table.sort(written)
local list = '"' .. table.concat(written, '", "') .. '"'
local service = replaced(pages["service.js"], "VERSION", version .. "-" .. hash:sub(1, 16))
write("service.js", replaced(service, "FILES", list))
for _, each in ipairs(pictures) do
    write(each[1], each[2])
end
