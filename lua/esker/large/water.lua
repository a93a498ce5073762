-- Water on fields larger than memory, strip by strip (src/large/large.h): what `fill` and `flow_accumulation` do in
-- memory.

local planes = require "esker.planes"
local stages = require "esker.large.stages"

local fall_radius <const> = 8 -- FALL_RADIUS of src/water/even_choice.h: rows on which a cell's way depends

local water = {}

-- What all strips know of the whole: the lowest height, where there are gaps.
local facts_form <const> = "<I1d"

local function facts_in(text)
    if #text < facts_form:packsize() then
        error("the notes of a strip are damaged", 0)
    end
    local gaps, least = facts_form:unpack(text)
    return { has_gaps = gaps == 1, least = least }
end

local function facts_of(field)
    if field.gaps == 0 then
        return facts_form:pack(0, 0)
    end
    return facts_form:pack(1, field.gaps < field.width * field.height and field:statistics().min or math.huge)
end

-- The facts of several strips.
local function join_facts(list)
    local least, gaps = math.huge, 0
    for _, each in ipairs(list) do
        gaps, least = each.has_gaps and 1 or gaps, each.has_gaps and math.min(least, each.least) or least
    end
    return facts_form:pack(gaps, least < math.huge and least or 0)
end

-- Filled heights of `large`: where their rows are, with `facts` of the whole.
function water.fill(large, sea)
    local work, count = stages.begin("fill"), stages.strips(large)
    local source = work:source(large)
    local header = facts_form:packsize()
    local looked = work:each("look", count, function(strip)
        local field = source.take(strip)
        return facts_of(field) .. planes.fill_look(field, strip > 1, strip < count, sea)
    end)
    local levels = work:once("levels", count, function()
        local join, facts = planes.fill_join(large.width), {}
        for strip = 1, count do
            local text = looked(strip, true)
            facts[strip] = facts_in(text)
            join:add(text:sub(header + 1))
        end
        local list, all = join:solve(count), join_facts(facts)
        for strip = 1, count do
            list[strip] = all .. list[strip]
        end
        return list
    end)
    local filled = work:over("filled", large)
    work:each("finish", count, function(strip)
        local field = source.read(stages.extent(large, strip))
        local own_levels = levels(strip):sub(header + 1)
        filled.put(strip, planes.fill_finish(field, strip > 1, strip < count, sea, own_levels), field)
        return ""
    end)
    filled.facts = facts_in(levels(1))
    return filled
end

-- --- directions ------------------------------------------------------------------------------------------------------

-- Calls `visit(y)` for each row that has cells without a direction.
local function each_unsettled(unsettled, visit)
    local y = unsettled:find("\1", 1, true)
    while y do
        visit(y - 1)
        y = unsettled:find("\1", y + 1, true)
    end
end

water.most_cells = 1 << 24 -- of a window of flats

local function cells_of(window)
    return (window[2] - window[1] + 1) * (window[4] - window[3] + 1)
end

-- Windows of flats that reach across strips, and of those that are too large: lists of { first row, last row, first
-- column, last column, seed } (FlatWindow of src/large/large.h).
local function plan_flats(large, unsettled, read)
    local rows = {}
    each_unsettled(unsettled, function(y) rows[#rows + 1] = y end)
    local at, from, block = 0, 0, ""
    local most_rows = math.max(math.min(large.rows, water.most_cells // large.width), 1)
    local numbers = planes.flat_windows(large.width, most_rows, function()
        at = at + 1
        local y = rows[at]
        if y and (y - from) * large.width >= #block then -- parts are checked in pieces of several rows
            from, block = y, read(y, math.min(64, large.height - y))
        end
        return y, y and block:sub((y - from) * large.width + 1, (y + 1 - from) * large.width)
    end)
    local windows, tall = {}, {}
    for i = 1, #numbers, 5 do
        local each = table.move(numbers, i, i + 4, 1, {})
        local list = each[5] >= 0 and cells_of(each) > water.most_cells and tall or windows
        list[#list + 1] = each
    end
    table.sort(windows, function(a, b) -- the largest first, so that shares of them take about as long
        if cells_of(a) ~= cells_of(b) then
            return cells_of(a) > cells_of(b)
        end
        return a[1] ~= b[1] and a[1] < b[1] or a[1] == b[1] and a[5] < b[5]
    end)
    return windows, tall
end

local function windows_text(windows)
    local list = {}
    for i, each in ipairs(windows) do
        list[i] = table.concat(each, " ")
    end
    return table.concat(list, "\n")
end

local function windows_in(text)
    local windows = {}
    for line in text:gmatch("[^\n]+") do
        local each = {}
        for number in line:gmatch("%-?%d+") do
            each[#each + 1] = math.tointeger(number)
        end
        windows[#windows + 1] = each
    end
    return windows
end

-- The part of the field around a window: filled heights, their directions, and its first column.
local function part_around(large, filled, directions, window)
    local top, bottom = math.max(window[1] - fall_radius, 0), math.min(window[2] + fall_radius, large.height - 1)
    local left, right = math.max(window[3] - fall_radius, 0), math.min(window[4] + fall_radius, large.width - 1)
    local width, height = right - left + 1, bottom - top + 1
    local heights = filled.part(left, top, width, height)
    return planes.window_of(heights, large.width, large.height, top, nil),
        directions.part(left, top, width, height), left
end

-- A plane with the rows that matter to flats in some windows, for functions that need cells in any order.
local function plane_of(store, large, bytes, windows)
    local plane = planes.create(large.width, large.height, bytes)
    local at_once = math.max(math.min(large.rows, 64), 1) -- reading one row takes long where it meets many patches
    for _, each in ipairs(windows) do
        local bottom = math.min(each[2] + fall_radius, large.height - 1)
        for y = math.max(each[1] - fall_radius, 0), bottom, at_once do
            plane[bytes and "write_bytes" or "write"](plane, y, store.read(y, math.min(at_once, bottom + 1 - y)))
        end
    end
    return plane
end

-- A plane with the directions of flats that have too many rows for a window: drained over cells on disk, all others
-- being drained.
local function drain_tall(large, filled, directions, tall, sea, least)
    local heights, plane = plane_of(filled, large, false, tall), plane_of(directions, large, true, tall)
    planes.flats(heights, plane, tall, sea, least)
    heights:free()
    return plane
end

-- The directions of `large`, whose filled heights are known: a function of a strip, and one that frees them.
local function find_directions(work, large, filled, sea, least)
    local count = stages.strips(large)
    local found = work:rows("directions", large, true)
    local function window_of(top, stop)
        return planes.window_of(filled.read(top, stop - top), large.width, large.height, top, large.frame or nil)
    end
    local looked = work:each("directions", count, function(strip)
        local first, rows = stages.extent(large, strip)
        local top = math.max(first - fall_radius, 0)
        local window = window_of(top, math.min(first + rows + fall_radius, large.height))
        local directions = planes.directions(window, first - top, rows, sea, least)
        found.put(strip, directions)
        return planes.unsettled(directions, large.width)
    end)
    local plan = work:once("windows", 2, function()
        local all = {}
        for strip = 1, count do
            all[strip] = looked(strip, true)
        end
        local windows, tall = plan_flats(large, table.concat(all), found.read)
        return { windows_text(windows), windows_text(tall) }
    end)
    local windows, tall = windows_in(plan(1)), windows_in(plan(2))
    local patches = work:each("flats", #windows, function(i)
        collectgarbage() -- the part of the window before is large
        local part, directions, left = part_around(large, filled, found, windows[i])
        return planes.drain_flats(part, directions, left, windows[i], sea, least)
    end)
    -- Rows with the directions of flats that lie in windows.
    local function patched(first, rows)
        local directions, list = found.read(first, rows), {}
        for i, each in ipairs(windows) do
            local from, to = math.max(first, each[1]), math.min(first + rows, each[2] + 1)
            if from < to then
                local laid = { patches(i), from - first, each[3], each[4] - each[3] + 1, from - each[1], to - from }
                table.move(laid, 1, #laid, #list + 1, list)
            end
        end
        return #list > 0 and planes.patch(directions, large.width, list) or directions
    end
    if found.plane then -- of this process alone: nobody needs what was there before
        for strip = 1, count do
            found.put(strip, patched(stages.extent(large, strip)))
        end
        patches = nil -- luacheck: no unused
        planes.give_back()
        if #tall > 0 then
            planes.flats(filled.plane, found.plane, tall, sea, least)
        end
        return function(strip) return found.read(stages.extent(large, strip)) end, found.free
    end
    local rest = work:rows("rest", large, true)
    local is_in_rest = work:once("tall", count, function()
        local flags = {}
        local plane = #tall > 0 and drain_tall(large, filled, { read = patched }, tall, sea, least)
        for strip = 1, count do
            local first, rows = stages.extent(large, strip)
            local is_tall = {}
            for _, each in ipairs(tall) do
                for y = math.max(first, each[1]), math.min(first + rows - 1, each[2]) do
                    is_tall[y] = true
                end
            end
            flags[strip] = next(is_tall) and "tall" or ""
            if next(is_tall) then
                local directions, parts = patched(first, rows), {}
                for y = first, first + rows - 1 do
                    local at = (y - first) * large.width
                    parts[#parts + 1] = is_tall[y] and plane:read_bytes(y, 1)
                        or directions:sub(at + 1, at + large.width)
                end
                rest.put(strip, table.concat(parts))
            end
        end
        if plane then
            plane:free()
        end
        return flags
    end)
    return function(strip)
        local first, rows = stages.extent(large, strip)
        return is_in_rest(strip) == "tall" and rest.read(first, rows) or patched(first, rows)
    end, function()
        found.free()
        rest.free()
    end
end

-- Where water goes on `large`: { filled =, facts =, direction = a function of a strip, work =, temporary =, done = }.
-- `done(result)` returns the result and frees all that served it, also the rows that `temporary(rows)` returned.
-- `known`: filled heights that others have.
local function drain(large, sea, operation, known)
    local filled = known or water.fill(large, sea)
    local work = stages.begin(operation)
    local direction, free_directions = find_directions(work, large, filled, sea, filled.facts.least)
    local served = known and {} or { filled }
    local function temporary(rows)
        served[#served + 1] = rows
        return rows
    end
    local function done(result)
        free_directions()
        for _, rows in ipairs(served) do
            rows.free()
        end
        return result
    end
    return { filled = filled, facts = filled.facts, direction = direction, work = work, temporary = temporary,
        done = done }
end

-- What joins found of gates: a function of a strip.
local function join_gates(large, looked, what)
    local count = stages.strips(large)
    local join = planes.gate_join(large.width, count)
    for strip = 1, count do
        join:add(looked(strip, true))
    end
    join:solve(what)
    return function(strip) return join:values(strip, large.width) end
end

-- A result with the gaps of the heights.
local function with_gaps(large, drained, strip, field)
    if drained.facts.has_gaps then
        return field:set_gaps(drained.filled.read(stages.extent(large, strip)):find_gaps())
    end
    return field
end

-- Rows of a result: `make(strip)` gives each strip. `note(field)`, if it is there, notes what is to be known of it.
-- `keep`: cells without data keep what they have.
local function results(work, name, large, drained, make, note, keep)
    local rows = work:rows(name, large)
    rows.notes = work:each("finish", stages.strips(large), function(strip)
        local field = make(strip)
        rows.put(strip, keep and field or with_gaps(large, drained, strip, field))
        return note and note(field) or ""
    end)
    rows.facts = drained.facts
    return rows
end

-- How many cells drain through each. `last`: they are a result, and cells without data have none; otherwise the notes
-- of the rows are the most.
local function count_cells(large, drained, last)
    local work, count = drained.work, stages.strips(large)
    local looked = work:each("look", count, function(strip)
        return planes.count_look(drained.direction(strip), large.width)
    end)
    local entering = work:once("entering", count, function() return join_gates(large, looked) end)
    return results(work, "sums", large, drained, function(strip)
        return planes.count_finish(drained.direction(strip), large.width, entering(strip))
    end, not last and function(field) return ("<d"):pack(field:statistics().max) end, not last)
end

-- The cells that drain through each cell of `large`: where their rows are.
function water.count(large, sea, known)
    local drained = drain(large, sea, "flow", known)
    return drained.done(count_cells(large, drained, true))
end

-- Sums up water that parts between two neighbours, in a plane: strips are visited until no cell can go on, downwards
-- and upwards in turns. `by_area`: it does not part, but cells count with their areas.
local function sum_parted(large, drained, sea, by_area)
    local count = stages.strips(large)
    local parts = { planes.create(large.width, large.height), planes.create(large.width, large.height),
        planes.create(large.width, large.height), planes.create(large.width, large.height, true) }
    for strip = 1, count do
        local first, rows = stages.extent(large, strip)
        local top = math.max(first - fall_radius, 0)
        local stop = math.min(first + rows + fall_radius, large.height)
        local window = planes.window_of(drained.filled.read(top, stop - top), large.width, large.height, top,
            large.frame or nil)
        planes.part(drained.direction(strip), window, first - top, sea, drained.facts.least, parts, by_area)
    end
    local waits = {}
    for strip = 1, count do
        planes.part_count(parts, stages.extent(large, strip))
        waits[strip] = true
    end
    local function visit(strip)
        local first, rows = stages.extent(large, strip)
        return planes.part_visit(parts, first, rows, by_area and large.frame or nil)
    end
    local from, to, step = 1, count, 1
    while next(waits) do
        for strip = from, to, step do
            if waits[strip] then
                local above, below = visit(strip)
                waits[strip - 1] = above or waits[strip - 1]
                waits[strip + 1] = below or waits[strip + 1]
                waits[strip] = nil
            end
        end
        from, to, step = to, from, -step
    end
    parts[1]:free()
    parts[3]:free()
    parts[4]:free()
    return parts[2]
end

-- What drains through each cell of `large` if water parts (D-infinity): where their rows are. One process sums up.
function water.part(large, sea, known)
    local drained = drain(large, sea, "parting", known)
    local rows, count = drained.work:rows("sums", large), stages.strips(large)
    drained.work:once("parted", count, function()
        local sums, done = sum_parted(large, drained, sea), {}
        for strip = 1, count do
            rows.put(strip, with_gaps(large, drained, strip, sums:read(stages.extent(large, strip))))
            done[strip] = ""
        end
        sums:free()
        return done
    end)
    rows.facts = drained.facts
    return drained.done(rows)
end

local function rows_differ(large)
    return select(2, planes.ground(large.width, large.height, large.frame or nil))
end

-- What drains through each cell of `large`: cells, or where rows differ in size, cells of the middle row's, which one
-- process sums up.
local function drained_areas(large, drained, sea)
    if not rows_differ(large) then
        return count_cells(large, drained)
    end
    local rows, count = drained.work:rows("areas", large), stages.strips(large)
    rows.notes = drained.work:once("weighed", count, function()
        local sums, done = sum_parted(large, drained, sea, true), {}
        for strip = 1, count do
            local field = sums:read(stages.extent(large, strip))
            rows.put(strip, field)
            done[strip] = ("<d"):pack(field:statistics().max)
        end
        sums:free()
        return done
    end)
    return rows
end

-- The direction of each cell, as a code, or with `angle` as an angle.
function water.direction(large, sea, known, angle)
    local drained = drain(large, sea, "direction", known)
    return drained.done(results(drained.work, "names", large, drained, function(strip)
        return planes.flow_direction(drained.direction(strip), large.width, angle, large.frame or nil)
    end))
end

-- Follows the water of each cell to where it ends. `visit(strip, ends)` gives notes, or with `ends` the result.
local function follow(large, drained, work, visit, what)
    local looked = work:each("look", stages.strips(large), function(strip) return visit(strip) end)
    local ends = work:once("ends", stages.strips(large), function() return join_gates(large, looked, what) end)
    return results(work, "values", large, drained, function(strip) return visit(strip, ends(strip)) end)
end

-- Rows of heights with one more on each side, and which of them is the strip's first.
local function around(large, read, strip)
    local first, rows = stages.extent(large, strip)
    local top, stop = math.max(first - 1, 0), math.min(first + rows + 1, large.height)
    return read(top, stop - top), first - top
end

-- Heights with pits opened by channels, and whether some are left. `limits`: of planes.breach_limits.
function water.breach(large, sea, known, limits)
    local filled = known or water.fill(large, sea)
    local work, count, least = stages.begin("breach"), stages.strips(large), filled.facts.least
    local source = work:source(large)
    local found = work:each("pits", count, function(strip)
        local window, first = around(large, source.read, strip)
        local row, rows = stages.extent(large, strip)
        return planes.breach_pits(window, first, filled.read(row, rows), row, sea, least)
    end)
    local open = work:rows("open", large)
    local dug = work:once("dug", count, function()
        local given = limits[2] > 0 and planes.create(large.width, large.height) or nil
        local ground, marks = planes.create(large.width, large.height), planes.create(large.width, large.height, true)
        local pits, notes = {}, {}
        for strip = 1, count do
            local first, rows = stages.extent(large, strip)
            planes.breach_rows(source.read(first, rows), first, sea, least, given, ground, marks)
            pits[strip] = found(strip, true)
        end
        local left = planes.breach(limits, large.frame or nil, pits, given, ground, marks)
        for strip = 1, count do
            local drained = { facts = filled.facts, filled = filled }
            open.put(strip, with_gaps(large, drained, strip, ground:read(stages.extent(large, strip))))
            notes[strip] = left and "left" or ""
        end
        for _, plane in ipairs{ ground, marks, given } do
            plane:free()
        end
        return notes
    end)
    open.facts = filled.facts
    if not known then
        filled.free()
    end
    return open, dug(1) == "left"
end

-- Labels of basins.
function water.basins(large, sea, known)
    local drained = drain(large, sea, "basins", known)
    local source = drained.work:source(large)
    return drained.done(follow(large, drained, drained.work, function(strip, ends)
        local window, first = around(large, source.read, strip)
        return planes.basins(drained.direction(strip), window, first, sea, ends)
    end, "ends"))
end

-- Orders of streams, which are where `least` cells drain through, or those of `rivers`, a large field.
function water.orders(large, sea, known, least, by_area, method, rivers)
    local drained = drain(large, sea, "flow", known)
    local through = by_area and drained_areas or count_cells
    local sums = (not rivers or method == "hack") and drained.temporary(through(large, drained, sea))
    local work, count = stages.begin("order"), stages.strips(large)
    local source = work:source(large)
    local function visit(strip, orders)
        local window, first = around(large, source.read, strip)
        return planes.orders(drained.direction(strip), window, first, sea, orders,
            sums and around(large, sums.read, strip) or nil, least, rivers and around(large, rivers, strip) or nil)
    end
    local looked = work:each("look", count, function(strip) return visit(strip) end)
    local orders = work:once("orders", count, function()
        local join = planes.order_join(large.width)
        for strip = 1, count do
            join:add(looked(strip, true))
        end
        return join:solve(count, method)
    end)
    return drained.done(results(work, "values", large, drained, function(strip) return visit(strip, orders(strip)) end))
end

-- The network of rivers, which are where `least` cells drain through, or `by_area` so many of the middle row's size.
-- `river_width`: of the largest one, in sides.
function water.rivers(large, sea, known, least, by_area, river_width)
    local drained = drain(large, sea, "flow", known)
    local sums = drained.temporary(drained_areas(large, drained, sea))
    local counted = not by_area and rows_differ(large) and drained.temporary(count_cells(large, drained))
    local work, count = stages.begin("rivers"), stages.strips(large)
    local source, most = work:source(large), 1.0
    local found = work:each("cells", count, function(strip)
        local window, first = around(large, source.read, strip)
        local row, rows = stages.extent(large, strip)
        return planes.river_cells(drained.direction(strip), window, first, row, drained.filled.read(row, rows),
            sums.read(row, rows), least, sea, counted and counted.read(row, rows) or nil)
    end)
    local cells = {}
    for strip = 1, count do
        cells[strip] = found(strip, true)
        most = math.max(most, (("<d"):unpack(sums.notes(strip))))
    end
    return drained.done(planes.river_network(large.width, large.height, large.frame or nil, most, sea, river_width,
        cells))
end

-- Outlets of catchments where most drains within `radius` of given places: for each strip 32 bits each for a cell
-- of it and the label.
local function snap_outlets(large, sums, places, radius)
    local lists = {}
    for strip = 1, stages.strips(large) do
        lists[strip] = {}
    end
    for i = 1, #places // 4 do
        local x, y, across, down = table.unpack(places, 4 * i - 3, 4 * i)
        x, y = math.tointeger(x), math.tointeger(y)
        if sums then
            local columns, rows = math.ceil(radius / across), math.ceil(radius / down)
            local left, top = math.max(x - columns, 0), math.max(y - rows, 0)
            local right, bottom = math.min(x + columns, large.width - 1), math.min(y + rows, large.height - 1)
            local part = sums.read(top, bottom - top + 1):crop{ x = left, y = 0, width = right - left + 1,
                height = bottom - top + 1, wrap = false }
            local to_x, to_y = planes.snap(part, x - left, y - top, radius, across, down)
            x, y = left + to_x, top + to_y
        end
        local strip = y // large.rows + 1
        table.insert(lists[strip], ("=I4I4"):pack((y - (strip - 1) * large.rows) * large.width + x, i))
    end
    for strip, list in ipairs(lists) do
        lists[strip] = table.concat(list)
    end
    return lists
end

-- What drains to each of some places, in turns columns, rows and both sides of a cell there; `radius`: how far they are
-- moved, in the unit of those sides.
function water.catchments(large, sea, known, places, radius)
    local drained = drain(large, sea, "flow", known)
    local sums = radius > 0 and drained.temporary(count_cells(large, drained))
    local work, count = stages.begin("catchment"), stages.strips(large)
    local outlets = work:once("outlets", count, function() return snap_outlets(large, sums, places, radius) end)
    return drained.done(follow(large, drained, work, function(strip, ends)
        return planes.catchment(drained.direction(strip), large.width, outlets(strip), ends)
    end, "ends"))
end

-- Heights above rivers, which are where `least` cells drain through; or with `measure` the lengths of ways to them.
function water.above_river(large, sea, known, least, by_area, measure)
    local drained = drain(large, sea, "flow", known)
    local sums = drained.temporary((by_area and drained_areas or count_cells)(large, drained, sea))
    local work = stages.begin(measure and "way" or "above")
    local source = work:source(large)
    local visit = measure and planes.river_distance or planes.above_river
    return drained.done(follow(large, drained, work, function(strip, ends)
        local window, first = around(large, source.read, strip)
        local from, count = stages.extent(large, strip)
        window = planes.window_of(window, large.width, large.height, from - first, large.frame or nil)
        return visit(drained.direction(strip), window, first, sea, ends, drained.filled.read(from, count),
            sums.read(from, count), least)
    end, measure and "lengths" or "ends"))
end

return water
