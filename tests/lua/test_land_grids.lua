-- Windows of eroded land agree bit for bit on any grid of pixels, not only on those of powers of two.

local esker = require "esker"
local lu = require "luaunit"
local tries = require "tries"

TestLandGrids = {}

-- As decimal digits, more than numbers hold.
local function decimal(numerator, denominator)
    local digits = {}
    for i = 1, 40 do
        numerator = numerator * 10
        digits[i] = numerator // denominator
        numerator = numerator % denominator
    end
    return "0." .. table.concat(digits)
end

-- `size` pixels of a grid that has `side` of them along the map, from a column and row on, which lie `tenths` of a
-- pixel off the grid from the map's corner.
local function window(grid, column, row, size)
    local function place(first)
        return decimal(10 * (2 * first + size) + 2 * grid.tenths, 20 * grid.side)
    end
    local altitude, river, flow = grid.map:render{ x = place(column), y = place(row), zoom = grid.side / size,
        size = size }
    return { altitude = altitude, river = river, flow = flow }
end

local function check(grid, name)
    local column, row = math.random(grid.side // 5, grid.side * 4 // 5), math.random(grid.side // 5, grid.side * 4 // 5)
    local right, down = math.random(0, 30), math.random(0, 30)
    local whole, part = window(grid, column, row, 60), window(grid, column + right, row + down, 30)
    for what, field in pairs(whole) do
        lu.assertTrue(field:crop{ x = right, y = down, width = 30, height = 30 } == part[what], name .. ", " .. what)
    end
end

-- Sides with small odd factors, where many pixels lie exactly between cells, or between parts of cells.
function TestLandGrids.test_windows_agree_on_grids_of_no_power_of_two()
    math.randomseed(1)
    for seed, factor in ipairs(tries(2, { 15, 45, 75, 105, 135, 225 })) do
        for _, doublings in ipairs(tries(2, seed == 1 and { 4, 14, 8 } or { 4, 8, 14 })) do
            local grid = { map = esker.river_map{ seed = seed }, side = factor << doublings, tenths = seed % 2 * 3 }
            check(grid, ("seed %d, %d pixels"):format(seed, grid.side))
        end
    end
end

os.exit(lu.LuaUnit.run())
