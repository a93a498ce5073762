-- Rivers of eroded land at sizes between powers of two: where they end, and that windows and pictures agree.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"
local river_places = require "river_places"
local temporary = require "temporary"
local tries = require "tries"

TestRiverEnds = {}

local function is_inside(point, width, height, margin)
    return point.x >= margin and point.y >= margin and point.x < width - margin and point.y < height - margin
end

-- Ends inside a window: on dry land, and all, those in another river included.
local function count_ends(map, window, counts)
    for _, reach in ipairs(map:rivers(window):reaches()) do
        local inside = is_inside(reach[#reach], window.width, window.height, 1)
        if inside then
            counts.all = counts.all + 1
            counts.dry = counts.dry + ((reach.downstream or reach.mouth) and 0 or 1)
        end
    end
end

-- Where a new stream runs into an inherited one its discharge falls; rivers ended there, at 768² a quarter of them.
function TestRiverEnds.test_rivers_end_in_water()
    local counts, seeds = { all = 0, dry = 0 }, tries(1, 3)
    for seed = 3, 2 + seeds do
        local map = esker.river_map{ seed = seed }
        for _, size in ipairs(tries(1, { 520, 768 })) do
            count_ends(map, { width = size, height = size }, counts)
        end
        count_ends(map, { x = 0.42, y = 0.57, zoom = 30, width = 700, height = 700 }, counts)
    end
    local told = ("%d of %d"):format(counts.dry, counts.all)
    lu.assertTrue(counts.all > 1000 * seeds and counts.dry < counts.all / 1000, told)
end

-- Now 6 of 4577.
function Long.test_rivers_of_planets_end_in_water()
    local counts = { all = 0, dry = 0 }
    count_ends(esker.river_map{ seed = 3, tiling = "sphere" }, { zoom = 30, width = 1000, height = 500 }, counts)
    lu.assertTrue(counts.all > 500 and counts.dry < counts.all / 500, ("%d of %d"):format(counts.dry, counts.all))
end

-- Streams on walls below the cliffs of tables may dam valleys: 26 rivers of these windows would end there, and six do.
function Long.test_rivers_of_mesas_end_in_water()
    local counts = { all = 0, dry = 0 }
    for _, at in ipairs{ { 902292803, 0.0631, 0.5639, 16 }, { 66235645, 0.3826, 0.7761, 16 },
        { 141935279, 0.2921, 0.7346, 256 } } do
        local map = esker.river_map{ seed = at[1], landscape = "mesa" }
        count_ends(map, { x = at[2], y = at[3], zoom = at[4], width = 512, height = 512 }, counts)
    end
    lu.assertTrue(counts.all > 4000 and counts.dry < counts.all / 500, ("%d of %d"):format(counts.dry, counts.all))
end

-- The hollows of a guide are filled: wide plains, on which erosion and its rebound leave longer paths out of pits than
-- on slopes. 10, 10 and 8 of some 260 rivers ended there.
function TestRiverEnds.test_rivers_of_guides_end_in_water()
    local counts = { all = 0, dry = 0 }
    local guide = esker.noise{ size = 64, seed = 3 }:normalize{} * 0.5 + 0.05
    for seed = 1, 3 do
        count_ends(esker.river_map{ seed = seed, guide = guide, relief = 4000 }, { width = 512, height = 512 }, counts)
    end
    lu.assertTrue(counts.all > 200 and counts.dry <= counts.all / 500, ("%d of %d"):format(counts.dry, counts.all))
end

local function is_speck(altitude, x, y)
    for row = y - 1, y + 1 do
        for column = x - 1, x + 1 do
            if (column ~= x or row ~= y) and altitude:get(column, row) < 0 then
                return false
            end
        end
    end
    return true
end

-- The sea does not withdraw from a mouth, so that a speck of it would be left there: one pixel, inland.
function Long.test_rivers_do_not_end_in_specks_of_sea()
    local all, lost, size, seeds = 0, 0, 1024, 4
    for seed = 43, 42 + seeds do
        local map = esker.river_map{ seed = seed, river_width = 0.004 }
        local altitude = map:render{ size = size }
        for _, reach in ipairs(map:rivers{ size = size }:reaches()) do
            local last = reach[#reach]
            if reach.mouth and is_inside(last, size, size, 2) then
                local area = reach[#reach - 1].area
                all = all + area
                lost = lost + (is_speck(altitude, last.x // 1 | 0, last.y // 1 | 0) and area or 0)
            end
        end
    end
    lu.assertTrue(all > 0.125 * seeds and lost < 0.03 * all, ("%g of %g"):format(lost, all))
end

-- A river that leaves the map over dry land has no mouth, as one that leaves the window.
function TestRiverEnds.test_mouths_are_in_the_sea()
    local size, leaving = 256, 0
    for _, seed in ipairs{ 485498, 280110 } do
        local map = esker.river_map{ seed = seed, river_width = 0.004 }
        local altitude = map:render{ size = size }
        for _, reach in ipairs(map:rivers{ size = size }:reaches()) do
            local last = reach[#reach]
            if reach.mouth then
                lu.assertTrue(altitude:get(last.x // 1 | 0, last.y // 1 | 0) < 0)
            elseif not reach.downstream then
                lu.assertTrue(not is_inside(last, size, size, 1) and last.altitude > 0)
                leaving = leaving + 1
            end
        end
    end
    lu.assertEquals(leaving, 37)
end

-- The width of the water in each of a window's rows, in that part of a row that goes on from the row above.
local function widths_of_water(map, window)
    local altitude, river = map:render(window)
    local function is_water(x, y)
        return x < window.size and (altitude:get(x, y) <= 0 or river:get(x, y) >= 1)
    end
    local widths, left, right = {}, 0, window.size
    for y = 0, window.size - 1 do
        local from, to, x = 0, 0, 0
        while x < window.size do
            local first = x
            while is_water(x, y) do
                x = x + 1
            end
            if first < right and x > left and x - first > to - from then
                from, to = first, x
            end
            x = x + 1
        end
        left, right, widths[y + 1] = from, to, to - from
    end
    return widths
end

-- Where an inlet is narrower than the river, it widens towards it: the mouth was a bulb with horns beside a neck.
function TestRiverEnds.test_rivers_enter_narrow_inlets_smoothly()
    local map = esker.river_map{ seed = 17, landscape = "hills" }
    local widths, most = widths_of_water(map, { x = 0.5376, y = 0.6170, zoom = 700, size = 400 }), 0
    for y = 180, 324 do
        lu.assertTrue(widths[y] > 30, y)
        most = math.max(most, widths[y] - widths[y + 16])
    end
    print(("# narrower by %d of 75 pixels over 16"):format(most)) -- 26 were
    lu.assertTrue(most < 20, most)
end

local function channel(altitude, river, band)
    local path = temporary(".tif")
    altitude:relief{ rivers = river }:save(path)
    return esker.load(path, { band = band })
end

-- Narrow rivers are darker than wide ones: where two of 2.3 pixels met, one of 3 was pale.
function TestRiverEnds.test_rivers_get_paler_with_their_width()
    local size, before = 32, nil
    local land = esker.field{ size = size, values = 0.5 }
    for tenths = 22, 70, 4 do
        local width = tenths / 10
        local river = esker.field{ size = size, values = function(x)
            return math.abs(x - 16) < width / 2 and width or 0
        end }
        local red = channel(land, river, 1):get(16, 16)
        local step = red - (before or red)
        lu.assertTrue(step >= 0 and step < 25, ("%g after %g at a width of %g"):format(red, before or red, width))
        before = red
    end
end

-- The colours of an estuary go over into the sea's, also where its bed crosses the level of the sea: a line was seen
-- there. A window that shows nothing but an estuary is water, too.
function TestRiverEnds.test_estuaries_have_no_seams()
    local map = esker.river_map{ seed = 43, landscape = "alps", river_width = 0.004 }
    local window, course = river_places.mouth(map, 16)
    local altitude, river = map:render(window)
    local red, most, shared, middle = channel(altitude, river, 1), 0, 0, nil
    for i = 1, 200 do -- up the river
        local here, above = course[i], course[i + 4]
        local share = river:get(here.x // 1 | 0, here.y // 1 | 0)
        if share > 0.05 and share < 0.95 then
            shared = shared + 1
            middle = share < 0.5 and here or middle
        end
        most = math.max(most, math.abs(red:get(above.x // 1 | 0, above.y // 1 | 0)
            - red:get(here.x // 1 | 0, here.y // 1 | 0)))
    end
    lu.assertTrue(shared > 30, shared)
    lu.assertTrue(river:get(course[200].x // 1 | 0, course[200].y // 1 | 0) > 8) -- 25 km up
    lu.assertTrue(most <= 12, "a step of " .. most)
    window = river_places.around(window, middle, 50)
    window.relative = true
    altitude, river = map:render(window)
    lu.assertTrue(river:statistics().max < 1)
    lu.assertTrue(channel(altitude, river, 3):statistics().min > 170)
end

-- Where an estuary that runs aslant is narrower than the blocks by which estuaries are known, some cells were drawn
-- as a brook.
function TestRiverEnds.test_narrow_estuaries_have_no_specks()
    local map = esker.river_map{ seed = 305458, landscape = "hills" }
    local altitude, river = map:render{ x = 0.66665649414062, y = 0.36526489257812, zoom = 256, size = 256 }
    local blue, narrow = channel(altitude, river, 3), 0
    for y = 22, 45 do -- of its upper end
        for x = 12, 40 do
            if river:get(x, y) >= 0.9 and river:get(x, y) <= 1 then
                narrow = narrow + 1
                lu.assertTrue(blue:get(x, y) > 170, ("%d, %d: %g"):format(x, y, blue:get(x, y)))
            end
        end
    end
    lu.assertTrue(narrow > 200, narrow)
end

-- Only maps know estuaries: a copy of the heights, which does not say that it is one, shows what is drawn without them.
-- Streams along the picture's border and between the banks of wide rivers were taken for some.
function Long.test_inland_windows_have_no_estuaries()
    local inland, wide = 0, 0
    local seeds = { 20, 8, 11, 3, 1, 2, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19 }
    for _, seed in ipairs(seeds) do
        local map = esker.river_map{ seed = seed, river_width = 0.004 }
        local altitude, river = map:render{ x = 0.45, y = 0.4, zoom = 30, size = 400 }
        local lie = altitude:statistics()
        local function shaded(rivers)
            return altitude:relief{ rivers = rivers, low = lie.min, high = lie.max, exaggeration = 1 }:hash()
        end
        local function copy_shaded(rivers)
            return (altitude * 1):relief{ rivers = rivers, low = lie.min, high = lie.max,
                exaggeration = (lie.max - lie.min) / 3e6 * 16 * 30 }:hash()
        end
        -- in some the exaggeration differs in its last digit
        if lie.min > 0 and shaded(nil) == copy_shaded(nil) then
            lu.assertEquals(shaded(river), copy_shaded(river))
            inland, wide = inland + 1, wide + (river:statistics().max > 4 and 1 or 0)
        end
    end
    lu.assertTrue(inland > #seeds / 4 and wide > 0, inland .. " " .. wide)
end

os.exit(lu.LuaUnit.run())
