-- Seas of eroded land: rivers end in the open sea, or in an inland sea that is large and far from it.

local esker = require "esker"
local lu = require "luaunit"

TestStraits = {}

local SIDE = 256

-- The cells of each sea that does not reach the map's edge, as lists.
local function closed_seas(altitude)
    local seen, seas = {}, {}
    local function is_sea(x, y)
        return altitude:get(x, y) < 0
    end
    for start = 0, SIDE * SIDE - 1 do
        if not seen[start] and is_sea(start % SIDE, start // SIDE) then
            local sea, open, done = { start }, false, 0
            seen[start] = true
            while done < #sea do
                done = done + 1
                local x, y = sea[done] % SIDE, sea[done] // SIDE
                for _, step in ipairs{ { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
                    local to_x, to_y = x + step[1], y + step[2]
                    local beside = to_y * SIDE + to_x
                    if to_x < 0 or to_y < 0 or to_x >= SIDE or to_y >= SIDE then
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

function TestStraits.test_small_seas_and_those_near_the_open_sea_are_open()
    for _, seed in ipairs{ 2, 5, 8, 17, 21, 24 } do
        lu.assertEquals(closed_seas((esker.river_map{ seed = seed }:render{ size = SIDE })), {}, "seed " .. seed)
    end
end

-- An inland sea far from the coast remains, with the rivers around it.
function TestStraits.test_large_inland_seas_remain()
    local seas = closed_seas((esker.river_map{ seed = 7 }:render{ size = SIDE }))
    lu.assertEquals(#seas, 2)
    lu.assertTrue(#seas[1] > 100 and #seas[2] > 100)
end

-- A guide's seas are as drawn.
function TestStraits.test_a_guide_keeps_its_lakes()
    local guide = esker.field{ size = 65, values = function(x, y)
        return ((x - 32) ^ 2 + (y - 32) ^ 2) ^ 0.5 < 3 and -0.1 or 0.2 + 0.001 * (x + y)
    end }
    lu.assertEquals(#closed_seas((esker.river_map{ guide = guide }:render{ size = SIDE })), 1)
end

os.exit(lu.LuaUnit.run())
