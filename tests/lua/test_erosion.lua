-- What erosion does to land that users make: valleys keep their way out, and scores are the paper's.

local esker = require "esker"
local lu = require "luaunit"

TestErosion = {}

-- Runs an example with other values of its parameters.
local function example(name, values)
    local environment = setmetatable({ esker = esker, params = function(declared)
        local result = {}
        for key, declaration in pairs(declared) do
            result[key] = type(declaration) == "table" and declaration[1] or declaration
        end
        for key, value in pairs(values) do
            result[key] = value
        end
        return result
    end }, { __index = _G })
    return assert(loadfile("examples/" .. name .. ".lua", "t", environment))()
end

-- The share of the land's cells that water does not leave.
local function hollows(height)
    local filled, land, hollow = height:fill{}, 0, 0
    for y = 0, height.height - 1 do
        for x = 0, height.width - 1 do
            if height:get(x, y) > 0 then
                land = land + 1
                hollow = hollow + (filled:get(x, y) > height:get(x, y) and 1 or 0)
            end
        end
    end
    return hollow / land
end

function TestErosion.test_watershed_has_no_hollows()
    for seed = 1, 3 do
        local result = example("watershed", { seed = seed, size = 256, points = 2000 })
        lu.assertEquals(hollows(result.height), 0.0)
    end
end

-- Olsen 2004, table 2: one seed at the paper's size lies within three of the standard deviations in
-- docs/olsen-tables.md.
function TestErosion.test_reference_hydraulic_erosion_scores_as_in_the_paper()
    local scores = example("erosion-scores", { seed = 2, way = "hydraulic_reference" })
    lu.assertAlmostEquals(scores.erosion, 0.916, 0.09)
    lu.assertAlmostEquals(scores.unit, 0.834, 0.08)
    lu.assertAlmostEquals(scores.building, 0.050, 0.04)
end

os.exit(lu.LuaUnit.run())
