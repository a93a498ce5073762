-- landscape = "islands": several islands of several sizes on every map, with the sea around them; the other promises of
-- eroded land hold.

local esker = require "esker"
local lu = require "luaunit"

-- Sizes of islands, the largest first, in cells, from a flow, which is 0 in the sea.
local function islands_of(flow, wraps)
    local width, height = flow.width, flow.height
    local seen, sizes = {}, {}
    for start = 0, width * height - 1 do
        local stack, count = {}, 0
        local function visit(x, y)
            x = wraps and x % width or x
            local cell = y * width + x
            if x >= 0 and y >= 0 and x < width and y < height and not seen[cell] and flow:get(x, y) > 0 then
                seen[cell], count = true, count + 1
                stack[#stack + 1] = cell
            end
        end
        visit(start % width, start // width)
        while #stack > 0 do
            local cell = table.remove(stack)
            local x, y = cell % width, cell // width
            visit(x - 1, y)
            visit(x + 1, y)
            visit(x, y - 1)
            visit(x, y + 1)
        end
        if count > 0 then
            sizes[#sizes + 1] = count
        end
    end
    table.sort(sizes, function(a, b) return a > b end)
    return sizes
end

local function sum(sizes)
    local total = 0
    for _, size in ipairs(sizes) do
        total = total + size
    end
    return total
end

local function islands(more)
    local given = { seed = 1, landscape = "islands" }
    for name, value in pairs(more or {}) do
        given[name] = value
    end
    return esker.river_map(given)
end

TestIslands = {}

function TestIslands.test_several_islands_of_several_sizes()
    for seed = 1, 4 do
        local _, _, flow = islands{ seed = seed }:render{ size = 256 }
        local sizes = islands_of(flow)
        local land = sum(sizes)
        lu.assertTrue(land > 0.05 * 256 ^ 2 and land < 0.3 * 256 ^ 2, seed .. ": " .. land)
        lu.assertTrue(#sizes >= 40, seed .. ": " .. #sizes)
        lu.assertTrue(sizes[1] < 0.65 * land, seed .. ": " .. sizes[1])
        lu.assertTrue(sizes[1] > 10 * sizes[8], seed .. ": " .. sizes[8])
    end
end

function TestIslands.test_no_land_lies_on_the_border()
    local _, _, flow = islands{ seed = 2 }:render{ size = 256 }
    for i = 0, 255 do
        lu.assertEquals(flow:get(i, 0) + flow:get(i, 255) + flow:get(0, i) + flow:get(255, i), 0)
    end
end

function TestIslands.test_rivers_end_in_the_sea()
    local rivers = islands{ seed = 6 }:rivers{ size = 256 }:reaches()
    local ends = 0
    for _, reach in ipairs(rivers) do
        if not reach.downstream then
            ends = ends + 1
            lu.assertTrue(reach.mouth)
        end
    end
    lu.assertTrue(ends > 10, ends)
end

function TestIslands.test_windows_agree()
    local map, where = islands{ seed = 3 }, { x = 0.25, y = 0.75, zoom = 16, size = 96 }
    local whole = map:render(where)
    local part = islands{ seed = 3 }:render{ x = 0.25, y = 0.75, zoom = 32, size = 48 }
    lu.assertTrue(part == whole:crop{ x = 24, y = 24, width = 48, height = 48 })
end

function TestIslands.test_the_sea_rises()
    local function land(sea_level)
        local _, _, flow = islands{ sea_level = sea_level }:render{ size = 128 }
        return sum(islands_of(flow))
    end
    lu.assertTrue(land(0.1) < land(0) and land(0) < land(-0.1))
end

function TestIslands.test_planets()
    local _, _, flow = islands{ tiling = "sphere" }:render{ width = 256, height = 128 }
    local sizes = islands_of(flow, true)
    lu.assertTrue(#sizes >= 8, #sizes)
    lu.assertTrue(sizes[1] < 0.7 * sum(sizes), sizes[1])
end

function TestIslands.test_a_guide_says_where_land_is()
    local guide = esker.spectral{ seed = 1, size = 64 }
    local function seas(landscape)
        local map = esker.river_map{ seed = 1, guide = guide - 0.5, relief = 1000, landscape = landscape }
        local _, _, flow = map:render{ size = 64 }
        return flow:clamp{ high = 1e-30 }
    end
    lu.assertTrue(seas("islands") == seas("hills"))
end

os.exit(lu.LuaUnit.run())
