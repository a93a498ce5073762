-- A field of 16384² (1 GiB; ESKER_SIDE takes another side) passes through every operation, and the reference methods.

local unit = require "luaunit"
local esker = require "esker"
local temporary = require "temporary"
local fingerprint = require "fingerprint"

local side = tonumber(os.getenv("ESKER_SIDE") or 16384)

TestHugeFields = {}

function TestHugeFields.test_every_operation_takes_them()
    local land = esker.diamond_square{ size = side, seed = 1 }
    for _, operation in ipairs(esker.operations()) do
        if operation.category ~= "file" and operation.name ~= "divide" and operation.name ~= "amplify" then
            local takes_iterations = false
            for _, param in ipairs(operation.params) do
                takes_iterations = takes_iterations or param.name == "iterations"
            end
            collectgarbage()
            local results = table.pack(fingerprint.call(operation, land, takes_iterations and { "iterations", 2 }))
            unit.assertTrue(results.n > 0, operation.name)
            for _, result in ipairs(results) do
                if esker.type(result) == "Field" and operation.name ~= "resize" then
                    unit.assertEquals(result.width * result.height, side * side, operation.name)
                end
            end
        end
    end
end

function TestHugeFields.test_reference_methods_take_them()
    local land = esker.diamond_square{ size = side, seed = 1 }
    for _, name in ipairs{ "thermal_erosion", "hydraulic_erosion" } do
        collectgarbage()
        local eroded = land[name](land, { method = "reference", iterations = 2 })
        unit.assertAlmostEquals(eroded:statistics().sum / land:statistics().sum, 1, 1e-6)
    end
end

function TestHugeFields.test_they_go_through_a_file()
    local land = esker.diamond_square{ size = side, seed = 1 }
    local path = temporary ".png"
    land:save(path)
    local again = esker.load(path)
    os.remove(path)
    unit.assertTrue((again - land):abs():statistics().max <= 0.51 / 65535)
end

os.exit(unit.LuaUnit.run())
