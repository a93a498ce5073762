-- Places and roads of planets: windows agree over the edges of the cube's faces and around its corners, what is there
-- on both sides of an edge, files, and what is refused.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"
local tries = require "tries"

local planet = esker.river_map{ tiling = "sphere", seed = 3 }

-- Land of this planet where edges and a corner of its cube are, in degrees. It does not say so to users.
local EDGES = { { -90, -15 }, { -60, -4 }, { 120, -25 }, { -22.5, -15 }, { 22.5, -45 } }

-- A window of so many pixels from (left, top) on, of the map with `pixels` around the planet.
local function window(pixels, left, top, width, height)
    return { x = (left + width / 2) / pixels % 1, y = (top + height / 2) / pixels,
        zoom = pixels / math.max(width, height), width = width, height = height }
end

-- The corner of a window of a size around a place.
local function corner_around(pixels, place, size)
    local x, y = place[1] / 360 + 0.5, 0.5 - place[2] / 360
    return math.floor(x * pixels - size / 2), math.floor(y * pixels - size / 2)
end

-- A hair inside a rectangle, as places have rounded digits.
local function is_inside(x, y, width, height)
    return math.min(x, y, width - x, height - y) > 1e-6
end

local function places_in(points, left, top, width, height)
    local texts = {}
    for _, point in ipairs(points:list()) do
        local x, y, about = point.x - left, point.y - top, point.attributes
        if is_inside(x, y, width, height) then
            texts[#texts + 1] = ("%s %d %d %s %a %a %.7f %.7f"):format(about.name, about.population, about.level,
                about.kind, point.altitude, point.radius, x, y)
        end
    end
    table.sort(texts)
    return texts
end

local function steps_in(lines, left, top, width, height)
    local texts = {}
    for _, line in ipairs(lines:list()) do
        local of = line.attributes
        for _, part in ipairs(line.parts) do
            for i = 2, #part do
                local a, b = part[i - 1], part[i]
                if is_inside(a[1] - left, a[2] - top, width, height) and
                    is_inside(b[1] - left, b[2] - top, width, height) then
                    texts[#texts + 1] = ("%s %d %s %s %.6f %.6f %.6f %.6f %a"):format(of.class, of.level, of.from,
                        of.to, a[1] - left, a[2] - top, b[1] - left, b[2] - top, a[3])
                end
            end
        end
    end
    table.sort(texts)
    return texts
end

-- A window around a place, its halves, and parts on both sides of its middle: what all of them show is the same.
local function compare_parts(place, pixels, size, lanes)
    local left, top = corner_around(pixels, place, size)
    local large, count, steps = window(pixels, left, top, size, size), 0, 0
    local places = planet:places(large)
    large.lanes = lanes
    local roads = planet:roads(large)
    local half, third = size // 2, size // 3
    for _, part in ipairs(tries(2, { { 0, 0, half, size }, { third, third, third, third },
        { third, 0, third, third }, { third, size - third, third, third }, { half, 0, half, size },
        { 0, half, size, half } })) do
        local x, y, width, height = table.unpack(part)
        local asked = window(pixels, left + x, top + y, width, height)
        local expected = places_in(places, x, y, width, height)
        lu.assertEquals(places_in(planet:places(asked), 0, 0, width, height), expected)
        count = count + #expected
        asked.lanes = lanes
        expected = steps_in(roads, x, y, width, height)
        lu.assertEquals(steps_in(planet:roads(asked), 0, 0, width, height), expected)
        steps = steps + #expected
    end
    return count, steps
end

TestPlanetSettlement = {}

function TestPlanetSettlement.test_windows_agree_over_edges()
    local count, steps = compare_parts(EDGES[1], 2048, 128, false)
    lu.assertTrue(count > 3 and steps > 300, count .. " " .. steps)
end

function Long.test_windows_agree_over_edges_and_corners()
    local count, steps = 0, 0
    for i, place in ipairs(EDGES) do
        for _, pixels in ipairs{ 2048, 16384 } do
            local more, further = compare_parts(place, pixels, 192, i % 2 == 0)
            count, steps = count + more, steps + further
        end
    end
    lu.assertTrue(count > 60 and steps > 8000, count .. " " .. steps)
end

-- The place of a point on the unit sphere.
local function direction_of(point, asked)
    local longitude = ((point.x - asked.width / 2) / asked.pixels + asked.x) * 2 * math.pi
    local latitude = (0.5 - (point.y - asked.height / 2) / asked.pixels - asked.y) * 2 * math.pi
    return { math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude) }
end

-- Places of a level keep a distance, across edges, too, and no two in a window have one name.
local function check_distances(list, asked)
    local names = {}
    for i, point in ipairs(list) do
        local about = point.attributes
        lu.assertNil(names[about.name], about.name)
        names[about.name] = true
        for k = 1, i - 1 do
            local a, b = direction_of(point, asked), direction_of(list[k], asked)
            local apart = math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
            local level = math.max(about.level, list[k].attributes.level)
            -- 0.62 squares, of which there are 8 along a face, less what both moved since.
            local squares = apart / (math.pi / 2 / 8) * 2 ^ level
            lu.assertTrue(squares > 0.35, about.name .. " " .. squares)
        end
    end
end

local function towns_around(place, pixels, size)
    local left, top = corner_around(pixels, place, size)
    local asked = window(pixels, left, top, size, size)
    local list = planet:places(asked):list()
    asked.pixels = pixels
    return list, asked
end

function TestPlanetSettlement.test_places_keep_a_distance_over_edges()
    for _, place in ipairs(tries(1, EDGES)) do
        local list, asked = towns_around(place, 2048, 192)
        lu.assertTrue(#list > 3, #list)
        check_distances(list, asked)
    end
end

-- One place is one place: the projections show the same ones, where they are.
function Long.test_projections_show_the_same_places()
    local middle = EDGES[1]
    local x, y = middle[1] / 360 + 0.5, 0.5 - middle[2] / 360
    local flat = planet:places{ size = 256, zoom = 16, x = x, y = y }
    local names = {}
    for _, point in ipairs(flat:list()) do
        names[point.attributes.name] = point.attributes.population
    end
    -- Seen from above, half as far: 256 cells are as long as above where the map has 4096 around.
    local round = planet:places{ size = 256, zoom = 16 / math.pi, projection = "orthographic", rotation = middle }
    local found, count = 0, 0
    for _, point in ipairs(round:list()) do
        if math.max(math.abs(point.x - 128), math.abs(point.y - 128)) < 80 then
            count = count + 1
            if names[point.attributes.name] == point.attributes.population then
                found = found + 1
            end
        end
    end
    lu.assertTrue(count >= 10 and found == count, found .. " of " .. count)
end

-- How many of a planet's ten largest places lie where the year is colder.
local function cold_cities(seed, least)
    local map, cold = esker.river_map{ tiling = "sphere", seed = seed }, 0
    local air = map:climate{ width = 512, height = 256 }
    for i, place in ipairs(map:places{ width = 512, height = 256, spacing = 16 }:list()) do
        local warmth = air.temperature:get(math.floor(place.x), math.floor(place.y))
        cold = cold + (i <= 10 and warmth < least and 1 or 0)
    end
    return cold
end

-- The land around feeds cities: none of the largest lies near the poles.
function TestPlanetSettlement.test_the_largest_cities_are_not_in_the_cold()
    lu.assertEquals(cold_cities(9, 1), 0)
end

function Long.test_the_largest_cities_of_many_planets()
    local cold = 0
    for seed = 1, 12 do
        cold = cold + cold_cities(seed, 2)
    end
    lu.assertTrue(cold <= 1, cold)
end

function TestPlanetSettlement.test_files_have_degrees()
    local middle = EDGES[1]
    local asked = { size = 96, zoom = 24, x = middle[1] / 360 + 0.5, y = 0.5 - middle[2] / 360 }
    local base = os.tmpname()
    for _, name in ipairs{ "places", "roads" } do
        local path = base .. name .. ".geojson"
        planet[name](planet, asked):save(path)
        local file <close> = assert(io.open(path))
        local count = 0
        for longitude, latitude in file:read("a"):gmatch("%[(%-?[%d.]+), ?(%-?[%d.]+)") do
            lu.assertAlmostEquals(tonumber(longitude), middle[1], 10)
            lu.assertAlmostEquals(tonumber(latitude), middle[2], 10)
            count = count + 1
        end
        lu.assertTrue(count > 2, name)
        os.remove(path)
    end
    os.remove(base)
end

-- Over 180°, where the map's sides meet, as anywhere.
function Long.test_windows_go_on_around_the_planet()
    local pixels, left, top = 2048, -64, 900
    local large = planet:places(window(pixels, left, top, 256, 256))
    local east = planet:places(window(pixels, 0, top, 192, 256))
    lu.assertEquals(places_in(east, 0, 0, 192, 256), places_in(large, 64, 0, 192, 256))
    local all = planet:places{ width = 512, height = 256, spacing = 16 }
    lu.assertTrue(all.count > 100, all.count)
end

-- A map with a town of its own on each side of an edge or corner.
local function with_towns(map, middle)
    local x, y = middle[1] / 360 + 0.5, 0.5 - middle[2] / 360
    return map:add_places{ at = { { x + 0.0011, y } }, name = "Ardby", population = 300000 }:add_places{
        at = { { x - 0.0023, y + 0.0004 } }, name = "Boln", population = 40000 }, x, y
end

-- Own towns stay where they are in windows on both sides of an edge, have roads, and go to land from the sea.
local function check_own_towns(middle)
    local map, x, y = with_towns(planet, middle)
    local texts = {}
    for i, off in ipairs{ 0, 0.004, -0.004 } do
        local asked = { x = x + off, y = y, zoom = 2 ^ 15 / 512, width = 512, height = 128 }
        local found = {}
        for _, point in ipairs(map:places(asked):list()) do
            local name = point.attributes.name
            if name == "Ardby" or name == "Boln" then
                found[#found + 1] = ("%s %d %s %.5f %.5f"):format(name, point.attributes.population,
                    point.attributes.kind, point.x + off * 2 ^ 15, point.y)
            end
        end
        table.sort(found)
        texts[i] = table.concat(found, "\n")
    end
    lu.assertStrContains(texts[1], ("Ardby 300000"))
    lu.assertStrContains(texts[1], ("%.5f"):format(256 + 0.0011 * 2 ^ 15))
    lu.assertStrContains(texts[1], "Boln 40000")
    lu.assertEquals(texts[2], texts[1])
    lu.assertEquals(texts[3], texts[1])
    local joined = {}
    for _, line in ipairs(map:roads{ x = x, y = y, zoom = 32, size = 192 }:list()) do
        joined[line.attributes.from], joined[line.attributes.to] = true, true
    end
    lu.assertTrue(joined.Ardby)
end

function TestPlanetSettlement.test_own_towns_beside_an_edge()
    check_own_towns(EDGES[1])
end

function Long.test_own_towns_beside_edges_and_corners()
    for _, middle in ipairs(EDGES) do
        check_own_towns(middle)
    end
end

function TestPlanetSettlement.test_errors()
    lu.assertErrorMsgContains("x must be 0 to 1 and y 0.25, the north pole, to 0.75, got (0.4, 0.1)", planet.add_places,
        planet, { at = { { 0.4, 0.1 } } })
    local raw = esker.river_map{ tiling = "sphere", seed = 2, land = "raw" }
    lu.assertErrorMsgContains('places need land = "eroded"', raw.places, raw, {})
    lu.assertErrorMsgContains('places need land = "eroded"', raw.roads, raw, {})
    lu.assertErrorMsgContains('only the projection "cube" has faces', planet.places, planet, { face = "right" })
    local flat = esker.river_map{ seed = 2 }
    lu.assertErrorMsgContains("projection, face and rotation are for planets", flat.roads, flat,
        { projection = "mercator" })
end

os.exit(lu.LuaUnit.run())
