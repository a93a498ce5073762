-- Ground below the hillslope length: rough in some places and smooth in others, at any zoom, and it drains.
local kept_map = require "kept_map"
local lu = require "luaunit"
local tries = require "tries"

TestSoil = {}

local PLACES = { { seed = 31, landscape = "alps", x = 0.5, y = 0.5 },
    { seed = 104, landscape = "alps", x = 0.501, y = 0.4987 }, { seed = 7, landscape = "mixed", x = 0.6, y = 0.4 },
    { seed = 2, landscape = "hills", x = 0.42, y = 0.57 }, { seed = 31, landscape = "plains", x = 0.5, y = 0.5 } }

local SIZE, BLOCK = 256, 16

-- The bends of the ground in blocks of BLOCK² pixels, in order.
local function roughness_of(altitude)
    local bends = altitude:laplacian{}:abs()
    local blocks = {}
    for y = 0, SIZE - BLOCK, BLOCK do
        for x = 0, SIZE - BLOCK, BLOCK do
            blocks[#blocks + 1] = bends:crop{ x = x, y = y, width = BLOCK, height = BLOCK }:statistics().mean
        end
    end
    table.sort(blocks)
    return blocks
end

local function median(values)
    table.sort(values)
    return values[(#values + 1) // 2]
end

-- How much rarer and sharper the bends of the ground are than those of noise: their kurtosis, 0 for noise.
local function sharpness_of(altitude)
    local bends = altitude:laplacian{}
    local squares = (bends - bends:statistics().mean) ^ 2
    return (squares ^ 2):statistics().mean / squares:statistics().mean ^ 2 - 3
end

-- Just below the hillslope length slopes have gullies, so they bend as much as real ones at cells of 10 m, by 0.36 to
-- 0.61. Where streams ended there and creep was strong, it was 0.25 and 0.30.
function TestSoil.test_slopes_have_gullies()
    for _, place in ipairs{ { seed = 2, x = 0.421, y = 0.5747 }, { seed = 3, x = 0.4, y = 0.55 } } do
        local map = kept_map{ seed = place.seed, landscape = "hills" }
        local ground = map:render{ x = place.x, y = place.y, zoom = 1024, size = 128 }
        lu.assertTrue(ground:realism{ cell = 11.4 }.curvature > 0.36)
    end
end

-- Rough patches lie beside smooth ones, on swells. Equally rough and faint everywhere, slopes varied by a fifteenth;
-- without swells by 0.13 on level 17.
function TestSoil.test_ground_is_no_plane_at_any_zoom()
    local contrasts, sharp = {}, {}
    for _, level in ipairs(tries(1, { 17, 30, 60 })) do
        local variations = {}
        for _, place in ipairs(tries(3, PLACES)) do
            local map = kept_map{ seed = place.seed, landscape = place.landscape }
            local altitude = map:render{ x = place.x, y = place.y, zoom = 2.0 ^ level, size = SIZE, relative = true }
            local blocks, slope = roughness_of(altitude), altitude:gradient_angle{}:statistics()
            variations[#variations + 1] = slope.stddev / slope.mean
            sharp[#sharp + 1] = sharpness_of(altitude)
            contrasts[#contrasts + 1] = blocks[#blocks * 9 // 10] / blocks[#blocks // 10]
        end
        local variation = median(variations)
        print(("# level %d: slopes vary by %.2f"):format(level, variation))
        lu.assertTrue(variation > 0.15)
    end
    local contrast = median(contrasts)
    print(("# rough blocks bend %.2f times as much as smooth ones"):format(contrast))
    lu.assertTrue(contrast > 1.7)
    print(("# kurtosis of its bends: %.2f"):format(median(sharp)))
    lu.assertTrue(median(sharp) > 2)
end

-- When the first levels of soil closed the valleys of the smallest streams, plains got hollows of hectares, which four
-- steps did not fill: 0.15, 0.58, 1.34 % of these windows.
function TestSoil.test_plains_have_no_hollows_on_the_first_soil()
    local map = kept_map{ seed = 434378 }
    for _, level in ipairs(tries(2, { 10, 11, 9 })) do
        local cells = 2.0 ^ (8 + level) -- of the level, which the pixels are
        local x, y = 0.677738 * cells // 1 / cells, 0.50281 * cells // 1 / cells
        local altitude = map:render{ x = x, y = y, zoom = 2.0 ^ level, size = SIZE, relative = true }
        local raised = altitude:fill{ sea_level = altitude.frame.sea } - altitude
        local share = (raised:clamp{ high = 1e-6 } * 1e6):statistics().mean
        print(("# level %d: fill raises %.4f %%"):format(level, 100 * share))
        lu.assertTrue(share <= 0.002)
    end
end

-- Forms are in proportion to slopes, which the sea's floor counts as none.
function TestSoil.test_the_floor_of_the_sea_is_smooth()
    local map, x, y = kept_map{ seed = 1, landscape = "alps" }, 0.371419, 0.655623
    local wide = 3e6 / 4096 -- metres
    local floor = map:render{ x = x, y = y, zoom = 4096, size = 128, relative = true }:statistics()
    lu.assertTrue(floor.max - floor.min < wide)
end

os.exit(lu.LuaUnit.run())
