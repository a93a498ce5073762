-- D8 and D-infinity against Tarboton 1997 (table 1, equations 1 to 6), written down once more: by angles, cell
-- by cell, the highest first.

local esker = require "esker"
local lu = require "luaunit"

TestFlow = {}

-- Heights and sea levels beyond 1e9 are as good as others.
function TestFlow.test_low_ground_is_no_sea_by_itself()
    local height = esker.field{ size = 8, values = function(x) return -1e10 + x * 1e8 end }
    lu.assertEquals(height:flow_accumulation{ sea_level = -1e11 }:statistics().max, 8)
    lu.assertAlmostEquals(height:clamp{ low = -9.8e9, high = 3e38 }:statistics().min, -9.8e9, 1e3)
end

-- Counter-clockwise from the east; rows run southward.
local ring <const> = { { 1, 0 }, { 1, -1 }, { 0, -1 }, { -1, -1 }, { -1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } }

-- Table 1: of each facet e1 and e2 as numbers in the ring, and the factors ac and af.
local facets <const> = {
    { 1, 2, 0, 1 }, { 3, 2, 1, -1 }, { 3, 4, 1, 1 }, { 5, 4, 2, -1 },
    { 5, 6, 2, 1 }, { 7, 6, 3, -1 }, { 7, 8, 3, 1 }, { 1, 8, 4, -1 },
}

-- The angle of the steepest facet, 0 … 2 pi, counter-clockwise from the east; nil in a pit. `at(i)` is the
-- height of a neighbour.
local function flow_angle(middle, at)
    local steepest, angle = 0, nil
    for _, facet in ipairs(facets) do
        local s1, s2 = middle - at(facet[1]), at(facet[1]) - at(facet[2])
        local r, s = math.atan(s2, s1), (s1 * s1 + s2 * s2) ^ 0.5
        if r < 0 then
            r, s = 0, s1
        elseif r > math.atan(1, 1) then
            r, s = math.atan(1, 1), (middle - at(facet[2])) / 2 ^ 0.5
        end
        if s > steepest then
            steepest, angle = s, facet[4] * r + facet[3] * math.pi / 2
        end
    end
    return angle
end

-- The share of each neighbour by the angle: that of the two between which it lies.
local function shares_of(angle)
    local turn = angle / (math.pi / 4)
    local first = math.floor(turn)
    local shares = { 0, 0, 0, 0, 0, 0, 0, 0 }
    shares[first % 8 + 1] = 1 - (turn - first)
    shares[(first + 1) % 8 + 1] = shares[(first + 1) % 8 + 1] + (turn - first)
    return shares
end

-- What flows from the middle of 3 × 3 cells into each neighbour. Whatever is lower than the middle is sea,
-- which keeps what it gets.
local function shares_found(heights, method)
    local function cell(x, y, value)
        for i, to in ipairs(ring) do
            if x == 1 + to[1] and y == 1 + to[2] then
                return heights[i]
            end
        end
        return value
    end
    local land = esker.field{ size = 3, values = function(x, y) return cell(x, y, 0) end }
    local rain = esker.field{ size = 3, values = function(x, y) return x == 1 and y == 1 and 1 or 0 end }
    local flow = land:flow_accumulation{ method = method, rain = rain, sea_level = 0 }
    local found = {}
    for i, to in ipairs(ring) do
        found[i] = flow:get(1 + to[1], 1 + to[2])
    end
    return found
end

local function compare_shares(heights, where)
    local single = {} -- as the field holds them
    for i, height in ipairs(heights) do
        single[i] = string.unpack("f", string.pack("f", height))
    end
    local angle = flow_angle(0, function(i) return single[i] end)
    local expected, found = shares_of(angle), shares_found(heights, "dinf")
    for i = 1, 8 do
        if math.abs(found[i] - expected[i]) > 4e-5 then -- shares are kept in 16 bits
            lu.fail(("%s: neighbour %d gets %.6f, Tarboton gives %.6f"):format(where, i, found[i], expected[i]))
        end
    end
end

function TestFlow.test_too_much_rain_is_named()
    local land = esker.field{ size = 9, values = function(x, y) return x + y / 8 end }
    for _, method in ipairs{ "d8", "dinf" } do
        local rain = 0 * land + 1e38
        lu.assertErrorMsgContains("rain is too much: what drains through cell", land.flow_accumulation, land,
            { method = method, rain = rain })
        lu.assertTrue(land:flow_accumulation{ method = method, rain = rain / 100 }:statistics().max > 5e36)
    end
end

-- Planes that fall in every direction, a third of a degree apart.
function TestFlow.test_planes_part_water_by_their_direction()
    for third = 0, 1079 do
        local angle = math.rad(third / 3)
        local heights = {}
        for i, to in ipairs(ring) do
            heights[i] = -to[1] * math.cos(angle) + to[2] * math.sin(angle)
        end
        compare_shares(heights, ("%.2f degrees"):format(third / 3))
        local turn = angle / (math.pi / 4)
        local found, first = shares_found(heights, "dinf"), math.floor(turn)
        lu.assertAlmostEquals(found[(first + 1) % 8 + 1], turn - first, 1e-4)
    end
end

-- Ridges, saddles, slots: any eight neighbours of which one is lower.
function TestFlow.test_rough_ground_parts_water_as_tarboton()
    local state = 1
    local function draw()
        state = (state * 1103515245 + 12345) & 0x7fffffff
        return state / 0x7fffffff
    end
    for case = 1, 3000 do
        local heights, lowest = {}, math.huge
        for i = 1, 8 do
            heights[i] = draw() - 0.5
            lowest = math.min(lowest, heights[i])
        end
        if lowest < 0 then
            compare_shares(heights, "case " .. case)
        end
    end
end

-- Drained areas of a field without flats and ties.
local function drained(land, method)
    local width, height = land.width, land.height
    local level, order, area = {}, {}, {}
    for i = 0, width * height - 1 do
        level[i], area[i], order[i + 1] = land:get(i % width, i // width), 1, i
    end
    table.sort(order, function(a, b) return level[a] > level[b] end)
    for _, cell in ipairs(order) do
        local x, y = cell % width, cell // width
        local border = x == 0 or y == 0 or x == width - 1 or y == height - 1
        local shares
        if method == "dinf" and not border then
            shares = shares_of(flow_angle(level[cell], function(i)
                return level[cell + ring[i][1] + width * ring[i][2]]
            end))
        else -- along the border everything goes down the steepest way
            local steepest = 0
            for i, to in ipairs(ring) do
                local to_x, to_y = x + to[1], y + to[2]
                if to_x >= 0 and to_y >= 0 and to_x < width and to_y < height then
                    local slope = (level[cell] - level[to_x + width * to_y]) / (to[1] ^ 2 + to[2] ^ 2) ^ 0.5
                    if slope > steepest then
                        steepest, shares = slope, { 0, 0, 0, 0, 0, 0, 0, 0 }
                        shares[i] = 1
                    end
                end
            end
        end
        for i, share in ipairs(shares or {}) do
            if share > 0 then
                local to = cell + ring[i][1] + width * ring[i][2]
                area[to] = area[to] + area[cell] * share
            end
        end
    end
    return area
end

-- The share of cells whose area is off by more than a thousandth.
local function share_off(land, method)
    local expected, off = drained(land, method), 0
    local found = land:flow_accumulation{ method = method, sea_level = -1e9 }
    for i = 0, land.width * land.height - 1 do
        local area = found:get(i % land.width, i // land.width)
        off = off + (math.abs(area - expected[i]) > 1e-3 * expected[i] and 1 or 0)
    end
    return off / (land.width * land.height)
end

function TestFlow.test_areas_of_a_cone_and_of_real_land()
    local cone = esker.field{
        width = 90, height = 70,
        values = function(x, y) return 500 - ((x - 43.17) ^ 2 + (y - 35.59) ^ 2) ^ 0.5 end,
    }
    -- Whole metres would leave ties, which any neighbour may win.
    local metres = esker.load("examples/data/ridge.png", { high = 65535 })
    local real = (metres + esker.field{ size = 96, values = function(x, y) return (x * 37 + y * 61) % 97 / 1000 end })
        :fill{ slope = 0.5 }
    for name, land in pairs{ cone = cone, real = real } do
        for _, method in ipairs{ "d8", "dinf" } do
            local off = share_off(land, method)
            lu.assertTrue(off <= 0.002, ("%s, %s: %.4f of the cells are off"):format(name, method, off))
        end
    end
end

-- Through pits water runs as over the ground that fills them; all of it leaves.
function TestFlow.test_pits_and_flats_lose_no_water()
    local land = esker.load("examples/data/ridge.png", { high = 65535 })
    local filled = land:fill{}
    for _, method in ipairs{ "d8", "dinf" } do
        local over_pits = land:flow_accumulation{ method = method }
        local over_flats = filled:flow_accumulation{ method = method }
        local total = 0
        for y = 0, 95 do
            for x = 0, 95 do
                local border = x == 0 or y == 0 or x == 95 or y == 95
                lu.assertAlmostEquals(over_pits:get(x, y), over_flats:get(x, y), 1e-3)
                local falls = false
                for _, to in ipairs(ring) do
                    local to_x, to_y = x + to[1], y + to[2]
                    falls = falls or (to_x >= 0 and to_y >= 0 and to_x < 96 and to_y < 96
                        and filled:get(to_x, to_y) < filled:get(x, y))
                end
                total = total + (border and not falls and over_pits:get(x, y) or 0)
            end
        end
        lu.assertAlmostEquals(total, 96 * 96, 0.1)
    end
end

-- A valley that falls to the east, with a deep lake across it: what flows in flows out, and on to the border.
function TestFlow.test_rivers_run_through_lakes()
    local land = esker.field{ width = 120, height = 60, values = function(x, y)
        local lake = (x - 60) ^ 2 + (y - 30) ^ 2 < 18 ^ 2 and 0.4 or 0
        return 2 - x / 120 + ((y - 30) / 60) ^ 2 - lake
    end }
    local _, lakes = land:lakes{ rain = 1 }
    local rivers = land:rivers_from_flow{ threshold = 0.02 }
    local entered, outlets, mouths = 0, {}, 0
    for _, reach in ipairs(rivers:reaches()) do
        for k = 2, #reach do
            local function wet(point)
                return lakes:get(math.min(point.x // 1 | 0, 119), math.min(point.y // 1 | 0, 59)) > 0
            end
            entered = entered + (not wet(reach[k - 1]) and wet(reach[k]) and 1 or 0)
            if wet(reach[k - 1]) and not wet(reach[k]) then
                outlets[reach[k].x .. " " .. reach[k].y] = true
            end
            lu.assertTrue(reach[k].altitude <= reach[k - 1].altitude)
            lu.assertTrue(reach[k].area >= reach[k - 1].area)
        end
        mouths = mouths + (reach.downstream and 0 or 1)
    end
    lu.assertTrue(entered > 0)
    lu.assertEquals(outlets, { ["78.5 30.5"] = true })
    lu.assertEquals(mouths, 1)
end

-- A lake spills over one cell, from which ways lead into a pit and off the map: it takes the lower one.
function TestFlow.test_lakes_spill_into_the_lowest_neighbour()
    local function spill(to_pit, to_border, turned)
        local rows = {
            { 9, 9, 9, 9, 9, 9, 1, 9 },
            { 9, 9, 9, 9, 9, 9, 2, 9 },
            { 9, 9, 9, 9, 9, 9, 3, 9 },
            { 9, 9, 9, 9, 9, to_border, 9, 9 },
            { 9, 9, 2, 3, 5, 9, 9, 9 },
            { 9, 9, 9, 9, 9, to_pit, 9, 9 },
            { 9, 9, 9, 9, 9, 9, 1, 9 },
            { 9, 9, 9, 9, 9, 9, 9, 9 },
        }
        local land = esker.field{ size = 8, values = function(x, y) return rows[y + 1][x + 1] end }
        local rain = esker.field{ size = 8, values = function(x, y) return x == 2 and y == 4 and 1 or 0 end }
        if turned then
            land, rain = land:flip{ axis = "diagonal" }, rain:flip{ axis = "diagonal" }
        end
        local level, _, _, _, _, lost = land:lakes{ rain = 6, rain_map = rain }
        return level:get(6, 6), lost
    end
    for _, turned in ipairs{ false, true } do
        lu.assertEquals({ spill(4, 4.5, turned) }, { 2, 0 })
        lu.assertEquals({ spill(4.5, 4, turned) }, { 1, 1 })
    end
end

-- Too little rain to fill the lake of a valley: rivers come in over its shore, and none goes out.
function TestFlow.test_rivers_end_in_lakes_that_do_not_spill()
    local land = esker.field{ width = 120, height = 60, values = function(x, y)
        local lake = (x - 60) ^ 2 + (y - 30) ^ 2 < 18 ^ 2 and 0.4 or 0
        return 2 - x / 120 + ((y - 30) / 60) ^ 2 - lake
    end }
    for rain, spills in pairs{ [0.01] = false, [1] = true } do
        local _, lakes, outlets, _, _, _, closed = land:lakes{ rain = rain }
        lu.assertEquals(outlets:statistics().max > 0, spills)
        lu.assertTrue(closed == (spills and lakes * 0 or lakes))
        local rivers, reaching, leaving = (land - 4 * closed:clamp()):rivers_from_flow{ threshold = 0.02 }, 0, 0
        local function wet(point)
            return lakes:get(math.min(point.x // 1 | 0, 119), math.min(point.y // 1 | 0, 59)) > 0
        end
        for _, reach in ipairs(rivers:reaches()) do
            for k = 2, #reach do
                reaching = reaching + (not wet(reach[k - 1]) and wet(reach[k]) and 1 or 0)
                leaving = leaving + (wet(reach[k - 1]) and not wet(reach[k]) and 1 or 0)
            end
        end
        lu.assertTrue(reaching > 0)
        lu.assertEquals(leaving > 0, spills)
    end
end

-- With ticks at halves the legend would be wider by two letters.
TestLegends = {}

function TestLegends.test_whole_numbers_have_whole_ticks()
    local unit = require "luaunit"
    local orders = esker.field{ width = 2, height = 300, values = function(x, y) return 1 + (x + y) % 3 end }
    unit.assertTrue((orders + 0.0):colorize{ legend = true }.width
        < (orders + esker.field{ width = 2, height = 300, values = function(x) return x * 0.25 end })
        :colorize{ legend = true, low = 1, high = 3 }.width)
end

-- Of two lakes that spill over one cell, too.
function TestFlow.test_each_lake_is_closed_or_has_an_outlet()
    for _, seed in ipairs{ 1, 12, 19 } do
        local land = esker.noise{ size = 128, seed = seed, frequency = 6, gain = 0.42, wrap = false }:normalize()
        local _, lakes, outlets, _, _, _, closed = land:lakes{ rain = 0.02 }
        local found, count = {}, lakes:statistics().max
        for y = 0, 127 do
            for x = 0, 127 do
                local number = outlets:get(x, y)
                lu.assertTrue(number == 0 or not found[number])
                found[number] = true
            end
        end
        for y = 0, 127 do
            for x = 0, 127 do
                found[closed:get(x, y)] = true
            end
        end
        for number = 1, count do
            lu.assertTrue(found[number], ("lake %d of seed %d"):format(number, seed))
        end
    end
end

os.exit(lu.LuaUnit.run())
