-- How a file was made, as Esker's formats store it: texts of a .png, an object of JSON (.geojson, .glb, or the .json
-- beside a file), items of XML (.tif, .gpkg), lines (.svg, .obj, .ply), attributes (.exr), metadata of .mbtiles. A file
-- of any other program may be asked.

local esker = require "esker"
local files = require "esker.files"
local json = require "esker.file.json"
local pmtiles = require "esker.tiles.pmtiles"

local file_texts = {}

local block_bytes, overlap = 1 << 20, 1 << 16 -- texts are looked for in blocks, and none is longer than the overlap
local end_bytes = 16 << 20 -- they are looked for in as much of a file's beginning, and of its end

local max_labels, max_label_bytes = 64, 2 ^ 18 -- of one file, as for a .png

local entities = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }

local function without_entities(text)
    return (text:gsub("&(%a+);", entities))
end

-- The text in quotes at `at`, and the position after it; nil if there is none.
local function quoted(text, at)
    local stop = at + 1
    while text:sub(at, at) == '"' do
        local found = text:find('["\\]', stop)
        if not found then
            return nil
        elseif text:sub(found, found) == '"' then
            local well, value = pcall(json.decode, text:sub(at, found))
            return well and value or nil, found + 1
        end
        stop = found + 2
    end
end

-- Adds a label, unless a file that holds more than any of Esker's has filled the table.
local function keep(labels, key, value)
    local count, bytes = 1, #key + #value
    for name, text in pairs(labels) do
        if name ~= key then
            count, bytes = count + 1, bytes + #name + #text
        end
    end
    if count <= max_labels and bytes <= max_label_bytes then
        labels[key] = value
    end
end

-- Each finds the texts of one spelling in a block, which may hold anything. Searches for plain text come first: most
-- blocks hold none, and patterns take ten times as long.
local finders = {}

local function has(block, text)
    return block:find(text, 1, true)
end

function finders.json(block, labels)
    local at = block:find('{"Software":"Esker ', 1, true)
    while at do
        local key, colon = quoted(block, at + 1)
        local value, after = quoted(block, (colon or #block) + 1)
        if not (key and value) then
            break
        end
        keep(labels, key, value)
        at = block:sub(after, after) == "," and after or nil
    end
end

function finders.xml(block, labels)
    local at = (has(block, '="esker_') or has(block, '="Software">')) and 1
    while at do
        local _, stop, name = block:find('="([%w_-]+)">', at)
        at = stop and block:find("<", stop + 1, true)
        local value = at and block:sub(stop + 1, at - 1)
        if value and (name:find("^esker_") or name == "Software" and value:find("^Esker ")) then
            keep(labels, (name:gsub("^esker_", "esker:")), without_entities(value))
        end
    end
end

function finders.lines(block, labels)
    if not has(block, "Software: Esker ") then
        return
    end
    local before, at = ("\n" .. block):match("\n([^\n]-)()Software: Esker ")
    at = at and at - 1 -- of the block
    before = before and before:gsub("^<metadata>", ""):gsub("%p", "%%%0")
    local is_svg = block:find("^<svg ")
    while at do
        local key, value, after = block:match("^([%w:-]+): ([^\n]*)\n()", at)
        if key then
            keep(labels, key, is_svg and without_entities(value) or value)
        end
        at = key and block:match("^" .. before .. "()", after)
    end
end

function finders.attributes(block, labels)
    for _, name in ipairs{ "(esker:[%w-]+)", "(Software)" } do
        local form, at = name .. "%zstring%z()", has(block, name:match("%w+:?")) and 1
        while at do
            local _, _, key, after = block:find(form, at)
            local well, length, first = pcall(string.unpack, "<I4", block, after)
            if key and well and length <= overlap and first + length - 1 <= #block then
                keep(labels, key, block:sub(first, first + length - 1))
                at = first + length -- a value holds no attributes
            else
                at = after
            end
        end
    end
end

function finders.tiles(block, labels)
    local at = block:find('"esker":{', 1, true)
    local about = at and block:match('^"esker":(%b{})', at)
    local well, values = pcall(json.decode, about or "")
    local software = at and block:match('"generator":"(Esker [%d.]+)"')
    if well and type(values) == "table" and software then
        labels.Software, labels["esker:recipe-hash"] = software, values.recipe_hash
        labels["esker:tiles-of"] = type(values.recipe) == "string" and values.recipe or nil
    end
end

-- Looks for labels in the next `most` bytes of a file.
local function find_in(file, path, most, labels)
    local kept = ""
    while most > 0 do
        local bytes, problem = file:read(math.min(most, block_bytes))
        if not bytes then
            return problem and error(("cannot read '%s': %s"):format(path, problem), 0)
        end
        local block = kept .. bytes
        for _, finder in pairs(finders) do
            finder(block, labels)
        end
        kept, most = block:sub(-overlap), most - #bytes
    end
end

-- The labels of a file, and how many of its bytes were not read.
local function find(open_file, path)
    local labels, file <close> = {}, open_file
    local size = file:seek("end") or 0
    file:seek("set")
    find_in(file, path, end_bytes, labels)
    if size > end_bytes then
        file:seek("set", math.max(end_bytes, size - end_bytes))
        find_in(file, path, end_bytes, labels)
    end
    return labels, math.max(0, size - 2 * end_bytes)
end

-- The texts in the .json beside a file, which may be a stranger's: none if it is a link or not a plain file.
local function find_beside(path)
    local place, name = path:match("^(.-)([^/]*)$")
    local folder = files.folder(place == "" and "." or place)
    return folder and folder:has(name .. ".json") and find(folder:open(name .. ".json"), path .. ".json") or {}
end

-- A table from name to text; empty where the file says nothing. Then also how many of its bytes were not read, if some
-- were not.
function file_texts.read(path)
    if path:lower():find("%.png$") or not files.is_file(path) then
        return esker.info(path)
    end
    local archive = path:lower():find("%.pmtiles$") and pmtiles.about(path)
    if archive then
        local labels = {}
        finders.tiles(archive.metadata, labels)
        return labels
    end
    local labels, unread = find(assert(files.open(path)), path)
    labels = next(labels) and labels or find_beside(path)
    return labels, not next(labels) and unread > 0 and unread or nil
end

return file_texts
