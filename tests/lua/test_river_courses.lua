-- Courses of rivers of eroded land: falls are left for bends.

local esker = require "esker"
local lu = require "luaunit"

TestRiverCourses = {}

local UNIT = 0.055 * 4096 -- of altitudes in streams: units of a cell, per map side of an altitude of 1

-- The share of the steps of a window's rivers that fall by a unit at most, outside the sea.
local function level_steps(map, window)
    local cells, all, level = window.zoom * window.size, 0, 0
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for i = 1, #reach - 1 do
            local fall = (reach[i].altitude - reach[i + 1].altitude) * UNIT * cells
            local dry = reach[i + 1].altitude > 0
            all, level = all + (dry and 1 or 0), level + (dry and fall < 1.5 and 1 or 0)
        end
    end
    return all, level
end

-- A river whose falls are all as small as they may be cannot bend on finer levels: it is a straight line for ever.
function TestRiverCourses.test_rivers_keep_falls_for_bends()
    for _, landscape in ipairs{ "worn", "mesa" } do
        local all, level = 0, 0
        for _, seed in ipairs{ 2, 817749168 } do
            local map = esker.river_map{ seed = seed, landscape = landscape }
            for _, at in ipairs{ { 0.42, 0.57 }, { 0.75, 0.25 } } do
                local more, flat = level_steps(map, { x = at[1], y = at[2], zoom = 32, size = 512 })
                all, level = all + more, level + flat
            end
        end
        lu.assertTrue(all > 5000, landscape .. ": " .. all)
        lu.assertTrue(level < 0.02 * all, ("%s: %d of %d"):format(landscape, level, all))
    end
end

os.exit(lu.LuaUnit.run())
