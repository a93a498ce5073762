-- The recipes for common wishes, from examples/wishes: lua5.4 scripts/wishes.lua page > docs/wishes.md writes the page;
-- lua5.4 scripts/wishes.lua pictures [missing] draws docs/wishes, or only the pictures that do not exist;
-- lua5.4 scripts/wishes.lua words > lua/esker/help/wishes.lua writes what `esker help` searches.
--
-- A recipe's first comment is its title, the comments below are its text, and its result `picture` is shown.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local reduce = dofile "scripts/reduced.lua"

local groups = {
    { "Land", "alps volcano canyon mesa dunes craters island archipelago fjords" },
    { "Water", "lakes wetlands watersheds" },
    { "What grows and what is built", "forest vineyards terraces town roads room" },
    { "Maps and views", "contour-map treasure view endless planet" },
    { "For games and from data", "tile splat survey voids real" },
}

-- Other words by which people look for them.
local keywords = {
    alps = "mountains ridges peaks valleys", volcano = "lava cone caldera", canyon = "gorge ravine plateau",
    mesa = "butte strata layers escarpment badlands", dunes = "sand desert wind erg barchan",
    craters = "impact moon meteor", island = "beach shore coast sand", archipelago = "islands sea",
    fjords = "glacier glacial ice trough", lakes = "ponds water", wetlands = "swamp bog mire moor",
    watersheds = "catchment basins drainage", forest = "trees vegetation plants wood",
    vineyards = "sunlight south aspect", terraces = "rice fields farming", town = "village city building site",
    roads = "street path network", room = "strategy game playable",
    ["contour-map"] = "topographic print isolines", treasure = "parchment old antique",
    view = "panorama perspective landscape", endless = "infinite zoom world", planet = "globe earth sphere",
    tile = "tileable seamless repeat", splat = "texture engine weights unity unreal",
    survey = "points interpolate", voids = "gaps holes missing", real = "dem elevation resolution detail",
}

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

local function exists(path)
    local file <close> = io.open(path, "rb")
    return file ~= nil
end

-- A recipe's name, title, text and code.
local function wish(name)
    local comments, code = read("examples/wishes/" .. name .. ".lua"):match("^(%-%-.-\n)([^-].*)$")
    local title, rest = comments:match("^%-%- ([^\n]*)\n(.*)$")
    return { name = name, title = title, text = rest:gsub("%-%- ", ""), code = code }
end

-- The anchors that GitHub gives the reference's headings: repeated ones are numbered.
local function reference_anchors()
    local anchors, uses = {}, {}
    for title in read("docs/reference.md"):gmatch("\n##+ ([^\n]+)") do
        local anchor = title:lower()
        uses[anchor] = (uses[anchor] or -1) + 1
        anchors[title] = uses[anchor] == 0 and anchor or anchor .. "-" .. uses[anchor]
    end
    return anchors
end

-- Links to the operations that a recipe calls, in their order.
local function operations_of(code, anchors)
    local known, links = {}, {}
    for _, operation in ipairs(esker.operations()) do
        known[operation.name] = true
    end
    for name in code:gmatch("[:.]([%a_]+)[{(]") do
        if known[name] then
            known[name] = nil
            links[#links + 1] = ("[%s](reference.md#%s)"):format(name, anchors[name])
        end
    end
    return table.concat(links, " · ")
end

local function page(wishes)
    print("# Recipes for common wishes\n")
    print("Each picture comes from the lines below it: `build/esker examples/wishes/NAME.lua -o out`. Copy what you")
    print("need; `seed=7 size=1024` after the name gives other land, with more cells. Generated from")
    print("[examples/wishes](../examples/wishes) by `make docs`.\n")
    print("The pictures have 200 cells a side (25 to 120 in a few). In another size hills, valleys and coasts stay")
    print("where they are, and `channel = 3e-4` keeps the slopes of eroded land. With a smaller `channel`, streams")
    print("begin where less land drains: 1024 cells a side then have small valleys that 200 do not, and steeper")
    print("slopes, where `texture` paints rock. Roads, trees and houses are placed separately on the finer ground.\n")
    for _, group in ipairs(wishes) do
        local titles = {}
        for i, each in ipairs(group) do
            local anchor = each.title:lower():gsub("[^%w_%- ]", ""):gsub(" ", "-")
            titles[i] = ("[%s](#%s)"):format(each.title, anchor)
        end
        print(("- %s: %s"):format(group.title, table.concat(titles, " · ")))
    end
    local anchors = reference_anchors()
    for _, group in ipairs(wishes) do
        print(("\n## %s"):format(group.title))
        for _, each in ipairs(group) do
            print(("\n### %s\n\n%s\n![%s](wishes/%s.png)\n"):format(each.title, each.text, each.title, each.name))
            print(("```lua\n-- examples/wishes/%s.lua\n%s```\n"):format(each.name, each.code))
            print("Operations: " .. operations_of(each.code, anchors))
        end
    end
end

local function draw(name)
    local folder, path = os.tmpname(), "docs/wishes/" .. name .. ".png"
    os.remove(folder)
    local command = "%s/esker examples/wishes/%s.lua -q -o %s >%s.txt && cp %s/picture.png %s && rm -r %s %s.txt"
    local build = os.getenv("ESKER_BUILD") or "build"
    assert(os.execute(command:format(build, name, folder, folder, folder, path, folder, folder)), name)
    reduce(path)
end

local wishes = {}
for i, group in ipairs(groups) do
    wishes[i] = { title = group[1] }
    for name in group[2]:gmatch("%S+") do
        table.insert(wishes[i], wish(name))
    end
end

-- A module of entries as esker.help searches them.
local function words(list)
    print("-- The recipes of docs/wishes.md for `esker help`, written by scripts/wishes.lua.\n\nreturn {")
    for _, group in ipairs(list) do
        for _, each in ipairs(group) do
            print(("    { name = %q, summary = %q,\n        keywords = %q },"):format(
                "examples/wishes/" .. each.name .. ".lua", each.title, keywords[each.name]))
        end
    end
    print("}")
end

if arg[1] == "page" then
    page(wishes)
elseif arg[1] == "words" then
    words(wishes)
else
    for _, group in ipairs(wishes) do
        for _, each in ipairs(group) do
            if arg[2] ~= "missing" or not exists("docs/wishes/" .. each.name .. ".png") then
                draw(each.name)
            end
        end
    end
end
