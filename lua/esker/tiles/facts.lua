-- What `esker info` tells of tiles of any program: levels, area, number. An archive, or the tiles.json of a folder.

local confined = require "esker.recipe.confined"
local files = require "esker.files"
local json = require "esker.file.json"
local pmtiles = require "esker.tiles.pmtiles"
local sqlite = require "esker.sqlite"

local tile_facts = {}

local most_json <const> = 1 << 20
local most_memory <const> = 1 << 28 -- of the process that reads a database
local wanted_metadata <const> = "SELECT name, value FROM metadata WHERE name IN ('format', 'bounds') AND "
    .. "length(value) < 1000 LIMIT 10" -- all of it may be of any length
-- Steps of SQLite's machine for an answer: an honest row takes some ten, and has as many bytes in its file. A view may
-- give rows without end.
local least_steps <const>, steps_of_byte <const> = 1000000, 16
local least_seconds <const>, most_seconds <const>, bytes_of_second <const> = 10, 60, 1 << 24
local most_checked <const> = 1 << 28 -- bytes of a database: larger ones take too long

-- Facts that are not known are left out.
local function facts_of(about)
    local facts = { { "kind", "tiles" .. (about.format and ", " .. about.format or "") } }
    local function add(name, form, ...)
        facts[#facts + 1] = select("#", ...) == #{ ... } and { name, form:format(...) } or nil
    end
    if about.low and about.high then
        add("levels", "%.0f to %.0f", about.low, about.high)
    end
    if about.tiles then
        add("tiles", "%.0f", about.tiles)
    end
    if about.west and about.south and about.east and about.north then
        add("area", "%.6g, %.6g to %.6g, %.6g", about.west, about.south, about.east, about.north)
    end
    if about.cut then
        add("damaged", "it is cut: %.0f of %.0f bytes", about.bytes, about.cut)
    elseif about.damaged then
        add("damaged", "%s", about.damaged)
    end
    return facts
end

local readers = {}

function readers.pmtiles(path)
    return pmtiles.about(path), "it is no PMTiles archive, or its beginning is missing"
end

-- The length of a database, and that which its first page says ("Database File Format", sqlite.org); nil if it is none.
local function database_bytes(path)
    local file <close> = files.open(path)
    local head = file and file:read(100) or ""
    if #head < 100 or head:sub(1, 16) ~= "SQLite format 3\0" then
        return nil
    end
    local page, changes, pages = (">I2 xxxxxx I4 I4"):unpack(head, 17)
    local known = (">I4"):unpack(head, 93) -- the change at which the number of pages was true
    return file:seek("end"), changes == known and pages * (page == 1 and 65536 or page) or 0
end

-- MBTiles, which a confined process reads: SQLite may be led astray by a stranger's file.
function readers.mbtiles(path)
    local bytes, all = database_bytes(path)
    if not bytes then
        return nil, "it is no SQLite database, as an .mbtiles is, or its beginning is missing"
    end
    local folder = path:match("^(.*/)[^/]*$") or "."
    local whole = assert(files.folder(folder)):real_path(".") .. "/" .. path:match("[^/]+$")
    local address = "file:" .. whole:gsub("[^%w/._-]", function(byte) return ("%%%02X"):format(byte:byte()) end)
        .. "?immutable=1"
    sqlite.prepare()
    local seconds = math.min(least_seconds + bytes // bytes_of_second, most_seconds)
    local limits = { time_limit = seconds, memory_limit = most_memory, read = { folder } }
    local function ask(statement)
        return assert(sqlite.ask(address, statement, least_steps + steps_of_byte * bytes))
    end
    local well, about = pcall(confined.call, limits, function()
        local found = {}
        for _, row in ipairs(ask(wanted_metadata)) do
            found[row[1]] = row[2]
        end
        local check = bytes <= most_checked and ask("PRAGMA quick_check(1)")[1][1] or "ok"
        local row = ask("SELECT min(zoom_level), max(zoom_level), count(*) FROM tiles")[1]
        local west, south, east, north = (found.bounds or ""):match("^([^,]+),([^,]+),([^,]+),([^,]+)$")
        return { format = found.format, low = tonumber(row[1]), high = tonumber(row[2]), tiles = tonumber(row[3]),
            west = tonumber(west), south = tonumber(south), east = tonumber(east), north = tonumber(north),
            damaged = check ~= "ok" and check:gsub("^%*+ in database %w+ %*+%s*", "") or nil }
    end)
    if not well then
        local problem = tostring(about):gsub("^lua/esker/[%w_/]+%.lua:%d+: ", "")
        if problem:find("^no such table") then
            return nil, "it is a database without tiles: " .. problem
        end
        about = { damaged = problem }
    end
    about.bytes, about.cut = bytes, all > bytes and all or nil
    return about
end

-- How many tiles lie beside a tiles.json.
local function count_tiles(path, format)
    local folder, count = files.folder(path:match("^(.*/)[^/]*$") or "."), 0
    local function folders_in(name)
        local list = {}
        for _, each in ipairs(folder and folder:names(name) or {}) do
            list[#list + 1] = each:match("^(%d+)/$")
        end
        return list
    end
    for _, level in ipairs(folders_in(".")) do
        for _, column in ipairs(folders_in(level)) do
            for _, name in ipairs(folder:names(level .. "/" .. column)) do
                count = count + (name:match("^%d+%.(%w+)$") == format and 1 or 0)
            end
        end
    end
    return count
end

-- Reads the facts of a TileJSON file; nil for other JSON, and why if it should be one.
function readers.json(path)
    local file <close> = files.open(path)
    local text = file and file:read(most_json) or ""
    local well, read, wrong = pcall(json.decode, text)
    if not well or wrong then
        return nil, #text < most_json and "it is no JSON, or it is damaged" or nil
    elseif type(read) ~= "table" or type(read.tilejson) ~= "string" then
        return nil, path:match("[^/]*$") == "tiles.json" and "it is no TileJSON, which names its version" or nil
    end
    local bounds = type(read.bounds) == "table" and read.bounds or {}
    local format = type(read.format) == "string" and read.format or nil
    local function number(value)
        return type(value) == "number" and value or nil
    end
    return { format = format, low = number(read.minzoom), high = number(read.maxzoom), west = number(bounds[1]),
        south = number(bounds[2]), east = number(bounds[3]), north = number(bounds[4]),
        tiles = count_tiles(path, format) }
end

-- A list of { name, text }; nil if these are no tiles, and why they cannot be read.
function tile_facts.read(path)
    local reader = readers[(path:match("%.(%w+)$") or ""):lower()]
    if not (reader and files.is_file(path)) then
        return nil
    end
    local about, why = reader(path)
    return about and facts_of(about), why
end

return tile_facts
