-- `amplify`: finer fields whose means are the coarse one's, with detail that water has shaped.

local esker = require "esker"
local lu = require "luaunit"

TestAmplify = {}

local function noise(size, seed)
    local land = esker.spectral{ size = size, seed = seed or 1, persistence = 0.45 }
    land.wraps = false
    return land
end

local function relief(land)
    local statistics = land:statistics()
    return statistics.max - statistics.min
end

-- The greatest difference between the means of blocks and the field that they come from, in its relief.
local function drift(finer, land)
    local off = (finer:resize{ width = land.width, height = land.height } - land):statistics()
    return math.max(off.max, -off.min) / relief(land)
end

local function difference(a, b)
    return ((a - b) * (a - b)):statistics().mean ^ 0.5
end

function TestAmplify.test_means_stay_those_of_the_field()
    local tilted = esker.field{ width = 37, height = 22, values = function(x, y) return x * 0.01 + y % 5 * 0.02 end }
    local island = noise(48, 3) - 0.5
    for _, land in ipairs{ noise(40), tilted, island, noise(40, 4) * 1000 + 5000 } do
        for levels = 1, 3 do
            local finer = land:amplify{ levels = levels, detail = 2 }
            lu.assertEquals({ finer.width, finer.height }, { land.width << levels, land.height << levels })
            lu.assertTrue(drift(finer, land) < 1e-5)
        end
    end
    lu.assertTrue(drift(noise(16):amplify{ levels = 4 }, noise(16)) < 1e-5)
end

-- Its mean stays, so that a cell at the level of the sea becomes level.
function TestAmplify.test_where_there_is_no_sea_none_appears()
    for seed = 1, 3 do
        for detail = 0, 4, 4 do
            local land = noise(24, seed):normalize{}
            local finer = land:amplify{ levels = 2, detail = detail }
            lu.assertEquals(finer:statistics().min, 0.0)
            lu.assertTrue(drift(finer, land) < 1e-5)
        end
    end
end

-- The ground beside falls to it: no square with steep sides, across which steps are 1.8 times as high as elsewhere.
function TestAmplify.test_a_level_cell_has_no_steep_sides()
    local across, count = 0, 0
    for seed = 1, 6 do
        local land = noise(24, seed):normalize{}
        local finer = land:amplify{ levels = 3 }
        local mean = difference(finer:crop{ width = 191, height = 192 }, finer:crop{ x = 1, width = 191, height = 192 })
        for at = 0, 24 * 24 - 1 do
            local x, y = at % 24 * 8, at // 24 * 8
            for i = 0, land:get(at % 24, at // 24) == 0 and 7 or -1 do
                for _, side in ipairs{ { x + i, y - 1 }, { x + i, y + 8 }, { x - 1, y + i }, { x + 8, y + i } } do
                    local u, v = math.max(x, math.min(side[1], x + 7)), math.max(y, math.min(side[2], y + 7))
                    local step = finer:get(side[1] % 192, side[2] % 192) - finer:get(u, v)
                    across, count = across + math.abs(step) / mean, count + 1
                end
            end
        end
    end
    lu.assertEquals(count, 6 * 32)
    lu.assertTrue(across / count < 1.3, across / count)
end

-- The coast crosses cells that touch the sea, no others; over edges that meet, too.
function TestAmplify.test_land_that_touches_no_sea_gets_none()
    for _, wrap in ipairs{ false, true } do
        local sea_level, inland, wet = 0.4, 0, 0
        local land = esker.spectral{ size = 32, seed = 5, persistence = 0.6 }
        local finer = land:amplify{ levels = 2, sea_level = sea_level, detail = 3, wrap = wrap }
        local function is_dry(x, y)
            local inside = x >= 0 and y >= 0 and x < 32 and y < 32
            return not inside and not wrap or land:get(x % 32, y % 32) >= sea_level
        end
        local function is_inland(x, y)
            local all = true
            for v = y - 1, y + 1 do
                for u = x - 1, x + 1 do
                    all = all and is_dry(u, v)
                end
            end
            return all
        end
        for y = 0, 127 do
            for x = 0, 127 do
                local below = finer:get(x, y) < sea_level
                if is_inland(x // 4, y // 4) then
                    inland = inland + 1
                    lu.assertFalse(below, ("%d, %d"):format(x, y))
                elseif is_dry(x // 4, y // 4) and below then
                    wet = wet + 1
                end
            end
        end
        lu.assertTrue(inland > 1000 and wet > 100, inland .. " inland, on the coast " .. wet)
        lu.assertTrue(drift(finer, land) < 1e-5)
    end
end

-- A polynomial of degree 6 has, over the halves of a cell, the means that its means over cells tell: away from the
-- borders.
function TestAmplify.test_without_detail_it_is_a_smooth_refinement()
    local function mean(from, to) -- of t^6 - t^3 between
        return ((to ^ 7 - from ^ 7) / 7 - (to ^ 4 - from ^ 4) / 4) / (to - from)
    end
    local function means(size)
        return esker.field{ size = size, values = function(x) return mean(x / size, (x + 1) / size) end }
    end
    local finer = means(32):amplify{ levels = 1, detail = 0 }
    lu.assertTrue(difference(finer:crop{ x = 8, width = 48 }, means(64):crop{ x = 8, width = 48 }) < 2e-7)
    lu.assertTrue(difference(finer, means(64)) < 1e-3)
end

-- Streams run on through the detail: it makes no hollows, of which as much detail in other places makes many.
function TestAmplify.test_detail_drains()
    for seed = 1, 3 do
        local land = esker.spectral{ size = 64, seed = seed, persistence = 0.35 }:fill{ slope = 0.3 }
        local finer, smooth = land:amplify{ seed = seed }, land:amplify{ detail = 0 }
        local elsewhere = smooth + (finer - smooth):crop{ x = 97, y = 61, wrap = true }
        local hollows = finer:realism{}.hollows
        lu.assertTrue(hollows <= smooth:realism{}.hollows)
        lu.assertTrue(elsewhere:realism{}.hollows > 2 * hollows)
    end
end

-- Octave by octave as strong as the field's own octaves, continued; of that 0.78 and 0.55.
function TestAmplify.test_detail_has_the_strength_that_the_octaves_lead_to_expect()
    local land = noise(64, 5)
    local function octave(finer)
        local coarse = finer:resize{ size = finer.width // 2 }
        return difference(finer, coarse:amplify{ levels = 1, detail = 0 }), coarse
    end
    local own, half = octave(land)
    local ratio = own / octave(half)
    local expected = {}
    for level = 1, 3 do
        ratio = 0.2 + 0.5 * ratio
        own = own * ratio
        expected[level] = own * (level == 1 and 0.78 or 0.55)
    end
    local finer = land:amplify{ levels = 3 }
    for level = 3, 1, -1 do
        local strength, coarse = octave(finer)
        lu.assertAlmostEquals(strength / expected[level], 1, 0.01)
        finer = coarse
    end
end

-- What help tells users of a drawing to do: its own octaves lead to expect nothing.
function TestAmplify.test_a_sketch_gets_detail_once_it_is_shaped()
    local sketch = esker.field{
        size = 48,
        values = function(x, y) return 0.8 - 2 * ((x / 48 - 0.5) ^ 2 + (y / 48 - 0.5) ^ 2) ^ 0.5 end,
    }
    local function detail(land)
        return difference(land:amplify{ levels = 2 }, land:amplify{ levels = 2, detail = 0 })
    end
    lu.assertTrue(detail(sketch:stream_erosion{ age = 0.4 }) > 10 * detail(sketch))
end

-- Land made fine, then coarse, then fine again lies closer to what it was than by cubic interpolation.
function TestAmplify.test_it_is_closer_to_finer_land_than_cubic_interpolation()
    for seed = 1, 2 do
        local fine = noise(32, seed):amplify{ levels = 3, seed = seed }
        local coarse = fine:resize{ size = 64 }
        local cubic = coarse:resize{ size = 256, interpolation = "cubic" }
        lu.assertTrue(difference(coarse:amplify{ levels = 2, seed = 9 }, fine) < difference(cubic, fine))
    end
end

function TestAmplify.test_edges_that_meet_go_on_meeting()
    local land = esker.spectral{ size = 64, seed = 2, persistence = 0.45 }
    local finer = land:amplify{ levels = 2 }
    lu.assertTrue(finer.wraps)
    lu.assertTrue(drift(finer, land) < 1e-5)
    -- Across the edges neighbours differ as elsewhere.
    local function steps(x)
        local sum = 0
        for y = 0, 255 do
            sum = sum + math.abs(finer:get((x + 1) % 256, y) - finer:get(x, y))
                + math.abs(finer:get(y, (x + 1) % 256) - finer:get(y, x))
        end
        return sum
    end
    local mean = 0
    for x = 3, 253, 2 do
        mean = mean + steps(x) / 126
    end
    lu.assertTrue(steps(255) < 1.5 * mean)
    land.wraps = false
    lu.assertFalse(land:amplify{ levels = 1 }.wraps)
    lu.assertTrue(land:amplify{ levels = 1, wrap = true }.wraps)
end

function TestAmplify.test_units_do_not_matter()
    local land = noise(32)
    lu.assertTrue(difference((land * 1024):amplify{ levels = 2 } / 1024, land:amplify{ levels = 2 }) == 0)
    lu.assertTrue(difference((land + 8):amplify{ levels = 2 } - 8, land:amplify{ levels = 2 }) < 1e-3) -- rounding
end

function TestAmplify.test_seeds_threads_and_degenerate_fields()
    local land = noise(48, 8)
    local hash = land:amplify{ seed = 1, levels = 2 }:hash()
    lu.assertNotEquals(land:amplify{ seed = 2, levels = 2 }:hash(), hash)
    local usual = esker.threads()
    for _, threads in ipairs{ 1, 2, 5 } do
        esker.threads(threads)
        lu.assertEquals(land:amplify{ seed = 1, levels = 2 }:hash(), hash)
    end
    esker.threads(usual)
    local function field(width, height, values)
        return esker.field{ width = width, height = height, values = values }
    end
    for _, odd in ipairs{ field(9, 9, 0.5), field(1, 1, 2), field(1, 40, function(_, y) return y end),
        field(40, 1, function(x) return x end), field(4096, 1, function(x) return x * 7919 % 1000 end),
        field(1, 4096, function(_, y) return y * 7919 % 1000 end), field(9, 9, -1),
        field(9, 9, function(x, y) return -1 - x * y end), field(2, 2, function(x) return x end),
        field(3, 5, function(x, y) return x * y end), field(5, 4, function(x, y) return x ~ y end), land - 5,
        land * 1e-42, field(64, 64, function(x, y) return x == 30 and y == 31 and 1 or 0 end),
        field(16, 16, function(x, y) return (x + y) % 2 end) } do
        local finer = odd:amplify{ levels = 2 }
        lu.assertEquals(finer.width, 4 * odd.width)
        if relief(odd) > 1e-30 then
            lu.assertTrue(drift(finer, odd) < 1e-5)
        end
    end
    lu.assertErrorMsgContains("is too long for 4 levels", esker.amplify, field(5000, 1, 0), { levels = 4 })
end

function TestAmplify.test_parameters_at_their_ends()
    local land = noise(40, 3)
    local hollows = land:realism{}.hollows
    for name, ends in pairs{ levels = { 1, 4 }, detail = { 0, 4 }, erodibility = { 0, 100 }, roughness = { 0, 4 },
        sea_level = { -1e38, 0.5, 1e38 } } do
        for _, value in ipairs(ends) do
            local finer = land:amplify{ levels = 1, [name] = value }
            local told = ("%s = %g"):format(name, value)
            lu.assertTrue(drift(finer, land) < 1e-5, told)
            lu.assertTrue(relief(finer) < 1.5 * relief(land), told)
            lu.assertTrue(finer:realism{}.hollows < hollows + 0.1, told)
        end
    end
end

os.exit(lu.LuaUnit.run())
