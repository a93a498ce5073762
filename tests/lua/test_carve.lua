-- Canals of a zoomable map: as wide as asked for at every zoom, far ground keeps every bit, windows agree, water still
-- falls, and what cannot be is refused.

local esker = require "esker"
local kept_map = require "kept_map"
local map_edits = require "map_edits"
local tries = require "tries"
local unit = require "luaunit"

TestCarve = {}

local same = map_edits.same
local WIDTH, SIDE = 40, 3000e3 -- metres
local line = { { 0.432771, 0.562229 }, { 0.435253, 0.562023 } } -- crosses a brook that it follows
local x, y = 0.4336, 0.56216 -- on it

local function plain() -- with the land that other tests have drawn
    return kept_map{ seed = 2 }
end

local function carve(map)
    return map:carve{ along = line, width = WIDTH }
end

-- The widest river of a window, in metres, and how far it is from a place of it.
local function widest(map, window)
    local most, away = 0, nil
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for _, at in ipairs(reach) do
            if at.width > most then
                most = at.width
                away = math.sqrt((at.x - window.size / 2) ^ 2 + (at.y - window.size / 2) ^ 2)
            end
        end
    end
    local pixel = SIDE / window.zoom / window.size
    return most * pixel, away and away * pixel
end

function TestCarve.test_it_is_as_wide_as_asked_for_at_every_zoom()
    local before, after = plain(), carve(plain())
    for _, zoom in ipairs(tries(2, { 2048, 8192, 32768 })) do
        local window = { x = x, y = y, zoom = zoom, size = 64 }
        local width = widest(after, window)
        unit.assertTrue(widest(before, window) < 0.3 * WIDTH)
        unit.assertTrue(width > 0.9 * WIDTH and width < 1.1 * WIDTH, ("zoom %d: %g m"):format(zoom, width))
    end
end

-- How far water begins from the middle of a window, in widths of the canal: that of its pixels, and the nearest point
-- of its line.
local function beginnings(map, window, width)
    local _, water = map:render(window)
    local pixel, middle = SIDE / window.zoom / window.size / width, window.size / 2
    local drawn, first = math.huge, math.huge
    for i = 0, window.size ^ 2 - 1 do
        local px, py = i % window.size, i // window.size
        if water:get(px, py) > 0.5 then
            drawn = math.min(drawn, pixel * math.sqrt((px - middle) ^ 2 + (py - middle) ^ 2))
        end
    end
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for _, at in ipairs(reach) do
            if at.width * pixel > 0.9 then
                first = math.min(first, pixel * math.sqrt((at.x - middle) ^ 2 + (at.y - middle) ^ 2))
            end
        end
    end
    return drawn, first
end

-- On the level that it enters, and on all finer ones, not a few cells farther down on each.
function TestCarve.test_it_begins_where_its_line_does()
    for _, case in ipairs(tries(2, { { { { 0.4278, 0.7326 }, { 0.4378, 0.7386 } }, 1500, { 50, 256 } },
        { line, WIDTH, { 2500, 12000 } },
        { { { 0.7028, 0.8415 }, { 0.7628, 0.8415 } }, 8000, { 10, 40 } } })) do
        local along, width, zooms = table.unpack(case)
        local map = plain():carve{ along = along, width = width }
        for _, zoom in ipairs(zooms) do
            local window = { x = along[1][1], y = along[1][2], zoom = zoom, size = 96 }
            local drawn, first = beginnings(map, window, width)
            unit.assertTrue(drawn < 1.2 and first < 1.2, ("%g m, zoom %g: %g, %g"):format(width, zoom, drawn, first))
        end
    end
end

function TestCarve.test_only_ground_near_changes()
    local before, after = plain(), carve(plain())
    unit.assertFalse(same(before, after, { x = x, y = y, zoom = 2048, size = 48 }))
    unit.assertTrue(same(before, after, { x = x, y = y, zoom = 60, size = 256 })) -- it is narrower than a pixel
    for i, zoom in ipairs(tries(2, { 2048, 8192, 4096 })) do
        for k = 1, tries(1, 2) do
            local away = (i + k) % 2 * 2 - 1
            local far = 2500 / SIDE + 30 * WIDTH / SIDE + 0.5 / zoom -- from the middle
            local window = { x = x + away * far, y = y, zoom = zoom, size = 48 }
            unit.assertTrue(same(before, after, window), ("%d: %d"):format(zoom, away))
        end
    end
end

-- Across the end of a part of it, too, and whatever was drawn before.
function TestCarve.test_windows_agree()
    unit.assertTrue(map_edits.parts_agree(carve, x, y, 2048))
end

function TestCarve.test_water_falls_and_ground_drains()
    local before, after = plain(), carve(plain())
    for _, zoom in ipairs(tries(1, { 1600, 600, 3000 })) do
        local window = { x = x, y = y, zoom = zoom, size = 192 }
        for _, reach in ipairs(after:rivers(window):reaches()) do
            for i = 2, #reach do
                unit.assertTrue(reach[i].altitude <= reach[i - 1].altitude)
            end
        end
        local ground, former = after:render(window), before:render(window)
        local hollow, hollows = (ground:fill{} - ground):statistics().max, (former:fill{} - former):statistics().max
        unit.assertTrue(hollow <= hollows + 0.05, hollow)
        unit.assertTrue((ground - former):statistics().max < 4)
    end
end

-- The brook that it meets is lower than the river where the line ends: its lower course is as wide as the canal.
function TestCarve.test_it_reaches_the_river()
    local after, before = carve(plain()), plain()
    local window = { x = 0.43376, y = 0.56168, zoom = 2048, size = 64 } -- the brook's lower course
    unit.assertTrue(widest(before, window) < 0.5 * WIDTH)
    local width = widest(after, window)
    unit.assertTrue(width > 0.9 * WIDTH, width)
end

function TestCarve.test_many_lines_are_a_canal_each()
    local lines = esker.lines{ size = 1000, list = { { { 432.771, 562.229 }, { 435.253, 562.023 } } } }
    local window = { x = x, y = y, zoom = 2048, size = 48 }
    unit.assertTrue(same(carve(plain()), plain():carve(lines, { width = WIDTH }), window))
end

function TestCarve.test_what_was_drawn_before_changes_nothing()
    local window = { x = x, y = y, zoom = 2048, size = 48 }
    local before = plain()
    local after = carve(before)
    after:render(window)
    unit.assertTrue(same(before, esker.river_map{ seed = 2 }, window))
end

function TestCarve.test_errors_name_the_place()
    local map = plain()
    local function refused(text, along, width)
        unit.assertErrorMsgContains(text, map.carve, map, { along = along, width = width or WIDTH })
    end
    local over = { { 0.4354, 0.5612 }, { 0.436, 0.5628 } } -- wide canals need no fine levels
    refused("shape 1 crosses a river 240.4 m wide at (0.435638, 0.561859); end it there, or lead it around", over, 300)
    refused("shape 1 meets a river, a lake or the sea at", over, 80)
    refused("shape 1 would follow a brook for too long at (0.4", { { 0.4164, 0.5349 }, { 0.4165, 0.5349 } }, 300)
    refused("width must be 4.3655745685100555e-05", { { 0.4, 0.5 }, { 0.41, 0.5 } }, 1e-6)
    refused("to 11718.75 m, got 20000 m; add_rivers makes wider rivers", { { 0.4, 0.5 }, { 0.41, 0.5 } }, 20e3)
    refused("width must be 0.4472", { { 0.4, 0.5 }, { 0.4001, 0.5 } }, 0.1)
    refused("shape 1 is too long for its width", { { 0.4, 0.5 }, { 0.9, 0.5 } })
    refused("along must be a list of 2 to 128 rows", { { 0.4, 0.5 } })
    refused("shape 1 is shorter than its width", { { 0.4, 0.5 }, { 0.4, 0.5 } })
    refused("along", { { 0.4, 0.5 }, { 1.4, 0.5 } })
end

os.exit(unit.LuaUnit.run())
