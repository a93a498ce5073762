-- Courses of rivers of eroded land: falls are left for bends.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"
local tries = require "tries"

TestRiverCourses = {}

local LEAST = 16 * 2.0 ^ -18 * 3e6 / 2 ^ 16 -- the least fall of a stream on level 6, metres

-- The share of the steps of a window's rivers, of level 6, that fall as little as they may, outside the sea.
local function level_steps(map, window)
    local all, level = 0, 0
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for i = 1, #reach - 1 do
            local fall = reach[i].altitude - reach[i + 1].altitude
            local dry = reach[i + 1].altitude > 0
            all, level = all + (dry and 1 or 0), level + (dry and fall < 1.5 * LEAST and 1 or 0)
        end
    end
    return all, level
end

-- A river whose falls are all as small as they may be cannot bend on finer levels: it is a straight line for ever.
function TestRiverCourses.test_rivers_keep_falls_for_bends()
    for _, landscape in ipairs(tries(1, { "mesa", "mixed" })) do
        local all, level = 0, 0
        for _, seed in ipairs(tries(1, { 817749168, 2 })) do
            local map = esker.river_map{ seed = seed, landscape = landscape }
            for _, at in ipairs(tries(1, { { 0.42, 0.57 }, { 0.75, 0.25 } })) do
                local more, flat = level_steps(map, { x = at[1], y = at[2], zoom = 32, size = 512 })
                all, level = all + more, level + flat
            end
        end
        lu.assertTrue(all > 1000, landscape .. ": " .. all)
        lu.assertTrue(level < 0.02 * all, ("%s: %d of %d"):format(landscape, level, all))
    end
end

-- How many of a window's places along rivers stand ten metres or more above the ground three pixels beside them, on
-- both sides.
local function count_walls(map, window)
    local altitude, walls, all = map:render(window), 0, 0
    local function is_low(x, y, height)
        local column, row = x // 1 | 0, y // 1 | 0
        local inside = column >= 0 and row >= 0 and column < window.size and row < window.size
        return inside and altitude:get(column, row) < height - 10
    end
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for i = 3, #reach - 2 do
            local x, y, height = reach[i].x, reach[i].y, reach[i].altitude
            local dx, dy = reach[i + 2].x - reach[i - 2].x, reach[i + 2].y - reach[i - 2].y
            local far = 3 / math.sqrt(dx * dx + dy * dy)
            local wall = is_low(x - far * dy, y + far * dx, height) and is_low(x + far * dy, y - far * dx, height)
            walls, all = walls + (wall and 1 or 0), all + 1
        end
    end
    return walls, all
end

-- Cliffs crumble from all sides, streams retreat along their course alone: without sinking 2 % of these streams would
-- be left on walls.
function TestRiverCourses.test_streams_of_mesas_do_not_run_on_walls()
    local map = esker.river_map{ seed = 902292803, landscape = "mesa" }
    local walls, all = count_walls(map, { x = 0.0631, y = 0.5639, zoom = 16, size = 512 })
    lu.assertTrue(all > 5000 and walls < 0.004 * all, ("%d of %d"):format(walls, all))
end

local function turn_between(a, b, c)
    local turn = math.atan(c.y - b.y, c.x - b.x) - math.atan(b.y - a.y, b.x - a.x)
    return math.abs((turn + math.pi) % (2 * math.pi) - math.pi)
end

-- How many turns of a window's streams, from one width to the next, are sharper than 45°, and how many there are.
-- Streams narrower than four pixels are left out.
local function count_kinks(map, window)
    local kinks, all = 0, 0
    for _, reach in ipairs(map:rivers(window):reaches()) do
        local width, places = reach[1].width, { reach[1] }
        for i = 2, width >= 4 and #reach or 0 do
            local last = places[#places]
            if math.sqrt((reach[i].x - last.x) ^ 2 + (reach[i].y - last.y) ^ 2) >= width then
                places[#places + 1] = reach[i]
            end
        end
        for i = 3, #places do
            all = all + 1
            kinks = kinks + (turn_between(places[i - 2], places[i - 1], places[i]) > math.pi / 4 and 1 or 0)
        end
    end
    return kinks, all
end

-- Streams on soil curve. With bends of their own at every level 19 % of these turns would be kinks.
function Long.test_streams_on_soil_curve()
    local kinks, all = 0, 0
    for _, at in ipairs{ { 7, 0.5, 0.5 }, { 2, 0.39445750, 0.50325655 }, { 3, 0.64168173, 0.40475203 },
        { 4, 0.48942724, 0.31071414 } } do
        local map = esker.river_map{ seed = at[1], river_width = 0.004 }
        local more, turns = count_kinks(map, { x = at[2], y = at[3], zoom = 1e4, size = 1024 })
        kinks, all = kinks + more, all + turns
    end
    lu.assertTrue(all > 150 and kinks < 0.04 * all, ("%d of %d"):format(kinks, all))
end

-- Lines of brooks turn gently from pixel to pixel: smoothed over three cells only they turned by 15°.
function TestRiverCourses.test_brooks_do_not_zigzag()
    for _, at in ipairs(tries(1, { { 5, "hills", 0.4318, 0.2417 }, { 1001, "plains", 0.5651, 0.0645 } })) do
        local map = esker.river_map{ seed = at[1], landscape = at[2] }
        local turned, turns = 0, 0
        for _, reach in ipairs(map:rivers{ x = at[3], y = at[4], zoom = 1024, size = 512 }:reaches()) do
            for i = 3, reach[1].width < 1 and #reach or 0 do
                turned, turns = turned + turn_between(reach[i - 2], reach[i - 1], reach[i]), turns + 1
            end
        end
        print(("# turns of %.1f degrees, %d of them"):format(math.deg(turned / turns), turns))
        lu.assertTrue(turns > 300 and turned / turns < math.rad(10))
    end
end

-- From the last bend to the mouth. All of its cells leant to one side of that bend: it was a diagonal line.
function TestRiverCourses.test_last_pieces_wind()
    local map = esker.river_map{ seed = 83221, landscape = "alps" }
    local window = { x = 0.554779, y = 0.691376, zoom = 768, size = 300, inside = true }
    local least, most = math.huge, -math.huge
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for _, point in ipairs(reach[1].width > 20 and reach or {}) do
            least, most = math.min(least, point.x - point.y), math.max(most, point.x - point.y)
        end
    end
    lu.assertTrue(most - least > 20, most - least) -- it was 0; the river is 39 pixels wide
end

os.exit(lu.LuaUnit.run())
