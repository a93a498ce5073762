-- Fields whose heights are added to a zoomable map: at every zoom, with all detail that they have; far ground keeps
-- every bit, windows agree, and what cannot be is refused.

local esker = require "esker"
local kept_map = require "kept_map"
local map_edits = require "map_edits"
local tries = require "tries"
local unit = require "luaunit"

TestImprints = {}

local SIDE = 3000e3 -- metres
local same = map_edits.same

local function plain() -- with the land that other tests have drawn
    return kept_map{ seed = 2 }
end

local x, y, side = 0.412, 0.5735, 12e3
local volcano = esker.shape{ size = 100, kind = "volcano" } * 900

local function imprint(map)
    return map:imprint(volcano, { at = { { x, y } }, side = side })
end

-- The land carves it; in the median of places the ground rises by the field, as the long test sees.
function TestImprints.test_ground_rises_by_the_field()
    local before, mean = plain(), volcano:statistics().mean
    for _, zoom in ipairs(tries(1, { 1, 4 })) do
        local shares = {}
        local places = tries(1, { { 0.35, 0.52 }, { x, y }, { 0.3, 0.5 }, { 0.4805, 0.535 }, { 0.42, 0.565 } })
        for _, place in ipairs(places) do
            local window = { x = place[1], y = place[2], zoom = SIDE / side, size = 50 * zoom }
            local after = before:imprint(volcano, { at = { place }, side = side })
            shares[#shares + 1] = (after:render(window) - before:render(window)):statistics().mean / mean
        end
        table.sort(shares)
        local share = shares[#shares // 2 + 1]
        unit.assertTrue(share > 0.8 and share < 1.2, table.concat(shares, " "))
    end
end

function TestImprints.test_only_ground_near_changes()
    local before = plain()
    local after, width = imprint(before), side / SIDE
    for k, widths in ipairs(tries(1, { 0.8, 3, 0.2 })) do
        local window = { x = x, y = y, zoom = 1 / width / widths, size = 48 }
        unit.assertFalse(same(before, after, window))
        local away = 4 * width + widths * width / 2
        window.x, window.y = x + (k % 2 * 2 - 1) * away, y + (k % 2) * away
        unit.assertTrue(same(before, after, window), widths)
    end
end

function TestImprints.test_windows_agree()
    unit.assertTrue(map_edits.parts_agree(imprint, x, y, 128))
end

function TestImprints.test_order_does_not_matter()
    local hill = { along = { { x + 0.001, y } }, width = 8e3, height = 300 }
    local window = { x = x, y = y, zoom = 256, size = 48 }
    unit.assertTrue(same(imprint(plain():raise(hill)), imprint(plain()):raise(hill), window))
end

function TestImprints.test_what_cannot_be_is_refused()
    local map, at = plain(), { { x, y } }
    local gaps = esker.field{ size = 16, values = 1 }
    gaps = gaps:set_gaps(gaps)
    local small, wide = esker.field{ size = 15, values = 1 }, esker.field{ width = 32, height = 16, values = 1 }
    for _, wrong in ipairs{
        { { at = at }, "field must be a field, got table; it is written map:imprint(field, " },
        { small, { at = at }, "of 16 to 512 cells a side, got 15 × 15" },
        { wide, { at = at }, "got 32 × 16" },
        { gaps, { at = at }, "field has no data in 256 of its cells" },
        { volcano, { at = at, side = 0.001 }, "side must be" },
        { volcano, "give at, a list of points { x, y }, or Points" },
        { volcano, { at = { { 0.5, 2 } } }, "at: row 1, column 2 must be 0 to 1, got 2" },
        { volcano, esker.points{ size = 8, list = { { 4, 4 } } }, { at = at }, "give places or at, not both" },
    } do
        unit.assertErrorMsgContains(table.remove(wrong), map.imprint, map, table.unpack(wrong))
    end
    local _, message = pcall(map.imprint, map, volcano)
    unit.assertNotStrContains(message, "Lines")
end

function TestImprints.test_points_give_places()
    local points = esker.points{ size = 1000, list = { { 412, 573.5 } } }
    local window = { x = x, y = y, zoom = 256, size = 48 }
    local by_points = plain():imprint(volcano, points, { side = side })
    unit.assertTrue(same(by_points, imprint(plain()), window))
end

os.exit(unit.LuaUnit.run())
