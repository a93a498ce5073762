-- The perturbation's displacement: what it does to sines and cosines tells how far every cell comes from.

local unit = require "luaunit"
local esker = require "esker"

-- Ways to the right and down that perturb{…} displaces by, as two rows of rows, in cells.
local function displacements(size, arguments)
    local turn = 2 * math.pi / size
    local function wave(f)
        return esker.field{ size = size, values = f, wrap = true }:perturb(arguments)
    end
    local sine_x = wave(function(x) return math.sin(turn * x) end)
    local cosine_x = wave(function(x) return math.cos(turn * x) end)
    local sine_y = wave(function(_, y) return math.sin(turn * y) end)
    local cosine_y = wave(function(_, y) return math.cos(turn * y) end)
    local right, down = {}, {}
    for y = 0, size - 1 do
        right[y], down[y] = {}, {}
        for x = 0, size - 1 do
            local dx = math.atan(sine_x:get(x, y), cosine_x:get(x, y)) / turn - x
            local dy = math.atan(sine_y:get(x, y), cosine_y:get(x, y)) / turn - y
            right[y][x] = (dx + size / 2) % size - size / 2
            down[y][x] = (dy + size / 2) % size - size / 2
        end
    end
    return right, down
end

local size, seeds = 128, 8
local measured = {}

local function setup()
    for seed = #measured + 1, seeds do
        measured[seed] = { displacements(size, { seed = seed }) }
    end
end

-- The mean of f(right, down, x, y) over all cells of all seeds.
local function mean(f)
    setup()
    local sum = 0
    for _, each in ipairs(measured) do
        for y = 0, size - 1 do
            for x = 0, size - 1 do
                sum = sum + f(each[1], each[2], x, y)
            end
        end
    end
    return sum / (seeds * size * size)
end

TestPerturb = {}

function TestPerturb.test_no_direction_is_preferred()
    local xx = mean(function(right, _, x, y) return right[y][x] ^ 2 end)
    local yy = mean(function(_, down, x, y) return down[y][x] ^ 2 end)
    local xy = mean(function(right, down, x, y) return right[y][x] * down[y][x] end)
    unit.assertAlmostEquals((xx / yy) ^ 0.5, 1, 0.05)
    unit.assertAlmostEquals(xy / (xx * yy) ^ 0.5, 0, 0.08)
    -- Neither changes faster along one axis than along the other.
    for _, lag in ipairs{ 1, 2, 4, 8 } do
        local function change(which, dx, dy)
            return mean(function(right, down, x, y)
                local way = which == 1 and right or down
                return (way[(y + dy) % size][(x + dx) % size] - way[y][x]) ^ 2
            end)
        end
        local longitudinal = change(1, lag, 0) + change(2, 0, lag)
        unit.assertAlmostEquals(longitudinal / (change(1, 0, lag) + change(2, lag, 0)), 1, 0.1)
    end
end

function TestPerturb.test_no_cell_comes_from_further_than_the_magnitude()
    setup()
    local most = mean(function() return 0 end)
    for _, each in ipairs(measured) do
        for y = 0, size - 1 do
            for x = 0, size - 1 do
                most = math.max(most, (each[1][y][x] ^ 2 + each[2][y][x] ^ 2) ^ 0.5)
            end
        end
    end
    unit.assertTrue(most <= 0.25 * size and most > 0.1 * size)
end

-- Midpoint noise has a cusp at each point of its first lattice: there, curvature is several times what it is
-- elsewhere, and terrain is drawn out to pins.
function TestPerturb.test_the_lattice_does_not_show()
    local lattice, at, all, points = 8, 0, 0, 0
    for seed = 1, 6 do
        local right, down = displacements(size, { seed = seed, lattice = lattice })
        for _, way in ipairs{ right, down } do
            for y = 0, size - 1 do
                for x = 0, size - 1 do
                    local around = way[y][(x + 1) % size] + way[y][(x - 1) % size] + way[(y + 1) % size][x]
                        + way[(y - 1) % size][x]
                    local curvature = math.abs(around - 4 * way[y][x])
                    all = all + curvature
                    if x % (size // lattice) == 0 and y % (size // lattice) == 0 then
                        at, points = at + curvature, points + 1
                    end
                end
            end
        end
    end
    local ratio = (at / points) / (all / (12 * size ^ 2))
    unit.assertTrue(ratio > 0.7 and ratio < 1.4, ratio)
end

-- What lies across an edge follows as what lies beside it, at sizes that no lattice divides, too.
function TestPerturb.test_opposite_edges_still_meet()
    for _, sides in ipairs{ { 128, 128 }, { 100, 70 }, { 61, 97 } } do
        local width, height = sides[1], sides[2]
        local land = esker.field{ width = width, height = height, wrap = true, values = function(x, y)
            return math.sin(2 * math.pi * x / width) + math.cos(2 * math.pi * y / height)
        end }
        local bent = land:perturb{ seed = 3, magnitude = 0.1 }
        local half = bent:crop{ x = width // 2, y = height // 2 } -- what was the edge is now the middle
        unit.assertTrue(bent.wraps and half.wraps)
        local function steepest(field, x0, y0)
            local most = 0
            for x = 1, width - 1 do most = math.max(most, math.abs(field:get(x, y0) - field:get(x, y0 - 1))) end
            for y = 1, height - 1 do most = math.max(most, math.abs(field:get(x0, y) - field:get(x0 - 1, y))) end
            return most
        end
        local seam = steepest(half, width - width // 2, height - height // 2)
        unit.assertTrue(seam <= bent:slope():statistics().max and seam > 0, seam)
        unit.assertTrue(seam < 3 * steepest(bent, width // 2, height // 2), seam)
    end
end

-- Olsen 2004, table 2: one map of midpoint noise displaces to the right, its transpose down.
function TestPerturb.test_midpoint_noise_is_one_map_and_its_transpose()
    local right, down = displacements(64, { seed = 4, noise = "midpoint" })
    local most, off_axis = 0, 0
    for y = 0, 63 do
        for x = 0, 63 do
            unit.assertAlmostEquals(right[y][x], down[x][y], 0.03)
            most, off_axis = math.max(most, math.abs(right[y][x])), off_axis + math.abs(right[y][x] - down[y][x])
        end
    end
    unit.assertAlmostEquals(most, 8, 0.01)
    unit.assertTrue(off_axis > 4096, off_axis)
    local land = esker.noise{ width = 90, height = 61, seed = 7 }
    for noise, lattice in pairs{ midpoint = 8, spline = 16 } do
        local bent = land:perturb{ seed = 2, noise = noise }
        unit.assertEquals(bent:hash(), land:perturb{ seed = 2, noise = noise, lattice = lattice }:hash())
        unit.assertNotEquals(bent:hash(), land:perturb{ seed = 2, noise = noise, lattice = 12 }:hash())
    end
    unit.assertEquals(land:perturb{ seed = 2 }:hash(), land:perturb{ seed = 2, noise = "spline", lattice = 16 }:hash())
end

-- The paper has 0.580 and 0.877 at T = 12/N and 16/N, which splines miss by a third and an eighth.
function TestPerturb.test_midpoint_noise_gives_the_suitability_of_the_paper()
    local sum, count = 0, 6
    for s = 1, count do
        local base = 2 / 3 * esker.diamond_square{ size = 512, seed = 3 * s, smooth = true } +
            1 / 3 * esker.voronoi{ size = 512, seed = 3 * s }
        local land = base:perturb{ seed = 3 * s + 1, noise = "midpoint" }
        sum = sum + land:olsen_erosion{ talus = 12 }:playability{}.suitability
    end
    unit.assertAlmostEquals(sum / count, 0.580, 0.15)
end

-- Beyond an edge that meets no other lies the mirror image: a ramp stays within its heights and shows no plateau.
function TestPerturb.test_beyond_an_open_edge_lies_the_mirror_image()
    local ramp = esker.field{ width = 96, height = 64, values = function(x) return x end }
    local range = ramp:perturb{ seed = 2 }:statistics()
    unit.assertTrue(range.min >= 0 and range.max <= 95)
    local flat = 0
    local edge = ramp:perturb{ seed = 2 }
    for y = 0, 63 do
        flat = flat + ((edge:get(0, y) == edge:get(1, y) or edge:get(95, y) == edge:get(94, y)) and 1 or 0)
    end
    unit.assertEquals(flat, 0)
    esker.field{ width = 1, height = 9, values = 1 }:perturb{ magnitude = 1 }
    esker.field{ width = 2, height = 90, values = 1 }:perturb{ magnitude = 1 }
end

-- Cells beside one that is displaced over several periods are found in another way, with the same bits. Displacements
-- reach from the smallest that there are to almost a period.
function TestPerturb.test_one_far_cell_changes_no_other()
    local width, height = 301, 2
    local land = esker.noise{ width = width, height = height, seed = 1 }
    local function displaced(far, wrap)
        local offsets = esker.field{ width = width, height = height, values = function(x, y)
            if x == far and y == 0 then
                return 7
            end
            local sign = (x + y) % 2 == 0 and 1 or -1
            return x < 149 and sign * 2.0 ^ -x or sign * ((x * 37 + y * 11) % 150) / 301
        end }
        local still = esker.field{ width = width, height = height, values = 0 }
        return land:warp(offsets, still, { magnitude = 1, still = 0, wrap = wrap })
    end
    for _, wrap in ipairs{ true, false } do
        local near = displaced(-1, wrap)
        for _, far in ipairs{ 0, 255, 256, 300 } do
            local other = displaced(far, wrap)
            for x = 0, width - 1 do
                if x ~= far then
                    unit.assertEquals(other:get(x, 0), near:get(x, 0), ("x = %d, far = %d"):format(x, far))
                end
            end
        end
    end
end

-- Olsen 2004, table 1 and figure 8: the erosion score is 0.657 at a magnitude of 0.25, where it is greatest; from there
-- it declines slowly.
function TestPerturb.test_the_erosion_score_is_greatest_at_the_papers_magnitude()
    local sums, magnitudes = {}, { 0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.8 }
    local count = 12
    for seed = 1, count do
        local land = 2 / 3 * esker.diamond_square{ size = 512, seed = seed, smooth = true }
            + 1 / 3 * esker.voronoi{ size = 512, seed = seed + 100 }
        for _, magnitude in ipairs(magnitudes) do
            local score = land:perturb{ magnitude = magnitude, seed = seed + 200 }:erosion_score()
            sums[magnitude] = (sums[magnitude] or 0) + score / count
        end
    end
    unit.assertAlmostEquals(sums[0.25], 0.657, 0.03)
    unit.assertTrue(sums[0] < sums[0.1] and sums[0.1] < sums[0.2])
    local most = math.max(sums[0.2], sums[0.25], sums[0.3])
    unit.assertTrue(sums[0.25] > most - 0.004, sums[0.25] - most)
    unit.assertTrue(sums[0.5] < sums[0.25] and sums[0.8] < sums[0.5] and sums[0.8] > 0.9 * sums[0.25])
end

os.exit(unit.LuaUnit.run())
