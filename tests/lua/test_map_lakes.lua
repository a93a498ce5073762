-- Lakes of zoomable maps: drawn as water, with one level at every zoom, as polygons, and in what is said of a place.

local esker = require "esker"
local kept_map = require "kept_map"
local Long = require "long_tests"
local tries = require "tries"
local unit = require "luaunit"

TestLakes = {}

local function lakes_map(more)
    local given = { seed = 3, lakes = 0.02 }
    for name, value in pairs(more or {}) do
        given[name] = value
    end
    return kept_map(given)
end

local shore = { x = 0.387852976, y = 0.499299029 }

local function window_at(place, zoom, size)
    return { x = place.x, y = place.y, zoom = zoom, size = size, inside = true }
end

-- Levels of the lakes that touch the window's middle third.
local function levels_near(map, place, zoom, size)
    local found = {}
    for _, outline in ipairs(map:lake_outlines(window_at(place, zoom, size)):reaches()) do
        for _, point in ipairs(outline) do
            local near = math.abs(point.x - size / 2) < size / 6 and math.abs(point.y - size / 2) < size / 6
            if near and outline.order == 1 then
                found[point.altitude] = true
            end
        end
    end
    return found
end

function TestLakes.test_a_lake_has_one_level_at_every_zoom()
    local map = lakes_map()
    local level
    for _, zoom in ipairs(tries(2, { 8, 128, 512, 2 ^ 16, 64, 4096, 2 ^ 24 })) do
        local found = levels_near(map, shore, zoom, 96)
        level = level or next(found)
        unit.assertTrue(level and level > 0)
        unit.assertTrue(found[level] or zoom > 4096, zoom) -- the shore of deep zooms may be elsewhere
        for other in pairs(found) do
            unit.assertEquals(other, level, zoom)
        end
    end
end

function TestLakes.test_pixels_of_lakes_are_level_water()
    local map = lakes_map()
    for _, zoom in ipairs(tries(2, { 8, 300, 512 })) do
        local altitude, river, _, water = map:render(window_at({ x = 0.372158903, y = 0.414795038 }, zoom, 96))
        local level, wet = nil, 0
        for y = 0, 95 do
            for x = 0, 95 do
                if water:get(x, y) > 0 then
                    wet = wet + 1
                    level = level or altitude:get(x, y)
                    unit.assertTrue(river:get(x, y) > 1)
                    unit.assertTrue(zoom < 100 or altitude:get(x, y) == level)
                end
            end
        end
        unit.assertTrue(wet > 100 and wet < 96 * 96, zoom)
    end
end

-- The share of the shores within 7.5 degrees of an axis; even: 0.167. While each cell stood out 0.21 to 0.32.
function Long.test_shores_run_in_all_directions()
    for _, zoom in ipairs{ 64, 8, 512 } do
        local all, along = 0, 0
        for _, place in ipairs{ shore, { x = 0.372158903, y = 0.414795038 }, { x = 0.671323674, y = 0.324615252 } } do
            local _, _, _, water = lakes_map():render(window_at(place, zoom, 256))
            local wet = (water * 1e30):clamp{ low = 0, high = 1 }:blur{ sigma = 2 / 256, exact = true }
            for y = 1, 254 do
                for x = 1, 254 do
                    local across = wet:get(x + 1, y) - wet:get(x - 1, y)
                    local down = wet:get(x, y + 1) - wet:get(x, y - 1)
                    local slope = math.sqrt(across ^ 2 + down ^ 2)
                    local is_along = slope > 1e-6 and (math.deg(math.atan(down, across)) + 7.5) % 90 < 15
                    all, along = all + slope, along + (is_along and slope or 0)
                end
            end
        end
        print(("# zoom %d: %.3f of %.0f"):format(zoom, along / all, all))
        unit.assertTrue(all > 300 and along < 0.21 * all, zoom)
    end
end

function TestLakes.test_windows_agree()
    local map = lakes_map()
    local cold = esker.river_map{ seed = 3, lakes = 0.02 }
    local x, y = math.floor(shore.x * 8192) / 8192, math.floor(shore.y * 8192) / 8192
    local wide = { map:render{ x = x, y = y, zoom = 64, size = 64 } }
    local window = { x = x + 8 / 4096, y = y, zoom = 128, size = 32 }
    local part = { cold:render(window) }
    for i = 1, 4 do
        unit.assertEquals(part[i]:hash(), wide[i]:crop{ x = 24, y = 16, width = 32, height = 32 }:hash(), i)
    end
end

-- Lakes of a dry map, of which some have no outflow.
local DRY = { seed = 7, latitudes = { 15, 35 }, lakes = 0.05, rain = 0.35 }
local dry_once

local function dry_map()
    dry_once = dry_once or esker.river_map(DRY)
    return dry_once
end

local function wet_pixels(map)
    local _, _, _, water = map:render{ size = 128 }
    local wet = 0
    for y = 0, 127 do
        for x = 0, 127 do
            wet = wet + (water:get(x, y) > 0 and 1 or 0)
        end
    end
    return wet
end

function TestLakes.test_lakes_that_evaporate_all_shrink()
    local full = esker.river_map{ seed = 7, latitudes = { 15, 35 }, lakes = 0.05, rain = 4 }
    local most, least = wet_pixels(full), wet_pixels(dry_map())
    unit.assertTrue(least < 0.75 * most, least .. " of " .. most)
    unit.assertTrue(least > 0)
    -- On the bed of the largest, below its full level and above the water.
    local window = { x = 0.745, y = 0.48, zoom = 32, size = 96 }
    local altitude, river, _, water = dry_map():render(window)
    local high, _, _, deep = full:render(window)
    local level
    local salt, dry_cells, wet = dry_map():cover(window).salt, 0, 0
    for y = 0, 95 do
        for x = 0, 95 do
            if water:get(x, y) > 0 then
                wet = wet + 1
                level = level or altitude:get(x, y)
                unit.assertAlmostEquals(altitude:get(x, y), level, 0.01)
                unit.assertTrue(river:get(x, y) > 1)
            elseif salt:get(x, y) > 0.5 and deep:get(x, y) > 0 then
                dry_cells = dry_cells + 1
                unit.assertTrue(altitude:get(x, y) <= high:get(x, y))
            end
        end
    end
    unit.assertTrue(wet > 100 and dry_cells > 1000, wet .. " " .. dry_cells)
end

function TestLakes.test_salt_lakes_have_one_level_and_a_flag()
    local levels = {}
    for _, zoom in ipairs{ 4, 16 } do
        for _, outline in ipairs(dry_map():lake_outlines{ x = 0.745, y = 0.49, zoom = zoom, size = 128 }:reaches()) do
            if outline.salt then
                levels[zoom] = levels[zoom] or {}
                levels[zoom][outline[1].altitude] = true
            end
        end
    end
    local shared = 0
    for level in pairs(levels[16]) do
        shared = shared + (levels[4][level] and 1 or 0)
    end
    unit.assertTrue(shared > 0)
end

function TestLakes.test_windows_agree_on_salt_lakes()
    local cold = esker.river_map(DRY)
    local x, y = math.floor(0.742 * 1024) / 1024, math.floor(0.49 * 1024) / 1024
    local wide = { dry_map():render{ x = x, y = y, zoom = 8, size = 128 } }
    local cover = dry_map():cover{ x = x, y = y, zoom = 8, size = 128 }
    local window = { x = x + 16 / 1024, y = y, zoom = 16, size = 64 }
    local part, own = { cold:render(window) }, cold:cover(window)
    local cut = { x = 48, y = 32, width = 64, height = 64 }
    for i = 1, 4 do
        unit.assertEquals(part[i]:hash(), wide[i]:crop(cut):hash(), i)
    end
    unit.assertEquals(own.salt:hash(), cover.salt:crop(cut):hash())
    unit.assertTrue(own.salt:statistics().max > 0.5)
end

local DRY_PLANET = { seed = 4, tiling = "sphere", lakes = 0.05, rain = 0.1 }

local function on_face(zoom, size)
    return { projection = "cube", face = "bottom", x = 144 / 1024, y = 832 / 1024, zoom = zoom, size = size }
end

function Long.test_lakes_of_planets_shrink_too()
    local dry, wide = kept_map(DRY_PLANET), on_face(8, 128)
    local altitude, _, _, water = dry:render(wide)
    local salt = dry:cover(wide).salt
    local wet, bed = 0, 0
    for y = 0, 127 do
        for x = 0, 127 do
            wet = wet + (water:get(x, y) > 0 and 1 or 0)
            bed = bed + (salt:get(x, y) > 0.2 and 1 or 0)
            unit.assertTrue(salt:get(x, y) == 0 or altitude:get(x, y) > 0) -- or it would be sea
        end
    end
    unit.assertTrue(wet > 200 and bed > 100, wet .. " " .. bed)
end

function Long.test_windows_agree_on_salt_lakes_of_planets()
    local salt = kept_map(DRY_PLANET):cover(on_face(8, 128)).salt
    local part = esker.river_map(DRY_PLANET):cover(on_face(16, 64)).salt
    unit.assertEquals(part:hash(), salt:crop{ x = 32, y = 32, width = 64, height = 64 }:hash())
end

-- Where rivers are wadis, lakes of finer levels are salt pans; those that a user makes stay.
function TestLakes.test_small_lakes_of_deserts_are_salt_pans()
    local given = { seed = 7, latitudes = { 15, 35 }, lakes = 0.05, rain = 0.02, side = 3e6 }
    local window = { x = 0.76, y = 0.44, zoom = 16, size = 128 }
    local map = esker.river_map(given)
    local _, _, _, water = map:render(window)
    local salt = map:cover(window).salt
    unit.assertEquals(water:statistics().max, 0)
    unit.assertTrue(salt:statistics().max > 0.7)
    local outline = { { 0.925, 0.92 }, { 0.933, 0.919 }, { 0.934, 0.927 }, { 0.927, 0.927 } }
    local made = esker.river_map{ seed = 2, rain = 0.02, temperature = 5 }:lake{ outline = outline }
    local _, _, _, kept = made:render{ x = 0.93, y = 0.923, zoom = 40, size = 64 }
    unit.assertTrue(kept:statistics().max > 0)
end

-- Rings of a polygon: the first around the lake, counterclockwise, the others around its islands.
local function ring_area(ring)
    local twice = 0
    for i = 2, #ring do
        twice = twice + ring[i - 1][1] * ring[i][2] - ring[i][1] * ring[i - 1][2]
    end
    return twice / 2
end

function TestLakes.test_polygons_have_level_and_area()
    local map = lakes_map()
    local size, zoom = 256, 2
    local _, _, _, water = map:render(window_at(shore, zoom, size))
    local wet, outlined = 0, 0
    for y = 0, size - 1 do
        for x = 0, size - 1 do
            wet = wet + (water:get(x, y) > 0 and 1 or 0)
        end
    end
    local path = os.tmpname() .. ".geojson"
    map:lake_outlines(window_at(shore, zoom, size)):save(path)
    local text = assert(io.open(path)):read("a")
    os.remove(path)
    local features = 0
    for level, area, rings in text:gmatch('"level":([%d.e+-]+),"area":([%d.e+-]+)}.-"coordinates":(%b[])') do
        features = features + 1
        outlined = outlined + tonumber(area)
        local sum = 0
        for ring in rings:sub(2, -2):gmatch("%b[]") do
            local points = {}
            for x, y, z in ring:gmatch("%[([%d.e+-]+),([%d.e+-]+),([%d.e+-]+)%]") do
                points[#points + 1] = { tonumber(x), tonumber(y) }
                unit.assertEquals(tonumber(z), tonumber(level))
            end
            unit.assertEquals(points[1], points[#points])
            unit.assertTrue((ring_area(points) > 0) == (sum == 0))
            sum = sum + ring_area(points)
        end
        unit.assertTrue(sum > 0.8 * tonumber(area) and sum < 1.01 * tonumber(area))
    end
    unit.assertTrue(features > 2)
    unit.assertAlmostEquals(outlined / (3e6 / zoom / size) ^ 2, wet, 1e-3 * wet)
end

function Long.test_a_place_in_a_lake()
    local map = lakes_map()
    local outline = map:lake_outlines(window_at(shore, 512, 64)):reaches()[1]
    local wet, places, step = 0, 0, 8
    for y = 8, 55, step do
        for x = 8, 55, step do
            local place = map:identify{ x = shore.x + (x - 32) / 64 / 512, y = shore.y + (y - 32) / 64 / 512 }
            wet, places = wet + (place.water > 0 and 1 or 0), places + 1
            unit.assertTrue(place.water >= 0)
            if place.water > 0 then
                unit.assertAlmostEquals(place.lake_level, outline[1].altitude, 1e-4)
                unit.assertAlmostEquals(place.altitude, place.lake_level, 1e-4)
            end
        end
    end
    unit.assertTrue(wet > places / 9 and wet < places, wet)
    local dry = kept_map{ seed = 3 }:identify{ x = shore.x, y = shore.y }
    unit.assertEquals({ dry.water, dry.lake_level }, { 0, 0 })
end

function TestLakes.test_planets_have_lakes()
    local planet = esker.river_map{ seed = 4, tiling = "sphere", lakes = 0.03 }
    local outlines = planet:lake_outlines{ width = 256, height = 128 }:reaches()
    unit.assertTrue(#outlines > 0)
    local place = outlines[1][1]
    local window = { x = place.x / 256, y = 0.25 + place.y / 256, zoom = 16, size = 64 }
    local levels = {}
    for _, zoom in ipairs(tries(1, { 16, 256 })) do
        window.zoom = zoom
        local _, _, _, water = planet:render(window)
        for _, outline in ipairs(planet:lake_outlines(window):reaches()) do
            levels[outline[1].altitude] = true
        end
        unit.assertEquals(water.width, 64)
    end
    unit.assertTrue(levels[place.altitude])
end

function TestLakes.test_without_lakes_there_are_none()
    local altitude, _, _, water = kept_map{ seed = 3 }:render{ size = 32 }
    local same, _, _, none = lakes_map{ lakes = 0 }:render{ size = 32 }
    unit.assertEquals({ water, none }, {})
    unit.assertEquals(altitude:hash(), same:hash())
    unit.assertEquals(#lakes_map{ lakes = 0 }:lake_outlines{ size = 32 }:reaches(), 0)
    unit.assertEquals(#esker.river_map{ land = "raw" }:lake_outlines{ size = 32 }:reaches(), 0)
end

function TestLakes.test_bad_input()
    for _, case in ipairs{
        { { lakes = -0.1 }, "lakes must be 0 to 0.1, got -0.1" },
        { { lakes = 0.5 }, "lakes must be 0 to 0.1, got 0.5" },
        { { lakes = 0 / 0 }, "lakes must be" },
        { { lakes = 0.01, land = "raw" }, 'lakes is for land = "eroded"; this map is raw' },
    } do
        unit.assertErrorMsgContains(case[2], esker.river_map, case[1])
    end
end

os.exit(unit.LuaUnit.run())
