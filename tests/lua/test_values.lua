-- Value types: what is declared is there, and nothing else has to be retyped for a new one.

local lu = require "luaunit"
local esker = require "esker"
local fingerprint = require "fingerprint"
local some_values = require "some_values"
local temporary = require "temporary"
local value_types = require "esker.value_types"

local land = esker.spectral{ size = 64, seed = 3 }

-- A value of each type, by its name: what the example of an operation that makes one gives first.
local samples = {}
for _, operation in ipairs(esker.operations()) do
    local name = (operation.example or ""):match("^local ([%w_]+)")
    if name and operation.outputs[1] then
        local code = "local esker, height = ... " .. operation.example .. "\nreturn " .. name
        local value = assert(load(code))(esker, land)
        local kind = esker.type(value)
        samples[kind] = samples[kind] or value
    end
end

TestValues = {}

function TestValues.test_every_type_has_what_it_declares()
    for _, declared in ipairs(esker.values()) do
        local value = samples[declared.name] or lu.fail("no example makes a " .. declared.name)
        lu.assertEquals(esker.type(value), declared.name)
        lu.assertStrMatches(tostring(value), declared.name .. ".*")
        lu.assertNotEquals(declared.doc or "", "")
        for _, property in ipairs(declared.properties) do
            lu.assertNotEquals(property.doc or "", "")
            local held, kind = value[property.name], property.kind:gsub("%?$", "")
            if held ~= nil or kind == property.kind then
                lu.assertEquals(kind == "number" and type(held) or math.type(held) or type(held), kind)
            end
        end
        for _, method in ipairs(declared.methods) do
            lu.assertNotEquals(method.doc or "", "")
            lu.assertIsFunction(value[method.name])
        end
        for _, operation in ipairs(value_types.operations_on(declared)) do
            lu.assertEquals(value[operation.name], esker[operation.name])
        end
        lu.assertErrorMsgContains(declared.name .. " has no method 'misspelt'", function() return value.misspelt end)
    end
end

-- What other programs and the field call an operation, before names that are spelt alike.
function TestValues.test_a_method_is_known_by_other_names()
    local image = land:relief{}
    for name, meant in pairs{ rotate = "'transform'", dilate = "'morphology'", hand = "'height_above_river'",
        transpose = "'flip'", erode = "'hydraulic_erosion'", tpi = "'position_index'", gaussian = "'blur'",
        AO = "'sky_view'", smoothstep = "'remap'", watersheds = "'basins'", opening = "'morphology'",
        sunshine = "'insolation'", tiling = "'seamless'", colormap = "'colorize'",
        worley = "the function 'esker.voronoi'",
        fbm = "the function 'esker.spectral'", hillshaed = "'hillshade'" } do
        lu.assertErrorMsgContains(("Field has no method '%s', did you mean %s?"):format(name, meant),
            function() return land[name] end)
    end
    local map = esker.river_map{ seed = 1 }
    lu.assertErrorMsgContains("RiverMap has no method 'relief'; fields have it, as map:render{} gives one",
        function() return map.relief end)
    lu.assertErrorMsgContains("did you mean 'blend'?", function() return image.compositing end)
    lu.assertErrorMsgMatches(".*Image has no method 'zoom'", function() return image.zoom end) -- fields are
    lu.assertNil(esker.known_as "twist")
end

-- What Lua has for tables, numbers and functions: the message says what to write instead.
function TestValues.test_what_a_value_cannot_do_says_what_to_write()
    local map, field = esker.river_map{ seed = 1 }, esker.field{ size = 4, values = 1 }
    for call, meant in pairs{
        [function() return field > 0.5 end] = "land:select{ height = { 0.5 } } makes a mask",
        [function() return 0.5 >= field end] = "land:select{ height = { 0.5 } } makes a mask",
        [function() return #field end] = ".width and .height are the sizes",
        [function() return field[3][4] end] = "land:get(x, y) gives the height",
        [function() field[3] = 4 end] = "land:set(x, y, height) changes the height",
        [function() return field(3, 4) end] = "land:get(x, y) gives the height",
        [function() return field:max() end] = "the number for all cells is height:statistics().max",
        [function() return esker.min(field) end] = "the number for all cells is height:statistics().min",
        [function() return "it is " .. field end] = "tostring(value) describes it",
        [function() return field % 2 end] = "+ - * / and ^ work cell by cell",
        [function() return field // 2 end] = "+ - * / and ^ work cell by cell",
        [function() return field & 1 end] = "a * b is a mask where both hold",
        [function() return field.size end] = ".width and .height are the sizes",
        [function() return field.shape end] = ".width and .height are the sizes",
        [function() return map < map end] = "< and > do not compare maps",
        [function() return map + 1 end] = "RiverMap has no arithmetic, fields have it, as map:render{} gives one",
        [function() return 2 * field:relief() end] = "Image has no arithmetic, fields have it; a:blend(b) mixes two",
        [function() return -map end] = "RiverMap has no arithmetic",
        [function() return map % 2 end] = "RiverMap has no arithmetic",
        [function() return map & 2 end] = "RiverMap has no arithmetic",
        [function() return #map end] = "RiverMap has no length",
        [function() return map(1) end] = "RiverMap is no function",
        [function() return map[1] end] = "RiverMap has no elements in brackets",
    } do
        lu.assertErrorMsgContains(meant, call)
    end
    lu.assertErrorMsgMatches(".*b must be a field or a number, got nothing", function() return field:add() end)
    lu.assertEquals(#esker.points{ size = 4, list = { { 1, 1 } } }, 1) -- those that have a length keep it
end

function TestValues.test_every_picture_is_an_image_of_at_most_the_size_asked_for()
    for _, declared in ipairs(esker.values()) do
        if declared.picture then
            local picture = assert(load(declared.picture))(samples[declared.name], 300)
            lu.assertEquals(esker.type(picture), "Image")
            lu.assertTrue(picture.width <= 300)
        end
    end
end

function TestValues.test_every_format_is_written()
    for _, declared in ipairs(esker.values()) do
        for _, format in ipairs(declared.formats) do
            local path = temporary("." .. format)
            samples[declared.name]:save(path)
            local file = assert(io.open(path, "rb"))
            lu.assertTrue(#file:read("a") > 10)
            file:close()
            os.remove(path)
            os.remove((path:gsub("%.%w+$", "")))
        end
    end
end

function TestValues.test_help_of_save_has_every_format()
    local help = require "esker.help.command"
    local save, results = help.find("save"), help.find("return")
    for _, declared in ipairs(esker.values()) do
        for i, format in ipairs(declared.formats) do
            lu.assertStrContains(save, "." .. format)
            if i == 1 then
                lu.assertStrContains(results, declared.plural)
                lu.assertStrContains(results, "NAME." .. format)
            end
        end
    end
end

function TestValues.test_what_has_no_hash_says_so()
    local hashed = {}
    for _, declared in ipairs(esker.values()) do
        for _, method in ipairs(declared.methods) do
            hashed[#hashed + 1] = method.name == "hash" and declared.plural or nil
        end
    end
    lu.assertErrorMsgContains("hash: takes " .. table.concat(hashed, ", ") .. ", got 5", land.hash, 5)
    lu.assertErrorMsgContains("got one that was closed", function()
        local closed
        do
            local field <close> = esker.field{ size = 2, values = 0 }
            closed = field
        end
        closed:hash()
    end)
end

-- A new type needs no line in help or in what goes over all operations.
function TestValues.test_every_type_is_in_help_and_can_be_made()
    local help = {}
    for _, entry in ipairs(require "esker.functions") do
        help[entry.name] = entry.summary
    end
    for _, declared in ipairs(esker.values()) do
        local value = some_values.make(declared.kind, land)
        lu.assertEquals(esker.type(value), declared.name)
        lu.assertTrue(#fingerprint.of(value) >= 16, declared.name)
        for _, method in ipairs{ "hash", "show" } do
            lu.assertEquals(help[method]:find(declared.singular, 1, true) ~= nil,
                value_types.has_method(declared, method), declared.name .. " " .. method)
        end
    end
end

os.exit(lu.LuaUnit.run())
