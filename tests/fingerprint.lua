-- What operations make, as text: two builds that print the same draw the same maps.

local esker = require "esker"
local temporary = require "temporary"

local fingerprint = {}

local function add(value, into)
    local kind = esker.type(value)
    if kind == "Field" then
        into[#into + 1] = value:hash()
    elseif kind == "RiverMap" then
        add({ value:render{ size = 48, zoom = 3, x = 0.4, y = 0.55 } }, into)
    elseif kind == "RiverNetwork" then
        add(value:reaches(), into)
    elseif kind == "Points" then
        add(value:list(), into)
    elseif kind == "number" then
        into[#into + 1] = ("%.17g"):format(value)
    elseif kind == "Image" or kind == "Mesh" then
        local path = temporary(kind == "Image" and ".png" or ".stl")
        value:save(path)
        local file = assert(io.open(path, "rb"))
        local sum = 0 -- FNV-1a of the whole file
        for i, byte in ipairs{ file:read("a"):byte(1, 20000) } do
            sum = (sum ~ byte) * 0x100000001b3 + i
        end
        into[#into + 1] = ("%016x"):format(sum)
        file:close()
        os.remove(path)
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

local maps = {} -- the flat one and the globe: eroded land keeps what it has made

local function map(globe)
    local tiling = globe and "sphere" or "right"
    maps[tiling] = maps[tiling] or esker.river_map{ seed = 5, tiling = tiling }
    return maps[tiling]
end

-- What fits the inputs of `operation`, with fields made of `land`; a globe's map, where one is wanted.
function fingerprint.inputs(operation, land, globe)
    local values = {}
    for i, input in ipairs(operation.inputs) do
        values[i] = input.kind == "map" and map(globe)
            or input.kind == "image" and land:relief{}
            or input.kind == "points" and land:scatter{ wrap = false, distances = { 0.2 } }
            or input.kind:find("^network") and esker.river_network{ seed = 5, points = 300,
                width = land.width, height = land.height } or i == 1 and land or land + 0.5
    end
    return values
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
        if with[1] == "face" then
            arguments.projection = "cube"
        elseif with[1] == "entry" then
            arguments.exit = with[2] == "right" and "left" or nil
        elseif with[1] == "exit" then
            arguments.entry = with[2] == "left" and "right" or nil
        end
    end
    values[#operation.inputs + 1] = arguments
    return esker[operation.name](table.unpack(values))
end

-- A line for every operation that needs no file and for each of its choices, on a number of threads.
function fingerprint.print_all(threads)
    local land = esker.diamond_square{ width = 80, height = 60, seed = 11, smooth = true }
    esker.threads(threads)
    for _, operation in ipairs(esker.operations()) do
        if operation.category ~= "file" then
            print(operation.name, fingerprint.of(fingerprint.call(operation, land)))
            for _, param in ipairs(operation.params) do
                for _, choice in ipairs(param.choices or {}) do
                    local made = fingerprint.of(fingerprint.call(operation, land, { param.name, choice }))
                    print(operation.name .. " " .. choice, made)
                end
            end
        end
    end
end

return fingerprint
