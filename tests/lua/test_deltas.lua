-- Deltas of large rivers: arms that begin beside their river and end in the sea, whatever window shows them.

local esker = require "esker"
local lu = require "luaunit"
local tries = require "tries"

TestDeltas = {}

local SIZE = 512

-- Where large rivers begin of which no coarser river is the source: the arms of a window.
local function arms_of(map, window)
    local reaches = map:rivers(window):reaches()
    local fed, arms = {}, {}
    for _, reach in ipairs(reaches) do
        if reach.downstream then
            fed[reach.downstream] = true
        end
    end
    local cells = (window.size * window.zoom) ^ 2
    for i, reach in ipairs(reaches) do
        local first = reach[1]
        local inside = math.min(first.x, first.y) > 4 and math.max(first.x, first.y) < window.size - 4
        if not fed[i] and inside and first.area * cells > 1000 then
            arms[#arms + 1] = reach
        end
    end
    return arms, reaches
end

-- How far a point is from rivers that drain more.
local function away_from_larger(reaches, point)
    local least = math.huge
    for _, reach in ipairs(reaches) do
        for _, other in ipairs(reach) do
            if other.area > 1.2 * point.area then
                least = math.min(least, (other.x - point.x) ^ 2 + (other.y - point.y) ^ 2)
            end
        end
    end
    return math.sqrt(least)
end

-- The last reach of a river.
local function end_of(reaches, reach)
    while reach.downstream do
        reach = reaches[reach.downstream]
    end
    return reach
end

-- Arms of whole maps: the first point of each, as shares of the side.
local function places_of(seed)
    local map = esker.river_map{ seed = seed }
    local arms = arms_of(map, { zoom = 2, size = SIZE })
    local places = {}
    for _, arm in ipairs(arms) do
        local x, y = 0.25 + arm[1].x / SIZE / 2, 0.25 + arm[1].y / SIZE / 2
        places[#places + 1] = { x = x, y = y }
    end
    return map, places
end

function TestDeltas.test_arms_begin_beside_their_river_and_end_in_the_sea()
    local all = 0
    for _, seed in ipairs(tries(2, { 3, 6, 2, 10, 12 })) do
        local map, places = places_of(seed)
        for _, place in ipairs(places) do
            local window = { x = place.x, y = place.y, zoom = 24, size = 160 }
            local arms, reaches = arms_of(map, window)
            for _, arm in ipairs(arms) do
                local last = end_of(reaches, arm)
                local name = ("seed %d, %.4f %.4f"):format(seed, place.x, place.y)
                lu.assertTrue(away_from_larger(reaches, arm[1]) < 4, name)
                lu.assertTrue(last[#last].altitude <= arm[1].altitude, name)
                all = all + 1
            end
        end
    end
    lu.assertTrue(all >= 2, all)
end

-- Reaches of rivers on which a point is higher than the one before.
local function count_rises(reaches)
    local rises = 0
    for _, reach in ipairs(reaches) do
        for i = 2, #reach do
            rises = rises + (reach[i].altitude > reach[i - 1].altitude and 1 or 0)
        end
    end
    return rises
end

-- At this delta windows differ where the bed at the apex is not set (the first), or where finer levels have no margin
-- for leading arms back to their river (the second).
function TestDeltas.test_windows_agree()
    local size = 128
    for _, given in ipairs{ { zoom = 8, right = 40, up = 24 }, { zoom = 16, right = 0, up = -64 } } do
        local cells = size * given.zoom
        local left, top = math.floor(0.57422 * cells) / cells, math.floor(0.19824 * cells) / cells
        local function window(right, down)
            local map = esker.river_map{ seed = 3 }
            local place = { x = left + right / cells, y = top + down / cells, zoom = given.zoom, size = size }
            return map, place, { map:render(place) }
        end
        local map, place, one = window(0, 0)
        local _, _, other = window(given.right, -given.up)
        local arms, reaches = arms_of(map, place)
        lu.assertTrue(#arms > 0, given.zoom)
        lu.assertEquals(count_rises(reaches), 0)
        local width, height = size - given.right, size - math.abs(given.up)
        local cut = { x = given.right, y = math.max(-given.up, 0), width = width, height = height }
        local same = { x = 0, y = math.max(given.up, 0), width = width, height = height }
        for i = 1, 3 do
            lu.assertEquals(one[i]:crop(cut):hash(), other[i]:crop(same):hash(), given.zoom)
        end
    end
end

function TestDeltas.test_edits_forty_kilometres_away_leave_a_delta_unchanged()
    local x, y, side = 0.57422, 0.19824, 3e6
    local map = esker.river_map{ seed = 3 }
    local function hashes(away)
        local edited = away and map:raise{ along = { { x + away / side, y } }, width = 12e3, height = 300 } or map
        local altitude, river = edited:render{ x = x, y = y, zoom = 64, size = 96 }
        return altitude:hash() .. river:hash()
    end
    local before = hashes()
    lu.assertEquals(hashes(40e3), before)
    lu.assertNotEquals(hashes(5e3), before)
end

os.exit(lu.LuaUnit.run())
