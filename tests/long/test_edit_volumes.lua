-- Hills that map:raise adds have the volume that is asked for, in the median of twenty, whatever their size and
-- steepness: erosion takes as much as the law's slopes give. Nor do they rise much above what is asked for: means over
-- a thirteenth of the width do not, while a valley that is filled may rise by any height.

local esker = require "esker"
local unit = require "luaunit"

TestEditVolumes = {}

local SIDE, HILLS = 3000e3, 20 -- metres

-- On land, ten pixels of 256 from the sea and the border.
local function places(map)
    local whole, made, bits = map:render{ size = 256 }, {}, 7
    local function chance()
        bits = (bits * 1103515245 + 12345) % 2147483648
        return bits / 2147483648
    end
    while #made < HILLS do
        local x, y = 0.05 + 0.9 * chance(), 0.05 + 0.9 * chance()
        local lowest = math.huge
        for dx = -3, 3 do
            for dy = -3, 3 do
                lowest = math.min(lowest, whole:get(math.floor(x * 256) + dx, math.floor(y * 256) + dy))
            end
        end
        if lowest > 20 then
            made[#made + 1] = { x, y }
        end
    end
    return made
end

-- A hill's volume is π/4 (width/2)² height: that of (1 - d²)³.
local function shares(map, width, height)
    local view, volumes, most = 1.6 * width, {}, {}
    for _, place in ipairs(places(map)) do
        local window = { x = place[1], y = place[2], zoom = SIDE / view, size = 128 }
        local raised = map:raise{ along = { place }, width = width, height = height }:render(window)
        local rise = raised - map:render(window)
        volumes[#volumes + 1] = rise:statistics().mean * view ^ 2 / (math.pi / 4 * (width / 2) ^ 2 * height)
        most[#most + 1] = rise:blur{ sigma = 3 / 128 }:statistics().max / height
    end
    table.sort(volumes)
    table.sort(most)
    return volumes, most
end

function TestEditVolumes.test_the_median_is_near_what_is_asked_for()
    local map = esker.river_map{ seed = 2 }
    for _, hill in ipairs{ { 20e3, 300 }, { 20e3, 2000 }, { 20e3, 800 }, { 5e3, 250 } } do
        local volumes, most = shares(map, hill[1], hill[2])
        local function median_of(list)
            return (list[HILLS / 2] + list[HILLS / 2 + 1]) / 2
        end
        local median, highest = median_of(volumes), median_of(most)
        local rises = ("%g, %g: rises by %.2f"):format(hill[1], hill[2], highest)
        unit.assertTrue(highest > 1 and highest < 1.3, rises)
        unit.assertTrue(median > 0.8 and median < 1.2, ("%g, %g: %.2f"):format(hill[1], hill[2], median))
        local range = ("%.2f to %.2f, median %.2f"):format(volumes[1], volumes[HILLS], median)
        print(("# width %g, height %g: %s"):format(hill[1], hill[2], range))
    end
end

os.exit(unit.LuaUnit.run())
