-- What operations make, as text: two builds that print the same draw the same maps.

local esker = require "esker"
local some_values = require "some_values"
local value_types = require "esker.value_types"

local fingerprint = {}

local add

-- Of a type without a hash: what the first operation that takes one makes of it, a picture or field if there is such.
local function add_made_of(value, kind, into)
    local operation
    for _, each in ipairs(value_types.operations_on(value_types[kind])) do
        operation = (not operation or each.sized and not operation.sized) and each or operation
    end
    add({ esker[operation.name](value, operation.sized and { width = 48, height = 24 } or nil) }, into)
end

function add(value, into)
    local kind = esker.type(value)
    if kind == "number" then
        into[#into + 1] = ("%.17g"):format(value)
    elseif value_types[kind] and value_types.has_method(value_types[kind], "hash") then
        into[#into + 1] = value:hash()
    elseif value_types[kind] then
        add_made_of(value, kind, into)
    elseif kind == "table" then
        local keys = {}
        for key in pairs(value) do
            keys[#keys + 1] = key
        end
        table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
        for _, key in ipairs(keys) do
            add(value[key], into)
        end
    end
end

-- The hashes and numbers in all arguments, however deep.
function fingerprint.of(...)
    local into = {}
    add({ ... }, into)
    return table.concat(into, " ")
end

-- What fits the inputs of `operation`, with fields made of `land`; a globe's map, where one is wanted.
function fingerprint.inputs(operation, land, globe)
    local values, places, points = {}, land, nil
    if operation.inputs[2] and operation.inputs[1].kind:find("map", 1, true) then
        places = esker.crop(land, { x = 0, y = 0, width = 8, height = 6 })
        points = 150 -- each is an edit, which takes its time
    end
    for i, input in ipairs(operation.inputs) do
        local kind = globe and input.kind:find("map", 1, true) and "map" or input.kind:match("^[^|]+")
        if kind == "map" then
            values[i] = some_values.make(kind, land, globe and "sphere" or nil)
        elseif operation.name == "imprint" and input.name == "field" then -- takes no other than squares
            values[i] = esker.diamond_square{ size = 16, seed = 3 }
        elseif input.kind:find("field", 1, true) then
            values[i] = i == 1 and land or esker.add(land, 0.5)
        elseif operation.name:find("_places$") then -- for each, land is drawn on several grids
            values[i] = esker.points{ size = 8, list = { { 2.5, 3 }, { 5, 4.25 } } }
        elseif operation.name == "crater" then -- on high ground
            values[i] = esker.points{ size = 8, list = { { 4, 1 } } }
        elseif operation.name == "carve" and input.name == "lines" then -- one that ends in water
            values[i] = esker.lines{ size = 100, list = { { { 51, 14 }, { 52, 14 } } } }
        else
            values[i] = some_values.make(kind, places, nil, points)
        end
    end
    return values
end

-- Whether `operation` has a parameter of that name.
function fingerprint.takes(operation, name)
    for _, param in ipairs(operation.params) do
        if param.name == name then
            return true
        end
    end
    return false
end

-- Calls `operation` with fields made of `land`, a seed and a size where it takes them, and `with` (a name and a value).
function fingerprint.call(operation, land, with)
    local arguments = { seed = operation.seeded and 5 or nil }
    local globe = with and (with[1] == "projection" or with[1] == "face") -- which flat maps do not take
    local values = fingerprint.inputs(operation, land, globe)
    if operation.sized then
        arguments.width, arguments.height = land.width, globe and land.width // 2 or land.height
    end
    if with then
        arguments[with[1]] = with[2]
        if with[1] == "face" and fingerprint.takes(operation, "projection") then
            arguments.projection = "cube"
        elseif with[1] == "face" and with[2] ~= "front" then
            arguments.zoom = 1 -- deep ground, which is made level by level, is that of one face
        elseif with[1] == "entry" then
            arguments.exit = with[2] == "right" and "left" or nil
        elseif with[1] == "exit" then
            arguments.entry = with[2] == "left" and "right" or nil
        end
    end
    if operation.name == "level" and not arguments.altitude then
        arguments.altitude = 100 -- which many places need
    end
    if operation.name:find("_places$") and not arguments.ashore then
        arguments.ashore = 1e9 -- places in the sea are refused
    end
    values[#operation.inputs + 1] = arguments
    return esker[operation.name](table.unpack(values))
end

-- A line for every operation that needs no file and for each of its choices, on a number of threads; with `step` only
-- for each operation whose place in the list is a multiple of it, and for one face of a planet, whose land is dear.
function fingerprint.print_all(threads, step)
    local land = esker.diamond_square{ width = 80, height = 60, seed = 11, smooth = true }
    esker.threads(threads)
    for i, operation in ipairs(esker.operations()) do
        if operation.category ~= "file" and i % (step or 1) == 0 then
            print(operation.name, fingerprint.of(fingerprint.call(operation, land)))
            for _, param in ipairs(operation.params) do
                local wants_frame = param.name == "coordinates" or param.name == "measure"
                local few = wants_frame and {} or step and param.name == "face" and { "back" }
                for _, choice in ipairs(few or param.choices or {}) do
                    local made = fingerprint.of(fingerprint.call(operation, land, { param.name, choice }))
                    print(operation.name .. " " .. choice, made)
                end
            end
        end
    end
end

local function choices(operation, name)
    for _, param in ipairs(operation.params) do
        if param.name == name then
            return param.choices
        end
    end
end

local function print_zooms(name, arguments, zooms)
    local map = esker.river_map(arguments)
    for _, zoom in ipairs(zooms) do
        local made = table.pack(pcall(esker.render, map, {
            size = 64, zoom = zoom, x = zoom > 1 and "0.43217891234567890123456789" or nil,
            y = zoom > 1 and "0.57234567890123456789" or nil, relative = zoom > 1,
        }))
        print(("%s zoom %g"):format(name, zoom), made[1] and fingerprint.of(table.unpack(made, 2)) or made[2])
    end
end

-- A line for each of several windows, from the whole map to far in: of raw and eroded land on every tiling, and of
-- every landscape. The line is the error where there is no such window. `step` as above, for maps.
function fingerprint.print_windows(step)
    local operation
    for _, each in ipairs(esker.operations()) do
        operation = each.name == "river_map" and each or operation
    end
    local count = 0
    local function print_map(name, arguments, zooms)
        count = count + 1
        if count % (step or 1) == 0 then
            print_zooms(name, arguments, zooms)
        end
    end
    for _, tiling in ipairs(choices(operation, "tiling")) do
        for _, land in ipairs(choices(operation, "land")) do
            print_map(("%s %s"):format(tiling, land), { seed = 11, tiling = tiling, land = land },
                { 1, 1e3, 1e6, 1e9, 1e14, 1e20 })
        end
    end
    for _, landscape in ipairs(choices(operation, "landscape")) do
        print_map(landscape, { seed = 5, land = "eroded", landscape = landscape }, { 1, 1e4, 1e9 })
    end
end

return fingerprint
