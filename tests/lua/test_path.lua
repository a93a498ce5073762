-- Ways of least cost: none is cheaper, by trying all.

local unit = require "luaunit"
local tries = require "tries"
local esker = require "esker"

local width, height = 12, 9
local land = esker.noise{ width = width, height = height, seed = 3, frequency = 3 }
local water = esker.noise{ width = width, height = height, seed = 4, frequency = 4 }:remap{ from = { 0.55, 0.56 } }
local cost = esker.noise{ width = width, height = height, seed = 5, kind = "white" } + 0.5

local moves = {}
for dy = -2, 2 do
    for dx = -2, 2 do
        local longer, shorter = math.max(math.abs(dx), math.abs(dy)), math.min(math.abs(dx), math.abs(dy))
        if longer == 1 or longer == 2 and shorter == 1 then
            moves[#moves + 1] = { dx, dy }
        end
    end
end

-- Metres of a degree of longitude and of latitude on WGS 84.
local function degree(latitude)
    local phi, e2 = math.rad(latitude), 0.00669437999014
    local w = math.sqrt(1 - e2 * math.sin(phi) ^ 2)
    return math.rad(6378137 * math.cos(phi) / w), math.rad(6378137 * (1 - e2) / w ^ 3)
end

-- Cells of 20 m by 10 m, and of a degree near the pole, where the last row is four times as wide as the first.
local oblong = { x = 0, y = 90, cell_width = 20, cell_height = 10, unit = "m" }
local degrees = { x = 0, y = 88, cell = 1, system = "EPSG:4326", unit = "km" }

-- Metres of a cell's sides in a row, and of N divided by its cells.
local function sides(frame, row)
    if frame == oblong then
        return 20, 10, 200 ^ 0.5
    elseif frame == degrees then
        local across, down = degree(88 - row - 0.5)
        local east, north = degree(88 - height / 2)
        return across, down, (east * north) ^ 0.5
    end
    return 1, 1, 1
end

-- The cost of a move and of a bend, in N; nil for bends of more than a right angle.
local function move_cost(x, y, move, options)
    local sea = options.sea_level or 0
    local function is_wet(u, v) return options.water and water:get(u, v) > 0 or land:get(u, v) < sea end
    local function ground(u, v) return (options.cost and cost:get(u, v) or 1) * (is_wet(u, v) and 11 or 1) end
    local function surface(u, v) return math.max(land:get(u, v), sea) end
    local u, v, dx, dy = x + move[1], y + move[2], move[1], move[2]
    local across, down, cell = sides(options.frame, y)
    local there_across, there_down = sides(options.frame, v)
    local length = math.sqrt((dx * (across + there_across) / 2) ^ 2 + (dy * (down + there_down) / 2) ^ 2) / cell
    local slope = 3 / width
    local here, there, own, goal = surface(x, y), surface(u, v), ground(x, y), ground(u, v)
    local function part(rise, share, price)
        return length * share / width * (1 + (rise / (length * share) / slope) ^ 2) * price
    end
    if math.abs(dx) + math.abs(dy) == 3 then -- a knight's move, over the straight and the diagonal neighbour
        local sx, sy = math.abs(dx) == 2 and dx // 2 or 0, math.abs(dy) == 2 and dy // 2 or 0
        local gx, gy = math.abs(dx) == 2 and dx // 2 or dx, math.abs(dy) == 2 and dy // 2 or dy
        local middle = (surface(x + sx, y + sy) + surface(x + gx, y + gy)) / 2
        return part(middle - here, 0.5, (own + ground(x + sx, y + sy)) / 2)
            + part(there - middle, 0.5, (ground(x + gx, y + gy) + goal) / 2)
    end
    if dx ~= 0 and dy ~= 0 and is_wet(u, y) and is_wet(x, v) then
        return part(there - here, 1, (own + goal + ground(u, y) + ground(x, v)) / 4)
    end
    return part(there - here, 1, (own + goal) / 2)
end

local function bend_cost(from, to, options)
    if not from or not options.turning then
        return 0
    end
    local across, down = sides(options.frame, height // 2)
    local dx, dy, next_dx, next_dy = from[1] * across, from[2] * down, to[1] * across, to[2] * down
    local cosine = (dx * next_dx + dy * next_dy) / math.sqrt((dx ^ 2 + dy ^ 2) * (next_dx ^ 2 + next_dy ^ 2))
    local angle = math.acos(math.max(-1, math.min(1, cosine)))
    return angle <= math.pi / 2 + 1e-6 and options.turning * angle / (math.pi / 2) or nil
end

-- By relaxing all states until nothing changes.
local function least_cost(from, to, options)
    local costs, changed = { [from[2] * width + from[1]] = { [0] = 0 } }, true
    while changed do
        changed = false
        for y = 0, height - 1 do
            for x = 0, width - 1 do
                for arrived, so_far in pairs(costs[y * width + x] or {}) do
                    for m, move in ipairs(moves) do
                        local u, v = x + move[1], y + move[2]
                        local bend = bend_cost(moves[arrived], move, options)
                        if bend and u >= 0 and v >= 0 and u < width and v < height then
                            local there = costs[v * width + u] or {}
                            local total = so_far + bend + move_cost(x, y, move, options)
                            local key = options.turning and m or 1
                            if total < (there[key] or math.huge) - 1e-9 and not (u == from[1] and v == from[2]) then
                                there[key], costs[v * width + u], changed = total, there, true
                            end
                        end
                    end
                end
            end
        end
    end
    local least = math.huge
    for _, total in pairs(costs[to[2] * width + to[1]]) do
        least = math.min(least, total)
    end
    return least
end

local function path_cost(line, options)
    local total, last = 0, nil
    for i = 2, #line do
        local x, y = line[i - 1].x - 0.5, line[i - 1].y - 0.5
        local move = { line[i].x - 0.5 - x, line[i].y - 0.5 - y }
        total = total + move_cost(x // 1 | 0, y // 1 | 0, move, options) + bend_cost(last, move, options)
        last = move
    end
    return total
end

TestPath = {}

function TestPath.test_no_path_is_cheaper()
    -- With the first two other paths are the cheapest where bends cost 0.7 times as much, with the second also where
    -- they cost more.
    local cases = { { turning = 0.1, water = true }, { frame = degrees, cost = true, turning = 0.02 },
        { sea_level = 0.5 }, { frame = oblong, turning = 0.2 }, {}, { turning = 0.1 }, { cost = true, water = true },
        { frame = degrees } }
    for _, options in ipairs(tries(4, cases)) do
        local _, _, cell = sides(options.frame, 0)
        local ground = options.frame and land:georeference(options.frame) or land
        local heights = options.frame == degrees and 1000 or 1 -- metres of an altitude of 1
        local slope = options.frame and 16 * 3 / width / cell * heights or 3 -- a slope of 1 rises by 1 in 16 cells
        for _, ends in ipairs(tries(1, { { 11, 1, 2, 7 }, { 0, 0, 11, 8 }, { 5, 8, 6, 0 } })) do
            local network = ground:path{ paths = { { (ends[1] + 0.5) / width, (ends[2] + 0.5) / height,
                (ends[3] + 0.5) / width, (ends[4] + 0.5) / height } }, smooth = 0, crossing = 10,
                slope = slope, turning = options.turning,
                sea_level = options.sea_level,
                cost = options.cost and cost, water = options.water and water }
            local line = network:reaches()[1]
            unit.assertEquals({ line[1].x, line[1].y, line[#line].x, line[#line].y },
                { ends[1] + 0.5, ends[2] + 0.5, ends[3] + 0.5, ends[4] + 0.5 })
            unit.assertAlmostEquals(path_cost(line, options),
                least_cost({ ends[1], ends[2] }, { ends[3], ends[4] }, options), 1e-5)
        end
    end
end

-- A river, a wall in `cost`, a ridge and a channel below the sea, each one cell wide with one gap far away; upright
-- and as the stairs of cells that meet at corners only, which rivers are.
function TestPath.test_nothing_thin_is_jumped_over()
    local flat = esker.field{ size = 60, values = 1 }
    local function upright(x, y) return x == 30 and y ~= 50 end
    local function stairs(x, y) return x == y and y ~= 50 end
    local function staggered(x, y) return (x == y or x == y + 1) and y ~= 50 and x ~= 50 end
    local function field(is_there, inside, outside)
        return esker.field{ size = 60, values = function(x, y) return is_there(x, y) and inside or outside end }
    end
    for _, case in ipairs{ { upright, true }, { staggered, true }, { stairs, false } } do
        local is_there, with_wall = case[1], case[2]
        local runs = { { flat, { water = field(is_there, 1, 0), crossing = 1e6 } },
            { field(is_there, -1, 0.5), { crossing = 1e6 } } }
        if with_wall then
            runs[3] = { flat, { cost = field(is_there, 1e6, 1) } }
            runs[4] = { field(is_there, 9, 1), { slope = 0.01 } }
        end
        for k, run in ipairs(runs) do
            for _, way in ipairs{ { 0, 0 }, { 0.02, 0 }, { 0, 1 } } do
                local turning = way[1]
                local options = { paths = { { 0.1, 0.3, 0.9, 0.2 } }, smooth = way[2], turning = turning }
                for name, value in pairs(run[2]) do
                    options[name] = value
                end
                local southernmost = 0
                for _, point in ipairs(run[1]:path(options):reaches()[1]) do
                    southernmost = math.max(southernmost, point.y)
                end
                unit.assertIsTrue(southernmost > 49, ("run %d, turning %g, smooth %d: %g"):format(k, turning, way[2],
                    southernmost))
            end
        end
    end
end

-- The second path follows the first, whose knight's moves have built the cells that they pass.
function TestPath.test_paths_are_reused_between_their_cells()
    local ways = esker.field{ size = 60, values = 0 }:path{ smooth = 0, reuse = 0.3,
        paths = { { 0.1, 0.1, 0.9, 0.45 }, { 0.1, 0.1, 0.9, 0.47 } } }:reaches()
    for i = 1, #ways[1] - 6 do
        unit.assertEquals({ ways[2][i].x, ways[2][i].y }, { ways[1][i].x, ways[1][i].y })
    end
end

-- A deep lake in a plain: straight over it, level, for a road whose bridges cost nothing.
function TestPath.test_lakes_are_level()
    local function is_lake(x, y) return x > 4 and x < 15 and y > 2 and y < 17 end
    local plain = esker.field{ size = 20, values = function(x, y) return is_lake(x, y) and 0.1 or 0.5 end }
    local lake = esker.field{ size = 20, values = function(x, y) return is_lake(x, y) and 1 or 0 end }
    plain.wraps = false
    local line = plain:path{ paths = { 0.02, 0.5, 0.98, 0.5 }, water = lake, crossing = 0, smooth = 0 }:reaches()[1]
    for _, point in ipairs(line) do
        unit.assertAlmostEquals(point.y, 10.5, 1e-6)
        unit.assertAlmostEquals(point.altitude, 0.5, 1e-6)
    end
end

function TestPath.test_paths_go_round_the_sea_or_over_its_surface()
    local bay = esker.field{ size = 64, values = function(x, y)
        return math.abs(x - 32) < 6 and y > 12 and -0.3 or 0.1
    end }
    local function lowest(arguments)
        arguments.paths = { 0.1, 0.6, 0.9, 0.6 }
        local altitude, north = 1, 64
        for _, point in ipairs(bay:path(arguments):reaches()[1]) do
            altitude, north = math.min(altitude, point.altitude), math.min(north, point.y)
        end
        return altitude, north
    end
    local altitude, north = lowest{}
    unit.assertTrue(altitude >= 0 and north < 14, altitude .. " " .. north)
    altitude, north = lowest{ crossing = 0 }
    unit.assertEquals(altitude, 0)
    unit.assertTrue(north > 30)
end

function TestPath.test_ways_join_those_made_before()
    local ground = esker.diamond_square{ size = 64, seed = 2 }
    local paths = { { 0.1, 0.5, 0.9, 0.5 }, { 0.1, 0.6, 0.9, 0.6 } }
    local function shared(reuse)
        local seen, count = {}, 0
        for i, line in ipairs(ground:path{ paths = paths, reuse = reuse, smooth = 0 }:reaches()) do
            for _, point in ipairs(line) do
                local key = point.x .. " " .. point.y
                count = count + (i == 2 and seen[key] and 1 or 0)
                seen[key] = true
            end
        end
        return count
    end
    unit.assertTrue(shared(0.1) > shared(1) + 10)
end

-- More than one call can take: its roads are cheaper ground for the next.
function TestPath.test_ways_join_those_of_an_earlier_call()
    local ground = esker.diamond_square{ size = 64, seed = 2 }
    local first = ground:path{ paths = { { 0.1, 0.5, 0.9, 0.5 } }, smooth = 0 }
    local roads = first:rasterize()
    local function shared(dearness)
        local count = 0
        local second = ground:path{ paths = { { 0.1, 0.6, 0.9, 0.6 } }, cost = dearness, smooth = 0 }
        for _, point in ipairs(second:reaches()[1]) do
            count = count + (roads:get(math.floor(point.x), math.floor(point.y)) > 0.3 and 1 or 0)
        end
        return count
    end
    unit.assertTrue(shared(1 - 0.9 * roads) > shared(nil) + 10)
end

function TestPath.test_a_path_has_the_same_course_at_every_resolution()
    local function line(size)
        local hill = esker.field{ size = size, values = function(x, y)
            local u, v = x / size - 0.5, y / size - 0.45
            return 0.5 * math.max(0, 1 - 12 * (u * u + v * v))
        end }
        local network = hill:path{ paths = { { 0.1, 0.5, 0.9, 0.5 } }, slope = 0.5 }
        return network:distance{ wrap = false }
    end
    local coarse, fine = line(64), line(256)
    for y = 0, 63, 3 do
        for x = 0, 63, 3 do
            unit.assertAlmostEquals(fine:get(4 * x, 4 * y), coarse:get(x, y), 0.06)
        end
    end
end

-- Where all paths cost nothing, and with bends that cost: none but the first state is taken for the start.
function TestPath.test_ways_over_free_ground_have_both_ends()
    for seed = 1, 20 do
        local free = esker.noise{ size = 24, kind = "white", seed = seed }:remap{ from = { 0.2, 0.21 } }
        local line = land:resize{ size = 24 }:path{ paths = { { 0.05, 0.1, 0.9, 0.95 } }, smooth = 0, cost = free,
            turning = 0.1 }:reaches()[1]
        unit.assertEquals({ line[1].x, line[1].y, line[#line].x, line[#line].y }, { 1.5, 2.5, 21.5, 22.5 })
    end
end

-- The length of a road over the straight line between its ends, and the sum of its bends in degrees.
local function crookedness(road)
    local line, length, bends, last = road:reaches()[1], 0, 0, nil
    for i = 2, #line do
        local dx, dy = line[i].x - line[i - 1].x, line[i].y - line[i - 1].y
        local angle = math.atan(dy, dx)
        local bend = last and math.abs(angle - last) or 0
        length, bends, last = length + math.sqrt(dx * dx + dy * dy), bends + math.min(bend, 2 * math.pi - bend), angle
    end
    local dx, dy = line[#line].x - line[1].x, line[#line].y - line[1].y
    return length / math.sqrt(dx * dx + dy * dy), math.deg(bends)
end

-- In whatever direction, on level ground and on ground whose bumps hardly matter.
function TestPath.test_roads_over_open_ground_are_straight()
    local size = 128
    local level = esker.field{ size = size, values = 0.5 }
    local bumpy = level + 0.01 * esker.noise{ size = size, seed = 1, frequency = 20 }
    for i = 1, 12 do
        local angle = i * math.pi / 6 + 0.1
        local x, y = 0.4 * math.cos(angle), 0.4 * math.sin(angle)
        local ends = { paths = { { 0.5 - x, 0.5 - y, 0.5 + x, 0.5 + y } } }
        local longer, bends = crookedness(level:path(ends))
        unit.assertTrue(longer < 1 + 1e-9 and bends < 1e-3, ("level, %d: %.9g, %g"):format(i, longer, bends))
        longer, bends = crookedness(bumpy:path(ends))
        unit.assertTrue(longer < 1.01 and bends < 120, ("bumpy, %d: %g, %g"):format(i, longer, bends))
    end
end

function TestPath.test_roads_over_hills_do_not_follow_every_bump()
    local hills = esker.spectral{ size = 256, seed = 5 }
    local roads = { paths = { { 0.1, 0.15, 0.9, 0.7 } } }
    local longer, bends = crookedness(hills:path(roads))
    roads.smooth = 0
    local cells_longer, cells_bends = crookedness(hills:path(roads))
    print(("# over hills %.3f times the straight line, bends of %.0f degrees; by cells %.3f, %.0f"):format(longer,
        bends, cells_longer, cells_bends))
    unit.assertTrue(longer < cells_longer and bends < 0.3 * cells_bends)
end

function TestPath.test_wrong_arguments()
    unit.assertErrorMsgContains("cost must be 0 or more in every cell, got -1", land.path, land,
        { cost = land * 0 - 1 })
    unit.assertErrorMsgContains("paths must be", land.path, land, { paths = {} })
end

function TestPath.test_smooth_lines_keep_their_ends()
    local plain = land:path{ smooth = 0 }:reaches()[1]
    local smooth = land:path{ smooth = 3 }:reaches()[1]
    unit.assertEquals({ smooth[1].x, smooth[#smooth].y }, { plain[1].x, plain[#plain].y })
    unit.assertTrue(#smooth > #plain)
    unit.assertEquals(#land:path{ paths = { { 0.5, 0.5, 0.5, 0.5 } } }:reaches(), 1)
end

os.exit(unit.LuaUnit.run())
