-- The beds of wide rivers of eroded land: their water falls evenly, without walls, pits or bands across it, and no
-- narrower river is dug into it. At a mouth it is as wide as before and goes over into the sea. Bends are round.
-- Banks are crooked and go over into the land. Windows that overlap agree.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"
local river_places = require "river_places"
local tries = require "tries"

local SCALE = 1 / 3e6 -- a metre, in sides of the map
local SIZE = 256

TestWideBeds = {}

-- Where a stream comes to a wider one. The map keeps what one test has drawn for the next.
local function junction(seed, landscape)
    local map = esker.river_map{ seed = seed, landscape = landscape, river_width = 0.004 }
    local place = river_places.junction(map, 0.45, 0.45)
    place.map, place.seed, place.landscape = map, seed, landscape
    return place
end

local inside, joined, steep = junction(20), junction(3), junction(4, "alps")

-- Heights in pixels, and rivers, of the place's own map or of another.
local function window(place, size, border, map)
    local zoom = 2.0 ^ place.level
    local altitude, river = (map or place.map):render{ x = place.x, y = place.y, zoom = zoom * SIZE / size, size = size,
        border = border, relative = true, from_zoom = zoom, from_x = place.x, from_y = place.y }
    return altitude * (SCALE * zoom * SIZE), river
end

-- What the middle of the water is like.
local function bed(height, river)
    local away = 4 -- pixels of water at least on every side
    local raised = height:fill{} - height
    local cells, pit, turns, falls = 0, 0, 0, 0
    local function wet(x, y)
        return river:get(x, y) >= 3
    end
    for y = away, SIZE - away - 1 do
        for x = away, SIZE - away - 1 do
            if wet(x, y) and wet(x - away, y) and wet(x + away, y) and wet(x, y - away) and wet(x, y + away) then
                local here, right, below = height:get(x, y), height:get(x + 1, y), height:get(x, y + 1)
                cells, pit = cells + 1, math.max(pit, raised:get(x, y))
                turns = turns + math.abs(height:get(x - 1, y) + right - 2 * here)
                    + math.abs(height:get(x, y - 1) + below - 2 * here)
                falls = falls + math.abs(right - here) + math.abs(below - here)
            end
        end
    end
    lu.assertTrue(cells > SIZE * SIZE / 4)
    return { slope = falls / cells, pit = pit, turns = turns / falls }
end

function TestWideBeds.test_no_river_is_dug_into_the_water_of_a_wider_one()
    local within, at_mouth = bed(window(inside, SIZE)), bed(window(joined, SIZE))
    print(("# slope %.3f, pits of %.3f and %.3f pixels"):format(within.slope, within.pit, at_mouth.pit))
    lu.assertTrue(within.slope < 0.5)
    lu.assertTrue(within.pit < 0.1)
    lu.assertTrue(at_mouth.pit < 0.1)
end

function TestWideBeds.test_water_falls_evenly()
    for _, place in ipairs{ joined, steep } do
        local found = bed(window(place, SIZE))
        print(("# bends, in slopes: %.4f"):format(found.turns))
        lu.assertTrue(found.turns < 0.015)
    end
end

-- A window with rivers of this width: heights in pixels, rivers.
local function drawn(place, river_width)
    local map = esker.river_map{ seed = place.seed, landscape = place.landscape, river_width = river_width }
    local altitude, river = map:render{ x = place.x, y = place.y, zoom = place.zoom, size = SIZE }
    return altitude * (SCALE * place.zoom * SIZE), river
end

-- The same with wide rivers, and the heights without.
local function with_and_without(place)
    local altitude, river = drawn(place, 0.004)
    return altitude, river, (drawn(place, 1e-6))
end

-- Calls a function for each pixel that has eight neighbours.
local function each_inside(visit)
    for y = 1, SIZE - 2 do
        for x = 1, SIZE - 2 do
            visit(x, y)
        end
    end
end

-- In its estuary the share of a river's water falls evenly to the sea, which is no river. It ended in a line, from
-- which pictures faded in an arc.
function TestWideBeds.test_rivers_go_over_into_the_sea()
    for _, map in ipairs(tries(1, { { seed = 43, river_width = 0.004 },
        { seed = 46, landscape = "alps", river_width = 0.004 } })) do
        local mouth = river_places.mouth(esker.river_map(map), 16)
        mouth.seed, mouth.landscape = map.seed, map.landscape
        local altitude, river, bare = with_and_without(mouth)
        local water = altitude:remap{ from = { 0, -1e-6 } }
        water = water:morphology{ radius = 3 / SIZE, kind = "erode" } -- no narrow river
        local sea, estuary, steepest = 0, 0, 0
        local function share(x, y)
            return math.min(river:get(x, y), 1)
        end
        each_inside(function(x, y)
            if water:get(x, y) > 0 then
                sea = sea + (river:get(x, y) > 0 and bare:get(x, y) < 0 and 1 or 0)
                estuary = estuary + (share(x, y) > 0 and share(x, y) < 1 and 1 or 0)
                steepest = math.max(steepest, math.abs(share(x + 1, y) - share(x, y)),
                    math.abs(share(x, y + 1) - share(x, y)))
            end
        end)
        print(("# %d pixels of an estuary, steepest step %.3f, %d in the sea"):format(estuary, steepest, sea))
        lu.assertTrue(estuary > 400 and steepest < 0.2 and sea < 50)
    end
end

-- A river's width in pixels at a point: twice the way from its middle, which is within two pixels, to the nearest land.
local function width_near(altitude, point)
    local function is_land(column, row)
        return altitude:get(math.min(math.max(column, 0), SIZE - 1), math.min(math.max(row, 0), SIZE - 1)) > 0
    end
    local function way_to_land(x, y)
        for away = 1, 30 do
            for step = 0, 15 do
                local turn = step * math.pi / 8
                local across, down = away * math.cos(turn), away * math.sin(turn)
                if is_land(math.floor(x + across + 0.5), math.floor(y + down + 0.5)) then
                    return away
                end
            end
        end
        return 30
    end
    local half = 0
    for row = math.floor(point.y) - 2, math.floor(point.y) + 2 do
        for column = math.floor(point.x) - 2, math.floor(point.x) + 2 do
            half = math.max(half, way_to_land(column, row))
        end
    end
    return 2 * half - 1
end

-- A river widens like a funnel towards its mouth, where banks pinched it like horns.
function Long.test_mouths_are_wider()
    local mouths, above = 0, 0
    for _, try in ipairs{ { seed = 1001, landscape = "plains" }, { seed = 7, landscape = "hills" },
        { seed = 3, landscape = "mesa" } } do
        local map = esker.river_map(try)
        local place, course = river_places.mouth(map, 4 * 16) -- a quarter as wide as it takes them to be
        local altitude = map:render(place)
        local function width_at(away)
            for _, point in ipairs(course) do
                if math.sqrt((point.x - course[1].x) ^ 2 + (point.y - course[1].y) ^ 2) >= away then
                    return width_near(altitude, point)
                end
            end
        end
        mouths, above = mouths + width_at(6), above + width_at(40)
    end
    print(("# %d pixels wide at the mouths, %d above"):format(mouths, above))
    lu.assertTrue(mouths > 1.28 * above) -- 53 and 43 before
end

-- Where a map's largest river ends in the sea.
local function widest_mouth(map)
    local rivers = map:rivers{ size = SIZE }
    local most, mouth = 0, nil
    for _, reach in ipairs(rivers:reaches()) do
        if reach.mouth and reach[#reach - 1].area > most then
            most, mouth = reach[#reach - 1].area, reach[#reach]
        end
    end
    return rivers:place(mouth.x, mouth.y)
end

-- The coast that a river drowns does not show in the water: the share fades to 0 there. It was 0.014 in the mean.
function Long.test_drowned_coasts_leave_no_line()
    local ends, sum, seeds = 0, 0, 8
    for seed = 43, 42 + seeds do
        local map = esker.river_map{ seed = seed, river_width = 0.03 }
        local x, y = widest_mouth(map)
        local altitude, river = map:render{ x = x, y = y, zoom = 100, size = SIZE }
        local water = altitude:remap{ from = { 0, -1e-6 } }:morphology{ radius = 4 / SIZE, kind = "erode" }
        each_inside(function(column, row)
            local share = river:get(column, row)
            if water:get(column, row) > 0 and share > 0
                and (river:get(column + 1, row) == 0 or river:get(column, row + 1) == 0) then
                ends, sum = ends + 1, sum + math.min(share, 1)
            end
        end)
    end
    print(("# %d pixels at the ends of estuaries, shares of %.4f in the mean"):format(ends, sum / ends))
    lu.assertTrue(ends > 300 / 8 * seeds and sum / ends < 0.006)
end

-- A window around the last point of a map's largest river, from its mouth up, that a picture of the mouth shows and
-- that four fifths of its water pass. It is about so many pixels wide.
local function above_mouth(seed, landscape, pixels)
    local map = esker.river_map{ seed = seed, landscape = landscape, river_width = 0.004 }
    local around, course = river_places.mouth(map, pixels)
    local last
    for _, point in ipairs(course) do
        if point.area > 0.8 * course[1].area and math.min(point.x, point.y) > 0
            and math.max(point.x, point.y) < SIZE then
            last = point
        end
    end
    local place = river_places.around(around, last)
    place.seed, place.landscape = seed, landscape
    return place
end

-- 1 where a place's widest river flows, and its width.
local function water_at(place)
    local _, river = drawn(place, 0.004)
    local width = river:statistics().max
    return river:remap{ from = { 0.6 * width - 0.01, 0.6 * width } }, width
end

-- The course bends no more sharply than the river is wide: in corners a disk two widths in radius closes much ground.
function Long.test_bends_are_round()
    local corners = 0
    local places = { { 43, "alps" }, { 47, "alps" }, { 53, "alps" } }
    for _, map in ipairs(places) do
        local place = above_mouth(map[1], map[2], 12)
        local wet, width = water_at(place)
        local closed = wet:morphology{ kind = "close", radius = 2 * width / SIZE }
        local inner, filled, along = wet:morphology{ kind = "erode", radius = 1 / SIZE }, 0, 0
        for y = 30, SIZE - 31 do
            for x = 30, SIZE - 31 do
                filled = filled + (wet:get(x, y) ~= closed:get(x, y) and 1 or 0)
                along = along + (wet:get(x, y) ~= inner:get(x, y) and 1 or 0)
            end
        end
        lu.assertTrue(along > 300)
        corners = corners + filled / along / width
    end
    print(("# corners of %.3f widths along the banks"):format(corners / #places))
    lu.assertTrue(corners / #places < 0.042)
end

-- Banks are smooth: opening and closing the water with a disk changes little. They were rows of round lobes, of which
-- it changed more than 0.12 of the banks' pixels.
function Long.test_banks_have_no_lobes()
    local changed, along = 0, 0
    for _, place in ipairs{ { seed = 40, x = 0.2769, y = 0.2446, zoom = 300 },
        { seed = 43, x = 0.6314, y = 0.77, zoom = 200 }, { seed = 6, x = 0.76001, y = 0.08252, zoom = 300 } } do
        local wet = water_at(place)
        local function shaped(mask, kind, radius)
            return mask:morphology{ kind = kind, radius = radius / SIZE }
        end
        local smooth, inner = shaped(shaped(wet, "open", 8), "close", 8), shaped(wet, "erode", 1)
        for y = 20, SIZE - 21 do
            for x = 20, SIZE - 21 do
                changed = changed + (wet:get(x, y) ~= smooth:get(x, y) and 1 or 0)
                along = along + (wet:get(x, y) ~= inner:get(x, y) and 1 or 0)
            end
        end
    end
    print(("# %d of %d pixels of banks"):format(changed, along))
    lu.assertTrue(along > 1000 and changed < 0.04 * along)
end

-- The land beyond a bank keeps its height, but for the beds of tributaries: banks had bays of half the river's width,
-- and reached a quarter of it into the land, so that tributaries fell over them early.
function Long.test_banks_dig_into_no_land_beyond_them()
    for _, place in ipairs{ { seed = 40, x = "0.2769", y = "0.2446", zoom = 300 },
        { seed = 6, x = "0.7600097656250", y = "0.0825195312500", zoom = 400 } } do
        local altitude, river, bare = with_and_without(place)
        local width = river:statistics().max
        local away, land, lowered = river:distance{ threshold = 0.6 * width } / (river.frame.cell_width * width), 0, 0
        each_inside(function(x, y)
            if away:get(x, y) > 0.2 and away:get(x, y) < 0.8 and bare:get(x, y) > 0 and river:get(x, y) < 1
            then
                land = land + 1
                lowered = lowered + (altitude:get(x, y) < bare:get(x, y) - 0.05 and 1 or 0)
            end
        end)
        print(("# of %d pixels of land beyond the banks %d are lower"):format(land, lowered))
        lu.assertTrue(land > 5000 and lowered < land / 500)
    end
end

function TestWideBeds.test_windows_that_overlap_agree()
    for _, place in ipairs(tries(1, { joined, inside, steep })) do
        local height, river = window(place, SIZE // 4)
        local anew = esker.river_map{ seed = place.seed, landscape = place.landscape, river_width = 0.004 }
        local around, rivers = window(place, SIZE // 4, 40, anew)
        local box = { x = 40, y = 40, width = SIZE // 4, height = SIZE // 4 }
        lu.assertTrue(around:crop(box) == height)
        lu.assertTrue(rivers:crop(box) == river)
    end
end

-- Also where a river's banks rise out of the sea.
function Long.test_rain_falls_on_all_land()
    local altitude, _, flow = esker.river_map{ seed = 404833113, river_width = 0.1 }:render{ size = 1024 }
    local dry = 0
    for y = 0, 1023 do
        for x = 0, 1023 do
            dry = dry + (altitude:get(x, y) >= 0 and flow:get(x, y) < 1 and 1 or 0)
        end
    end
    lu.assertEquals(dry, 0)
end

os.exit(lu.LuaUnit.run())
