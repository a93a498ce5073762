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

function TestDeltas.test_windows_agree()
    local _, places = places_of(3)
    lu.assertTrue(#places > 0)
    local place, size = places[1], 128
    for _, zoom in ipairs(tries(2, { 8, 64, 16 })) do
        local cells = size * zoom
        local function window(right, down)
            local map = esker.river_map{ seed = 3 }
            local x, y = math.floor(place.x * cells) / cells, math.floor(place.y * cells) / cells
            return map:render{ x = x + right / cells, y = y + down / cells, zoom = zoom, size = size }
        end
        local one, river = window(0, 0)
        local other, beside = window(40, -24)
        local cut = { x = 40, y = 0, width = size - 40, height = size - 24 }
        local same = { x = 0, y = 24, width = size - 40, height = size - 24 }
        lu.assertEquals(one:crop(cut):hash(), other:crop(same):hash())
        lu.assertEquals(river:crop(cut):hash(), beside:crop(same):hash())
    end
end

os.exit(lu.LuaUnit.run())
