-- Crests of eroded land have valleys and spurs: what water lays down lies in valleys.

local esker = require "esker"
local lu = require "luaunit"

TestCrests = {}

-- The share of smooth ground, with less than a third of the mean angle, in the highest tenth of a field.
local function smooth_share(height)
    local angle = height:gradient_angle()
    local smooth, heights, high, count = angle:statistics().mean / 3, {}, 0, 0
    for y = 0, height.height - 1 do
        for x = 0, height.width - 1 do
            heights[#heights + 1] = height:get(x, y)
        end
    end
    table.sort(heights)
    local least = heights[#heights * 9 // 10]
    for y = 0, height.height - 1 do
        for x = 0, height.width - 1 do
            if height:get(x, y) > least then
                high = high + 1
                count = count + (angle:get(x, y) < smooth and 1 or 0)
            end
        end
    end
    return count / high
end

function TestCrests.test_crests_are_not_smooth()
    for _, at in ipairs{ { seed = 5, x = 0.75, y = 0.25 }, { seed = 21, x = 0.3, y = 0.7 } } do
        local map = esker.river_map{ seed = at.seed, sea_level = -0.5 }
        local share = smooth_share((map:render{ zoom = 30, x = at.x, y = at.y, size = 256 }))
        lu.assertTrue(share < 0.1, ("seed %d: %g"):format(at.seed, share))
    end
end

os.exit(lu.LuaUnit.run())
