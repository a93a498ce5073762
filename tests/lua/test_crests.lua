-- Crests of eroded land have valleys and spurs: what water lays down lies in valleys.

local esker = require "esker"
local lu = require "luaunit"

TestCrests = {}

-- The share of smooth ground, with less than a third of the mean angle, in the highest tenth of a field.
local function smooth_share(height)
    local angle, heights = height:gradient_angle(), {}
    local function each(visit)
        for y = 0, height.height - 1 do
            for x = 0, height.width - 1 do
                visit(height:get(x, y), angle:get(x, y))
            end
        end
    end
    each(function(own)
        heights[#heights + 1] = own
    end)
    table.sort(heights)
    local least, smooth = heights[#heights * 9 // 10], angle:statistics().mean / 3
    local high, count = 0, 0
    each(function(own, slope)
        high = high + (own > least and 1 or 0)
        count = count + (own > least and slope < smooth and 1 or 0)
    end)
    return count / high
end

function TestCrests.test_crests_are_not_smooth()
    for _, at in ipairs{ { seed = 5, x = 0.75, y = 0.25 }, { seed = 21, x = 0.3, y = 0.7 } } do
        local map = esker.river_map{ seed = at.seed, sea_level = -0.5 }
        local share = smooth_share((map:render{ zoom = 30, x = at.x, y = at.y, size = 256 }))
        lu.assertTrue(share < 0.15, ("seed %d: %g"):format(at.seed, share))
    end
end

os.exit(lu.LuaUnit.run())
