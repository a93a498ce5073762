-- What is asked of all file formats, from their declarations (esker.formats).

local esker = require "esker"

local file_formats = {}

-- Formats by each of their endings: lists, since an ending may have one format for each type of values.
local by_ending = {}

for _, format in ipairs(esker.formats()) do
    for _, ending in ipairs(format.endings) do
        by_ending[ending] = by_ending[ending] or {}
        table.insert(by_ending[ending], format)
    end
end

local function has(list, word)
    for _, each in ipairs(list) do
        if each == word then
            return true
        end
    end
    return false
end

-- The formats with this ending; none where nothing knows it.
function file_formats.of(ending)
    return by_ending[ending:lower()] or {}
end

-- Whether a format, as esker.formats() gives it, is written for values of this kind.
function file_formats.writes(format, kind)
    return format.writes and has(format.holds, kind)
end

-- The endings of the formats for which `wanted` is true, or of all: a set.
function file_formats.endings(wanted)
    local set = {}
    for ending, list in pairs(by_ending) do
        for _, format in ipairs(list) do
            set[ending] = set[ending] or not wanted or wanted(format) or nil
        end
    end
    return set
end

function file_formats.is_read(format)
    return format.reads
end

function file_formats.is_written(format)
    return format.writes
end

-- The list of endings of fields larger than memory; first those that need no library.
function file_formats.of_large_fields()
    local own, others = {}, {}
    for _, format in ipairs(esker.formats()) do
        local list = format.library and others or own
        if format.writes and format.larger_than_memory then
            table.move(format.endings, 1, #format.endings, #list + 1, list)
        end
    end
    return table.move(others, 1, #others, #own + 1, own)
end

-- "Fields or images": what a file with this ending holds; nil where nothing knows it.
function file_formats.kinds(ending)
    local plurals, list = {}, {}
    for _, declared in ipairs(esker.values()) do
        plurals[declared.kind] = declared.plural
    end
    for _, format in ipairs(file_formats.of(ending)) do
        for _, kind in ipairs(format.holds) do
            list[#list + 1] = plurals[kind]
        end
    end
    return #list > 0 and table.concat(list, " or ") or nil
end

-- "PNG (.png), GeoTIFF (.tif, .tiff; needs GDAL), …"
function file_formats.listed()
    local list = {}
    for i, format in ipairs(esker.formats()) do
        list[i] = ("%s (.%s%s)"):format(format.name, table.concat(format.endings, ", ."),
            format.library and "; needs " .. format.library or "")
    end
    return table.concat(list, ". ")
end

-- --- what the explorer's page can download ---------------------------------------------------------------------------

-- Whether formats that need a library may be there: not in a browser's tab.
file_formats.opens_libraries = true

-- A .png of heights is a picture of them; this one holds the heights.
file_formats.png_of_heights = "png16"

local shown = { field = "Heights", image = "Colours", mesh = "Mesh", network = "Lines" }

-- Windows of maps are fields, of which meshes are made.
local written_as = { map = { "field", "mesh" }, field = { "field", "mesh" } }

local function add_downloads(list, kind)
    for _, format in ipairs(esker.formats()) do
        if file_formats.writes(format, kind) and (file_formats.opens_libraries or not format.library) then
            local ending = format.endings[1]
            local name = ending == "png" and kind == "field" and file_formats.png_of_heights or ending
            list[#list + 1] = { format = name, ending = ending, raw = format.raw,
                title = ("%s: %s (.%s)"):format(shown[kind] or kind:gsub("^%l", string.upper), format.name, ending) }
        end
    end
end

-- By the kind of a result: a list of { format = what to ask for, ending =, title =, raw = nothing else says how to read
-- it }.
function file_formats.downloads()
    local by_kind = {}
    for _, declared in ipairs(esker.values()) do
        local kind, list = declared.kind, {}
        if kind == "map" or declared.picture and kind ~= "image" then
            local seen = kind == "map" and "this window" or "all of it"
            list[1] = { format = "png", ending = "png", title = ("Picture of %s (.png)"):format(seen) }
        end
        for _, each in ipairs(written_as[kind] or { kind }) do
            add_downloads(list, each)
        end
        by_kind[kind] = list
    end
    return by_kind
end

return file_formats
