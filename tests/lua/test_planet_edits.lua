-- Edits on planets: they have their true size everywhere, they may cross an edge of the cube, and windows agree there.

local esker = require("esker")
local Long = require("long_tests")
local map_edits = require("map_edits")
local unit = require("luaunit")

TestPlanetEdits = {}

local planet = esker.river_map{ tiling = "sphere", seed = 3 }

-- Each call of `edit` gives a map that computes the level of its edits anew.
local function parts_agree(edit, x, y, zoom)
    return map_edits.parts_agree(function() return edit(planet) end, x, y, zoom)
end

-- Here two faces meet, on land.
local edge = { 0.585, 0.5 }

local function ring(x, y, radius)
    local points = {}
    for i = 0, 11 do
        local angle = 2 * math.pi * i / 12
        points[#points + 1] = { x + radius * math.cos(angle), y + radius * math.sin(angle) }
    end
    return points
end

local function hill_and_town(map)
    return map:raise{ along = { edge }, width = 200000, height = 6000 }
        :level{ along = { { edge[1] - 0.002, edge[2] + 0.0024 }, { edge[1] + 0.003, edge[2] + 0.0022 } },
            width = 60000, altitude = 500 }
end

function TestPlanetEdits.test_windows_agree_at_an_edge_of_the_cube()
    unit.assertTrue(parts_agree(hill_and_town, edge[1], edge[2], 75))
end

function TestPlanetEdits.test_all_else_stays()
    local edited = hill_and_town(planet)
    for window, same in pairs{
        [{ x = edge[1], y = edge[2], zoom = 100, size = 32 }] = false,
        [{ x = edge[1], y = edge[2], zoom = 4, size = 32 }] = true, -- where it is too small to be shown
        [{ x = edge[1], y = edge[2] - 0.024, zoom = 100, size = 32 }] = true,
    } do
        unit.assertEquals(map_edits.same(planet, edited, window), same, window.x .. " " .. window.zoom)
    end
end

local function line(...)
    local points = {}
    for i, point in ipairs{ ... } do
        points[i] = { 1000 * point[1], 1000 * point[2] }
    end
    return points
end

local function with_rivers(list, given)
    return planet:set_rivers(esker.lines{ size = 1000, list = list }, given)
end

-- How far a place is from the nearest river in a window around it, in shares of the equator.
local function to_river(map, x, y, zoom)
    local nearest, size = math.huge, 64
    for _, reach in ipairs(map:rivers{ x = x, y = y, zoom = zoom, size = size }:reaches()) do
        for _, point in ipairs(reach) do
            nearest = math.min(nearest, ((point.x - size / 2) ^ 2 + (point.y - size / 2) ^ 2) ^ 0.5)
        end
    end
    return nearest / zoom / size
end

-- From a watershed over an edge of the cube to the sea.
local over_edge = line({ 0.62, 0.45 }, edge, { 0.535, 0.565 })

function TestPlanetEdits.test_own_rivers_cross_edges_of_the_cube()
    local most, surface = 0, 4 * math.pi * planet.radius ^ 2
    local function with_one()
        return with_rivers({ { parts = { over_edge }, attributes = { drained = 1e13 } } }, { area = "drained" })
    end
    local own = with_one()
    for _, at in ipairs{ { 0.605, 0.471, 8 }, { edge[1], edge[2], 45 }, { 0.575, 0.513, 8 } } do
        local x, y, zoom = table.unpack(at)
        unit.assertTrue(to_river(own, x, y, zoom) <= 1.5 / 256, x .. " " .. zoom)
    end
    unit.assertTrue(to_river(planet, edge[1], edge[2], 8) > 3 / 256)
    for _, reach in ipairs(own:rivers{ x = 0.575, y = 0.513, zoom = 8, size = 192 }:reaches()) do
        most = math.max(most, reach[#reach].area * surface)
        for k = 2, #reach do
            unit.assertTrue(reach[k].altitude <= reach[k - 1].altitude)
        end
    end
    unit.assertAlmostEquals(most / 1e13, 1, 0.05)
    unit.assertTrue(parts_agree(function()
        local map = own or with_one()
        own = nil -- the next one is made anew
        return map
    end, edge[1], edge[2], 64))
end

function TestPlanetEdits.test_own_rivers_that_cannot_be_are_refused()
    for message, list in pairs{
        ["river 1 ends inland at (0.4500, 0.44"] = line({ 0.45, 0.34 }, { 0.45, 0.45 }),
        ["river 1 lies outside the map: x must be -1 to 2 and y 0.25, the north pole, to 0.75, got (0.45, 0.2)"] =
            line({ 0.45, 0.2 }, { 0.45, 0.45 }),
        ["lie on opposite sides of the planet; give points between"] = line({ 0, 0.5 }, { 0.5, 0.5 }),
    } do
        unit.assertErrorMsgContains(message, with_rivers, { list })
    end
end

-- Where what is looked at as a whole lies on one face.
local function lake_and_crater(map)
    return map:lake{ outline = ring(0.7935, 0.412, 0.0096) }:crater{ at = { { 0.76, 0.412 } }, width = 640000 }
end

function TestPlanetEdits.test_lakes_and_craters_agree()
    local edited
    unit.assertTrue(parts_agree(function(map)
        edited = lake_and_crater(map)
        return edited
    end, 0.777, 0.412, 12.5))
    local outlines = edited:lake_outlines{ x = 0.7935, y = 0.412, zoom = 12.5, size = 64 }:reaches()
    local share = 0
    for _, outline in ipairs(outlines) do
        share = math.max(share, outline[1].area)
    end
    -- Of a circle whose radius is 0.0096 of the equator, without the valley of a river that passes through it.
    local circle = (0.0096 * 2 * math.pi) ^ 2 / 4
    unit.assertTrue(share > 0.5 * circle and share < circle, share / circle)
end

function TestPlanetEdits.test_coasts_agree()
    local function island(map)
        return map:coast{ outline = ring(0.262, 0.318, 0.004), height = 1600 }
    end
    local window = { x = 0.262, y = 0.318, zoom = 75, size = 48 }
    unit.assertTrue(planet:render(window):get(24, 24) < 0)
    unit.assertTrue(parts_agree(island, 0.262, 0.318, 50))
    unit.assertTrue(island(planet):render(window):get(24, 24) > 0)
end

local canal = { width = 600, x = 0.60649, y = 0.490736 } -- at its end
local function carve_canal()
    return planet:carve{ along = { { 0.605, 0.49 }, { canal.x, canal.y } }, width = canal.width }
end

-- The brook at its end, which it follows, leads back over the canal.
function Long.test_a_canal_flows_out()
    local map, width = carve_canal(), canal.width
    local window = { x = canal.x, y = canal.y, zoom = 3000, size = 64 }
    local pixels = 2 * math.pi * planet.radius / window.zoom / window.size
    local leads, from, inside = {}, nil, function(at)
        return at.x > 1 and at.y > 1 and at.x < 63 and at.y < 63
    end
    for _, reach in ipairs(map:rivers(window):reaches()) do
        local first, last = reach[1], reach[#reach]
        if last.width * pixels > 0.9 * width then
            unit.assertTrue(last.width * pixels < 1.1 * width)
            if first.width > 0.9 * last.width then
                leads[("%.9f %.9f"):format(first.x, first.y)] = last
                from = inside(first) and from or last
            end
        end
    end
    local steps = 0
    while inside(from) and steps < 100 do
        from, steps = leads[("%.9f %.9f"):format(from.x, from.y)], steps + 1
    end
    unit.assertTrue(steps > 3 and steps < 100, steps)
end

function Long.test_windows_agree_along_a_canal()
    unit.assertTrue(parts_agree(carve_canal, canal.x, canal.y, 2000))
end

-- As wide on the ground near a pole as at the equator, where a degree is longer.
function TestPlanetEdits.test_a_hill_has_its_true_size()
    local x, y = 0.52, 0.315 -- 66.6° north
    local window = { x = x, y = y, zoom = 30, size = 64 }
    local edited = planet:raise{ along = { { x, y } }, width = 300000, height = 4000 }
    local change = edited:render(window) - planet:render(window)
    local left, right, top, bottom = 64, -1, 64, -1
    for v = 0, 63 do
        for u = 0, 63 do
            if math.abs(change:get(u, v)) > 200 then
                left, right, top, bottom = math.min(left, u), math.max(right, u), math.min(top, v), math.max(bottom, v)
            end
        end
    end
    unit.assertAlmostEquals((right - left) / (bottom - top) * math.cos(math.rad(66.6)), 1, 0.35)
end

-- Three faces meet here, and no sea is there.
local corner = { 0.54842158085407, 0.52750417084897 }

function TestPlanetEdits.test_windows_agree_at_a_corner_of_the_cube()
    local dry = esker.river_map{ tiling = "sphere", seed = 3, sea_level = -1 }
    unit.assertTrue(map_edits.parts_agree(function()
        return dry:raise{ along = { corner }, width = 400000, height = 8000 }
            :level{ along = { { corner[1] + 0.001, corner[2] + 0.0006 } }, width = 120000, altitude = 1500 }
    end, corner[1], corner[2], 80))
    -- The place that an error names has to fit, with the digits that it gives.
    local _, message = pcall(dry.raise, dry, { along = { corner }, width = 300000, height = -9000 })
    unit.assertStrContains(message, "shape 1 lies at a corner of the cube")
    local x, y = message:match("its middle is %((%S+), (%S+)%)")
    unit.assertNotNil(dry:raise{ along = { { tonumber(x), tonumber(y) } }, width = 300000, height = -9000 })
end

function TestPlanetEdits.test_what_cannot_be_is_refused()
    for message_part, call in pairs{
        ["y 0.25, the north pole, to 0.75, got (0.5, 0.2)"] = function()
            planet:raise{ along = { { 0.5, 0.2 } } }
        end,
        ["width must be 0.0"] = function() planet:raise{ along = { edge }, width = 1e7 } end,
        ["shape 1 is too large: on a planet all of it lies within 4003017 m"] = function()
            planet:raise{ along = { { 0.1, 0.5 }, { 0.6, 0.5 } } }
        end,
    } do
        unit.assertErrorMsgContains(message_part, call)
    end
end

os.exit(unit.LuaUnit.run())
