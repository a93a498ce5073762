-- Edges: which fields wrap, and what looks across their edges.

local unit = require "luaunit"
local esker = require "esker"
local some_values = require "some_values"
local temporary = require "temporary"

local function noise(seed, width, height)
    return esker.diamond_square{ width = width or 64, height = height or width or 64, seed = seed or 1 }
end

-- The same heights except the last four columns and rows, which become a plateau.
local function changed_at_the_end(land)
    local copy = land + 0
    for y = 0, copy.height - 1 do
        for x = y < copy.height - 4 and copy.width - 4 or 0, copy.width - 1 do
            copy:set(x, y, 0.75)
        end
    end
    return copy
end

-- Whether it takes `wrap`; and whether that is off by default, whatever the field says.
local function takes_wrap(operation)
    for _, param in ipairs(operation.params) do
        if param.name == "wrap" then
            return #operation.inputs > 0 and operation.inputs[1].kind == "field", param.default == false
        end
    end
    return false
end

-- With their defaults these do nothing across edges, or depend on the whole field; tests of their own try edges.
local at_home = { crop = true, flatten = true, from_points = true, inpaint = true, select = true, stamp = true,
    transform = true }

TestWrapping = {}

function TestWrapping.test_what_tiles_wraps_and_the_rest_does_not()
    for _, name in ipairs{ "diamond_square", "spectral", "voronoi" } do
        for _, field in ipairs{ esker[name]{ size = 16 } } do
            unit.assertTrue(field.wraps, name)
        end
    end
    unit.assertFalse(esker.field{ size = 4, values = 1 }.wraps)
    unit.assertTrue(esker.field{ size = 4, values = 1, wrap = true }.wraps)
    unit.assertFalse(esker.river_map{ seed = 1 }:render{ size = 16 }.wraps)
    unit.assertFalse(esker.squig_mountain{ levels = 3 }.wraps)
    unit.assertFalse(esker.river_network{ size = 32, points = 60 }:terrain{}.wraps)
    unit.assertFalse(noise():fill{}.wraps)
    unit.assertFalse(noise():flow_accumulation{}.wraps)
    unit.assertFalse(noise():stream_erosion{}.wraps)
    local path = temporary ".r16"
    noise():save(path)
    unit.assertFalse(esker.load(path, { width = 64, height = 64 }).wraps)
    unit.assertTrue(esker.load(path, { width = 64, height = 64, wrap = true }).wraps)
    os.remove(path)
end

function TestWrapping.test_cell_by_cell_wraps_where_all_fields_do()
    local land, window = noise(1), noise(2)
    window.wraps = false
    unit.assertFalse(window.wraps)
    unit.assertTrue((land + 1).wraps and (1 - land).wraps and (-land).wraps and (land * land).wraps)
    unit.assertFalse((land + window).wraps or (window ^ 2).wraps)
    unit.assertTrue(land:normalize().wraps and land:clamp().wraps and land:lerp(land, 0.5).wraps)
    unit.assertFalse(land:lerp(window, 0.5).wraps or land:lerp(land, window).wraps)
end

function TestWrapping.test_wraps_is_the_only_property_to_set()
    local land = noise()
    unit.assertErrorMsgContains("no property 'width'", function() land.width = 3 end)
    unit.assertErrorMsgContains("wraps must be true or false, got 1", function() land.wraps = 1 end)
    unit.assertErrorMsgContains("field: wrap must be true or false", esker.field, { size = 2, values = 0, wrap = 1 })
    unit.assertErrorMsgContains("slope: wrap must be true or false, got 1", land.slope, land, { wrap = 1 })
    unit.assertErrorMsgContains("did you mean 'wrap'", land.slope, land, { wrapp = true })
end

-- For every operation that takes `wrap`: the argument does what the property does, and results carry it.
function TestWrapping.test_the_argument_and_the_property_say_the_same()
    local fingerprint = require "fingerprint"
    local land = changed_at_the_end(noise(5, 48, 40))
    local open = land + 0
    open.wraps = false
    for _, operation in ipairs(esker.operations()) do
        local takes, asked = takes_wrap(operation)
        if takes and not at_home[operation.name] then
            local function of(height, wrap)
                return fingerprint.of(fingerprint.call(operation, height, { "wrap", wrap }))
            end
            unit.assertEquals(of(land), of(asked and land or open, not asked), operation.name)
            unit.assertEquals(of(land, true), of(open, true), operation.name)
            unit.assertEquals(of(open), of(land, false), operation.name)
            unit.assertNotEquals(of(land, true), of(open), operation.name)
            local result = fingerprint.call(operation, open, { "wrap", true })
            unit.assertTrue(esker.type(result) ~= "Field" or result.wraps, operation.name)
            result = fingerprint.call(operation, land, { "wrap", false })
            unit.assertFalse(esker.type(result) == "Field" and result.wraps, operation.name)
        end
    end
end

-- A change at the far edges reaches the near ones across edges that meet, and only then. (What amplify adds depends on
-- the slopes and octaves of the whole field, a position index on deviations over it; streams and sight cross.)
local reaching = { amplify = true, position_index = true, stream_erosion = true, sky_view = true, insolation = true }

function TestWrapping.test_nothing_comes_across_edges_that_do_not_meet()
    local fingerprint = require "fingerprint"
    local few = { iterations = 2, radius = 3, magnitude = 0.1, still = 1, size = 128 }
    local land = noise(7)
    local other = changed_at_the_end(land)
    for _, operation in ipairs(esker.operations()) do
        local gives = operation.outputs[1] and operation.outputs[1].kind
        local far = at_home[operation.name] or reaching[operation.name]
        if takes_wrap(operation) and gives == "field" and not far then
            local function corner(height, wrap)
                local arguments = {}
                for _, param in ipairs(operation.params) do
                    local value = few[param.name]
                    value = value and param.unit == "N" and value / height.width or value
                    value = value and param.max and math.min(value, param.max / 8) or value
                    arguments[param.name] = value and param.kind == "numbers" and { value } or value
                end
                arguments.wrap = wrap
                local inputs = fingerprint.inputs(operation, height)
                table.insert(inputs, arguments)
                local result = esker[operation.name](table.unpack(inputs))
                return esker.crop(result, { width = 16, height = 16, wrap = false }):hash()
            end
            unit.assertEquals(corner(land, false), corner(other, false), operation.name)
            unit.assertNotEquals(corner(land, true), corner(other, true), operation.name)
        end
    end
end

-- --- what wraps, tiles --------------------------------------------------------------------------------------

-- A field's heights, moved so that its opposite edges meet inside.
local function rolled(field, x, y)
    local copy = esker.crop(field, { x = x, y = y, width = field.width, height = field.height, wrap = true })
    copy.wraps = field.wraps
    return copy
end

-- The inputs and parameters that are fields, by their position or name.
local function places_of_fields(operation)
    local places = {}
    for i, input in ipairs(operation.inputs) do
        places[#places + 1] = input.kind:find("field") and i or nil
    end
    for _, param in ipairs(operation.params) do
        places[#places + 1] = param.kind == "field" and param.name or nil
    end
    return places
end

-- Calls `operation` with `fields` at `places` and a choice; the fields that it gives.
local function fields_given_by(operation, places, fields, with)
    local values, arguments = {}, { seed = operation.seeded and 5 or nil }
    for _, param in ipairs(operation.params) do
        arguments[param.name] = param.name == "iterations" and 2 or arguments[param.name]
    end
    for i, input in ipairs(operation.inputs) do
        values[i] = input.kind:find("number") and 0.5 or input.kind ~= "field" and not input.kind:find("|field")
            and some_values.make(input.kind:match("%w+"), fields[1]) or nil
    end
    for i, place in ipairs(places) do
        (math.type(place) and values or arguments)[place] = fields[i]
    end
    arguments.range = arguments.by and { 0.3, 0.7 }
    arguments.distance = arguments.distance_to and { 0, 0.2 }
    for name, value in pairs(with) do
        arguments[name] = value
    end
    values[#values + 1] = arguments
    local results = {}
    for i, result in ipairs{ esker[operation.name](table.unpack(values)) } do
        results[i] = esker.type(result) == "Field" and result or nil
    end
    return results
end

local function gives_a_field(operation)
    for _, output in ipairs(operation.outputs) do
        if output.kind:find("field") then
            return true
        end
    end
    return false
end

-- Calls `try` with every operation that makes fields of fields, where its fields are, and each of its choices.
local function with_all(try)
    for _, operation in ipairs(esker.operations()) do
        local first = operation.inputs[1]
        if first and first.kind:find("field") and gives_a_field(operation) and operation.category ~= "file"
            and operation.category ~= "picture" then
            local places = places_of_fields(operation)
            try(operation, places, operation.name == "resize" and { width = 48, height = 40 } or {})
            for _, param in ipairs(operation.params) do
                local wants_frame = param.name == "coordinates" or param.name == "measure"
                for _, choice in ipairs(operation.name ~= "resize" and not wants_frame and param.choices or {}) do
                    try(operation, places, { [param.name] = choice })
                end
            end
        end
    end
end

local function lands(count)
    local fields = {}
    for i = 1, count do
        fields[i] = noise(10 + i, 24, 20):clamp{ low = 0.125 } -- not 0, for divisions
    end
    return fields
end

-- Its other fields may have any size: their edges are not those of the result.
local of_any_size = { match = true, stamp = true }

function TestWrapping.test_results_wrap_only_where_all_fields_do()
    with_all(function(operation, places, with)
        local closed = fields_given_by(operation, places, lands(#places), with)
        for i in ipairs(places) do
            local fields = lands(#places)
            fields[i].wraps = false
            for k, result in pairs(fields_given_by(operation, places, fields, with)) do
                local alone = i > 1 and of_any_size[operation.name] or operation.name == "seamless"
                unit.assertEquals(result.wraps, closed[k].wraps and alone, operation.name .. " " .. places[i])
            end
        end
    end)
end

-- Not to the last bit: noise or rounds that begin at a corner, a stamp's place, an order of cells, sampled lines.
local cornered = { perturb = true, seamless = true, stamp = true, olsen_erosion = true, stream_erosion = true,
    amplify = true, flip = true, sky_view = true, insolation = true }

-- Rolled fields give the rolled result: where edges meet is a place like every other.
function TestWrapping.test_results_that_wrap_do_not_know_where_their_edges_are()
    with_all(function(operation, places, with)
        local fields, moved = lands(#places), {}
        for i, field in ipairs(fields) do
            moved[i] = rolled(field, 5, 7)
        end
        local results = fields_given_by(operation, places, fields, with)
        local again = fields_given_by(operation, places, moved, with)
        for i, result in pairs(results) do
            if result.wraps and not cornered[operation.name] then
                local scale = result.width // 24
                unit.assertTrue(again[i] == rolled(result, 5 * scale, 7 * scale), operation.name)
            end
        end
    end)
end

-- The mean difference between a column and the next, or row and row.
local function mean_step(field, x, y, along)
    local sum, count = 0, along and field.height or field.width
    for i = 0, count - 1 do
        local u, v = along and x or i, along and i or y
        local beside = field:get((u + (along and 1 or 0)) % field.width, (v + (along and 0 or 1)) % field.height)
        sum = sum + math.abs(field:get(u, v) - beside)
    end
    return sum / count
end

-- The rest has no seam: edges that meet differ no more than other neighbours.
function TestWrapping.test_results_that_wrap_have_no_seam()
    local land = noise(5, 96, 96):blur{ sigma = 1 / 96 }
    for name in pairs(cornered) do
        local arguments = name == "stamp" and { land:crop{ width = 40, height = 40 }, { x = 0, y = 1 } }
            or name == "amplify" and { { levels = 1 } } or name == "stream_erosion" and { { wrap = true } } or { {} }
        local result = esker[name](land, table.unpack(arguments))
        local width, height, inside = result.width, result.height, 0
        unit.assertTrue(result.wraps, name)
        for at = 8, width - 9 do
            inside = math.max(inside, mean_step(result, at, 0, true), mean_step(result, 0, at, false))
        end
        unit.assertTrue(mean_step(result, width - 1, 0, true) <= inside, name)
        unit.assertTrue(mean_step(result, 0, height - 1, false) <= inside, name)
    end
end

-- The definition, with the neighbours that exist.
function TestWrapping.test_slope_beside_an_edge_takes_the_neighbours_that_exist()
    local ramp = esker.field{ width = 5, height = 3, values = function(x, y) return x / 8 + y / 64 end }
    local slope = ramp:slope()
    for y = 0, 2 do
        for x = 0, 4 do
            unit.assertEquals(slope:get(x, y), 0.125)
        end
    end
    unit.assertEquals(ramp:slope{ wrap = true }:get(0, 0), 0.5)
    unit.assertEquals(esker.field{ values = { { 3 } } }:slope():get(0, 0), 0.0)
end

-- As the description says: where edges meet the terrain repeats, and counts as often as the square holds it.
function TestWrapping.test_surroundings_are_those_of_the_definition()
    for _, wrap in ipairs{ true, false } do
        local land = noise(3, 7, 5)
        local function mean_around(x, y, radius)
            local sum, count = 0, 0
            for v = y - radius, y + radius do
                for u = x - radius, x + radius do
                    if wrap or u >= 0 and u < 7 and v >= 0 and v < 5 then
                        sum, count = sum + land:get(u % 7, v % 5), count + 1
                    end
                end
            end
            return sum / count
        end
        for _, radius in ipairs{ 1, 2, 3, 4, 5, 7 } do
            local relative = land:relative_height{ radius = radius / 7, wrap = wrap }
            for y = 0, 4 do
                for x = 0, 6 do
                    unit.assertAlmostEquals(relative:get(x, y), land:get(x, y) - mean_around(x, y, radius), 2e-7)
                end
            end
        end
        land:relative_height{ radius = 1, wrap = wrap }
    end
end

-- An impulse becomes a bell of the standard deviation that was asked for, along both axes.
function TestWrapping.test_blur_has_the_deviation_that_it_is_given()
    local impulse = esker.field{ width = 91, height = 71, values = 0 }
    impulse:set(45, 35, 1)
    for _, sigma in ipairs{ 0.2, 0.5, 1, 2, 2.45, 7.7, 10 } do
        local bell = impulse:blur{ sigma = sigma / 91, wrap = true }
        local sum, across, along = 0, 0, 0
        for y = 0, 70 do
            for x = 0, 90 do
                local weight = bell:get(x, y)
                sum, across, along = sum + weight, across + weight * (x - 45) ^ 2, along + weight * (y - 35) ^ 2
            end
        end
        unit.assertAlmostEquals(sum, 1, 1e-5)
        unit.assertAlmostEquals((across / sum) ^ 0.5 / sigma, 1, 1e-4)
        unit.assertAlmostEquals((along / sum) ^ 0.5 / sigma, 1, 1e-4)
    end
end

-- Beyond an edge lies more of the same.
function TestWrapping.test_a_plain_stays_one_up_to_its_edges()
    local plain = esker.field{ width = 9, height = 6, values = 0.625 }
    for _, sigma in ipairs{ 0.3, 1, 4, 9 } do
        unit.assertTrue(plain:blur{ sigma = sigma / 9 } == plain)
    end
    local step = esker.field{ width = 8, height = 4, values = function(x) return x // 4 end }
    for _, interpolation in ipairs{ "linear", "nearest" } do
        local fine = step:resize{ width = 40, height = 12, interpolation = interpolation }
        unit.assertEquals({ fine:get(0, 3), fine:get(39, 3) }, { 0.0, 1.0 })
        unit.assertTrue(step:resize{ width = 40, height = 12, interpolation = interpolation, wrap = true } ~= fine
            or interpolation == "nearest")
    end
end

-- Two plains, at the left and at the right edge, are one where edges meet.
function TestWrapping.test_areas_and_squares_end_at_edges_that_do_not_meet()
    local valley = esker.field{ width = 20, height = 16, values = function(x, y)
        return (x > 5 and x < 14 and (x + y) % 2 or 0) + 0.0
    end }
    local open = valley:playability{ unit_size = 3, building_size = 3 }
    local closed = valley:playability{ unit_size = 3, building_size = 3, wrap = true }
    unit.assertEquals(open.units:get(0, 0), 1.0)
    unit.assertEquals(open.units:get(19, 0), 0.0)
    unit.assertEquals(closed.units:get(19, 0), 1.0)
    unit.assertEquals(open.unit, 5 / 20)
    unit.assertEquals(closed.unit, 10 / 20)
end

-- Shades of a plane are the same everywhere, unless light comes across its edges.
function TestWrapping.test_relief_shades_a_plane_evenly()
    local plane = esker.field{ size = 32, values = function(x) return x / 31 end }
    local function columns(image)
        local path = temporary ".png"
        image:save(path)
        local loaded = esker.load(path)
        os.remove(path)
        return loaded
    end
    unit.assertNotEquals(columns(plane:relief{}):hash(), columns(plane:relief{ wrap = true }):hash())
end

os.exit(unit.LuaUnit.run())
