-- Measures endless land beside its goals; docs/land-figures.md has the figures:
-- lua5.4 scripts/land-figures.lua [SEED [MAPS [PLACES [SEEDS]]]]
-- On MAPS (3) maps of each kind of country, drawn from SEED (1), at a place by chance each: falls, slopes, forms,
-- likeness to real land. At PLACES (50) random places of random maps, in windows whose pixels are the cells of a level:
-- water. On SEEDS (200) maps: straight watersheds. 0 leaves a part out; `1 1 0 0` takes seconds.
-- Prints one line for each figure: the goal, whether it is reached, and what was measured, first the number that
-- counts. tests/long/land-figures.lua knows which goals are not reached.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local measures = require "land_measures"

local function count_at(i, default)
    return tonumber(arg[i]) or default
end
local seed, maps, places, seeds = count_at(1, 1), count_at(2, 3), count_at(3, 50), count_at(4, 200)

local SIZE, SIDE = measures.SIZE, 3e6 -- of windows; of maps, in metres
local STREAM, RIVER, LARGE = 24, 64, 1024 -- what they drain, in cells

-- Two kinds of maps at each place: as they are, and with hillslopes of a metre. `finest`: the last level with streams.
local kinds = { { name = "default", finest = 8, levels = { 0, 4, 8, 10, 12, 20 } },
    { name = "hillslope 1", hillslope = 1, finest = 15, levels = { 12 } } }
local levels = { 0, 4, 8, 10, 12, 20 }

-- --- windows ---------------------------------------------------------------------------------------------------------

-- Around a place, 0 to 1, on the cells of a level. Altitudes are those of the window's centre and side.
local function window_at(map, place, level, size)
    local cells = 2.0 ^ (8 + level)
    local function centre(at)
        return math.min(math.max(math.floor(at * cells), SIZE // 2), cells - SIZE // 2) / cells
    end
    local where = { x = centre(place.x), y = centre(place.y), zoom = 2.0 ^ level, size = size, relative = true }
    local altitude, river, flow = map:render(where)
    where.relative = false
    where.zoom, where.size = where.zoom * size / 16, 16 -- the same pixels, but few of them
    local sea = altitude:get(size // 2, size // 2) - map:render(where):get(8, 8)
    return { altitude = altitude * 2.0 ^ level, river = river, flow = flow, sea = sea * 2.0 ^ level, where = where }
end

-- The share of the cells where a field is above 0, of those where `of` is.
local function positive(field)
    return (field:clamp{ high = 1e-30 } * 1e30):statistics().mean
end

local function land_share(window)
    return positive(window.flow)
end

-- --- figures at a place ----------------------------------------------------------------------------------------------

-- The share of the land that fill raises.
local function raised(window)
    local filled = window.altitude:fill{ sea_level = window.sea }
    return positive(filled - window.altitude) / land_share(window)
end

-- Whether water at (i, j) drains to (x, y): the steepest descent leads there.
local function drains_to(altitude, i, j, x, y)
    local height = altitude:get(i, j)
    local function fall(u, v)
        return (height - altitude:get(u, v)) / (u ~= i and v ~= j and math.sqrt(2) or 1)
    end
    local most = fall(x, y)
    for v = math.max(j - 1, 0), math.min(j + 1, SIZE - 1) do
        for u = math.max(i - 1, 0), math.min(i + 1, SIZE - 1) do
            if (u ~= i or v ~= j) and fall(u, v) > most then
                return false
            end
        end
    end
    return most > 0
end

-- What enters across the window's border, as rain there: a river's first cell in the window has no donor in it that
-- carries half of its discharge. Another river may run beside it.
local function rain_of(window)
    local flow, altitude, rain = window.flow, window.altitude, esker.field{ size = SIZE, values = 1 }
    local function enters(x, y)
        local here = flow:get(x, y)
        for j = math.max(y - 1, 0), math.min(y + 1, SIZE - 1) do
            for i = math.max(x - 1, 0), math.min(x + 1, SIZE - 1) do
                if (i ~= x or j ~= y) and flow:get(i, j) >= here / 2 and drains_to(altitude, i, j, x, y) then
                    return
                end
            end
        end
        rain:set(x, y, math.max(here, 1))
    end
    for i = 0, SIZE - 1 do
        enters(i, 0)
        enters(i, SIZE - 1)
        enters(0, i)
        enters(SIZE - 1, i)
    end
    return rain
end

-- The most around a cell, or in it alone.
local function max_around(field, x, y, reach)
    local most = 0
    for j = math.max(y - reach, 0), math.min(y + reach, SIZE - 1) do
        for i = math.max(x - reach, 0), math.min(x + reach, SIZE - 1) do
            most = math.max(most, field:get(i, j))
        end
    end
    return most
end

-- The shares of rivers that lie on channels of D8, and of large ones that have half of their discharge there. In a
-- river wider than a pixel, the ground of which is flat, D8 may run anywhere.
local function on_channels(window)
    local filled = window.altitude:fill{ sea_level = window.sea }
    local drained = filled:flow_accumulation{ sea_level = window.sea, rain = rain_of(window) }
    local rivers, on, large, half = 0, 0, 0, 0
    for y = 1, SIZE - 2 do
        for x = 1, SIZE - 2 do
            local flow = window.flow:get(x, y)
            if flow >= RIVER then
                local width = window.river:get(x, y)
                local there = max_around(drained, x, y, width > 1 and math.ceil(width / 2) or 0)
                rivers, on = rivers + 1, on + (there >= RIVER / 2 and 1 or 0)
                if flow >= LARGE then
                    large, half = large + 1, half + (there >= flow / 2 and 1 or 0)
                end
            end
        end
    end
    return rivers > 0 and on / rivers or nil, large >= 50 and half / large or nil
end

-- The shares of a level's rivers that keep their pixel a level finer, and that stay within one.
local function kept(window, finer)
    local rivers, same, near = 0, 0, 0
    for y = 2, SIZE - 3 do
        for x = 2, SIZE - 3 do
            local flow = window.flow:get(x, y)
            if flow >= RIVER then
                local inside, around = 0, 0
                for j = 2 * y - 2, 2 * y + 3 do
                    for i = 2 * x - 2, 2 * x + 3 do
                        local there = finer.flow:get(i, j)
                        around = math.max(around, there)
                        inside = i // 2 == x and j // 2 == y and math.max(inside, there) or inside
                    end
                end
                rivers, same = rivers + 1, same + (inside >= 2 * flow and 1 or 0)
                near = near + (around >= 2 * flow and 1 or 0)
            end
        end
    end
    if rivers > 0 then
        return same / rivers, near / rivers
    end
end

-- How many chords of 12 steps lie within 7.5° of a multiple of 45°, and of how many.
local function directions(map, window, level)
    local near, all = 0, 0
    local network = map:rivers{ x = window.where.x, y = window.where.y, zoom = 2.0 ^ level, size = SIZE }
    for _, reach in ipairs(network:reaches()) do
        for i = 13, #reach, 12 do
            local angle = math.deg(math.atan(reach[i].y - reach[i - 12].y, reach[i].x - reach[i - 12].x)) % 45
            near, all = near + (math.min(angle, 45 - angle) < 7.5 and 1 or 0), all + 1
        end
    end
    return near, all
end

-- --- places ----------------------------------------------------------------------------------------------------------

-- Random land of a random map, above the beach.
local function draw_place()
    while true do
        local place = { seed = math.random(1, 1000000), x = math.random(), y = math.random() }
        local altitude = esker.river_map{ seed = place.seed, land = "raw" }:render{ size = SIZE }
        if altitude:get(place.x * SIZE // 1, place.y * SIZE // 1) > 0.02 then
            return place
        end
    end
end

local samples = {} -- [kind][figure][level]: a list

local function keep(kind, figure, level, value)
    local by_figure = samples[kind] or {}
    samples[kind] = by_figure
    by_figure[figure] = by_figure[figure] or {}
    by_figure[figure][level] = by_figure[figure][level] or {}
    table.insert(by_figure[figure][level], value)
end

local function measure_water(map, place, kind, level, window)
    keep(kind, "raised", level, raised(window))
    local on, half = on_channels(window)
    keep(kind, "on", level, on)
    keep(kind, "half", level, half)
    local same, near = kept(window, window_at(map, place, level, 2 * SIZE))
    keep(kind, "same", level, same)
    keep(kind, "near", level, near)
    local along, all = directions(map, window, level)
    keep(kind, "along", level, along)
    keep(kind, "chords", level, all)
end

local function measure_place(place)
    for _, kind in ipairs(kinds) do
        local map = esker.river_map{ seed = place.seed, hillslope = kind.hillslope }
        for _, level in ipairs(kind.levels) do
            local window = window_at(map, place, level, SIZE)
            if land_share(window) > (level == 0 and 0.1 or 0.5) then
                if level <= kind.finest then
                    measure_water(map, place, kind.name, level, window)
                else
                    keep(kind.name, "raised", level, raised(window))
                end
            end
        end
    end
end

-- --- straight watersheds ---------------------------------------------------------------------------------------------

-- Rivers cross a line { x, y, step x, step y } of the map so often for each cell of land along it: crossings, cells.
local function crossings(window, line)
    local flow, count, cells = window.flow, 0, 0
    local function at(x, y)
        return x >= 0 and y >= 0 and x < SIZE and y < SIZE and flow:get(x, y) or 0
    end
    local x, y = line[1], line[2]
    while x >= 0 and y >= 0 and x < SIZE and y < SIZE do
        local here = at(x, y)
        cells = cells + (here > 0 and 1 or 0)
        if here >= STREAM then -- on both sides of the line
            local left, right = 0, 0
            for i = -1, 1 do
                local along_x, along_y = x + i * line[3], y + i * line[4]
                left = math.max(left, at(along_x + line[4], along_y - line[3]))
                right = math.max(right, at(along_x - line[4], along_y + line[3]))
            end
            count = count + (math.min(left, right) >= STREAM and 1 or 0)
        end
        x, y = x + line[3], y + line[4]
    end
    return count, cells
end

-- The edges of the first two cuts of the map's square, and as many lines parallel to each as are compared.
local function first_lines()
    local half, first, others = SIZE // 2, {}, {}
    for _, off in ipairs{ 0, -71, -53, -37, 39, 58, 75 } do
        local into = off == 0 and first or others
        table.insert(into, { half + off, 0, 0, 1 })
        table.insert(into, { 0, half + off, 1, 0 })
        table.insert(into, { math.max(off, 0), math.max(-off, 0), 1, 1 })
        table.insert(into, { off > 0 and SIZE - 1 or SIZE - 1 + off, math.max(off, 0), -1, 1 })
    end
    return first, others
end

-- Crossings of the lines of a map, and cells along them.
local function count_crossings(window, lines)
    local count, cells = 0, 0
    for _, line in ipairs(lines) do
        local more, along = crossings(window, line)
        count, cells = count + more, cells + along
    end
    return count, cells
end

-- How much more often rivers cross the first edges of maps than lines beside them, without one of the maps.
local function ratio_without(counts, left_out)
    local sum = { 0, 0, 0, 0 }
    for i, count in ipairs(counts) do
        for k = 1, 4 do
            sum[k] = sum[k] + (i == left_out and 0 or count[k])
        end
    end
    return (sum[1] / sum[2]) / (sum[3] / sum[4])
end

-- That ratio, and its standard error (jackknife): a few large rivers make much of it.
local function crossing_ratio()
    local first, others = first_lines()
    local counts, squares = {}, 0
    for number = 1, seeds do
        local _, _, flow = esker.river_map{ seed = 1000 * seed + number }:render{ size = SIZE }
        local window, count = { flow = flow }, {}
        count[1], count[2] = count_crossings(window, first)
        count[3], count[4] = count_crossings(window, others)
        counts[number] = count
    end
    local ratio = ratio_without(counts)
    for number = 1, seeds do
        squares = squares + (ratio_without(counts, number) - ratio) ^ 2
    end
    return ratio, math.sqrt(squares * (seeds - 1) / seeds)
end

-- --- times -----------------------------------------------------------------------------------------------------------

-- Milliseconds of one thread's processor time, so that a busy machine does not matter: the best of three.
local function milliseconds(prepare, run)
    local best = math.huge
    for _ = 1, 3 do
        local map = prepare()
        local start = os.clock()
        run(map)
        best = math.min(best, 1e3 * (os.clock() - start))
    end
    return best
end

-- --- report ----------------------------------------------------------------------------------------------------------

local function sorted(list)
    local copy = table.move(list or {}, 1, #(list or {}), 1, {})
    table.sort(copy)
    return copy
end

local function mean(list)
    local sum = 0
    for _, value in ipairs(list) do
        sum = sum + value
    end
    return sum / #list
end

local function median(list)
    local values = sorted(list)
    return values[(#values + 1) // 2]
end

local function padded(text, width)
    return text .. (" "):rep(width - utf8.len(text))
end

-- One figure; `low` and `high` are its goal, where it has one. `format` shows the value and what follows it.
local function figure(name, low, high, format, value, ...)
    local goal = low and high and ("%g to %g"):format(low, high) or low and ("≥ %g"):format(low)
        or high and ("≤ %g"):format(high) or "–"
    local reached = value >= (low or -math.huge) and value <= (high or math.huge)
    print(padded(name, 54) .. padded(goal, 16) .. padded(reached and "yes" or "no", 5) .. format:format(value, ...))
    io.stdout:flush()
end

local function each_level(kind, name, call)
    for _, level in ipairs(levels) do
        local list = samples[kind] and samples[kind][name] and samples[kind][name][level]
        if list and #list > 0 then
            call(("%s, 2^%d: "):format(kind, level), sorted(list), level)
        end
    end
end

local function report_water(kind)
    each_level(kind, "raised", function(where, list)
        figure(where .. "raised by fill, %", nil, 0.05, "%.4f mean, most %.4f", 100 * mean(list), 100 * list[#list])
    end)
    each_level(kind, "on", function(where, list)
        figure(where .. "rivers on D8's, %", 98, nil, "%.2f mean, least %.2f", 100 * mean(list), 100 * list[1])
    end)
    each_level(kind, "half", function(where, list)
        figure(where .. "large ones with half, %", 97, nil, "%.2f mean, least %.2f (%d places)", 100 * mean(list),
            100 * list[1], #list)
    end)
    each_level(kind, "same", function(where, list, level)
        figure(where .. "keep their pixel, %", 99, nil, "%.2f", 100 * mean(list))
        figure(where .. "keep it within one, %", 99.95, nil, "%.3f", 100 * mean(samples[kind].near[level]))
    end)
    each_level(kind, "along", function(where, list, level)
        figure(where .. "along the grid (even: 33.3), %", nil, 36, "%.1f",
            100 * mean(list) / mean(samples[kind].chords[level]))
    end)
end

-- --- countries -------------------------------------------------------------------------------------------------------

-- Slopes: real mean ones at cells of 30 m; gentle: the least share of a walk below 8 degrees.
local COUNTRIES = { { name = "plains", slopes = { 0.01, 0.05 }, gentle = 0.6 },
    { name = "hills", slopes = { 0.1, 0.3 }, gentle = 0.3 }, { name = "alps", slopes = { 0.4, 0.65 } } }
local FALLS = { { 1, 10, 0.036, 0.28 }, { 10, 100, 0.009, 0.1 }, { 100, 1000, 0.002, 0.035 } } -- of real rivers, by km²
local FALL_ZOOMS, REAL_ZOOMS, BLOCK = { 1, 4, 16, 128 }, { 1, 16, 128, 1000, 1e5 }, 16
local STEEP = math.deg(math.atan(1.19)) -- 50 degrees

-- A place on land of a map, at least 0.03 of its side from the border.
local function draw_land(map)
    while true do
        local x, y = 0.03 + 0.94 * math.random(), 0.03 + 0.94 * math.random()
        if map:render{ x = x, y = y, zoom = 64, size = 16 }:statistics().min > 5 then
            return { x = x, y = y }
        end
    end
end

-- A window of `zoom` around a place.
local function around(place, zoom, relative)
    local half = 0.5 / zoom
    return { x = math.min(math.max(place.x, half), 1 - half), y = math.min(math.max(place.y, half), 1 - half),
        zoom = zoom, size = SIZE, relative = relative }
end

-- How far the means of blocks differ on the next level, in shares of the map's height: on average, and signed.
local function drift(map, where, altitude, top)
    local finer = map:render{ x = where.x, y = where.y, zoom = where.zoom * 2, size = SIZE } -- the middle of the window
    local rise, off, count = 0, 0, 0
    for y = 0, SIZE - 1, 2 * BLOCK do
        for x = 0, SIZE - 1, 2 * BLOCK do
            local fine = finer:crop{ x = x, y = y, width = 2 * BLOCK, height = 2 * BLOCK }:statistics()
            if fine.min > 0 then
                local coarse = altitude:crop{ x = (SIZE // 2 + x) // 2, y = (SIZE // 2 + y) // 2, width = BLOCK,
                    height = BLOCK }:statistics().mean
                rise, off, count = rise + fine.mean - coarse, off + math.abs(fine.mean - coarse), count + 1
            end
        end
    end
    if count > 0 then
        return off / count / top, rise / count / top
    end
end

local function measure_falls(map, place, found)
    for _, zoom in ipairs(FALL_ZOOMS) do
        local where = around(place, zoom)
        local altitude, _, flow = map:render(where)
        local at = found[zoom] or { sums = {}, offs = {}, rises = {}, slopes = {}, cell = SIDE / SIZE / zoom }
        found[zoom] = at
        measures.add_falls(at.sums, altitude, flow, at.cell)
        table.insert(at.slopes, altitude:gradient_angle():statistics().mean)
        local off, rise = drift(map, where, altitude, altitude.frame.top)
        table.insert(at.offs, off)
        table.insert(at.rises, rise)
    end
end

-- What is measured on windows whose cells have a length in metres.
local function measure_forms(map, place, found)
    local at_30 = map:render(around(place, SIDE / SIZE / 30))
    table.insert(found.slope, math.tan(math.rad(at_30:gradient_angle():statistics().mean)))
    table.insert(found.density, at_30:realism{ cell = 30 }.density)
    table.insert(found.divides, measures.divide_sinuosity(at_30))
    local at_1 = map:render(around(place, SIDE / SIZE, true))
    local angle = at_1:gradient_angle()
    table.insert(found.near, math.tan(math.rad(angle:statistics().mean)))
    table.insert(found.gentle, positive(8 - angle))
    table.insert(found.short, measures.wave_share(map:render(around(place, 16)), 4, 8))
end

local real, steep, windows = {}, 0, 0 -- measures by zoom, windows steeper than 50 degrees, and of how many

local function measure_realism(map, place)
    for _, zoom in ipairs(REAL_ZOOMS) do
        local altitude = map:render(around(place, zoom, zoom > 1e4))
        real[zoom] = real[zoom] or {}
        table.insert(real[zoom], altitude:realism{ cell = SIDE / SIZE / zoom })
        steep = steep + (altitude:gradient_angle():statistics().mean > STEEP and 1 or 0)
        windows = windows + 1
    end
    local deep = map:render(around(place, 1e6, true)):gradient_angle():statistics().mean
    steep, windows = steep + (deep > STEEP and 1 or 0), windows + 1
end

local function report_falls(country, found)
    for _, zoom in ipairs(FALL_ZOOMS) do
        local at, where = found[zoom], ("%s, zoom %d: "):format(country.name, zoom)
        figure(where .. "θ", 0.35, 0.5, "%.2f", measures.concavity_of(at.sums))
        figure(where .. "blocks a level on, % of the height", nil, 2, "%.2f, signed %.2f", 100 * mean(at.offs),
            100 * mean(at.rises))
        figure(where .. "mean slope", nil, nil, "%.4f", math.tan(math.rad(mean(at.slopes))))
    end
    for _, range in ipairs(FALLS) do
        local sum, count = 0, 0
        for zoom, at in pairs(found) do
            for bin, of in pairs(at.sums) do
                local area = 2.0 ^ (bin + 0.5) * (at.cell / 1000) ^ 2
                if area >= range[1] and area < range[2] and zoom > 1 then
                    sum, count = sum + of[1], count + of[2]
                end
            end
        end
        figure(("%s: falls where %d to %d km² drain"):format(country.name, range[1], range[2]), range[3], range[4],
            "%.4f", count > 0 and sum / count or 0)
    end
end

local function report_country(country)
    local falls, forms = {}, { slope = {}, near = {}, density = {}, divides = {}, gentle = {}, short = {} }
    for number = 1, maps do
        local map = esker.river_map{ seed = 100 * seed + number, landscape = country.name }
        local place = draw_land(map)
        measure_falls(map, place, falls)
        measure_forms(map, place, forms)
        measure_realism(map, place)
    end
    local name = country.name .. ": "
    report_falls(country, falls)
    figure(name .. "mean slope, cells of 30 m", country.slopes[1], country.slopes[2], "%.4f", mean(forms.slope))
    figure(name .. "mean slope, cells of 1 m", nil, nil, "%.4f", mean(forms.near))
    figure(name .. "share below 8°, cells of 1 m, %", country.gentle and 100 * country.gentle, nil, "%.0f",
        100 * mean(forms.gentle))
    figure(name .. "density, cells of 30 m", 0.57, 0.67, "%.2f", median(forms.density))
    figure(name .. "waves of 4 to 8 cells, zoom 16, %", nil, 25, "%.0f", 100 * mean(forms.short))
    figure(name .. "sinuosity of divides, cells of 30 m", 1.04, 1.15, "%.2f", mean(forms.divides)) -- ten real windows
end

-- The median of each measure beside the range of real land with cells of the same size.
local function report_realism()
    for _, zoom in ipairs(REAL_ZOOMS) do
        local ranges, all = esker.realism_ranges{ cell = SIDE / SIZE / zoom }, real[zoom]
        local outside, inside, scores = {}, 0, {}
        for name, range in pairs(ranges) do
            local values = {}
            for _, of in ipairs(all) do
                values[#values + 1] = of[name] ~= 0 and of[name] or nil
            end
            local middle = median(values)
            if middle and (middle < range[1] or middle > range[2]) then
                outside[#outside + 1] = ("%s %.3g"):format(name, middle)
            end
            inside = inside + (middle and middle >= range[1] and middle <= range[2] and 1 or 0)
        end
        for _, of in ipairs(all) do
            scores[#scores + 1] = of.score
        end
        table.sort(outside)
        figure(("zoom %d: measures like real land's"):format(zoom), 15, nil, "%d of %d; score %.2f; %s", inside,
            inside + #outside, mean(scores), table.concat(outside, ", "))
    end
end

-- Lakes, and hollows beside them, in shares of the land of three maps.
local function report_lakes(lakes, low, high)
    local wet, hollow = {}, {}
    for number = 1, maps do
        local map = esker.river_map{ seed = 100 * seed + number, lakes = lakes }
        local altitude, _, flow, water = map:render{ size = 2 * SIZE }
        local land = positive(flow)
        table.insert(wet, water and positive(water) / land or 0)
        table.insert(hollow, positive(altitude:fill{ sea_level = 0 } - altitude) / land)
    end
    local name = ("lakes = %g, zoom 1: "):format(lakes)
    figure(name .. "lakes, % of the land", low, high, "%.2f", 100 * mean(wet))
    figure(name .. "hollows, % of the land", nil, 0.05, "%.3f", 100 * mean(hollow))
end

local function report_times()
    local threads = esker.threads()
    esker.threads(1)
    local function fresh() return esker.river_map{ seed = 2 } end
    local tile = { x = 0.421, y = 0.5747, zoom = 128, size = SIZE }
    local function with_parents()
        local map = fresh()
        map:render{ x = tile.x, y = tile.y, zoom = tile.zoom / 2, size = SIZE }
        return map
    end
    local function with_root()
        local map = fresh()
        map:render{ size = 16 }
        return map
    end
    figure("1024² at zoom 1, level 0 kept, ms", nil, 97, "%.0f", milliseconds(with_root, function(map)
        map:render{ size = 1024 }
    end))
    figure("256² at zoom 128, parents kept, ms", nil, 10, "%.1f", milliseconds(with_parents, function(map)
        map:render(tile)
    end))
    figure("first tile of a map, ms", nil, 500, "%.0f", milliseconds(fresh, function(map) map:render(tile) end))
    esker.threads(threads)
end

math.randomseed(seed)
print(padded("figure", 54) .. padded("goal", 16) .. "met  measured")
if maps > 0 then
    for _, country in ipairs(COUNTRIES) do
        report_country(country)
    end
    report_realism()
    figure("windows steeper than 50° on average", nil, 0, "%d of %d", steep, windows)
    report_lakes(0, nil, nil)
    report_lakes(0.01, 0.2, 2)
    report_times()
end
for _ = 1, places do
    measure_place(draw_place())
end
for _, kind in ipairs(kinds) do
    report_water(kind.name)
end
if seeds > 0 then
    local ratio, off = crossing_ratio()
    figure("rivers across first edges, to elsewhere", 0.8, 1.2, "%.3f ± %.3f", ratio, 2 * off)
end
print(("# seed %d, %d maps, %d places, %d maps for watersheds; %.0f s of processor time"):format(seed, maps, places,
    seeds, os.clock()))
