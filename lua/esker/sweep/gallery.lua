-- The gallery of a sweep, a page that opens from disk: a contact sheet with sorting and filters, and plots. The page is
-- src/web; this module writes its data.

local esker = require "esker"
local explore_site = require "esker.explore.site"
local json = require "esker.file.json"
local parameters = require "esker.recipe.parameters"
local provenance = require "esker.recipe.provenance"
local runs = require "esker.sweep.runs"
local shrunk = require "esker.shrunk"

local gallery = { page_folder = "page" } -- below the sweep's, of the page that computes its runs (--site)

-- JSON that is safe inside an HTML page.
local function page_json(value)
    if value == math.huge or value == -math.huge then
        return value > 0 and "1e999" or "-1e999" -- which is read as infinity
    end
    return (json.encode(value):gsub("<", "\\u003c"))
end

local function json_list(values, count)
    local items = {}
    for i = 1, count or #values do
        items[i] = page_json(values[i])
    end
    return "[" .. table.concat(items, ",") .. "]"
end

-- Parameters that have more than one value.
function gallery.varied(whole)
    local names = {}
    for _, name in ipairs(whole.parameters) do
        local first = whole.rows[1] and whole.rows[1].parameters[name]
        for _, record in ipairs(whole.rows) do
            if record.parameters[name] ~= first then
                names[#names + 1] = name
                break
            end
        end
    end
    return names
end

-- A large picture has a small one beside it, made when the run is, whose name no result can have.
local largest, small_side = 640, 320
local small_ending = "~small.png"

function gallery.save_small(picture, file)
    local stem = file:match("^(.*)%.png$")
    local kind = esker.type(picture)
    if not stem or kind ~= "Image" and kind ~= "Field" or math.max(picture.width, picture.height) <= largest then
        return
    end
    local image = kind == "Image" and picture or picture:colorize{ palette = { { 0, "#000000" }, { 1, "#ffffff" } } }
    gallery.shrunk(image):save(stem .. small_ending)
end

-- A small image of a large one, or the image itself.
function gallery.shrunk(image)
    return math.max(image.width, image.height) > largest and shrunk.image(image, small_side) or image
end

-- The pictures of each run, those of them that have small ones, and all names, in alphabetical order.
function gallery.pictures(whole, folder)
    local files, small, all, names = {}, {}, {}, {}
    for _, record in ipairs(whole.rows) do
        local list, has_small = {}, {}
        for _, name in ipairs(folder:names("runs/" .. record.key)) do
            if name:sub(-#small_ending) == small_ending then
                has_small[#has_small + 1] = name:sub(1, -#small_ending - 1) .. ".png"
            elseif name:match("^[%w_][%w_.-]*%.png$") then
                list[#list + 1] = name
                if not all[name] then
                    all[name] = true
                    names[#names + 1] = name
                end
            end
        end
        table.sort(list)
        table.sort(has_small)
        files[record.key], small[record.key] = list, has_small
    end
    table.sort(names, function(a, b) -- a relief is more informative than heights
        local x, y = a ~= "relief.png", b ~= "relief.png"
        if x ~= y then
            return y
        end
        return a < b
    end)
    return files, names, small
end

-- The path of each run's first picture in the gallery's order, or of its small one, by the run's key.
function gallery.first_pictures(whole, folder)
    local files, names, small = gallery.pictures(whole, folder)
    local order, paths = {}, {}
    for i, name in ipairs(names) do
        order[name] = i
    end
    for key, list in pairs(files) do
        local first
        for _, name in ipairs(list) do
            first = (not first or order[name] < order[first]) and name or first
        end
        for _, name in ipairs(first and small[key] or {}) do
            first = name == first and name:sub(1, -5) .. small_ending or first
        end
        paths[key] = first and "runs/" .. key .. "/" .. first
    end
    return paths
end

-- The names of a group's columns, "parameter" or "result"; of those in `only`, where it is given.
local function columns_of(whole, group, only)
    local names = {}
    for _, column in ipairs(whole.columns) do
        if column.group == group and (not only or only[column.source]) then
            names[#names + 1] = column.name
        end
    end
    return names
end

-- Where the page that computes opens the run of this record.
local function address_of(recipe, record)
    local values = {}
    for name, value in pairs(record.parameters) do
        values[name] = parameters.exact_text(value)
    end
    return gallery.page_folder .. "/" .. explore_site.address(recipe, values)
end

-- The page: index.html.
function gallery.page(whole, folder)
    local files, pictures, small = gallery.pictures(whole, folder)
    local recipe = runs.manifest(folder).recipe
    local computes = folder:has(gallery.page_folder .. "/explore.html")
    local names, rows, items, commands, addresses, varied = {}, {}, {}, {}, {}, {}
    for i, column in ipairs(whole.columns) do
        names[i] = column.name
    end
    for i, record in ipairs(whole.rows) do
        local cells = {}
        for c, column in ipairs(whole.columns) do
            cells[c] = column.of(record)
        end
        rows[i] = json_list(cells, #names)
        commands[i] = provenance.command(recipe, record.parameters) or provenance.withheld
        addresses[i] = computes and address_of(recipe, record) or nil
        if #files[record.key] > 0 then
            items[#items + 1] = "[" .. page_json(record.key) .. "," .. json_list(files[record.key])
                .. (#small[record.key] > 0 and "," .. json_list(small[record.key]) or "") .. "]"
        end
    end
    for _, name in ipairs(gallery.varied(whole)) do
        varied[name] = true
    end
    local parts = {
        '"recipe":' .. page_json(recipe), '"columns":' .. json_list(names),
        '"parameters":' .. json_list(columns_of(whole, "parameter")),
        '"varied":' .. json_list(columns_of(whole, "parameter", varied)),
        '"results":' .. json_list(columns_of(whole, "result")), '"pictures":' .. json_list(pictures),
        '"files":[' .. table.concat(items, ",") .. "]", '"addresses":' .. json_list(addresses),
        '"commands":' .. json_list(commands),
        '"rows":[' .. table.concat(rows, ",\n") .. "]",
    }
    local page = require "esker.gallery_page"
    local from, to = page:find(">DATA<", 1, true)
    return page:sub(1, from) .. "{" .. table.concat(parts, ",") .. "}" .. page:sub(to)
end

return gallery
