-- Files and fields that lie beside each other, as one field: in memory and larger.

local esker = require "esker"
local temporary = require "temporary"
local unit = require "luaunit"

TestMosaic = {}

local function model()
    local dem = esker.spectral{ width = 60, height = 48, seed = 3 }:normalize{} * 300
    dem.frame = { x = 500000, y = 4000000, cell = 30, system = "EPSG:32631", unit = "m", sea = 3 }
    dem.wraps = false
    return dem
end

local function part(field, x, y, width, height)
    return field:crop{ x = x, y = y, width = width, height = height, wrap = false }
end

local function in_memory(large)
    return large:crop{ x = 0, y = 0, width = large.width, height = large.height }
end

function TestMosaic.test_parts_give_the_whole()
    local dem = model()
    local parts = { part(dem, 0, 0, 33, 30), part(dem, 30, 0, 30, 30), part(dem, 0, 25, 25, 23),
        part(dem, 25, 25, 35, 23) }
    for _, order in ipairs{ { 1, 2, 3, 4 }, { 4, 2, 1, 3 }, { 3, 1, 4, 2 } } do
        local list = {}
        for i, which in ipairs(order) do
            list[i] = parts[which]
        end
        local whole = esker.mosaic(list)
        unit.assertTrue(whole == dem)
        unit.assertEquals(whole.frame, dem.frame)
        for _, rows in ipairs{ 1, 7, 48 } do
            local large = esker.large{ mosaic = list, rows = rows }
            unit.assertTrue(in_memory(large) == dem)
            unit.assertEquals(large.frame, dem.frame)
        end
    end
end

-- Grids that run to the south and to the east, and turned ones.
function TestMosaic.test_any_grid_may_be_cut_and_joined()
    for _, frame in ipairs{ { x = 10, y = -5, cell_width = 2, cell_height = -3 },
        { x = 1, y = 2, cell_width = -1, cell_height = 1 },
        { x = 0, y = 0, cell_width = 3, cell_height = 3, turn_x = 1, turn_y = 1 } } do
        local dem = model():georeference{ nowhere = true }
        dem.frame = frame
        local whole = esker.mosaic{ part(dem, 20, 10, 40, 38), part(dem, 0, 0, 60, 20), part(dem, 0, 15, 20, 33) }
        unit.assertTrue(whole == dem)
        unit.assertAlmostEquals(whole.frame.x, dem.frame.x, 1e-9)
        unit.assertAlmostEquals(whole.frame.y, dem.frame.y, 1e-9)
    end
end

function TestMosaic.test_the_last_with_data_shows_and_else_there_is_none()
    local dem = model()
    local low, high = part(dem, 0, 0, 20, 20), part(dem, 10, 10, 20, 20) + 1000
    local holes = high:set_gaps(esker.field{ width = 20, height = 20, values = function(x, y)
        return x == y and 1 or 0
    end })
    local whole = esker.mosaic{ low, holes }
    unit.assertEquals({ whole.width, whole.height, whole.gaps }, { 30, 30, 200 + 10 })
    unit.assertEquals(whole:get(12, 12), low:get(12, 12))
    unit.assertEquals(whole:get(12, 13), high:get(2, 3))
    unit.assertIsNil(whole:get(25, 25))
    unit.assertIsNil(whole:get(25, 2))
    unit.assertEquals(esker.mosaic{ holes, low }:get(12, 13), low:get(12, 13))
end

-- More files than are open at a time.
function TestMosaic.test_many_files_are_read()
    local dem, list = model(), {}
    local folder = temporary("")
    assert(os.execute("mkdir " .. folder))
    for y = 0, 5 do
        for x = 0, 6 do
            local path = ("%s/%d-%d.asc"):format(folder, x, y)
            part(dem, 9 * x, 8 * y, math.min(9, 60 - 9 * x), 8):save(path)
            list[#list + 1] = path
        end
    end
    local read = {}
    for i, path in ipairs(list) do
        read[i] = esker.load(path)
    end
    local whole = esker.mosaic(read)
    unit.assertEquals({ whole.width, whole.height, whole.gaps }, { 60, 48, 0 })
    unit.assertTrue((whole - dem:georeference{ like = whole }):abs():statistics().max < 1e-3)
    if pcall(esker.mosaic, { list[1] }) then -- by GDAL
        unit.assertTrue(esker.mosaic(list) == whole)
        unit.assertTrue(in_memory(esker.large{ mosaic = list, rows = 5 }) == whole)
    end
end

function TestMosaic.test_what_does_not_fit_is_an_error_that_names_it()
    local dem = model()
    local here = part(dem, 0, 0, 20, 20)
    local function refused(list, ...)
        for _, words in ipairs{ ... } do
            unit.assertErrorMsgContains(words, esker.mosaic, list)
            unit.assertErrorMsgContains(words, esker.large, { mosaic = list })
        end
    end
    refused({}, "takes a list of files' names and fields")
    refused({ here, name = 3 }, "got 'name'")
    refused({ here, 3 }, "2 must be a file's name or a field, got 3")
    refused({ here, "missing.tif" }, "mosaic: cannot ", "missing.tif")
    refused({ here, dem:georeference{ nowhere = true } }, "field 2 has no frame")
    refused({ here, dem:georeference{ system = "EPSG:32632" } }, "field 2 lies in EPSG:32632, the others in EPSG:32631")
    refused({ here, dem:georeference{ unit = "ft" } }, "field 2 has the unit ft, the others m")
    refused({ here, dem:georeference{ sea = 4 } }, "field 2 has the sea 4")
    local bare = part(dem, 30, 0, 20, 20):georeference{ nowhere = true }
    bare.frame = { x = 500900, y = 4000000, cell = 30, unit = "m", sea = 3 }
    refused({ here, bare }, "field 2 lies in no known system, the others in EPSG:32631")
    local metres, feet = bare:georeference{ nowhere = true }, bare:georeference{ nowhere = true }
    metres.frame = { x = 1e6, y = 2e5, cell = 30, system = "EPSG:2263", unit = "m" }
    feet.frame = { x = 1e6, y = 2e5, cell = 30, system = "EPSG:2263" }
    if pcall(metres.gradient_angle, metres) then -- by GDAL
        refused({ metres, feet }, "field 2 has the unit")
    end
    local endless = setmetatable({}, { __index = function() return here end })
    unit.assertErrorMsgContains("takes a list", esker.mosaic, endless)
    refused({ here, dem:resize{ width = 50, height = 40 } }, "field 2 has other cells than field 1",
        "gdalwarp -tap -tr 30 30")
    refused({ here, dem:georeference{ x = 500010 } }, "other cells")
    refused({ here, dem:georeference{ x = 500000 + 30 * 300000 } }, "a side has 65536 at most")
    unit.assertErrorMsgContains("takes a list", esker.mosaic)
    unit.assertErrorMsgContains("takes a list", esker.mosaic, here)
    unit.assertErrorMsgContains("got field and mosaic", esker.large, { mosaic = { here }, field = here })
end

os.exit(unit.LuaUnit.run())
