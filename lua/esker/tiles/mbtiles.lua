-- Writes MBTiles archives: "MBTiles 1.3", github.com/mapbox/mbtiles-spec. An SQLite database, in which rows count from
-- the bottom.

local sqlite = require "esker.sqlite"

local mbtiles = {}

local archive = {}
archive.__index = archive

local looked_at <const> = 1 << 20 -- bytes at each end of a database: what a set says of itself is written last

-- Whether an open file, which may be any program's, is an archive of Esker's.
function mbtiles.is_own(file)
    local head = file:read(looked_at) or ""
    file:seek("set", math.max(file:seek("end") - looked_at, 0))
    local own <const> = '"generator":"Esker '
    return head:find("SQLite format 3\0", 1, true) == 1
        and (head:find(own, 1, true) or (file:read(looked_at) or ""):find(own, 1, true)) ~= nil
end

function mbtiles.create(path)
    local database, problem = sqlite.create(path)
    if not database then
        error(("cannot write '%s': %s"):format(path, problem), 0)
    end
    database:run("CREATE TABLE metadata (name TEXT, value TEXT)")
    database:run("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    return setmetatable({ database = database }, archive)
end

function archive:put(tile, bytes)
    self.database:run("INSERT INTO tiles VALUES (?, ?, ?, ?)", tile.z, tile.x, (1 << tile.z) - 1 - tile.y, { bytes })
end

function archive:close(about)
    local function set(name, value)
        self.database:run("INSERT INTO metadata VALUES (?, ?)", name, value)
    end
    set("name", about.name)
    set("format", about.format)
    set("bounds", ("%.7f,%.7f,%.7f,%.7f"):format(about.west, about.south, about.east, about.north))
    set("center", ("%.7f,%.7f,%d"):format(about.longitude, about.latitude, about.low))
    set("minzoom", tostring(about.low))
    set("maxzoom", tostring(about.high))
    set("type", about.kind == "vector" and "overlay" or "baselayer")
    set("version", "1")
    set("description", about.description)
    set("json", about.metadata)
    self.database:run("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)")
    self.database:close()
end

return mbtiles
