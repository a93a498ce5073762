-- The measures of `realism`: on land whose numbers are known, and against the definitions, written down once more.

local esker = require "esker"
local Long = require "long_tests"
local lu = require "luaunit"

TestRealism = {}

local function field(width, height, values)
    return esker.field{ width = width, height = height, values = values }
end

-- --- slopes, curvature, hypsometry ------------------------------------------------------------------------

function TestRealism.test_a_plane_has_one_slope()
    local plane = field(40, 30, function(x, y) return 3 * x / 64 + 4 * y / 64 end)
    local measures = plane:realism{ vertical_scale = 16 }
    lu.assertAlmostEquals(measures.slope, 16 * 5 / 64, 1e-12)
    lu.assertAlmostEquals(measures.slope_variation, 0, 1e-6)
    lu.assertAlmostEquals(measures.slope_tail, 1, 1e-6)
    lu.assertEquals(measures.flat, 0)
    lu.assertAlmostEquals(measures.curvature, 0, 1e-12)
    lu.assertAlmostEquals(measures.hypsometric, 0.5, 1e-12)
    lu.assertEquals(measures.hollows, 0)
    lu.assertEquals(plane:realism{}.slope, 0)
end

-- Half of it lies flat, a share slopes twice as much: deviation, tail and share are those of the three values.
function TestRealism.test_slopes_of_three_kinds()
    local profile, height = {}, 0
    for x = 0, 101 do
        profile[x] = height
        height = height + (x < 50 and 0 or x < 94 and 1 or 2)
    end
    local measures = field(102, 12, function(x) return profile[x] end):realism{ vertical_scale = 1 }
    local slopes, sum, squares = {}, 0, 0
    for x = 1, 100 do
        slopes[x] = (profile[x + 1] - profile[x - 1]) / 2
        sum, squares = sum + slopes[x], squares + slopes[x] ^ 2
    end
    local mean = sum / 100
    lu.assertAlmostEquals(measures.slope, mean, 1e-12)
    lu.assertAlmostEquals(measures.slope_variation, (squares / 100 - mean ^ 2) ^ 0.5 / mean, 1e-9)
    lu.assertAlmostEquals(measures.slope_tail, 2 / mean, 1e-6)
    lu.assertAlmostEquals(measures.flat, 0.49, 1e-12)
end

-- A third of its height times its ground is a cone's volume.
function TestRealism.test_a_cone_has_a_third_of_its_hypsometry()
    local cone = field(201, 201, function(x, y) return 90 - ((x - 100) ^ 2 + (y - 100) ^ 2) ^ 0.5 end)
    local measures = cone:realism{ vertical_scale = 1 }
    lu.assertAlmostEquals(measures.hypsometric, 1 / 3, 2e-3)
    lu.assertAlmostEquals(measures.slope, 1, 5e-3)
    lu.assertTrue(measures.concave < 0.1)
    local basin = field(201, 201, function(x, y) return ((x - 100) ^ 2 + (y - 100) ^ 2) / 100 end)
    lu.assertAlmostEquals(basin:realism{}.concave, 1, 1e-12)
end

function TestRealism.test_hollows_are_counted_by_the_cell()
    local land = field(50, 40, function(x, y)
        return (x >= 10 and x < 17 and y >= 5 and y < 11) and 0.5 or 10 + x
    end)
    lu.assertAlmostEquals(land:realism{}.hollows, 42 / 2000, 1e-12)
end

-- --- spectrum ----------------------------------------------------------------------------------------------

-- The definition for one block of 32 × 32 cells, by the discrete Fourier transform as it is written.
local function spectrum_of(land)
    local side <const>, pi <const> = 32, math.pi
    local heights, mean, along, across = {}, 0, 0, 0
    for y = 0, side - 1 do
        for x = 0, side - 1 do
            local h = land:get(x, y)
            heights[y * side + x] = h
            mean, along, across = mean + h, along + h * (x - 15.5), across + h * (y - 15.5)
        end
    end
    local function window(i) return math.sin(pi * (i + 0.5) / side) ^ 2 end
    local squares = side ^ 2 * (side ^ 2 - 1) / 12
    local rings = {}
    for _ = 1, 2 do
        rings[#rings + 1] = { n = 0, logk = 0, power = 0, c2 = 0, s2 = 0, c4 = 0 }
    end
    for ky = -8, 8 do
        for kx = -8, 8 do
            local square = kx * kx + ky * ky
            local ring = square >= 16 and square < 32 and rings[1] or square >= 32 and square < 64 and rings[2]
            if ring then
                local re, im = 0, 0
                for y = 0, side - 1 do
                    for x = 0, side - 1 do
                        local h = heights[y * side + x] - mean / side ^ 2
                            - along / squares * (x - 15.5) - across / squares * (y - 15.5)
                        local turn = 2 * pi * (kx * x + ky * y) / side
                        h = h * window(x) * window(y)
                        re, im = re + h * math.cos(turn), im - h * math.sin(turn)
                    end
                end
                local power, angle = re * re + im * im, math.atan(ky, kx)
                ring.n, ring.logk, ring.power = ring.n + 1, ring.logk + math.log(square) / 2, ring.power + power
                ring.c2 = ring.c2 + power * math.cos(2 * angle)
                ring.s2 = ring.s2 + power * math.sin(2 * angle)
                ring.c4 = ring.c4 + power * math.cos(4 * angle)
            end
        end
    end
    local a, b = rings[1], rings[2]
    local fall = math.log(a.power / a.n) - math.log(b.power / b.n)
    return fall / (b.logk / b.n - a.logk / a.n),
        ((a.c2 ^ 2 + a.s2 ^ 2) ^ 0.5 / a.power + (b.c2 ^ 2 + b.s2 ^ 2) ^ 0.5 / b.power) / 2,
        (a.c4 / a.power + b.c4 / b.power) / 2
end

function TestRealism.test_the_spectrum_is_that_of_the_definition()
    local land = esker.diamond_square{ size = 32, seed = 4 }
    local beta, anisotropy, grid = spectrum_of(land)
    local measures = land:realism{}
    lu.assertAlmostEquals(measures.spectrum, beta, 1e-9)
    lu.assertAlmostEquals(measures.anisotropy, anisotropy, 1e-9)
    lu.assertAlmostEquals(measures.grid, grid, 1e-9)
end

function TestRealism.test_noise_is_white_and_its_sums_are_not()
    local state = 7
    local white = field(300, 260, function()
        state = state ~ (state << 13) & 0xffffffff -- xorshift
        state = state ~ (state >> 17)
        state = state ~ (state << 5) & 0xffffffff
        return state / 2 ^ 32
    end)
    lu.assertAlmostEquals(white:realism{}.spectrum, 0, 0.15)
    lu.assertAlmostEquals(white:realism{}.grid, 0, 0.1)
    -- Spectral synthesis of β = 3 by hand: waves of all directions, as many in each octave, amplitude k^-1.5 and as
    -- much less often as there are more of them.
    local waves = {}
    for i = 0, 159 do
        local k, angle = 2 * 2 ^ (i % 32 / 32 * 5.5), i * 2.399963
        waves[i + 1] = { k * math.cos(angle) / 128, k * math.sin(angle) / 128, k ^ -0.5, i * i * 0.7 }
    end
    local fractal = field(128, 128, function(x, y)
        local sum = 0
        for _, wave in ipairs(waves) do
            sum = sum + wave[3] * math.cos(2 * math.pi * (wave[1] * x + wave[2] * y) + wave[4])
        end
        return sum
    end)
    lu.assertAlmostEquals(fractal:realism{}.spectrum, 3, 0.25)
end

function TestRealism.test_waves_have_a_direction()
    local function waves(p, q)
        return field(128, 128, function(x, y) return math.cos(2 * math.pi * (p * x + q * y) / 128) end):realism{}
    end
    -- The rings that the waves do not touch hold what leaks into them, which has the same directions.
    lu.assertTrue(waves(12, 0).anisotropy > 0.95 and waves(12, 0).grid > 0.95)
    lu.assertTrue(waves(12, 12).anisotropy > 0.7 and waves(12, 12).grid < -0.5)
end

-- --- streams -----------------------------------------------------------------------------------------------

local ring <const> = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 } }

-- Each cell's steepest neighbour, of equal ones that of flow_direction, and the way there.
local function receivers(land)
    local to, way = {}, {}
    local directions = land:flow_direction{}
    local function descent(x, y, i)
        local u, v = x + ring[i][1], y + ring[i][2]
        local inside = u >= 0 and v >= 0 and u < land.width and v < land.height
        return inside and (land:get(x, y) - land:get(u, v)) / (i % 2 == 0 and 2 ^ 0.5 or 1) or 0
    end
    for y = 0, land.height - 1 do
        for x = 0, land.width - 1 do
            local steepest, code = 0, directions:get(x, y)
            for i = 1, 8 do
                steepest = math.max(steepest, descent(x, y, i))
            end
            if steepest > 0 then
                local i = math.floor(math.log(code, 2) + 1.5)
                lu.assertTrue(descent(x, y, i) > steepest * (1 - 1e-6))
                to[y * land.width + x] = (y + ring[i][2]) * land.width + x + ring[i][1]
                way[y * land.width + x] = i % 2 == 0 and 2 ^ 0.5 or 1
            end
        end
    end
    return to, way
end

local function slope_of_line(points)
    local n, sx, sy, sxx, sxy = #points, 0, 0, 0, 0
    for _, point in ipairs(points) do
        sx, sy = sx + point[1], sy + point[2]
        sxx, sxy = sxx + point[1] ^ 2, sxy + point[1] * point[2]
    end
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

-- Area, longest way and Strahler's order of each cell, the highest cells first.
local function tree_of(land, channel)
    local to, way = receivers(land)
    local cells, area, longest, order, donors = {}, {}, {}, {}, {}
    for cell = 0, land.width * land.height - 1 do
        cells[cell + 1], area[cell], longest[cell], donors[cell] = cell, 1, 0, {}
    end
    local function height(cell) return land:get(cell % land.width, cell // land.width) end
    table.sort(cells, function(a, b)
        local ha, hb = height(a), height(b)
        return ha > hb or ha == hb and a < b
    end)
    for _, cell in ipairs(cells) do
        if area[cell] >= channel then
            local most, times = 0, 0
            for _, donor in ipairs(donors[cell]) do
                times = order[donor] > most and 1 or order[donor] == most and times + 1 or times
                most = math.max(most, order[donor])
            end
            order[cell] = math.max(1, times > 1 and most + 1 or most)
        end
        local below = to[cell]
        if below then
            area[below] = area[below] + area[cell]
            longest[below] = math.max(longest[below], longest[cell] + way[cell])
            if order[cell] then
                table.insert(donors[below], cell)
            end
        end
    end
    return { to = to, way = way, area = area, longest = longest, order = order, donors = donors, height = height }
end

local function streams_of(land, channel)
    local tree = tree_of(land, channel)
    local length, along, straight, counts, lengths, bins = 0, 0, 0, {}, {}, {}
    for cell, order in pairs(tree.order) do
        local below, way = tree.to[cell], tree.way[cell] or 1
        length = length + way
        lengths[order] = (lengths[order] or 0) + way
        counts[order] = (counts[order] or 0) + ((not below or tree.order[below] ~= order) and 1 or 0)
        if #tree.donors[cell] ~= 1 then
            local at = cell
            while tree.to[at] and (at == cell or #tree.donors[at] < 2) do
                along, at = along + tree.way[at], tree.to[at]
            end
            local dx, dy = at % land.width - cell % land.width, at // land.width - cell // land.width
            straight = straight + (dx * dx + dy * dy) ^ 0.5
        end
        if below then
            local i = math.floor(2 * math.log(tree.area[cell] / channel, 2) + 1e-12)
            bins[i] = bins[i] or { 0, 0, 0, 0, 0 }
            for k, value in ipairs{ 1, math.log(tree.area[cell]), math.log(math.max(1, tree.longest[cell])),
                tree.height(cell) - tree.height(below), way } do
                bins[i][k] = bins[i][k] + value
            end
        end
    end
    local hack, falls, number, reach = {}, {}, {}, {}
    for _, bin in pairs(bins) do
        if bin[1] >= 16 then
            hack[#hack + 1] = { bin[2] / bin[1], bin[3] / bin[1] }
            falls[#falls + 1] = { bin[2] / bin[1], math.log(bin[4] / bin[5]) }
        end
    end
    for order, count in pairs(counts) do
        if count > 1 then
            number[#number + 1] = { order, math.log(count) }
            reach[#reach + 1] = { order, math.log(lengths[order] / count) }
        end
    end
    return { hack = slope_of_line(hack), concavity = -slope_of_line(falls),
        bifurcation = math.exp(-slope_of_line(number)), length_ratio = math.exp(slope_of_line(reach)),
        density = length / (land.width * land.height) * channel ^ 0.5, sinuosity = along / straight }
end

-- Filled with a fall, so that no flats are left, whose drainage the definition leaves open.
function TestRealism.test_streams_are_those_of_the_definition()
    for _, channel in ipairs{ 12, 40 } do
        local land = esker.diamond_square{ width = 110, height = 90, seed = channel }:fill{ slope = 2 }
        local measures = land:realism{ channel = channel }
        lu.assertEquals(measures.hollows, 0)
        for name, value in pairs(streams_of(land, channel)) do
            lu.assertAlmostEquals(measures[name], value, 1e-5, name)
        end
    end
end

-- A valley of even width, so that both the area and the longest way grow with the distance y: Hack's exponent is 1;
-- and its floor falls as y^0.6, so that θ is 0.4.
function TestRealism.test_a_straight_valley_has_hacks_exponent_one()
    local valley = field(11, 1200, function(x, y) return 200 + 20 * math.abs(x - 5) - (y + 1) ^ 0.6 end)
    local measures = valley:realism{ channel = 400 }
    lu.assertAlmostEquals(measures.hack, 1, 0.03)
    lu.assertAlmostEquals(measures.concavity, 0.4, 0.02)
    lu.assertEquals(measures.sinuosity, 1)
end

-- --- coast -------------------------------------------------------------------------------------------------

-- Koch's curve over the unit line as heights of its outline is no function of x: whether a point lies below is asked
-- of the polygon.
local function koch_points(depth)
    local points = { { 0, 0 }, { 1, 0 } }
    for _ = 1, depth do
        local finer = { points[1] }
        for i = 2, #points do
            local a, b = points[i - 1], points[i]
            local dx, dy = (b[1] - a[1]) / 3, (b[2] - a[2]) / 3
            finer[#finer + 1] = { a[1] + dx, a[2] + dy }
            finer[#finer + 1] = { a[1] + 1.5 * dx - dy * 3 ^ 0.5 / 2, a[2] + 1.5 * dy + dx * 3 ^ 0.5 / 2 }
            finer[#finer + 1] = { a[1] + 2 * dx, a[2] + 2 * dy }
            finer[#finer + 1] = b
        end
        points = finer
    end
    return points
end

function TestRealism.test_the_coast_of_koch_has_its_dimension()
    local side, crossings = 512, {}
    local points = koch_points(6)
    for i = 2, #points do
        local a, b = points[i - 1], points[i]
        local low, high = math.min(a[1], b[1]), math.max(a[1], b[1])
        for x = math.max(0, math.ceil(low * side - 0.5)), math.min(side - 1, math.ceil(high * side - 0.5) - 1) do
            local share = ((x + 0.5) / side - a[1]) / (b[1] - a[1])
            crossings[x] = crossings[x] or {}
            table.insert(crossings[x], (a[2] + share * (b[2] - a[2]) + 0.1) * side)
        end
    end
    local island = field(side, side, function(x, y)
        local below = 0
        for _, at in ipairs(crossings[x] or {}) do
            below = below + (at > y + 0.5 and 1 or 0)
        end
        return below % 2 == 1 and 1 + y / 1000 or -1
    end)
    lu.assertAlmostEquals(island:realism{}.coast, math.log(4) / math.log(3), 0.06)
    local straight = field(256, 256, function(_, y) return y / 256 - 0.5 end)
    lu.assertAlmostEquals(straight:realism{}.coast, 1, 1e-9)
    lu.assertEquals(esker.diamond_square{ size = 64, seed = 1 }:realism{}.coast, 0)
end

-- --- all ---------------------------------------------------------------------------------------------------

function TestRealism.test_degenerate_fields_have_finite_measures()
    local noise = esker.diamond_square{ size = 64, seed = 2 }
    local fields = {
        field(64, 64, 0.5), field(1, 1, 3), field(1, 500, function(_, y) return y end),
        field(500, 1, function(x) return x end),
        field(2, 2, function(x) return x end), noise - 10, noise * 0 - 1, noise * 1e-44, noise * 3e38 - 1e38,
        field(65, 65, function(x, y) return x == 32 and y == 32 and 1 or 0 end),
        field(64, 64, function(x, y) return (x + y) % 2 end),
    }
    for i, land in ipairs(fields) do
        for name, value in pairs(land:realism{ vertical_scale = 1 }) do
            lu.assertTrue(value == value and math.abs(value) < math.huge, i .. " " .. name)
        end
        lu.assertEquals(land:realism{ like = land }.score, 1)
        local score = land:realism{}.score
        lu.assertTrue(score > 0 and score < 0.5, i .. " " .. score)
    end
end

-- Heights are in no unit: eight times as high is the same land, to the rounding of logarithms.
function TestRealism.test_no_measure_but_the_slope_depends_on_the_vertical_scale()
    local land = esker.diamond_square{ size = 128, seed = 9 }
    local low, high = land:realism{ vertical_scale = 8 }, (land * 8):realism{ vertical_scale = 1 }
    for name, value in pairs(low) do
        lu.assertAlmostEquals(high[name], value, 1e-12, name)
    end
end

local function csv(path)
    local file, rows, names = assert(io.open(path)), {}, nil
    for line in file:lines() do
        local row, i = {}, 0
        for cell in (line:gsub('"[^"]*"', function(text) return (text:gsub(",", ";")) end) .. ","):gmatch("([^,]*),") do
            i = i + 1
            row[names and names[i] or i] = cell
        end
        rows[#rows + 1], names = names and row, names or row
    end
    file:close()
    return rows
end

local sizes <const> = { 1, 10, 30, 90 }

local function size_of(cell)
    local nearest = 1
    for i, size in ipairs(sizes) do
        if math.abs(math.log(cell / size)) < math.abs(math.log(cell / sizes[nearest])) then
            nearest = i
        end
    end
    return nearest
end

-- The 10th and 90th percentile and the median, to three digits, of the models whose cells are nearest to the size.
function TestRealism.test_ranges_are_those_of_the_table()
    local rows, models = csv("docs/realism.csv"), {}
    for i, size in ipairs(sizes) do
        for name, range in pairs(esker.realism_ranges{ cell = size }) do
            local values = {}
            for _, row in ipairs(rows) do
                local cell = tonumber(row.cell)
                if name == "coast" or cell and size_of(cell) == i then
                    values[#values + 1] = tonumber(row[name])
                end
                models[row.source .. row.file] = cell and true
            end
            table.sort(values)
            lu.assertTrue(#values >= 10, name)
            for k, share in ipairs{ 0.1, 0.9, 0.5 } do
                local at = share * (#values - 1)
                local low = math.floor(at)
                local next = values[math.min(low + 2, #values)]
                local percentile = values[low + 1] + (next - values[low + 1]) * (at - low)
                lu.assertEquals(tonumber(("%.3g"):format(percentile)), range[k], name .. " " .. size)
            end
        end
    end
    local count = 0
    for _ in pairs(models) do
        count = count + 1
    end
    lu.assertTrue(count >= 30)
end

function TestRealism.test_ranges_between_the_sizes_are_mixed_by_the_logarithm()
    local ten, thirty = esker.realism_ranges{ cell = 10 }, esker.realism_ranges{ cell = 30 }
    local between = esker.realism_ranges{ cell = 10 * 3 ^ 0.25 }
    local widest = esker.realism_ranges{}
    for name, range in pairs(between) do
        for k = 1, 3 do
            lu.assertAlmostEquals(range[k], 0.75 * ten[name][k] + 0.25 * thirty[name][k], 1e-9, name)
        end
        for _, size in ipairs(sizes) do
            local of = esker.realism_ranges{ cell = size }[name]
            lu.assertTrue(widest[name][1] <= of[1] and widest[name][2] >= of[2], name)
        end
    end
    lu.assertEquals(esker.realism_ranges{ cell = 0.34 }, esker.realism_ranges{ cell = 1 })
    lu.assertEquals(esker.realism_ranges{ cell = 269 }, esker.realism_ranges{ cell = 90 })
    lu.assertEquals(esker.realism_ranges{ cell = 0.33 }, widest)
    lu.assertEquals(esker.realism_ranges{ cell = 271 }, widest)
end

-- --- scores ------------------------------------------------------------------------------------------------

-- The definition, from measures and ranges.
local function score_of(measures, cell)
    local sum, count, within = 0, 0, 0
    for name, range in pairs(esker.realism_ranges{ cell = cell }) do
        local value = measures[name]
        if not (name == "coast" and value == 0) and not (name == "slope" and cell == 0) then
            local outside = math.max(range[1] - value, value - range[2], 0) / ((range[2] - range[1]) / 2)
            sum, count = sum + math.min(outside, 4) ^ 2, count + 1
            within = within + (outside == 0 and 1 or 0)
        end
    end
    return 1 / (1 + sum / count), within, count
end

function TestRealism.test_the_score_is_that_of_the_definition()
    local land = esker.spectral{ size = 128, seed = 3 } * 400
    for _, cell in ipairs{ 0, 1, 17, 90, 1000 } do
        local measures = land:realism{ cell = cell }
        local known = cell <= 270 and cell or 0
        local score, within, judged = score_of(measures, known)
        lu.assertAlmostEquals(measures.score, score, 1e-12)
        lu.assertEquals({ measures.cell, measures.within, measures.judged }, { known, within, judged })
    end
    lu.assertAlmostEquals(land:realism{ cell = 40 }.slope * 40, land:realism{ vertical_scale = 1 }.slope, 1e-9)
    lu.assertEquals(land:realism{ cell = 40, vertical_scale = 1 }.slope, land:realism{ vertical_scale = 1 }.slope)
end

function TestRealism.test_metres_come_from_the_frame()
    local land = esker.spectral{ size = 64, seed = 3 } * 400
    local expected = land:realism{ cell = 25 }
    land.frame = { x = 500000, y = 5000000, cell = 25, system = "EPSG:32633", unit = "m" }
    lu.assertEquals(land:realism{}, expected)
    lu.assertEquals(land:realism{ cell = 10 }.cell, 10)
    local feet = land / 0.3048
    feet.frame = { x = 500000, y = 5000000, cell = 25, system = "EPSG:32633", unit = "ft" }
    for _, measures in ipairs{ feet:realism{}, feet:realism{ cell = 25 } } do
        lu.assertAlmostEquals(measures.slope, expected.slope, 1e-6)
        lu.assertEquals(measures.cell, 25)
    end
    land.frame = { x = 500000, y = 5000000, cell = 25, system = "EPSG:32633" } -- heights in its unit
    lu.assertEquals(land:realism{}, expected)
end

-- Land that is mirrored or turned has the same measures. Filled with a fall: ways over level ground and equally steep
-- ones depend on the order of cells.
function TestRealism.test_measures_do_not_depend_on_the_directions()
    local land = esker.diamond_square{ width = 96, height = 80, seed = 5 }:fill{ slope = 2 }
    local measures = land:realism{}
    local turned = {
        field(96, 80, function(x, y) return land:get(95 - x, y) end),
        field(96, 80, function(x, y) return land:get(x, 79 - y) end),
        field(80, 96, function(x, y) return land:get(y, x) end),
        field(80, 96, function(x, y) return land:get(y, 79 - x) end),
    }
    for i, other in ipairs(turned) do
        for name, value in pairs(other:realism{}) do
            lu.assertAlmostEquals(value, measures[name], 1e-3 * math.abs(measures[name]) + 1e-9, name .. " " .. i)
        end
    end
end

-- Hillsides that are nearly plane, and bend a little one way throughout, are no sign of unlikely land.
function TestRealism.test_concave_land_is_counted_where_it_is_curved()
    local valleys = field(240, 60, function(x)
        local from = math.abs(x % 40 - 20) -- from a sharp crest at 20 to a sharp valley at 0
        return 100 - from - from * from / 400
    end)
    lu.assertAlmostEquals(valleys:realism{}.concave, 0.5, 0.05)
end

-- Water that works for longer makes land more likely, not less: young, mature and old against the raw field.
-- A cone in the sea: only its tip and its shore are sharp, and the shore is the sea's.
function TestRealism.test_shores_are_not_concave()
    local cone = field(101, 101, function(x, y) return 40.5 - ((x - 50) ^ 2 + (y - 50) ^ 2) ^ 0.5 end)
    lu.assertEquals(cone:realism{}.concave, 0)
end

function TestRealism.test_the_score_does_not_fall_with_maturity()
    local raw = esker.diamond_square{ size = 256, seed = 1 }:normalize()
    for _, cell in ipairs{ 0, 30, 90 } do
        local function score(age)
            local land = age > 0 and raw:stream_erosion{ age = age } or raw
            return (land * math.max(16 * cell, 1)):realism{ cell = cell }.score
        end
        local young, old = score(0), score(1)
        lu.assertTrue(old > young + 0.1, cell .. ": " .. young .. " " .. old)
    end
end

function TestRealism.test_bad_input_is_named()
    local land = esker.spectral{ size = 32, seed = 1 }
    lu.assertErrorMsgContains("cell must be", land.realism, land, { cell = -1 })
    lu.assertErrorMsgContains("cell must be", esker.realism_ranges, { cell = -30 })
    lu.assertErrorMsgContains("cell", land.realism, land, { cell = "30 m" })
    local holed = land:set_gaps(field(32, 32, function(x, y) return x == 3 and y == 5 and 1 or 0 end))
    lu.assertEquals(holed.gaps, 1)
    lu.assertErrorMsgContains("realism", holed.realism, holed)
    lu.assertErrorMsgContains("gap", holed.realism, holed)
end

-- A parameter of a land is found back by its measures, over lands of other seeds.
function Long.test_likeness_finds_a_parameter_back()
    local tried <const> = { 0.3, 0.4, 0.5, 0.6, 0.7 }
    local function land(persistence, seed)
        return esker.spectral{ size = 128, seed = seed, persistence = persistence }
    end
    for index, known in ipairs(tried) do
        local target, best, most = land(known, 1), nil, 0
        for i, persistence in ipairs(tried) do
            local score = 0
            for seed = 2, 9 do
                score = score + land(persistence, seed):realism{ like = target }.score
            end
            if score > most then
                best, most = i, score
            end
        end
        lu.assertAlmostEquals(best, index, 1, "persistence " .. known)
    end
end

os.exit(lu.LuaUnit.run())
