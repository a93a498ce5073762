-- Places and roads of zoomable maps: windows, zooms and threads agree, what lies where, and what is refused.

local esker = require "esker"
local kept_map = require "kept_map"
local Long = require "long_tests"
local lu = require "luaunit"
local assert_same_cells = require "same_cells"
local tries = require "tries"

local WORLD = { seed = 7, latitudes = { 15, 45 } }
local world = esker.river_map(WORLD)

-- The value saved and read again.
local function saved(value, ending)
    local base = os.tmpname()
    local path = base .. "." .. ending
    value:save(path)
    local again = esker.load(path)
    for _, name in ipairs{ base, path, path .. ".json" } do
        os.remove(name)
    end
    return again
end

-- Numbers that look random and are the same in every run.
local function random_from(seed)
    return function(most)
        seed = (seed * 1103515245 + 12345) % 2 ^ 31
        return math.floor(seed / 2 ^ 31 * most)
    end
end

-- A window of so many pixels from (left, top) on, of a map with `pixels` along its side.
local function window(pixels, left, top, width, height)
    return { x = (left + width / 2) / pixels, y = (top + height / 2) / pixels, zoom = pixels / math.max(width, height),
        width = width, height = height }
end

-- -------------------------------------------------------------------------------------------------------------------

TestPlacesOfMaps = {}

-- The places in a part of a window as texts, with their coordinates as those of the part.
local function places_in(points, left, top, width, height, digits)
    local texts = {}
    for _, point in ipairs(points:list()) do
        local x, y, attributes = point.x - left, point.y - top, point.attributes
        if x >= 0 and y >= 0 and x < width and y < height then
            texts[#texts + 1] = ("%s %d %d %s %a %a " .. digits .. " " .. digits):format(attributes.name,
                attributes.population, attributes.level, attributes.kind, point.altitude, point.radius, x, y)
        end
    end
    table.sort(texts)
    return texts
end

function TestPlacesOfMaps.test_windows_agree()
    local random, compared, least = random_from(1), 0, tries(120, 8)
    -- Pixels along the side: powers of two, where places are exact, and others. The corner of the large window.
    for _, given in ipairs(tries(2, { { 8192, 4800, 3500 }, { 3000, 0, 1000 }, { 1024, 300, 100 },
        { 65536, 39000, 29000 } })) do
        local pixels, left, top = given[1], given[2], given[3]
        local digits = math.log(pixels, 2) % 1 == 0 and "%a" or "%.6f"
        local large = world:places(window(pixels, left, top, 400, 400))
        for _ = 1, tries(3, 10) do
            local width, height = least + random(150), least + random(150)
            local x, y = random(400 - width), random(400 - height)
            local part = world:places(window(pixels, left + x, top + y, width, height))
            local expected = places_in(large, x, y, width, height, digits)
            lu.assertEquals(places_in(part, 0, 0, width, height, digits), expected)
            compared = compared + #expected
        end
    end
    lu.assertTrue(compared > 40, compared)
end

-- On maps whose land is not made yet, in any order.
-- What a method gives of the same world, which three threads make. It begins with another window; one for all tests
-- that compare with it.
local threaded
local function by_three_threads(method, asked)
    local usual = esker.threads()
    esker.threads(3)
    if not threaded then
        threaded = esker.river_map(WORLD)
        threaded:places(window(512, 0, 0, 512, 512))
    end
    local found = threaded[method](threaded, asked):hash()
    esker.threads(usual)
    return found
end

function TestPlacesOfMaps.test_windows_alone_and_threads_agree()
    local asked = window(4096, 2300, 1700, 200, 160)
    local expected = world:places(asked):hash()
    lu.assertEquals(by_three_threads("places", asked), expected)
    if tries(1, 2) > 1 then
        lu.assertEquals(esker.river_map(WORLD):places(asked):hash(), expected)
    end
end

-- By name: what a window has, and where in shares of the map.
local function by_name(points, pixels, left, top)
    local all = {}
    for _, point in ipairs(points:list()) do
        all[point.attributes.name] = { x = (point.x + left) / pixels, y = (point.y + top) / pixels,
            attributes = point.attributes }
    end
    return all
end

-- Roads keep the places that they found, for windows that ask for the same.
function TestPlacesOfMaps.test_places_after_roads_are_the_same()
    local asked = { x = 0.6, y = 0.45, zoom = 8, size = 192, spacing = 16 }
    local kept, alone = esker.river_map(WORLD), esker.river_map(WORLD)
    kept:roads(asked)
    local changes = { {}, { spacing = 32 }, { x = 0.601 }, { largest = 3e5 }, { smallest = 2000 }, { ports = 0 } }
    for _, change in ipairs(tries(3, changes)) do
        local other = {}
        for name, value in pairs(asked) do
            other[name] = value
        end
        for name, value in pairs(change) do
            other[name] = value
        end
        local places = kept:places(other)
        lu.assertTrue(places.count > 3)
        lu.assertEquals(places:hash(), alone:places(other):hash())
    end
end

function TestPlacesOfMaps.test_towns_are_on_finer_maps()
    local found, lost, sizes = 0, 0, tries(1, { 2, 4 })
    local coarse = by_name(world:places(window(1024, 512, 256, 256, 256)), 1024, 512, 256)
    for _, finer in ipairs(sizes) do
        local side = 256 * finer
        local fine = by_name(world:places(window(1024 * finer, 512 * finer, 256 * finer, side, side)), 1024 * finer,
            512 * finer, 256 * finer)
        for name, place in pairs(coarse) do
            local same = fine[name]
            -- One at the edge may lie beyond it on the finer map.
            local x, y = place.x * 1024 - 512, place.y * 1024 - 256
            if math.min(x, y, 256 - x, 256 - y) > 2 then
                found, lost = found + (same and 1 or 0), lost + (same and 0 or 1)
            end
            if same then
                lu.assertEquals(same.attributes, place.attributes)
                lu.assertTrue(math.max(math.abs(same.x - place.x), math.abs(same.y - place.y)) * 1024 <= 2.5)
            end
        end
    end
    lu.assertTrue(found > 25 * #sizes, found)
    lu.assertEquals(lost, 0)
end

-- Those of the first levels were founded on pixels eight and four times as large.
function TestPlacesOfMaps.test_ports_are_by_the_sea_on_finer_maps()
    local asked = window(1024, 256, 128, 512, 512)
    local altitude = world:render(asked)
    local ports, by_sea = 0, 0
    for _, place in ipairs(world:places(asked):list()) do
        local of = place.attributes
        if of.level <= 1 and (of.kind == "harbour" or of.kind == "mouth") then
            local x, y = math.floor(place.x), math.floor(place.y)
            local lowest = math.huge
            for j = math.max(y - 3, 0), math.min(y + 3, 511) do
                for i = math.max(x - 3, 0), math.min(x + 3, 511) do
                    lowest = math.min(lowest, altitude:get(i, j))
                end
            end
            ports, by_sea = ports + 1, by_sea + (lowest < 0 and 1 or 0)
        end
    end
    lu.assertTrue(ports > 8 and by_sea >= 0.8 * ports, ("%d of %d"):format(by_sea, ports))
end

function TestPlacesOfMaps.test_no_place_is_in_water_or_on_ice()
    for _, given in ipairs(tries(2, { { { seed = 3, lakes = 0.05 }, 256, 0, 0, 256 },
        { { seed = 4, latitudes = { 55, 85 } }, 256, 0, 0, 256 }, { { seed = 3, lakes = 0.05 }, 512, 0, 0, 512 },
        { WORLD, 700, 0, 0, 700 }, { WORLD, 16384, 9000, 7000, 512 } })) do
        local map = kept_map(given[1])
        local asked = window(given[2], given[3], given[4], given[5], given[5])
        local altitude, river, _, water = map:render(asked)
        local air = map:climate(asked)
        local places = map:places(asked)
        lu.assertTrue(places.count > 10)
        for _, place in ipairs(places:list()) do
            local x, y = math.floor(place.x), math.floor(place.y)
            lu.assertTrue(altitude:get(x, y) >= 0)
            lu.assertTrue(river:get(x, y) < 1)
            lu.assertTrue(not water or water:get(x, y) == 0)
            lu.assertTrue(air.temperature:get(x, y) + air.range:get(x, y) / 2 > 1.5)
        end
    end
end

-- Villages are fewer the less the land feeds: the same land, as it is and 14 °C colder.
function TestPlacesOfMaps.test_cold_land_has_few_places()
    local asked = { x = 0.6, y = 0.45, zoom = 8, size = 128, spacing = 8 }
    local warm = world:places(asked)
    local cold = kept_map{ seed = 7, latitudes = { 15, 45 }, temperature = -14 }:places(asked)
    lu.assertTrue(cold.count > 10 and cold.count < 0.4 * warm.count, ("%d of %d"):format(cold.count, warm.count))
end

function Long.test_they_seek_what_is_there()
    local kinds, all = {}, 0
    for _, asked in ipairs{ { size = 1024 }, window(16384, 9600, 7200, 512, 512) } do
        for _, place in ipairs(world:places(asked):list()) do
            local kind = place.attributes.kind
            kinds[kind], all = (kinds[kind] or 0) + 1, all + 1
        end
    end
    for _, kind in ipairs{ "harbour", "mouth", "confluence", "bridge", "ford", "river", "pass", "plain" } do
        lu.assertTrue((kinds[kind] or 0) > 3, kind)
        lu.assertTrue(kinds[kind] < 0.4 * all, kind)
    end
    local count, inland = 0, 0
    for _, place in ipairs(world:places{ size = 512, ports = 0 }:list()) do
        local kind = place.attributes.kind
        count, inland = count + 1, inland + ((kind == "harbour" or kind == "mouth") and 0 or 1)
    end
    lu.assertTrue(inland > 0.8 * count, inland / count)
end

function TestPlacesOfMaps.test_a_lakes_shore_has_places()
    local lakes = 0
    for _, place in ipairs(kept_map{ seed = 3, lakes = 0.05 }:places{ size = 512 }:list()) do
        lakes = lakes + (place.attributes.kind == "lake" and 1 or 0)
    end
    lu.assertTrue(lakes > 3, lakes)
end

-- Zipf's law: the population falls with the rank, about as 1 / rank, from the largest city on.
function TestPlacesOfMaps.test_population_by_rank()
    local list = world:places{ size = 1024, spacing = 16 }:list()
    for i = 2, #list do
        lu.assertTrue(list[i].attributes.population <= list[i - 1].attributes.population)
    end
    lu.assertTrue(list[1].attributes.population <= 64 / 7 * 1e6 and list[#list].attributes.population >= 20)
    lu.assertTrue(list[1].attributes.population > 3 * list[10].attributes.population)
    local n, x, y, xx, xy = 0, 0, 0, 0, 0
    for i = 3, #list // 2 do
        local a, b = math.log(i), math.log(list[i].attributes.population)
        n, x, y, xx, xy = n + 1, x + a, y + b, xx + a * a, xy + a * b
    end
    local exponent = -(n * xy - x * y) / (n * xx - x * x)
    lu.assertTrue(exponent > 0.85 and exponent < 1.2, exponent)
    for i, place in ipairs(list) do -- those with as many people are far away
        local after = list[i + 1]
        if after and after.attributes.population == place.attributes.population then
            lu.assertTrue(math.max(math.abs(after.x - place.x), math.abs(after.y - place.y)) > 30)
        end
    end
    for _, place in ipairs(world:places{ size = 512, smallest = 1e5 }:list()) do
        lu.assertTrue(place.attributes.population >= 1e5)
    end
end

-- Cities live on what fields around them have to spare: the largest ones of a map that reaches into the cold lie where
-- it is warm, though villages stand in the cold as well.
function TestPlacesOfMaps.test_the_largest_cities_lie_where_crops_grow()
    for _, seed in ipairs(tries(1, { 3, 8, 9, 12 })) do
        local map = esker.river_map{ seed = seed, latitudes = { 35, 75 }, side = 4.5e6 }
        local list, air = map:places{ size = 256, spacing = 8 }:list(), map:climate{ size = 256 }
        local cold = 0
        for i, place in ipairs(list) do
            local warmth = air.temperature:get(math.floor(place.x), math.floor(place.y))
            lu.assertTrue(i > 10 or warmth > 0, i .. " " .. warmth)
            cold = cold + (warmth < -1 and 1 or 0)
        end
        lu.assertTrue(cold > 5, cold)
    end
end

-- Sizes do not jump from millions to thousands: towns around the largest city have many people, too.
function TestPlacesOfMaps.test_towns_around_a_great_city()
    local list = world:places{ size = 1024, spacing = 16 }:list()
    local city, most = list[1], 0
    for i = 2, #list do
        local x, y = list[i].x - city.x, list[i].y - city.y
        if x * x + y * y < (150 / 3000 * 1024) ^ 2 then
            most = math.max(most, list[i].attributes.population)
        end
    end
    lu.assertTrue(most > city.attributes.population / 60, most)
end

-- People that so many square kilometres have.
local function area_of(people)
    return people / (1500 * (people / 1000) ^ (1 / 7))
end

-- A great city's quarters are no places: on fine pixels none lies in the circle that has three quarters of its area,
-- but those that coarse pixels show. Windows alone agree on that.
function TestPlacesOfMaps.test_no_hamlet_lies_in_a_great_city()
    local pixels, metres = 65536, 3e6 / 65536
    local city = world:places{ size = 1024, spacing = 16 }:list()[1]
    local x, y = math.floor(city.x * pixels / 1024), math.floor(city.y * pixels / 1024)
    local least = math.sqrt(0.75 * area_of(city.attributes.population) / math.pi) * 1000 / metres
    local texts, inside = {}, 0
    local list = world:places(window(pixels, x - 256, y - 256, 512, 512)):list()
    for _, place in ipairs(list) do
        local away = math.sqrt((place.x - 256) ^ 2 + (place.y - 256) ^ 2)
        local own = place.attributes.name == city.attributes.name
        lu.assertTrue(own or place.attributes.level < 4 or away > least, place.attributes.name)
        inside = inside + (own and 1 or 0)
        texts[place.attributes.name] = place.attributes.population
    end
    lu.assertEquals(inside, 1)
    lu.assertTrue(#list > 3 and least > 100, least)
    local edge = math.floor(1.1 * least)
    for _, at in ipairs(tries(1, { { -edge - 48, -48 }, { edge - 48, -48 }, { -48, edge - 48 } })) do
        for _, place in ipairs(kept_map(WORLD):places(window(pixels, x + at[1], y + at[2], 96, 96)):list()) do
            lu.assertEquals(texts[place.attributes.name], place.attributes.population, place.attributes.name)
        end
    end
end

-- Towns around a city have its people by their distance, up to one and a half squares of their level away, and the
-- fewer the nearer those come to eight times the largest of their level.
function TestPlacesOfMaps.test_towns_follow_a_city_nearby()
    local cell, far, large = 3 / 1.024, 0, 0
    local list = world:places{ size = 1024, spacing = 16 }:list()
    for _, place in ipairs(list) do
        local level, people = place.attributes.level, place.attributes.population
        local square = 375 / 2 ^ level
        local largest = 1e6 * (square / 400) ^ 2
        -- People that cities bring: `off` pixels of the level's grid are lost to rounding.
        local function brought(chance, off)
            local most = 0
            for i = 1, #list do
                local city = list[i]
                local away = math.sqrt((place.x - city.x) ^ 2 + (place.y - city.y) ^ 2) * cell / (square / 16)
                local near = math.min((24 - away + off) / 14, 1)
                if city.attributes.level < level and near > 0 then
                    most = math.max(most, chance * city.attributes.population / 30 * near * near)
                end
            end
            return most * 8 * largest / (most + 8 * largest)
        end
        local least, most = brought(0.5, -2), brought(1.5, 2)
        lu.assertTrue(people > 0.95 * least - 64, place.attributes.name)
        lu.assertTrue(level == 0 or people < 1.02 * math.max(most, largest, 1000) + 64, place.attributes.name)
        far, large = far + (least > 500 and 1 or 0), large + (level > 0 and people > largest and 1 or 0)
    end
    lu.assertTrue(far > 3 and large > 1, far .. " " .. large)
end

-- A wadi feeds nobody and founds no town: of a dry map, places at rivers have water. Rain of a river's catchment runs
-- off by more than 10 mm a year, or it has more than 5 m³/s.
function TestPlacesOfMaps.test_no_town_lies_at_a_wadi()
    local dry = kept_map{ seed = 7, latitudes = { 15, 45 }, rain = 0.5 }
    local asked = { x = 0.8, y = 0.65, zoom = 4, size = 256 }
    local _, _, flow, _, discharge = dry:render(asked)
    asked.spacing = 16
    local cell, at_rivers = 3e6 / 1024, 0
    for _, place in ipairs(dry:places(asked):list()) do
        local kind = place.attributes.kind
        if kind == "river" or kind == "ford" or kind == "bridge" or kind == "confluence" then
            local wet, x, y = false, math.floor(place.x), math.floor(place.y)
            for j = math.max(y - 8, 0), math.min(y + 8, 255) do
                for i = math.max(x - 8, 0), math.min(x + 8, 255) do
                    local water = discharge:get(i, j)
                    wet = wet or water > 5 or water * 3.156e10 > 10 * cell ^ 2 * flow:get(i, j)
                end
            end
            lu.assertTrue(wet, place.attributes.name)
            at_rivers = at_rivers + 1
        end
    end
    lu.assertTrue(at_rivers > 3, at_rivers)
end

function TestPlacesOfMaps.test_names()
    local names, lengths, count, doubles = {}, {}, 0, 0
    for _, place in ipairs(world:places{ size = 1024, spacing = 16 }:list()) do
        local name = place.attributes.name
        lu.assertTrue(name:find("^%u%l+$") and #name >= 3 and #name <= 14, name)
        local same = names[name] -- far away it is legal
        lu.assertTrue(not same or math.max(math.abs(same.x - place.x), math.abs(same.y - place.y)) > 150, name)
        doubles = doubles + (same and 1 or 0)
        names[name], count = place, count + 1
        lengths[#name] = (lengths[#name] or 0) + 1
    end
    lu.assertTrue(count > 1000 and doubles < count / 200)
    for length, most in pairs{ [5] = 0.2, [6] = 0.35, [7] = 0.45, [8] = 0.35, [9] = 0.3, [10] = 0.2 } do -- no one mould
        lu.assertTrue(lengths[length] > 0.03 * count and lengths[length] < most * count, length)
    end
    return names
end

function TestPlacesOfMaps.test_no_letter_stands_three_times_in_a_row()
    local count = 0
    for _, seed in ipairs(tries(2, { 5, 3, 4, 11 })) do
        local wide = esker.river_map{ seed = seed, side = 4e6 }
        for _, place in ipairs(wide:places{ size = 512, spacing = 8 }:list()) do
            local name = place.attributes.name:lower()
            count = count + 1
            for i = 3, #name do
                lu.assertFalse(name:sub(i - 2, i) == name:sub(i, i):rep(3), name)
            end
        end
    end
    lu.assertTrue(count > 1000, count)
end

function Long.test_names_of_another_map()
    local names = TestPlacesOfMaps.test_names()
    local other = by_name(esker.river_map{ seed = 8 }:places{ size = 512 }, 1, 0, 0)
    local same = 0
    for name in pairs(other) do
        same = same + (names[name] and 1 or 0)
    end
    lu.assertTrue(same < 20, same)
end

function TestPlacesOfMaps.test_maps_without_places()
    for _, given in ipairs(tries(1, { { sea_level = 1 }, { temperature = -100 }, { side = 1 } })) do
        given.seed = 3
        local map = esker.river_map(given)
        local roads, crossings = map:roads{ size = 256 }
        lu.assertEquals(map:places{ size = 256 }.count + roads.count + crossings.count, 0)
    end
    lu.assertEquals(world:places{ size = 2 }.count, 0)
    lu.assertEquals(world:roads{ size = 2 }.count, 0)
end

function Long.test_any_maps()
    lu.assertEquals(world:places{ size = 64, zoom = 1e12 }.count, 0)
    lu.assertEquals(world:roads{ size = 64, zoom = 1e12 }.count, 0)
    lu.assertTrue(esker.river_map{ seed = 3, side = 4e8 }:places{ size = 64 }.count >= 0)
    lu.assertTrue(esker.river_map{ seed = 3, sea_level = -1 }:places{ size = 256 }.count > 10)
    lu.assertTrue(esker.river_map{ seed = 3, sea_level = -1 }:roads{ size = 512 }.count > 5)
    lu.assertTrue(esker.river_map{ seed = 3, rain = 0 }:places{ size = 256 }.count >= 0)
    lu.assertTrue(esker.river_map{ seed = 3, tiling = "penrose" }:places{ size = 256 }.count > 10)
end

function TestPlacesOfMaps.test_files()
    local places = world:places{ size = 256 }
    for _, ending in ipairs{ "geojson", "csv" } do
        local again = saved(places, ending)
        lu.assertEquals(again.count, places.count)
        lu.assertEquals(again:list()[1].attributes.name, places:list()[1].attributes.name)
    end
end

function TestPlacesOfMaps.test_errors()
    for message, map in pairs{
        ['places need land = "eroded", whose altitudes are metres; this map is raw'] =
            esker.river_map{ seed = 2, land = "raw" },
    } do
        lu.assertErrorMsgContains(message, map.places, map, {})
    end
    lu.assertErrorMsgContains("the window leaves the map", world.places, world, { x = 0, zoom = 2 })
    lu.assertErrorMsgContains("spacing must be 8 to 4096", world.places, world, { spacing = 1 })
end

-- -------------------------------------------------------------------------------------------------------------------

TestRoadsOfMaps = {}

-- Calls visit(first, second, attributes) for each step between two points of a line.
local function each_step(lines, visit)
    for _, line in ipairs(lines:list()) do
        for _, part in ipairs(line.parts) do
            for i = 2, #part do
                visit(part[i - 1], part[i], line.attributes)
            end
        end
    end
end

-- The steps inside a part of a window, as texts.
local function steps_in(lines, left, top, width, height, digits)
    local texts = {}
    local function inside(point)
        return point[1] > left and point[2] > top and point[1] < left + width and point[2] < top + height
    end
    local form = ("%s %d %s %s @ @ @ @ %a"):gsub("@", digits)
    each_step(lines, function(first, second, of)
        if inside(first) and inside(second) then
            texts[#texts + 1] = form:format(of.class, of.level, of.from, of.to, first[1] - left, first[2] - top,
                second[1] - left, second[2] - top, first[3])
        end
    end)
    table.sort(texts)
    return texts
end

-- Drawn once.
local VALLEY = { 8192, 4800, 3500 }
local valley
local function roads_of_a_valley()
    valley = valley or table.pack(world:roads(window(VALLEY[1], VALLEY[2], VALLEY[3], 300, 300)))
    return table.unpack(valley)
end

function TestRoadsOfMaps.test_windows_agree()
    local random, compared = random_from(2), 0
    local windows = tries(1, { VALLEY, { 3000, 1500, 1000 }, { 65536, 39000, 29000 }, { 1024, 400, 100 } })
    for _, given in ipairs(windows) do
        local pixels, left, top = given[1], given[2], given[3]
        local digits = math.log(pixels, 2) % 1 == 0 and "%%a" or "%%.5f"
        local lines, points = roads_of_a_valley()
        if given ~= VALLEY then
            lines, points = world:roads(window(pixels, left, top, 300, 300))
        end
        for _ = 1, tries(2, 4) do
            local width, height = 8 + random(90), 8 + random(90)
            local x, y = random(300 - width), random(300 - height)
            local own_lines, own_points = world:roads(window(pixels, left + x, top + y, width, height))
            local expected = steps_in(lines, x, y, width, height, digits)
            local found = steps_in(own_lines, 0, 0, width, height, digits)
            lu.assertEquals(table.concat(found, "\n"), table.concat(expected, "\n"))
            compared = compared + #expected
            local crossings = 0
            for _, point in ipairs(points:list()) do
                local inside = point.x >= x and point.y >= y and point.x <= x + width and point.y <= y + height
                crossings = crossings + (inside and 1 or 0)
            end
            lu.assertEquals(own_points.count, crossings)
        end
    end
    lu.assertTrue(compared > 50 * #windows, compared)
end

function TestRoadsOfMaps.test_windows_alone_and_threads_agree()
    local asked = window(4096, 2300, 1700, 120, 100)
    local expected = world:roads(asked):hash()
    lu.assertEquals(by_three_threads("roads", asked), expected)
    if tries(1, 2) > 1 then
        lu.assertEquals(esker.river_map(WORLD):roads(asked):hash(), expected)
    end
end

function TestRoadsOfMaps.test_roads_join_places_over_land()
    local asked = window(1024, 512, 256, 512, 512)
    local altitude, lines, places = world:render(asked), world:roads(asked), world:places(asked)
    local names, reached = {}, {}
    for _, place in ipairs(places:list()) do
        names[place.attributes.name] = place
    end
    local points, wet, longest = 0, 0, 0
    each_step(lines, function(first, second, of)
        longest = math.max(longest, math.abs(first[1] - second[1]), math.abs(first[2] - second[2]))
        for _, name in ipairs{ of.from, of.to } do
            local place = names[name]
            for _, point in ipairs{ first, second } do
                if place and math.abs(place.x - point[1]) < 0.6 and math.abs(place.y - point[2]) < 0.6 then
                    reached[name] = true
                end
            end
        end
        local x, y = math.floor(first[1]), math.floor(first[2])
        if x >= 0 and y >= 0 and x < 512 and y < 512 then
            points, wet = points + 1, wet + (altitude:get(x, y) < 0 and 1 or 0)
        end
        lu.assertTrue(of.class == "highway" or of.class == "road" or of.class == "track")
    end)
    local joined, all = 0, 0
    for name in pairs(names) do
        joined, all = joined + (reached[name] and 1 or 0), all + 1
    end
    lu.assertTrue(points > 2000)
    lu.assertTrue(wet < points / 200, wet)
    lu.assertTrue(longest < 2)
    lu.assertTrue(joined > 0.9 * all, ("%d of %d"):format(joined, all))
end

-- Roads have bends of many pixels, and none of the grid's eight directions. Of directions that do not matter
-- 6 of 45 degrees are within 3 of them.
function Long.test_roads_are_curves()
    for _, given in ipairs{ { 1024, 0, 0, 1024 }, { 8192, 4600, 3300, 512 } } do
        local along, chords, turn, length = 0, 0, 0, 0
        for _, line in ipairs(world:roads(window(given[1], given[2], given[3], given[4], given[4])):list()) do
            for _, part in ipairs(line.parts) do
                for i = 9, #part, 8 do
                    local angle = math.deg(math.atan(part[i][2] - part[i - 8][2], part[i][1] - part[i - 8][1])) % 45
                    along, chords = along + ((angle < 3 or angle > 42) and 1 or 0), chords + 1
                end
                for i = 3, #part do
                    local x, y = part[i - 1][1] - part[i - 2][1], part[i - 1][2] - part[i - 2][2]
                    local next_x, next_y = part[i][1] - part[i - 1][1], part[i][2] - part[i - 1][2]
                    turn = turn + math.abs(math.atan(x * next_y - y * next_x, x * next_x + y * next_y))
                    length = length + (x * x + y * y) ^ 0.5
                end
            end
        end
        lu.assertTrue(along < 0.2 * chords, along / chords)
        lu.assertTrue(turn < 0.16 * length, turn / length)
    end
end

-- A lake that begins on the level of its edit, which the roads of coarser levels do not know.
function Long.test_roads_go_around_lakes_of_edits()
    local at = { x = 0.353485, y = 0.414963 }
    local lake = esker.river_map{ seed = 11 }:raise{ along = { { at.x, at.y } }, width = 30e3, height = -1000 }
    local size = 200
    local asked = { x = at.x, y = at.y, zoom = 16384 / size, size = size }
    local _, _, _, water = lake:render(asked)
    local points, wet = 0, 0
    each_step(lake:roads(asked), function(first)
        local x, y = math.floor(first[1]), math.floor(first[2])
        if x >= 0 and y >= 0 and x < size and y < size then
            points, wet = points + 1, wet + (water:get(x, y) > 0 and 1 or 0)
        end
    end)
    lu.assertTrue(points > 500)
    lu.assertTrue(wet < points / 250, wet)
    for _, place in ipairs(lake:places(asked):list()) do
        lu.assertEquals(water:get(math.floor(place.x), math.floor(place.y)), 0)
    end
end

-- Mean squares of slopes: along roads, and on the straight lines between their ends.
function Long.test_roads_are_gentler_than_straight_lines()
    local pixels = 16384
    local asked = window(pixels, 9600, 7200, 400, 400)
    local altitude, lines = world:render(asked), world:roads(asked)
    local cell = 3e6 / pixels
    local road, straight, apart = 0, 0, 4 -- cells between two slopes' ends
    local function slope(from, to)
        local x, y, rise = from[1] - to[1], from[2] - to[2], from[3] - to[3]
        local length = (x * x + y * y) ^ 0.5
        return length > 0 and (rise / cell / length) ^ 2 * length or 0, length
    end
    local function on_ground(x, y)
        return { x, y, altitude:get(math.max(0, math.min(399, math.floor(x))), math.max(0, math.min(399,
            math.floor(y)))) }
    end
    for _, line in ipairs(lines:list()) do
        for _, part in ipairs(line.parts) do
            local first, last = part[1], part[#part]
            local x, y = last[1] - first[1], last[2] - first[2]
            local count = math.floor((x * x + y * y) ^ 0.5)
            if count > 12 then
                local sum, length, bare, way = 0, 0, 0, 0
                for i = 1 + apart, #part, apart do
                    local square, step = slope(on_ground(part[i - apart][1], part[i - apart][2]),
                        on_ground(part[i][1], part[i][2]))
                    sum, length = sum + square, length + step
                end
                for i = apart, count, apart do
                    local from, to = (i - apart) / count, i / count
                    local square, step = slope(on_ground(first[1] + x * from, first[2] + y * from),
                        on_ground(first[1] + x * to, first[2] + y * to))
                    bare, way = bare + square, way + step
                end
                road, straight = road + sum / length, straight + bare / way
            end
        end
    end
    lu.assertTrue(road < 0.65 * straight, ("%g"):format(road / straight))
end

-- Rungs: stretches of a few cells between junctions, where two roads lie side by side. Spurs: ends at no place.
function Long.test_roads_have_no_rungs_or_spurs()
    local function key(point)
        return ("%.3f %.3f"):format(point[1], point[2])
    end
    local rungs, spurs, length = 0, 0, 0
    for _, asked in ipairs{ window(2048, 700, 500, 700, 700), window(16384, 9600, 7200, 512, 512) } do
        local lines, ways, parts, towns = world:roads(asked), {}, {}, {}
        for _, place in ipairs(world:places(asked):list()) do
            towns[key{ place.x, place.y }] = true
        end
        for _, line in ipairs(lines:list()) do
            for _, part in ipairs(line.parts) do
                parts[#parts + 1] = part
                for i, point in ipairs(part) do
                    ways[key(point)] = (ways[key(point)] or 0) + ((i == 1 or i == #part) and 1 or 2)
                end
            end
        end
        for _, part in ipairs(parts) do
            local first, last, sum = part[1], part[#part], 0
            for i = 2, #part do
                sum = sum + ((part[i][1] - part[i - 1][1]) ^ 2 + (part[i][2] - part[i - 1][2]) ^ 2) ^ 0.5
            end
            length = length + sum
            rungs = rungs + (sum < 6 and ways[key(first)] > 2 and ways[key(last)] > 2 and 1 or 0)
            for _, point in ipairs{ first, last } do
                local inside = math.min(point[1], point[2], asked.width - point[1], asked.height - point[2]) > 3
                spurs = spurs + (inside and ways[key(point)] == 1 and not towns[key(point)] and 1 or 0)
            end
        end
    end
    lu.assertTrue(length > 10000, length)
    lu.assertTrue(rungs < length / 700, ("%d in %g cells"):format(rungs, length))
    lu.assertTrue(spurs < 3, spurs)
end

-- Where snow lies all year there are no rivers, and next to no roads.
function TestRoadsOfMaps.test_snow_has_no_roads_and_no_rivers()
    local map = kept_map{ seed = 4, latitudes = { 55, 85 } }
    local asked = window(256, 0, 0, 256, 256)
    local altitude, river = map:render(asked)
    local air, roads = map:climate(asked), map:roads(asked)
    local function is_snowy(x, y, least)
        return air.temperature:get(x, y) + air.range:get(x, y) / 2 < least
    end
    local land, snow, wet, points, snowy = 0, 0, 0, 0, 0
    for y = 0, 255 do
        for x = 0, 255 do
            if altitude:get(x, y) >= 0 then
                land, snow = land + 1, snow + (is_snowy(x, y, 3) and 1 or 0)
                wet = wet + (is_snowy(x, y, 0.5) and river:get(x, y) or 0)
            end
        end
    end
    each_step(roads, function(first)
        local x, y = math.floor(first[1]), math.floor(first[2])
        if x >= 0 and y >= 0 and x < 256 and y < 256 then
            points, snowy = points + 1, snowy + (is_snowy(x, y, 3) and 1 or 0)
        end
    end)
    local _, part = map:render(window(256, 100, 60, 80, 90))
    for y = 0, 89 do
        for x = 0, 79 do
            lu.assertEquals(part:get(x, y), river:get(100 + x, 60 + y))
        end
    end
    lu.assertTrue(snow > 0.2 * land and points > 300)
    lu.assertTrue(snowy < 0.01 * points, ("%d of %d"):format(snowy, points))
    lu.assertEquals(wet, 0)
end

function TestRoadsOfMaps.test_crossings()
    local _, crossings = roads_of_a_valley()
    local kinds = {}
    for _, point in ipairs(crossings:list()) do
        local attributes = point.attributes
        lu.assertEquals(attributes.kind, attributes.width > 20 and "bridge" or "ford")
        kinds[attributes.kind] = true
    end
    lu.assertTrue(crossings.count > 5)
    lu.assertTrue(kinds.bridge or kinds.ford)
end

-- The lanes among the lines of a window.
local function lanes_of(map, asked)
    asked.lanes = true
    local list, lines = {}, (map:roads(asked))
    asked.lanes = nil
    for _, line in ipairs(lines:list()) do
        if line.attributes.class == "lane" then
            list[#list + 1] = line
        end
    end
    return esker.lines{ width = lines.width, height = lines.height, list = list }, lines
end

-- Names are texts beside their dots; the largest have one.
function TestPlacesOfMaps.test_svg_has_names()
    local places = world:places{ size = 256 }
    local path = os.tmpname() .. ".svg"
    places:save(path)
    local text = assert(io.open(path)):read("a")
    os.remove(path)
    local names = {}
    for name in text:gmatch("<text [^>]*>([^<]+)</text>") do
        lu.assertNil(names[name])
        names[name] = true
    end
    local largest, count = places:list()[1], 0
    for _, place in ipairs(places:list()) do
        count = count + (names[place.attributes.name] and 1 or 0)
        largest = place.attributes.population > largest.attributes.population and place or largest
    end
    lu.assertTrue(names[largest.attributes.name])
    lu.assertTrue(count > places.count / 3, count)
    lu.assertStrContains(text, "</g>\n</svg>\n")
    local odd = esker.points{ width = 64, height = 64, list = { { x = 32, y = 32, attributes = { name = "A<&B" } } } }
    odd:save(path)
    lu.assertStrContains(assert(io.open(path)):read("a"), ">A&lt;&amp;B</text>")
    os.remove(path)
end

function TestRoadsOfMaps.test_windows_agree_in_lanes()
    local random, compared = random_from(5), 0
    local windows = tries(1, { { 2048, 700, 700 }, { 8192, 3850, 3500 }, { 32768, 15400, 14600 }, { 1024, 300, 300 } })
    for _, given in ipairs(windows) do
        local pixels, left, top = given[1], given[2], given[3]
        local lanes = lanes_of(world, window(pixels, left, top, 300, 300))
        for _ = 1, tries(1, 4) do
            local width, height = 60 + random(90), 60 + random(90)
            local x, y = random(300 - width), random(300 - height)
            local own = lanes_of(world, window(pixels, left + x, top + y, width, height))
            local expected = steps_in(lanes, x, y, width, height, "%%a")
            local found = steps_in(own, 0, 0, width, height, "%%a")
            lu.assertEquals(table.concat(found, "\n"), table.concat(expected, "\n"))
            compared = compared + #expected
        end
    end
    lu.assertTrue(compared > 15 * #windows, tostring(compared))
    local asked = window(2048, 800, 750, 120, 100)
    asked.lanes = true
    local expected = world:roads(asked):hash()
    lu.assertEquals(by_three_threads("roads", asked), expected)
end

-- Whether there is land within three pixels.
local function is_by_land(altitude, x, y)
    for j = math.max(y - 3, 0), math.min(y + 3, altitude.height - 1) do
        for i = math.max(x - 3, 0), math.min(x + 3, altitude.width - 1) do
            if altitude:get(i, j) >= 0 then
                return true
            end
        end
    end
    return false
end

function TestRoadsOfMaps.test_lanes_lead_over_the_sea_to_places()
    local asked = window(1024, 256, 128, 512, 512)
    local altitude, places = world:render(asked), world:places(asked)
    local lanes, lines = lanes_of(world, asked)
    lu.assertEquals(lines.count, lanes.count + world:roads(asked).count)
    local points, dry, near, named, ports, all_points = 0, 0, 0, {}, {}, {}
    for _, place in ipairs(places:list()) do
        named[place.attributes.name] = place
    end
    each_step(lanes, function(first, second, of)
        for _, name in ipairs{ of.from, of.to } do
            ports[name] = named[name]
        end
        for _, point in ipairs{ first, second } do
            all_points[#all_points + 1] = point
        end
        local x, y = math.floor(first[1]), math.floor(first[2])
        if x >= 0 and y >= 0 and x < 512 and y < 512 then
            points, dry = points + 1, dry + (altitude:get(x, y) >= 0 and 1 or 0)
            near = near + (is_by_land(altitude, x, y) and 1 or 0)
        end
        lu.assertEquals(first[3], 0.0)
    end)
    lu.assertTrue(points > 500 and dry < points / 20, ("%d of %d"):format(dry, points))
    lu.assertTrue(near < points / 8, ("%d of %d"):format(near, points))
    local joined, all = 0, 0
    for name, place in pairs(ports) do
        local nearest = math.huge
        for _, point in ipairs(all_points) do
            nearest = math.min(nearest, ((place.x - point[1]) ^ 2 + (place.y - point[2]) ^ 2) ^ 0.5)
        end
        joined, all = joined + (nearest < 0.6 and 1 or 0), all + 1
        lu.assertTrue(nearest < 12, ("%s: %g"):format(name, nearest)) -- on its shore
    end
    lu.assertTrue(all > 10 and joined > 0.9 * all, ("%d of %d"):format(joined, all))
end

-- Junctions of a lane that goes straight on and of one that comes from the side, at more than 70°.
function TestRoadsOfMaps.test_lanes_join_at_small_angles()
    local ways = {}
    for _, line in ipairs(lanes_of(world, window(1024, 256, 128, 512, 512)):list()) do
        for _, part in ipairs(line.parts) do
            for i, point in ipairs(part) do
                local key = ("%.3f %.3f"):format(point[1], point[2])
                ways[key] = ways[key] or {}
                for _, far in ipairs{ part[math.max(i - 6, 1)], part[math.min(i + 6, #part)] } do
                    local x, y = far[1] - point[1], far[2] - point[2]
                    local length = (x * x + y * y) ^ 0.5
                    if length > 0 then
                        table.insert(ways[key], { x / length, y / length })
                    end
                end
            end
        end
    end
    local function is_right(all)
        local straight, across = false, false
        for i, a in ipairs(all) do
            for k = i + 1, #all do
                local cosine = a[1] * all[k][1] + a[2] * all[k][2]
                straight, across = straight or cosine < -0.94, across or math.abs(cosine) < 0.34
            end
        end
        return straight and across
    end
    local junctions, right = 0, 0
    for _, all in pairs(ways) do
        junctions, right = junctions + (#all > 2 and 1 or 0), right + (#all > 2 and is_right(all) and 1 or 0)
    end
    lu.assertTrue(junctions > 8 and right <= junctions / 4, ("%d of %d"):format(right, junctions))
end

-- A map of a whole planet meets itself at 180°, where roads leave it at one side and come back at the other.
function TestRoadsOfMaps.test_none_runs_across_a_whole_planet()
    local planet = esker.river_map{ seed = 5, tiling = "sphere", climate = true }
    local steps, longest, beyond = 0, 0, 0
    for _, road in ipairs(planet:roads{ size = 1024 }:list()) do
        for _, part in ipairs(road.parts) do
            for i = 2, #part do
                steps, longest = steps + 1, math.max(longest, math.abs(part[i][1] - part[i - 1][1]))
                beyond = beyond + ((part[i][1] < 0 or part[i][1] > 1024) and 1 or 0)
            end
        end
    end
    lu.assertTrue(steps > 100 and beyond > 2 and longest < 200, ("%d, %d, %g"):format(steps, beyond, longest))
end

function TestRoadsOfMaps.test_a_planet_from_far_away_has_nothing_beside_its_disc()
    local planet = esker.river_map{ seed = 5, tiling = "sphere", climate = true }
    local places = planet:places{ size = 256, projection = "orthographic", spacing = 16 }:list()
    lu.assertTrue(#places > 2, #places)
    for _, place in ipairs(places) do
        lu.assertTrue((place.x - 128) ^ 2 + (place.y - 128) ^ 2 <= 129 ^ 2, place.attributes.name)
    end
end

function TestRoadsOfMaps.test_files()
    local roads, crossings = roads_of_a_valley()
    for value, ending in pairs{ [roads] = "geojson", [crossings] = "geojson" } do
        local again = saved(value, ending)
        lu.assertEquals(again.count, value.count)
        for name, attribute in pairs(value:list()[1].attributes) do
            lu.assertEquals(again:list()[1].attributes[name], attribute)
        end
    end
end

-- -------------------------------------------------------------------------------------------------------------------

TestGroundOfTowns = {}

-- The window of so many pixels along the map, `side` cells wide, around the largest city; `left`, `top`: of its corner
-- from there.
local city
local function around_city(pixels, left, top, side)
    city = city or world:places(window(1024, 0, 0, 1024, 1024)):list()[1]
    local x, y = math.floor(city.x * pixels / 1024), math.floor(city.y * pixels / 1024)
    return window(pixels, x + left, y + top, side, side)
end

local function with_towns(asked)
    local with = { towns = true }
    for name, value in pairs(asked) do
        with[name] = value
    end
    return with
end

function TestGroundOfTowns.test_windows_and_threads_agree()
    for i, pixels in ipairs(tries(2, { 8192, 262144, 3000 })) do
        local large = world:cover(with_towns(around_city(pixels, -64, -64, 128)))
        lu.assertTrue(large.built:statistics().mean > 0.001)
        for _, at in ipairs{ { -60, 10 }, { 20, -40 } } do
            local part = world:cover(with_towns(around_city(pixels, at[1], at[2], 40)))
            for _, name in ipairs{ "built", "grass" } do
                assert_same_cells(large[name], part[name], 64 + at[1], 64 + at[2], name .. pixels)
            end
        end
        if i == 1 then
            local usual = esker.threads()
            esker.threads(3)
            local again = kept_map(WORLD):cover(with_towns(around_city(pixels, -64, -64, 128)))
            esker.threads(usual)
            lu.assertEquals(again.image:hash(), large.image:hash())
        end
    end
end

-- Cities cover square kilometres by their people, the same ones at every zoom, no sea, and have their place in them.
function TestGroundOfTowns.test_area_by_people()
    around_city(1024, 0, 0, 1)
    local people, areas = city.attributes.population, {}
    for i, pixels in ipairs{ 2048, 4096 } do
        local side = 64 * i
        local asked = around_city(pixels, -side // 2, -side // 2, side)
        local altitude, cover = world:render(asked), world:cover(with_towns(asked))
        local count, sum = 0, 0
        for y = 0, side - 1 do
            for x = 0, side - 1 do
                local built = cover.built:get(x, y)
                lu.assertTrue(built == 0 or altitude:get(x, y) >= 0)
                count, sum = count + (built > 0.3 and 1 or 0), sum + built
            end
        end
        areas[i] = count * (3000 / pixels) ^ 2
        for _, place in ipairs(world:places(asked):list()) do
            if place.attributes.name == city.attributes.name then
                lu.assertTrue(cover.built:get(math.floor(place.x), math.floor(place.y)) > 0.4)
                city.found = true
            end
        end
        lu.assertTrue(sum > 0.4 * count)
    end
    local expected = area_of(people)
    lu.assertTrue(city.found)
    lu.assertTrue(areas[1] > 0.5 * expected and areas[1] < 1.5 * expected, areas[1] .. " of " .. expected)
    lu.assertTrue(math.abs(areas[2] / areas[1] - 1) < 0.15, areas[2] / areas[1])
end

-- A city is densest in its middle and has a road that leads out, on which more is built than beside it, in places where
-- the road leads.
function TestGroundOfTowns.test_a_core_and_arteries()
    local asked = around_city(65536, -128, -128, 256)
    local built = world:cover(with_towns(asked)).built
    local function mean_within(from, to)
        local sum, count = 0, 0
        for y = 0, 255, 3 do
            for x = 0, 255, 3 do
                local away = math.sqrt((x - 128) ^ 2 + (y - 128) ^ 2)
                local share = built:get(x, y)
                if away >= from and away < to and share > 0 then
                    sum, count = sum + share, count + 1
                end
            end
        end
        return sum / count
    end
    local core, edge = mean_within(0, 24), mean_within(90, 128)
    lu.assertTrue(core > edge + 0.1, core .. " " .. edge)
    local on, beside, count = 0, 0, 0
    for _, road in ipairs((world:roads(asked)):list()) do
        for _, part in ipairs(road.parts) do
            for i = 2, #part do
                local x, y = part[i][1], part[i][2]
                local along_x, along_y = x - part[i - 1][1], y - part[i - 1][2]
                local long = math.sqrt(along_x ^ 2 + along_y ^ 2)
                for side = -1, 1, 2 do
                    local off_x, off_y = math.floor(x - side * 8 * along_y / long),
                        math.floor(y + side * 8 * along_x / long)
                    x, y = math.floor(x), math.floor(y)
                    if long > 0 and math.min(x, y, off_x, off_y) >= 0 and math.max(x, y, off_x, off_y) < 256
                        and built:get(x, y) > 0.2 and built:get(off_x, off_y) > 0.2 then
                        on, beside = on + built:get(x, y), beside + built:get(off_x, off_y)
                        count = count + 1
                    end
                end
            end
        end
    end
    lu.assertTrue(count > 100 and on > 1.15 * beside, ("%g, %g of %d"):format(on, beside, count))
end

-- Houses, streets and yards are the same share of the ground as what they are seen as from farther away.
function TestGroundOfTowns.test_zooms_agree()
    local means = {}
    for i, pixels in ipairs(tries(2, { 131072, 1048576, 262144, 524288 })) do
        local side = pixels // 16384
        means[i] = world:cover(with_towns(around_city(pixels, side, side, 2 * side))).built:statistics().mean
        lu.assertTrue(means[i] > 0.2 and math.abs(means[i] / means[1] - 1) < 0.2, table.concat(means, " "))
    end
end

function TestGroundOfTowns.test_without_towns_nothing_is_built()
    lu.assertEquals(world:cover(around_city(8192, -32, -32, 64)).built:statistics().max, 0)
    local planet = esker.river_map{ seed = 2, tiling = "sphere" }
    lu.assertEquals(planet:cover{ size = 16, towns = true }.built:statistics().max, 0)
end

os.exit(lu.LuaUnit.run())
