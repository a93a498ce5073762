-- Lakes of one's own on a zoomable map: one level at every zoom, shores along the outline, what enters leaves, and far
-- ground keeps every bit.

local esker = require "esker"
local kept_map = require "kept_map"
local map_edits = require "map_edits"
local tries = require "tries"
local unit = require "luaunit"

TestOwnLakes = {}

local ring, area_of, same = map_edits.ring, map_edits.area_of, map_edits.same

local X, Y, RADIUS = 0.42, 0.57, 0.01

local plain = kept_map{ seed = 2 }
local outline = ring(X, Y, RADIUS)
local lake = plain:lake{ outline = outline }

-- The largest lake in a window: its level, and its share of the map.
local function largest_lake(map, window)
    local level, area = nil, 0
    for _, reach in ipairs(map:lake_outlines(window):reaches()) do
        if reach.order == 1 and reach[1].area > area then
            level, area = reach[1].altitude, reach[1].area
        end
    end
    return level, area
end

-- Whether no river in a window rises; and the most that flows in one.
local function most_water(map, window, name)
    local most, reaches = 0, map:rivers(window):reaches()
    for _, reach in ipairs(reaches) do
        for i = 2, #reach do
            unit.assertTrue(reach[i].altitude <= reach[i - 1].altitude, name)
            unit.assertTrue(reach[i].area >= 0.999 * reach[i - 1].area, name)
        end
        most = math.max(most, reach[#reach].area)
    end
    return most
end

function TestOwnLakes.test_its_level_is_the_same_at_every_zoom()
    local wanted
    for i, zoom in ipairs{ 4, 10, 32, 320 } do
        local window = { x = X, y = Y, zoom = zoom, size = i == 1 and 256 or i == 2 and 112 or 24 }
        local level = largest_lake(lake, window)
        wanted = wanted or level
        unit.assertTrue(math.abs(level - wanted) < 0.02, ("zoom %d: %g, %g m"):format(zoom, level, wanted))
    end
end

function TestOwnLakes.test_it_has_its_outline_where_no_river_passes()
    local shore = ring(0.265625, 0.564453125, 0.004)
    local window = { x = 0.265625, y = 0.564453125, zoom = 16, size = 256 }
    local _, area = largest_lake(plain:lake{ outline = shore }, window)
    unit.assertAlmostEquals(area / area_of(shore), 0.95, 0.1)
end

-- The levels after a lake's first draw its shore, too: less than 0.6 of the tip of an arm is dry, else 0.66.
function TestOwnLakes.test_finer_levels_reach_into_its_arms()
    local x, y, zoom, size, star = 0.265625, 0.564453125, 400, 64, {}
    for i = 0, 9 do
        local angle, away = math.pi * (i + 0.3) / 5, i % 2 == 0 and 0.006 or 0.0025
        star[i + 1] = { x + away * math.cos(angle), y + away * math.sin(angle) }
    end
    local tip_x, tip_y = x + 0.85 * (star[7][1] - x), y + 0.85 * (star[7][2] - y)
    local pixels = {}
    for i, point in ipairs(star) do
        pixels[i] = { ((point[1] - tip_x) * zoom + 0.5) * size, ((point[2] - tip_y) * zoom + 0.5) * size }
    end
    local wanted = esker.polygons{ size = size, list = { pixels } }:rasterize()
    local _, _, _, depth = plain:lake{ outline = star }:render{ x = tip_x, y = tip_y, zoom = zoom, size = size }
    local dry, inside = 0, 0
    for k = 0, size * size - 1 do
        if wanted:get(k % size, k // size) > 0.5 then
            dry, inside = dry + (depth:get(k % size, k // size) == 0 and 1 or 0), inside + 1
        end
    end
    unit.assertTrue(dry < 0.6 * inside, dry / inside)
end

function TestOwnLakes.test_an_altitude_is_held_to_the_metre()
    local free = largest_lake(lake, { x = X, y = Y, zoom = 20, size = 64 })
    local low = plain:lake{ outline = outline, altitude = free - 12.5 }
    for _, zoom in ipairs{ 20, 90 } do
        unit.assertAlmostEquals(largest_lake(low, { x = X, y = Y, zoom = zoom, size = 64 }), free - 12.5, 0.02)
    end
    most_water(low, { x = X, y = Y, zoom = 20, size = 128 })
end

function TestOwnLakes.test_what_does_not_fit_is_refused_with_what_does()
    local _, message = pcall(plain.lake, plain, { outline = outline, altitude = 500 })
    local least, most = message:match("altitude of shape 1 must be ([%d.]+) to ([%d.]+) m")
    unit.assertNotNil(most, message)
    for _, altitude in ipairs{ least, most } do
        plain:lake{ outline = outline, altitude = tonumber(altitude) }
    end
    unit.assertError(plain.lake, plain, { outline = outline, altitude = tonumber(most) + 1 })
    unit.assertError(plain.lake, plain, { outline = outline, altitude = tonumber(least) - 1 })
end

function TestOwnLakes.test_only_ground_near_it_changes()
    for _, zoom in ipairs(tries(1, { 128, 32, 256 })) do
        local window = { x = X, y = Y, zoom = zoom, size = 32 }
        unit.assertFalse(same(plain, lake, window))
        for _, towards in ipairs{ { 1, 0.1 }, { -0.3, -1 } } do
            local away = 5 * RADIUS + 0.5 / zoom
            window.x, window.y = X + towards[1] * away, Y + towards[2] * away
            unit.assertTrue(same(plain, lake, window), zoom)
        end
    end
end

function TestOwnLakes.test_windows_agree()
    local other = plain:lake{ outline = outline }
    for _, zoom in ipairs{ 8, 64 } do
        local wide = { lake:render{ x = X, y = Y, zoom = zoom, size = 64 } }
        local part = { other:render{ x = X + 8 / 64 / zoom, y = Y, zoom = 2 * zoom, size = 32 } }
        for i = 1, 4 do
            for y = 0, 31 do
                for x = 0, 31 do
                    unit.assertEquals(part[i]:get(x, y), wide[i]:get(x + 24, y + 16), i)
                end
            end
        end
    end
end

-- Small and large ones, at rivers, springs and coasts: nothing rises, and rivers that come from afar keep their water.
function TestOwnLakes.test_water_that_comes_leaves()
    for _, case in ipairs(tries(1, { { 2, 0.5, 0.4, 0.003 }, { 8, 0.5, 0.5, 0.01 } })) do
        local seed, x, y, radius = table.unpack(case)
        local before = kept_map{ seed = seed }
        local after = before:lake{ outline = ring(x, y, radius) }
        local window = { x = x, y = y, zoom = 0.2 / radius, size = 80 }
        local name = table.concat(case, " ")
        unit.assertAlmostEquals(most_water(after, window, name), most_water(before, window, name), 1e-9, name)
    end
end

function TestOwnLakes.test_a_large_river_may_touch_the_outline()
    local corners = { { 0.412, 0.561 }, { 0.419, 0.558 }, { 0.431, 0.568 }, { 0.424, 0.578 }, { 0.413, 0.577 } }
    local _, area = largest_lake(plain:lake{ outline = corners }, { x = X, y = 0.568, zoom = 24, size = 48 })
    unit.assertTrue(area > 0.7 * area_of(corners), area)
end

function TestOwnLakes.test_brooks_that_pass_through_end_in_it()
    local x, y, corners = 0.87402, 0.23438, ring(0.87402, 0.23438, 0.006)
    local map = kept_map{ seed = 6 }:lake{ outline = corners }
    local _, area = largest_lake(map, { x = x, y = y, zoom = 25, size = 100 })
    unit.assertTrue(area > 0.8 * area_of(corners), area / area_of(corners))
end

-- Beside the water only rivers are as low.
function TestOwnLakes.test_nothing_is_dammed()
    local level = largest_lake(lake, { x = X, y = Y, zoom = 20, size = 64 })
    local low = plain:lake{ outline = outline, altitude = level - 9 }
    for _, map in ipairs{ lake, low } do
        local heights, rivers, _, depth = map:render{ x = X, y = Y, zoom = 40, size = 204 }
        local beside = 0
        for y = 1, 202 do
            for x = 1, 202 do
                local dry = depth:get(x, y) == 0
                local wet = dry and (depth:get(x - 1, y) > 0 and x - 1 or depth:get(x + 1, y) > 0 and x + 1)
                if wet and rivers:get(x, y) == 0 then
                    beside = beside + 1
                    unit.assertTrue(heights:get(x, y) > heights:get(wet, y) - 0.5)
                end
            end
        end
        unit.assertTrue(beside > 50, beside)
    end
end

-- The river points nearest to a pixel, and how far away.
local function nearest(points, x, y)
    local point, least = nil, math.huge
    for _, other in ipairs(points) do
        local away = (other.x - x) ^ 2 + (other.y - y) ^ 2
        if away < least then
            point, least = other, away
        end
    end
    return point, math.sqrt(least)
end

-- How far the water of rivers beside a lake's pixels stands above or below it at most, but where one leaves it or comes
-- into it; and how many pixels lie beside a river.
local function wall(map, window)
    local heights, rivers, _, depth = map:render(window)
    local points, ends = {}, {}
    for _, reach in ipairs(map:rivers(window):reaches()) do
        table.move(reach, 1, #reach, #points + 1, points)
        table.insert(ends, reach[1])
        table.insert(ends, reach[#reach])
    end
    local most, beside = 0, 0
    for y = 1, window.size - 2 do
        for x = 1, window.size - 2 do
            for _, step in ipairs{ { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
                local u, v = x + step[1], y + step[2]
                if depth:get(x, y) > 0 and depth:get(u, v) == 0 and rivers:get(u, v) >= 0.9 then
                    local _, from_end = nearest(ends, u, v)
                    beside = beside + 1
                    if from_end > 4 + rivers:get(u, v) then
                        most = math.max(most, math.abs(heights:get(x, y) - nearest(points, u, v).altitude))
                    end
                end
            end
        end
    end
    return most, beside
end

-- Ground parts it from rivers that pass it by.
function TestOwnLakes.test_no_water_stands_beside_lower_water()
    local all = 0
    local cases = { { 7, 0.83797, 0.16414, 0.003, 83 }, { 2, 0.92831, 0.73934, 0.002, 125 },
        { 6, 0.66383, 0.05459, 0.006, 21 }, { 7, 0.86692, 0.32179, 0.006, 42 }, { 11, 0.88089, 0.34256, 0.006, 21 } }
    for _, case in ipairs(tries(1, cases)) do
        local seed, x, y, radius, zoom = table.unpack(case)
        local map = kept_map{ seed = seed }:lake{ outline = ring(x, y, radius) }
        local most, beside = wall(map, { x = x, y = y, zoom = zoom, size = 256 })
        unit.assertTrue(most < 0.5, table.concat(case, " ") .. ": " .. most)
        all = all + beside
    end
    unit.assertTrue(all > tries(2, 2 * #cases), all)
end

-- What the rivers bring that end in a lake, what leaves it, and how large it is, all as shares of the map.
local function balance(map, window)
    local heights, _, _, depth = map:render(window)
    local level, pixels = nil, 0 -- as the picture has it
    for i = 0, window.size ^ 2 - 1 do
        local x, y = i % window.size, i // window.size
        pixels = pixels + (depth:get(x, y) > 0 and 1 or 0)
        level = level or depth:get(x, y) > 0 and heights:get(x, y) or nil
    end
    local function is_beside(point)
        for y = math.max(point.y // 1 - 2, 0), math.min(point.y // 1 + 3, window.size - 1) do
            for x = math.max(point.x // 1 - 2, 0), math.min(point.x // 1 + 3, window.size - 1) do
                if depth:get(x, y) > 0 then
                    return true
                end
            end
        end
    end
    local enters, leaves = 0, 0
    for _, reach in ipairs(map:rivers(window):reaches()) do
        local first, last = reach[1], reach[#reach]
        if not reach.downstream and last.altitude > level - 0.01 and is_beside(last) then
            enters = enters + last.area
        elseif math.abs(first.altitude - level) < 0.02 and is_beside(first) then
            leaves = math.max(leaves, first.area)
        end
    end
    return enters, leaves, pixels / (window.size * window.zoom) ^ 2
end

function TestOwnLakes.test_all_that_enters_leaves()
    for _, case in ipairs(tries(1, { { 0.21611, 0.56009, 100 }, { 0.4321, 0.67652, 109 },
        { 0.77093, 0.82107, 136 }, { 0.84699, 0.9262, 145 } })) do
        local x, y, turn = table.unpack(case)
        local hexagon = {}
        for i = 0, 5 do
            local angle = math.pi / 3 * i + turn
            hexagon[i + 1] = { x + 0.003 * math.cos(angle), y + 0.003 * math.sin(angle) }
        end
        local enters, leaves = balance(plain:lake{ outline = hexagon }, { x = x, y = y, zoom = 66, size = 200 })
        unit.assertTrue(enters > 0 and enters <= 1.001 * leaves, table.concat(case, " ") .. ": " .. enters / leaves)
    end
end

-- A river that leaves its outline's water and comes back into it is not counted twice.
function TestOwnLakes.test_no_more_leaves_than_enters()
    local x, y, hexagon = 0.4299, 0.4806, {}
    for i = 0, 5 do
        local angle = math.pi / 3 * i + 0.1
        hexagon[i + 1] = { x + 0.005 * math.cos(angle), y + 0.005 * math.sin(angle) }
    end
    local enters, leaves, area = balance(plain:lake{ outline = hexagon }, { x = x, y = y, zoom = 40, size = 200 })
    unit.assertTrue(leaves > enters and leaves < 1.05 * (enters + area), leaves / (enters + area))
end

-- A river leaves it with all that enters.
function TestOwnLakes.test_a_river_leaves_at_its_level()
    local window = { x = X, y = Y, zoom = 24, size = 160 }
    local level = largest_lake(lake, window)
    local leaving = 0
    for _, reach in ipairs(lake:rivers(window):reaches()) do
        if math.abs(reach[1].altitude / level - 1) < 0.02 then
            leaving = math.max(leaving, reach[1].area)
        end
    end
    local _, area = largest_lake(lake, window)
    unit.assertTrue(leaving >= area, leaving)
end

-- It falls no more steeply at the lake than farther down, as it would if it sank below the lake from level to level.
function TestOwnLakes.test_the_river_that_leaves_falls_gently()
    local corners = { { 0.1705, 0.7706 }, { 0.1687, 0.7755 }, { 0.162, 0.7759 }, { 0.1596, 0.7719 }, { 0.1588, 0.7684 },
        { 0.1611, 0.7663 }, { 0.164, 0.7679 }, { 0.166, 0.7687 } }
    local map = esker.river_map{ seed = 3, landscape = "hills" }:lake{ outline = corners, roughness = 1 }
    local window = { x = 0.159195, y = 0.767105, zoom = 512, size = 128 }
    local level, river = largest_lake(map, window), nil
    for _, reach in ipairs(map:rivers(window):reaches()) do
        if math.abs(reach[1].altitude - level) < 0.02 and reach[1].area > 1e-4 then
            river = reach
        end
    end
    unit.assertNotNil(river, level)
    unit.assertTrue(level - river[2].altitude < 2, level - river[2].altitude)
    unit.assertTrue(level - river[6].altitude < 8, level - river[6].altitude)
end

function TestOwnLakes.test_many_come_from_polygons_in_any_order()
    local one, two = ring(0.42, 0.57, 0.004), ring(0.433, 0.575, 0.003, 2)
    local function polygons(list)
        local scaled = {}
        for i, points in ipairs(list) do
            scaled[i] = {}
            for k, point in ipairs(points) do
                scaled[i][k] = { point[1] * 1000, point[2] * 1000 }
            end
        end
        return esker.polygons{ size = 1000, list = scaled }
    end
    local window = { x = 0.426, y = 0.572, zoom = 40, size = 100 }
    local both = plain:lake(polygons{ one, two })
    local hash = both:render(window):hash()
    unit.assertEquals(#both:lake_outlines(window):reaches(), 2)
    local threads = esker.threads()
    esker.threads(threads == 1 and 2 or 1)
    local again = plain:lake{ outline = two }:lake{ outline = one }:render(window):hash()
    esker.threads(threads)
    unit.assertEquals(again, hash)
end

function TestOwnLakes.test_what_overlaps_is_left_to_the_first()
    local both = lake:lake{ outline = ring(X + RADIUS, Y, RADIUS) }
    most_water(both, { x = X, y = Y, zoom = 20, size = 96 })
    local window = { x = X, y = Y, zoom = 20, size = 64 }
    unit.assertEquals(largest_lake(both, window), largest_lake(lake, window))
end

-- On a hillside: a lake fits where the message says.
function TestOwnLakes.test_a_place_that_fits_is_named()
    local named = 0
    for k = 1, 40 do
        local at = { 0.4596 + 0.0005 * (k % 8), 0.4372 + 0.0005 * (k // 8) }
        local well, message = pcall(plain.lake, plain, { outline = ring(at[1], at[2], 4e-5) })
        local x, y = tostring(message):match("across the river at %(([%d.]+), ([%d.]+)%)")
        if not well and x then
            named = named + 1
            plain:lake{ outline = ring(tonumber(x), tonumber(y), 4e-5) }
            if named == 2 then
                break
            end
        end
    end
    unit.assertEquals(named, 2)
end

function TestOwnLakes.test_what_cannot_be_is_refused()
    local bow = { { 0.41, 0.56 }, { 0.42, 0.57 }, { 0.42, 0.56 }, { 0.41, 0.57 } }
    local flat = { { 0.41, 0.56 }, { 0.42, 0.56 }, { 0.43, 0.56 } }
    local thin = { { 0.3, 0.56 }, { 0.5, 0.56 }, { 0.5, 0.5601 } }
    local wrong = {
        { {}, "give outline, a list of points" },
        { { outline = bow }, "crosses itself" },
        { { outline = flat }, "shape 1 has no area" },
        { { outline = thin }, "too narrow" },
        { { outline = ring(0.5, 0.5, 1e-12) }, "too small" },
        { { outline = ring(0.1465, 0.0801, 0.002) }, "it lies in the sea" },
        { { outline = { { 0.4, 0.4 }, { 0.5, 0.5 } } }, "outline" },
        { { outline = outline, altitude = -5 }, "altitude must be" },
    }
    for _, case in ipairs(wrong) do
        unit.assertErrorMsgContains(case[2], plain.lake, plain, case[1])
    end
    unit.assertErrorMsgContains("shape 1 has no area", plain.level, plain, { outline = flat, altitude = 100 })
end

os.exit(unit.LuaUnit.run())
