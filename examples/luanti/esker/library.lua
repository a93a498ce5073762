-- Land from libesker: a map, endless for Luanti's world. Nothing here knows Luanti.

local floor, ceil, min, max, abs = math.floor, math.ceil, math.min, math.max, math.abs

-- Nodes from the world's middle to where it ends, and a chunk more.
local REACH = 31050
-- Parts of the map's side in which the world's place is looked for.
local PARTS = 256
local CROWN = 2 -- radius of a tree's crown
-- What covers the ground is asked for by squares of CELLS cells, each STEP nodes wide, and kept for SQUARES of them.
local CELLS, STEP, SQUARES = 32, 20, 64
local WIDE = CELLS * STEP
-- What `cover` gives, in its order.
local COVERS = { "trees", "grass", "crops", "sand", "rock", "snow", "ice", "marsh", "salt", "built", "biomes" }
local TAIGA = 3 -- of its biomes the last that is cold

local Land = {}
Land.__index = Land

-- --- libesker ------------------------------------------------------------------------------------------------

function Land:check(succeeded)
    if not succeeded then
        error("esker: " .. self.ffi.string(self.error.text), 0)
    end
end

-- Runs an operation with arguments { name, number, text, numbers or value }; gives its first `count` results, or one.
function Land:run(operation, arguments, count)
    local ffi, library = self.ffi, self.library
    local list, results = ffi.new("EskerArgument[?]", #arguments), ffi.new("EskerValue *[?]", count or 1)
    for i, argument in ipairs(arguments) do
        local at, value = list[i - 1], argument[2]
        at.name = argument[1]
        if type(value) == "number" then
            at.kind, at.number = "ESKER_NUMBER", value
        elseif type(value) == "string" then
            at.kind, at.text = "ESKER_TEXT", value
        elseif ffi.istype("EskerValue *", value) then
            at.kind, at.value = argument[3], value
        else
            at.kind, at.numbers, at.count = "ESKER_NUMBERS", value, argument[3]
        end
    end
    self:check(library.esker_run(operation, list, #arguments, nil, results, count or 1, self.error) == library.ESKER_OK)
    local values = {}
    for i = 1, count or 1 do
        values[i] = ffi.gc(results[i - 1], library.esker_free)
    end
    return unpack(values)
end

-- Room for a tile of `width` cells and a border, the southernmost row first.
function Land:tile_of(width, border, names)
    local ffi, side = self.ffi, width + 2 * border
    local room = { tile = ffi.new("EskerTile"), side = side }
    room.tile.width, room.tile.height, room.tile.border = width, width, border
    for _, name in ipairs(names) do
        local cells = ffi.new("float[?]", side * side)
        room[name], room.tile[name].cells, room.tile[name].stride = cells, cells + (side - 1) * side, -4 * side
    end
    return room
end

function Land:fill_tile(room, west, north, cell)
    room.tile.x, room.tile.y, room.tile.cell = west, north, cell
    local library = self.library
    self:check(library.esker_ground_tile(self.ground, room.tile, nil, self.error) == library.ESKER_OK)
end

-- --- the world's place on the map ------------------------------------------------------------------------------

-- The middle of the world: low land by a wide river, as near the middle of the map as there is; whole chunks from
-- the map's corner.
function Land:place_world()
    local side, step = self.options.side, self.options.side / PARTS
    local room = self:tile_of(PARTS, 0, { "altitude", "river" })
    self:fill_tile(room, 0, side, step)
    local edge, best, x, z = REACH * self.options.cell / step, math.huge, PARTS / 2, PARTS / 2
    for row = 0, PARTS - 1 do
        for column = 0, PARTS - 1 do
            local at = row * PARTS + column
            local off = max(abs(column + 0.5 - PARTS / 2), abs(row + 0.5 - PARTS / 2))
            local altitude, river = room.altitude[at], room.river[at] * step
            local worse = (altitude < 2 and 4 or altitude > 80 and 2 or 0) + (river < 10 * self.options.cell and 1 or 0)
            if off + edge < PARTS / 2 - 1 and worse * PARTS + off < best then
                best, x, z = worse * PARTS + off, column + 0.5, row + 0.5
            end
        end
    end
    local chunk = 80 * self.options.cell
    self.x, self.y = floor(x * step / chunk) * chunk, floor(z * step / chunk) * chunk
end

-- --- what covers the ground ------------------------------------------------------------------------------------

-- What `cover` gives for a square and a cell around it: row 0 in the north. Squares are kept, because a cell is many
-- nodes wide and a square has many chunks.
function Land:cover_of(column, row)
    local name = column .. "," .. row
    if self.covers[name] then
        return self.covers[name]
    end
    local side, wide = self.options.side, WIDE * self.options.cell
    local results = { self:run("cover", { { "map", self.map, "ESKER_MAP" }, { "size", CELLS }, { "border", 1 },
        { "x", (self.x + (column + 0.5) * wide) / side }, { "y", 1 - (self.y + (row + 0.5) * wide) / side },
        { "zoom", side / wide } }, #COVERS) }
    local cover = { results = results, column = column, row = row, most = {} }
    for i, each in ipairs(COVERS) do
        local shares, most = self.library.esker_field_cells(results[i]), 0
        for k = 0, (CELLS + 2) ^ 2 - 1 do
            most = max(most, shares[k])
        end
        cover[each], cover.most[each] = shares, most
    end
    self.covers[name] = cover
    table.insert(self.covered, name)
    if #self.covered > SQUARES then
        self.covers[table.remove(self.covered, 1)] = nil
    end
    return cover
end

-- Along an axis, the square of a place, or the next one that lies on the map. `corner`: the world's middle, in metres.
local function square_of(at, corner, cell, side)
    local first, last = (STEP - corner / cell) / WIDE, ((side - corner) / cell - STEP) / WIDE - 1
    return min(max(floor(at / WIDE), ceil(first)), floor(last))
end

function Land:cover_at(x, z)
    local cell, side, last = self.options.cell, self.options.side, self.last_cover
    local column, row = square_of(x, self.x, cell, side), square_of(z, self.y, cell, side)
    if not last or last.column ~= column or last.row ~= row then
        last = self:cover_of(column, row)
        self.last_cover = last
    end
    return last
end

-- A share at a place, between those of the cells around it.
local function share_in(cover, shares, x, z)
    local u, v = x / STEP - cover.column * CELLS + 0.5, (cover.row + 1) * CELLS - z / STEP + 0.5
    u, v = min(max(u, 0), CELLS + 0.999), min(max(v, 0), CELLS + 0.999) -- from the first cell's middle
    local left, top = floor(u), floor(v)
    local at = top * (CELLS + 2) + left
    local north = shares[at] + (u - left) * (shares[at + 1] - shares[at])
    local south = shares[at + CELLS + 2] + (u - left) * (shares[at + CELLS + 3] - shares[at + CELLS + 2])
    return north + (v - top) * (south - north)
end

function Land:share_at(name, x, z)
    local cover = self:cover_at(x, z)
    return share_in(cover, cover[name], x, z)
end

-- Fills a room's shares of what covers the ground; without them where there is hardly any. A room is smaller than a
-- square.
function Land:fill_shares(room, name, west, south)
    local side, most = room.side, 0
    for corner = 0, 3 do
        local cover = self:cover_at(west + corner % 2 * (side - 1), south + floor(corner / 2) * (side - 1))
        most = max(most, cover.most[name])
    end
    if most < 0.25 then
        room[name] = nil
        return
    end
    local shares = self.ffi.new("float[?]", side * side)
    for row = 0, side - 1 do
        for column = 0, side - 1 do
            shares[row * side + column] = self:share_at(name, west + column, south + row)
        end
    end
    room[name] = shares
end

-- The biome of the cell there, or of one beside it by chance, so that forests blend.
function Land:biome_at(x, z)
    local cover = self:cover_at(x, z)
    local u = x / STEP - cover.column * CELLS + 0.5 + self.make.random_at(x, z, 5)
    local v = (cover.row + 1) * CELLS - z / STEP + 0.5 + self.make.random_at(x, z, 6)
    return cover.biomes[floor(min(max(v, 0), CELLS + 1)) * (CELLS + 2) + floor(min(max(u, 0), CELLS + 1))]
end

-- --- for columns.lua -------------------------------------------------------------------------------------------

-- Trees keep a distance, as `scatter` places them. How many stand says the map's cover, with glades.
function Land:add_trees(columns, room)
    local ffi, side, options, make = self.ffi, room.side, self.options, self.make
    self.shape = self.shape or {}
    local field = self.shape[side]
    if not field then
        field = self.library.esker_field_new(side, side, self.error)
        self:check(field ~= nil)
        self.shape[side] = field
    end
    local points = self:run("scatter", {
        { "height", field, "ESKER_FIELD" },
        { "distances", ffi.new("double[1]", options.trees / side), 1 },
        { "at", ffi.new("double[2]", columns.x / side, columns.z / side), 2 },
    })
    local count = ffi.new("size_t[1]")
    local at = self.library.esker_points(points, count)
    for k = 0, tonumber(count[0]) - 1 do
        local column, row = floor(at[k].x), floor(at[k].y)
        local i = row * side + column
        local x, z = columns.x + column, columns.z + row
        if min(column, row) >= make.BORDER - CROWN and max(column, row) < side - make.BORDER + CROWN
            and columns.top[i] == make.GRASS and room.altitude[i] < options.snow - 300 then
            local glades = 0.5 * make.noise_at(x, z, 90, 1) + 0.5 * make.noise_at(x, z, 30, 2)
            if make.random_at(x, z, 4) < self:share_at("trees", x, z) * min(max(4 * glades - 1, 0.05), 1) then
                local cold = self:biome_at(x, z) <= TAIGA
                table.insert(columns.trees, { x = x, y = columns.ground[i] + 1, z = z,
                    height = (cold and 7 or 5) + floor(3 * at[k].variation), pine = cold })
                columns.highest = max(columns.highest, columns.ground[i] + 11)
            end
        end
    end
end

function Land:room_of(width)
    local side = width + 2 * self.make.BORDER
    if not self.tile or self.tile.side ~= side then
        self.tile = self:tile_of(width, self.make.BORDER, { "altitude", "river", "water", "level" })
    end
    return self.tile
end

function Land:fill(room, x, z)
    local cell, width = self.options.cell, room.side - 2 * self.make.BORDER
    self:fill_tile(room, self.x + (x - 0.5) * cell, self.y + (z + width - 0.5) * cell, cell)
    local west, south = x - self.make.BORDER, z - self.make.BORDER
    for _, name in ipairs{ "snow", "ice", "sand" } do
        self:fill_shares(room, name, west, south)
    end
end

function Land:numbers(count)
    return self.ffi.new("int16_t[?]", count)
end

-- --- opening ---------------------------------------------------------------------------------------------------

local function load_library(ffi, name)
    local tried = {}
    for _, each in ipairs(name and { name } or { "esker", "libesker.so.1" }) do
        local loaded, library = pcall(ffi.load, each)
        if loaded then
            return library
        end
        table.insert(tried, tostring(library))
    end
    error("esker: libesker is not found; install it, or set esker_library to its file: "
        .. table.concat(tried, "; "), 0)
end

-- Opens the land of options { library, map, seed, landscape, side, cell, lakes, snow, trees }. `make`: what columns.lua
-- gives. `addresses`: those that another land of this process has, so that threads share what it computes.
function Land.open(ffi, declarations, make, options, addresses)
    local declared, message = pcall(ffi.cdef, declarations)
    if not declared and not tostring(message):find("redefine", 1, true) then
        error(message, 0)
    end
    local land = setmetatable({ ffi = ffi, make = make, library = load_library(ffi, options.library), options = options,
        error = ffi.new("EskerError"), kept = {}, order = {}, covers = {}, covered = {} }, Land)
    options.snow = options.snow or math.huge -- by the climate alone
    if options.side < 2 * REACH * options.cell then
        error(("esker: esker_side must be at least %d, twice %d nodes of %g m, got %g"):format(
            2 * REACH * options.cell, REACH, options.cell, options.side), 0)
    end
    if addresses then
        land.ground, land.map = ffi.cast("EskerGround *", addresses.ground), ffi.cast("EskerValue *", addresses.map)
    else
        -- Both stay until the process ends: threads may use them until then.
        land.map = ffi.gc(options.map and land:run("load_map", { { "path", options.map } })
            or land:run("river_map", { { "seed", options.seed }, { "side", options.side },
                { "landscape", options.landscape }, { "lakes", options.lakes } }), nil)
        land.ground = land.library.esker_ground_open(land.map, 0, land.error)
        land:check(land.ground ~= nil)
    end
    land:place_world()
    return land
end

-- Where its ground and its map are in the memory of the process.
function Land:addresses()
    local function number_of(pointer)
        return tonumber(self.ffi.cast("intptr_t", pointer))
    end
    return { ground = number_of(self.ground), map = number_of(self.map) }
end

return Land
