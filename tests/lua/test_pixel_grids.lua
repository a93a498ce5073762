-- Windows of one grid of pixels agree bit for bit, whatever the number of pixels along the map: whole, a fraction,
-- or a power of two that their sides do not divide.

local esker = require "esker"
local lu = require "luaunit"
local tries = require "tries"

TestPixelGrids = {}

local grids = { 3072, 1000, 366.3, 777, 1e6, 3 * 2 ^ 24 }

local function windows_agree(map, planet, count, name)
    local function window(pixels, left, top, side)
        return map:render{ x = (left + side / 2) / pixels, y = (top + side / 2) / pixels, zoom = pixels / side,
            size = side }
    end
    for i = 1, count do
        local pixels, off = grids[i % #grids + 1], ({ 0, 0.5, 0.3 })[i % 3 + 1]
        local down = 47 * i % 89 / 89
        local left = math.floor((pixels - 90) * (31 * i % 97) / 97) + off
        local top = math.floor((pixels - 90) * (planet and 0.3 + 0.3 * down or down)) + off + (planet and 20 or 0)
        local whole = table.pack(window(pixels, left, top, 64))
        local part = table.pack(window(pixels, left + 20, top + 11, 37))
        for k = 1, whole.n do
            lu.assertEquals(whole[k]:crop{ x = 20, y = 11, width = 37, height = 37 }:hash(), part[k]:hash(),
                ("%s, window %d, result %d"):format(name, i, k))
        end
    end
end

function TestPixelGrids.test_windows_of_raw_land_agree()
    for seed, options in ipairs{ {}, { rivers = false }, { wide = true }, { islands = true } } do
        options.land, options.seed = "raw", seed
        windows_agree(esker.river_map(options), false, tries(12, 24), "right " .. seed)
    end
    for _, tiling in ipairs{ "penrose", "scalene" } do
        windows_agree(esker.river_map{ tiling = tiling, land = "raw", seed = 5 }, false, 6, tiling)
    end
    for _, tiling in ipairs{ "sphere", "tetrahedra" } do
        windows_agree(esker.river_map{ tiling = tiling, land = "raw", seed = 5 }, true, 6, tiling)
    end
end

function TestPixelGrids.test_windows_of_eroded_land_agree()
    windows_agree(esker.river_map{ seed = 5 }, false, tries(3, 6), "flat")
    windows_agree(esker.river_map{ tiling = "sphere", seed = 5 }, true, tries(2, 6), "planet")
end

os.exit(lu.LuaUnit.run())
