-- Eroded land in metres: how steep countries are, that means stay while one zooms, and maps of any size.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"
local tries = require "tries"

TestMetres = {}

local SIDE = 3e6

-- Windows of land at places by chance.
local function windows(map, zoom, count, size, random)
    local found, whole = {}, map:render{ size = 256 } -- which is made once, and says where the sea is
    for _ = 1, 60 do
        local half = math.max(0.5 / zoom, 0.06)
        local x, y = half + (1 - 2 * half) * random(), half + (1 - 2 * half) * random()
        local place = { x = x, y = y, zoom = zoom, size = 16 }
        local is_land = whole:get(x * 256 // 1 | 0, y * 256 // 1 | 0) > 0
        if #found < count and is_land and map:render(place):statistics().min > 5 then
            place.size, place.relative = size, true
            found[#found + 1] = map:render(place)
        end
    end
    return found
end

local function generator(seed)
    local state = seed
    return function()
        state = (state * 1103515245 + 12345) % 2147483648
        return state / 2147483648
    end
end

local function mean_slope(height)
    return math.tan(math.rad(height:gradient_angle():statistics().mean))
end

-- At cells of 46 m: real plains have 0.01 to 0.05, hills 0.1 to 0.3, alps 0.4 to 0.65.
function Long.test_countries_are_as_steep_as_real_ones()
    for landscape, range in pairs{ plains = { 0.008, 0.05 }, hills = { 0.08, 0.3 }, alps = { 0.25, 0.65 } } do
        local sum, count, random, seeds = 0, 0, generator(7), 3
        for seed = 1, seeds do
            local map = esker.river_map{ seed = seed, landscape = landscape }
            for _, height in ipairs(windows(map, 256, 2, 256, random)) do
                sum, count = sum + mean_slope(height), count + 1
            end
        end
        print(("# %s: mean slope %.3f of %d windows"):format(landscape, sum / count, count))
        lu.assertTrue(count >= seeds and sum / count > range[1] and sum / count < range[2], landscape)
    end
end

-- 50° is 1.19; while all relief was made on level 0, a fifth of the windows from zoom 1000 on were steeper.
function Long.test_no_window_is_a_wall()
    local random, steepest = generator(3), 0
    for seed = 11, 13 do
        local map = esker.river_map{ seed = seed, landscape = "alps" }
        for _, zoom in ipairs{ 1e3, 1e6 } do
            for _, height in ipairs(windows(map, zoom, 2, 128, random)) do
                steepest = math.max(steepest, mean_slope(height))
            end
        end
    end
    print(("# steepest mean slope %.3f"):format(steepest))
    lu.assertTrue(steepest < 1.19)
end

-- Mountains do not grow: from level to level the mean of a window changes by 2 % of the map's height at most, and
-- from level 0 to 1 by 4 %.
function Long.test_means_stay_from_zoom_to_zoom()
    local most = 0
    for _, place in ipairs{ { 63127, "mixed", 0.515625, 0.5 }, { 8919, "hills", 0.39, 0.84375 } } do
        local map = esker.river_map{ seed = place[1], landscape = place[2] }
        for level = 0, 7 do -- and the next one
            local zoom = level < 4 and 8 or 64
            local window = { x = place[3], y = place[4], zoom = zoom, size = (256 << level) // zoom }
            local coarse = map:render(window)
            window.size = 2 * window.size
            local change = map:render(window):statistics().mean - coarse:statistics().mean
            most = math.max(most, math.abs(change) / coarse.frame.top / (level == 0 and 2 or 1))
        end
    end
    print(("# means change by %.2f %% of the height"):format(100 * most))
    lu.assertTrue(most < 0.02)
end

-- The highest of a window's pixels, and its place on the map.
local function summit(map, x, y, zoom)
    local size, highest, column, row = 128, -1, 0, 0
    local window = map:render{ x = x, y = y, zoom = zoom, size = size, inside = true }
    for j = 0, size - 1 do
        for i = 0, size - 1 do
            if window:get(i, j) > highest then
                highest, column, row = window:get(i, j), i, j
            end
        end
    end
    local half = 0.5 / zoom
    local left, top = math.max(math.min(x, 1 - half), half) - half, math.max(math.min(y, 1 - half), half) - half
    return highest, left + (column + 0.5) / size / zoom, top + (row + 0.5) / size / zoom, window.frame.top
end

function TestMetres.test_the_highest_land_is_as_high_as_asked()
    for _, relief in ipairs(tries(1, { 4000, 500, false })) do
        local map = esker.river_map{ seed = 5, relief = relief or nil }
        local most, x, y, top = 0, 0.5, 0.5, nil
        for _, zoom in ipairs{ 1, 4, 16, 64, 256 } do
            local highest, column, row, said = summit(map, x, y, zoom)
            most, x, y, top = math.max(most, highest), column, row, said
        end
        lu.assertAlmostEquals(top, relief or top, 0.01 * (relief or 0))
        lu.assertTrue(most < top and most > 0.65 * top, most .. " " .. top)
    end
end

-- From a metre to ten earths, and hillslopes of any length: land that drains.
function TestMetres.test_maps_of_any_size_are_land()
    for _, options in ipairs(tries(2, { { side = 1 }, { side = 4e8 }, { side = 1e5, hillslope = 1e5 },
        { tiling = "sphere", radius = 1 }, { side = 1000 }, { hillslope = 1 }, { side = 2e4, relief = 2000 },
        { tiling = "sphere", radius = 4e8 } })) do
        options.seed = 2
        local map = esker.river_map(options)
        for _, zoom in ipairs{ 4, 512 } do
            local altitude = map:render{ x = 0.42, y = 0.57, zoom = zoom, size = 64 }
            lu.assertTrue(altitude:statistics().max > altitude:statistics().min)
        end
        local frame = map:render{ x = 0.42, y = 0.57, zoom = 4, size = 64 }.frame
        lu.assertEquals(frame.unit, "m")
        if not options.tiling then
            lu.assertAlmostEquals(frame.cell_width, (options.side or SIDE) / 256, 1e-9 * (options.side or SIDE))
        end
    end
end

-- A map of another side has other slopes: the same rivers drain less.
function TestMetres.test_a_map_tells_its_metres()
    local flat = esker.river_map{ side = 1234.5, relief = 60 }
    lu.assertEquals({ flat.side, flat.radius }, { 1234.5 })
    local planet = esker.river_map{ tiling = "sphere", radius = 5e6 }
    lu.assertIsNil(planet.side)
    lu.assertEquals(planet.radius, 5e6)
    lu.assertIsNil(esker.river_map{ land = "raw" }.side)
    lu.assertAlmostEquals(flat:render{ size = 64, zoom = 2 }.cell_metres, 1234.5 / 128, 1e-9)
    lu.assertIsNil(esker.spectral{ size = 32 }.cell_metres)
end

function TestMetres.test_small_maps_are_steeper()
    local function slope(side)
        return esker.river_map{ seed = 3, side = side, hillslope = side / 15000 }:render{ size = 256 }
            :gradient_angle():statistics().mean
    end
    lu.assertTrue(slope(3e6) > 0.5 * slope(3e5) and slope(3e6) < 2 * slope(3e5)) -- all lengths scaled
    local map = esker.river_map{ seed = 3, side = 3e5 }
    lu.assertTrue(map:render{ size = 256 }:gradient_angle():statistics().mean > 2 * slope(3e6))
end

-- A metre for 1 km², on maps of any side and on planets: the Rhine, which drains 160,000 km², is 400 m wide.
function TestMetres.test_rivers_are_as_wide_as_real_ones()
    local equator = 2 * math.pi * 6371e3
    for _, case in ipairs(tries(2, {
        { esker.river_map{ seed = 2, river_width = 0.003 }, SIDE, SIDE ^ 2, 0.003 },
        { esker.river_map{ seed = 2, side = 2e5 }, 2e5, 4e10, 0.001 },
        { esker.river_map{ seed = 2 }, SIDE, SIDE ^ 2, 0.001 },
        { esker.river_map{ seed = 4, tiling = "sphere" }, equator, 0.375 * equator ^ 2, 0.001 },
    })) do
        local map, side, area, factor = table.unpack(case)
        local reaches = map:rivers{ width = 512, height = 256, inside = true }:reaches()
        lu.assertTrue(#reaches > 0)
        for _, reach in ipairs(reaches) do
            local metres = reach[1].width * side / 512
            lu.assertAlmostEquals(metres / (factor * math.sqrt(reach[1].area * area)), 1, 0.001)
        end
    end
end

function TestMetres.test_a_guide_of_metres_gives_side_and_relief()
    local model = esker.spectral{ size = 65, seed = 3 }:normalize{ low = -300, high = 900 }
    lu.assertErrorMsgContains('heights need a unit: guide:georeference{ unit = "m", … }', esker.river_map,
        { seed = 1, guide = model, relief = 900 })
    local placed = model:georeference{ x = 0, y = 0, cell = 1000, unit = "m" }
    local map = esker.river_map{ seed = 1, guide = placed }
    lu.assertEquals(map.side, 64000)
    local plain = esker.river_map{ seed = 1, guide = model / 900, relief = 900, side = 64000 }
    lu.assertAlmostEquals(map:altitude_at{ x = 0.3, y = 0.4 }, plain:altitude_at{ x = 0.3, y = 0.4 }, 0.1)
    local feet = (model / 0.3048):georeference{ x = 0, y = 0, cell = 1000, unit = "ft" }
    lu.assertAlmostEquals(esker.river_map{ seed = 1, guide = feet }:altitude_at{ x = 0.3, y = 0.4 },
        map:altitude_at{ x = 0.3, y = 0.4 }, 0.1)
    lu.assertErrorMsgContains("heights in a unit need no relief", esker.river_map,
        { seed = 1, guide = placed, relief = 900 })
    lu.assertErrorMsgContains("but a map is a square: crop it, or give side", esker.river_map,
        { seed = 1, guide = placed:crop{ width = 65, height = 40 } })
    lu.assertErrorMsgContains("reach 900 m; at most a tenth of the map's side, 5000 m, is allowed", esker.river_map,
        { seed = 1, guide = placed, side = 5000 })
    lu.assertErrorMsgContains("does not say how large its cells are: give side", esker.river_map,
        { seed = 1, guide = model:georeference{ x = 0, y = 0, cell = 1, system = "EPSG:99999", unit = "m" } })
end

os.exit(lu.LuaUnit.run())
