-- Rivers of fields larger than memory: everything equals the same calls in memory, in strips of any height.

local tries = require "tries"
local unit = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

local width, height = 83, 97

local function cut(field)
    return field:crop{ x = 0, y = 0, width = width, height = height, wrap = false }
end

local ground = cut(esker.noise{ size = height, seed = 3 })
local placed = (ground * 900):georeference{ x = 500000, y = 4100000, cell = 30, system = "EPSG:32613", unit = "m" }
local stepped = ground:terrace{ steps = 12, sharpness = 0.9, slope = 0 } -- flats that reach across many strips
local tilted = esker.field{ width = width, height = height, values = function(x, y) return 1 - y / 120 - x / 900 end }
    + cut(esker.noise{ size = height, seed = 5 }) * 0.02                 -- rivers through all strips
local holed = stepped:set_gaps(esker.field{ width = width, height = height, values = function(x, y)
    return (x * 7 + y * 13) % 61 == 0 and 1 or y < 9 and 1 or (x - 40) ^ 2 + (y - 50) ^ 2 < 200 and 1 or 0
end })
local fields = { tilted, holed, stepped, placed, ground }

local function in_memory(large)
    return large:crop{ x = 0, y = 0, width = large.width, height = large.height }
end

local function contents(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

-- Calls `visit(field, large, text)` for fields in strips of several heights.
local function each(visit)
    for i, field in ipairs(tries(3, fields)) do
        for _, rows in ipairs(tries(3, { 1, 13, 96, 2, 97 })) do
            visit(field, esker.large{ field = field, rows = rows }, ("field %d, %d rows"):format(i, rows))
        end
    end
end

TestLargeRivers = {}

function TestLargeRivers.test_orders_are_those_in_memory()
    local most = {}
    each(function(field, large, text)
        local mask = cut(esker.noise{ size = height, seed = 9 }) - 0.55
        for _, method in ipairs{ "strahler", "shreve", "hack" } do
            for _, given in ipairs{ { cells = 6 }, { threshold = 0.002, sea_level = 0.4 }, { rivers = mask } } do
                local arguments = { method = method, cells = given.cells, threshold = given.threshold,
                    sea_level = given.sea_level or -1, rivers = given.rivers }
                local here = field:stream_order(arguments)
                arguments.rivers = given.rivers and esker.large{ field = mask, rows = 7 }
                unit.assertTrue(in_memory(large:stream_order(arguments)) == here, method .. " of " .. text)
                most[method] = math.max(most[method] or 0, here:statistics().max)
            end
        end
    end)
    unit.assertTrue(most.strahler >= 3 and most.shreve >= 9 and most.hack >= 3, "orders are put to the test")
    local large = esker.large{ field = placed, rows = 13 }
    unit.assertTrue(in_memory(large:stream_order{ area = 9e3 }) == placed:stream_order{ area = 9e3 })
    unit.assertErrorMsgContains("area: of a large field this takes a frame", large.stream_order,
        esker.large{ field = ground }, { area = 5 })
    unit.assertErrorMsgContains("give one", large.stream_order, large, { area = 5, cells = 5 })
end

function TestLargeRivers.test_networks_are_those_in_memory()
    local reaches = 0
    each(function(field, large, text)
        for _, arguments in ipairs{ { cells = 9, sea_level = -1 }, { threshold = 0.003, sea_level = 0.5 } } do
            local here = field:rivers_from_flow(arguments)
            local got = large:rivers_from_flow(arguments)
            unit.assertEquals(got:hash(), here:hash(), text)
            unit.assertEquals(got.frame, here.frame)
            reaches = reaches + #here:reaches()
        end
    end)
    unit.assertTrue(reaches > 200, "there are rivers")
    local here, there = temporary("here.geojson"), temporary("there.geojson")
    placed:rivers_from_flow{ area = 9e3, river_width = 0.02 }:save(here)
    esker.large{ field = placed, rows = 13 }:rivers_from_flow{ area = 9e3, river_width = 0.02 }:save(there)
    unit.assertTrue(contents(here) == contents(there))
    os.remove(here)
    os.remove(there)
end

-- Where cells grow from row to row, rivers begin by their areas, and networks have them.
function TestLargeRivers.test_rivers_in_degrees_are_those_in_memory()
    local tall = (ground * 900):georeference{ x = 10, y = 70, cell = 0.1, system = "EPSG:4326", unit = "m" }
    for _, begin in ipairs{ { cells = 20 }, { threshold = 0.003 }, { area = 1e9 } } do
        local here, got = tall:rivers_from_flow(begin), esker.large{ field = tall, rows = 13 }:rivers_from_flow(begin)
        unit.assertEquals(got:hash(), here:hash())
        unit.assertTrue(#here:reaches() > 5)
        local large = esker.large{ field = tall, rows = 13 }
        unit.assertTrue(in_memory(large:stream_order(begin)) == tall:stream_order(begin))
        unit.assertTrue(in_memory(large:height_above_river(begin)) == tall:height_above_river(begin))
    end
end

function TestLargeRivers.test_catchments_are_those_in_memory()
    each(function(field, large, text)
        for _, arguments in ipairs{ { at = { { 0.5, 0.9 }, { 0.4, 0.3 }, { 0.5, 0.9 } } },
            { at = { 0.7, 0.6 }, snap = 4.5, sea_level = 0.4 },
            { at = { { 0.52, 0.55 }, { 0.9, 0.99 } }, snap = 9 } } do
            unit.assertTrue(in_memory(large:catchment(arguments)) == field:catchment(arguments), text)
        end
    end)
    local points = esker.points{ size = 97, list = { { 20, 50 }, { 40, 30 }, { 82.5, 96.5 } } }
    local wide = tilted:crop{ x = 0, y = 0, width = 83, height = 83, wrap = false }
    local gauges = esker.points{ size = 83, list = { { 20, 50 }, { 40, 30 }, { 82.5, 82.5 } } }
    local large = esker.large{ field = wide, rows = 9 }
    unit.assertTrue(in_memory(large:catchments(gauges, { snap = 3 })) == wide:catchments(gauges, { snap = 3 }))
    unit.assertErrorMsgContains("catchments: the cells of points are 97 × 97", large.catchments, large, points)
    local map = { at = { 501200, 4098100 }, coordinates = "map", snap = 60 }
    unit.assertTrue(in_memory(esker.large{ field = placed, rows = 13 }:catchment(map)) == placed:catchment(map))
    local degrees = wide:georeference{ x = 6, y = 60, cell = 1 / 3600, system = "EPSG:4326" } -- 15.5 by 31 metres
    local above, snap = esker.large{ field = degrees, rows = 9 }, { at = { 0.4, 0.3 }, snap = 64 }
    unit.assertTrue(in_memory(above:catchment(snap)) == degrees:catchment(snap))
    unit.assertErrorMsgContains("catchment: of a large field it takes", large.catchment, large, { snab = 3 })
end

-- Levels at which cells are, too, and saddles.
function TestLargeRivers.test_contours_are_those_in_memory()
    local lines = 0
    each(function(field, large, text)
        for _, arguments in ipairs{ {}, { interval = 0.11, index = 2, smooth = 2 },
            { levels = { field:get(60, 70), field:get(30, 30), 0.5 }, line = 1 } } do
            local here, got = field:contours(arguments), large:contours(arguments)
            unit.assertEquals(got:hash(), here:hash(), text)
            unit.assertEquals(got.frame, here.frame)
            lines = lines + #here:reaches()
        end
    end)
    unit.assertTrue(lines > 200, "there are lines")
    local rough = cut(esker.noise{ size = height, kind = "white", fractal = "none" }):terrace{ steps = 5 }
    unit.assertEquals(esker.large{ field = rough, rows = 10 }:contours{ interval = 0.1 }:hash(),
        rough:contours{ interval = 0.1 }:hash())
    local large = esker.large{ field = rough, rows = 10 }
    unit.assertErrorMsgContains("contours: unknown argument 'intervall'", large.contours, large, { intervall = 3 })
end

function TestLargeRivers.test_water_parts_as_in_memory()
    each(function(field, large, text)
        for _, sea in ipairs{ -1, 0.5 } do
            local arguments = { method = "dinf", sea_level = sea }
            unit.assertTrue(in_memory(large:flow_accumulation(arguments)) == field:flow_accumulation(arguments), text)
        end
    end)
    local degrees = (ground * 900):georeference{ x = 10, y = 60.5, cell = 1 / 1200, system = "EPSG:4326", unit = "m" }
    unit.assertTrue(in_memory(esker.large{ field = degrees, rows = 13 }:flow_accumulation{ method = "dinf" }) ==
        degrees:flow_accumulation{ method = "dinf" })
end

os.exit(unit.LuaUnit.run())
