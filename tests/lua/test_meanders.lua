-- Rivers of eroded land meander on plains, also where windows meet, and stay within a pixel from zoom to zoom.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"
local tries = require "tries"

TestMeanders = {}

local SIZE, CHORD = 512, 40
local places = tries(1, { { seed = 1001, x = 0.6644744873, y = 0.3677368164 },
    { seed = 1001, x = 0.7926483154, y = 0.1289062500 } })

local function map_of(place, more)
    local given = { seed = place.seed, landscape = place.landscape or "plains" }
    for name, value in pairs(more or {}) do
        given[name] = value
    end
    return esker.river_map(given)
end

local function window_of(place, size, zoom)
    local cells = 256.0 * zoom
    local function on_cells(at)
        return math.floor(at * cells) / cells
    end
    return { x = on_cells(place.x), y = on_cells(place.y), zoom = zoom, size = size }
end

-- The length of a river from a point on against the straight line, over so many pixels; nil: it leaves the window.
local function winding(reaches, reach, i, chord)
    local first, length = reach[i], 0
    local last = first
    while true do
        i = i + 1
        if i > #reach then
            reach, i = reaches[reach.downstream], 2
            if not reach or not reach[i] then
                return nil
            end
        end
        length = length + math.sqrt((reach[i].x - last.x) ^ 2 + (reach[i].y - last.y) ^ 2)
        last = reach[i]
        local straight = math.sqrt((last.x - first.x) ^ 2 + (last.y - first.y) ^ 2)
        if straight >= chord then
            return length / straight
        end
    end
end

-- The median over chords of 40 widths, of rivers that are 1.4 to 5.6 pixels wide where `width` is the usual one.
local function sinuosity(map, window, width)
    local found = {}
    local reaches = map:rivers(window):reaches()
    for _, reach in ipairs(reaches) do
        for i = 1, #reach, 4 do
            local wide = math.sqrt(reach[i].area) * width * 256 * window.zoom
            if wide >= 1.4 and wide < 5.6 then
                found[#found + 1] = winding(reaches, reach, i, CHORD * wide)
            end
        end
    end
    table.sort(found)
    return found[#found // 2 + 1] or 0, #found
end

function TestMeanders.test_rivers_on_plains_wind()
    local with, without = 0, 0
    for _, place in ipairs(places) do
        local window = window_of(place, SIZE, 512)
        local wound, chords = sinuosity(map_of(place), window, 0.001)
        local straight = sinuosity(map_of(place, { river_width = 0.0004 }), window, 0.001)
        print(("# %.2f over %d chords, %.2f without meanders"):format(wound, chords, straight))
        with, without = with + wound / #places, without + straight / #places
    end
    lu.assertTrue(with > 1.2 and with < 2, with)
    lu.assertTrue(with > without + 0.1, without)
end

-- Near the sea rivers fall by the least of all, but not straight on for a hundred pixels.
function Long.test_rivers_near_the_sea_are_not_straight()
    local place = { seed = 5, landscape = "mixed", x = 0.43890380855625, y = 0.27777099610625 }
    local reaches = map_of(place):rivers(window_of(place, SIZE, 512)):reaches()
    local straight, chords = 0, 0
    for _, reach in ipairs(reaches) do
        for i = 1, #reach, 4 do
            local wide = math.sqrt(reach[i].area) * 0.001 * SIZE * 512
            local wound = wide > 0.8 and winding(reaches, reach, i, 60)
            if wound then
                chords, straight = chords + 1, straight + (wound < 1.01 and 1 or 0)
            end
        end
    end
    print(("# %d of %d chords of 60 pixels straight"):format(straight, chords)) -- 47 of 136 were
    lu.assertTrue(chords > 50 and straight < 0.1 * chords)
end

-- So do those that have come to their least fall on coarser levels: 45° or 90° for 20 widths otherwise.
function TestMeanders.test_rivers_on_level_ground_are_not_straight()
    local hills = { seed = 6, landscape = "hills", x = 0.7437, y = 0.0190, zoom = 256, least = 0.001, most = 0.02 }
    local plains = { seed = 47, x = 0.41995, y = 0.55325, zoom = 128, least = 0.01, most = 0.2 }
    for _, place in ipairs{ hills, plains } do
        local reaches = map_of(place):rivers{ x = place.x, y = place.y, zoom = place.zoom, size = 512 }:reaches()
        local straight, chords = 0, 0
        for _, reach in ipairs(reaches) do
            for i = 1, math.sqrt(reach[1].area) > place.least and #reach or 0, 4 do
                local wound = winding(reaches, reach, i, 80)
                if wound then
                    chords, straight = chords + 1, straight + (wound < 1.02 and 1 or 0)
                end
            end
        end
        print(("# %d of %d chords of 80 pixels straight"):format(straight, chords)) -- 33 of 392, 71 of 174 were
        lu.assertTrue(chords > 40 and straight < place.most * chords, straight)
    end
end

-- Bends of rivers that are wide in pictures are pushed out: 1.27 when each was spread by those beside it.
function TestMeanders.test_wide_rivers_wind()
    local map = map_of{ seed = 47 }
    local reaches = map:rivers{ x = 0.41995, y = 0.55325, zoom = 128, size = 512 }:reaches()
    local found = {}
    for _, reach in ipairs(reaches) do
        for i = 1, reach[1].width > 6 and #reach or 0, 4 do
            found[#found + 1] = winding(reaches, reach, i, 16 * reach[i].width)
        end
    end
    table.sort(found)
    print(("# %.2f over %d chords of 16 widths"):format(found[#found // 2 + 1] or 0, #found))
    lu.assertTrue(#found > 60 and found[#found // 2 + 1] > 1.33)
end

function TestMeanders.test_windows_agree()
    for i, place in ipairs{ places[1], { seed = 47, x = 0.41995, y = 0.55325 } } do -- the second: a wide river
        local whole = window_of(place, 256, 1024 / 2 ^ i)
        local pixel = 1 / (256 * whole.zoom)
        local part = { x = whole.x + 37 * pixel, y = whole.y - 21 * pixel, zoom = 2 * whole.zoom, size = 128 }
        local altitude, river, flow = map_of(place):render(whole)
        local altitude_there, river_there, flow_there = map_of(place):render(part)
        local box = { x = 64 + 37, y = 64 - 21, width = 128, height = 128 }
        lu.assertTrue(altitude:crop(box) == altitude_there)
        lu.assertTrue(river:crop(box) == river_there)
        lu.assertTrue(flow:crop(box) == flow_there)
    end
end

-- Small streams join where meanders are pushed out: both must not run through the same cell, whose stream would be
-- that which a thread sets last.
function TestMeanders.test_any_threads_make_the_same_meanders()
    local usual = esker.threads()
    for _, landscape in ipairs(tries(1, { "hills", "mesa" })) do
        local place = { seed = 2, x = 0.42, y = 0.57, landscape = landscape }
        local expected
        for _, threads in ipairs{ 1, 2 } do
            esker.threads(threads)
            local altitude, river = map_of(place):render(window_of(place, 512, 24))
            local hashes = altitude:hash() .. river:hash()
            expected = expected or hashes
            lu.assertEquals(hashes, expected, landscape .. " on " .. threads .. " threads")
        end
    end
    esker.threads(usual)
end

-- The share of a window's river pixels near which, at twice the size, no river of half of the discharge runs.
function TestMeanders.test_rivers_keep_their_pixel()
    local lost, all = 0, 0
    for _, zoom in ipairs{ 256 } do
        local map = map_of(places[1])
        local coarse = window_of(places[1], 128, zoom)
        local _, _, flow = map:render(coarse)
        local fine = { x = coarse.x, y = coarse.y, zoom = coarse.zoom, size = 256 }
        local _, _, finer = map:render(fine)
        for y = 1, 126 do
            for x = 1, 126 do
                local here = flow:get(x, y)
                if here >= 64 then
                    local most = 0
                    for v = 2 * y - 2, 2 * y + 3 do
                        for u = 2 * x - 2, 2 * x + 3 do
                            most = math.max(most, finer:get(u, v))
                        end
                    end
                    all, lost = all + 1, lost + (most < 2 * here and 1 or 0)
                end
            end
        end
    end
    print(("# %d of %d pixels lost"):format(lost, all))
    lu.assertTrue(all > 500 and lost <= 0.003 * all, lost)
end

os.exit(lu.LuaUnit.run())
