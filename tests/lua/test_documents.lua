-- The documents' links lead somewhere, the contents page names them all, and the reference has the pictures it shows.

local esker = require "esker"
local unit = require "luaunit"

local texts = {} -- by their paths

local function read(path)
    local file = not texts[path] and io.open(path, "rb")
    if file then
        texts[path] = file:read("a") or "" -- nil of a folder
        file:close()
    end
    return texts[path]
end

local function listed(command)
    local list = {}
    local pipe <close> = assert(io.popen(command))
    for line in pipe:lines() do
        list[#list + 1] = line
    end
    return list
end

local pages = listed "ls README.md docs/*.md docs/notes/*.md"

-- What is neither a block of code nor code in a line.
local function prose(text)
    return (("\n" .. text):gsub("\n```.-\n```", "\n"):gsub("`[^`\n]*`", ""))
end

-- The anchors that GitHub gives a page's headings: repeated ones are numbered.
local anchors_of = {}
local function anchors(text)
    if anchors_of[text] then
        return anchors_of[text]
    end
    local found, uses = {}, {}
    anchors_of[text] = found
    for title in ("\n" .. text):gsub("\n```.-\n```", "\n"):gmatch("\n#+ ([^\n]+)") do
        local anchor = title:lower():gsub("[^%w_%- \x80-\xff]", ""):gsub(" ", "-")
        uses[anchor] = (uses[anchor] or -1) + 1
        found[uses[anchor] == 0 and anchor or anchor .. "-" .. uses[anchor]] = true
    end
    return found
end

local function resolve(page, path)
    local whole = path == "" and page or (page:match("^(.*/)") or "") .. path
    local steps = {}
    for step in whole:gmatch("[^/]+") do
        if step == ".." then
            steps[#steps] = nil
        else
            steps[#steps + 1] = step
        end
    end
    return table.concat(steps, "/")
end

TestDocuments = {}

function TestDocuments.test_links_and_anchors_exist()
    local dead, count = {}, 0
    for _, page in ipairs(pages) do
        for target in prose(read(page)):gmatch("%]%(([^)%s]+)%)") do
            if not target:match("^%a+:") then
                local path, anchor = target:match("^([^#]*)#?(.*)$")
                local to = resolve(page, path)
                local text = read(to)
                if not text or anchor ~= "" and not anchors(text)[anchor] then
                    dead[#dead + 1] = page .. " → " .. target
                end
                count = count + 1
            end
        end
    end
    unit.assertEquals(dead, {})
    unit.assertTrue(count > 300)
end

-- Names of files that are not ours: those of examples, and what users call theirs.
local others = { ["cairo.h"] = true, ["hills.lua"] = true, ["RECIPE.lua"] = true, ["map.c"] = true,
    ["section.h"] = true, ["section.c"] = true, ["section_type.c"] = true, ["section_rise.c"] = true, ["pfm.c"] = true,
    ["test_pfm.c"] = true, ["quantize.c"] = true, ["island-2.lua"] = true, ["island-3.lua"] = true }

-- The names of files with these endings in a text that are no file of `known`, of which each path's ends are keys.
-- Two letters are no file but what has a member: V1.h.
local function missing_names(text, endings, known)
    local missing = {}
    for name, ending in text:gmatch "%f[%w_/-]([%w_/-]+)%.(%l+)%f[^%w_]" do
        local file = name:match "[^/]*$" .. "." .. ending
        local path = name:gsub("^/", "") .. "." .. ending
        if endings:find(ending, 1, true) and #file > #ending + 3 and not others[file] and not known[path] then
            missing[#missing + 1] = path
        end
    end
    return missing
end

local function comments(text, sign)
    local lines = {}
    for line in text:gmatch "[^\n]+" do
        lines[#lines + 1] = line:match(sign .. ".*$")
    end
    return table.concat(lines, "\n")
end

-- Comments and documents name no file that is gone.
function TestDocuments.test_named_files_exist()
    local known, gone, named = {}, {}, 0
    for _, path in ipairs(listed "find src lua scripts tests examples docs -type f") do
        for tail = 1, #path do
            if tail == 1 or path:sub(tail - 1, tail - 1) == "/" then
                known[path:sub(tail)] = true
            end
        end
    end
    local function check(path, text, endings)
        for _, name in ipairs(missing_names(text, endings, known)) do
            gone[#gone + 1] = path .. " names " .. name
        end
        named = named + select(2, text:gsub("[%w_]+%.[ch]%f[^%w_]", ""))
    end
    for _, path in ipairs(listed "find src tests scripts -name '*.[ch]'") do
        local text = comments(read(path), "//"):gsub("#include <[^>]*>", "")
        check(path, text, path:find "^src" and "c h lua js sh" or "c h")
    end
    for _, path in ipairs(listed "find lua/esker scripts tests -name '*.lua'") do
        check(path, comments(read(path), "%-%-"), path:find "^lua" and "c h lua" or "c h")
    end
    for _, path in ipairs(listed "find scripts tests -name '*.sh'") do
        check(path, comments(read(path), "# "), "c h")
    end
    for _, page in ipairs(pages) do
        if page ~= "docs/changelog.md" then
            check(page, ("\n" .. read(page)):gsub("\n *```.-\n *```", "\n"), "c h")
        end
    end
    unit.assertEquals(gone, {})
    unit.assertTrue(named > 150, named)
end

function TestDocuments.test_names_of_missing_files_are_found()
    local known = { ["flow.c"] = true, ["water/flow.c"] = true, ["src/water/flow.c"] = true }
    local text = "as `flow.c`, src/water/flow.c and water/flow.c do; rivers/flow.c, gone.h (V1.h) and left.lua"
    unit.assertEquals(missing_names(text, "c h", known), { "rivers/flow.c", "gone.h" })
    unit.assertEquals(missing_names(text, "c h lua", known), { "rivers/flow.c", "gone.h", "left.lua" })
    unit.assertEquals(comments("int a; // gone.h\nchar b;", "//"), "// gone.h")
end

function TestDocuments.test_the_contents_page_names_every_page()
    local contents = read "docs/README.md"
    for _, page in ipairs(pages) do
        local name = page:match("^docs/(.*)")
        if name and name ~= "README.md" then
            unit.assertStrContains(contents, "](" .. name .. ")")
        end
    end
end

local function sentences(page)
    local pipe <close> = assert(io.popen("${LUA:-lua5.4} scripts/prose.lua " .. page))
    local printed = pipe:read("a")
    return printed, (pipe:close())
end

function TestDocuments.test_sentences_and_pages_are_short()
    local printed, passed = sentences ""
    unit.assertEquals(printed, "")
    unit.assertTrue(passed)
end

function TestDocuments.test_long_sentences_and_pages_are_found()
    local words = ("word "):rep(34)
    local kept = "# " .. words:rep(2) .. "\n\n```\n" .. words:rep(2) .. "\n```\n\n| " .. words:rep(2) .. "|\n\n"
    for text, message in pairs{
        [kept .. words .. "`some code in a line`.\nA [link](docs/README.md). The end."] = "",
        [kept .. words .. "word word. The end."] = ": 36 words: word",
        [kept .. "- Short.\n- " .. words .. "\n  word word.\n"] = ":10: 36 words: word",
        [("Word " .. ("word "):rep(17) .. "word. "):rep(3)] = ": 19.0 words a sentence on average, above 18",
        [("One two three. "):rep(834)] = ": 2502 words, above 2500",
    } do
        local path = os.tmpname()
        local file = assert(io.open(path, "w"))
        file:write(text, "\n")
        file:close()
        local printed, passed = sentences(path)
        os.remove(path)
        unit.assertStrContains(printed, message)
        unit.assertEquals(passed or false, message == "", printed)
    end
end

function TestDocuments.test_the_page_of_wishes_shows_every_recipe()
    local page = read "docs/wishes.md"
    for _, path in ipairs(listed "ls examples/wishes/*.lua") do
        local name = path:match("([^/]*)%.lua$")
        unit.assertStrContains(page, "](wishes/" .. name .. ".png)")
        unit.assertStrContains(page, read(path):match("\n([^-].*)$")) -- without the comments above
        unit.assertTrue(#read("docs/wishes/" .. name .. ".png") < 32 * 1024, name)
    end
end

-- Lists of the landscapes of eroded land that are written by hand (docs/contributing.md).
function TestDocuments.test_lists_of_landscapes_are_whole()
    local words
    for _, operation in ipairs(esker.operations()) do
        for _, param in ipairs(operation.name == "river_map" and operation.params or {}) do
            words = param.name == "landscape" and param.choices or words
        end
    end
    local choices = 'choices = { "' .. table.concat(words, '", "') .. '" }'
    for _, path in ipairs{ "examples/endless-land.lua", "src/web/tab/recipes/land.lua" } do
        unit.assertStrContains(read(path), choices, false, false, path)
    end
    for _, word in ipairs(words) do
        unit.assertStrContains(read "docs/endless-land.md", "\n| `" .. word .. "`")
    end
end

function TestDocuments.test_the_reference_shows_every_picture_and_they_are_small()
    local reference, bytes, pictures = read "docs/reference.md", 0, listed "ls docs/reference/*.png"
    local names = {}
    for _, path in ipairs(pictures) do
        local picture = read(path)
        unit.assertNil(names[picture], path) -- a picture that shows what its operation does is no other's
        names[picture] = path
        unit.assertStrContains(reference, "](" .. path:match("^docs/(.*)") .. ")")
        bytes = bytes + #picture
    end
    unit.assertTrue(bytes > 0 and bytes < #pictures * 20 * 1024, bytes)
end

-- Each expression of docs/figures.md gives a value, and each recipe that it names is there; at a small size.
function TestDocuments.test_figures_of_papers_can_be_made()
    local page = read "docs/figures.md"
    local setting = page:match("\n```lua\n(.-)\n```"):gsub("size = 256", "size = 64")
    local env = setmetatable({ esker = esker }, { __index = _G })
    assert(load(setting, "setting", "t", env))()
    local count = 0
    for cell in page:gmatch("\n|[^\n]*|([^\n|]*)|%f[\n]") do
        for code in cell:gmatch("`([^`]+)`") do
            local path = code:match("examples/%S+") or code:match("scripts/%S+")
            if path then
                unit.assertNotNil(read(path), code)
            else
                local made = assert(load("return " .. code, code, "t", env))()
                unit.assertNotNil(made, code)
                count = count + 1
            end
        end
    end
    unit.assertTrue(count > 30, count)
end

-- With streams that begin at one cell a sixth to a third of the same land would be steep, and painted as rock.
function TestDocuments.test_land_of_wishes_does_not_become_steep_in_many_cells()
    local function large(defaults)
        defaults.size = 512
        return defaults
    end
    for _, name in ipairs{ "wetlands", "town", "forest", "vineyards" } do
        local text = read("examples/wishes/" .. name .. ".lua"):match("^.-:normalize%(%)\n") .. "return land"
        local land = assert(load(text, name, "t", { esker = esker, params = large }))()
        unit.assertTrue(land:select{ slope = { 32, 90 } }:statistics().mean < 0.08, name)
    end
end

-- 24 colours make rings on every hill, and paint what is grey.
function TestDocuments.test_pictures_keep_enough_colours()
    local function colours(path)
        local length, at = read(path):match("(....)PLTE()")
        return at and (">I4"):unpack(length) // 3 or 1 << 24
    end
    for _, name in ipairs{ "wishes/alps", "wishes/contour-map", "reference/shape", "reference/sky_view" } do
        unit.assertTrue(colours("docs/" .. name .. ".png") >= 128, name)
    end
end

os.exit(unit.LuaUnit.run())
