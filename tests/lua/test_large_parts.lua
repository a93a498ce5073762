-- What fields larger than memory give in memory: fewer cells, meshes, files for engines, as of the same field there.

local unit = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"

local ground = esker.noise{ width = 120, height = 77, seed = 3 } * 300
local square = esker.noise{ size = 150, seed = 5, wrap = false }
ground.wraps = false
ground.frame = { x = 500, y = 900, cell_width = 20, cell_height = 25, system = "EPSG:32631", unit = "m" }

local function contents(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

local function same_place(a, b)
    if not (a and b) then
        return a == b
    end
    for name, value in pairs(a) do
        if b[name] ~= value then
            return false
        end
    end
    return true
end

TestLargeParts = {}

function TestLargeParts.test_fewer_cells_are_those_of_resize()
    for _, rows in ipairs{ 1, 7, 40, 77 } do
        local large = esker.large{ field = ground, rows = rows }
        for _, arguments in ipairs{ { width = 60 }, { size = 33 },
            { width = 119, height = 76, interpolation = "cubic" }, { scale = 0.3 },
            { scale = 0.11, interpolation = "nearest" }, { width = 2, height = 77 },
            { width = 120, height = 5 } } do
            local here, there = ground:resize(arguments), large:resize(arguments)
            unit.assertTrue(here == there, ("%d rows, %d × %d"):format(rows, here.width, here.height))
            unit.assertTrue(same_place(here.frame, there.frame) and here.wraps == there.wraps)
        end
    end
    local half = esker.large{ field = square, rows = 9 }:resize{ size = 75 }
    unit.assertTrue(half == square:resize{ size = 75 })
end

-- Along a side with fewer cells than an overview's stands for, it stands for all.
function TestLargeParts.test_overviews_of_elongated_fields()
    for _, each in ipairs{ { 300, 20, 16, 15, 1 }, { 4096, 1, 2, 2, 1 }, { 3, 2, 2, 1, 1 }, { 1, 4096, 2, 1, 2 },
        { 5, 4, 1, 1, 1 }, { 40, 41, 1000, 40, 41 } } do
        local land = esker.field{ width = each[1], height = each[2], values = function(x, y) return x + 10 * y end }
        land.frame = { x = 500, y = 900, cell = 20, system = "EPSG:32631" }
        local overview = esker.large{ field = land, rows = 7 < each[2] and 7 or nil }:overview{ size = each[3] }
        local factor = (math.max(each[1], each[2]) + each[3] - 1) // each[3]
        local wide, high = math.min(each[1], factor), math.min(each[2], factor)
        unit.assertEquals({ overview.width, overview.height }, { each[4], each[5] })
        unit.assertEquals({ overview.frame.cell_width, overview.frame.cell_height }, { 20 * wide, 20 * high })
        unit.assertEquals(overview:get(0, 0), land:crop{ width = wide, height = high }:statistics().mean)
    end
    local large = esker.large{ field = ground }
    unit.assertErrorMsgContains("size must be a whole number, 1 or more, got 0", large.overview, large, { size = 0 })
end

function TestLargeParts.test_it_is_not_enlarged()
    local large = esker.large{ field = ground }
    unit.assertErrorMsgContains("it makes fewer cells, got 240 × 154 of 120 × 77", large.resize, large, { scale = 2 })
    unit.assertErrorMsgContains("did you mean 'width'", large.resize, large, { widht = 20 })
    local holes = esker.large{ field = ground:set_gaps(ground - 150) }
    unit.assertErrorMsgContains("which mesh cannot skip", holes.mesh, holes, { size = 20 })
end

-- A share of less than 1/10,000 of a gap leaves a cell its data, and adds the heights beside it.
function TestLargeParts.test_gaps_are_those_of_resize()
    local tall = esker.noise{ width = 230, height = 700, seed = 2, wrap = false } + 5
    local fields = { { ground:set_gaps(ground - 150), ground }, { tall, tall } }
    fields[2][1] = tall:set_gaps(esker.field{ width = 230, height = 700, values = function(x, y)
        return x % 115 == 0 and y % 200 == 0 and 1 or 0
    end })
    for _, each in ipairs(fields) do
        for _, wraps in ipairs{ true, false } do
            local field, kept = each[1]:crop{}, 0
            field.wraps = wraps
            for _, rows in ipairs{ field.height > 100 and 40 or 3, field.height } do
                local large = esker.large{ field = field, rows = rows }
                for _, arguments in ipairs{ { width = 60, height = 77 }, { size = 33 },
                    { width = 119, height = 76, interpolation = "cubic" }, { scale = 0.3, wrap = not wraps },
                    { scale = 0.11, interpolation = "nearest" }, { width = field.width, height = 5 },
                    { width = 2, height = 7 }, { width = field.width, height = field.height - 1 } } do
                    local here, there = field:resize(arguments), large:resize(arguments)
                    kept = kept + (here.gaps < here.width * here.height and here.gaps or 0)
                    unit.assertTrue(here == there and here.gaps == there.gaps and here.wraps == there.wraps,
                        ("%d rows, %d × %d"):format(rows, here.width, here.height))
                end
            end
            unit.assertTrue(kept > 0)
        end
    end
    local few = fields[2][1]:resize{ width = 2, height = 3 }
    unit.assertEquals({ fields[2][1].gaps, few.gaps }, { 8, 0 })
end

function TestLargeParts.test_meshes_are_those_of_the_cells_that_they_are_made_of()
    local large = esker.large{ field = ground, rows = 10 }
    local arguments = { error = 2, base = 4 }
    unit.assertEquals(large:mesh(arguments):hash(), ground:mesh(arguments):hash())
    arguments.size = 48
    local coarse = ground:resize{ width = 48, height = 30 }:mesh{ error = 2, base = 4 }
    unit.assertEquals(large:mesh(arguments):hash(), coarse:hash())
    unit.assertErrorMsgContains("size must be a whole number", large.mesh, large, { size = 0.5 })
    unit.assertErrorMsgContains("unknown argument", large.mesh, large, { eror = 1 })
end

-- A plane stays where it is, whatever cells its mesh is made of: they need not be squares.
function TestLargeParts.test_meshes_of_elongated_fields_are_not_stretched()
    for _, each in ipairs{ { 301, 20, 30, 100 }, { 301, 20, 30, 16 }, { 20, 301, 30, 100 }, { 515, 350, 20, 250 },
        { 3000, 50, 10 } } do
        local width, height, cell, size = table.unpack(each)
        local plane = esker.field{ width = width, height = height, values = function(x, y)
            return 100 + 0.1 * (x + 0.5) * cell + 0.05 * (height - y - 0.5) * cell
        end }
        plane.frame = { x = 500000, y = 4600000, cell = cell, system = "EPSG:32631", unit = "m" }
        local path = temporary(".obj")
        esker.large{ field = plane }:mesh{ size = size }:save(path)
        local right, top = 0, 0
        for x, y, z in contents(path):gmatch("\nv (%S+) (%S+) (%S+)") do
            x, y, z = tonumber(x), tonumber(y), tonumber(z)
            local inside = math.min(x, width * cell - x) > 0 and math.min(y, height * cell - y) > 0
            unit.assertTrue(inside, ("%d × %d: %g, %g"):format(width, height, x, y))
            unit.assertAlmostEquals(z, 100 + 0.1 * x + 0.05 * y, 0.5)
            right, top = math.max(right, x), math.max(top, y)
        end
        local step = width * cell / math.max(width * (size or 2048) // math.max(width, height), 2)
        unit.assertTrue(right > width * cell - step, ("%d × %d: to %g"):format(width, height, right))
        os.remove(path)
    end
end

function TestLargeParts.test_engines_get_the_same_files()
    local stem = temporary("")
    local placed = square:crop{}
    placed.frame = { x = 0, y = 0, cell = 3, unit = "m" }
    local tried = 0
    for i, field in ipairs{ square, square * 500, placed } do
        for k, arguments in ipairs{ { engine = "unreal" }, { engine = "unreal", size = 127, cell = 2 },
            { engine = "unity", metres = 250, size = 129 }, { engine = "godot", low = -0.5, high = 2 },
            { engine = "minetest" }, { engine = "minetest", size = 64 },
            { engine = "unity", mask = true, size = 33 } } do
            local here, there = ("%s-here%d-%d"):format(stem, i, k), ("%s-there%d-%d"):format(stem, i, k)
            field:export(here, arguments)
            esker.large{ field = field, rows = 17 }:export(there, arguments)
            for _, ending in ipairs{ "png", "raw", "r16", "txt" } do
                local file = io.open(here .. "." .. ending, "rb")
                if file then
                    file:close()
                    tried = tried + 1
                    local note = contents(there .. "." .. ending):gsub("there", "here")
                    unit.assertEquals(note == contents(here .. "." .. ending) or note:sub(1, 400),
                        true, here .. "." .. ending)
                    os.remove(here .. "." .. ending)
                    os.remove(there .. "." .. ending)
                end
            end
        end
    end
    unit.assertEquals(tried, 42)
    esker.large{ field = square }:export(stem) -- without an engine, for the first
    square:export(stem .. "-memory")
    unit.assertTrue(contents(stem .. ".png") == contents(stem .. "-memory.png"))
    for _, ending in ipairs{ ".png", ".txt", "-memory.png", "-memory.txt" } do
        os.remove(stem .. ending)
    end
    local wide = esker.large{ field = ground }
    unit.assertErrorMsgContains("engines take squares", wide.export, wide, stem, { engine = "unity" })
    unit.assertErrorMsgContains("did you mean 'engine'", wide.export, wide, stem, { engin = "unity" })
end

-- Each is said once, of the whole.
function TestLargeParts.test_messages_name_what_is_wrong()
    local large, sameness = esker.large{ field = square, rows = 9 }, esker.noise{ size = 150 }
    for problem, call in pairs{
        ["add: a large field goes with large ones, got Field 150 × 150: esker.large{ field = … } makes one of it"] =
            function() return large + sameness end,
        ["subtract: a large field goes with large ones, got Field 150 × 150"] = function() return large - sameness end,
        ["hydraulic_erosion: a large field goes with large ones"] =
            function() return large:hydraulic_erosion{ mask = sameness } end,
        ["large: give window, file, mosaic or field: where its heights come from; got field and file"] =
            function() return esker.large{ file = "x.npy", field = square } end,
        ["large: give window, file, mosaic or field: where its heights come from"] =
            function() return esker.large{} end,
        ["export: takes its arguments in one table, height:export(path, { name = value }); got unity"] =
            function() large:export("x", "unity") end,
        ["save: path must be a string, got nil"] = function() large:save() end,
        ["crop: x must be a whole number, 0 to 149, got a"] = function() large:crop{ x = "a" } end,
        ["crop: width must be a whole number, 1 to 150, got nil"] = function() large:crop() end,
        ["catchments: takes its arguments in one table, height:catchments(points, { name = value }); got 7"] =
            function() large:catchments(square:scatter{}, 7) end,
    } do
        unit.assertErrorMsgContains(problem, call)
    end
end

function TestLargeParts.test_odd_arguments_have_the_errors_of_fields_in_memory()
    local large = esker.large{ field = square, rows = 9 }
    for _, name in ipairs{ "fill", "breach", "flow_accumulation", "basins", "catchment", "contours", "crop", "overview",
        "resize", "mesh", "relief", "blur" } do
        for _, odd in ipairs{ 7, "x", true, large } do
            local said = name .. ": takes its arguments in one table, height:" .. name .. "{ name = value }; got "
            unit.assertErrorMsgContains(said, large[name], large, odd)
        end
        unit.assertErrorMsgContains(name .. ": ", large[name])
        unit.assertErrorMsgContains("must be a large field, got Field", large[name], square, {})
    end
end

os.exit(unit.LuaUnit.run())
