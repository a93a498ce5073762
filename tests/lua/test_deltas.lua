-- Large rivers build land out into the sea, through which they run in arms.

local esker = require "esker"
local lu = require "luaunit"

TestDeltas = {}

local map = esker.river_map{ seed = 2 }
local APEX = { x = 2776 / 4096, y = 3624 / 4096 }
local MOUTH = { x = 21730 / 32768, y = 29516 / 32768 } -- of an arm that is not the river's own

-- Pixels that a test holds true of.
local function count(field, holds)
    local all = 0
    for y = 0, field.height - 1 do
        for x = 0, field.width - 1 do
            all = all + (holds(x, y) and 1 or 0)
        end
    end
    return all
end

function TestDeltas.test_rivers_build_land()
    local window = { x = APEX.x, y = APEX.y, zoom = 8, size = 96 }
    local with = map:render(window)
    local without = esker.river_map{ seed = 2, deposition = 0 }:render(window)
    local built = count(with, function(x, y)
        return with:get(x, y) > 0 and without:get(x, y) < 0
    end)
    print(("# %d pixels of %d"):format(built, 96 * 96)) -- 0 without deltas but for small points
    lu.assertTrue(built > 150, built)
end

-- An arm is drawn wide where hardly any of the tree's water runs, down to the sea, and ends there.
function TestDeltas.test_arms_reach_the_sea()
    local altitude, river, flow = map:render{ x = MOUTH.x, y = MOUTH.y, zoom = 128, size = 256 }
    local arm = count(river, function(x, y)
        return river:get(x, y) > 1 and flow:get(x, y) < 1000
    end)
    local sea = count(river, function(x, y)
        return river:get(x, y) > 0 and flow:get(x, y) == 0 and altitude:get(x, y) < -10
    end)
    local filled = altitude:fill{ sea_level = 0 }
    local raised = count(filled, function(x, y)
        return filled:get(x, y) > altitude:get(x, y) + 0.5 and altitude:get(x, y) > 0
    end)
    print(("# %d pixels of an arm, %d in the sea, %d raised"):format(arm, sea, raised))
    lu.assertTrue(arm > 60, arm)
    lu.assertEquals(sea, 0)
    lu.assertTrue(raised < 60, raised)
end

function TestDeltas.test_windows_agree()
    local usual = esker.threads()
    local function window(zoom, size, columns, rows)
        local pixel = 1 / (256 * zoom)
        return { x = MOUTH.x + columns * pixel, y = MOUTH.y + rows * pixel, zoom = zoom * 256 / size, size = size }
    end
    for _, zoom in ipairs{ 16, 128 } do
        esker.threads(1)
        local altitude, river, flow = map:render(window(zoom, 256, 0, 0))
        esker.threads(2)
        local again = { esker.river_map{ seed = 2 }:render(window(zoom, 128, -43, 21)) }
        local box = { x = 64 - 43, y = 64 + 21, width = 128, height = 128 }
        lu.assertTrue(altitude:crop(box) == again[1], zoom)
        lu.assertTrue(river:crop(box) == again[2], zoom)
        lu.assertTrue(flow:crop(box) == again[3], zoom)
    end
    esker.threads(usual)
end

-- The coast of a delta stays within a pixel from zoom to zoom.
function TestDeltas.test_coasts_stay()
    local function land(zoom, size)
        return (map:render{ x = APEX.x, y = APEX.y, zoom = zoom, size = size })
    end
    for _, zoom in ipairs{ 8, 32 } do
        local coarse, fine = land(zoom, 96), land(zoom, 192)
        local lost = count(coarse, function(x, y)
            local wet = coarse:get(x, y) < 0
            for v = math.max(2 * y - 2, 0), math.min(2 * y + 3, 191) do
                for u = math.max(2 * x - 2, 0), math.min(2 * x + 3, 191) do
                    if (fine:get(u, v) < 0) == wet then
                        return false
                    end
                end
            end
            return true
        end)
        print(("# zoom %d: %d pixels"):format(zoom, lost))
        lu.assertTrue(lost <= 2, lost)
    end
end

os.exit(lu.LuaUnit.run())
