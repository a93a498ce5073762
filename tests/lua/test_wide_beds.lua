-- The beds of wide rivers of eroded land: their water falls evenly, without walls, pits or bands across it, and no
-- narrower river is dug into it. Windows that overlap agree.

local esker = require "esker"
local lu = require "luaunit"

local SCALE = 0.055 -- an altitude of 1, in sides of the map
local SIZE = 256

-- On rivers of maps without hillslopes.
local inside = { seed = 2, level = 28, x = "0.5982782318005774868652", y = "0.5332675873141852207482" }
local joined = { seed = 5, level = 28, x = "0.3337113491554646316218", y = "0.1056701097622863017623" }
local steep = { seed = 7, level = 24, x = "0.7380921224284982533823046", y = "0.1482190767783223" }

TestWideBeds = {}

-- Heights in pixels, and rivers.
local function window(place, size, border)
    local map, zoom = esker.river_map{ seed = place.seed, hillslope = 0 }, 2.0 ^ place.level
    local altitude, river = map:render{ x = place.x, y = place.y, zoom = zoom * SIZE / size, size = size,
        border = border, relative = true, from_zoom = zoom, from_x = place.x, from_y = place.y }
    return altitude * (SCALE * zoom * SIZE), river
end

-- What the middle of the water is like.
local function bed(height, river)
    local away = 4 -- pixels of water at least on every side
    local raised = height:fill{} - height
    local cells, pit, turns, falls = 0, 0, 0, 0
    local function wet(x, y)
        return river:get(x, y) >= 3
    end
    for y = away, SIZE - away - 1 do
        for x = away, SIZE - away - 1 do
            if wet(x, y) and wet(x - away, y) and wet(x + away, y) and wet(x, y - away) and wet(x, y + away) then
                local here, right, below = height:get(x, y), height:get(x + 1, y), height:get(x, y + 1)
                cells, pit = cells + 1, math.max(pit, raised:get(x, y))
                turns = turns + math.abs(height:get(x - 1, y) + right - 2 * here)
                    + math.abs(height:get(x, y - 1) + below - 2 * here)
                falls = falls + math.abs(right - here) + math.abs(below - here)
            end
        end
    end
    lu.assertTrue(cells > SIZE * SIZE / 4)
    return { slope = falls / cells, pit = pit, turns = turns / falls }
end

function TestWideBeds.test_no_river_is_dug_into_the_water_of_a_wider_one()
    local within, at_mouth = bed(window(inside, SIZE)), bed(window(joined, SIZE))
    print(("# slope %.3f, pits of %.3f and %.3f pixels"):format(within.slope, within.pit, at_mouth.pit))
    lu.assertTrue(within.slope < 0.5)
    lu.assertTrue(within.pit < 0.1)
    lu.assertTrue(at_mouth.pit < 0.1)
end

function TestWideBeds.test_water_falls_evenly()
    for _, place in ipairs{ joined, steep } do
        local found = bed(window(place, SIZE))
        print(("# bends, in slopes: %.4f"):format(found.turns))
        lu.assertTrue(found.turns < 0.029)
    end
end

function TestWideBeds.test_windows_that_overlap_agree()
    for _, place in ipairs{ inside, joined, steep } do
        local height, river = window(place, SIZE // 4)
        local around, rivers = window(place, SIZE // 4, 40)
        local box = { x = 40, y = 40, width = SIZE // 4, height = SIZE // 4 }
        lu.assertTrue(around:crop(box) == height)
        lu.assertTrue(rivers:crop(box) == river)
    end
end

-- Also where a river's banks rise out of the sea.
function TestWideBeds.test_rain_falls_on_all_land()
    local altitude, _, flow = esker.river_map{ seed = 404833113, river_width = 0.1 }:render{ size = 1024 }
    local dry = 0
    for y = 0, 1023 do
        for x = 0, 1023 do
            dry = dry + (altitude:get(x, y) >= 0 and flow:get(x, y) < 1 and 1 or 0)
        end
    end
    lu.assertEquals(dry, 0)
end

os.exit(lu.LuaUnit.run())
