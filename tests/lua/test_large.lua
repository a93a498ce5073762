-- Fields larger than memory: everything equals the same calls in memory, in strips of any height.

local unit = require "luaunit"
local esker = require "esker"
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

-- Compares what a function makes of fields and of large fields in strips of several heights.
local function compare(make, name, ...)
    local here = make(...)
    for _, rows in ipairs{ 1, 2, 7, 89, 90 } do
        local fields = table.pack(...)
        for i = 1, fields.n do
            fields[i] = esker.large{ field = fields[i], rows = rows }
        end
        unit.assertTrue(in_memory(make(table.unpack(fields))) == here, ("%s, %d rows"):format(name, rows))
    end
end

TestLarge = {}

function TestLarge.test_pits_are_filled_as_in_memory()
    for i, field in ipairs{ ground, stepped, bowl, white } do
        for _, sea in ipairs{ -1, 0.4 } do
            compare(function(land) return land:fill{ sea_level = sea } end, "fill " .. i, field)
        end
    end
end

function TestLarge.test_water_flows_as_in_memory()
    for i, field in ipairs{ ground, stepped, bowl, white } do
        for _, sea in ipairs{ -1, 0.4 } do
            compare(function(land) return land:flow_accumulation{ sea_level = sea } end, "flow " .. i, field)
        end
    end
end

-- Directions of flats are kept in pages of 256 × 256.
function TestLarge.test_flats_reach_across_strips_and_pages()
    local land = esker.noise{ width = 300, height = 600, seed = 3 }:terrace{ steps = 12, sharpness = 0.9, slope = 0 }
    local here = land:flow_accumulation{ sea_level = -1 }
    for _, rows in ipairs{ 40, 256 } do
        unit.assertTrue(in_memory(esker.large{ field = land, rows = rows }:flow_accumulation{ sea_level = -1 }) == here)
    end
end

-- Each operation that declares how far it sees, with its defaults, and with arguments that matter for that.
local further = {
    blur = { { sigma = 0.03, exact = true } }, median = { { radius = 3 } }, sharpen = { { sigma = 0.04 } },
    bilateral = { { sigma = 3 } }, morphology = { { radius = 0.04 },
        { radius = 0.04, kind = "open", element = "square" } },
    thermal_erosion = { { iterations = 3 }, { iterations = 3, method = "reference" } },
    hydraulic_erosion = { { iterations = 3 }, { iterations = 3, method = "reference" } },
    hillshade = { { light = { { 315, 45, 2 }, { 45, 60, 1 } } } }, select = { { slope = { 10, 40 } } },
    curve = { { points = { { 0, 0 }, { 0.5, 0.2 }, { 1, 1 } } } }, terrace = { { jitter = 0.5, seed = 4 } },
}

local function is_field(spec)
    return ("|" .. spec.kind .. "|"):find("|field|", 1, true) ~= nil
end

function TestLarge.test_operations_give_the_bits_that_they_give_in_memory()
    local planes = require "esker.planes"
    local tried = {}
    for _, operation in ipairs(esker.operations()) do
        local inputs = {}
        for i, spec in ipairs(operation.inputs) do
            inputs[i] = is_field(spec) and (i == 1 and ground or mask) or nil
        end
        for _, arguments in ipairs{ {}, table.unpack(further[operation.name] or {}) } do
            local complete = #inputs == #operation.inputs and #inputs > 0
            local call = table.pack(table.unpack(inputs))
            call[#call + 1] = next(arguments) and arguments or nil
            local well, reach = pcall(planes.reach, operation.name, table.unpack(call))
            if complete and well and reach then
                tried[operation.name] = true
                compare(function(...)
                    local fields = { ... }
                    fields[#fields + 1] = next(arguments) and arguments or nil
                    return fields[1][operation.name](table.unpack(fields))
                end, operation.name, table.unpack(inputs))
            end
        end
    end
    for _, name in ipairs{ "add", "power", "clamp", "blend", "lerp", "blur", "morphology", "thermal_erosion",
        "hydraulic_erosion", "hillshade", "select", "curvature", "slope" } do
        unit.assertTrue(tried[name], name)
    end
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
    unit.assertEquals(large:fill{}:crop(part).frame.unit, "m")
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
    local function contents(path)
        local file <close> = assert(io.open(path, "rb"))
        return file:read("a")
    end
    for _, ending in ipairs{ ".npy", ".r32" } do
        local path, other = temporary("whole" .. ending), temporary("strips" .. ending)
        ground:save(path)
        esker.large{ field = ground, rows = 7 }:save(other)
        unit.assertTrue(contents(other) == contents(path))
        local sides = ending == ".r32" and { width, height } or {}
        local large = esker.large{ file = path, rows = 7, width = sides[1], height = sides[2] }
        unit.assertTrue(in_memory(large) == ground)
        os.remove(path)
        os.remove(other)
    end
end

function TestLarge.test_what_is_not_possible_is_said()
    local large = esker.large{ field = ground }
    local small = esker.large{ field = ground:crop{ x = 0, y = 0, width = 5, height = 5 } }
    local holes = esker.large{ field = ground:set_gaps(mask:remap{ from = { 0.5, 0.51 } }) }
    for message, make in pairs{
        ["blur: with these arguments it sees all"] = function() return large:blur{} end,
        ["stream_erosion: with these arguments"] = function() return large:stream_erosion{} end,
        ["has no 'overwiev', did you mean 'overview'"] = function() return large:overwiev{} end,
        ["takes sea_level, got 'slope'"] = function() return large:fill{ slope = 1 } end,
        ["add: large fields must have one size, 61 × 90, got 5 × 5"] = function() return large + small end,
        ["cells without data are not possible"] = function() return holes:statistics() end,
        ["unknown argument 'fild', did you mean 'field'"] = function() return esker.large{ fild = ground } end,
        ["give window, file or field"] = function() return esker.large{ rows = 5 } end,
        ["window must give a field of 5 × 5"] = function()
            return esker.large{ size = 5, window = function() return 1 end }:statistics()
        end,
        ["width must be a whole number, 1 to 65536"] = function()
            return esker.large{ size = 65537, window = print }
        end,
        ["must end in .npy or .r32"] = function() return large:save("large.png") end,
        ["unknown argument 'radios'"] = function() return large:median{ radios = 2 } end,
    } do
        local well, problem = pcall(make)
        unit.assertFalse(well, message)
        unit.assertStrContains(problem, message)
    end
end

os.exit(unit.LuaUnit.run())
