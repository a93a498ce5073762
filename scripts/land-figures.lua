-- Measures endless land; docs/land-figures.md has the figures: lua5.4 scripts/land-figures.lua [SEED [PLACES [SEEDS]]]
-- At PLACES (50) random places, each of a random map, drawn from SEED (1), and for straight watersheds on SEEDS (200)
-- maps. A window has 256² pixels, which are the cells of level log2(zoom). `3 2 5` takes seconds; `1 0 0` measures only
-- what follows: the law's slopes at a place by chance on each of three maps of each landscape.
-- Prints one line for each figure: the goal, what was measured, and whether it is reached.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local seed, places, seeds = tonumber(arg[1]) or 1, tonumber(arg[2]) or 50, tonumber(arg[3]) or 200

local SIZE, SCALE = 256, 1 / 3e6 -- of windows; a metre in sides of the map
local STREAM, RIVER, LARGE = 24, 64, 1024 -- what they drain, in cells

-- Two kinds of maps at each place: as they are, and with hillslopes of a metre. `finest`: the last level with streams.
local kinds = { { name = "default", finest = 8, levels = { 0, 2, 4, 6, 8, 10, 12, 20, 30 } },
    { name = "hillslope 1", hillslope = 1, finest = 15, levels = { 10, 12, 14, 20 } } }
local levels = { 0, 2, 4, 6, 8, 10, 12, 14, 20, 30 }
local water_levels = { [0] = true, [4] = true, [8] = true, [12] = true, [20] = true }
local real_levels = { [0] = true, [10] = true, [20] = true, [30] = true }

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

local function realism(window)
    return window.altitude:realism{ sea_level = window.sea, vertical_scale = SCALE * window.altitude.width }
end

local function stream_share(window)
    return positive(window.flow - (STREAM - 0.5)) / land_share(window)
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
            local streams = level <= kind.finest
            local window = window_at(map, place, level, SIZE)
            if land_share(window) > (level == 0 and 0.1 or 0.5) then
                local measures = realism(window)
                keep(kind.name, "slope", level, measures.slope)
                keep(kind.name, "streams", level, streams and stream_share(window) or nil)
                if real_levels[level] then -- of the whole map, as one looks at it, or of these cells
                    measures = level > 0 and measures or realism(window_at(map, place, level, 4 * SIZE))
                    keep(kind.name, "measures", level, measures)
                end
                if water_levels[level] and streams then
                    measure_water(map, place, kind.name, level, window)
                elseif water_levels[level] then
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

-- How much more often rivers cross the first edges of `maps` than lines beside them, without one of them.
local function ratio_without(maps, left_out)
    local sum = { 0, 0, 0, 0 }
    for i, map in ipairs(maps) do
        for k = 1, 4 do
            sum[k] = sum[k] + (i == left_out and 0 or map[k])
        end
    end
    return (sum[1] / sum[2]) / (sum[3] / sum[4])
end

-- That ratio, and its standard error (jackknife): a few large rivers make much of it.
local function crossing_ratio()
    local first, others = first_lines()
    local maps, squares = {}, 0
    for number = 1, seeds do
        local _, _, flow = esker.river_map{ seed = 1000 * seed + number }:render{ size = SIZE }
        local window, map = { flow = flow }, {}
        map[1], map[2] = count_crossings(window, first)
        map[3], map[4] = count_crossings(window, others)
        maps[number] = map
    end
    local ratio = ratio_without(maps)
    for number = 1, seeds do
        squares = squares + (ratio_without(maps, number) - ratio) ^ 2
    end
    return ratio, math.sqrt(squares * (seeds - 1) / seeds)
end

-- --- times -----------------------------------------------------------------------------------------------------------

-- On one thread of processor time, so that a busy machine does not matter.
local function times(threads)
    local now = threads == 1 and os.clock or esker.seconds
    local function milliseconds(run)
        local start = now()
        run()
        return 1e3 * (now() - start)
    end
    esker.threads(threads)
    local map, list = esker.river_map{ seed = 2 }, {}
    local hill = esker.diamond_square{ size = 1024, seed = 1 }
    local deep = { x = 0.421, y = 0.5747, zoom = 2.0 ^ 30, size = 1024 }
    list[1] = milliseconds(function() map:render{ size = 1024 } end)
    map:render{ x = 0.421, y = 0.5747, zoom = 64, size = 256 }
    list[2] = milliseconds(function() map:render{ x = 0.421, y = 0.5747, zoom = 128, size = 256 } end)
    list[3] = milliseconds(function() esker.river_map{ seed = 2 }:render(deep) end)
    list[4] = milliseconds(function() hill:stream_erosion{ age = 1 } end)
    list[5] = milliseconds(function() hill:resize{ size = 512 }:amplify{ levels = 3 } end)
    return list
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

local function share_within(list, low, high)
    local inside = 0
    for _, value in ipairs(list) do
        inside = inside + (value >= low and value <= high and 1 or 0)
    end
    return inside / #list
end

local function padded(text, width)
    return text .. (" "):rep(width - utf8.len(text))
end

local function line(name, goal, reached, format, ...)
    local values = { ... }
    for i, value in ipairs(values) do
        if value ~= value then
            values[i] = 0 -- nothing was measured
        end
    end
    print(padded(name, 38) .. padded(goal, 34) .. padded(reached and "yes" or "no", 5)
        .. format:format(table.unpack(values)))
end

local function each_level(kind, figure, call)
    for _, level in ipairs(levels) do
        local list = samples[kind] and samples[kind][figure] and samples[kind][figure][level]
        if list and #list > 0 then
            call(level, sorted(list))
        end
    end
end

local function report_water(kind)
    each_level(kind, "raised", function(level, list)
        line(("%s, 2^%d: raised by fill"):format(kind, level), "≤ 0.05 % mean, ≤ 0.3 % most",
            mean(list) <= 0.0005 and list[#list] <= 0.003, "%.4f %%, %.4f %%", 100 * mean(list), 100 * list[#list])
    end)
    each_level(kind, "on", function(level, list)
        line(("%s, 2^%d: rivers on D8's"):format(kind, level), "≥ 98 %: mean, least", mean(list) >= 0.98,
            "%.2f %%, %.2f %%", 100 * mean(list), 100 * list[1])
    end)
    each_level(kind, "half", function(level, list)
        line(("%s, 2^%d: large, half of it"):format(kind, level), "≥ 97 %: mean, least", list[1] >= 0.97,
            "%.2f %%, %.2f %% (%d places)", 100 * mean(list), 100 * list[1], #list)
    end)
    each_level(kind, "same", function(level, list)
        local near = samples[kind].near[level]
        line(("%s, 2^%d: keep their pixel"):format(kind, level), "≥ 99 %, within one 100 %",
            mean(list) >= 0.99 and mean(near) >= 0.9995, "%.2f %%, %.3f %%", 100 * mean(list), 100 * mean(near))
    end)
    each_level(kind, "along", function(level, list)
        local share = mean(list) / mean(samples[kind].chords[level])
        line(("%s, 2^%d: along the grid"):format(kind, level), "≤ 36 % (even: 33.3)", share <= 0.36, "%.1f %%",
            100 * share)
    end)
end

local function report_slopes(kind)
    each_level(kind, "slope", function(level, list)
        local inside = share_within(list, 0.3, 0.9)
        line(("%s, level %d: mean slope"):format(kind, level), "0.3 to 0.9 at ≥ 90 %", inside >= 0.9,
            "%.2f, %.2f to %.2f; %.0f %% of %d", mean(list), list[1], list[#list], 100 * inside, #list)
    end)
    each_level(kind, "streams", function(level, list)
        local inside = share_within(list, 0.0995, 0.1405)
        line(("%s, level %d: streams"):format(kind, level), "10 to 14 % at ≥ 90 %", inside >= 0.9,
            "%.1f %%, %.1f to %.1f; %.0f %% of %d", 100 * mean(list), 100 * list[1], 100 * list[#list], 100 * inside,
            #list)
    end)
end

-- The median of each measure beside the range of real land.
local function report_realism(kind)
    local ranges = esker.realism_ranges{}
    for _, level in ipairs(levels) do
        local all = samples[kind] and samples[kind].measures and samples[kind].measures[level] or {}
        local outside, inside, scores = {}, 0, {}
        for name, range in pairs(ranges) do
            local values = {}
            for _, measures in ipairs(all) do
                values[#values + 1] = measures[name] ~= 0 and measures[name] or nil
            end
            values = sorted(values)
            local median = values[(#values + 1) // 2]
            if median and (median < range[1] or median > range[2]) then
                outside[#outside + 1] = ("%s %.3g"):format(name, median)
            end
            inside = inside + (median and median >= range[1] and median <= range[2] and 1 or 0)
        end
        for _, measures in ipairs(all) do
            scores[#scores + 1] = measures.score
        end
        table.sort(outside)
        if #all > 0 then
            line(("%s, 2^%d: realism"):format(kind, level), "all measures", #outside == 0, "%d of %d; score %.2f; %s",
                inside, inside + #outside, mean(scores), table.concat(outside, ", "))
        end
    end
end

-- --- countries -------------------------------------------------------------------------------------------------------

local COUNTRIES = { { name = "plains", low = 0.01, high = 0.05 }, { name = "hills", low = 0.1, high = 0.3 },
    { name = "alps", low = 0.4, high = 0.65 } } -- real mean slopes at cells of 30 m; level 8 has 46 m
local FALLS = { { 1, 10, 0.036, 0.28 }, { 10, 100, 0.009, 0.1 }, { 100, 1000, 0.002, 0.035 } } -- of real rivers, by km²
local COUNTRY_LEVELS, MAPS, BLOCK = { 0, 2, 4, 7, 8 }, 3, 16

local function steepest_fall(altitude, x, y)
    local most = 0
    for j = y - 1, y + 1 do
        for i = x - 1, x + 1 do
            local fall = (altitude:get(x, y) - altitude:get(i, j)) / (i ~= x and j ~= y and math.sqrt(2) or 1)
            most = math.max(most, fall)
        end
    end
    return most
end

-- Adds falls and counts of pixels that drain 24 or more, by powers of 2 of what they drain in cells.
local function add_falls(sums, altitude, flow, cell)
    for y = 1, SIZE - 2 do
        for x = 1, SIZE - 2 do
            local drained = flow:get(x, y)
            if drained >= STREAM then
                local bin = math.log(drained, 2) // 1
                local sum = sums[bin] or { 0, 0 }
                sums[bin] = { sum[1] + steepest_fall(altitude, x, y) / cell, sum[2] + 1 }
            end
        end
    end
end

-- The exponent that fits the mean falls of bins of 100 pixels and more.
local function theta_of(sums)
    local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
    for bin, sum in pairs(sums) do
        if sum[2] >= 100 and sum[1] > 0 then
            local x, y = (bin + 0.5) * math.log(2), math.log(sum[1] / sum[2])
            n, sx, sy, sxx, sxy = n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y
        end
    end
    return n > 2 and -(n * sxy - sx * sy) / (n * sxx - sx * sx) or nil
end

-- How far the means of blocks differ on the next level, on average and signed, in shares of the map's height.
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
        return rise / count / top, off / count / top
    end
end

-- A place on land of a map, at least 0.03 of its side from the border.
local function draw_land(map)
    while true do
        local x, y = 0.03 + 0.94 * math.random(), 0.03 + 0.94 * math.random()
        if map:render{ x = x, y = y, zoom = 64, size = 16 }:statistics().min > 5 then
            return { x = x, y = y }
        end
    end
end

local function measure_country(country)
    local figures = {}
    for number = 1, MAPS do
        local map = esker.river_map{ seed = 100 * seed + number, landscape = country.name }
        local place = draw_land(map)
        for _, level in ipairs(COUNTRY_LEVELS) do
            local half = 2.0 ^ -(level + 1)
            local where = { x = math.min(math.max(place.x, half), 1 - half), zoom = 2.0 ^ level, size = SIZE,
                y = math.min(math.max(place.y, half), 1 - half) }
            local altitude, _, flow = map:render(where)
            local cell = 1 / SCALE / SIZE / where.zoom
            local figure = figures[level] or { sums = {}, slopes = {}, rises = {}, offs = {}, cell = cell }
            figures[level] = figure
            add_falls(figure.sums, altitude, flow, cell)
            table.insert(figure.slopes, (altitude:gradient_angle():statistics().mean))
            local rise, off = drift(map, where, altitude, altitude.frame.top)
            table.insert(figure.rises, rise)
            table.insert(figure.offs, off)
        end
    end
    return figures
end

local function report_country(country)
    local figures = measure_country(country)
    for _, level in ipairs(COUNTRY_LEVELS) do
        local figure = figures[level]
        local function report(name, goal, reached, format, ...)
            line(("%s, zoom %d: %s"):format(country.name, 1 << level, name), goal, reached, format, ...)
        end
        local theta, slope = theta_of(figure.sums) or 0, math.tan(math.rad(mean(figure.slopes)))
        report("concavity", "0.33 to 0.50", theta >= 0.33 and theta <= 0.5, "%.2f", theta)
        report("mean slope", level == 8 and ("%g to %g"):format(country.low, country.high) or "–",
            level < 8 or slope >= country.low and slope <= country.high, "%.4f", slope)
        report("blocks 1 level on", "≤ 2 % of the height", mean(figure.offs) <= 0.02,
            "%.2f %%, their mean %.2f %%", 100 * mean(figure.offs), 100 * mean(figure.rises))
    end
    for _, range in ipairs(FALLS) do
        local sum, count = 0, 0
        for level, figure in pairs(figures) do
            for bin, of in pairs(figure.sums) do
                local area = 2.0 ^ (bin + 0.5) * (figure.cell / 1000) ^ 2
                if area >= range[1] and area < range[2] and level > 0 then
                    sum, count = sum + of[1], count + of[2]
                end
            end
        end
        line(("%s: falls, %d to %d km²"):format(country.name, range[1], range[2]),
            ("%g to %g"):format(range[3], range[4]), sum / count >= range[3] and sum / count <= range[4], "%.4f",
            sum / count)
    end
end

local function report_times()
    local goals = { { "1024² at zoom 1", 200, 110 }, { "256² tile, parent kept", 15 }, { "1024² at 2^30", 700 },
        { "stream_erosion 1024²", nil, 600 }, { "amplify 512² to 4096²", nil, 2000 } }
    local one, two = times(1), times(2)
    for i, goal in ipairs(goals) do
        line(goal[1], ("≤ %s ms, %s ms on two threads"):format(goal[2] or "–", goal[3] or "–"),
            one[i] <= (goal[2] or math.huge) and two[i] <= (goal[3] or math.huge), "%.0f ms, %.0f ms", one[i], two[i])
    end
end

math.randomseed(seed)
for _ = 1, places do
    measure_place(draw_place())
end
print(padded("figure", 38) .. padded("goal", 34) .. "met  measured")
for _, kind in ipairs(kinds) do
    report_water(kind.name)
    report_slopes(kind.name)
    report_realism(kind.name)
end
for _, country in ipairs(COUNTRIES) do
    report_country(country)
end
local ratio, off = crossing_ratio() -- not reached where chance, two standard errors, does not explain it
line("rivers across first edges", "0.8 to 1.2 of elsewhere", ratio + 2 * off >= 0.8 and ratio - 2 * off <= 1.2,
    "%.3f ± %.3f", ratio, 2 * off)
report_times()
print(("# seed %d, %d places, %d maps; %.0f s of processor time"):format(seed, places, seeds, os.clock()))
