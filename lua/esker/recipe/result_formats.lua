-- --format NAME=FORMAT,… …: the files in which a run's results are saved, instead of those that the recipe asks for.

local esker = require "esker"
local did_you_mean = require "esker.did_you_mean"
local file_formats = require "esker.file.formats"
local names_of = require "esker.names"
local usage_error = require "esker.usage_error"
local value_types = require "esker.value_types"

local result_formats = {}

-- Zoomable maps are pictures of the whole unless this asks for the map itself (save_map).
local maps, map_format <const> = "RiverMap", "json"

-- The words of a command line with those after --format that are NAME=FORMAT,… as well joined to its value.
function result_formats.join_words(words)
    local list = {}
    for _, word in ipairs(words) do
        local open = list[#list] and (list[#list]:match("^%-%-format=") or list[#list - 1] == "--format")
        local name, formats = word:match("^([%w_.-]+)=(%a[%w,]*)$")
        if open and name and result_formats.are_formats(formats, name) then
            list[#list] = list[#list] .. " " .. word
        else
            list[#list + 1] = word
        end
    end
    return list
end

local known = file_formats.endings(file_formats.is_written)

function result_formats.endings()
    return names_of(known)
end

-- Whether a text is a list of file extensions, for results of this name or type.
function result_formats.are_formats(text, name)
    for format in text:gmatch("[^,]+") do
        if not known[format] and not (name == maps and format == map_format) then
            return false
        end
    end
    return text ~= ""
end

-- { name = { formats } } for the option's text.
function result_formats.read(text)
    local wanted = {}
    for word in text:gmatch("%S+") do
        local name, formats = word:match("^([%w_.-]+)=([%w,]+)$")
        if not name then
            usage_error("--format takes NAME=FORMATS, as in --format height=png,asc, got '%s'", word)
        end
        wanted[name] = wanted[name] or {} -- height=tif height=png are both
        for format in formats:gmatch("[^,]+") do
            local is_map = name == maps and format == map_format
            if format == "json" and not is_map then
                usage_error("--format: a .json is no format of its own: it is written beside .raw and others that do "
                    .. "not say their size, range and place; lines and points are geojson, zoomable maps RiverMap=json")
            elseif not known[format] and not is_map then
                local names = result_formats.endings()
                usage_error("--format: there is no format '%s'%s; formats are %s", format,
                    did_you_mean(esker.nearest(format, names)), table.concat(names, ", "))
            end
            if not wanted[name][format] then
                wanted[name][format] = true
                table.insert(wanted[name], format)
            end
        end
    end
    return next(wanted) and wanted or usage_error("--format takes NAME=FORMATS, as in --format height=png,asc")
end

local function check(result, formats)
    local kind = value_types.of(result.picture)
    for _, format in ipairs(formats) do
        if not value_types.saves_as(kind, format) then
            error(("--format: '%s' is %s, which is saved as %s, not as %s"):format(result.name,
                value_types[kind].singular, table.concat(value_types[kind].formats, ", "), format), 0)
        end
    end
end

-- Whether maps themselves are wanted, not only pictures of them.
function result_formats.want_maps(wanted)
    return wanted ~= nil and wanted[maps] ~= nil
end

-- Adds a map in the formats that are wanted of maps: { name =, map =, file =, text = }, or a picture of the whole.
local function add_map(changed, result, formats, draw)
    for _, format in ipairs(formats) do
        local made = { name = result.name, file = result.name .. "." .. format, text = tostring(result.value) }
        if format == map_format then
            made.map = result.value
        else
            made.picture = draw(result.value)
            check(made, { format })
            made.text = tostring(made.picture):match("%d+ × %d+$")
        end
        changed[#changed + 1] = made
    end
end

-- The list of results (recipe.results) with the formats that are wanted: of a name or, as Field=npy, of all of a type.
-- draw(map) gives a picture of a map.
function result_formats.apply(list, wanted, draw)
    local changed, seen, names = {}, {}, {}
    for _, result in ipairs(list) do
        local kind = result.picture and value_types.of(result.picture)
        local formats = kind and (wanted[result.name] or wanted[kind])
        local is_map = value_types.of(result.value) == maps
        names[result.name] = (result.picture or is_map) and true or nil
        if is_map then
            seen[result.name] = true
            add_map(changed, result, wanted[result.name] or wanted[maps], draw)
        elseif not formats then
            changed[#changed + 1] = result
        elseif not seen[result.name] then
            seen[result.name] = true
            check(result, formats)
            for _, format in ipairs(formats) do
                changed[#changed + 1] = { name = result.name, picture = result.picture, text = result.text,
                    file = result.name .. "." .. format }
            end
        end
    end
    for name in pairs(wanted) do
        if not seen[name] and type(value_types[name]) ~= "table" then
            local there = names_of(names)
            error(("--format: there is no result '%s' to save%s; results are %s"):format(name,
                did_you_mean(esker.nearest(name, there)), #there > 0 and table.concat(there, ", ") or "none"), 0)
        end
    end
    return changed
end

return result_formats
