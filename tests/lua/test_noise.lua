-- Noise is a function of place: windows, tiles and resolutions agree.

local unit = require "luaunit"
local esker = require "esker"

TestNoise = {}

local cases = {
    {}, { kind = "simplex" }, { kind = "value", fractal = "ridged" }, { kind = "simplex", fractal = "billow" },
    { kind = "white" }, { warp = 0.3 }, { kind = "simplex", warp = 0.1, lacunarity = 1.9, gain = 0.7 },
    { fractal = "ridged", frequency = 3.3 },
}

local function noise(case, more)
    local arguments = { seed = 5, width = 96, height = 64 }
    for _, each in ipairs{ case, more or {} } do
        for name, value in pairs(each) do
            arguments[name] = value
        end
    end
    return esker.noise(arguments)
end

function TestNoise.test_windows_that_overlap_have_the_same_bytes()
    for _, case in ipairs(cases) do
        local first = noise(case, { wrap = false })
        local second = noise(case, { wrap = false, at = { 0.25, -0.125 } })
        unit.assertEquals(first:crop{ x = 24, width = 72, height = 52 }:hash(),
            second:crop{ y = 12, width = 72, height = 52 }:hash())
        unit.assertFalse(first.wraps)
        local far = noise(case, { wrap = false, at = { 1e6, -1e6 } })
        unit.assertEquals(noise(case, { wrap = false, at = { 1e6 - 0.5, -1e6 } }):crop{ x = 48, width = 48 }:hash(),
            far:crop{ width = 48 }:hash())
    end
end

-- Cells lie between the same points of the octaves, whether these divide the field or not.
function TestNoise.test_spectral_fields_of_all_sizes_show_one_land()
    for _, way in ipairs{ "linear", "cubic", "spline" } do
        local arguments = { size = 128, octaves = 4, seed = 4, interpolation = way }
        local land = esker.spectral(arguments):resize{ size = 97 }
        arguments.size = 97
        unit.assertTrue((land - esker.spectral(arguments)):abs():statistics().mean < 0.01)
    end
end

function TestNoise.test_opposite_edges_meet()
    for _, case in ipairs(cases) do
        local tile = noise(case)
        unit.assertTrue(tile.wraps)
        local shifted = noise(case, { at = { 0.25, 0.125 } })
        local difference = (tile:crop{ x = 24, y = 12 } - shifted):abs()
        unit.assertTrue(esker.statistics(difference).max < 1e-4)
        -- Across the seam heights change as much as elsewhere.
        if case.kind ~= "white" then
            local seam, inside = 0, 0
            for y = 0, 63 do
                seam = math.max(seam, math.abs(tile:get(95, y) - tile:get(0, y)))
                for x = 1, 95 do
                    inside = math.max(inside, math.abs(tile:get(x, y) - tile:get(x - 1, y)))
                end
            end
            unit.assertTrue(seam <= 1.2 * inside)
        end
    end
end

function TestNoise.test_heights_lie_in_0_to_1()
    for _, case in ipairs(cases) do
        for _, fractal in ipairs{ "none", "fbm", "ridged", "billow" } do
            local range = esker.statistics(noise(case, { fractal = fractal, size = nil, frequency = 29 }))
            unit.assertTrue(range.min >= 0 and range.max <= 1)
        end
    end
end

function TestNoise.test_a_finer_field_has_the_same_octaves()
    for _, kind in ipairs{ "gradient", "simplex", "value" } do
        local arguments = { kind = kind, octaves = 3 }
        local coarse = noise(arguments)
        local fine = noise(arguments, { width = 384, height = 256 })
        for y = 0, 63, 3 do
            for x = 0, 95, 3 do
                unit.assertAlmostEquals(fine:get(4 * x, 4 * y), coarse:get(x, y), 1e-5)
            end
        end
    end
end

function TestNoise.test_noise_has_no_preferred_axis()
    local xx, yy = 0, 0
    for seed = 1, 6 do
        local field = esker.noise{ size = 128, seed = seed, frequency = 16, fractal = "none", kind = "gradient" }
        local right, down = field:crop{ x = 1 } - field, field:crop{ y = 1 } - field
        xx, yy = xx + esker.statistics(right * right).sum, yy + esker.statistics(down * down).sum
    end
    unit.assertAlmostEquals(xx / yy, 1, 0.06)
end

function TestNoise.test_white_noise_is_uniform()
    local counts = esker.noise{ size = 256, seed = 2, kind = "white" }:histogram{ bins = 16, low = 0, high = 1 }
    for _, count in ipairs(counts) do
        unit.assertAlmostEquals(count, 4096, 330)
    end
end

os.exit(unit.LuaUnit.run())
