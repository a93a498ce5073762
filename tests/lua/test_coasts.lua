-- Coasts of eroded land: their directions, and how straight they are.

local esker = require "esker"
local kept_map = require "kept_map"
local Long = require "long_tests"
local lu = require "luaunit"
local tries = require "tries"

TestCoasts = {}

-- The pixel of the coast that is nearest to the middle, from its top left corner; nil without one.
local function nearest_coast(altitude)
    local middle, nearest, found = altitude.width / 2, math.huge, nil
    for y = 0, altitude.height - 2 do
        for x = 0, altitude.width - 1 do
            local distance = (x + 0.5 - middle) ^ 2 + (y + 1 - middle) ^ 2
            if distance < nearest and (altitude:get(x, y) < 0) ~= (altitude:get(x, y + 1) < 0) then
                nearest, found = distance, { x = x + 0.5, y = y + 1 }
            end
        end
    end
    return found
end

-- A window on the coast: of ever finer pixels around the nearest coast.
local function window_on_coast(map, zoom, size)
    local x, y, at, altitude = 0.5, 0.5, 1, map:render{ size = 256 }
    while at < zoom do
        local coast = nearest_coast(altitude)
        if not coast then
            return nil
        end
        x, y = x + (coast.x / altitude.width - 0.5) / at, y + (coast.y / altitude.height - 0.5) / at
        at = math.min(8 * at, zoom)
        altitude = map:render{ x = x, y = y, zoom = at, size = at == zoom and size or 64 }
    end
    return altitude
end

-- Adds the lengths of a coast, all of it and what runs within 7.5 degrees of an axis or a diagonal: slopes of the
-- blurred land, whose sum is the coast's length.
local function add_directions(altitude, lengths)
    local size = altitude.width
    local land = (altitude * 1e30):clamp{ low = 0, high = 1 }:blur{ sigma = 2 / size, exact = true }
    for y = 1, size - 2 do
        for x = 1, size - 2 do
            local across = land:get(x + 1, y) - land:get(x - 1, y)
            local down = land:get(x, y + 1) - land:get(x, y - 1)
            local slope = math.sqrt(across ^ 2 + down ^ 2)
            local along = slope > 1e-6 and (math.deg(math.atan(down, across)) + 7.5) % 45 < 15
            lengths.all, lengths.along = lengths.all + slope, lengths.along + (along and slope or 0)
        end
    end
end

-- Even: a third of the coast. Now 0.37; 0.41 with short waves of 0.15 on plains and long ones of 0.45. One map's share
-- is 0.2 to 0.5.
function Long.test_coasts_run_in_all_directions()
    local lengths, seeds = { all = 0, along = 0 }, 24
    for seed = 1, seeds do
        local altitude = window_on_coast(kept_map{ seed = seed, river_width = 0.004 }, 1e4, 256)
        if altitude then
            add_directions(altitude, lengths)
        end
    end
    lu.assertTrue(lengths.all > 125 * seeds, lengths.all)
    lu.assertTrue(lengths.along < 0.375 * lengths.all, lengths.along / lengths.all)
end

-- A third is even. Without windings 0.355: legs of 20 cells of level 0 along the axes and at 45°.
function TestCoasts.test_long_arms_of_the_sea_wind()
    local lengths = { all = 0, along = 0 }
    add_directions(kept_map{ seed = 3 }:render{ x = 0.875, y = 0.67, zoom = 4, size = 256 }, lengths)
    lu.assertTrue(lengths.along < 0.345 * lengths.all, lengths.along / lengths.all)
end

-- Adds what lies between land and sea along rows: straight runs of it, all their pixels, and those in runs of eight or
-- more.
local function add_runs(altitude, coast)
    local bytes, row, above = altitude:bytes(), ("<" .. ("f"):rep(altitude.width)), nil
    for y = 0, altitude.height - 1 do
        local here, length = { row:unpack(bytes, y * altitude.width * 4 + 1) }, 0
        for x = 1, above and altitude.width + 1 or 0 do
            if x <= altitude.width and (here[x] < 0) ~= (above[x] < 0) then
                length = length + 1
            elseif length > 0 then
                coast.runs, coast.all = coast.runs + 1, coast.all + length
                coast.straight = coast.straight + (length >= 8 and length or 0)
                length = 0
            end
        end
        above = here
    end
end

-- At zoom 256 edges of coarser cells are many pixels long. Now 0.047 of the coast is straight, 0.052 on 36 other seeds;
-- rivers are narrow, as banks of wide ones would count.
function Long.test_coasts_do_not_follow_the_grid()
    local coast = { runs = 0, all = 0, straight = 0 }
    for seed = 1, 12 do
        local altitude = window_on_coast(kept_map{ seed = seed, river_width = 0.0004 }, 256, 256)
        if altitude then
            add_runs(altitude, coast)
            add_runs(altitude:flip{ axis = "diagonal" }, coast)
        end
    end
    lu.assertTrue(coast.runs > 1000, coast.runs)
    lu.assertTrue(coast.straight < 0.055 * coast.all, ("straight %g"):format(coast.straight / coast.all))
end

-- Adds what lies between land and sea along rows, in pixels, and what of it lies on the edges of level 0's cells.
local function add_edges(altitude, cell, coast)
    local bytes, row, above = altitude:bytes(), ("<" .. ("f"):rep(altitude.width)), nil
    for y = 0, altitude.height - 1 do
        local here = { row:unpack(bytes, y * altitude.width * 4 + 1) }
        for x = 1, above and altitude.width or 0 do
            if (here[x] < 0) ~= (above[x] < 0) then
                coast.all, coast.on_edges = coast.all + 1, coast.on_edges + (y % cell == 0 and 1 or 0)
            end
        end
        above = here
    end
end

-- Even: 0.063, one row of sixteen. 0.096 where coasts of level 0 do not bend; now 0.078.
function TestCoasts.test_coasts_leave_the_cells_of_level_0()
    local coast = { all = 0, on_edges = 0 }
    local seeds = tries(1, { 2, 4, 1, 3, 5, 6, 7, 8 })
    for _, seed in ipairs(seeds) do
        local landscape = ({ "mixed", "alps", "mesa", "hills" })[seed % 4 + 1]
        local altitude = esker.river_map{ seed = seed, landscape = landscape }:render{ zoom = 4, size = 1024 }
        add_edges(altitude, 16, coast)
        add_edges(altitude:flip{ axis = "diagonal" }, 16, coast)
    end
    lu.assertTrue(coast.all > 10000 / 8 * #seeds, coast.all)
    lu.assertTrue(coast.on_edges < 0.085 * coast.all, coast.on_edges / coast.all)
end

-- How many seas of at most 64 pixels touch no edge of a window.
local function small_seas(altitude)
    local size, seen, count = altitude.width, {}, 0
    local function flood(x, y, sea)
        if x < 0 or y < 0 or x >= size or y >= size then
            sea.open = true
        elseif not seen[y * size + x] and altitude:get(x, y) < 0 then
            seen[y * size + x] = true
            sea[#sea + 1] = { x, y }
        end
    end
    for start = 0, size * size - 1 do
        local sea, done = {}, 0
        flood(start % size, start // size, sea)
        while done < #sea do
            done = done + 1
            for step = 0, 8 do
                flood(sea[done][1] + step % 3 - 1, sea[done][2] + step // 3 - 1, sea)
            end
        end
        count = count + (#sea > 0 and #sea <= 64 and not sea.open and 1 or 0)
    end
    return count
end

-- Of 12: 25 where the rule that land and sea match their neighbours may close a strait; now 27, and 22 to 27 with
-- other depths of the sea beside coasts.
function Long.test_straits_stay_open()
    local count, seeds = 0, 12
    for seed = 1, seeds do
        local altitude = window_on_coast(kept_map{ seed = seed, river_width = 0.004 }, 30, 256)
        count = count + (altitude and small_seas(altitude) or 0)
    end
    lu.assertTrue(count < 32 * seeds / 12, count)
end

-- How much deeper the sea is at both corners of a square around the mouth of a river with a delta than before it, and
-- of how many mouths with open water there: pixels are cells of the level on which deltas grow.
local function add_shoals(map, shoals)
    local size = 512
    local altitude = map:render{ size = size }
    for _, reach in ipairs(map:rivers{ size = size }:reaches()) do
        local last, before = reach[#reach], reach[#reach - 1]
        local x, y = last.x // 1 | 0, last.y // 1 | 0
        local dx, dy = math.floor(last.x - before.x + 0.5), math.floor(last.y - before.y + 0.5)
        local drained, inside = before.area * size * size, math.min(x, y) >= 3 and math.max(x, y) < size - 3
        if reach.mouth and inside and drained > 100 and drained < 700 and math.abs(dx) + math.abs(dy) == 1 then
            local function at(steps) -- to the side
                return altitude:get(x + steps * dy, y + steps * dx)
            end
            if math.max(at(-2), at(-1), at(0), at(1), at(2)) < 0 then
                shoals.count, shoals.ahead = shoals.count + 1, shoals.ahead - at(0)
                shoals.corners = shoals.corners - (at(-2) + at(2)) / 2
            end
        end
    end
end

-- The sea before deltas is shallow in a lobe. It was in a square, whose corners were 1.5 times as deep as what lies
-- ahead, now 6 times.
function TestCoasts.test_shoals_before_deltas_are_round()
    local shoals, seeds = { count = 0, ahead = 0, corners = 0 }, tries(2, 4)
    for seed = 1, seeds do
        add_shoals(kept_map{ seed = seed }, shoals)
    end
    local deeper = shoals.corners / shoals.ahead
    print(("# %d mouths; the corners are %.1f times as deep as what lies ahead"):format(shoals.count, deeper))
    lu.assertTrue(shoals.count > 2.5 * seeds and deeper > 3)
end

os.exit(lu.LuaUnit.run())
