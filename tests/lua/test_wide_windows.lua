-- Wide rivers are the same in all windows on one pixel grid: bit for bit, whichever channels a window sees. ESKER_SEEDS
-- maps of each tiling, rules and islands; more of them in `make check-long`.

local esker = require "esker"
local lu = require "luaunit"

local MAPS = tonumber(os.getenv "ESKER_SEEDS") or 4
local DEEPEST = 30 -- the pixels of a window of 64 at zoom 10^9 are 2^-36 of the map's side

local random = math.random

TestWideWindows = {}

-- `size` pixels from column x, row y on of the grid of 2^-depth of the map's side.
local function window(map, depth, x, y, size)
    local pixel = 2.0 ^ -depth
    return map:render{ x = (x + size / 2) * pixel, y = (y + size / 2) * pixel, size = size, zoom = 2.0 ^ depth / size }
end

-- A cell that has a river, if there is one after a few draws.
local function near_river(river)
    local x, y
    for _ = 1, 30 do
        x, y = random(0, 63), random(0, 63)
        if river:get(x, y) > 0 then
            break
        end
    end
    return x, y
end

-- Along the rivers down to `depth`, somewhere beside one.
local function find_window(map, depth)
    local x, y, at = 0, 0, 6
    while at < depth do
        local _, river = window(map, at, x, y, 64)
        local column, row = near_river(river)
        local deeper = math.min(random(1, 6), depth - at)
        local side = 1 << (at + deeper)
        local function shifted(cell)
            return math.max(0, math.min(side - 64, (cell << deeper) - random(-32, 96)))
        end
        x, y, at = shifted(x + column), shifted(y + row), at + deeper
    end
    return x, y
end

-- Windows of which one holds the other; returns what to tell if they differ.
local function compare(map, arguments, depth)
    local x, y = find_window(map, depth)
    local land, river = window(map, depth, x, y, 64)
    for _, size in ipairs{ 16, 24, 32, 48 } do
        local column, row = random(0, 64 - size), random(0, 64 - size)
        local part_land, part_river = window(map, depth, x + column, y + row, size)
        local box = { x = column, y = row, width = size, height = size }
        if land:crop(box) ~= part_land or river:crop(box) ~= part_river then
            return ("seed %d, river_width %.17g, depth %d, at %d, %d: window of %d at %d, %d differs by %g, %g"):format(
                arguments.seed, arguments.river_width, depth, x, y, size, column, row,
                (land:crop(box) - part_land):abs():statistics().max,
                (river:crop(box) - part_river):abs():statistics().max)
        end
    end
end

local function check(tiling, rules, islands)
    math.randomseed(#tiling, #rules + (islands and 1 or 0))
    local pairs_seen, differences = 0, {}
    for seed = 1, MAPS do
        local width = seed % 3 == 0 and 0.004 or 10 ^ -(1 + 3 * random())
        local arguments = { seed = seed, tiling = tiling, rules = rules, islands = islands, wide = true,
            river_width = width, land = "raw" }
        local map = esker.river_map(arguments)
        for _ = 1, 3 do
            differences[#differences + 1] = compare(map, arguments, random(7, DEEPEST + 6))
            pairs_seen = pairs_seen + 4
        end
    end
    local name = ("%s, %s%s"):format(tiling, rules, islands and ", islands" or "")
    print(("# %s: %d of %d windows differ"):format(name, #differences, pairs_seen))
    lu.assertEquals(#differences, 0, name .. ": " .. table.concat(differences, "\n", 1, math.min(#differences, 5)))
end

for _, tiling in ipairs{ "right", "penrose", "scalene" } do
    for _, rules in ipairs{ "mended", "paper" } do
        for _, islands in ipairs{ false, true } do
            TestWideWindows[("test_%s_%s_%s"):format(tiling, rules, islands and "islands" or "no_islands")] = function()
                check(tiling, rules, islands)
            end
        end
    end
end

os.exit(lu.LuaUnit.run())
