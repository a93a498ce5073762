-- File formats: what each declares to hold, keep and take, it does.

local lu = require "luaunit"
local esker = require "esker"
local file_formats = require "esker.file.formats"
local some_values = require "some_values"
local temporary = require "temporary"
local value_types = require "esker.value_types"

local land = esker.spectral{ size = 64, seed = 3 }

-- Calls `check` with each format and each of its endings. Those of a library that is not installed are left out.
local function each_ending(wanted, check)
    for _, format in ipairs(esker.formats()) do
        for _, ending in ipairs(wanted(format) and format.endings or {}) do
            local path = temporary("." .. ending)
            local well, problem = xpcall(check, function(raised)
                return type(raised) == "string" and debug.traceback(raised) or raised
            end, format, path)
            local lacks = tostring(problem):find("is not installed", 1, true) or tostring(problem):find("built without")
            if not well and not (format.library and lacks) then
                error(problem, 0)
            end
        end
    end
end

local function of_heights(format)
    return format.reads and file_formats.writes(format, "field")
end

-- Width, height and range of files without a .json.
local function options(format, field, low, high)
    return { width = format.raw and field.width or nil, height = format.raw and field.height or nil,
        low = format.raw and format.bits and low or nil, high = format.raw and format.bits and high or nil }
end

local function field_of(values, width)
    local rows = {}
    for i, value in ipairs(values) do
        local row = (i - 1) // width + 1
        rows[row] = rows[row] or {}
        rows[row][#rows[row] + 1] = value
    end
    return esker.field{ values = rows }
end

TestFormats = {}

function TestFormats.test_declarations_are_whole_and_no_two_are_alike()
    local read, written = {}, {}
    for _, format in ipairs(esker.formats()) do
        lu.assertTrue(format.reads or format.writes, format.name)
        for _, key in ipairs{ "name", "media_type", "numbers", "doc" } do
            lu.assertNotEquals(format[key] or "", "", format.name .. ": " .. key)
        end
        lu.assertStrMatches(format.media_type, "%l+/[%w.+-]+")
        for _, ending in ipairs(format.endings) do
            lu.assertStrMatches(ending, "[%l%d]+")
            for _, kind in ipairs(format.writes and format.holds or {}) do
                lu.assertNil(written[kind .. " " .. ending])
                written[kind .. " " .. ending] = format
            end
            lu.assertNil(format.reads and read[ending])
            read[ending] = format.reads and format or read[ending]
        end
    end
    for _, declared in ipairs(esker.values()) do -- the usual one is among them
        for _, ending in ipairs(declared.formats) do
            lu.assertNotNil(written[declared.kind .. " " .. ending], declared.name)
        end
    end
end

function TestFormats.test_each_type_is_written_in_each_format_that_holds_it()
    for _, declared in ipairs(esker.values()) do
        each_ending(function(format) return file_formats.writes(format, declared.kind) end, function(_, path)
            some_values.make(declared.kind, land):save(path)
            local file <close> = assert(io.open(path, "rb"))
            lu.assertTrue(#file:read("a") > 10)
        end)
    end
end

-- From the smallest to the largest numbers, as many as the format can tell apart.
function TestFormats.test_heights_come_back()
    local fields = { land:crop{ width = 7, height = 5 }, field_of({ 0, 65535, 1, 2, 40000, 65534 }, 3),
        field_of({ -3.4e38, 3.4e38, 0, 1e30, -1e30, 1.5 }, 2), field_of({ 0, 1e-40, 2e-40, 3e-40, 1e-45, 5e-41 }, 3),
        field_of({ 7, 7, 7, 7 }, 2), field_of({ -500.25, -500.125, -500, -499.9375 }, 1) }
    each_ending(of_heights, function(format, path)
        for i, field in ipairs(fields) do
            local range = field:statistics()
            field:save(path)
            local again = esker.load(path)
            lu.assertEquals({ again.width, again.height }, { field.width, field.height })
            local step = format.bits and (range.max - range.min) / (2 ^ format.bits - 1) or 0
            local rounding = format.bits and math.max(math.abs(range.min), math.abs(range.max)) * 2 ^ -23 + 2e-45 or 0
            for y = 0, field.height - 1 do
                for x = 0, field.width - 1 do
                    local height = again:get(x, y) or lu.fail(("%s, field %d: a gap"):format(path, i))
                    local off = math.abs(height - field:get(x, y))
                    lu.assertTrue(off <= 0.5001 * step + rounding, ("%s, field %d: %g is %g"):format(path, i,
                        field:get(x, y), height))
                end
            end
        end
    end)
end

function TestFormats.test_gaps_come_back_where_they_are_kept()
    local mask = esker.field{ size = 6, values = function(x, y) return (x * y) % 5 == 2 and 1 or 0 end }
    local field = land:crop{ width = 6, height = 6 }:set_gaps(mask)
    lu.assertTrue(field.gaps > 2)
    each_ending(of_heights, function(format, path)
        field:save(path)
        local again = esker.load(path)
        lu.assertEquals(again.gaps, format.keeps.gaps and field.gaps or 0, path)
        lu.assertEquals(format.gaps ~= nil, format.keeps.gaps or format.endings[1] == "png", path)
        lu.assertTrue(again.gaps == 0 or again:find_gaps() == field:find_gaps())
    end)
end

-- With what lies beside it all of the frame; alone what is declared.
function TestFormats.test_frames_come_back_as_they_are_kept()
    local upright = { x = 1000, y = 2000, cell = 30, system = "EPSG:26916", unit = "m" }
    local turned = { x = 1000, y = 2000, cell_width = 3, cell_height = 4, turn_x = 1, turn_y = -1 }
    each_ending(of_heights, function(format, path)
        local keeps, field = format.keeps, land:crop{ width = 7, height = 5 }
        for _, frame in ipairs{ upright, turned } do
            field.frame = frame
            local placed = keeps.place and (keeps.turn or frame == upright)
            field:save(path)
            if keeps.beside or keeps.turn then
                lu.assertEquals(esker.load(path).frame, field.frame, path)
            end
            os.remove(path .. ".json")
            local well, alone = pcall(function() return esker.load(path, options(format, field, 0, 1)).frame end)
            lu.assertTrue(well, alone)
            if placed then
                local own = field.frame
                lu.assertEquals({ alone.x, alone.y, alone.cell_width }, { own.x, own.y, own.cell_width }, path)
                lu.assertEquals(alone.system, (keeps.system or keeps.project) and frame.system or nil, path)
                lu.assertEquals(alone.unit, keeps.unit and frame.unit or nil, path)
            else
                lu.assertTrue(not alone or alone.x ~= frame.x, path)
            end
            os.remove((path:gsub("%.%w+$", ".prj")))
        end
    end)
end

function TestFormats.test_pictures_come_back()
    local image = land:relief{}
    each_ending(function(format) return format.reads and file_formats.writes(format, "image") end, function(_, path)
        image:save(path)
        lu.assertEquals(esker.load(path):hash(), image:hash())
    end)
end

-- A value other than the default for each parameter that only some formats take.
local given = {
    load = { low = -1, high = 1, width = 3, height = 3, band = 1, channel = "Y", order = "big", flip = true,
        geometry = "lines", layer = "roads", system = "EPSG:26916" },
    save = { low = -1, high = 1, bits = "8", type = "float16", order = "big", flip = true, more = { land },
        names = "ground" },
}

function TestFormats.test_parameters_of_other_formats_are_refused_by_name()
    local takes = { load = {}, save = {} }
    for _, format in ipairs(esker.formats()) do
        for _, name in ipairs(format.load_takes) do takes.load[name] = true end
        for _, name in ipairs(format.save_takes) do takes.save[name] = true end
    end
    for operation, names in pairs(takes) do
        for name in pairs(names) do
            lu.assertNotNil(given[operation][name], operation .. " " .. name)
        end
    end
    each_ending(of_heights, function(format, path)
        for operation, names in pairs(given) do
            local own = " " .. table.concat(format[operation .. "_takes"], " ") .. " "
            for name, value in pairs(names) do
                local _, problem = pcall(esker[operation], table.unpack(operation == "load" and { path,
                    { [name] = value } } or { land, path, { [name] = value } }))
                lu.assertEquals(tostring(problem):find("takes no " .. name .. ", which is for .", 1, true) ~= nil,
                    not own:find(" " .. name .. " ", 1, true), path .. " " .. name)
            end
        end
    end)
end

function TestFormats.test_errors_list_what_is_possible()
    for _, declared in ipairs(esker.values()) do
        if declared.formats[1] then
            local _, problem = pcall(esker.save, some_values.make(declared.kind, land), "file.none")
            for _, ending in ipairs(declared.formats) do
                lu.assertStrContains(tostring(problem), "." .. ending)
            end
        end
    end
    local _, problem = pcall(esker.load, "file")
    local read = {} -- formats may share an ending
    for _, format in ipairs(esker.formats()) do
        local ending = format.endings[1]
        read[ending] = read[ending] or (format.reads and format.name ~= "another raster") == true
    end
    for ending, is_read in pairs(read) do
        lu.assertEquals(problem:find("." .. ending .. "%f[%W]") ~= nil, is_read, ending)
    end
end

function TestFormats.test_help_knows_each_format()
    local help = require("esker.help.command").find("formats")
    for ending in pairs(file_formats.endings()) do
        lu.assertStrContains(help, "." .. ending)
    end
end

function TestFormats.test_the_explorer_downloads_every_format_of_a_kind()
    local downloads = file_formats.downloads()
    for _, declared in ipairs(esker.values()) do
        local offered = {}
        for _, each in ipairs(downloads[declared.kind] or {}) do
            offered[each.ending] = true
            lu.assertStrContains(each.title, "." .. each.ending)
        end
        for _, format in ipairs(esker.formats()) do
            lu.assertTrue(not file_formats.writes(format, declared.kind) or offered[format.endings[1]], declared.name)
        end
    end
    lu.assertEquals(value_types.usual_format("LargeField"), "npy")
end

os.exit(lu.LuaUnit.run())
