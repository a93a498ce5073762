-- What must hold for every operation, from the declarations alone; and what the base terrains promise.

local unit = require "luaunit"
local esker = require "esker"
local kept_map = require "kept_map"
local temporary = require "temporary"
local tries = require "tries"
local fingerprint = require "fingerprint"

local function each_operation()
    return ipairs(esker.operations())
end

local function terrain(width, height)
    return esker.diamond_square{ width = width, height = height, seed = 11 }
end

-- A function that calls an operation with plausible inputs; nil for those that want a file.
local function call(operation, width, height)
    if operation.category == "file" then
        return nil
    end
    local land = terrain(width, height)
    return function() return fingerprint.call(operation, land) end
end

TestOperations = {}

function TestOperations.test_every_operation_is_declared_whole()
    for _, operation in each_operation() do
        local name = operation.name
        unit.assertTrue(name:match("^[%l_]+$") ~= nil, name)
        unit.assertTrue(operation.summary ~= nil and not operation.summary:match("%.$"), name)
        unit.assertTrue(#operation.outputs > 0 or name:match("^save") ~= nil or name == "export", name)
        unit.assertEquals(esker.type(esker[name]), "function")
        for related in (operation.see_also or ""):gmatch("%S+") do
            unit.assertTrue(esker[related] ~= nil and related ~= name, name .. " refers to " .. related)
        end
        for _, output in ipairs(operation.outputs) do -- terrain that is made of nothing has heights
            local is_made = output.name == "height" and #operation.inputs == 0 and operation.category ~= "file"
            unit.assertTrue(not is_made or output.heights, name)
        end
        for _, param in ipairs(operation.params) do
            unit.assertTrue(param.doc ~= nil and not param.doc:match("%.$"), name .. " " .. param.name)
            if param.kind == "number" and param.min and param.default then
                unit.assertTrue(param.default >= param.min and param.default <= param.max, name .. " " .. param.name)
            end
        end
    end
end

-- Examples share their maps, whose land is dear.
function TestOperations.test_every_example_runs()
    local shared = setmetatable({ river_map = kept_map }, { __index = esker })
    for _, operation in each_operation() do
        if operation.example then
            local environment = setmetatable({ height = terrain(64, 64), esker = shared, print = function() end },
                { __index = _G })
            assert(load(operation.example, operation.name, "t", environment))()
        else
            unit.assertEquals(operation.category, "file", operation.name)
        end
    end
end

-- Every parameter that takes a list, with a value that names its elements; then rows that do.
function TestOperations.test_lists_have_no_names()
    local seen = 0
    for _, operation in each_operation() do
        local is_called = operation.category ~= "file" -- others need paths
        local inputs = call(operation, 64, 64) and fingerprint.inputs(operation, terrain(64, 64)) or {}
        for _, param in ipairs(is_called and operation.params or {}) do
            local named = param.kind == "numbers" and { { a = 1 }, { 1, 2, a = 3 }, { [2] = 1 }, { [0.5] = 1 } } or
                param.kind == "palette" and { { { 0, "#000000" }, { 1, "#ffffff" }, a = 1 } } or {}
            for _, value in ipairs(named) do
                seen = seen + 1
                inputs[#operation.inputs + 1] = { [param.name] = value }
                local done, why = pcall(esker[operation.name], table.unpack(inputs, 1, #operation.inputs + 1))
                unit.assertFalse(done, operation.name .. " " .. param.name)
                unit.assertStrContains(tostring(why), param.name .. " must be a list")
            end
        end
    end
    unit.assertTrue(seen > 20, seen)
    unit.assertErrorMsgContains("stop 2 must be", esker.relief, terrain(64, 64),
        { palette = { { 0, "#000000" }, { 1, "#ffffff", a = 1 } } })
    unit.assertErrorMsgContains("points must be a list", esker.curve, terrain(64, 64),
        { points = { { 0, 0 }, { 1, 1, a = 1 } } })
    unit.assertErrorMsgContains("values must be a list", esker.field, { values = { { 1, 2 }, { 3, 4 }, a = 1 } })
    unit.assertErrorMsgContains("row 2 of values must be", esker.field, { values = { { 1, 2 }, { 3, 4, a = 1 } } })
end

-- Help says "of the same size" of the fields that must have it, and of no others.
function TestOperations.test_help_says_what_size_a_field_has()
    local land, other = terrain(32, 32), terrain(16, 24)
    local refused, taken = 0, 0
    for _, operation in each_operation() do
        for _, param in ipairs(operation.category ~= "file" and operation.params or {}) do
            if param.kind == "field" or param.kind == "fields" then
                local inputs = fingerprint.inputs(operation, land)
                inputs[#operation.inputs + 1] = { [param.name] = other }
                local done, why = pcall(esker[operation.name], table.unpack(inputs, 1, #operation.inputs + 1))
                local told = (param.allowed .. param.doc):find("of the same size", 1, true) ~= nil
                local of_size = not done and why:find("size", 1, true) ~= nil
                unit.assertEquals(told, of_size, operation.name .. " " .. param.name)
                refused, taken = refused + (done and 0 or 1), taken + (done and 1 or 0)
            end
        end
    end
    unit.assertTrue(refused > 5 and taken > 0)
end

-- A bound as help writes it: large powers of two are not written out.
local function bound_of(text)
    local exponent = text:match("^2%^(%d+)$")
    return exponent and 2.0 ^ exponent or tonumber(text)
end

-- What a message allows is what is allowed: each bound passed a little, and the bound that it names is taken.
function TestOperations.test_messages_about_bounds_are_true()
    local land = terrain(64, 64)
    for _, operation in each_operation() do
        if call(operation, 64, 64) then
            local inputs = fingerprint.inputs(operation, land)
            for _, param in ipairs(operation.params) do
                for _, beyond in ipairs(param.kind == "number" and param.min and { 2, 1 + 1e-9 } or {}) do
                    for _, bound in ipairs{ param.min, param.max } do
                        local past = bound == param.min and bound - math.abs(bound) * (beyond - 1) - 1e-9
                            or bound + math.abs(bound) * (beyond - 1) + 1e-9
                        inputs[#operation.inputs + 1] = { [param.name] = past }
                        local done, why = pcall(esker[operation.name], table.unpack(inputs, 1, #operation.inputs + 1))
                        unit.assertFalse(done, operation.name .. " " .. param.name)
                        unit.assertNotStrContains(why, "must be finite")
                        local got = why:match("got (%S+)$")
                        unit.assertTrue(got ~= nil and tonumber(got) == past, why)
                        for number in why:match("must be (.*), got"):gmatch("[%d.e+^-]+%d") do
                            unit.assertTrue(bound_of(number) == param.min or bound_of(number) == param.max, why)
                        end
                    end
                end
            end
        end
    end
    local map = esker.river_map{ seed = 1 }
    unit.assertErrorMsgContains("y must be 0.5, got 0.51", map.render, map,
        { size = 64, zoom = 1.0000000001, x = 0.5, y = 0.51 })
    unit.assertErrorMsgContains("y must be 0.5, got 0.5001", map.render, map, { size = 64, zoom = 1, y = 0.5001 })
end

function TestOperations.test_small_and_odd_sizes_work()
    local sizes = { { 2, 9 }, { 17, 5 }, { 2, 2 }, { 9, 2 }, { 3, 3 }, { 100, 63 } }
    for _, operation in each_operation() do
        local of_map = operation.inputs[1] and operation.inputs[1].kind:find("map", 1, true) -- whose land is dear
        for _, size in ipairs(of_map and tries(2, sizes) or sizes) do
            local run = call(operation, size[1], size[2])
            if run then
                run()
            end
        end
    end
end

function TestOperations.test_inputs_are_left_unchanged()
    local land = terrain(96, 80)
    local before = land:hash()
    for _, operation in each_operation() do
        if operation.inputs[1] and operation.inputs[1].kind == "field" and #operation.outputs > 0 then
            esker[operation.name](table.unpack(fingerprint.inputs(operation, land)))
            unit.assertEquals(land:hash(), before, operation.name)
        end
    end
end

function TestOperations.test_unknown_arguments_and_bad_values_are_named()
    local function fails(message, f, ...)
        unit.assertErrorMsgContains(message, f, ...)
    end
    local land = terrain(16, 16)
    fails("olsen_erosion: unknown argument 'talsu', did you mean 'talus'?", land.olsen_erosion, land, { talsu = 1 })
    fails("diamond_square: size must be 2 to 65536, got 1", function()
        esker.diamond_square{ size = 1 }
    end)
    fails("diamond_square: size must be", esker.diamond_square, { size = -3 })
    fails("size must be", esker.diamond_square, { size = 1e9 })
    fails("size must be a whole number, 2 to 65536, got 2.5", esker.diamond_square, { size = 2.5 })
    fails("size must be a number", esker.diamond_square, { size = "64" })
    fails("not both", esker.diamond_square, { size = 4, width = 4, height = 4 })
    fails("width and height are given together", esker.diamond_square, { width = 4 })
    fails("seed must be a whole number, -2^63 to 2^63 - 1, got 1.5", esker.diamond_square, { seed = 1.5 })
    fails('seed must be a whole number, -2^63 to 2^63 - 1, got the text "7"', esker.diamond_square, { seed = "7" })
    fails("persistence must be 0 to 1, got nan", esker.diamond_square, { persistence = 0 / 0 })
    fails("persistence must be 0 to 1, got inf", esker.diamond_square, { persistence = math.huge })
    fails('distribution must be "uniform" or "gaussian", got "normal"', esker.diamond_square,
        { distribution = "normal" })
    fails("arguments have names", esker.diamond_square, { 64 })
    fails("diamond_square: takes its arguments in one table, esker.diamond_square{ name = value }; got 64",
        esker.diamond_square, 64)
    fails("perturb: height must be a field, got nothing", esker.perturb)
    fails('perturb: height must be a field, got the text "x"', esker.perturb, "x")
    fails('coefficients: element 2 must be a number, got the text "x"', esker.voronoi, { coefficients = { 1, "x" } })
    fails("coefficients must be a list of 1 to 8 numbers, got a list of 0", esker.voronoi, { coefficients = {} })
    fails("must have the size of the first field, 16 × 16", function()
        return land + terrain(16, 17)
    end)
    fails("divide: the result's cell (0, 0) is", function()
        return land / (land - land)
    end)
    fails('there is no palette "x"; there are hypsometric, alpine', land.relief, land, { palette = "x" })
    fails('there is no palette "alpin", did you mean "alpine"?', land.relief, land, { palette = "alpin" })
    fails("stop 2 must be above the one before", land.relief, land,
        { palette = { { 0, "#000000" }, { 0, "#ffffff" } } })
    fails('stop 1 must be { height, "#rrggbb" }, got { 0, red }', land.relief, land,
        { palette = { { 0, "red" }, { 1, "#ffffff" } } })
end

-- Lua passes on all results of a call in the last place.
function TestOperations.test_a_call_in_the_last_place_that_gives_several_values_is_told_of()
    local land = terrain(16, 16)
    for message, wrong in pairs{
        ["paint: the call in the last place gave 3 values; put it in ( )"] = function()
            land:relief{}:paint(land:peaks{})
        end,
        ["flatten: the call in the last place gave 3 values; put it in ( )"] = function()
            land:flatten(land:peaks{})
        end,
        ["blend: the call in the last place gave 4 values; put it in ( )"] = function()
            land:blend(land:stream_erosion{})
        end,
        ["lerp: the call in the last place gave 4 values; put it in ( )"] = function()
            land:lerp(land:stream_erosion{})
        end,
    } do
        unit.assertErrorMsgContains(message, wrong)
    end
    land:relief():paint((land:peaks()))
    local _, flow = land:stream_erosion()
    unit.assertTrue(-flow == flow * -1) -- whose operand Lua passes twice
end

function TestOperations.test_messages_say_what_was_given_and_how_it_is_written()
    local land = terrain(16, 16)
    local picture = land:relief()
    for message, wrong in pairs{
        ["Field has no method 'paint'; images have it"] = function() return land.paint end,
        ["Image has no method 'set'; fields have it"] = function() return picture.set end,
        ["Field has no method 'spectral'; it is a function, esker.spectral"] = function() return land.spectral end,
        ["get: x must be a whole number, 0 to 15, got 1.5"] = function() land:get(1.5, 2) end,
        ["set: y must be a whole number, 0 to 15, got nothing"] = function() land:set(1) end,
        ["image: takes its arguments in one table, red:image{ name = value }; got Field"] = function()
            esker.image(land, land, land)
        end,
        ["viewshed: takes its arguments in one table, height:viewshed{ name = value }; got 0.5"] = function()
            land:viewshed(0.5, 0.5)
        end,
        ["add: takes no more values, esker.add(a, b); got 3 as well"] = function() esker.add(land, 2, 3) end,
        ["image: red must be a field, got table; it is written red:image{ name = value }"] = function()
            esker.image{ red = land }
        end,
        ["inpaint: mask must be a field, got table; it is written height:inpaint(mask, { name = value })"] = function()
            land:inpaint{ mask = land }
        end,
        ["path: paths: row 2, column 3 must be 0 to 1, a share of the width or height"] = function()
            land:path{ paths = { { 0, 0, 1, 1 }, { 0, 0, 30, 1 } } }
        end,
        ['x must be 0 to 1, a share of the width or height (or say coordinates = "cells"'] = function()
            land:viewshed{ x = 9.5 }
        end,
        ["blur: sigma must be 0 to 1, a share of N (the longer side), got 2"] = function() land:blur{ sigma = 2 } end,
        ["relative_height: radius must be 0 to 1, a share of N (the longer side), got 20"] = function()
            land:relative_height{ radius = 20 }
        end,
        ["position_index: radius: element 2 must be 0 to 1, a share of N (the longer side), got 5"] = function()
            land:position_index{ radius = { 0.1, 5 } }
        end,
        ["hillshade: light: row 1 must be a list of 2 to 3 numbers, got a list of 1"] = function()
            land:hillshade{ light = { 315 } }
        end,
        ["hillshade: light: row 2 must be a list of 2 to 3 numbers, got 45"] = function()
            land:hillshade{ light = { { 315, 45 }, 45 } }
        end,
        ["path: paths: row 1 must be a list of 4 numbers, got a list of 2"] = function()
            land:path{ paths = { { 0, 0 } } }
        end,
        ["points: list must be a list of at most 16777216 points, { x, y, altitude }, got nothing"] = function()
            esker.points{ size = 64 }
        end,
        ["blend: b must be a field or an image, got nothing"] = function() picture:blend() end,
        ["contour_map: title must have no byte 0"] = function() land:contour_map{ title = "x\0y" } end,
        ['contour_map: palette: stop 1 must be { height, "#rrggbb" }, got { 0, red }'] = function()
            land:contour_map{ palette = { { 0, "red" } } }
        end,
        ["relief: unknown argument 'sea', did you mean 'sea_level'?"] = function() land:relief{ sea = 1 } end,
    } do
        unit.assertErrorMsgContains(message, wrong)
    end
end

TestBaseTerrain = {}

local generators = {
    { "diamond_square", {} }, { "diamond_square", { smooth = true } },
    { "diamond_square", { distribution = "gaussian" } },
    { "spectral", {} }, { "spectral", { interpolation = "linear" } },
    { "spectral", { interpolation = "spline", lattice = 7 } },
    { "voronoi", {} }, { "voronoi", { metric = "euclidean", points_per_region = 3 } },
}

local function generate(generator, width, height, seed)
    local arguments = { width = width, height = height, seed = seed }
    for name, value in pairs(generator[2]) do
        arguments[name] = value
    end
    return (esker[generator[1]](arguments))
end

function TestBaseTerrain.test_heights_span_0_to_1()
    for _, generator in ipairs(generators) do
        local s = generate(generator, 128, 96, 3):statistics()
        unit.assertEquals({ s.min, s.max }, { 0.0, 1.0 }, generator[1])
    end
end

-- The differences across the edges are like those inside: no seam when tiled.
function TestBaseTerrain.test_opposite_edges_meet()
    for _, generator in ipairs(generators) do
        for _, size in ipairs{ { 128, 128 }, { 150, 100 } } do
            local width, height = size[1], size[2]
            local land = generate(generator, width, height, 4)
            local across, inside = 0, 0
            for y = 0, height - 1 do
                across = across + math.abs(land:get(0, y) - land:get(width - 1, y))
                inside = inside + math.abs(land:get(width // 2, y) - land:get(width // 2 - 1, y))
            end
            for x = 0, width - 1 do
                across = across + math.abs(land:get(x, 0) - land:get(x, height - 1))
                inside = inside + math.abs(land:get(x, height // 2) - land:get(x, height // 2 - 1))
            end
            unit.assertTrue(across < 2.5 * inside, generator[1] .. " " .. across .. " " .. inside)
        end
    end
end

function TestBaseTerrain.test_the_seed_decides()
    for _, generator in ipairs(generators) do
        unit.assertEquals(generate(generator, 40, 40, 1):hash(), generate(generator, 40, 40, 1):hash())
        unit.assertNotEquals(generate(generator, 40, 40, 1):hash(), generate(generator, 40, 40, 2):hash())
    end
end

-- Olsen 2004, table 1, for N = 512; the tolerance covers six seeds and what docs/olsen-tables.md tells.
-- A field of any sides takes means of the lattice. Its rows and columns, some twice as far apart as others, show as a
-- woven grain.
function TestBaseTerrain.test_diamond_square_of_any_size_is_a_mean_of_its_lattice()
    local lattice = esker.diamond_square{ size = 256, seed = 3 }
    for _, size in ipairs{ 129, 200, 255 } do
        local field = esker.diamond_square{ size = size, seed = 3 }
        local off = (field - lattice:resize{ size = size }:normalize{}):statistics()
        unit.assertTrue(math.max(off.max, -off.min) < 1e-5, size)
    end
end

function TestBaseTerrain.test_erosion_scores_are_the_papers()
    local function mean_score(operation, arguments)
        local sum = 0
        for seed = 1, 6 do
            arguments.seed = seed
            sum = sum + esker[operation](arguments):erosion_score()
        end
        return sum / 6
    end
    unit.assertAlmostEquals(mean_score("spectral", {}), 0.425, 0.05)
    unit.assertAlmostEquals(mean_score("spectral", { interpolation = "linear" }), 0.417, 0.05)
    unit.assertAlmostEquals(mean_score("diamond_square", {}), 0.401, 0.04)
    unit.assertAlmostEquals(mean_score("diamond_square", { distribution = "gaussian" }), 0.438, 0.05)
    unit.assertAlmostEquals(mean_score("voronoi", {}), 0.347, 0.04)
    unit.assertAlmostEquals(mean_score("voronoi", { metric = "euclidean" }), 0.323, 0.04)
end

function TestBaseTerrain.test_hill_coverage_and_offset_make_flats()
    local function flat_share(arguments)
        arguments.size, arguments.seed = 256, 9
        return esker.voronoi(arguments):histogram{ bins = 1000 }[1] / 256 ^ 2
    end
    unit.assertTrue(flat_share{ hill_coverage = 0.5 } > 0.2)
    unit.assertTrue(flat_share{ offset = -0.3 } > 0.3)
    local _, domain = esker.voronoi{ size = 64, domain = "binary", hill_coverage = 0.5 }
    local s = domain:statistics()
    unit.assertEquals({ s.min, s.max }, { 0.0, 1.0 })
end

TestAnalysis = {}

function TestAnalysis.test_slope_is_the_steepest_of_four()
    local f = esker.field{ values = { { 0, 0, 0, 0 }, { 0, 5, 1, 0 }, { 0, 0, 0, 0 }, { 9, 0, 0, 0 } }, wrap = true }
    local s = f:slope()
    unit.assertEquals({ s:get(1, 1), s:get(2, 1), s:get(0, 0), s:get(3, 3) }, { 5.0, 4.0, 9.0, 9.0 })
end

function TestAnalysis.test_statistics_are_exact_on_whole_numbers()
    local f = esker.field{ width = 100, height = 10, values = function(x) return x + 1 end }
    local s = f:statistics()
    unit.assertEquals({ s.min, s.max, s.mean, s.sum }, { 1.0, 100.0, 50.5, 50500.0 })
    unit.assertAlmostEquals(s.stddev, ((100 ^ 2 - 1) / 12) ^ 0.5, 1e-9)
end

function TestAnalysis.test_erosion_raises_the_suitability()
    local base = esker.diamond_square{ seed = 3, smooth = true } * (2 / 3) + esker.voronoi{ seed = 4 } * (1 / 3)
    local land = base:perturb{ seed = 5 }
    local before, after = land:playability{}, land:olsen_erosion{}:playability{}
    unit.assertTrue(before.suitability < 0.05)
    unit.assertTrue(after.suitability > 0.3)
    unit.assertAlmostEquals(after.suitability, after.erosion * after.unit * after.building, 1e-12)
    unit.assertAlmostEquals(after.units:statistics().mean, after.unit, 1e-9)
    unit.assertAlmostEquals(after.buildings:statistics().mean, after.building, 1e-9)
end

function TestAnalysis.test_argmax_is_the_first_of_the_greatest_cells()
    local f = esker.field{ values = { { -3, 7, 2 }, { 7, 7, -9 } } }
    unit.assertEquals(f:argmax(), { x = 1.5, y = 0.5, value = 7 })
    unit.assertEquals((-f):argmax(), { x = 2.5, y = 1.5, value = 9 })
    unit.assertEquals((f * 0):argmax(), { x = 0.5, y = 0.5, value = 0 })
    local gap = esker.field{ values = { { 0, 1, 0 }, { 0, 0, 0 } } }
    unit.assertEquals(f:set_gaps(gap):argmax(), { x = 0.5, y = 1.5, value = 7 })
    unit.assertErrorMsgContains("no cell with data", function() return f:set_gaps(f * 0 + 1):argmax() end)
    local land = terrain(50, 40)
    local best = land:argmax()
    unit.assertEquals(land:get(best.x // 1 | 0, best.y // 1 | 0), best.value)
    unit.assertEquals(best.value, land:statistics().max)
end

function TestAnalysis.test_histogram_counts_every_cell_once()
    local counts = terrain(50, 40):histogram{ bins = 7 }
    local sum = 0
    for _, count in ipairs(counts) do
        sum = sum + count
    end
    unit.assertEquals({ #counts, sum }, { 7, 2000.0 })
    local f = esker.field{ values = { { 0, 1, 2, 3 } } }
    unit.assertEquals(f:histogram{ bins = 2, low = 1, high = 3 }, { 1.0, 2.0 })
end

function TestAnalysis.test_relative_height_is_the_difference_from_the_mean_of_the_square()
    local f = terrain(20, 15)
    local relative = f:relative_height{ radius = 2 / 20 }
    for _, cell in ipairs{ { 0, 0 }, { 7, 3 }, { 19, 14 } } do
        local sum = 0
        for dy = -2, 2 do
            for dx = -2, 2 do
                sum = sum + f:get((cell[1] + dx) % 20, (cell[2] + dy) % 15)
            end
        end
        unit.assertAlmostEquals(relative:get(cell[1], cell[2]), f:get(cell[1], cell[2]) - sum / 25, 1e-6)
    end
end

TestLists = {}

local function list_of(param, count)
    local list = {}
    for i = 1, count do
        list[i] = param.columns and {} or param.min or 0
        for k = 1, param.columns or 0 do
            list[i][k] = param.min or 0
        end
    end
    return list
end

-- As many as are declared, which help and messages show; others are refused before the operation runs.
function TestLists.test_every_list_refuses_what_is_too_short_or_too_long()
    local land = terrain(16, 16)
    for _, operation in ipairs(esker.operations()) do
        for _, param in ipairs(operation.category ~= "file" and operation.params or {}) do
            for _, count in ipairs(param.kind == "numbers" and { param.rows_min - 1, param.rows_max + 1 } or {}) do
                if count >= 0 then
                    local inputs = fingerprint.inputs(operation, land)
                    inputs[#inputs + 1] = { [param.name] = list_of(param, count) }
                    unit.assertErrorMsgContains(("%s: %s must be a list of %s"):format(operation.name, param.name,
                        param.allowed:match("^[^,]*")), esker[operation.name], table.unpack(inputs))
                end
            end
        end
    end
    unit.assertEquals(esker.field{ size = 4, values = 0 }:contours{ levels = {} }:reaches(), {})
end

-- Operations that look at their rows while they make them find the one cell, wherever it lies.
function TestOperations.test_results_that_are_infinite_name_the_cell()
    local size, most = 33, 0x1.fffffep127
    for _, cell in ipairs{ { 0, 0 }, { 32, 0 }, { 1, 1 }, { 17, 16 }, { 0, 31 }, { 15, 32 }, { 32, 32 } } do
        local x, y = cell[1], cell[2]
        local high = esker.field{ size = size, values = function(column, row)
            return column == x and row == y and most or 0
        end }
        local named = ("the result's cell (%d, %d) is "):format(x, y)
        local lower = high * 1e-3 -- the laplacian is infinite in this cell alone
        for name, run in pairs{
            laplacian = function() return lower:laplacian{ wrap = false } end,
            blend = function() return high:blend(high, { mode = "add" }) end,
            mask = function() return high:blend(high, { mode = "add", mask = high * 0 + 1 }) end,
            add = function() return high + high end,
            lerp = function() return esker.lerp(high, -most, 0.5) end,
        } do
            local works, message = pcall(run)
            unit.assertFalse(works, name)
            unit.assertStrContains(message, named)
        end
    end
end

TestFilters = {}

function TestFilters.test_arithmetic_is_cell_by_cell_on_either_side()
    local f = esker.field{ values = { { 1, -2 }, { 0.5, 4 } } }
    local function cells(g)
        return { g:get(0, 0), g:get(1, 0), g:get(0, 1), g:get(1, 1) }
    end
    unit.assertEquals(cells(f + 1), { 2.0, -1.0, 1.5, 5.0 })
    unit.assertEquals(cells(1 - f), { 0.0, 3.0, 0.5, -3.0 })
    unit.assertEquals(cells(2 * f * f), { 2.0, 8.0, 0.5, 32.0 })
    unit.assertEquals(cells(1 / f), { 1.0, -0.5, 2.0, 0.25 })
    unit.assertEquals(cells(f ^ 2), { 1.0, 4.0, 0.25, 16.0 })
    unit.assertEquals(cells(2 ^ f), { 2.0, 0.25, 2 ^ 0.5 // 2 ^ -23 * 2 ^ -23, 16.0 })
    unit.assertEquals(cells(-f), { -1.0, 2.0, -0.5, -4.0 })
    unit.assertEquals(cells(f:abs()), { 1.0, 2.0, 0.5, 4.0 })
    unit.assertEquals(cells(esker.min(f, 0.7)), { 0.7 // 2 ^ -25 * 2 ^ -25, -2.0, 0.5, 0.7 // 2 ^ -25 * 2 ^ -25 })
    unit.assertEquals(cells(f:max(f * 0)), { 1.0, 0.0, 0.5, 4.0 })
    unit.assertErrorMsgContains("power: the result's cell (1, 0) is not a number: a is -2 to 4", function()
        return f ^ 0.5
    end)
    unit.assertErrorMsgContains("divide: the result's cell (0, 0) is infinite: a is -2 to 4, b is 0 to 0", function()
        return f / (0 * f:abs())
    end)
end

-- Large results are written past the cache, in parts of whole lines, which rows of 2,051 cells begin at any place in.
function TestFilters.test_large_results_are_those_of_their_rows()
    local width, height, strip = 2051, 1030, 3
    local f = terrain(width, height) - 0.4
    local g = f:flip{ axis = "x" }
    local function rows(field, y)
        return field:crop{ y = y, height = strip }
    end
    local filters = {
        add = function(a, b) return a + b end,
        subtract = function(a, b) return a - b end,
        multiply = function(a, b) return a * b end,
        divide = function(a, b) return a / (b + 3) end,
        number = function(a) return a + 0.25 end,
        low = function(a, b) return a:min(b) end,
        high = function(a, b) return a:max(b) end,
        square = function(a) return a ^ 2 end,
        root = function(a) return a:abs() ^ 0.5 end,
        negate = function(a) return -a end,
        moved = function(a) return a:crop{ x = 3 }:crop{ width = 2044 } end,
    }
    for _, mode in ipairs{ "normal", "multiply", "screen", "soft_light", "difference", "darken" } do
        filters[mode] = function(a, b) return a:blend(b, { mode = mode, opacity = 0.7 }) end
        filters[mode .. " masked"] = function(a, b) return a:blend(b, { mode = mode, mask = b }) end
    end
    for name, filter in pairs(filters) do
        local whole = filter(f, g)
        for _, y in ipairs{ 0, 512, height - strip } do
            unit.assertTrue(rows(whole, y) == filter(rows(f, y), rows(g, y)), name)
        end
    end
    local turned = f:flip{ axis = "y" }
    unit.assertTrue(rows(turned, 0) == rows(f, height - strip):flip{ axis = "y" })
    unit.assertTrue(rows(turned, height - strip) == rows(f, 0):flip{ axis = "y" })
    unit.assertErrorMsgContains("is infinite", function() return 1 / (f - f:statistics().min) end)
end

function TestFilters.test_normalize_clamp_and_lerp()
    local f = terrain(30, 20) * 7 - 2
    local s = f:normalize{ low = 3, high = 5 }:statistics()
    unit.assertEquals({ s.min, s.max }, { 3.0, 5.0 })
    unit.assertEquals(esker.field{ size = 4, values = 9 }:normalize{}:statistics().max, 0.0)
    s = f:clamp{ low = -1, high = 2 }:statistics()
    unit.assertEquals({ s.min, s.max }, { -1.0, 2.0 })
    unit.assertErrorMsgContains("low must not be above high", f.clamp, f, { low = 2 })
    unit.assertTrue(esker.lerp(f, f + 1, 0) == f)
    unit.assertEquals(esker.lerp(0, 4, esker.field{ size = 2, values = 0.25 }):get(1, 1), 1.0)
end

function TestFilters.test_blur_keeps_the_mean_and_calms_the_heights()
    local f = terrain(61, 40)
    local before = f:statistics()
    for _, sigma in ipairs{ 0, 0.3, 1, 5, 61 } do
        local after = f:blur{ sigma = sigma / 61 }:statistics()
        unit.assertAlmostEquals(after.mean, before.mean, 1e-6)
        unit.assertTrue(after.stddev <= before.stddev + 1e-9)
    end
    unit.assertAlmostEquals(f:blur{ sigma = 1 }:statistics().stddev, 0, 1e-4)
end

function TestFilters.test_one_side_or_a_scale_keeps_the_proportions()
    local f = terrain(24, 18)
    for _, case in ipairs{ { { width = 12 }, 12, 9 }, { { height = 36 }, 48, 36 }, { { scale = 0.5 }, 12, 9 },
        { { width = 1 }, 1, 1 }, { { width = 7, height = 50 }, 7, 50 }, { {}, 128, 128 } } do
        local g = f:resize(case[1])
        unit.assertEquals({ g.width, g.height }, { case[2], case[3] })
    end
    unit.assertErrorMsgContains("give size, or width and height, or scale", f.resize, f, { size = 9, width = 9 })
    unit.assertErrorMsgContains("resize: at most 65536 cells along a side", f.resize, f, { scale = 30000 })
end

function TestFilters.test_crop_wraps_around_and_resize_keeps_what_it_can()
    local f = terrain(24, 18)
    unit.assertTrue(f:crop{} == f)
    unit.assertTrue(f:crop{ x = 5, y = -3 }:crop{ x = -5, y = 3 } == f)
    unit.assertEquals(f:crop{ x = 23, width = 2, height = 1 }:get(1, 0), f:get(0, 0))
    unit.assertTrue(f:resize{ width = 24, height = 18 } == f)
    unit.assertAlmostEquals(f:resize{ size = 5 }:statistics().mean, f:statistics().mean, 1e-5)
    for _, interpolation in ipairs{ "linear", "cubic", "nearest" } do
        local g = esker.field{ size = 6, values = 0.3 }:resize{ size = 17, interpolation = interpolation }
        unit.assertAlmostEquals(g:statistics().max, 0.3, 1e-6)
        unit.assertEquals(g.width, 17)
    end
    unit.assertEquals(f:resize{ size = 6, interpolation = "nearest" }.height, 6)
end

function TestFilters.test_curve_goes_through_its_points_and_never_swings_out()
    local ramp = esker.field{ width = 101, height = 2, values = function(x) return x / 100 end }
    local points = { { 0, 0 }, { 0.2, 0.5 }, { 0.5, 0.5 }, { 0.9, 1 } }
    for _, interpolation in ipairs{ "cubic", "linear" } do
        local bent = ramp:curve{ points = points, interpolation = interpolation }
        unit.assertAlmostEquals(bent:get(20, 0), 0.5, 1e-6)
        unit.assertAlmostEquals(bent:get(35, 0), 0.5, 1e-6)
        unit.assertEquals(bent:get(100, 0), 1.0)
        for x = 1, 100 do
            unit.assertTrue(bent:get(x, 0) >= bent:get(x - 1, 0) - 1e-7)
        end
    end
    unit.assertErrorMsgContains("points must rise in height, but that of point 2, 0, is not above 1",
        ramp.curve, ramp, { points = { { 1, 0 }, { 0, 1 } } })
    unit.assertErrorMsgContains("row 1 must be a list of 2 numbers, got 1", ramp.curve, ramp, { points = { 1, 0 } })
end

TestFiles = {}

function TestFiles.test_heights_come_back_and_are_written_the_same_again()
    local land = esker.diamond_square{ width = 70, height = 50, seed = 6 }
    for _, ending in ipairs{ "png", "r16", "asc", "pgm" } do
        for _, heights in ipairs{ land, land * 900 - 100 } do
            local path = temporary("." .. ending)
            local range = { low = -100, high = 800 }
            heights:save(path, ending ~= "asc" and ending ~= "png" and range or {})
            local shape = ending == "r16" and { width = 70, height = 50, low = -100, high = 800 }
                or ending == "pgm" and range or {}
            local again = esker.load(path, shape)
            local step = ending == "asc" and 0 or 900 / 65535
            unit.assertTrue((again - heights):abs():statistics().max <= step * 0.501, ending)
            local file = assert(io.open(path, "rb"))
            local text = file:read("a")
            file:close()
            again:save(path, ending ~= "asc" and ending ~= "png" and range or {})
            file = assert(io.open(path, "rb"))
            unit.assertTrue(text == file:read("a"), ending)
            file:close()
            -- Every truncation is an error.
            for _, share in ipairs{ 0, 0.1, 0.5, 0.99 } do
                file = assert(io.open(path, "wb"))
                file:write(text:sub(1, math.floor(#text * share)))
                file:close()
                unit.assertFalse(pcall(esker.load, path, shape), ending .. " " .. share)
            end
            os.remove(path)
        end
    end
end

function TestFiles.test_a_flat_view_has_the_colours_of_its_heights()
    local view = { vertical_scale = 0, width = 40, height = 30 }
    local one = esker.diamond_square{ size = 32, seed = 1 }:perspective(view)
    local other = esker.diamond_square{ size = 32, seed = 2 }:perspective(view)
    unit.assertNotEquals(one:hash(), other:hash())
end

function TestFiles.test_real_terrain_keeps_its_metres()
    local land = esker.load("examples/data/ridge.png", { high = 65535 })
    unit.assertEquals({ land.width, land.height }, { 96, 96 })
    local s = land:statistics()
    unit.assertTrue(s.min > 200 and s.max < 1100 and s.min == math.floor(s.min))
end

function TestFiles.test_files_that_cannot_be_read_or_written_are_named()
    local land = terrain(8, 8)
    local function fails(message, f, ...)
        unit.assertErrorMsgContains(message, f, ...)
    end
    fails("must be a plain table", land.blur, land, setmetatable({}, { __index = print }))
    fails("load: cannot read 'nowhere.png' in /", esker.load, "nowhere.png")
    fails("load: cannot read '/nowhere.png': No such file", esker.load, "/nowhere.png")
    fails("must end in .png, .tif, .tiff, ", esker.load, "README.md")
    fails("save: cannot write 'nowhere/x.png'", land.save, land, "nowhere/x.png")
    fails("must end in .png", land.save, land, "x.jpg")
    fails("high must be above low", land.save, land, "x.png", { low = 1, high = 0.5 })
    local path = temporary ".png"
    local file = assert(io.open(path, "wb")) -- a header that claims 2^31 - 1 pixels a side
    file:write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x10\0\0\0\0", ("\0"):rep(4))
    file:close()
    fails("cannot read '" .. path, esker.load, path)
    os.remove(path)
end

-- What help and the manual say of a number is all that is checked: only the range of heights is not written out.
function TestOperations.test_every_bound_is_shown()
    for _, operation in ipairs(esker.operations()) do
        for _, param in ipairs(operation.params) do
            local name = operation.name .. "." .. param.name
            if param.kind == "text" and param.max then
                unit.assertStrContains(param.allowed, ("at most %.0f characters"):format(param.max), name)
            elseif param.max and param.max < 3e38 and param.kind ~= "choice" then
                local range = param.allowed:match("[-%d.e+]+ to [-%d.e+^]+$")
                unit.assertNotNil(range, name)
                local low, high = range:match("(%S+) to (%S+)")
                unit.assertEquals({ bound_of(low), bound_of(high) }, { param.min, param.max }, name)
            end
        end
    end
end

function TestOperations.test_numbers_that_are_none_have_no_sign()
    local f = esker.field{ size = 4, values = 0 }
    for _, nan in ipairs{ 0 / 0, -(0 / 0) } do
        for _, run in ipairs{
            function() f:add(nan) end, function() f:set(1, 1, nan) end, function() f:blur{ sigma = nan } end,
            function() esker.field{ size = 2, values = nan } end,
            function() esker.field{ size = 2, values = { { 1, nan }, { 1, 1 } } } end,
            function() esker.points{ size = 8, list = { { 1, 2, nan } } } end,
            function() esker.points{ size = 8, list = { { 1, 2, radius = nan } } } end,
            function() f:curve{ points = { { 0, nan }, { 1, 1 } } } end,
        } do
            local _, message = pcall(run)
            unit.assertStrMatches(message, ".*%f[-%w]nan%f[%W].*")
        end
    end
end

function TestOperations.test_arguments_are_suggested_by_words_of_their_documentation()
    local f = esker.field{ size = 8, values = 0 }
    unit.assertErrorMsgContains("unknown argument 'smooth', did you mean 'blend'?", f.max, f, 1, { smooth = 0.1 })
    unit.assertErrorMsgContains("unknown argument 'bend', did you mean 'blend'?", f.max, f, 1, { bend = 0.1 })
    unit.assertErrorMsgContains("unknown argument 'radius', did you mean 'sigma'?", f.blur, f, { radius = 3 })
    unit.assertErrorMsgContains("unknown argument 'x' (esker help max lists them)", f.max, f, 1, { x = 0.1 })
end

os.exit(unit.LuaUnit.run())
