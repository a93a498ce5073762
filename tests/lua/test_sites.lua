-- Places to build on: level, apart, near what they need, and the best of all that there are.

local esker = require "esker"
local unit = require "luaunit"

TestSites = {}

local size <const> = 40

local function land(seed)
    return esker.spectral{ size = size, seed = seed }:normalize{}
end

local function steepest_around(field, x, y, wrap)
    local steepest = 0
    for _, way in ipairs{ { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
        local to_x, to_y = x + way[1], y + way[2]
        if wrap then to_x, to_y = to_x % size, to_y % size end
        if to_x >= 0 and to_y >= 0 and to_x < size and to_y < size then
            steepest = math.max(steepest, math.abs(field:get(x, y) - field:get(to_x, to_y)))
        end
    end
    return steepest
end

-- Every cell's score, as the description says, and the best that lie apart.
local function expected(field, case)
    local bad, scores = {}, {}
    local function is_bad(x, y)
        return steepest_around(field, x, y, case.wrap) > case.slope / size or field:get(x, y) < case.sea
            or case.avoid and case.avoid:get(x, y) >= 0.5
    end
    for y = 0, size - 1 do
        for x = 0, size - 1 do
            if is_bad(x, y) then bad[#bad + 1] = { x, y } end
        end
    end
    local function away(a, b)
        local apart = math.abs(a - b)
        return case.wrap and math.min(apart, size - apart) or apart
    end
    local function distance(x, y, cells)
        local nearest = math.huge
        for _, cell in ipairs(cells) do
            nearest = math.min(nearest, away(x, cell[1]) ^ 2 + away(y, cell[2]) ^ 2)
        end
        return math.sqrt(nearest)
    end
    for y = 0, size - 1 do
        for x = 0, size - 1 do
            local room = distance(x, y, bad) - 0.5
            if not case.wrap then room = math.min(room, math.min(x, y, size - 1 - x, size - 1 - y) + 0.5) end
            if room >= case.width / 2 then
                local need = case.near and distance(x, y, case.near) or 0
                scores[#scores + 1] = { x = x, y = y, score = (1 - case.width / (4 * room)) / (1 + need / case.width) }
            end
        end
    end
    table.sort(scores, function(a, b)
        if math.abs(a.score - b.score) > 1e-9 then return a.score > b.score end
        return a.y * size + a.x < b.y * size + b.x
    end)
    local chosen = {}
    for _, each in ipairs(scores) do
        local free = #chosen < case.count
        for _, other in ipairs(chosen) do
            free = free and away(each.x, other.x) ^ 2 + away(each.y, other.y) ^ 2 >= case.apart ^ 2
        end
        if free then chosen[#chosen + 1] = each end
    end
    return chosen
end

function TestSites.test_the_best_places_are_found()
    local marked = { { 10, 12 }, { 11, 12 }, { 30, 35 } }
    local near = esker.field{ size = size, values = 0 }
    for _, cell in ipairs(marked) do near:set(cell[1], cell[2], 1) end
    local avoid = esker.field{ size = size, values = function(x) return x > 30 and 1 or 0 end }
    for _, case in ipairs{ { slope = 2.5, width = 4, count = 6, apart = 9, sea = 0.2 },
        { slope = 3, width = 3, count = 4, apart = 6, sea = -1, near = marked },
        { slope = 3, width = 6, count = 20, apart = 3, sea = 0.3, avoid = avoid, wrap = true } } do
        local field = land(case.count)
        local points = field:sites{ slope = case.slope, size = case.width / size, count = case.count,
            apart = case.apart / size, sea_level = case.sea, near = case.near and near, avoid = case.avoid,
            wrap = case.wrap or false }
        local wanted = expected(field, case)
        unit.assertTrue(#wanted > 1, #wanted)
        unit.assertEquals(points.count, #wanted)
        for i, point in ipairs(points:list()) do
            unit.assertEquals({ point.x, point.y }, { wanted[i].x + 0.5, wanted[i].y + 0.5 }, i)
        end
    end
end

function TestSites.test_places_are_near_to_all_that_they_need()
    local flat = esker.field{ size = 64, values = 1, wrap = false }
    local function column(x)
        return esker.field{ size = 64, values = function(at) return at == x and 1 or 0 end }
    end
    local function best(near)
        return flat:sites{ count = 1, size = 0.1, near = near }:list()[1]
    end
    unit.assertEquals(best{ column(50) }.x, best(column(50)).x)
    local between, avoided = best{ column(20), column(30) }, best{ column(20), column(21) }
    unit.assertTrue(between.x > 20 and between.x < 31, between.x)
    unit.assertTrue(math.abs(avoided.x - 21) < 2, avoided.x)
    unit.assertAlmostEquals(between.attributes.near + between.attributes.near_2, 10 / 64, 1e-9)
    unit.assertNil(best(column(50)).attributes.near_2)
    unit.assertErrorMsgContains("near is 9 × 9", flat.sites, flat, { near = { esker.field{ size = 9, values = 0 } } })
end

function TestSites.test_steep_ground_and_the_sea_have_none()
    unit.assertEquals((land(1) * 100):sites{}.count, 0)
    unit.assertEquals(land(1):sites{ sea_level = 2 }.count, 0)
    unit.assertEquals(land(1):sites{ count = 0 }.count, 0)
    unit.assertEquals(land(1):sites{ size = 1 }.count, 0)
    local flat = esker.field{ size = 32, values = 1 }
    unit.assertEquals(flat:sites{ count = 1, size = 0.5 }:list()[1].x // 1, 15)
    unit.assertErrorMsgContains("size must be 0 to 1", flat.sites, flat, { size = 2 })
end

function TestSites.test_steeper_ground_is_taken_where_there_are_too_few()
    local field = land(3)
    local few = field:sites{ slope = 1.5, size = 4 / size, count = 6, wrap = false }:list()
    local more = field:sites{ slope = 1.5, size = 4 / size, count = 6, steeper = 4, wrap = false }:list()
    unit.assertTrue(#few < 6, #few)
    unit.assertEquals(#more, 6)
    local last = 1
    for i, point in ipairs(more) do
        local steepness = point.attributes.steepness
        unit.assertTrue(steepness >= last and steepness <= 4)
        unit.assertEquals(few[i] and { few[i].x, few[i].y } or nil, few[i] and { point.x, point.y })
        for y = 0, size - 1 do
            for x = 0, size - 1 do
                if math.sqrt((x + 0.5 - point.x) ^ 2 + (y + 0.5 - point.y) ^ 2) < point.radius - 0.5 then
                    unit.assertTrue(steepest_around(field, x, y) <= steepness * 1.5 / size + 1e-6)
                end
            end
        end
        last = steepness
    end
    unit.assertTrue(last > 1)
    unit.assertEquals((field - 2):sites{ steeper = 1e4 }.count, 0) -- never the sea
end

function TestSites.test_the_sea_is_no_room_to_play()
    local coast = esker.field{ size = 32, values = function(x) return x < 16 and -0.1 or 0.5 end }
    local play = coast:playability{ unit_slope = 1e4, building_slope = 1e4 }
    unit.assertEquals(play.units:crop{ x = 0, y = 0, width = 16, height = 32 }:statistics().max, 0)
    unit.assertEquals(play.units:get(20, 20), 1)
    local dry = coast:playability{ unit_slope = 1e4, building_slope = 1e4, sea_level = -1 }
    unit.assertEquals(dry.units:get(4, 4), 1)
end

os.exit(unit.LuaUnit.run())
