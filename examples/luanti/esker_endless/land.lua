-- Land from libesker: a map, and what each column of nodes is. Nothing here knows Luanti.
--
-- y = 0 is the surface of the sea, x goes to the east and z to the north. Ground is the altitude in nodes,
-- rounded. Columns are functions of the map and their place, never of the chunk or the order of chunks, so that
-- chunks fit and all servers agree.

local floor, min, max, abs = math.floor, math.min, math.max, math.abs

-- Columns beyond the chunk that its own depend on: crowns of trees, slopes and shores beside them.
local BORDER = 6
-- Nodes from the world's middle to where it ends, and a chunk more.
local REACH = 31050
-- Parts of the map's side in which the world's place is looked for.
local PARTS = 256
-- Chunks' columns that are kept, because chunks above and below ask for the same.
local KEPT = 16

-- What lies on top of a column.
local GRASS, SAND, ROCK, SNOW, BED = 1, 2, 3, 4, 5
local CROWN = 2 -- radius of a tree's crown

local Land = {}
Land.__index = Land

-- 0 to 1, of a place; whole numbers below 2^53 all the way, so that it is the same everywhere.
local function random_at(x, z, stream)
    local number = (x * 2654435 + z * 40503 + stream * 9973) % 1048576
    for _ = 1, 3 do
        number = (number * (number % 4096 * 1571 + 7919) + 12345) % 1048576
    end
    return number / 1048576
end

-- Smooth noise whose hills are `size` nodes apart, 0 to 1.
local function noise_at(x, z, size, stream)
    local left, low = floor(x / size), floor(z / size)
    local u, v = x / size - left, z / size - low
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    local south = random_at(left, low, stream) * (1 - u) + random_at(left + 1, low, stream) * u
    local north = random_at(left, low + 1, stream) * (1 - u) + random_at(left + 1, low + 1, stream) * u
    return south * (1 - v) + north * v
end

-- --- libesker ------------------------------------------------------------------------------------------------

function Land:check(succeeded)
    if not succeeded then
        error("esker_endless: " .. self.ffi.string(self.error.text), 0)
    end
end

-- Runs an operation with arguments { name, number, text, numbers or value }; gives its first result.
function Land:run(operation, arguments)
    local ffi, library = self.ffi, self.library
    local list, results = ffi.new("EskerArgument[?]", #arguments), ffi.new("EskerValue *[1]")
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
    self:check(library.esker_run(operation, list, #arguments, nil, results, 1, self.error) == library.ESKER_OK)
    return ffi.gc(results[0], library.esker_free)
end

-- Room for a tile of `width` cells and a border, the southernmost row first.
function Land:room(width, border, names)
    local ffi, side = self.ffi, width + 2 * border
    local room = { tile = ffi.new("EskerTile"), side = side }
    room.tile.width, room.tile.height, room.tile.border = width, width, border
    for _, name in ipairs(names) do
        local cells = ffi.new("float[?]", side * side)
        room[name], room.tile[name].cells, room.tile[name].stride = cells, cells + (side - 1) * side, -4 * side
    end
    return room
end

function Land:fill(room, west, north, cell)
    room.tile.x, room.tile.y, room.tile.cell = west, north, cell
    local library = self.library
    self:check(library.esker_ground_tile(self.ground, room.tile, nil, self.error) == library.ESKER_OK)
end

-- --- the world's place on the map ------------------------------------------------------------------------------

-- The middle of the world: low land by a wide river, as near the middle of the map as there is; whole chunks from
-- the map's corner.
function Land:place_world()
    local side, step = self.options.side, self.options.side / PARTS
    local room = self:room(PARTS, 0, { "altitude", "river" })
    self:fill(room, 0, side, step)
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

-- --- columns ---------------------------------------------------------------------------------------------------

-- Whether a lake or a river covers cell i. Brooks of less than 3 cells lie on the ground.
local function is_covered(room, i)
    local altitude = room.altitude[i]
    return room.water[i] > 0 or room.river[i] >= 0.5 or altitude >= 0 and room.level[i] > altitude
end

-- Ground and water. Water stands no higher than the columns around it, so that it stays in its bed, which is at
-- least a node deep.
local function set_water(columns, room, cell)
    local side, ground, surface = room.side, columns.ground, columns.surface
    for i = 0, side * side - 1 do
        ground[i] = floor((room.altitude[i] - room.water[i]) / cell + 0.5)
        surface[i] = is_covered(room, i) and floor(room.level[i] / cell + 0.5) or ground[i]
    end
    for row = 1, side - 2 do
        for i = row * side + 1, row * side + side - 2 do
            local level = -32768
            if is_covered(room, i) then
                level = surface[i]
                for below = i - side, i + side, side do
                    level = min(level, surface[below - 1], surface[below], surface[below + 1])
                end
                level = max(level, 0)
                ground[i] = min(ground[i], level - 1 - min(floor(room.river[i] / 16), 3))
            elseif ground[i] < 0 then
                level = 0
            end
            columns.water[i] = level
        end
    end
end

-- What lies on top, by water, slope and altitude.
local function set_tops(columns, room, options)
    local side, ground, water, cell = room.side, columns.ground, columns.water, options.cell
    local altitude, lowest, highest = room.altitude, math.huge, -math.huge
    for row = 3, side - 4 do
        for i = row * side + 3, row * side + side - 4 do
            local here, top = ground[i], GRASS
            local shore = max(max(water[i - 2], water[i + 2]), max(water[i - 2 * side], water[i + 2 * side]))
            local rise = max(abs(altitude[i + 1] - altitude[i - 1]), abs(altitude[i + side] - altitude[i - side]))
            if water[i] > here then
                top = BED
            elseif shore >= 0 and here <= shore + 1 then
                top = SAND
            elseif rise > 2.2 * cell then
                top = ROCK
            elseif altitude[i] > options.snow + 40 * noise_at(columns.x + i % side, columns.z + row, 12, 3) then
                top = SNOW
            end
            columns.top[i] = top
            lowest, highest = min(lowest, here), max(highest, here, water[i])
        end
    end
    columns.lowest, columns.highest = lowest, highest
end

-- Trees keep a distance, as `scatter` places them; more of them stand where noise is high: forests.
function Land:add_trees(columns, room)
    local ffi, side, options = self.ffi, room.side, self.options
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
        if min(column, row) >= BORDER - CROWN and max(column, row) < side - BORDER + CROWN
            and columns.top[i] == GRASS and room.altitude[i] < options.snow - 300 then
            local forest = 0.7 * noise_at(x, z, 160, 1) + 0.3 * noise_at(x, z, 30, 2)
            if random_at(x, z, 4) < min(max(6 * forest - 2.6, 0.02), 1) then
                local cold = room.altitude[i] / (options.snow - 300) + 0.3 * at[k].variation > 0.6
                table.insert(columns.trees, { x = x, y = columns.ground[i] + 1, z = z,
                    height = 4 + floor(3 * at[k].variation), pine = cold })
                columns.highest = max(columns.highest, columns.ground[i] + 9)
            end
        end
    end
end

-- The columns of a chunk whose south-western one is at x, z, and some around them: ground and water are the
-- highest nodes of either, water is below the ground where there is none. Column (x, z) is at
-- (z - columns.z) * columns.side + x - columns.x.
function Land:columns(x, z, width)
    local name = x .. "," .. z
    if self.kept[name] then
        return self.kept[name]
    end
    local ffi, cell, side = self.ffi, self.options.cell, width + 2 * BORDER
    if not self.tile or self.tile.side ~= side then
        self.tile = self:room(width, BORDER, { "altitude", "river", "water", "level" })
    end
    local room = self.tile
    self:fill(room, self.x + (x - 0.5) * cell, self.y + (z + width - 0.5) * cell, cell)
    local columns = { x = x - BORDER, z = z - BORDER, side = side, trees = {},
        ground = ffi.new("int16_t[?]", side * side), surface = ffi.new("int16_t[?]", side * side),
        water = ffi.new("int16_t[?]", side * side), top = ffi.new("uint8_t[?]", side * side) }
    set_water(columns, room, cell)
    set_tops(columns, room, self.options)
    self:add_trees(columns, room)
    table.insert(self.order, name)
    self.kept[name] = columns
    if #self.order > KEPT then
        self.kept[table.remove(self.order, 1)] = nil
    end
    return columns
end

-- The ground and the water at one place.
function Land:at(x, z)
    local columns = self:columns(x, z, 1)
    local i = BORDER * columns.side + BORDER
    return columns.ground[i], columns.water[i]
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
    error("esker_endless: libesker is not found; install it, or set esker_library to its file: "
        .. table.concat(tried, "; "), 0)
end

-- Opens the land of options { library, seed, landscape, side, cell, lakes, snow, trees }. `address`: of a ground that
-- the same process has opened, so that threads share what it computes.
function Land.open(ffi, declarations, options, address)
    local declared, message = pcall(ffi.cdef, declarations)
    if not declared and not tostring(message):find("redefine", 1, true) then
        error(message, 0)
    end
    local land = setmetatable({ ffi = ffi, library = load_library(ffi, options.library), options = options,
        error = ffi.new("EskerError"), kept = {}, order = {} }, Land)
    if options.side < 2 * REACH * options.cell then
        error(("esker_endless: esker_side must be at least %d, twice %d nodes of %g m, got %g"):format(
            2 * REACH * options.cell, REACH, options.cell, options.side), 0)
    end
    if address then
        land.ground = ffi.cast("EskerGround *", address)
    else
        -- Both stay until the process ends: threads may use them until then.
        land.map = ffi.gc(land:run("river_map", { { "seed", options.seed }, { "side", options.side },
            { "landscape", options.landscape }, { "lakes", options.lakes } }), nil)
        land.ground = land.library.esker_ground_open(land.map, 0, land.error)
        land:check(land.ground ~= nil)
    end
    land:place_world()
    return land
end

return Land
