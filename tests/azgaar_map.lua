-- A small map as Azgaar's Fantasy Map Generator exports it, made from the public description of its data: an island
-- with hills, a lake, rivers, towns and a road. Cells are hexagons with shifted corners, as in a Voronoi diagram.
--
--     local world = azgaar_map.make{ columns = 40, rows = 24 }     -- a table, whose lists are marked
--     azgaar_map.text(world)                                       -- the file

local azgaar_map = {}

local LAND = 20

local is_list = {}

local function list(values)
    return setmetatable(values or {}, is_list)
end

-- Its text in JSON; `last_first`: members in the other order.
function azgaar_map.text(value, last_first)
    if type(value) ~= "table" then
        return type(value) == "string" and '"' .. value .. '"' or tostring(value)
    end
    local items, names = {}, {}
    if getmetatable(value) == is_list then
        for i, each in ipairs(value) do
            items[i] = azgaar_map.text(each, last_first)
        end
        return "[" .. table.concat(items, ",") .. "]"
    end
    for name in pairs(value) do
        names[#names + 1] = name
    end
    table.sort(names, last_first and function(a, b) return a > b end or nil)
    for i, name in ipairs(names) do
        items[i] = '"' .. name .. '":' .. azgaar_map.text(value[name], last_first)
    end
    return "{" .. table.concat(items, ",") .. "}"
end

-- A number of -1 to 1 that belongs to two whole ones.
local function chance(a, b)
    local bits = (a * 73856093 ~ b * 19349663 ~ 83492791) * 2654435761 & 0xffffffff
    bits = (bits ~ bits >> 15) * 2246822519 & 0xffffffff
    return (bits ~ bits >> 13) / 0x7fffffff - 1
end

local function round(number)
    return math.floor(number * 100 + 0.5) / 100
end

-- --- cells -----------------------------------------------------------------------------------------------------------

-- Vertices on demand: an upper or lower one of each half column.
local function make_vertices(world, step)
    local known = {}
    return function(column, row, upper)
        local key = (column * 4096 + row) * 2 + (upper and 1 or 0)
        if not known[key] then
            known[key] = #world.pack.vertices
            local x = column / 2 * step + 0.2 * step * chance(key, 1)
            local y = (row + (upper and -0.17 or 0.17)) * step + 0.12 * step * chance(key, 2)
            table.insert(world.pack.vertices, { i = known[key], p = list{ round(x), round(y) } })
        end
        return known[key]
    end
end

local function corners_of(vertex, column, row)
    local left = 2 * column + row % 2
    return list{ vertex(left, row, false), vertex(left + 1, row, true), vertex(left + 2, row, false),
        vertex(left + 2, row + 1, true), vertex(left + 1, row + 1, false), vertex(left, row + 1, true) }
end

-- Heights of 0 to 100 around a middle, 1 at the border.
local function height_at(x, y)
    local distance = (x * x + y * y) ^ 0.5
    local bays = 0.1 * math.sin(5 * math.atan(y, x) + 1) + 0.06 * math.sin(11 * x + 4 * y)
        + 0.05 * math.sin(13 * y - 5 * x)
    return math.max(1, math.min(100, math.floor(20 + 75 * (0.72 - distance + bays))))
end

local function make_cells(world, columns, rows, step)
    local vertex = make_vertices(world, step)
    for row = 0, rows - 1 do
        for column = 0, columns - 1 do
            local number, corners, x, y = row * columns + column, corners_of(vertex, column, row), 0, 0
            for _, corner in ipairs(corners) do
                local at = world.pack.vertices[corner + 1].p
                x, y = x + at[1] / 6, y + at[2] / 6
            end
            local height = height_at((column + 0.5 - columns / 2) / (columns / 2), (row + 0.5 - rows / 2) / (rows / 2))
            world.pack.cells[number + 1] = { i = number, v = corners, p = list{ round(x), round(y) }, h = height, f = 0,
                biome = height < LAND and 0 or 1 + number % 3, c = list{}, t = 0, fl = 0, r = 0, routes = {} }
        end
    end
end

-- The cells beside one: it shares two corners with each.
local function find_neighbours(world)
    local of_vertex = {}
    for _, cell in ipairs(world.pack.cells) do
        for _, corner in ipairs(cell.v) do
            of_vertex[corner] = of_vertex[corner] or {}
            table.insert(of_vertex[corner], cell.i)
        end
    end
    for _, cell in ipairs(world.pack.cells) do
        local shared = {}
        for _, corner in ipairs(cell.v) do
            for _, other in ipairs(of_vertex[corner]) do
                shared[other] = (shared[other] or 0) + 1
                if other ~= cell.i and shared[other] == 2 then
                    table.insert(cell.c, other)
                end
            end
        end
    end
    for number, cells in pairs(of_vertex) do
        world.pack.vertices[number + 1].c = list(cells)
    end
end

-- --- water -----------------------------------------------------------------------------------------------------------

-- The lake: some cells of a hollow in the land, one feature with its own level.
local function make_lake(world, columns, rows)
    local cells, lake = world.pack.cells, {}
    local middle = (rows * 3 // 7) * columns + columns * 3 // 5
    local level = cells[middle + 1].h
    for _, number in ipairs{ middle, table.unpack(cells[middle + 1].c) } do
        lake[#lake + 1] = number
        for _, beside in ipairs(cells[number + 1].c) do
            level = math.min(level, cells[beside + 1].h)
        end
    end
    for _, number in ipairs(lake) do
        cells[number + 1].h, cells[number + 1].f, cells[number + 1].biome = 19, 3, 0
    end
    return lake, level
end

-- The outline of cells: their corners' ring, from sides that belong to one of them alone.
local function outline(world, numbers)
    local next_of, seen = {}, {}
    for _, number in ipairs(numbers) do
        local corners = world.pack.cells[number + 1].v
        for i, corner in ipairs(corners) do
            seen[corner .. " " .. corners[i % #corners + 1]] = true
        end
    end
    local first
    for side in pairs(seen) do
        local from, to = side:match("(%d+) (%d+)")
        if not seen[to .. " " .. from] then
            next_of[tonumber(from)] = tonumber(to)
            first = math.min(first or math.huge, tonumber(from))
        end
    end
    local ring, at = list{}, first
    repeat
        ring[#ring + 1] = at
        at = next_of[at]
    until at == first
    return ring
end

-- Where water goes from each land cell: all ground is reached from the ocean, the lowest first.
local function drain(world)
    local cells, to, reached, waiting = world.pack.cells, {}, {}, {}
    for _, cell in ipairs(cells) do
        if cell.h < LAND and cell.f ~= 3 then
            reached[cell.i] = true
            waiting[#waiting + 1] = { cell.h, cell.i }
        end
    end
    while #waiting > 0 do
        local lowest = 1
        for i = 2, #waiting do
            local a, b = waiting[i], waiting[lowest]
            lowest = (a[1] < b[1] or (a[1] == b[1] and a[2] < b[2])) and i or lowest
        end
        local height, number = table.unpack(table.remove(waiting, lowest))
        for _, beside in ipairs(cells[number + 1].c) do
            if not reached[beside] then
                reached[beside] = true
                to[beside] = number
                waiting[#waiting + 1] = { math.max(height, cells[beside + 1].h), beside }
            end
        end
    end
    return to
end

local function add_river(world, cells)
    local number = #world.pack.rivers + 1
    world.pack.rivers[number] = { i = number, name = "River " .. number, type = "River", cells = list(cells),
        source = cells[1], mouth = cells[#cells], parent = 0, discharge = 10 * #cells, width = 0.1, length = #cells }
end

-- From the farthest cells on: each river ends in the sea, the lake or another river.
local function make_rivers(world, most)
    local cells, to, length, taken = world.pack.cells, drain(world), {}, {}
    local function length_of(number)
        if not length[number] then
            length[number] = to[number] and 1 + length_of(to[number]) or 0
        end
        return length[number]
    end
    local sources = {}
    for _, cell in ipairs(cells) do
        if cell.h >= LAND + 8 then
            sources[#sources + 1] = cell.i
        end
    end
    table.sort(sources, function(a, b)
        return length_of(a) > length_of(b) or (length_of(a) == length_of(b) and a < b)
    end)
    for _, source in ipairs(sources) do
        local river, at, clear = {}, source, true
        for _, beside in ipairs(cells[source + 1].c) do
            clear = clear and not taken[beside]
        end
        repeat
            river[#river + 1] = at
            local ends = taken[at] or cells[at + 1].h < LAND
            at = to[at]
        until ends or not at
        if #river >= 4 and clear and not taken[source] and #world.pack.rivers < most then
            for _, number in ipairs(river) do
                taken[number] = cells[number + 1].h >= LAND
            end
            add_river(world, river)
        end
    end
    return to
end

-- The river that leaves the lake.
local function make_outlet(world, lake, to)
    local cells, last = world.pack.cells, nil
    for _, number in ipairs(lake) do
        last = cells[to[number] + 1].f ~= 3 and number or last
    end
    local river = { last }
    repeat
        river[#river + 1] = to[river[#river]]
    until cells[river[#river] + 1].h < LAND
    add_river(world, river)
end

-- --- people ----------------------------------------------------------------------------------------------------------

local function make_burgs(world)
    local pack = world.pack
    pack.burgs[1] = {}
    for _, cell in ipairs(pack.cells) do
        if cell.h >= LAND and cell.i % 37 == 5 then
            local number, port = #pack.burgs, 0
            for _, beside in ipairs(cell.c) do
                port = pack.cells[beside + 1].h < LAND and pack.cells[beside + 1].f == 1 and 1 or port
            end
            pack.burgs[number + 1] = { i = number, name = "Burg " .. number, cell = cell.i, x = cell.p[1],
                y = cell.p[2], population = number / 2, capital = number == 1 and 1 or 0, port = port, group = "town" }
        end
    end
    pack.burgs[#pack.burgs + 1] = { i = #pack.burgs, name = "gone", cell = 0, x = 0, y = 0, population = 9,
        removed = true }
    local from, to = pack.burgs[2], pack.burgs[3]
    pack.routes[1] = { i = 0, group = "roads", feature = 2, points = list{ list{ from.x, from.y, from.cell },
        list{ to.x, to.y, to.cell } } }
end

-- `given`: columns and rows of cells, and how many rivers there are at most.
function azgaar_map.make(given)
    given = given or {}
    local columns, rows, step = given.columns or 40, given.rows or 24, 20
    local world = {
        info = { version = "1.108.0", mapName = "Testland", width = (columns + 0.5) * step, height = rows * step },
        settings = { distanceUnit = "km", distanceScale = 1, heightUnit = "m", heightExponent = "1.8",
            populationRate = 1000, urbanization = 1 },
        mapCoordinates = { latT = 20, latN = 50, latS = 30 },
        pack = { cells = list{}, vertices = list{}, burgs = list{}, rivers = list{}, routes = list{},
            features = list{ 0, { i = 1, type = "ocean", land = false, border = true },
                { i = 2, type = "island", land = true } },
            biomes = list{ { i = 0, name = "Marine" }, { i = 1, name = "Steppe" }, { i = 2, name = "Forest" },
                { i = 3, name = "Taiga" } } },
        grid = { cells = list{ { i = 0, h = 3 } }, vertices = list{} }, notes = list{}, nameBases = list{},
    }
    make_cells(world, columns, rows, step)
    find_neighbours(world)
    local lake, level = make_lake(world, columns, rows)
    for _, cell in ipairs(world.pack.cells) do
        cell.f = cell.f == 3 and 3 or cell.h < LAND and 1 or 2
    end
    world.pack.features[4] = { i = 3, type = "lake", group = "freshwater", name = "Mere", height = level - 0.1,
        land = false, cells = #lake, vertices = outline(world, lake) }
    local to = make_rivers(world, given.rivers or 8)
    make_outlet(world, lake, to)
    make_burgs(world)
    return world
end

return azgaar_map
