-- Rivers of eroded land, on flat maps and on planets: what holds for one atlas holds for the other.

local esker = require "esker"
local kept_map = require "kept_map"
local lu = require "luaunit"
local tries = require "tries"

TestAtlases = {}

-- Each test runs on the first of these, in the long run on all. `at`: a place inland; `drains`: the share of the square
-- of the map's length that an area of 1 is.
local atlases = {
    { name = "flat", seed = 2, at = { 0.42, 0.57 }, drains = 1 },
    { name = "planet, over an edge", seed = 4, tiling = "sphere", at = { 0.1446, 0.3295 }, drains = 6 / 16 },
    { name = "planet", seed = 4, tiling = "sphere", at = { 0.3, 0.45 }, drains = 6 / 16 },
}

local function map_of(atlas, arguments)
    local all = { seed = atlas.seed, tiling = atlas.tiling }
    for name, value in pairs(arguments or {}) do
        all[name] = value
    end
    return kept_map(all)
end

local function window_of(atlas, zoom, size)
    return { x = atlas.at[1], y = atlas.at[2], zoom = zoom, size = size }
end

local function is_inside(point, size, margin)
    return point.x >= margin and point.y >= margin and point.x < size - margin and point.y < size - margin
end

local function on_first(few, test)
    return function()
        for _, atlas in ipairs(tries(few, atlases)) do
            test(atlas)
        end
    end
end

-- A river's width follows from what it drains, its water never rises, and it goes on from cell to cell.
TestAtlases.test_rivers_as_data = on_first(2, function(atlas)
    local stretch = atlas.tiling and 1 / math.cos((0.5 - atlas.at[2]) * 2 * math.pi) or 1
    for _, zoom in ipairs(tries(1, { 30, 300 })) do
        local size, points, shrinks = 256, 0, 0
        local reaches = map_of(atlas):rivers(window_of(atlas, zoom, size)):reaches()
        lu.assertTrue(#reaches > 50, atlas.name)
        for _, reach in ipairs(reaches) do
            for i = 2, #reach do
                local above, below = reach[i - 1], reach[i]
                lu.assertTrue(below.altitude <= above.altitude, atlas.name .. ": a river rises")
                points, shrinks = points + 1, shrinks + (below.area < 0.9 * above.area and 1 or 0)
                local width = 0.001 * math.sqrt(below.area * atlas.drains) * size * zoom
                lu.assertAlmostEquals(below.width, width, 1e-4 * below.width)
                local across, down = math.abs(below.x - above.x) / stretch, math.abs(below.y - above.y)
                lu.assertTrue(math.max(across, down) < 3.5, atlas.name .. ": a river leaps")
            end
        end
        lu.assertTrue(shrinks < 0.013 * points, ("%s: %d of %d shrink"):format(atlas.name, shrinks, points))
    end
end)

-- Lines become rivers 4096 at a time, while other threads set the next: none is lost between these parts.
TestAtlases.test_long_rivers_as_data = on_first(1, function(atlas)
    local points, size, dry = 0, 800, 0
    for _, reach in ipairs(map_of(atlas):rivers(window_of(atlas, 30, size)):reaches()) do
        local last = reach[#reach]
        points = points + #reach
        dry = dry + (is_inside(last, size, 2) and not reach.downstream and not reach.mouth and 1 or 0)
    end
    lu.assertTrue(dry <= points / 10000, ("%s: %d rivers end on dry land"):format(atlas.name, dry))
    lu.assertTrue(points > 3 * 4096, points)
end)

-- The steps of all rivers, by their places in the window, less `offset` pixels.
local function steps_of(map, window, offset)
    local steps = {}
    local function name(point)
        return ("%.4f %.4f"):format(point.x - offset + 0.0000123, point.y - offset + 0.0000123)
    end
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for i = 2, #reach do
            steps[name(reach[i - 1]) .. " " .. name(reach[i])] = { reach[i - 1], reach[i] }
        end
    end
    return steps
end

-- A window around the same place that shows more has the same steps, and all of them.
TestAtlases.test_windows_have_the_same_rivers = on_first(2, function(atlas)
    math.randomseed(tonumber(os.getenv("ESKER_SEEDS")) or 1)
    local seen = 0
    local maps = tries(1, 8)
    for i = 1, maps do
        local map = map_of(atlas, { river_width = i % 2 == 0 and 1e-5 or nil, hillslope = 100 * i })
        local zoom, size = 10 ^ (1.5 + i % 2 + 0.5 * math.random()), math.random(60, 120)
        local around, own = steps_of(map, window_of(atlas, zoom / 3, 3 * size), size),
            steps_of(map, window_of(atlas, zoom, size), 0)
        local name = ("%s, zoom %g, size %d"):format(atlas.name, zoom, size)
        for step in pairs(own) do
            seen = seen + 1
            lu.assertTrue(around[step] ~= nil, name .. " has " .. step)
        end
        for step, ends in pairs(around) do
            local from = { x = ends[1].x - size, y = ends[1].y - size }
            lu.assertTrue(own[step] ~= nil or not is_inside(from, size, 0.01), name .. " lacks " .. step)
        end
    end
    lu.assertTrue(seen > 150 * maps, seen)
end)

local SIDE = 256

-- 1 in the pixels through which a river's steps lead.
local function pixels_of(steps)
    local field = esker.field{ size = SIDE, values = 0 }
    for _, ends in pairs(steps) do
        for part = 0, 4 do
            local x = (ends[1].x + part / 4 * (ends[2].x - ends[1].x)) // 1 | 0
            local y = (ends[1].y + part / 4 * (ends[2].y - ends[1].y)) // 1 | 0
            if x >= 0 and y >= 0 and x < SIDE and y < SIDE then
                field:set(x, y, 1)
            end
        end
    end
    return field
end

-- How many cells of a mask lie apart from another's.
local function count_apart(mask, other)
    local near, count = other:morphology{ radius = 2 / SIDE, element = "square" }, 0
    for y = 3, SIDE - 4 do
        for x = 3, SIDE - 4 do
            count = count + (mask:get(x, y) > 0 and near:get(x, y) == 0 and 1 or 0)
        end
    end
    return count
end

-- Each step is drawn, and nothing else.
TestAtlases.test_pictures_show_the_same_rivers = on_first(1, function(atlas)
    local map, window = map_of(atlas, { river_width = 0.001 }), window_of(atlas, 46, SIDE)
    local _, river = map:render(window)
    local steps = pixels_of(steps_of(map, window, 0))
    lu.assertTrue(steps:statistics().sum > 1000, atlas.name)
    lu.assertEquals(count_apart(steps, river), 0, atlas.name)
    lu.assertEquals(count_apart(river, steps), 0, atlas.name)
end)

-- Where pixels are no cells, the sea into which a river runs is not averaged away, and flow is 0 in the sea alone. A
-- mouth's pixel is land where a larger river runs through it, whose mouth lies beside it.
TestAtlases.test_rivers_end_in_sea_that_is_drawn = on_first(2, function(atlas)
    local map, mouths, seas = map_of(atlas), 0, 0
    for _, size in ipairs(tries(2, { 100, 300, 128, 768 })) do
        local altitude, _, flow = map:render{ size = size }
        for _, reach in ipairs(map:rivers{ size = size }:reaches()) do
            if reach.mouth then
                local last = reach[#reach]
                local x, y = last.x // 1 | 0, last.y // 1 | 0
                local larger = flow:get(x, y) > 2 * last.area * atlas.drains * size * size
                lu.assertTrue(altitude:get(x, y) < 0 or larger, ("%s, %d"):format(atlas.name, size))
                mouths = mouths + 1
            end
        end
        for y = 0, altitude.height - 1 do
            for x = 0, size - 1 do
                local sea = altitude:get(x, y) < 0
                seas = seas + (sea and 1 or 0)
                if (flow:get(x, y) == 0) ~= sea then
                    lu.fail(("%s, %d: %d, %d"):format(atlas.name, size, x, y))
                end
            end
        end
    end
    lu.assertTrue(mouths > 30 and seas > 1000, ("%s: %d"):format(atlas.name, mouths))
end)

os.exit(lu.LuaUnit.run())
