-- Fields larger than memory: everything equals the same calls in memory, in strips of any height.

local tries = require "tries"
local unit = require "luaunit"
local esker = require "esker"
local fingerprint = require "fingerprint"
local temporary = require "temporary"

local width, height = 61, 90

local function cut(field)
    return field:crop{ x = 0, y = 0, width = width, height = height, wrap = false }
end

local ground = cut(esker.noise{ size = height, seed = 3 })
local mask = cut(esker.noise{ size = height, seed = 8 })
local stepped = ground:terrace{ steps = 12, sharpness = 0.9, slope = 0 } -- flats that reach across many strips
local bowl = esker.field{ width = width, height = height, values = function(x, y)
    return (x - 30) ^ 2 + (y - 40) ^ 2 < 500 and 0.2 or 1
end }
local white = cut(esker.noise{ size = height, kind = "white", fractal = "none" })

local function in_memory(large)
    return large:crop{ x = 0, y = 0, width = large.width, height = large.height }
end

local function wrapping(field)
    local copy = field:crop{}
    copy.wraps = true
    return copy
end

local function contents(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

-- Compares what a function makes of fields and of large fields in strips of several heights.
local strips = tries(2, { 1, 89, 7, 2, 90 })

local function compare(make, name, ...)
    local here = make(...)
    for _, rows in ipairs(strips) do
        local fields = table.pack(...)
        for i = 1, fields.n do
            fields[i] = esker.large{ field = fields[i], rows = rows }
        end
        local got = in_memory(make(table.unpack(fields)))
        unit.assertTrue(got == here and got.wraps == here.wraps, ("%s, %d rows"):format(name, rows))
    end
end

-- Gaps of any form: single cells, an edge, strips without any data, and a hole wider than what operations see.
local function with_gaps(field)
    local holes = esker.field{ width = width, height = height, values = function(x, y)
        return (x * 7 + y * 13) % 61 == 0 and 1 or y < 9 and 1 or (x - 40) ^ 2 + (y - 50) ^ 2 < 200 and 1 or 0
    end }
    return field:set_gaps(holes)
end

TestLarge = {}

function TestLarge.test_pits_are_filled_as_in_memory()
    for i, field in ipairs{ ground, stepped, bowl, white } do
        for _, sea in ipairs{ -1, 0.4 } do
            compare(function(land) return land:fill{ sea_level = sea } end, "fill " .. i, field)
        end
    end
end

-- A strip is large, and what is left of the one before must go.
function TestLarge.test_few_strips_are_in_memory()
    local made, most, calls = setmetatable({}, { __mode = "k" }), 0, 0
    local land = esker.large{ width = 64, height = 8192, rows = 64, window = function(_, y, wide, high)
        local strip = esker.field{ width = wide, height = high, values = y }
        local alive = 0
        made[strip] = true
        for _ in pairs(made) do
            alive = alive + 1
        end
        most, calls = math.max(most, alive), calls + 1
        return strip
    end }
    local stages = require "esker.large.stages"
    local usual = stages.most_kept
    stages.most_kept = 1
    land:keep()
    stages.most_kept = usual
    unit.assertTrue(calls == 128 and most <= 2, most)
end

-- Filled heights take the place of the land's own in the temporary file.
function TestLarge.test_land_stays_what_it_was_beneath_filled_heights()
    for name, use in pairs{
        depth = function(land) return land:fill{ sea_level = -1 } - land end,
        land = function(land)
            local filled = land:fill{ sea_level = -1 }
            return land, filled
        end,
        both = function(land)
            local one, other = land:fill{ sea_level = -1 }, land:fill{ sea_level = 0.4 }
            return one * 3 + other * 2 + land
        end,
        again = function(land)
            local sums = land:flow_accumulation{ sea_level = 0.4 } + land:flow_accumulation{ sea_level = -1 }
            return sums + land + land:fill{ sea_level = 0.3 }
        end } do
        for i, field in ipairs{ ground, stepped, bowl, white, with_gaps(white), with_gaps(bowl) } do
            compare(function(land) return (use(land)) end, name .. " " .. i, field)
        end
    end
    local large = esker.large{ field = white, rows = 7 }
    local filled = large:fill{ sea_level = -1 }
    for y = 0, height - 20, 13 do
        unit.assertTrue(large:crop{ x = 3, y = y, width = 50, height = 20 } == white:crop{ x = 3, y = y, width = 50,
            height = 20, wrap = false })
    end
    large = nil -- luacheck: no unused
    collectgarbage()
    unit.assertTrue(in_memory(filled) == white:fill{ sea_level = -1 })
end

-- Levels of 0 and of -0 are equal, and which of them a pit spills over depends on the order of strips.
function TestLarge.test_pits_are_opened_as_in_memory()
    local placed = (ground * 300):georeference{ x = -118, y = 60, cell = 1 / 3600, system = "EPSG:4326", unit = "m" }
    local all <const> = { {}, { depth = 0.02, sea_level = 0.2 }, { length = 0.02, sea_level = 0 },
        { slope = 0.4, sea_level = -1, depth = 5 } }
    for i, field in ipairs{ ground, bowl, white, with_gaps(ground), with_gaps(stepped), placed } do
        for j = 1, tries(2, #all) do -- each with three fields or more
            local given = all[(i + j) % #all + 1]
            compare(function(land) return land:breach(given) end, ("breach %d, %d"):format(i, j), field)
        end
    end
    compare(function(land) return land:fill{} + land:breach{} end, "known", ground)
    local open = esker.large{ field = placed, rows = 7 }:breach{ depth = 1e-3 }
    unit.assertEquals(open.frame, placed:breach{}.frame)
    unit.assertStrContains(select(2, pcall(open.breach, open, { depth = -1 })), "depth must be")
end

-- Wide rivers fade into the sea, narrow ones end at the shore: both look at cells around, but not at all.
function TestLarge.test_pictures_with_rivers_are_those_in_memory()
    local land = esker.field{ width = 70, height = 1100, values = function(x, y)
        return (550 - y) / 3 + math.abs(x - 35) / 9 - (y > 300 and y < 310 and x > 50 and 90 or 0) end,
        frame = { x = 500000, y = 4000000, cell = 30, system = "EPSG:32611", unit = "m", sea = 0 } }
    local rivers = esker.field{ width = 70, height = 1100, values = function(x, y)
        local off = math.abs(x - 35)
        return y < 560 and (off < 6 and 300 or off == 6 and 0.4 or x == 60 and 0.7) or 0
    end }
    local holes = esker.field{ width = 70, height = 1100, values = function(x, y)
        return y // 8 % 90 == 5 and x < 20 and 1 or 0
    end }
    local one, other = temporary("one.png"), temporary("other.png")
    for name, field in pairs{ plain = land, gaps = land:set_gaps(holes) } do
        field:relief{ rivers = rivers }:save(one)
        for _, rows in ipairs{ 97, 400 } do
            local large = esker.large{ field = field, rows = rows }
            large:relief{ rivers = esker.large{ field = rivers, rows = rows } }:save(other)
            unit.assertTrue(contents(one) == contents(other), ("%s, %d rows"):format(name, rows))
        end
    end
end

function TestLarge.test_pictures_as_geotiff()
    local one, other = temporary("one.tif"), temporary("other.tif")
    local placed = (ground * 900 - 200):georeference{ x = 500000, y = 4000000, cell = 30, system = "EPSG:32611" }
    local clear = { { -1, "#ff000000" }, { 1, "#00ff00" } }
    for name, draw in pairs{ opaque = function(land) return land:relief{} end,
        transparent = function(land) return land:colorize{ palette = clear } end } do
        for _, field in ipairs{ placed, ground } do
            draw(field):save(one)
            draw(esker.large{ field = field, rows = 17 }):save(other)
            unit.assertTrue(contents(one) == contents(other), name)
        end
    end
end

-- Pictures know the range of the whole, whatever a strip has of it.
function TestLarge.test_pictures_are_those_in_memory()
    local place = { x = 500000, y = 4000000, cell = 30, system = "EPSG:32611", unit = "m" }
    local placed = (ground * 900 - 200):georeference(place)
    local one, other = temporary("one.png"), temporary("other.png")
    for i, field in ipairs{ ground, placed, with_gaps(placed), wrapping(ground) } do
        for name, draw in pairs{
            relief = function(land) return land:relief{} end,
            lit = function(land) return land:relief{ sea_level = 0.3, palette = "alpine", light = { 100, 30 } } end,
            shade = function(land) return land:texture{ seed = 4, shade = land:hillshade{} } end,
            colours = function(land) return land:gradient_angle():colorize{} end } do
            draw(field):save(one)
            for _, rows in ipairs(strips) do
                draw(esker.large{ field = field, rows = rows }):save(other)
                unit.assertTrue(contents(one) == contents(other), ("%s %d, %d rows"):format(name, i, rows))
            end
        end
    end
    local large = esker.large{ field = placed, rows = 7 }
    local picture = large:relief{}
    unit.assertEquals({ tostring(picture), picture.width, picture.height }, { "LargeImage 61 × 90", 61, 90 })
    unit.assertEquals(picture:overview{ size = 30 }:hash(), large:overview{ size = 30 }:relief{}:hash())
    unit.assertErrorMsgContains("must end in .png or .tif", picture.save, picture, "x.jpg")
    unit.assertErrorMsgContains("has no 'crop'", function() return picture.crop end)
    unit.assertErrorMsgContains("relief: with projection it sees all of a field", function()
        return large:relief{ projection = "equirectangular", contrast = 0.5 }
    end)
    unit.assertErrorMsgContains("it sees all of a field", function() return large:colorize{ legend = true } end)
    unit.assertErrorMsgContains("halved: halve must be a function of a field, got string", large.halved, large, "x")
    os.remove(one)
    os.remove(other)
end

function TestLarge.test_filled_zeros_have_the_sign_that_they_have_in_memory()
    local signed = { -0.0, 0.0, 0.2, -0.1, -0.0, 0.0, 0.3 }
    local zeros = esker.field{ width = width, height = height, values = function(x, y)
        return signed[1 + math.floor(white:get(x, y) * 6.99)]
    end }
    compare(function(land) return land:fill{ sea_level = -1 } end, "fill", zeros)
end

function TestLarge.test_water_flows_as_in_memory()
    for i, field in ipairs{ ground, stepped, bowl, white } do
        for _, sea in ipairs(tries(1, i % 2 == 0 and { -1, 0.4 } or { 0.4, -1 })) do
            compare(function(land) return land:flow_accumulation{ sea_level = sea } end, "flow " .. i, field)
        end
    end
end

-- Directions, basins and heights above rivers; frames, too.
local function compare_ways(field)
    for _, sea in ipairs(tries(1, { 0.4, -1 })) do
        for _, each in ipairs{ { "flow_direction" }, { "flow_direction", unit = "angle" }, { "basins" },
            { "height_above_river", threshold = 0.02 }, { "height_above_river", cells = 30 },
            { "height_above_river", cells = 1e6 }, { "distance_to_river", cells = 30 },
            { "distance_to_river", cells = 1e6 } } do
            local arguments = { sea_level = sea, unit = each.unit, threshold = each.threshold, cells = each.cells }
            compare(function(land) return (land[each[1]](land, arguments)) end, each[1], field)
            if field.frame then
                local large = esker.large{ field = field, rows = 13 }
                unit.assertEquals(large[each[1]](large, arguments):crop{ width = 9, height = 9 }.frame,
                    field[each[1]](field, arguments):crop{ x = 0, y = 0, width = 9, height = 9 }.frame, each[1])
            end
        end
    end
end

function TestLarge.test_water_ends_where_it_does_in_memory()
    local fields = { ground:georeference{ cell = 30, unit = "m" }, with_gaps(stepped), stepped, white }
    local all <const> = strips
    for i, field in ipairs(tries(2, fields)) do
        strips = i == 1 and tries(1, { 7, table.unpack(all) }) or all
        compare_ways(field)
    end
    strips = all
end

function TestLarge.test_ways_over_cells_that_are_no_squares_are_those_in_memory()
    for name, place in pairs{ oblong = { cell_width = 30, cell_height = 20, unit = "m" },
        degrees = { x = -118, y = 60, cell = 0.3, system = "EPSG:4326", unit = "m" } } do
        for _, cells in ipairs{ 30, 1e6 } do
            compare(function(land) return land:distance_to_river{ cells = cells } end, name,
                (ground * 900):georeference(place))
        end
    end
end

-- Flats with too many rows for memory are drained over cells on disk.
local function with_tall_flats(most_cells, test)
    local water = require "esker.large.water"
    local usual = water.most_cells
    for _, cells in ipairs{ usual, most_cells } do
        water.most_cells = cells
        test()
    end
    water.most_cells = usual
end

-- Directions of tall flats are kept in pages of 256 × 256.
function TestLarge.test_flats_reach_across_strips_and_pages()
    local land = esker.noise{ width = 300, height = 600, seed = 3 }:terrace{ steps = 12, sharpness = 0.9, slope = 0 }
    local here = land:flow_accumulation{ sea_level = -1 }
    with_tall_flats(300 * 20, function()
        for _, rows in ipairs{ 40, 256 } do
            local large = esker.large{ field = land, rows = rows }
            unit.assertTrue(in_memory(large:flow_accumulation{ sea_level = -1 }) == here)
        end
    end)
end

-- A level ditch so long that costs of ways along it are counted anew, and a wide lake with a bank that cells of the
-- next page see.
function TestLarge.test_long_ways_over_level_ground_are_those_in_memory()
    local ditch = esker.field{ width = 5, height = 3200, values = function(x) return x == 2 and 0.2 or 1 end }
    local lake = esker.field{ width = 500, height = 400, values = function(x, y)
        return x > 186 and (x - 250) ^ 2 + (y - 200) ^ 2 < 190 ^ 2 and 0.2 or y == 200 and x > 250 and 0.3 or 1
    end }
    for _, land in ipairs{ ditch, lake } do
        local here = land:flow_accumulation{ sea_level = -1 }
        with_tall_flats(5, function()
            local got = esker.large{ field = land, rows = 90 }:flow_accumulation{ sea_level = -1 }
            unit.assertTrue(in_memory(got) == here)
        end)
    end
end

-- Each operation that declares how far it sees, with its defaults, and with arguments that matter for that.
local further = {
    blur = { { sigma = 0.03, exact = true }, { sigma = 0.02 } }, median = { { radius = 3 } },
    sharpen = { { sigma = 0.04, exact = true }, { sigma = 0.02 } }, bilateral = { { sigma = 3 } },
    morphology = { { radius = 0.04 }, { radius = 0.04, kind = "open", element = "square" } },
    thermal_erosion = { { iterations = 3 }, { iterations = 3, method = "reference" } },
    hydraulic_erosion = { { iterations = 3 }, { iterations = 3, method = "reference" } },
    hillshade = { { light = { { 315, 45, 2 }, { 45, 60, 1 } } } }, select = { { slope = { 10, 40 } } },
    curve = { { points = { { 0, 0 }, { 0.5, 0.2 }, { 1, 1 } } } }, terrace = { { jitter = 0.5, seed = 4 } },
}

local function is_field(spec)
    return ("|" .. spec.kind .. "|"):find("|field|", 1, true) ~= nil
end

local function inputs_have_gaps(call)
    for _, each in ipairs(call) do
        if esker.type(each) == "Field" and each.gaps > 0 then
            return true
        end
    end
    return false
end

-- Erosion, for one, takes no fields with gaps.
local function is_possible(name, call)
    return (inputs_have_gaps(call) and pcall(esker[name], table.unpack(call))) or not inputs_have_gaps(call)
end

-- Compares all operations of one field or two that declare how far they see; returns their names. `wrap`: the argument.
local function compare_operations(one, other, wrap)
    local planes = require "esker.planes"
    local tried = {}
    for _, operation in ipairs(esker.operations()) do
        local inputs = {}
        for i, spec in ipairs(operation.inputs) do
            inputs[i] = is_field(spec) and (i == 1 and one or other) or nil
        end
        for _, given in ipairs{ {}, table.unpack(further[operation.name] or {}) } do
            local arguments = {}
            for name, value in pairs(given) do
                arguments[name] = value
            end
            if wrap ~= nil and fingerprint.takes(operation, "wrap") then
                arguments.wrap = wrap
            end
            local complete = #inputs == #operation.inputs and #inputs > 0
            local call = table.pack(table.unpack(inputs))
            call[#call + 1] = next(arguments) and arguments or nil
            local well, reach = pcall(planes.locality, operation.name, table.unpack(call))
            local result = operation.outputs[1] -- pictures have a test of their own
            local gives_cells = result and result.kind ~= "image"
            if complete and gives_cells and well and reach and is_possible(operation.name, call) then
                tried[operation.name] = true
                compare(function(...)
                    local fields = { ... }
                    fields[#fields + 1] = next(arguments) and arguments or nil
                    return fields[1][operation.name](table.unpack(fields))
                end, operation.name, table.unpack(inputs))
            end
        end
    end
    return tried
end

function TestLarge.test_operations_give_the_bits_that_they_give_in_memory()
    local tried = compare_operations(ground, mask)
    for _, name in ipairs{ "add", "power", "clamp", "blend", "lerp", "blur", "morphology", "thermal_erosion",
        "hydraulic_erosion", "hillshade", "select", "curvature", "slope" } do
        unit.assertTrue(tried[name], name)
    end
end

function TestLarge.test_cells_without_data_are_as_in_memory()
    local all <const> = strips
    strips = { 7, 40 }
    local tried = compare_operations(with_gaps(ground), mask)
    for _, name in ipairs{ "add", "median", "blur", "slope", "hillshade", "find_gaps", "set_gaps" } do
        unit.assertTrue(tried[name], name)
    end
    compare_operations(ground, with_gaps(mask))
    strips = all
    for _, sea in ipairs(tries(1, { -1, 0.4 })) do
        compare(function(land) return land:fill{ sea_level = sea } end, "fill", with_gaps(stepped))
        compare(function(land) return land:flow_accumulation{ sea_level = sea } end, "flow", with_gaps(stepped))
        compare(function(land) return land:fill{}:median{}:flow_accumulation{ sea_level = sea } end, "row",
            with_gaps(ground))
    end
    for _, rows in ipairs(strips) do
        local large = esker.large{ field = with_gaps(ground), rows = rows }
        unit.assertEquals(large:statistics(), with_gaps(ground):statistics())
        unit.assertTrue(in_memory(large:keep()) == with_gaps(ground))
    end
    local overview = esker.large{ field = with_gaps(ground), rows = 7 }:overview{ size = 30 }
    unit.assertNil(overview:get(0, 1))
    unit.assertAlmostEquals(overview:get(1, 3), with_gaps(ground):crop{ x = 3, y = 9, width = 3, height = 3,
        wrap = false }:statistics().mean, 1e-6)
end

-- Gaps on both sides of the edges, from which the nearest height is over there.
function TestLarge.test_gaps_are_filled_over_edges_that_meet()
    local all <const> = strips
    local holes = esker.field{ width = width, height = height, values = function(x, y)
        return (y < 4 or y > height - 3 or x < 2 or (x - 50) ^ 2 + (y - 50) ^ 2 < 300) and (x + y) % 9 > 0 and 1 or 0
    end }
    strips = tries(1, { 3, 1, 13, 90 })
    compare_operations(wrapping(ground:set_gaps(holes)), mask)
    strips = tries(1, { 13, 90 })
    compare_operations(wrapping(ground), wrapping(mask:set_gaps(holes)), true)
    compare_operations(ground:set_gaps(holes), mask, true)
    compare_operations(wrapping(ground:set_gaps(holes)), mask, false)
    strips = all
end

function TestLarge.test_operations_see_over_edges_that_meet()
    local all <const> = strips
    strips = { 40 }
    compare_operations(wrapping(ground), wrapping(mask))
    compare_operations(wrapping(ground), mask)
    compare_operations(ground, mask, true)
    compare_operations(wrapping(ground), wrapping(mask), false)
    strips = all
    local large = esker.large{ field = ground, rows = 7, wrap = true }
    unit.assertTrue(large.wraps and large:keep().wraps and large:median{}.wraps)
    unit.assertTrue(in_memory(large:median{}) == wrapping(ground):median{})
    unit.assertFalse(large:fill{}.wraps or esker.large{ field = wrapping(ground), wrap = false }.wraps)
    unit.assertFalse(large:crop{ x = 0, y = 0, width = width, height = 5 }.wraps)
    unit.assertTrue(large:overview{ size = height }.wraps)
    unit.assertFalse(large:overview{ size = 30 }.wraps) -- 61 columns are no multiple of 3
end

function TestLarge.test_operations_in_a_row_and_masks_are_those_in_memory()
    compare(function(land, where)
        local eroded = (land * 2 - 0.5):thermal_erosion{ iterations = 3, mask = where }
        return -(eroded:gradient_angle():blur{ sigma = 0.01, exact = true } / 90) + where ^ 2
    end, "row", ground, mask)
end

function TestLarge.test_slopes_are_those_of_the_frame()
    local placed = ground:georeference{ cell = 30, unit = "m" }
    compare(function(land) return land:gradient_angle() end, "metres", placed)
    local large = esker.large{ field = placed, rows = 7 }
    local part = { x = 0, y = 40, width = 10, height = 10 }
    unit.assertEquals((large * 2):crop(part).frame, (placed * 2):crop(part).frame)
    unit.assertNil(large:slope():crop(part).frame.unit)
    for i, make in ipairs{ function(a) return a + a end, function(a) return a ^ 2 - a end,
        function(a) return a - a ^ 2 end, function(a) return a / a + a end, function(a) return a * 2 end,
        function(a) return (a * 2):max(a) end, function(a) return a:lerp(a ^ 2, a) end } do
        unit.assertEquals(make(large).frame, make(placed).frame, i)
    end
    unit.assertEquals(large:fill{}:crop(part).frame.unit, "m")
end

-- A planet's cells are narrower towards the poles, and its rows have one middle.
function TestLarge.test_cells_of_a_planet_have_their_own_length_in_every_strip()
    local all <const> = strips
    local map = esker.river_map{ tiling = "sphere", seed = 7, radius = 3e6 }
    local planet = map:render{ width = 44, height = 22 } + 2e5
    local other = mask:crop{ x = 0, y = 0, width = 44, height = 22, wrap = false }
    strips = { 1, 5 }
    local tried = compare_operations(planet, other)
    for _, name in ipairs{ "gradient_angle", "curvature", "thermal_erosion", "hillshade", "select", "laplacian" } do
        unit.assertTrue(tried[name], name)
    end
    strips = tries(1, { 5, 1 })
    compare_operations(wrapping(planet), other, true)
    strips = all
    local large = esker.large{ field = planet, rows = 5 }
    unit.assertEquals(large:gradient_angle():crop{ x = 3, y = 7, width = 30, height = 9 }.frame,
        planet:gradient_angle():crop{ x = 3, y = 7, width = 30, height = 9 }.frame)
    unit.assertEquals(large:crop{ x = 3, y = 7, width = 30, height = 9 }.frame,
        planet:crop{ x = 3, y = 7, width = 30, height = 9 }.frame)
end

-- Every source has a frame, and every strip its part of it, with the unit of its heights.
function TestLarge.test_every_source_lies_where_it_is_said()
    local frame = { x = 500000, y = 4100000, cell = 30, system = "EPSG:32613", unit = "m" }
    local placed = (ground * 1000):crop{}
    placed.frame = frame
    local function rows_of(x, y, w, h)
        return (ground * 1000):crop{ x = x, y = y, width = w, height = h, wrap = false }
    end
    local npy, raw = temporary("placed.npy"), temporary("placed.r32")
    placed:save(npy)
    placed:save(raw, { order = "big", flip = true })
    local part = { x = 5, y = 40, width = 10, height = 10 }
    for name, source in pairs{
        npy = { file = npy, rows = 7 }, r32 = { file = raw, rows = 7 }, field = { field = placed },
        window = { width = width, height = height, window = rows_of, rows = 7, frame = frame },
        given = { field = ground * 1000, frame = frame, rows = 7 } } do
        local large = esker.large(source)
        unit.assertEquals(large.frame, placed.frame, name)
        unit.assertTrue(in_memory(large) == placed, name)
        unit.assertEquals(large:keep():crop(part).frame, placed:crop(part).frame, name)
        unit.assertTrue(in_memory(large:gradient_angle{}) == placed:gradient_angle{}, name)
        unit.assertTrue(in_memory(large:thermal_erosion{ iterations = 3 }) == placed:thermal_erosion{ iterations = 3 })
        local overview = large:overview{ size = 30 }
        unit.assertEquals({ overview.frame.x, overview.frame.y, overview.frame.cell_width, overview.frame.cell_height },
            { 500000, 4100000, 90, 90 })
        local sum = esker.large{ field = ground, rows = 7 } + large
        unit.assertEquals(sum:crop(part).frame, (ground + placed):crop(part).frame)
        unit.assertTrue(in_memory(sum:gradient_angle{}) == (ground + placed):gradient_angle{}, name)
    end
    os.remove(npy)
    os.remove(npy .. ".json")
    os.remove(raw)
    os.remove(raw .. ".json")
end

function TestLarge.test_statistics_are_those_in_memory()
    for _, rows in ipairs{ 1, 7, 90 } do
        unit.assertEquals(esker.large{ field = ground, rows = rows }:statistics(), ground:statistics())
    end
end

function TestLarge.test_a_function_of_windows_is_asked_for_each_cell_once_if_it_is_kept()
    local cells = 0
    local large = esker.large{ width = 2100, height = 40, rows = 16, window = function(x, y, w, h)
        cells = cells + w * h
        return esker.field{ width = w, height = h, values = x + y / 100 }
    end }
    large:keep()
    large:statistics()
    unit.assertEquals(cells, 2100 * 40)
    local part = large:crop{ x = 2047, y = 15, width = 2, height = 2 }
    unit.assertEquals({ part:get(0, 0), part:get(1, 0) }, { 0, 2048 })
    unit.assertAlmostEquals(part:get(0, 1), 0.16, 1e-6)
end

function TestLarge.test_an_overview_has_means()
    local large = esker.large{ field = ground, rows = 7 }
    local overview = large:overview{ size = 30 }
    unit.assertEquals({ overview.width, overview.height }, { 20, 30 })
    local mean = ground:crop{ x = 3, y = 6, width = 3, height = 3, wrap = false }:statistics().mean
    unit.assertAlmostEquals(overview:get(1, 2), mean, 1e-6)
end

function TestLarge.test_files_are_written_and_read_strip_by_strip()
    local placed = ground:georeference{ x = 7, cell = 30, system = "EPSG:32613", unit = "m" }
    for _, ending in ipairs{ ".npy", ".r32" } do
        local path, other = temporary("whole" .. ending), temporary("strips" .. ending)
        placed:save(path)
        esker.large{ field = placed, rows = 7 }:save(other)
        unit.assertTrue(contents(other) == contents(path))
        local function beside(name)
            return (contents(name .. ".json"):gsub('^{"file": "[^"]*"', ""))
        end
        unit.assertEquals(beside(other), beside(path))
        local loaded = esker.load(other)
        unit.assertEquals(loaded.frame, placed.frame)
        os.remove(path .. ".json")
        local sides = ending == ".r32" and { width, height } or {}
        local large = esker.large{ file = path, rows = 7, width = sides[1], height = sides[2] }
        unit.assertTrue(in_memory(large) == ground and not large.frame)
        os.remove(path)
        os.remove(other)
        os.remove(other .. ".json")
    end
end

-- Blocks of 512 cells, of which strips have parts.
function TestLarge.test_geotiff_is_written_and_read_strip_by_strip()
    local frame = { x = 500000, y = 4100000, cell = 30, system = "EPSG:32613", unit = "m" }
    local land = esker.noise{ width = 540, height = 530, seed = 2 }:georeference(frame)
    local plain, other, path = temporary("plain.tif"), temporary("other.tif"), temporary("large.tif")
    if not pcall(land.save, land, plain) then
        return -- there is no GDAL
    end
    local holes = esker.field{ width = 540, height = 530, values = function(x, y) return x + y < 300 and 1 or 0 end }
    for _, each in ipairs{ land, land:set_gaps(holes), (land * 30000 - 20000):set_gaps(holes) } do
        each:save(plain)
        for _, rows in ipairs(tries(1, { 190, 530 })) do
            esker.large{ field = each, rows = rows }:save(path) -- the same tags, tiles and overviews
            unit.assertTrue(contents(plain) == contents(path))
            local loaded = esker.load(path)
            unit.assertTrue(loaded == each and loaded.gaps == each.gaps)
            unit.assertEquals(loaded.frame, each.frame)
            for _, source in ipairs(tries(1, { path, plain })) do -- of the same bytes
                local large = esker.large{ file = source, rows = rows }
                unit.assertTrue(in_memory(large) == each)
                unit.assertEquals(large.frame, each.frame)
            end
        end
    end
    land:save(path)
    esker.large{ file = path }:median{}:save(other)
    unit.assertTrue(esker.load(other) == land:median{ wrap = false })
    local function stop() -- a file that is given up leaves room for the next one
        error("no window")
    end
    unit.assertFalse(pcall(function() esker.large{ size = 5, window = stop }:save(path) end))
    esker.large{ field = land }:save(path)
    for _, each in ipairs{ plain, other, path } do
        os.remove(each)
    end
end

function TestLarge.test_what_is_not_possible_is_said()
    local large = esker.large{ field = ground }
    local small = esker.large{ field = ground:crop{ x = 0, y = 0, width = 5, height = 5 } }
    for message, make in pairs{
        ["blur: with sigma it sees all"] = function() return large:blur{ sigma = 0.2 } end,
        ["stream_erosion: it sees all of a field"] = function() return large:stream_erosion{} end,
        ["has no 'overwiev', did you mean 'overview'"] = function() return large:overwiev{} end,
        ["takes sea_level, got 'slope'"] = function() return large:fill{ slope = 1 } end,
        ["add: large fields must have one size, 61 × 90, got 5 × 5"] = function() return large + small end,
        ["wrap must be true or false, got 1"] = function() return esker.large{ field = ground, wrap = 1 } end,
        ["large: georeference: cell must be"] = function()
            return esker.large{ field = ground, frame = { cell = -1 } }
        end,
        ["unknown argument 'fild', did you mean 'field'"] = function() return esker.large{ fild = ground } end,
        ["give window, file, mosaic or field"] = function() return esker.large{ rows = 5 } end,
        ["window must give a field of 5 × 5"] = function()
            return esker.large{ size = 5, window = function() return 1 end }:statistics()
        end,
        ["width must be a whole number, 1 to 65536"] = function()
            return esker.large{ size = 65537, window = print }
        end,
        ["must end in .tif, .tiff, .npy or .r32"] = function() return large:save("large.png") end,
        ["unknown argument 'radios'"] = function() return large:median{ radios = 2 } end,
    } do
        local well, problem = pcall(make)
        unit.assertFalse(well, message)
        unit.assertStrContains(problem, message)
        unit.assertTrue(problem:find("^tests/lua/test_large%.lua:%d+: ") ~= nil, problem)
    end
end

os.exit(unit.LuaUnit.run())
