-- Fields of up to 16384² (1 GiB; ESKER_SIDE: another side) pass through every operation, and the reference methods.
-- Each is called on larger and larger fields for as long as the next call takes SECONDS of processor time at most, so
-- most get 16384² and the whole takes minutes: at that side alone it took hours, most of them in a few operations.

local unit = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"
local fingerprint = require "fingerprint"

local LEAST <const>, SECONDS <const> = 512, 10
local most = tonumber(os.getenv("ESKER_SIDE") or 16384)

TestHugeFields = {}

local lands = {}

local function land_of(side)
    lands[side] = lands[side] or esker.diamond_square{ size = side, seed = 1 }
    return lands[side]
end

-- Calls check(land) with sides that double; gives the last one. The time of four times as many cells is foreseen.
local function grow(check)
    local side = math.min(LEAST, most)
    while true do
        collectgarbage()
        local start = os.clock()
        check(land_of(side))
        if 2 * side > most or 4 * (os.clock() - start) > SECONDS then
            return side
        end
        side = 2 * side
    end
end

local other_sizes = { resize = true, squig_mountain = true }

local function check_operation(operation, land)
    local with = fingerprint.takes(operation, "iterations") and { "iterations", 2 } or nil
    local results = table.pack(fingerprint.call(operation, land, with))
    unit.assertTrue(results.n > 0, operation.name)
    for _, result in ipairs(results) do
        if esker.type(result) == "Field" and not other_sizes[operation.name] then
            unit.assertEquals(result.width * result.height, land.width * land.height, operation.name)
        end
    end
end

function TestHugeFields.test_every_operation_takes_them()
    local whole, count, smaller = 0, 0, {}
    for _, operation in ipairs(esker.operations()) do
        if operation.category ~= "file" and operation.name ~= "divide" and operation.name ~= "amplify" then
            local side = grow(function(land) check_operation(operation, land) end)
            count, whole = count + 1, whole + (side == most and 1 or 0)
            smaller[#smaller + 1] = side < most and ("%s %d"):format(operation.name, side) or nil
        end
    end
    print(("# %d of %d operations at %d²; %s"):format(whole, count, most, table.concat(smaller, ", ")))
    unit.assertTrue(whole > count / 2)
end

function TestHugeFields.test_reference_methods_take_them()
    for _, name in ipairs{ "thermal_erosion", "hydraulic_erosion" } do
        local side = grow(function(land)
            local eroded = land[name](land, { method = "reference", iterations = 2 })
            unit.assertAlmostEquals(eroded:statistics().sum / land:statistics().sum, 1, 1e-6)
        end)
        print(("# %s, reference: %d²"):format(name, side))
    end
end

function TestHugeFields.test_they_go_through_a_file()
    local path = temporary ".png"
    local side = grow(function(land)
        land:save(path)
        local again = esker.load(path)
        os.remove(path)
        unit.assertTrue((again - land):abs():statistics().max <= 0.51 / 65535)
    end)
    print(("# a file: %d²"):format(side))
end

os.exit(unit.LuaUnit.run())
