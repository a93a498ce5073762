-- A window of 2048² is its four quarters of 1024² at twice the zoom, to the bit, for every tiling and variant.

local esker = require "esker"
local unit = require "luaunit"

TestWindows = {}

local variants = {
    { "right", {} }, { "islands", { islands = true } }, { "penrose", { tiling = "penrose" } },
    { "scalene", { tiling = "scalene" } }, { "raw", { land = "raw", islands = true } },
    { "paper", { rules = "paper", islands = true } }, { "wide", { land = "raw", wide = true } },
    { "raw penrose", { land = "raw", tiling = "penrose" } }, { "raw scalene", { land = "raw", tiling = "scalene" } },
    { "wide penrose", { land = "raw", tiling = "penrose", wide = true } },
    { "wide scalene", { land = "raw", tiling = "scalene", wide = true } },
    { "sphere", { tiling = "sphere" } }, { "raw sphere", { land = "raw", tiling = "sphere" } },
    { "raw tetrahedra", { land = "raw", tiling = "tetrahedra" } },
}

local function check_quarters(map, name, zoom)
    local x, y = 0.40625, 0.53125
    local whole = { map:render{ x = x, y = y, zoom = zoom, size = 2048 } }
    for quarter = 0, 3 do
        local column, row = quarter % 2, quarter // 2
        local part = { map:render{ x = x + (column - 0.5) / (2 * zoom), y = y + (row - 0.5) / (2 * zoom),
            zoom = 2 * zoom, size = 1024 } }
        for i = 1, #whole do
            local cut = whole[i]:crop{ x = column * 1024, y = row * 1024, width = 1024, height = 1024 }
            unit.assertEquals(cut:hash(), part[i]:hash(), ("%s at zoom %g, quarter %d"):format(name, zoom, quarter))
        end
    end
end

function TestWindows.test_quarters_of_a_window_are_windows()
    for _, variant in ipairs(variants) do
        variant[2].seed = 3
        local map = esker.river_map(variant[2])
        for _, zoom in ipairs{ 4, 32, 2 ^ 20 } do
            check_quarters(map, variant[1], zoom)
        end
    end
end

os.exit(unit.LuaUnit.run())
