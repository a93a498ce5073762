-- What is saved of a map lies on its heights, whatever the window's proportions: rivers, drawings, meshes and
-- grids, by looking up the heights under their coordinates.

local esker = require "esker"
local temporary = require "temporary"
local lu = require "luaunit"

TestCoordinates = {}

local windows <const> = { { 120, 70 }, { 70, 120 }, { 96, 96 } }

local function text_of(value, ending)
    local path = temporary(ending)
    value:save(path)
    local file <close> = assert(io.open(path, "rb"))
    os.remove(path)
    return file:read("a")
end

-- Points of a saved network: x, y, altitude.
local function places(network)
    local list = {}
    for coordinates in text_of(network, ".geojson"):gmatch('"coordinates":(%b[])') do
        for x, y, z in coordinates:gmatch("%[([-%d.e]+),([-%d.e]+),([-%d.e]+)%]") do
            list[#list + 1] = { tonumber(x), tonumber(y), tonumber(z) }
        end
    end
    return list
end

-- The height under a place, as a program that reads ESRI grids finds it; nil outside.
local function grid(heights)
    local text, header = text_of(heights, ".asc"), {}
    for name, number in text:gmatch("(%a%w*) ([-%d.e+]+)\n") do
        header[name] = tonumber(number)
    end
    local rows = {}
    for line in text:gmatch("[^\n]+") do
        if not line:match("^%a") then
            local row = {}
            for number in line:gmatch("%S+") do
                row[#row + 1] = tonumber(number)
            end
            rows[#rows + 1] = row
        end
    end
    lu.assertEquals({ #rows, #rows[1] }, { header.nrows, header.ncols })
    return function(x, y)
        local column = (x - header.xllcorner) / header.cellsize // 1
        local up = (y - header.yllcorner) / header.cellsize // 1
        return (rows[header.nrows - up] or {})[column + 1]
    end
end

function TestCoordinates.test_rivers_of_heights_lie_on_them()
    for _, window in ipairs(windows) do
        local land = esker.diamond_square{ width = window[1], height = window[2], seed = 4, smooth = true }:fill{}
        local at, on = grid(land), 0
        local list = places(land:rivers_from_flow{ threshold = 0.004 })
        for _, place in ipairs(list) do
            local height = at(place[1], place[2])
            on = on + (height and math.abs(height - place[3]) < 1e-6 and 1 or 0)
        end
        lu.assertTrue(#list > 100 and on >= #list * 0.9, ("%d of %d lie on their heights"):format(on, #list))
    end
end

-- Land that a network shaped keeps its rivers' altitudes in their beds.
function TestCoordinates.test_grown_rivers_lie_in_their_beds()
    for _, window in ipairs(windows) do
        local network = esker.river_network{ width = window[1], height = window[2], points = 150, rivers = 2, seed = 5 }
        local land, river = network:terrain{ roughness = 0 }
        local wet, bed, on, count = grid(river), grid(land), 0, 0
        for _, place in ipairs(places(network)) do
            local height = bed(place[1], place[2])
            if height then
                count = count + 1
                on = on + (wet(place[1], place[2]) > 0 and math.abs(height - place[3]) < 0.03 and 1 or 0)
            end
        end
        lu.assertTrue(count > 100 and on > 0.95 * count, ("%d of %d lie in their beds"):format(on, count))
    end
end

-- A window of a map lies where it does on the map, which is 1 wide and high.
function TestCoordinates.test_rivers_of_maps_lie_where_they_are_drawn()
    for _, window in ipairs(windows) do
        local where = { x = 0.4, y = 0.6, zoom = 2, width = window[1], height = window[2] }
        local map = esker.river_map{ seed = 3, land = "raw" }
        local _, river = map:render(where)
        local cells = where.zoom * math.max(window[1], window[2]) -- of the whole map's side
        local on, count = 0, 0
        for _, place in ipairs(places(map:rivers(where))) do
            local column = (place[1] - where.x) * cells + window[1] / 2
            local row = window[2] / 2 - (place[2] - (1 - where.y)) * cells
            if column >= 0 and row >= 0 and column < window[1] and row < window[2] then
                count = count + 1
                on = on + (river:get(column // 1 | 0, row // 1 | 0) > 0 and 1 or 0)
            end
        end
        lu.assertTrue(count > 20 and on == count, ("%d of %d are drawn there"):format(on, count))
    end
end

function TestCoordinates.test_meshes_lie_on_grids()
    for _, window in ipairs(windows) do
        local land = esker.diamond_square{ width = window[1], height = window[2], seed = 4 }
        for _, mesh in ipairs{ land:mesh{ vertical_scale = 16 }, land:mesh{ vertical_scale = 16, error = 0.05 } } do
            local at, count = grid(land), 0
            for x, y, z in text_of(mesh, ".obj"):gmatch("v (%S+) (%S+) (%S+)\n") do
                lu.assertAlmostEquals(at(tonumber(x), tonumber(y)), tonumber(z), 1e-5)
                count = count + 1
            end
            lu.assertTrue(count > 100)
        end
    end
end

-- Drawings have a cell as unit, y downwards, as reaches and fields do.
function TestCoordinates.test_drawings_and_reaches_have_the_same_places()
    for _, window in ipairs(windows) do
        local network = esker.river_network{ width = window[1], height = window[2], points = 99, rivers = 2, seed = 5 }
        local saved, count, known = places(network), 0, {}
        for _, reach in ipairs(network:reaches()) do
            for _, point in ipairs(reach) do
                count = count + 1
                lu.assertAlmostEquals(saved[count][1] * math.max(window[1], window[2]), point.x, 1e-9)
                lu.assertAlmostEquals(window[2] - saved[count][2] * math.max(window[1], window[2]), point.y, 1e-9)
                known[("%.6g,%.6g"):format(point.x, point.y)] = true
            end
        end
        lu.assertEquals(count, #saved)
        for line in text_of(network, ".svg"):gmatch('stroke%-width="[^"]*" points="([^"]*)"') do
            for place in line:gmatch("%S+") do
                lu.assertTrue(known[place], place)
            end
        end
    end
end

os.exit(lu.LuaUnit.run())
