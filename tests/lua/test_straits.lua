-- Seas of eroded land: rivers end in the open sea, or in an inland sea that is large and far from it
-- (tests/land/test_closed_seas.c).

local esker = require "esker"
local kept_map = require "kept_map"
local lu = require "luaunit"
local tries = require "tries"

TestStraits = {}

local SIDE = 256

local STEPS = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }

-- The cells of each sea that does not reach the field's edge, as lists.
local function closed_seas(altitude)
    local side, seen, seas = altitude.width, {}, {}
    local function is_sea(x, y)
        return altitude:get(x, y) < 0
    end
    for start = 0, side * side - 1 do
        if not seen[start] and is_sea(start % side, start // side) then
            local sea, open, done = { start }, false, 0
            seen[start] = true
            while done < #sea do
                done = done + 1
                local x, y = sea[done] % side, sea[done] // side
                for _, step in ipairs(STEPS) do
                    local to_x, to_y = x + step[1], y + step[2]
                    local beside = to_y * side + to_x
                    if to_x < 0 or to_y < 0 or to_x >= side or to_y >= side then
                        open = true
                    elseif not seen[beside] and is_sea(to_x, to_y) then
                        seen[beside] = true
                        sea[#sea + 1] = beside
                    end
                end
            end
            seas[#seas + 1] = not open and sea or nil
        end
    end
    return seas
end

-- Eleven of these maps had seas of up to 884 cells of level 0, into which up to a third of their land drained.
function TestStraits.test_only_large_seas_amid_land_are_closed()
    local maps = { { 2, "mixed" }, { 11, "mesa" }, { 12, "hills" }, { 30, "alps" }, { 36, "hills" },
        { 38, "alps" }, { 39, "mesa" }, { 43, "mesa" }, { 51, "mesa" }, { 53, "mixed" }, { 104, "alps" },
        { 104, "hills" } }
    for _, at in ipairs(tries(2, maps)) do
        local map = esker.river_map{ seed = at[1], landscape = at[2] }
        for _, sea in ipairs(closed_seas((map:render{ size = SIDE }))) do
            lu.assertTrue(#sea >= 1000, ("%d cells in seed %d"):format(#sea, at[1]))
        end
    end
end

-- Pixels that are no cells are means of cells, which part straits of a cell's width: 210 seas were closed.
function TestStraits.test_straits_stay_open_between_cells()
    for _, seed in ipairs(tries(1, { 2, 5, 8, 17, 21, 24 })) do
        local map = esker.river_map{ seed = seed }
        for _, size in ipairs{ 250, 200, 137 } do
            lu.assertEquals(closed_seas((map:render{ size = size })), {}, ("seed %d, %d"):format(seed, size))
        end
    end
end

-- How many seas of the finer of two fields, of the same window, are closed without a pixel in a closed sea of the
-- coarser one.
local function newly_closed(coarse, fine)
    local were_closed, side, count = {}, fine.width, 0
    for _, sea in ipairs(closed_seas(coarse)) do
        for _, cell in ipairs(sea) do
            were_closed[cell] = true
        end
    end
    for _, sea in ipairs(closed_seas(fine)) do
        local before = false
        for _, cell in ipairs(sea) do
            before = before or were_closed[cell // side // 2 * (side // 2) + cell % side // 2]
        end
        count = count + (before and 0 or 1)
    end
    return count
end

-- 24 where finer levels close straits, begin new seas and let streams and their deltas part water; now none.
function TestStraits.test_finer_levels_close_no_sea()
    local count = 0
    local places = { { 31, "mixed", 0.5795, 0.532067, 256 }, { 31, "mixed", 0.5795, 0.532067, 64 },
        { 31, "mixed", 0.5795, 0.532067, 16 }, { 3720285793, "mixed", 0.7666, 0.5566, 4 },
        { 1670468338, "alps", 0.6641, 0.5391, 4 }, { 199935933, "mixed", 0.5, 0.5, 1 }, { 31, "mesa", 0.5, 0.5, 1 },
        { 891243790, "mixed", 0.5, 0.5, 1 }, { 7, "hills", 0.5, 0.5, 1 } }
    for _, at in ipairs(tries(2, places)) do
        local map, cells = kept_map{ seed = at[1], landscape = at[2] }, SIDE * at[5]
        local where = { x = at[3] * cells // 1 / cells, y = at[4] * cells // 1 / cells, zoom = at[5], size = SIDE }
        local coarse = map:render(where)
        where.size = 2 * SIDE
        count = count + newly_closed(coarse, (map:render(where)))
    end
    lu.assertEquals(count, 0)
end

-- A guide's seas are as drawn.
function TestStraits.test_a_guide_keeps_its_lakes()
    local guide = esker.field{ size = 65, values = function(x, y)
        return ((x - 32) ^ 2 + (y - 32) ^ 2) ^ 0.5 < 3 and -0.1 or 0.2 + 0.001 * (x + y)
    end }
    lu.assertEquals(#closed_seas((esker.river_map{ guide = guide, relief = 4000 }:render{ size = SIDE })), 1)
end

os.exit(lu.LuaUnit.run())
