-- Erosion by streams: what must hold of any result, the equation of the paper cell by cell, and what users
-- count on.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"

TestStreamErosion = {}

local function noise(size, seed)
    return esker.diamond_square{ size = size, seed = seed or 1 }
end

local function correlation(a, b)
    local of_a, of_b = a:statistics(), b:statistics()
    local both = ((a - of_a.mean) * (b - of_b.mean)):statistics().mean
    return both / (of_a.stddev * of_b.stddev)
end

local function same_cells(a, b)
    return a:hash() == b:hash()
end

-- Streams that begin at one cell are steeper the smaller the cells.
function TestStreamErosion.test_slopes_hold_where_streams_begin_at_an_area()
    local function slope(size, channel)
        local land = esker.noise{ size = size, seed = 1, octaves = 4 }:normalize()
        return land:stream_erosion{ channel = channel }:gradient_angle():statistics().mean
    end
    lu.assertTrue(slope(256, 0) > 1.4 * slope(128, 0))
    lu.assertTrue(slope(256, 1e-3) < 1.15 * slope(128, 1e-3))
    local land = noise(128)
    lu.assertTrue(same_cells(land:stream_erosion(), land:stream_erosion{ channel = 1e-4 }))
    -- The default is no fur on a large field. Channels of one cell make a fifth of the land steeper than 32 degrees.
    local large = esker.noise{ size = 512, seed = 1, octaves = 5 }:normalize()
    local function steep(channel)
        return large:stream_erosion{ channel = channel }:select{ slope = { 32, 90 } }:statistics().mean
    end
    lu.assertTrue(steep(nil) < 0.15 and steep(0) > 0.2)
end

local ring <const> = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 } }

-- Calls body(x, y, to_x, to_y, distance) for each cell and each of its neighbours.
local function each_pair(field, body)
    local width, height, wraps = field.width, field.height, field.wraps
    for y = 0, height - 1 do
        for x = 0, width - 1 do
            for _, to in ipairs(ring) do
                local to_x, to_y = x + to[1], y + to[2]
                if wraps then
                    to_x, to_y = to_x % width, to_y % height
                end
                if to_x >= 0 and to_y >= 0 and to_x < width and to_y < height then
                    body(x, y, to_x, to_y, (to[1] ^ 2 + to[2] ^ 2) ^ 0.5)
                end
            end
        end
    end
end

local function degenerate()
    return {
        flat = esker.field{ size = 16, values = function() return 0.5 end },
        pit = esker.field{ width = 33, height = 20, values = function(x, y) return x == 9 and y == 9 and 0 or 1 end },
        sea = esker.field{ size = 9, values = function() return -1 end },
        land = esker.field{ size = 9, values = function(x, y) return 1 + x * y / 64 end },
        one = esker.field{ size = 1, values = function() return 1 end },
        two = esker.field{ size = 2, values = function(x, y) return x + 2 * y end },
        narrow = esker.field{ width = 1, height = 4096, values = function(_, y) return y * 7919 % 1000 / 1000 end },
        low = esker.field{ width = 4096, height = 1, values = function(x) return x * 7919 % 1000 / 1000 end },
        odd = esker.diamond_square{ width = 100, height = 37, seed = 2 },
        deep = noise(40) * 2 - 5000,
    }
end

function TestStreamErosion.test_age_0_changes_nothing()
    for name, field in pairs(degenerate()) do
        for _, wrap in ipairs{ true, false } do
            local height, _, deposit = field:stream_erosion{ age = 0, uplift = 3, wrap = wrap }
            lu.assertTrue(same_cells(height, field), name)
            lu.assertEquals(deposit:statistics().max, 0, name)
        end
    end
end

function TestStreamErosion.test_degenerate_fields_drain()
    for name, field in pairs(degenerate()) do
        for _, age in ipairs{ 0.01, 0.5, 1 } do
            local height, flow = field:stream_erosion{ age = age, wrap = true, sea_level = -1e4 }
            local before, after = field:statistics(), height:statistics()
            lu.assertEquals(flow:statistics().max, field.width * field.height, name) -- all into the lowest cell
            local most = before.max + 0.02 * (before.max - before.min) -- lakes fill up to what still drains
            lu.assertTrue(after.min >= before.min and after.max <= most, name)
            height = field:stream_erosion{ age = age, wrap = false }:statistics()
            lu.assertTrue(height.min >= before.min and height.max <= most, name)
        end
    end
end

function TestStreamErosion.test_parameters_at_their_ends()
    local field = noise(64, 5)
    field.wraps = false
    for name, ends in pairs{ age = { 0, 1 }, erodibility = { 0, 1000 }, uplift = { 0, 1000 }, talus = { 0.01, 10000 },
        deposition = { 0, 1 }, sea_level = { -1e38, 0.5, 1e38 } } do
        for _, value in ipairs(ends) do
            local height, flow, deposit = field:stream_erosion{ [name] = value }
            local told = ("%s = %g"):format(name, value)
            local before, after = field:statistics(), height:statistics()
            lu.assertTrue(after.min >= before.min - 1e-6, told)
            lu.assertTrue(after.max <= before.max + (name == "uplift" and value or 0) + 1e-6, told)
            lu.assertTrue(deposit:statistics().min >= 0 and flow:statistics().max <= 64 * 64, told)
            local sea = name == "sea_level" and math.min(value, 1) or -1
            local raised = height:fill{ sea_level = sea } - height
            local drains = value ~= 0 or name ~= "age" and name ~= "erodibility"
            lu.assertTrue(not drains or raised:statistics().mean < 1e-3 * (1 + after.max), told)
        end
    end
end

-- Where no stream erodes, land rises by the whole uplift, except for rounding at the border; where all is sea it stays.
function TestStreamErosion.test_uplift_at_its_ends()
    local field = esker.field{ size = 33, values = function(x, y) return (2 * x + y * y) / 1088 end } -- without pits
    local still = { erodibility = 0, talus = 10000, deposition = 0 }
    for _, uplift in ipairs{ 0, 0.5, 1000 } do
        still.uplift = uplift
        local rise = (field:stream_erosion(still) - field):statistics().mean
        lu.assertAlmostEquals(rise, uplift, 0.01 + 1e-3 * uplift)
        lu.assertTrue(same_cells(field:stream_erosion{ uplift = uplift, sea_level = 2 }, field))
    end
end

function TestStreamErosion.test_erosion_grows_with_age()
    local field, last_change, last_mean, last = noise(128), 0, 1, nil
    for i = 1, 20 do
        local height = field:stream_erosion{ age = i / 20, deposition = 0 }
        lu.assertTrue(not last or (height - last):statistics().max <= 1e-6, i)
        local change = ((height - field) ^ 2):statistics().mean
        local mean = height:statistics().mean
        lu.assertTrue(change > last_change, i)
        lu.assertTrue(mean < last_mean, i)
        lu.assertTrue(not last or correlation(height, last) > 0.95, i)
        last, last_change, last_mean = height, change, mean
    end
    local hardly = field:stream_erosion{ age = 1e-3 } - field
    lu.assertTrue(hardly:abs():statistics().mean < 1e-3)
end

-- Rivers that each age found for itself would jump from one to the next: the correlation would fall to 0.92.
function TestStreamErosion.test_ages_agree()
    for _, field in ipairs{ esker.spectral{ size = 160, seed = 77 }, noise(160, 77) } do
        local last = field
        for i = 1, 20 do
            local height = field:stream_erosion{ age = i / 20 }
            lu.assertTrue(correlation(height, last) > 0.99, i)
            last = height
        end
    end
end

-- Time runs with the age to the power of 1.5: with its square, streams of age 0.2 had a thirtieth of their depth.
function TestStreamErosion.test_young_land_has_valleys()
    local field = esker.spectral{ size = 256, seed = 77 }
    local function depth(age)
        local height, flow = field:stream_erosion{ age = age }
        local streams = ((flow - 300) * 1e6):clamp()
        return ((field - height) * streams):statistics().mean / streams:statistics().mean
    end
    local young, mature = depth(0.2), depth(1)
    lu.assertTrue(young > 0.05 * mature, young / mature)
end

-- Sediment settles in lakes. Young streams have none where the ground has no pits.
function TestStreamErosion.test_nothing_settles_where_no_lake_is()
    local land = noise(64, 3)
    local function settles(field)
        local _, _, deposit = field:stream_erosion{ age = 0.1, uplift = 0, sea_level = -1 }
        return deposit:statistics().max
    end
    lu.assertEquals(settles(land:fill{ slope = 0.001 }), 0)
    lu.assertTrue(settles(land) > 0)
end

-- Sediment fans out from the streams that bring it, instead of filling lakes to a level.
function TestStreamErosion.test_filled_lakes_slope()
    for _, field in ipairs{ noise(256, 4), noise(256, 9), esker.spectral{ size = 256, seed = 5 } } do
        for _, age in ipairs{ 0.2, 0.5, 0.75 } do
            local land = field:stream_erosion{ age = age }
            local function flatter(degrees)
                return land:select{ slope = { 0, degrees } }:statistics().mean
            end
            lu.assertTrue(flatter(0.25) < 0.01 and flatter(2.5) < 0.05, flatter(2.5))
        end
    end
end

-- The young land of a real valley drains along it, though coarse levels do not know it.
function TestStreamErosion.test_young_streams_keep_to_the_valleys_that_are_there()
    local valleys = noise(256, 5):stream_erosion{}
    local function raised(age)
        return (valleys:stream_erosion{ age = age } - valleys):clamp{ low = 0, high = 1 }:statistics().mean
    end
    lu.assertTrue(raised(0.1) < 1e-5, raised(0.1))
    lu.assertTrue(raised(0.25) < 1e-5, raised(0.25))
end

-- On mature land each cell drains to a lower one, into which everything comes that drains through it.
function TestStreamErosion.test_flow_is_that_of_the_result()
    for seed = 1, 3 do
        local field = esker.noise{ size = 128, seed = seed, octaves = 7 }:normalize()
        local height, flow = field:stream_erosion{ wrap = false }
        local drains, out = {}, 0
        each_pair(height, function(x, y, to_x, to_y)
            if height:get(to_x, to_y) < height:get(x, y) and flow:get(to_x, to_y) >= flow:get(x, y) + 1 then
                drains[y * 128 + x] = true
            end
        end)
        for y = 0, 127 do
            for x = 0, 127 do
                if not drains[y * 128 + x] then
                    lu.assertTrue(x == 0 or y == 0 or x == 127 or y == 127)
                    out = out + flow:get(x, y)
                end
            end
        end
        lu.assertEquals(out, 128 * 128)
    end
end

-- What rains on all cells comes down in the sea, to the unit; so every cell drains.
function TestStreamErosion.test_discharge_adds_up()
    local field, size = noise(160, 4), 160
    local rain = esker.field{ size = size, values = function(x, y) return (x * 7 + y * 3) % 8 / 4 end }
    for _, age in ipairs{ 0, 0.3, 1 } do
        for _, fall in ipairs{ false, rain } do
            local _, flow = field:stream_erosion{ age = age, sea_level = 0.4, rain = fall or nil, wrap = true }
            local sum, total = 0, 0
            for y = 0, size - 1 do
                for x = 0, size - 1 do
                    total = total + (fall and fall:get(x, y) or 1)
                    sum = sum + (field:get(x, y) < 0.4 and flow:get(x, y) or 0)
                end
            end
            lu.assertEquals(sum, total)
        end
    end
end

-- What is there = what was given + what rose - what was eroded + what settled, in every cell.
function TestStreamErosion.test_the_balance_of_sediment_closes()
    local map = noise(96, 7):normalize{}
    for _, case in ipairs{ {}, { age = 0.1 }, { age = 0.5, uplift = 2 }, { uplift = 1, uplift_map = map },
        { deposition = 1, mask = map }, { deposition = 0 }, { rain = map, sea_level = 0.5, wrap = true } } do
        local field = noise(96, 5)
        local height, _, deposit, eroded = field:stream_erosion(case)
        local rise = (case.uplift_map or field * 0 + 1) * ((case.uplift or 0) * (case.age or 1) ^ 1.5)
        local rest = (field + rise - eroded + deposit - height):abs()
        if case.sea_level then
            rest = rest * field:select{ height = { 0.5 } }
        end
        lu.assertTrue(rest:statistics().max < 2e-6, rest:statistics().max)
        lu.assertTrue(deposit:statistics().min >= 0 and eroded:statistics().min >= 0)
        lu.assertTrue((deposit:statistics().max > 0) == (case.deposition ~= 0))
        lu.assertTrue(deposit:statistics().sum <= eroded:statistics().sum)
    end
end

-- It is what raises the ground over that of the same land without deposition.
function TestStreamErosion.test_deposit_is_the_sediment()
    local field = noise(128, 7)
    for _, uplift in ipairs{ 0, 1 } do
        local with, _, deposit = field:stream_erosion{ uplift = uplift }
        local without = field:stream_erosion{ uplift = uplift, deposition = 0 }
        local raised = (with - without):clamp{ low = 0, high = 1e9 }:statistics().sum
        local share = deposit:statistics().sum / raised
        lu.assertTrue(share > 0.8 and share < 1.25, share)
    end
end

function TestStreamErosion.test_streams_end_at_the_sea()
    for _, wrap in ipairs{ true, false } do
        local field = noise(96, 5)
        local height, _, deposit, eroded = field:stream_erosion{ sea_level = 0.4, wrap = wrap }
        for y = 0, 95 do
            for x = 0, 95 do
                local before, after = field:get(x, y), height:get(x, y)
                lu.assertTrue(before < 0.4 and after == before or before >= 0.4 and after >= 0.4 - 1e-7)
                lu.assertAlmostEquals(deposit:get(x, y) - eroded:get(x, y), after - before, 2e-7)
                lu.assertTrue(before >= 0.4 or deposit:get(x, y) == 0 and eroded:get(x, y) == 0)
            end
        end
    end
end

function TestStreamErosion.test_no_slope_is_steeper_than_the_talus()
    for _, wrap in ipairs{ true, false } do
        for _, talus in ipairs{ 2, 12, 40 } do
            local height = noise(90, 6):stream_erosion{ talus = talus, wrap = wrap }
            local most = 0
            each_pair(height, function(x, y, to_x, to_y, distance)
                most = math.max(most, (height:get(x, y) - height:get(to_x, to_y)) / distance)
            end)
            lu.assertTrue(most <= talus / 90 * 1.0001, talus)
        end
    end
end

-- Streams alone would cut slits a cell wide into young land, where the talus is steep. Rounded crests may sink from
-- beside a few cells.
function TestStreamErosion.test_young_valleys_have_sides()
    for _, wrap in ipairs{ true, false } do
        local field, talus = noise(90, 6), 10
        local height = field:stream_erosion{ age = 0.3, talus = talus, deposition = 0, wrap = wrap }
        local most, steep, pairs = 0, 0, 0
        each_pair(height, function(x, y, to_x, to_y, distance)
            local stood = math.max(field:get(x, y) - field:get(to_x, to_y), 0)
            local bank = (height:get(x, y) - height:get(to_x, to_y) - stood) / distance * 90
            most, steep, pairs = math.max(most, bank), steep + (bank > 0.501 * talus and 1 or 0), pairs + 1
        end)
        lu.assertTrue(most < 0.75 * talus and steep < 2e-3 * pairs, most .. ", " .. steep / pairs)
    end
end

-- Several bands of each kind: of those that slide, are carved, and put their cells in order, which are joined twice.
function Long.test_threads_change_no_bit_of_several_bands()
    local field, before = esker.spectral{ width = 512, height = 640, seed = 4 }, esker.threads()
    for _, wrap in ipairs{ true, false } do
        local expected
        for _, threads in ipairs{ 1, 2, 3, 7 } do
            esker.threads(threads)
            local height, flow = field:stream_erosion{ wrap = wrap, talus = 8 }
            local hashes = height:hash() .. flow:hash()
            expected = expected or hashes
            lu.assertEquals(hashes, expected, threads)
        end
    end
    esker.threads(before)
end

-- Braun and Willett 2013, equation 22, with m = 1/2 and n = 1: solved here for each cell along streams, which
-- neither creep nor slide, from its own result. Young streams, where there are no lakes, take one step.
function TestStreamErosion.test_streams_satisfy_the_implicit_equation()
    local field, age, uplift = noise(128, 7):stream_erosion{}, 0.15, 0.4
    local height, flow = field:stream_erosion{ age = age, uplift = uplift, deposition = 0, talus = 1e4 }
    local power, rise = 4 * age ^ 1.5, uplift * age ^ 1.5 -- K T, U T
    local solved = {}
    each_pair(height, function(x, y, to_x, to_y, distance)
        local f = power * flow:get(x, y) ^ 0.5 / distance
        local z = (field:get(x, y) + rise + f * height:get(to_x, to_y)) / (1 + f)
        if flow:get(to_x, to_y) > flow:get(x, y) and math.abs(z - height:get(x, y)) < 1e-5 then
            solved[y * 128 + x] = true
        end
    end)
    local cells, right = 0, 0
    for y = 0, 127 do
        for x = 0, 127 do
            local eroded = field:get(x, y) + rise - height:get(x, y) -- nothing in a lake
            if flow:get(x, y) >= 30 and eroded > 1e-6 then
                cells, right = cells + 1, right + (solved[y * 128 + x] and 1 or 0)
            end
        end
    end
    lu.assertTrue(cells > 500, cells)
    lu.assertTrue(right > 0.9 * cells, right / cells)
end

-- In the steady state S = U / K A^(-1/2): slopes fall with the square root of the area.
function TestStreamErosion.test_steady_state_has_the_concavity_of_theory()
    local height, flow =
        noise(256, 8):stream_erosion{ uplift = 1000, erodibility = 1000, deposition = 0, talus = 1e4 }
    local lowest = {} -- of the neighbours with more flow
    each_pair(height, function(x, y, to_x, to_y, distance)
        local descent = (height:get(x, y) - height:get(to_x, to_y)) / distance
        local at = y * 256 + x
        if flow:get(to_x, to_y) > flow:get(x, y) and descent > 0 and flow:get(x, y) >= 16 then
            lowest[at] = math.max(lowest[at] or 0, descent)
        end
    end)
    local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
    for at, slope in pairs(lowest) do
        local a, s = math.log(flow:get(at % 256, at // 256)), math.log(slope)
        n, sx, sy, sxx, sxy = n + 1, sx + a, sy + s, sxx + a * a, sxy + a * s
    end
    local theta = -(n * sxy - sx * sy) / (n * sxx - sx * sx)
    local steepness = math.exp((sy + theta * sx) / n)
    lu.assertAlmostEquals(theta, 0.5, 0.03)
    lu.assertAlmostEquals(steepness, 1000 / 4000, 0.05) -- U / K
end

function TestStreamErosion.test_mature_land_has_no_hollows()
    for _, seed in ipairs{ 1, 2, 3 } do
        local field = esker.spectral{ size = 128, seed = seed }
        local function hollows(height)
            return ((height:fill{ sea_level = -1 } - height) * 1e6):clamp():statistics().mean
        end
        local height = field:stream_erosion{} -- drains as fill does, though the field wraps
        lu.assertTrue(hollows(field) > 0.1)
        lu.assertEquals(hollows(height), 0)
    end
end

-- D8 would send the water of a plane down in parallel lines that never meet.
function TestStreamErosion.test_streams_on_a_plane_branch()
    local plane = esker.field{ size = 128, values = function(x, y) return (x * 0.9 + y * 0.4) / 128 end }
    local height, flow = plane:stream_erosion{ wrap = false }
    lu.assertTrue(flow:statistics().max > 8 * 128)
    lu.assertTrue(height:statistics().stddev > 0.02)
end

-- Large streams bend: hardly any keeps one of the eight directions over 16 cells.
function Long.test_large_streams_bend()
    local straight, all = 0, 0
    for seed = 1, 3 do
        local field = noise(256, seed)
        local _, flow = field:stream_erosion{}
        local down = {} -- each cell's neighbour with the next larger flow, as far as it is a stream
        each_pair(field, function(x, y, to_x, to_y)
            local own, other, at = flow:get(x, y), flow:get(to_x, to_y), y * 256 + x
            local best = down[at]
            if own >= 512 and other > own and (not best or other < flow:get(best % 256, best // 256)) then
                down[at] = to_y * 256 + to_x
            end
        end)
        for from in pairs(down) do
            local at, dx, dy, steps = from, 0, 0, 0
            while down[at] and steps < 16 do
                local to = down[at]
                dx = dx + (to % 256 - at % 256 + 128) % 256 - 128
                dy = dy + (to // 256 - at // 256 + 128) % 256 - 128
                at, steps = to, steps + 1
            end
            if steps == 16 then
                dx, dy = math.abs(dx), math.abs(dy)
                all = all + 1
                straight = straight + ((math.max(dx, dy) == 16 and (math.min(dx, dy) % 16 == 0)) and 1 or 0)
            end
        end
    end
    lu.assertTrue(all > 500, all)
    lu.assertTrue(straight < 0.02 * all, straight / all)
end

function Long.test_a_preview_predicts()
    local function agreement(field, size, args)
        local fine = field:stream_erosion(args):resize{ size = size }
        return correlation(fine, field:resize{ size = size }:stream_erosion(args))
    end
    for _, base in ipairs{ "diamond_square", "spectral", "voronoi" } do
        for seed = 3, 5 do
            local field = esker[base]{ size = 512, seed = seed }
            lu.assertTrue(agreement(field, 256, {}) > 0.99, base .. seed)
            lu.assertTrue(agreement(field, 128, {}) > 0.97, base .. seed)
        end
    end
end

-- Rivers keep their slope where cells are so small that their floors have a width.
function Long.test_sediment_raises_land_alike_at_any_resolution()
    local function raised(size)
        local field = esker.noise{ size = size, seed = 1, octaves = 5 }:normalize()
        return (field:stream_erosion{ deposition = 1 } - field:stream_erosion{ deposition = 0 }):statistics().mean
    end
    lu.assertAlmostEquals(raised(1024), raised(512), 0.005)
end

-- A cliff between the last column and the first falls only where they meet.
function TestStreamErosion.test_nothing_slides_across_edges_that_do_not_meet()
    local ramp = esker.field{ size = 64, values = function(x) return x / 64 end }
    local function east(wrap)
        return ramp:stream_erosion{ age = 0.5, talus = 2, wrap = wrap }
            :crop{ x = 60, width = 4, height = 64, wrap = false }:statistics().mean
    end
    lu.assertTrue(east(false) > 0.7, east(false))
    lu.assertTrue(east(true) < 0.3, east(true))
end

function TestStreamErosion.test_fields_say_where()
    local field = noise(96, 9)
    local west = esker.field{ size = 96, values = function(x) return x < 48 and 1 or 0 end }
    local masked = field:stream_erosion{ mask = west, deposition = 0 }
    local dry = field:stream_erosion{ rain = west, deposition = 0, talus = 1e4 }
    local raised = field:stream_erosion{ uplift = 2, uplift_map = west }
    local changed, sunk_dry, sunk_wet, high = 0, 0, 0, 0
    for y = 0, 95 do
        for x = 48, 95 do
            changed = changed + (masked:get(x, y) == field:get(x, y) and 0 or 1)
            sunk_dry = sunk_dry + field:get(x, y) - dry:get(x, y)
            sunk_wet = sunk_wet + field:get(x - 48, y) - dry:get(x - 48, y)
            high = high + raised:get(x - 48, y) - raised:get(x, y)
        end
    end
    lu.assertEquals(changed, 0)
    lu.assertTrue(sunk_dry < 0.6 * sunk_wet)
    lu.assertTrue(high / (48 * 96) > 0.2)
    lu.assertTrue(masked:statistics().mean < field:statistics().mean - 0.02)
end

-- Coarse levels of a ramp may slope inwards all along the border.
function TestStreamErosion.test_water_leaves_over_the_border()
    for _, case in ipairs{ { 96, 0.01 }, { 96, 0.05 }, { 200, 0.05 }, { 200, 0.1 }, { 256, 0.2 }, { 100, 0.1 } } do
        local size, uplift = table.unpack(case)
        local height, flow = esker.shape{ kind = "ramp", size = size }:stream_erosion{ uplift = uplift }
        local told = ("size = %d, uplift = %g"):format(size, uplift)
        local left, lower = 0, {}
        each_pair(height, function(x, y, to_x, to_y)
            lower[y * size + x] = lower[y * size + x] or height:get(to_x, to_y) < height:get(x, y)
        end)
        for y = 0, size - 1 do
            for x = 0, size - 1 do
                local border = x == 0 or y == 0 or x == size - 1 or y == size - 1
                left = border and math.max(left, flow:get(x, y)) or left
                lu.assertTrue(border or lower[y * size + x], told)
            end
        end
        lu.assertEquals(flow:statistics().max, left, told)
    end
end

-- Sediment settles by the drained cells, not by the discharge: little rain would otherwise make land of nothing.
function TestStreamErosion.test_little_rain_makes_no_land()
    local field = esker.spectral{ size = 128 }
    for _, rain in ipairs{ 0.3, 0.01 } do
        local dry = field:stream_erosion{ rain = esker.field{ size = 128, values = rain } }:statistics().mean
        local hard = field:stream_erosion{ erodibility = math.sqrt(rain) }:statistics().mean
        lu.assertAlmostEquals(dry, hard, 1e-4)
        lu.assertTrue(dry < field:statistics().mean)
    end
end

-- F = K T √(rain · a) stays what it was where four times the rain falls on rock half as easily eroded.
function TestStreamErosion.test_rain_and_erodibility_trade_on_all_levels()
    for _, size in ipairs{ 16, 17, 160 } do
        local field = esker.noise{ size = size, seed = 91, octaves = 6 }
        local rain = esker.field{ size = size, values = 4 }
        local usual, flow = field:stream_erosion{ deposition = 0 }
        local wet, more = field:stream_erosion{ deposition = 0, rain = rain, erodibility = 0.5 }
        lu.assertTrue(same_cells(usual, wet), size)
        lu.assertTrue(same_cells(flow * 4, more), size)
        local hard = esker.field{ size = size, values = 0.5 }
        lu.assertTrue(same_cells(field:stream_erosion{ deposition = 0, mask = hard, rain = rain, talus = 1e4 },
            field:stream_erosion{ deposition = 0, mask = hard, erodibility = 2, talus = 1e4 }), size)
    end
end

function TestStreamErosion.test_bad_arguments()
    local field = noise(8)
    lu.assertErrorMsgContains("age must be 0 to 1, got 2", field.stream_erosion, field, { age = 2 })
    lu.assertErrorMsgContains("mask must be 0 to 1, got 2 to 2", field.stream_erosion, field,
        { mask = esker.field{ size = 8, values = function() return 2 end } })
    lu.assertErrorMsgContains("uplift_map must be 0 to 1", field.stream_erosion, field,
        { uplift_map = field - 1 })
    lu.assertErrorMsgContains("rain must be 0 or more, got -1 at cell (0, 0)", field.stream_erosion, field,
        { rain = esker.field{ size = 8, values = function() return -1 end } })
    lu.assertErrorMsgContains("heights must be -1e18 to 1e18", field.stream_erosion, field * 1e30, {})
end

os.exit(lu.LuaUnit.run())
