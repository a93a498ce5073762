-- Water in rivers: maps with a climate, whose rivers carry what its rain leaves.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"
local assert_same_cells = require "same_cells"

TestWater = {}

local function world(given)
    local map = { seed = 7, latitudes = { 15, 45 }, side = 2e6 }
    for name, value in pairs(given or {}) do
        map[name] = value
    end
    return esker.river_map(map)
end

local subtropics = world()
local fresh = world() -- drawn on another number of threads, in another order
local NAMES = { "altitude", "river", "flow", "water", "discharge", "wadi" }

local function by_four_threads(window)
    local usual = esker.threads()
    esker.threads(4)
    local drawn = table.pack(fresh:render(window))
    esker.threads(usual)
    return drawn
end

function TestWater.test_windows_agree()
    for _, pixels in ipairs{ 4096, 3000 } do -- along the side: a power of two, and none
        local large = table.pack(subtropics:render{ x = 0.5, y = 0.5, zoom = pixels / 96, size = 96 })
        local part = by_four_threads{ x = 0.5 - 16 / pixels, y = 0.5 + 24 / pixels, zoom = pixels / 32, size = 32 }
        for i, name in ipairs(NAMES) do
            assert_same_cells(large[i], part[i], 16, 56, name)
        end
    end
end

function TestWater.test_threads_agree()
    local window = { zoom = 8, size = 128 }
    local one, four = table.pack(subtropics:render(window)), by_four_threads(window)
    for i, name in ipairs(NAMES) do
        lu.assertEquals(four[i]:hash(), one[i]:hash(), name)
    end
end

-- No reach has less water than the point before, but for what is rounded; and where reaches join there is no less
-- than the most of one.
function TestWater.test_water_grows_downstream()
    for _, window in ipairs{ { size = 256 }, { zoom = 12, size = 256, x = 0.6, y = 0.4 } } do
        local falls, points = 0, 0
        for _, reach in ipairs(subtropics:rivers(window):reaches()) do
            for i = 2, #reach do
                points = points + 1
                falls = falls + (reach[i].water < 0.98 * reach[i - 1].water and 1 or 0)
            end
        end
        lu.assertTrue(points > 500)
        lu.assertTrue(falls < 0.02 * points, falls .. " of " .. points)
    end
end

-- Along the coast as much leaves the land as runs off it: what drains through mouths and over the border, by the
-- mean of the map.
function TestWater.test_sums()
    local window = { size = 256 }
    local air = subtropics:climate(window)
    local network = subtropics:rivers(window)
    local leaves, area = 0, 0
    for _, reach in ipairs(network:reaches()) do
        if not reach.downstream then
            local last = reach[#reach]
            leaves, area = leaves + last.water, area + last.area
        end
    end
    local altitude, land = subtropics:render(window), 0
    for y = 0, 255 do
        for x = 0, 255 do
            land = land + (altitude:get(x, y) >= 0 and 1 or 0)
        end
    end
    local runoff = air.runoff:statistics().mean * 256 ^ 2 / land
    local mean = leaves / (area * 4e12) * 1000 * 365 * 86400
    lu.assertTrue(mean > 0.8 * runoff and mean < 1.25 * runoff, mean .. " " .. runoff)
end

function TestWater.test_mirrored_wind()
    -- one land that is its own mirror image
    local guide = esker.field{ size = 65, values = function(x, y)
        local across, down = math.abs(x - 32) / 32, math.abs(y - 32) / 32
        return 0.4 * (0.9 - across ^ 2 - down ^ 2) + 0.1 * math.cos(9 * across) * math.cos(7 * down)
    end }
    local function total(wind)
        local map = esker.river_map{ guide = guide, relief = 3000, wind = { wind, 0 }, latitudes = { 40, 40 } }
        local _, _, _, _, discharge = map:render{ size = 128 }
        local west = discharge:crop{ width = 64, height = 128 }:statistics().mean
        local east = discharge:crop{ x = 64, width = 64, height = 128 }:statistics().mean
        return west / (west + east)
    end
    local west_wind, east_wind = total(8), total(-8)
    lu.assertTrue(math.abs(west_wind - (1 - east_wind)) < 0.03, west_wind .. " " .. east_wind)
    lu.assertTrue(west_wind > 0.53, west_wind)
end

function TestWater.test_deserts_are_legal()
    local map = world{ rain = 0 }
    local window = { size = 256 }
    local _, river, _, _, discharge, wadi = map:render(window)
    lu.assertEquals(discharge:statistics().max, 0)
    lu.assertEquals(river:statistics().max, 0)
    lu.assertTrue(wadi:statistics().max > 0.2)
    for _, reach in ipairs(map:rivers(window):reaches()) do
        lu.assertTrue(reach.wadi)
        lu.assertEquals(reach[1].water, 0)
        lu.assertTrue(reach[1].width > 0)
    end
    local sand = map:cover(window).sand
    lu.assertTrue(sand:statistics().max == 1)
end

-- Their lines are the same where all are as wide as `line`, but for the gaps.
function TestWater.test_wadis_are_drawn_as_dashes()
    local window = { size = 64, zoom = 4 }
    local function drawn(map)
        return map:rivers(window):draw{ line = 8 }:hash()
    end
    local bare = esker.river_map{ seed = 7, side = 2e6 }
    lu.assertNotEquals(drawn(world{ rain = 0 }), drawn(bare))
    lu.assertEquals(drawn(esker.river_map{ seed = 7, side = 2e6, rain = 20 }), drawn(bare))
end

function TestWater.test_maps_without_climate_know_no_water()
    local map = esker.river_map{ seed = 7 }
    lu.assertEquals(select("#", map:render{ size = 64 }), 3)
    lu.assertNil(map:rivers{ size = 64 }:reaches()[1][1].water)
    lu.assertEquals(select("#", esker.river_map{ seed = 7, climate = true }:render{ size = 64 }), 6)
end

function TestWater.test_wide_where_it_rains()
    local wet, dry = world{ rain = 4 }, world{ rain = 0.5 }
    local window = { x = 0.6, y = 0.4, zoom = 16, size = 256 }
    local function width(map)
        local most = 0
        for _, reach in ipairs(map:rivers(window):reaches()) do
            most = math.max(most, reach[1].width)
        end
        return most
    end
    lu.assertTrue(width(wet) > 2 * width(dry))
end

function TestWater.test_planets()
    local planet = esker.river_map{ seed = 4, tiling = "sphere", climate = true }
    local _, river, _, _, discharge = planet:render{ size = 256 }
    lu.assertTrue(discharge:statistics().max > 1000 and river:statistics().max > 0)
    local large = table.pack(planet:render{ x = 0.3, y = 0.4, zoom = 16, size = 64 })
    local part = table.pack(planet:render{ x = 0.3 + 8 / 1024, y = 0.4, zoom = 32, size = 32 })
    for i, name in ipairs(NAMES) do
        assert_same_cells(large[i], part[i], 24, 16, name)
    end
end

function Long.test_planets_without_rain()
    local desert = esker.river_map{ seed = 4, tiling = "sphere", rain = 0 }
    local _, dry, _, _, none, wadi = desert:render{ size = 256 }
    lu.assertEquals(dry:statistics().max, 0)
    lu.assertEquals(none:statistics().max, 0)
    lu.assertTrue(wadi:statistics().max > 0)
end

function TestWater.test_files()
    local network = subtropics:rivers{ size = 128 }
    local path = os.tmpname()
    network:save(path .. ".csv")
    network:save(path .. ".geojson")
    local csv, geojson = io.open(path .. ".csv"):read("a"), io.open(path .. ".geojson"):read("a")
    lu.assertStrContains(csv, "width,area,water\n")
    lu.assertStrContains(geojson, '"water":')
    lu.assertStrContains(geojson, '"wadi":true')
    for _, ending in ipairs{ "", ".csv", ".geojson" } do
        os.remove(path .. ending)
    end
end

function TestWater.test_identify()
    local network = subtropics:rivers{ size = 512 }
    local most = network:reaches()[1][1]
    for _, reach in ipairs(network:reaches()) do
        for _, point in ipairs(reach) do
            most = point.water > most.water and point.altitude > 0 and point or most
        end
    end
    local place = subtropics:identify{ x = most.x / 512, y = most.y / 512, zoom = 1 }
    lu.assertTrue(place.discharge > 0.1 * most.water, place.discharge .. " " .. most.water)
    lu.assertEquals(esker.river_map{ seed = 7 }:identify{ x = 0.5, y = 0.5, zoom = 1 }.discharge, 0)
end
os.exit(lu.LuaUnit.run())
