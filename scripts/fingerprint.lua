-- Prints a hash of what every operation makes, a line each: two builds that print the same draw the same maps.
-- lua5.4 scripts/fingerprint.lua

local esker = require "esker"

local function hashes(value, into)
    local kind = esker.type(value)
    if kind == "Field" then
        into[#into + 1] = value:hash()
    elseif kind == "number" then
        into[#into + 1] = ("%.17g"):format(value)
    elseif kind == "Image" then
        local path = os.tmpname() .. ".png"
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
            hashes(value[key], into)
        end
    end
end

local function report(name, ...)
    local into = {}
    hashes({ ... }, into)
    print(name, table.concat(into, " "))
end

local land = esker.diamond_square{ width = 200, height = 150, seed = 11, smooth = true }
for _, threads in ipairs{ 1, 2, 7 } do
    esker.threads(threads)
    for _, operation in ipairs(esker.operations()) do
        if operation.category ~= "file" then
            local values = {}
            for i in ipairs(operation.inputs) do
                values[i] = i == 1 and land or land + 0.5
            end
            local arguments = { seed = operation.seeded and 5 or nil, size = operation.sized and 150 or nil }
            for _, param in ipairs(operation.params) do -- every choice is a computation of its own
                for _, choice in ipairs(param.choices or {}) do
                    local with = { [param.name] = choice }
                    for name, value in pairs(arguments) do
                        with[name] = value
                    end
                    values[#operation.inputs + 1] = with
                    report(operation.name .. " " .. choice, esker[operation.name](table.unpack(values)))
                end
            end
            values[#operation.inputs + 1] = arguments
            report(operation.name, esker[operation.name](table.unpack(values)))
        end
    end
end
