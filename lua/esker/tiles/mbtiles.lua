-- Writes MBTiles archives: "MBTiles 1.3", github.com/mapbox/mbtiles-spec. An SQLite database, in which rows count from
-- the bottom.

local sqlite = require "esker.sqlite"

local mbtiles = {}

local archive = {}
archive.__index = archive

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
