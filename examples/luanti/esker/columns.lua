-- What each column of nodes is, from altitudes, rivers and lakes. Nothing here knows Luanti, or where land comes from.
--
-- y = 0 is the surface of the sea, x goes to the east and z to the north. Ground is the altitude in nodes, rounded.
-- Columns are functions of the land and their place, never of the chunk or the order of chunks, so that chunks fit.
--
-- A land fills `room`, the cells of a chunk and a border, the southernmost row first: altitude, water (how deep a
-- lake is), level (of any water), in metres, and river, a width in cells.

local floor, min, max, abs = math.floor, math.min, math.max, math.abs

local M = {}

-- Columns beyond the chunk that its own depend on: crowns of trees, slopes and shores beside them, brooks.
M.BORDER = 9
local BEACHED = 4 -- nodes: narrower rivers have grass on their banks
local BROOK = 2 -- columns around one that say how wide its brook is
-- Chunks' columns that are kept, because chunks above and below ask for the same.
local KEPT = 16

-- What lies on top of a column.
local GRASS, SAND, ROCK, SNOW, BED, ROAD = 1, 2, 3, 4, 5, 6
M.GRASS = GRASS
-- Ground and water where there is none.
local NOWHERE = -32768

-- --- chance ----------------------------------------------------------------------------------------------------

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

M.random_at, M.noise_at = random_at, noise_at

-- --- columns ---------------------------------------------------------------------------------------------------

-- Whether a brook of less than a node in cell i is shown: if it is a node wide on average around there. One that is
-- narrower would be a row of puddles, because the share of a cell that it covers is above a half in some cells only.
local function is_brook(room, i)
    local river, side, sum = room.river, room.side, 0
    if river[i] < 0.4 then
        return false
    end
    for row = i - BROOK * side, i + BROOK * side, side do
        for at = row - BROOK, row + BROOK do
            sum = sum + min(river[at], 1)
        end
    end
    return sum >= 2 * BROOK + 1
end

-- Whether a lake or a river covers cell i. Brooks of less than 3 cells lie on the ground.
local function is_covered(room, i)
    local altitude = room.altitude[i]
    return room.water[i] > 0 or room.river[i] >= 1 or altitude >= 0 and room.level[i] > altitude or is_brook(room, i)
end

-- Ground and water. Water stands no higher than the columns around it, so that it stays in its bed, which is at
-- least a node deep.
local function set_water(columns, room, cell)
    local side, ground, surface = room.side, columns.ground, columns.surface
    local covered = columns.covered
    for row = BROOK, side - 1 - BROOK do
        for i = row * side + BROOK, row * side + side - 1 - BROOK do
            local altitude = room.altitude[i]
            local is_land = altitude == altitude
            covered[i] = is_land and is_covered(room, i) and 1 or 0
            ground[i] = is_land and floor((altitude - room.water[i]) / cell + 0.5) or NOWHERE
            surface[i] = not is_land and -NOWHERE - 1 or covered[i] == 1 and floor(room.level[i] / cell + 0.5)
                or ground[i]
        end
    end
    for row = BROOK + 1, side - 2 - BROOK do
        for i = row * side + BROOK + 1, row * side + side - 2 - BROOK do
            local level, shore = NOWHERE, NOWHERE
            if covered[i] == 1 then
                level = surface[i]
                for below = i - side, i + side, side do
                    level = min(level, surface[below - 1], surface[below], surface[below + 1])
                end
                level = max(level, 0)
                ground[i] = min(ground[i], level - 1 - min(floor(room.river[i] / 16), 3))
            elseif room.altitude[i] < 0 then -- the sea, at least a node deep also where it is centimetres
                level = 0
                ground[i] = min(ground[i], -1)
            end
            if level > ground[i] and (room.river[i] >= BEACHED or room.water[i] > 0 or room.altitude[i] < 0) then
                shore = level
            end
            columns.water[i], columns.shore[i] = level, shore
        end
    end
end

-- Whether snow or sand covers a column, where the room has shares of them: in patches where they are about a half.
local function is_covered_by(shares, columns, i, row)
    local share = shares and shares[i] or 0
    return share > 0.25 and share > 0.25 + 0.5 * noise_at(columns.x + i % columns.side, columns.z + row, 12, 3)
end

-- What lies on top, by roads, water, slope, altitude and what covers the ground.
local function set_tops(columns, room, options)
    local side, ground, water, cell = room.side, columns.ground, columns.water, options.cell
    local shores = columns.shore
    local altitude, lowest, highest = room.altitude, math.huge, -math.huge
    local least = BROOK + 3
    for row = least, side - 1 - least do
        for i = row * side + least, row * side + side - 1 - least do
            local here, top = ground[i], GRASS
            local shore = max(max(shores[i - 2], shores[i + 2]), max(shores[i - 2 * side], shores[i + 2 * side]))
            local rise = max(abs(altitude[i + 1] - altitude[i - 1]), abs(altitude[i + side] - altitude[i - side]))
            if water[i] > here then
                top = BED
            elseif shore >= 0 and here <= shore + 1 then
                top = SAND
            elseif rise > 2.2 * cell then
                top = ROCK
            elseif altitude[i] > options.snow + 40 * noise_at(columns.x + i % side, columns.z + row, 12, 3)
                or is_covered_by(room.snow, columns, i, row) or is_covered_by(room.ice, columns, i, row) then
                top = SNOW
            elseif is_covered_by(room.sand, columns, i, row) then
                top = SAND
            end
            local deck = columns.decks and columns.decks[i]
            if columns.roads and columns.roads[i] and not (deck and top == BED) then
                top = ROAD
                highest = max(highest, water[i] + 1)
            end
            if deck then -- never under water, or in the ground
                columns.decks[i] = max(deck, water[i] + 1, here)
                highest = max(highest, columns.decks[i])
            end
            columns.top[i] = top
            lowest, highest = min(lowest, here), max(highest, here, water[i])
        end
    end
    columns.lowest, columns.highest = lowest, highest
end


-- --- lands -----------------------------------------------------------------------------------------------------

-- A land has `options` { cell, snow }, `kept` and `order`, which are empty at first, and these methods:
--
--     room_of(width)         room for a chunk of `width` columns and its border
--     fill(room, x, z)       fills it for the chunk whose south-western column is at x, z
--     numbers(count)         an array of whole numbers from 0 on
--     add_trees(columns, room)
--
-- A room may have `roads`, cells that are a road, and `decks`, altitudes of bridges over cells, in nodes; `snow`, `ice`
-- and `sand`, shares of them.
--
-- Gives the columns of a chunk, and some around them: ground and water are the highest nodes of either, water is below
-- the ground where there is none. Column (x, z) is at (z - columns.z) * columns.side + x - columns.x.
function M.columns(land, x, z, width)
    local name = x .. "," .. z .. "," .. width
    if land.kept[name] then
        return land.kept[name]
    end
    local side = width + 2 * M.BORDER
    local room = land:room_of(width)
    land:fill(room, x, z)
    local count = side * side
    local columns = { x = x - M.BORDER, z = z - M.BORDER, side = side, trees = {}, roads = room.roads,
        decks = room.decks,
        ground = land:numbers(count), surface = land:numbers(count), water = land:numbers(count),
        shore = land:numbers(count), covered = land:numbers(count), top = land:numbers(count) }
    set_water(columns, room, land.options.cell)
    set_tops(columns, room, land.options)
    land:add_trees(columns, room)
    table.insert(land.order, name)
    land.kept[name] = columns
    if #land.order > KEPT then
        land.kept[table.remove(land.order, 1)] = nil
    end
    return columns
end

-- The ground and the water at one place.
function M.at(land, x, z)
    local columns = M.columns(land, math.floor(x + 0.5), math.floor(z + 0.5), 1) -- players stand between nodes
    local i = M.BORDER * columns.side + M.BORDER
    return columns.ground[i], columns.water[i]
end

return M
