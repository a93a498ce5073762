-- River networks and the terrain they shape, as scripts see them.

local lu = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

local function grow(arguments)
    local given = { size = 200, points = 800, seed = 3 }
    for name, value in pairs(arguments or {}) do
        given[name] = value
    end
    return esker.river_network(given)
end

local function text_of(network, ending)
    local path = temporary(ending)
    network:save(path)
    local file <close> = assert(io.open(path))
    os.remove(path)
    return file:read("a")
end

TestNetworks = {}

function TestNetworks.test_a_network_is_a_tree_of_reaches()
    local network = grow{ rivers = 3, ridges = 1 }
    local reaches, mouths = network:reaches(), 0
    lu.assertEquals(#network, #reaches)
    lu.assertEquals(tostring(network), ("RiverNetwork of %d reaches"):format(#reaches))
    lu.assertEquals({ network.width, network.height }, { 200, 200 })
    for _, reach in ipairs(reaches) do
        local last = reach[#reach]
        if reach.downstream then
            local first = reaches[reach.downstream][1]
            lu.assertEquals({ last.x, last.y, last.distance }, { first.x, first.y, first.distance })
            lu.assertTrue(reaches[reach.downstream].order >= reach.order)
        else
            mouths = mouths + 1
            lu.assertTrue(reach.mouth)
            lu.assertEquals({ last.altitude, last.distance }, { 0, 0 })
        end
        lu.assertTrue(reach[1].distance > last.distance and reach[1].altitude > last.altitude)
        lu.assertAlmostEquals(reach[1].discharge, reach[1].area * 200 * 200, 1e-6)
    end
    lu.assertTrue(mouths >= 3)
    lu.assertEquals(#network:ridges(), 1)
    lu.assertEquals(#network:ridges()[1], 11)
end

function TestNetworks.test_walking_goes_down_to_a_mouth()
    local network = grow()
    local reaches = network:reaches()
    for start = 1, #reaches, 17 do
        local expected, at = { reaches[start][1].distance }, start
        while at do
            for i = 2, #reaches[at] do
                expected[#expected + 1] = reaches[at][i].distance
            end
            at = reaches[at].downstream
        end
        local walked = {}
        for point in network:walk(start) do
            walked[#walked + 1] = point.distance
        end
        lu.assertEquals(walked, expected)
    end
    lu.assertErrorMsgContains("walk: reach must be 1 to", network.walk, network, 0)
    lu.assertErrorMsgContains("walk: network must be a RiverNetwork, got 3", network.walk, 3, 1)
end

function TestNetworks.test_meanders_leave_mouths_on_the_boundary()
    for seed = 1, 20 do
        local network = esker.river_network{ width = 400, height = 40, seed = seed, points = 10, ridges = 1,
            rivers = 4, meander = 1 }
        for _, reach in ipairs(network:reaches()) do
            local last = reach[#reach]
            if reach.mouth then
                local off = math.min(math.abs(last.x), math.abs(400 - last.x), math.abs(last.y), math.abs(40 - last.y))
                lu.assertTrue(off < 1e-9, ("seed %d: a mouth at %g, %g"):format(seed, last.x, last.y))
            end
        end
    end
end

function TestNetworks.test_measures_of_a_terrain_with_known_rivers()
    local land = esker.diamond_square{ size = 96, seed = 8, smooth = true }
    local network = land:rivers_from_flow{ threshold = 0.002 }
    local measures = network:network_statistics{}
    local length, numbers, mouths = 0, {}, 0
    for _, reach in ipairs(network:reaches()) do
        for i = 2, #reach do
            length = length + ((reach[i].x - reach[i - 1].x) ^ 2 + (reach[i].y - reach[i - 1].y) ^ 2) ^ 0.5
        end
        local down = reach.downstream and network:reaches()[reach.downstream]
        if not down or down.order > reach.order then
            numbers[reach.order] = (numbers[reach.order] or 0) + 1
        end
        mouths = mouths + (down and 0 or 1)
    end
    lu.assertEquals({ measures.reaches, measures.mouths, measures.order }, { #network, mouths, #numbers })
    lu.assertAlmostEquals(measures.length, length / 96, 1e-4)
    local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0 -- Horton's ratio: the slope of the logarithms
    for order, number in ipairs(numbers) do
        if number > 1 then
            n, sx, sy = n + 1, sx + order, sy + math.log(number)
            sxx, sxy = sxx + order ^ 2, sxy + order * math.log(number)
        end
    end
    lu.assertTrue(n >= 2)
    lu.assertAlmostEquals(measures.number_ratio, math.exp(-(n * sxy - sx * sy) / (n * sxx - sx * sx)), 1e-9)
end

function TestNetworks.test_natural_networks_have_natural_ratios()
    for seed = 1, 3 do
        local m = esker.river_network{ seed = seed, points = 8000 }:network_statistics{}
        lu.assertTrue(m.number_ratio > 3 and m.number_ratio < 5, "number " .. m.number_ratio)
        lu.assertTrue(m.length_ratio > 0.9 and m.length_ratio < 3.5, "length " .. m.length_ratio)
        lu.assertTrue(m.area_ratio > 3 and m.area_ratio < 6, "area " .. m.area_ratio)
        lu.assertTrue(m.hack > 0.5 and m.hack < 0.7, "hack " .. m.hack)
    end
end

function TestNetworks.test_terrain_of_any_scale_is_the_same_land()
    local network = grow()
    local small, small_river = network:terrain{ seed = 2, roughness = 0 }
    local large, large_river = network:terrain{ seed = 2, roughness = 0, scale = 4 }
    lu.assertEquals({ large.width, large_river.height }, { 800, 800 })
    lu.assertEquals({ small.width, small_river.width }, { 200, 200 })
    local off = 0
    for y = 5, 195, 10 do
        for x = 5, 195, 10 do
            local middle = (large:get(4 * x + 1, 4 * y + 1) + large:get(4 * x + 2, 4 * y + 2)) / 2
            off = off + math.abs(small:get(x, y) - middle)
        end
    end
    lu.assertTrue(off / 400 < 0.03, off / 400) -- beds and banks are as wide as cells
end

function TestNetworks.test_geojson_and_svg_have_every_reach()
    local network = grow{ ridges = 2, boundary = "ellipse" }
    local json = text_of(network, ".geojson")
    lu.assertEquals(select(2, json:gsub('"type":"Feature",', "")), #network)
    local svg, points = text_of(network, ".svg"), 0
    lu.assertStrContains(svg, 'viewBox="0 0 200 200"')
    lu.assertStrContains(svg, '<g id="ridges"')
    lu.assertStrContains(svg, '<polygon id="land"')
    lu.assertEquals(select(2, svg:gsub("<g ", "")), select(2, svg:gsub("</g>", "")))
    for line in svg:gmatch('<polyline stroke%-width="[^"]*" points="([^"]*)"') do
        points = points + select(2, line:gsub(",", "")) - 1
    end
    local pieces = 0
    for _, reach in ipairs(network:reaches()) do
        pieces = pieces + #reach - 1
    end
    lu.assertEquals(points, pieces)
    lu.assertErrorMsgContains("must end in .geojson, .gpkg, .csv or .svg", network.save, network, "x.png")
end

function TestNetworks.test_a_drawing_shows_rivers_land_and_sea()
    local network = grow{ boundary = "ellipse" }
    local drawing = network:draw{ scale = 1.5 }
    lu.assertEquals({ drawing.width, drawing.height }, { 300, 300 })
end

function TestNetworks.test_bad_arguments_are_named()
    lu.assertErrorMsgContains("river_network: points must be 1 to 100000000, got 0", grow, { points = 0 })
    lu.assertErrorMsgContains("river_network: mouths: row 1 must be a list of 2 numbers", grow,
        { mouths = { 0.5 } })
    lu.assertErrorMsgContains("river_network: give polygon or mask, not both", grow,
        { polygon = { { 0, 0 }, { 1, 0 }, { 1, 1 } }, mask = esker.diamond_square{ size = 200 } })
    lu.assertErrorMsgContains("mask must have the proportions of the network, 200 × 200, got 64 × 32", grow,
        { mask = esker.diamond_square{ width = 64, height = 32 } })
    lu.assertErrorMsgContains("mask is empty", grow, { mask = esker.diamond_square{ size = 64 } * 0 })
    lu.assertErrorMsgContains("unknown argument 'ridge', did you mean 'ridges'?", grow, { ridge = 1 })
    local network = grow()
    lu.assertErrorMsgContains("terrain: slope must be 0.01 to 10000, got 0", network.terrain, network, { slope = 0 })
    lu.assertErrorMsgContains("network_statistics: network must be a RiverNetwork, got 3",
        esker.network_statistics, 3)
end

-- A round interval gives five levels at least, one of them bold.
function TestNetworks.test_contours_without_an_interval_are_enough()
    for _, range in ipairs{ 0.0128, 1.01, 1.02, 1.24, 2.1, 9.9, 101 } do
        local ramp = esker.field{ size = 32, values = function(x) return (0.01 + x / 31) * range end }
        local bold, lines = 0, ramp:contours():reaches()
        for _, line in ipairs(lines) do
            bold = bold + line.order - 1
        end
        lu.assertTrue(#lines >= 5 and #lines <= 13 and bold >= 1, range .. ": " .. #lines)
    end
end

-- Squares are looked at in blocks along rows: columns lie across them.
function TestNetworks.test_contours_of_rows_and_columns_alike()
    local land = esker.noise{ width = 197, height = 130, seed = 2, frequency = 9 }:normalize()
    local function measure(height)
        local points, reaches = 0, height:contours{ interval = 0.1 }:reaches()
        for _, line in ipairs(reaches) do
            points = points + #line
        end
        return { #reaches, points }
    end
    local expected = measure(land)
    lu.assertTrue(expected[1] > 100)
    lu.assertEquals(measure(land:flip{ axis = "diagonal" }), expected)
end

function TestNetworks.test_tables_of_contours_have_columns_of_lines()
    local hill = esker.field{ size = 20, values = function(x, y) return 100 - (x - 9) ^ 2 - (y - 9) ^ 2 end }
    hill.frame = { x = 500, y = 900, cell = 10 }
    local path, rows = temporary(".csv"), {}
    hill:contours{ levels = { 90 } }:save(path)
    for line in io.lines(path) do
        rows[#rows + 1] = line
    end
    lu.assertEquals(rows[1], "line,order,closed,x,y,altitude")
    for i = 2, #rows do
        local x, y = rows[i]:match("^1,%d,true,([%d.]+),([%d.]+),90$")
        lu.assertAlmostEquals(math.sqrt((x - 595) ^ 2 + (y - 805) ^ 2), math.sqrt(10) * 10, 2)
    end
    lu.assertTrue(#rows > 10)
end

-- "0.25! 0.5": the heights of contours, with a mark at index lines.
function TestNetworks.test_contours_have_each_level_once()
    local ramp = esker.field{ size = 20, values = function(x, y) return (x + y / 7) / 20 end }
    for expected, arguments in pairs{
        ["0.25! 0.5"] = { levels = { 0.5, 0.25, 0.5 } },
        ["0.25 0.33 0.5! 0.75"] = { levels = { 0.5, 0.33, 0.5 }, interval = 0.25, index = 2 },
        ["0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9"] = { index = 0 },
    } do
        local heights = {}
        for _, line in ipairs(ramp:contours(arguments):reaches()) do
            if line[1].altitude > 0 and line[1].altitude < 1 then
                heights[#heights + 1] = ("%.4g%s"):format(line[1].altitude, line.order == 2 and "!" or "")
            end
        end
        lu.assertEquals(table.concat(heights, " "), expected)
    end
end

function TestNetworks.test_contours_are_drawn_with_their_heights()
    local hill = esker.shape{ size = 96, kind = "cone" }
    local lines, plain = hill:contours{ interval = 0.1 }, hill:contours{ interval = 0.1, index = 0 }
    local function drawn(of, metres, labels)
        return of:draw{ scale = 4, metres = metres, labels = labels }:hash()
    end
    lu.assertEquals(drawn(lines, 1, false), drawn(lines, 2000))
    lu.assertNotEquals(drawn(lines, 1, true), drawn(lines, 1, false))
    lu.assertNotEquals(drawn(lines, 1, true), drawn(lines, 2000, true)) -- 0.5 is not 1000
    lu.assertEquals(drawn(plain, 1, true), drawn(plain, 1, false)) -- only bold ones have labels
    local tree = esker.river_network{ points = 100, size = 32 }
    local dots = esker.points{ size = 8, list = { { x = 2, y = 2 } } }
    lu.assertErrorMsgContains("labels: rivers have no one height", tree.draw, tree, { labels = true })
    lu.assertErrorMsgContains("labels: points have none", dots.draw, dots, { labels = true })
end

os.exit(lu.LuaUnit.run())
