-- The recipe of docs/game-world.md: it has at most 60 lines and writes what it says, and what lies on the ground is
-- where the exported heights have its altitude.

local esker = require "esker"
local lu = require "luaunit"
local temporary = require "temporary"

TestGameWorld = {}

local PARTS = { "land", "splat", "trees", "rivers", "lakes", "road", "towns", "bridges" }

local function text_of(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

local function recipe_of_page()
    return text_of("docs/game-world.md"):match("\n```lua\n(.-)\n```\n")
end

function TestGameWorld.test_the_recipe_is_short()
    local _, lines = recipe_of_page():gsub("\n", "")
    lu.assertTrue(lines < 60, lines)
end

-- The heights in metres that Unity gets, by its coordinates.
local function unity_ground(folder)
    local note, numbers = text_of(folder .. "/unity-land.txt"), text_of(folder .. "/unity-land.raw")
    local size = tonumber(note:match("Resolution: (%d+)"))
    local width, height = note:match("Terrain Size: X ([%d.]+)  Y ([%d.]+)")
    local low = tonumber(note:match("Position of the Terrain: Y ([%d.]+)"))
    lu.assertEquals(#numbers, 2 * size * size)
    local function height_at(column, row)
        return low + string.unpack("<I2", numbers, 2 * (row * size + column) + 1) / 65535 * height
    end
    width = tonumber(width)
    local step = width / (size - 1)
    return function(x, z)
        local u, v = x / step, z / step
        local column, row = u // 1 | 0, v // 1 | 0
        u, v = u - column, v - row
        return (height_at(column, row) * (1 - u) + height_at(column + 1, row) * u) * (1 - v)
            + (height_at(column, row + 1) * (1 - u) + height_at(column + 1, row + 1) * u) * v
    end, width
end

-- How many points a table has, and how far the exported ground is from them on average and at most, in metres.
local function compare(folder, name, ground, width)
    local count, off, most = 0, 0, 0
    for x, z, y in text_of(folder .. "/unity-" .. name .. ".csv"):gmatch("\n([%d.-]+),([%d.-]+),([%d.]+)") do
        x, z, y = tonumber(x), tonumber(z), tonumber(y)
        lu.assertTrue(math.min(x, z) >= 0 and math.max(x, z) <= width, name)
        if math.min(x, z) > 0.02 * width and math.max(x, z) < 0.98 * width then
            count, off = count + 1, off + math.abs(ground(x, z) - y)
            most = math.max(most, math.abs(ground(x, z) - y))
        end
    end
    return count, off / math.max(count, 1), most
end

-- The lines of a file, each a list of { x, z, y }.
local function lines_of(name)
    local lines = {}
    for text in text_of(name):gmatch('"coordinates":(%[%[.-%]%])') do
        local line = {}
        for x, z, y in text:gmatch("%[([%d.-]+),([%d.-]+),([%d.-]+)%]") do
            line[#line + 1] = { tonumber(x), tonumber(z), tonumber(y) }
        end
        lines[#lines + 1] = line
    end
    return lines
end

-- A road lies on the exported heights, to centimetres, but where it is a bridge; bridges end on them.
local function check_road(folder, ground, width)
    local bridged, on_ground = {}, 0
    for _, bridge in ipairs(lines_of(folder .. "/unity-bridges.geojson")) do
        for i, point in ipairs(bridge) do
            local above = point[3] - ground(point[1], point[2])
            lu.assertTrue(above > -0.05, above)
            lu.assertTrue(i > 1 and i < #bridge or above < 0.05, above)
            bridged[point[1] .. " " .. point[2]] = true
        end
    end
    lu.assertNotNil(next(bridged))
    for _, point in ipairs(lines_of(folder .. "/unity-road.geojson")[1]) do
        if not bridged[point[1] .. " " .. point[2]] then
            on_ground = on_ground + 1
            lu.assertAlmostEquals(point[3], ground(point[1], point[2]), 0.05)
        end
    end
    lu.assertTrue(on_ground > 30, on_ground)
    lu.assertTrue(width > 4000)
end

function TestGameWorld.test_the_recipe_writes_what_the_page_says()
    local recipe, folder = temporary(".lua"), temporary("")
    local file <close> = assert(io.open(recipe, "w"))
    file:write(recipe_of_page())
    file:close()
    lu.assertTrue(os.execute(("%s/esker %s seed=6 size=129 -q -o %s"):format(os.getenv("ESKER_BUILD") or "build",
        recipe, folder)))
    for engine, size in pairs{ unreal = 253, unity = 129, godot = 257, minetest = 129 } do
        for _, part in ipairs(PARTS) do
            lu.assertStrContains(text_of(("%s/%s-%s.txt"):format(folder, engine, part)), "esker:recipe-hash")
        end
        lu.assertEquals(esker.load(("%s/%s-splat.png"):format(folder, engine)).width, size)
    end
    local ground, width = unity_ground(folder)
    local towns, off_towns = compare(folder, "towns", ground, width)
    local trees, off_trees = compare(folder, "trees", ground, width)
    lu.assertEquals(towns, 2)
    lu.assertTrue(trees > 5000, trees)
    lu.assertTrue(off_towns < 0.5, off_towns)
    lu.assertTrue(off_trees < 0.3, off_trees)
    check_road(folder, ground, width)
    lu.assertStrContains(text_of(folder .. "/unity-lakes.geojson"), '"level":')
    lu.assertNotStrContains(text_of(folder .. "/unity-lakes.geojson"), "LineString") -- also at the edge
    lu.assertStrContains(text_of(folder .. "/unreal-rivers.geojson"), '"widths":[')
end

-- Other seeds have towns, too, and another size leaves them where they are.
function TestGameWorld.test_towns_are_found_and_stay()
    local recipe, folder = temporary(".lua"), temporary("")
    local file <close> = assert(io.open(recipe, "w"))
    file:write((recipe_of_page():gsub("return { map = .*", "return { towns = towns }\n")))
    file:close()
    local function towns_of(seed, size)
        lu.assertTrue(os.execute(("%s/esker %s seed=%d size=%d export=false -q -o %s"):format(os.getenv("ESKER_BUILD")
            or "build", recipe, seed, size, folder)))
        local list = {}
        for x, y, altitude in text_of(folder .. "/towns.csv"):gmatch("\n([%d.]+),([%d.]+),([%d.]+)") do
            list[#list + 1] = { x = x / size, y = y / size, altitude = tonumber(altitude) }
        end
        lu.assertEquals(#list, 2)
        return list
    end
    local small, large = towns_of(7, 129), towns_of(7, 301)
    for i = 1, 2 do
        lu.assertAlmostEquals(small[i].x, large[i].x, 1e-6)
        lu.assertAlmostEquals(small[i].y, large[i].y, 1e-6)
        lu.assertAlmostEquals(small[i].altitude, large[i].altitude, 3)
    end
end

os.exit(lu.LuaUnit.run())
