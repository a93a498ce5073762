-- Operations on the form of the surface, against derivatives written down once more: exact planes and quadratics, and
-- every cell of a rough field, with its edges.

local esker = require "esker"
local lu = require "luaunit"

TestSurface = {}

local size <const> = 48
local steep <const> = size / 16 -- cells that a height of 1 stands for

local function made(make, wraps)
    return esker.field{ size = size, wrap = wraps or false, values = make }
end

-- The nine heights around a cell, in reading order: wrapped, or continued beyond the edge.
local function around(field, x, y)
    local function along(get, at, count)
        if field.wraps then
            return get(at % count)
        elseif at < 0 then
            return 2 * get(0) - get(1)
        elseif at >= count then
            return 2 * get(count - 1) - get(count - 2)
        end
        return get(at)
    end
    local nine = {}
    for dy = -1, 1 do
        for dx = -1, 1 do
            nine[#nine + 1] = along(function(row)
                return along(function(column) return field:get(column, row) end, x + dx, field.width)
            end, y + dy, field.height)
        end
    end
    return table.unpack(nine)
end

local function assert_everywhere(field, got, expected, tolerance)
    for y = 0, field.height - 1 do
        for x = 0, field.width - 1 do
            local want, have = expected(around(field, x, y)), got:get(x, y)
            if math.abs(want - have) > tolerance then
                error(("cell (%d, %d): expected %.9g, got %.9g"):format(x, y, want, have))
            end
        end
    end
end

local function horn(a, b, c, d, _, f, g, h, i)
    return (c + 2 * f + i - a - 2 * d - g) / 8, (g + 2 * h + i - a - 2 * b - c) / 8
end

local function zevenbergen(_, b, _, d, _, f, _, h)
    return (f - d) / 2, (h - b) / 2
end

local function angle(p, q)
    return math.deg(math.atan(math.sqrt(p * p + q * q) * steep))
end

local function aspect(p, q)
    return p == 0 and q == 0 and -1 or math.deg(math.atan(-p, q)) % 360
end

local function evans(a, b, c, d, e, f, g, h, i)
    local p, q = (c + f + i - a - d - g) / 6 * steep, (g + h + i - a - b - c) / 6 * steep
    local r = (a + c + d + f + g + i - 2 * (b + e + h)) / 3 * steep
    local t = (a + b + c + g + h + i - 2 * (d + e + f)) / 3 * steep
    return p, q, r, (i + a - c - g) / 4 * steep, t
end

-- The surface through all nine: its derivatives in the middle are differences of the nearest.
local function quartic(a, b, c, d, e, f, g, h, i)
    return (f - d) / 2 * steep, (h - b) / 2 * steep, (d + f - 2 * e) * steep, (i + a - c - g) / 4 * steep,
        (b + h - 2 * e) * steep
end

local bends = {
    mean = function(p, q, r, s, t)
        return -((1 + q * q) * r - 2 * p * q * s + (1 + p * p) * t) / (2 * (1 + p * p + q * q) ^ 1.5)
    end,
    profile = function(p, q, r, s, t)
        return -(p * p * r + 2 * p * q * s + q * q * t) / ((p * p + q * q) * (1 + p * p + q * q) ^ 1.5)
    end,
    tangential = function(p, q, r, s, t)
        return -(q * q * r - 2 * p * q * s + p * p * t) / ((p * p + q * q) * (1 + p * p + q * q) ^ 0.5)
    end,
    plan = function(p, q, r, s, t)
        return -(q * q * r - 2 * p * q * s + p * p * t) / (p * p + q * q) ^ 1.5
    end,
}

-- Rough ground that wraps and ground that does not.
local function grounds()
    local rough = esker.spectral{ size = size, seed = 4 }
    return { rough, rough:crop{ x = 5, y = 9, width = size, height = size - 7 }:resize{ width = size, height = 30 } }
end

function TestSurface.test_every_cell()
    for _, ground in ipairs(grounds()) do
        assert_everywhere(ground, ground:gradient_angle(), function(...) return angle(horn(...)) end, 2e-4)
        assert_everywhere(ground, ground:gradient_angle{ method = "zevenbergen" },
            function(...) return angle(zevenbergen(...)) end, 2e-4)
        assert_everywhere(ground, ground:ruggedness(), function(a, b, c, d, e, f, g, h, i)
            local sum = 0
            for _, other in ipairs{ a, b, c, d, f, g, h, i } do
                sum = sum + (other - e) ^ 2
            end
            return math.sqrt(sum)
        end, 1e-6)
        assert_everywhere(ground, ground:ruggedness{ measure = "wilson" }, function(a, b, c, d, e, f, g, h, i)
            local sum = 0
            for _, other in ipairs{ a, b, c, d, f, g, h, i } do
                sum = sum + math.abs(other - e)
            end
            return sum / 8
        end, 1e-6)
    end
end

function TestSurface.test_curvature_of_every_cell()
    for _, ground in ipairs(grounds()) do
        for method, fit in pairs{ evans = evans, zevenbergen = quartic } do
            local got = ground:curvature{ method = method }
            assert_everywhere(ground, got, function(...) return bends.mean(fit(...)) * size end, 3e-3)
            for _, kind in ipairs{ "profile", "tangential" } do
                got = ground:curvature{ kind = kind, method = method }
                assert_everywhere(ground, got, function(...) return bends[kind](fit(...)) * size end, 3e-2)
            end
        end
        lu.assertNotEquals(ground:curvature{ method = "zevenbergen" }:hash(), ground:curvature():hash())
    end
end

-- x²y², x²y and xy² bend nothing at the middle of nine cells. Least squares takes part of them for slope and bend.
function TestSurface.test_curvature_of_the_partial_quartic()
    local function height(x, y)
        local u, v = x - 24, y - 24
        local tail = 0.3 * u * u * v * v + 0.2 * u * u * v - 0.4 * u * v * v
        return (tail + 0.5 * u * u - 0.3 * u * v + 0.2 * v * v + 0.7 * u + 0.1 * v) / steep
    end
    local ground = made(height)
    for kind, bend in pairs(bends) do
        local want = bend(0.7, 0.1, 1, -0.3, 0.4) * size
        lu.assertAlmostEquals(ground:curvature{ kind = kind, method = "zevenbergen" }:get(24, 24), want, 1e-3)
        lu.assertTrue(math.abs(ground:curvature{ kind = kind }:get(24, 24) - want) > 0.3, kind)
    end
end

-- North and level ground are where two directions of one angle meet, so rough ground says little: all directions.
function TestSurface.test_aspect_of_planes()
    for degrees = 0, 359 do
        local x, y = math.sin(math.rad(degrees)), -math.cos(math.rad(degrees))
        local plane = made(function(cx, cy) return -(x * cx + y * cy) / 64 end)
        local facing = plane:aspect():statistics()
        local apart = math.max(math.abs((facing.min - degrees + 180) % 360 - 180),
            math.abs((facing.max - degrees + 180) % 360 - 180))
        lu.assertTrue(apart < 0.01, degrees .. " " .. facing.min .. " " .. facing.max)
        lu.assertTrue(facing.max < 360)
    end
    lu.assertEquals(made(3):aspect():statistics().max, -1)
    for method, gradient in pairs{ horn = horn, zevenbergen = zevenbergen } do
        local rough = grounds()[2]
        assert_everywhere(rough, rough:aspect{ method = method }, function(...) return aspect(gradient(...)) end, 0.02)
    end
end

-- Quadratic surfaces have the same second derivatives everywhere; the fit is exact inside.
function TestSurface.test_curvature_of_quadratics()
    for kind, bend in pairs(bends) do
        for _, c in ipairs{ { 2, 0, 1 }, { -1, 0.5, 3 }, { 1, 2, 1 }, { -2, -1, -0.5 } } do
            local r, s, t = c[1] / size, c[2] / size, c[3] / size -- per cell
            local ground = made(function(x, y)
                local u, v = x - 8, y - 5
                return (r * u * u / 2 + s * u * v + t * v * v / 2) / steep
            end)
            local got = ground:curvature{ kind = kind }
            for x = 12, size - 2, 5 do
                for y = 9, size - 2, 7 do
                    local u, v = x - 8, y - 5
                    local want = bend(r * u + s * v, s * u + t * v, r, s, t) * size
                    lu.assertAlmostEquals(got:get(x, y), want, 2e-3 * (1 + math.abs(want)))
                end
            end
        end
    end
end

-- A plane is a plane to its edges, at any size and proportion; level ground has no curvature of any kind.
function TestSurface.test_planes()
    local plane = made(function(x, y) return (3 * x + 4 * y) / 5 / size end)
    local angles = plane:gradient_angle{ exaggeration = 16 }:statistics()
    lu.assertAlmostEquals(angles.min, 45, 1e-3)
    lu.assertAlmostEquals(angles.max, 45, 1e-3)
    for kind in pairs(bends) do
        lu.assertAlmostEquals(plane:curvature{ kind = kind }:abs():statistics().max, 0, 1e-3)
        lu.assertEquals(made(2):curvature{ kind = kind }:statistics().max, 0)
    end
    for _, shape in ipairs{ { 1, 1 }, { 1, 9 }, { 9, 1 }, { 2, 2 } } do
        local small = esker.field{ width = shape[1], height = shape[2], values = 7 }
        lu.assertEquals(small:gradient_angle():statistics().max, 0)
        lu.assertEquals(small:ruggedness():statistics().max, 0)
    end
end

-- Seen from a quarter turn away, the ground is the same.
function TestSurface.test_quarter_turns()
    local rough = esker.spectral{ size = size, seed = 9 }
    local turned = made(function(x, y) return rough:get(y, size - 1 - x) end, true) -- clockwise
    local facing, before = turned:aspect(), rough:aspect()
    local bent, unbent = turned:curvature{ kind = "plan" }, rough:curvature{ kind = "plan" }
    for x = 0, size - 1, 5 do
        for y = 0, size - 1, 3 do
            local old = before:get(y, size - 1 - x)
            lu.assertAlmostEquals((facing:get(x, y) - old - 90 + 180) % 360, 180, 0.01)
            lu.assertAlmostEquals(bent:get(x, y), unbent:get(y, size - 1 - x), 0.01 + math.abs(bent:get(x, y)) * 1e-3)
        end
    end
end

-- The steepest rise towards (dx, dy) in cells, found step by step: at most `reach` of them.
local function rise_towards(field, x, y, dx, dy, reach, better)
    local best
    for k = 1, reach do
        local column, row = x + k * dx, y + k * dy
        if field.wraps then
            column, row = column % field.width, row % field.height
        elseif column < 0 or row < 0 or column >= field.width or row >= field.height then
            break
        end
        local rise = (field:get(column, row) - field:get(x, y)) / (k * math.sqrt(dx * dx + dy * dy))
        best = best and better(best, rise) or rise
    end
    return best or 0
end

local compass = { { 0, -1 }, { 1, -1 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 }, { -1, -1 } }

function TestSurface.test_sky_of_every_cell()
    for _, ground in ipairs(grounds()) do
        local view = ground:sky_view{ directions = 8, exaggeration = 2 }
        local radius = 7.71 / math.max(ground.width, ground.height)
        local open, closed = ground:openness{ radius = radius }, ground:openness{ radius = radius, side = "negative" }
        for y = 0, ground.height - 1, 3 do
            for x = 0, ground.width - 1 do
                local seen, above, below = 1, 0, 0
                for _, d in ipairs(compass) do
                    local rise = math.max(rise_towards(ground, x, y, d[1], d[2], ground.width, math.max), 0) * steep * 2
                    seen = seen - rise / math.sqrt(1 + rise * rise) / 8
                    local reach = d[1] * d[2] == 0 and 8 or 5 -- 7.71 in steps, diagonal ones 1.414 long
                    above = above + (90 - math.deg(math.atan(rise_towards(ground, x, y, d[1], d[2], reach, math.max)
                        * steep))) / 8
                    below = below + (90 + math.deg(math.atan(rise_towards(ground, x, y, d[1], d[2], reach, math.min)
                        * steep))) / 8
                end
                lu.assertAlmostEquals(view:get(x, y), seen, 1e-5)
                lu.assertAlmostEquals(open:get(x, y), above, 1e-3)
                lu.assertAlmostEquals(closed:get(x, y), below, 1e-3)
            end
        end
    end
end

-- The height at (x, y), interpolated along the longer of two steps; the last cell stands for what is missing.
local function height_between(field, x, y, flat)
    local at = flat and y or x
    local low, width = math.floor(at + 1e-9), flat and field.height or field.width
    local share = math.max(at - low, 0)
    local function get(index)
        index = field.wraps and index % width or math.min(math.max(index, 0), width - 1)
        return flat and field:get(x % field.width, index) or field:get(index, y % field.height)
    end
    return (1 - share) * get(low) + share * get(low + 1)
end

-- Lines in any direction pass between cells: the horizon of a cell is that of the lines on both sides of it, which are
-- followed from the far end on, through the field once more where edges meet.
local function horizon_of(field, x, y, azimuth)
    local right, down = math.sin(azimuth), -math.cos(azimuth)
    local flat = math.abs(right) > math.abs(down)
    local slope, ahead = flat and down / right or right / down, (flat and right or down) > 0 and 1 or -1
    local steps, side = flat and field.width or field.height, flat and field.height or field.width
    local from, across = flat and x or y, flat and y or x
    local at_middle = steps % 2 == 0 and math.abs(slope) > 0.5 and 0.5 or 0
    local share, sum = (slope * (from - (steps - 1) / 2) + at_middle) % 1, 0
    share = share > 1 - 1e-6 and 0 or share
    for k, weight in pairs{ [0] = 1 - share, [-1] = share } do
        local start, best = across + k + share, nil
        local function place(step)
            return start + slope * step * ahead, from + step * ahead
        end
        local function height_at(step)
            local aside, along = place(step)
            return flat and height_between(field, along, aside, true) or height_between(field, aside, along, false)
        end
        for step = 1, 2 * steps do
            local aside, along = place(step)
            if along >= (field.wraps and 2 or 1) * steps or along < (field.wraps and -steps or 0)
                or not field.wraps and (aside <= -1 + 1e-9 or aside >= side - 1e-9) then
                break
            end
            local rise = (height_at(step) - height_at(0)) / step / math.sqrt(1 + slope * slope)
            best = math.max(best or rise, rise)
        end
        sum = sum + weight * (best or 0)
    end
    return sum
end

function TestSurface.test_horizons_in_any_direction()
    local directions <const> = 7
    for _, wraps in ipairs{ false, true } do
        for _, shape in ipairs{ { 150, 90 }, { 70, 140 } } do -- several bands of lines either way
            local ground = esker.noise{ width = shape[1], height = shape[2], seed = 4, wrap = wraps }
            local view, per_height = ground:sky_view{ directions = directions }, math.max(shape[1], shape[2]) / 16
            for i = 0, 29 do
                local x, y, seen = i * 37 % shape[1], i * 53 % shape[2], 1
                for direction = 0, directions - 1 do
                    local tangent = horizon_of(ground, x, y, direction * 2 * math.pi / directions)
                    local rise = math.max(tangent, 0) * per_height
                    seen = seen - rise / math.sqrt(1 + rise * rise) / directions
                end
                lu.assertAlmostEquals(view:get(x, y), seen, 1e-5)
            end
        end
    end
end

function TestSurface.test_horizons_of_mirrored_ground()
    for _, shape in ipairs{ { 61, 80 }, { 80, 61 } } do
        local ground = esker.noise{ width = shape[1], height = shape[2], seed = 5 } * 4
        for azimuth = 0, 350, 35 do
            local shaded = ground:hillshade{ light = { azimuth, 20 }, shadows = true }
            for axis, mirrored in pairs{ x = -azimuth, y = 180 - azimuth } do
                local again = ground:flip{ axis = axis }:hillshade{ light = { mirrored, 20 }, shadows = true }
                lu.assertTrue((again:flip{ axis = axis } - shaded):abs():statistics().max < 1e-3)
            end
        end
    end
end

-- Also where edges meet: rays go once around, diagonal ones along the longer side.
function TestSurface.test_sky_of_mirrored_ground()
    for _, shape in ipairs{ { 10, 20 }, { 23, 16 } } do
        local ground = esker.noise{ width = shape[1], height = shape[2], seed = 5, octaves = 1 }
        for _, axis in ipairs{ "x", "y", "diagonal" } do
            for _, wrap in ipairs{ true, false } do
                local view = ground:sky_view{ wrap = wrap }
                local again = ground:flip{ axis = axis }:sky_view{ wrap = wrap }
                lu.assertTrue((again:flip{ axis = axis } - view):abs():statistics().max < 1e-5, axis)
            end
        end
    end
end

function TestSurface.test_light_of_every_cell()
    local ground = grounds()[2]
    for _, light in ipairs{ { 315, 45 }, { 20, 70 }, { 200, 10 } } do
        local azimuth, altitude = math.rad(light[1]), math.rad(light[2])
        local lx, ly = math.sin(azimuth) * math.cos(altitude), -math.cos(azimuth) * math.cos(altitude)
        assert_everywhere(ground, ground:hillshade{ light = { { light[1], light[2], 3 } } }, function(...)
            local p, q = horn(...)
            p, q = p * steep, q * steep
            return math.max(math.sin(altitude) - p * lx - q * ly, 0) / math.sqrt(1 + p * p + q * q)
        end, 1e-5)
    end
    -- a light as relief takes it, and rows without weights, which are then equal
    lu.assertEquals(ground:hillshade{ light = { 300, 40 } }, ground:hillshade{ light = { { 300, 40, 3 } } })
    lu.assertEquals(ground:hillshade{ light = { { 300, 40 }, { 80, 30 } } },
        ground:hillshade{ light = { { 300, 40, 1 }, { 80, 30, 1 } } })
    local both = ground:hillshade{ light = { { 315, 45, 2 }, { 80, 30, 1 } }, shadows = true }
    local one = ground:hillshade{ light = { { 315, 45, 1 } }, shadows = true }
    local other = ground:hillshade{ light = { { 80, 30, 1 } }, shadows = true }
    lu.assertTrue((both - (one * 2 + other) / 3):abs():statistics().max < 1e-6)
end

-- The shadow of a wall ends where the light passes over it, whatever the direction: one line of cells between them may
-- be in its soft edge.
function TestSurface.test_shadow_of_a_wall()
    local side, tall = 128, 1
    for degrees = 0, 345, 15 do
        local east, south = math.sin(math.rad(degrees)), -math.cos(math.rad(degrees))
        local ground = esker.field{ size = side, values = function(x, y) -- the wall stands across the light
            local along = (x - 64) * east + (y - 64) * south
            return math.abs(along - 20) <= 1 and tall or 0
        end }
        local lit = ground:hillshade{ light = { { degrees, 30, 1 } }, shadows = true, softness = 0.5,
            exaggeration = 16 / side * 12 } -- 12 cells tall
        for along = -30, 16, 2 do
            local x, y = math.floor(64 + along * east + 0.5), math.floor(64 + along * south + 0.5)
            local really = (x - 64) * east + (y - 64) * south
            local distance = 20 - really -- 12 / tan(30°) = 20.8 cells of shadow
            if distance < 18.5 then
                lu.assertTrue(lit:get(x, y) < 0.05, ("%d degrees, %g cells behind: %g"):format(degrees, distance,
                    lit:get(x, y)))
            elseif distance > 23 then
                lu.assertAlmostEquals(lit:get(x, y), 0.5, 1e-4)
            end
        end
    end
end

-- Squares of four cells, by the definition.
function TestSurface.test_ridges_and_valleys()
    local function in_some(extreme, e, ...)
        local cells = { ... }
        for i = 1, #cells, 3 do
            if extreme(e, cells[i], cells[i + 1], cells[i + 2]) == e then
                return 0
            end
        end
        return 1
    end
    for _, ground in ipairs(grounds()) do
        local smooth = ground:blur{ sigma = 1 / math.max(ground.width, ground.height) }
        for name, extreme in pairs{ ridges = math.min, valleys = math.max } do
            local marked = smooth[name](smooth)
            assert_everywhere(smooth, marked, function(a, b, c, d, e, f, g, h, i)
                return in_some(extreme, e, a, b, d, b, c, f, d, g, h, f, h, i)
            end, 0)
            local share = marked:statistics().mean
            lu.assertTrue(share > 0.05 and share < 0.4, share)
        end
    end
    local roof = made(function(x) return -math.abs(x - 20) / size end)
    lu.assertEquals(roof:ridges():statistics().sum, size)
    lu.assertEquals(roof:ridges():get(20, 7), 1)
    lu.assertEquals(roof:valleys():statistics().sum, 0)
    lu.assertEquals(made(1):ridges():statistics().sum + made(1):valleys():statistics().sum, 0)
end

-- Ridges as lines, as the page has them: on the divides between streams, which they hardly meet.
function TestSurface.test_ridges_as_lines()
    local land = esker.spectral{ size = 128, seed = 4 }:stream_erosion{ age = 0.4 }:normalize()
    local function drained(of)
        return of:rivers_from_flow{ threshold = 0.002, sea_level = -1 }
    end
    local above = land:relative_height{ radius = 0.02 }
    local function at(lines)
        local sum, count, cells = 0, 0, {}
        for _, line in ipairs(lines:reaches()) do
            for _, point in ipairs(line) do
                local x, y = math.min(math.floor(point.x), 127), math.min(math.floor(point.y), 127)
                sum, count, cells[y * 128 + x] = sum + above:get(x, y), count + 1, true
            end
        end
        return sum / count, cells, count
    end
    local crests, on_crests, count = at(drained((1 - land):breach()))
    local streams, on_streams = at(drained(land))
    local both = 0
    for cell in pairs(on_crests) do
        both = both + (on_streams[cell] and 1 or 0)
    end
    lu.assertTrue(count > 300 and crests > 0.01 and streams < -0.01, ("%d %g %g"):format(count, crests, streams))
    lu.assertTrue(both < 0.05 * count, both)
end

function TestSurface.test_position_index()
    for _, ground in ipairs(grounds()) do
        local two, five = 2 / math.max(ground.width, ground.height), 5 / math.max(ground.width, ground.height)
        local index, radius = ground:position_index{ radius = { two, five } }
        local fine, coarse = ground:relative_height{ radius = two }, ground:relative_height{ radius = five }
        local by_fine, by_coarse = fine:statistics().stddev, coarse:statistics().stddev
        for y = 0, ground.height - 1 do
            for x = 0, ground.width - 1, 3 do
                local a, b = fine:get(x, y) / by_fine, coarse:get(x, y) / by_coarse
                local outstanding = math.abs(b) > math.abs(a)
                lu.assertAlmostEquals(index:get(x, y), outstanding and b or a, 1e-4)
                if math.abs(math.abs(a) - math.abs(b)) > 1e-3 then
                    lu.assertAlmostEquals(radius:get(x, y), outstanding and five or two, 1e-6)
                end
            end
        end
        local larger = (ground * 9 + 4):position_index{ radius = { two, five } }
        lu.assertAlmostEquals(larger:get(7, 8), index:get(7, 8), 1e-3)
    end
    lu.assertEquals((made(3):position_index()):statistics().max, 0)
end

function TestSurface.test_wetness_index()
    local ground = grounds()[2]
    local drained = ground:flow_accumulation{ method = "dinf" }
    local wet = ground:wetness_index()
    lu.assertEquals(wet:hash(), ground:wetness_index{ flow = drained }:hash())
    local x, y = 0, 0
    assert_everywhere(ground, wet, function(...)
        local p, q = horn(...)
        local area = drained:get(x, y)
        x, y = (x + 1) % ground.width, x + 1 == ground.width and y + 1 or y
        return math.log(area / math.max(math.sqrt(p * p + q * q) * steep, 0.001))
    end, 1e-4)
    lu.assertAlmostEquals(made(0.5):wetness_index{ min_slope = 0.1, flow = made(20) }:get(3, 3), math.log(200), 1e-5)
end

-- Masks against memberships written down once more.
function TestSurface.test_select()
    local function eased(t)
        t = math.min(math.max(t, 0), 1)
        return t * t * (3 - 2 * t)
    end
    local function inside(value, low, high, soft)
        if soft == 0 then
            return value >= low and value <= high and 1 or 0
        end
        return math.min(eased((value - low) / soft + 1), eased((high - value) / soft + 1))
    end
    local ground = grounds()[2]
    local angles, bends_, noise = ground:gradient_angle(), ground:curvature(), esker.spectral{ size = 4 }
    noise = noise:resize{ width = ground.width, height = ground.height }
    local facings = ground:aspect()
    local masks = {
        height = ground:select{ height = { 0.4, 0.6, 0.1 } },
        slope = ground:select{ slope = { 20, 40, 5 } },
        steep = ground:select{ slope = { 30 } },
        curvature = ground:select{ curvature = { -20, 5, 10 } },
        by = ground:select{ by = noise, range = { 0.3, 0.7, 0.2 } },
        north = ground:select{ aspect = { 315, 45, 20 } },
        north_again = ground:select{ aspect = { -45, 45, 20 } },
        north_once_more = ground:select{ aspect = { 1035, 45, 20 } },
        all = ground:select{ height = { 0.4, 0.6, 0.1 }, slope = { 20, 40, 5 } },
        any = ground:select{ height = { 0.4, 0.6, 0.1 }, slope = { 20, 40, 5 }, combine = "any" },
        neither = ground:select{ height = { 0.4, 0.6, 0.1 }, slope = { 20, 40, 5 }, combine = "any", invert = true },
    }
    lu.assertEquals(masks.north:hash(), masks.north_again:hash())
    lu.assertEquals(masks.north:hash(), masks.north_once_more:hash())
    lu.assertEquals(masks.all:hash(), masks.height:min(masks.slope):hash())
    lu.assertEquals(masks.any:hash(), masks.height:max(masks.slope):hash())
    lu.assertEquals(masks.neither:hash(), (1 - masks.any):hash())
    for y = 0, ground.height - 1, 2 do
        for x = 0, ground.width - 1 do
            lu.assertAlmostEquals(masks.height:get(x, y), inside(ground:get(x, y), 0.4, 0.6, 0.1), 1e-5)
            lu.assertAlmostEquals(masks.slope:get(x, y), inside(angles:get(x, y), 20, 40, 5), 1e-4)
            lu.assertEquals(masks.steep:get(x, y), angles:get(x, y) >= 30 and 1 or 0)
            lu.assertAlmostEquals(masks.curvature:get(x, y), inside(bends_:get(x, y), -20, 5, 10), 1e-4)
            lu.assertAlmostEquals(masks.by:get(x, y), inside(noise:get(x, y), 0.3, 0.7, 0.2), 1e-4)
            local away = facings:get(x, y)
            away = math.min(away, 360 - away)
            lu.assertAlmostEquals(masks.north:get(x, y), inside(away, -1e9, 45, 20), 1e-3)
        end
    end
    lu.assertEquals(made(1):select():statistics().min, 1)
    lu.assertEquals(made(0):select{ slope = { 0, 20, 10 }, height = { 0, 0.4, 0.2 } }:statistics().min, 1)
    lu.assertEquals(made(1):select{ aspect = { 0, 360 } }:statistics().max, 0) -- level ground faces nowhere
    for _, wrong in ipairs{ { { by = ground }, "by and range go together" },
        { { distance_to = ground }, "distance_to and distance go together" },
        { { distance = { 0, 1 } }, "distance_to and distance go together" },
        { { relative_height = { 2, 1 } }, "relative_height: high must be at least low" },
        { { noise = { 2, 1 } }, "noise: high must be at least low" },
        { { range = { 0, 1 } }, "go together" }, { { height = { 2, 1 } }, "high must be at least low" },
        { { slope = { 1, 2, 3, 4 } }, "slope must be a list of 1 to 3 numbers or none, got a list of 4" },
        { { slope = { 1, 2, -3 } }, "soft must be at least 0" },
        { { slope = { 100, 200 } }, "slope: no ground has 100 to 200 degrees; slopes are 0 to 90" },
        { { slope = { -20, -10, 30 } }, "slopes are 0 to 90" } } do
        local well, problem = pcall(ground.select, ground, wrong[1])
        lu.assertFalse(well)
        lu.assertStrContains(problem, wrong[2])
    end
end

-- Ranges of fields that it makes itself, against the operations that it takes them from.
function TestSurface.test_select_by_surroundings_distance_and_noise()
    for _, ground in ipairs(grounds()) do
        local road, width, height = ground:select{ height = { 0.7 } }, ground.width, ground.height
        local noise = esker.noise{ width = width, height = height, seed = 5, frequency = 6, wrap = ground.wraps }
        local expected = {
            relative_height = ground:select{ by = ground:relative_height{ radius = 0.1 }, range = { 0.01, 1, 0.02 } },
            distance = ground:select{ by = road:distance{ wrap = ground.wraps }, range = { 0.02, 0.1, 0.03 } },
            noise = ground:select{ by = noise, range = { 0.5, 1, 0.1 } },
        }
        local given = {
            relative_height = { relative_height = { 0.01, 1, 0.02 }, radius = 0.1 },
            distance = { distance_to = road, distance = { 0.02, 0.1, 0.03 } },
            noise = { noise = { 0.5, 1, 0.1 }, frequency = 6, seed = 5 },
        }
        local all, together = ground:select(), {}
        for name, arguments in pairs(given) do
            local mask = ground:select(arguments)
            lu.assertEquals(mask:hash(), expected[name]:hash(), name)
            lu.assertTrue(mask:statistics().stddev > 0.1, name)
            all = all:min(mask)
            for key, value in pairs(arguments) do
                together[key] = value
            end
        end
        lu.assertEquals(ground:select(together):hash(), all:hash())
        together.combine, together.invert = "any", true
        lu.assertEquals(ground:select(together):hash(),
            (1 - expected.relative_height:max(expected.distance):max(expected.noise)):hash())
    end
    local torn = grounds()[1]
    torn = torn:set_gaps(torn:select{ height = { 0.8 } })
    local near = torn:select{ distance_to = torn:select{ height = { 0, 0.4 } }, distance = { 0, 0.1 },
        relative_height = { -1, 0.02 }, noise = { 0, 0.9 } }
    lu.assertEquals(near.gaps, torn.gaps)
    lu.assertEquals(near.gaps > 9, true)
end

-- Under the sea there is no rock, however steep.
function TestSurface.test_texture_has_no_rock_under_water()
    local cliff = esker.field{ size = 32, values = function(x) return x < 16 and 0 or 0.4 end }
    local function texture(sea, rock)
        return cliff:texture{ sea_level = sea, rock = rock, snow = {}, high = 1, exaggeration = 16 }:hash()
    end
    lu.assertEquals(texture(0.5), texture(0.5, {}))
    lu.assertNotEquals(texture(0), texture(0, {}))
end

function TestSurface.test_paint_takes_one_colour_for_a_mask()
    local land = made(0.5)
    lu.assertErrorMsgContains("colour must be one for a mask or lines, got 2", function()
        land:relief{}:paint(land, { colour = { "#000000", "#ffffff" } })
    end)
end

-- Against lines of sight followed cell by cell, with heights between two cells interpolated: in eight directions to the
-- bit, elsewhere as near as the rings' interpolation allows.
function TestSurface.test_viewshed()
    local ground, px, py, eye = grounds()[2], 20, 13, 0.05
    local hidden = ground:viewshed{ x = (px + 0.5) / ground.width, y = (py + 0.5) / ground.height, eye = eye }
    local tower = ground:viewshed{ x = (px + 0.5) / ground.width, y = (py + 0.5) / ground.height, eye = eye,
        object = 0.1 }
    local exact = ground:viewshed{ x = (px + 0.5) / ground.width, y = (py + 0.5) / ground.height, eye = eye,
        exact = true }
    local from, apart, count, unlike = ground:get(px, py) + eye, 0, 0, 0
    for y = 0, ground.height - 1 do
        for x = 0, ground.width - 1 do
            local dx, dy = x - px, y - py
            local ring, steepest = math.max(math.abs(dx), math.abs(dy)), -math.huge
            for k = 1, ring - 1 do
                local cx, cy = px + dx * k / ring, py + dy * k / ring
                local left, top = math.floor(cx + 1e-9), math.floor(cy + 1e-9)
                local u, v = cx - left, cy - top
                local h = ground:get(left, top)
                if u > 1e-6 then
                    h = h + (ground:get(left + 1, top) - h) * u
                elseif v > 1e-6 then
                    h = h + (ground:get(left, top + 1) - h) * v
                end
                steepest = math.max(steepest, (h - from) / k)
            end
            local needed = ring > 1 and math.max(from + steepest * ring - ground:get(x, y), 0) or 0
            local less, crossed = math.min(math.abs(dx), math.abs(dy)), steepest
            for k = 1, less - 1 do -- the other grid lines
                local cx, cy = px + dx * k / less, py + dy * k / less
                local left, top = math.floor(cx + 1e-9), math.floor(cy + 1e-9)
                local u, v, h = cx - left, cy - top, ground:get(left, top)
                if u > 1e-6 then
                    h = h + (ground:get(left + 1, top) - h) * u
                elseif v > 1e-6 then
                    h = h + (ground:get(left, top + 1) - h) * v
                end
                crossed = math.max(crossed, (h - from) / (k * ring / less))
            end
            local unseen = ring > 1 and math.max(from + crossed * ring - ground:get(x, y), 0) or 0
            lu.assertAlmostEquals(exact:get(x, y), unseen, 1e-5)
            lu.assertAlmostEquals(tower:get(x, y), math.max(hidden:get(x, y) - 0.1, 0), 1e-5)
            if dx == 0 or dy == 0 or math.abs(dx) == math.abs(dy) then
                lu.assertAlmostEquals(hidden:get(x, y), needed, 1e-5)
            end
            count, apart = count + 1, apart + math.abs(hidden:get(x, y) - needed)
            unlike = unlike + ((hidden:get(x, y) > 0) ~= (needed > 0) and 1 or 0)
        end
    end
    lu.assertTrue(apart / count < 0.02 and unlike / count < 0.08, apart / count .. " " .. unlike / count)
    lu.assertEquals(made(3):viewshed():statistics().max, 0)
    -- A tower as high as the result is seen, a lower one is not.
    local wall = esker.field{ size = 12, values = function(_, y) return y == 4 and 0.9 or 0 end }
    local behind = wall:viewshed{ x = 0.2, y = 0.2, eye = 0.8, object = 0.8, exact = true }:crop{ y = 5, height = 7 }
    lu.assertTrue(behind:statistics().min > 0) -- nobody sees through a wall
    for _, corner in ipairs{ { 0, 0 }, { 1, 0.4 }, { 0.7, 1 } } do
        local unseen = ground:viewshed{ x = corner[1], y = corner[2], eye = eye, exact = true }
        for _, object in ipairs{ 0.02, 0.3 } do
            local rest = ground:viewshed{ x = corner[1], y = corner[2], eye = eye, exact = true, object = object }
            lu.assertTrue((rest - (unseen - object):max(0)):statistics().max < 1e-5)
        end
    end
end

-- Franklin and Ray's XDraw, cell by cell in rings around eyes in the middle, near a corner and in one.
function TestSurface.test_viewshed_ring_by_ring()
    local ground = esker.noise{ width = 70, height = 45, seed = 3 }
    for _, eye in ipairs{ { 33, 20 }, { 3, 40 }, { 0, 44 }, { 69, 0 } } do
        local ex, ey = table.unpack(eye)
        local hidden = ground:viewshed{ x = (ex + 0.5) / 70, y = (ey + 0.5) / 45, eye = 0.03, object = 0.01 }
        local from, blocked = ground:get(ex, ey) + 0.03, {}
        local function before(dx, dy) -- of the ring before, where the line of sight to (dx, dy) crosses it
            local ring = math.max(math.abs(dx), math.abs(dy))
            local u, v = dx * (ring - 1) / ring, dy * (ring - 1) / ring
            local left, top = math.floor(u + 1e-9), math.floor(v + 1e-9)
            local share = math.max(u - left, v - top)
            if share < 1e-9 then
                return blocked[top * 200 + left]
            end
            local next = u - left > v - top and top * 200 + left + 1 or (top + 1) * 200 + left
            return blocked[top * 200 + left] * (1 - share) + blocked[next] * share
        end
        for ring = 1, 69 do
            for dy = math.max(-ring, -ey), math.min(ring, 44 - ey) do
                for dx = math.max(-ring, -ex), math.min(ring, 69 - ex) do
                    if math.max(math.abs(dx), math.abs(dy)) == ring then
                        local height = ground:get(ex + dx, ey + dy)
                        local slope = (height - from) / ring
                        local least = ring > 1 and before(dx, dy) or slope
                        blocked[dy * 200 + dx] = math.max(slope, least)
                        local needed = math.max(from + least * ring - height - 0.01, 0)
                        if math.abs(hidden:get(ex + dx, ey + dy) - needed) > 1e-5 then
                            lu.assertEquals({ dx, dy, hidden:get(ex + dx, ey + dy) }, { dx, dy, needed })
                        end
                    end
                end
            end
        end
    end
end

-- From above, all of a plane is seen.
function TestSurface.test_a_plane_hides_nothing_of_itself()
    for _, slope in ipairs{ { 30, 0 }, { 0.125, -0.375 }, { -0.01, 0.007 } } do
        local plane = esker.field{ size = 101, values = function(x, y)
            return slope[1] * x + slope[2] * y
        end }
        local rounding = 1e-6 * 101 * (math.abs(slope[1]) + math.abs(slope[2]))
        lu.assertTrue(plane:viewshed{ eye = 0.02 }:statistics().max <= rounding)
    end
end

-- Level ground: the integral over the day, in fine steps; and days and places without sun.
function TestSurface.test_sun_of_a_day()
    local level = esker.field{ size = 16, values = 3 }
    for _, case in ipairs{ { 0, 80 }, { 47, 172 }, { 47, 355 }, { -30, 20 }, { 80, 172 } } do
        local declination = math.rad(23.45) * math.sin(math.rad(360 * (284 + case[2]) / 365))
        local latitude, energy, minutes = math.rad(case[1]), 0, 2
        for minute = -720, 719, minutes do
            local hour = math.rad((minute + minutes / 2) / 4)
            local up = math.sin(latitude) * math.sin(declination)
                + math.cos(latitude) * math.cos(declination) * math.cos(hour)
            if up > 0 then
                local mass = 1 / (up + 0.50572 * (math.deg(math.asin(up)) + 6.07995) ^ -1.6364)
                local constant = 1.361 * (1 + 0.033 * math.cos(2 * math.pi * case[2] / 365))
                energy = energy + constant * 0.7 ^ mass * up * minutes / 60
            end
        end
        local got = level:insolation{ latitude = case[1], day = case[2], steps = 200 }:statistics()
        lu.assertAlmostEquals(got.mean, energy, 0.002 * energy)
        lu.assertEquals(got.min, got.max)
    end
    lu.assertEquals(level:insolation{ latitude = 80, day = 355 }:statistics().max, 0)
    local hill = made(function(x, y) return math.exp(-((x - 24) ^ 2 + (y - 24) ^ 2) / 100) end)
    local north = hill:insolation{ latitude = 47, day = 80 }
    lu.assertTrue(north:get(24, 32) > 1.5 * north:get(24, 16)) -- the south side, and the north side
    lu.assertAlmostEquals(north:get(16, 24), north:get(32, 24), 1e-3) -- morning and afternoon are alike
    local south = hill:insolation{ latitude = -47, day = 80 }
    lu.assertTrue(south:get(24, 16) > 1.5 * south:get(24, 32))
    local shaded = hill:insolation{ latitude = 47, day = 355 }
    lu.assertTrue((hill:insolation{ latitude = 47, day = 355, shadows = false } - shaded):statistics().min >= 0)
end

-- Whatever gives or takes a direction counts it clockwise from north.
function TestSurface.test_directions_agree()
    for azimuth = 0, 315, 45 do
        local plane = 1 - esker.shape{ kind = "ramp", size = 17, azimuth = azimuth, radius = 1 }
        lu.assertAlmostEquals((plane:aspect{}:get(8, 8) - azimuth + 180) % 360, 180, 1e-3)
        lu.assertEquals(plane:flow_direction{ unit = "angle" }:get(8, 8), azimuth + 0.0)
        local light = { { azimuth, 45, 1 } }
        lu.assertTrue(plane:hillshade{ light = light, exaggeration = 16 }:get(8, 8) > 0.9)
    end
end

-- Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision deficiency",
-- table 1, severity 1.
local visions = {
    { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 },
    { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881 },
    { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039 },
}

-- Oklab (Ottosson 2020) of a colour as seen, in hundredths.
local function seen(colour, m)
    local light, rgb = {}, {}
    for k = 1, 3 do
        local value = tonumber(colour:sub(2 * k, 2 * k + 1), 16) / 255
        light[k] = value <= 0.04045 and value / 12.92 or ((value + 0.055) / 1.055) ^ 2.4
    end
    for k = 0, 2 do
        local sum = m[3 * k + 1] * light[1] + m[3 * k + 2] * light[2] + m[3 * k + 3] * light[3]
        rgb[k + 1] = math.max(0, math.min(1, sum))
    end
    local r, g, b = table.unpack(rgb)
    local l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ^ (1 / 3)
    local n = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ^ (1 / 3)
    local s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ^ (1 / 3)
    return { 21.04542553 * l + 79.36177850 * n - 0.40720468 * s,
        197.79984951 * l - 242.85922050 * n + 45.05937099 * s, 2.59040371 * l + 78.27717662 * n - 80.86757660 * s }
end

function TestSurface.test_the_cyclic_palette_is_even_and_seen_by_all()
    local stops, count = esker.palettes.cyclic, 16
    lu.assertEquals(stops[1][2], stops[count + 1][2])
    for kind, vision in ipairs(visions) do
        local function apart(i, k)
            local a, b = seen(stops[i % count + 1][2], vision), seen(stops[k % count + 1][2], vision)
            return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
        end
        for i = 0, count - 1 do
            for k = i + 2, i + count - 2 do
                lu.assertTrue(apart(i, k) > 6, kind .. ": " .. i .. " " .. k .. " " .. apart(i, k))
            end
            lu.assertTrue(apart(i, i + 8) > 12, kind .. ": " .. i .. " " .. apart(i, i + 8))
            lu.assertTrue(kind > 1 or math.abs(apart(i, i + 1) / apart(0, 1) - 1) < 0.1)
        end
    end
end

-- Crests that rise along their length, of one row and of two equal ones, in both directions, also over edges that meet;
-- neither planes, which tie along their contours, nor what is flat and wider have any.
function TestSurface.test_crests_of_two_equal_rows_are_ridges()
    local function marked(profile, wraps)
        local down = made(function(x, y) return profile(y) + x / 1024 end)
        local right = made(function(x, y) return profile(x) - y / 1024 end)
        local counts = {}
        for _, land in ipairs{ down, right } do
            land.wraps = wraps or false
            counts[#counts + 1] = land:ridges():statistics().sum
            counts[#counts + 1] = (-land):valleys():statistics().sum
        end
        return table.concat(counts, " ")
    end
    lu.assertEquals(marked(function(y) return -math.abs(y - 20) end), "48.0 48.0 48.0 48.0")
    lu.assertEquals(marked(function(y) return -math.abs(y - 20.5) end), "96.0 96.0 96.0 96.0")
    lu.assertEquals(marked(function(y) return -math.abs(y - 45.5) end), "96.0 96.0 96.0 96.0")
    lu.assertEquals(marked(function(y) return -math.max(math.abs(y - 20), 1) end), "0.0 0.0 0.0 0.0")
    lu.assertEquals(marked(function(y) return y end), "0.0 0.0 0.0 0.0")
    local top = made(function(x, y) return -math.max(math.abs(x - 20.5), math.abs(y - 9.5)) end)
    lu.assertEquals(top:ridges():get(20, 9), 1)
    local over = made(function(_, y) return math.abs(y - 23.5) end, true)
    over.wraps = true
    lu.assertEquals({ over:ridges():get(0, 47), over:ridges():get(5, 0), over:ridges():get(5, 46) }, { 1, 1, 0 })
end

function TestSurface.test_ruggedness_of_tiny_and_huge_heights()
    local land = made(function(x, y) return (x * 7 + y * 5) % 11 end)
    for _, factor in ipairs{ 2.0 ^ -100, 2.0 ^ -70, 2.0 ^ 60, 2.0 ^ 90 } do
        local rough = (land * factor):ruggedness()
        for x = 0, size - 1 do
            lu.assertAlmostEquals(rough:get(x, 20) / factor / land:ruggedness():get(x, 20), 1, 1e-6)
        end
    end
end

os.exit(lu.LuaUnit.run())
