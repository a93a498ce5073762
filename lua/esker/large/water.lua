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
    local filled = work:rows("filled", large)
    work:each("finish", count, function(strip)
        local field = source.read(stages.extent(large, strip))
        filled.put(strip, planes.fill_finish(field, strip > 1, strip < count, sea, levels(strip):sub(header + 1)))
        return ""
    end)
    filled.facts = facts_in(levels(1))
    return filled
end

-- --- directions ------------------------------------------------------------------------------------------------------

-- The rows near those that have cells without a direction.
local function near(unsettled)
    return function(y)
        local first = math.max(y - fall_radius, 0)
        return unsettled:find("\1", first + 1, true) and unsettled:find("\1", first + 1, true) <= y + fall_radius + 1
    end
end

-- A plane with these rows, which functions need in any order; whether it is that of `store`.
local function plane_of(store, large, bytes, wanted)
    if store.plane then
        return store.plane, true
    end
    local plane = planes.create(large.width, large.height, bytes)
    for y = 0, large.height - 1 do
        if wanted(y) then
            plane[bytes and "write_bytes" or "write"](plane, y, store.read(y, 1))
        end
    end
    return plane, false
end

-- Drains the flats that reach across strips: gives for each strip "new" where `settled` has its directions then.
local function drain_flats(large, filled, directions, settled, unsettled, sea, least)
    local all, changed = table.concat(unsettled), {}
    for strip = 1, #unsettled do
        changed[strip] = ""
    end
    if not all:find("\1", 1, true) then
        return changed
    end
    local wanted = near(all)
    local heights, is_theirs = plane_of(filled, large, false, wanted)
    local plane, in_place = plane_of(directions, large, true, wanted)
    planes.flats(heights, plane, all, sea, least)
    for strip = 1, in_place and 0 or #unsettled do
        if unsettled[strip]:find("\1", 1, true) then
            local rows, first = {}, stages.extent(large, strip)
            for i = 1, #unsettled[strip] do
                local store = unsettled[strip]:byte(i) == 1 and plane or nil
                rows[i] = store and store:read_bytes(first + i - 1, 1) or directions.read(first + i - 1, 1)
            end
            settled.put(strip, table.concat(rows))
            changed[strip] = "new"
        end
    end
    if not is_theirs then
        heights:free()
    end
    if not in_place then
        plane:free()
    end
    return changed
end

-- The directions of `large`, whose filled heights are known: a function of a strip.
local function find_directions(work, large, filled, sea, least)
    local count = stages.strips(large)
    local directions, settled = work:rows("directions", large, true), nil
    local looked = work:each("directions", count, function(strip)
        local first, rows = stages.extent(large, strip)
        local top = math.max(first - fall_radius, 0)
        local stop = math.min(first + rows + fall_radius, large.height)
        local window = planes.window_of(filled.read(top, stop - top), large.width, large.height, top,
            large.frame or nil)
        local found = planes.directions(window, first - top, rows, sea, least)
        directions.put(strip, found)
        return planes.unsettled(found, large.width)
    end)
    local function again()
        settled = settled or directions.plane and directions or work:rows("settled", large, true)
        return settled
    end
    local changed = work:once("flats", count, function()
        local unsettled = {}
        for strip = 1, count do
            unsettled[strip] = looked(strip)
        end
        return drain_flats(large, filled, directions, again(), unsettled, sea, least)
    end)
    return function(strip)
        return (changed(strip) == "new" and again() or directions).read(stages.extent(large, strip))
    end, directions
end

-- Where water goes on `large`: { filled =, facts =, direction = a function of a strip, work =, free = }. `known`:
-- filled heights that others have.
local function drain(large, sea, operation, known)
    local filled = known or water.fill(large, sea)
    local work = stages.begin(operation)
    local direction, directions = find_directions(work, large, filled, sea, filled.facts.least)
    local function free()
        directions.free()
        if not known then
            filled.free()
        end
    end
    return { filled = filled, facts = filled.facts, direction = direction, work = work, free = free }
end

-- What joins found of gates: a list of texts.
local function join_gates(large, looked, ends)
    local join, count = planes.gate_join(large.width), stages.strips(large)
    for strip = 1, count do
        join:add(looked(strip, true))
    end
    return join:solve(count, large.width, ends)
end

-- A result with the gaps of the heights.
local function with_gaps(large, drained, strip, field)
    if drained.facts.has_gaps then
        return field:set_gaps(drained.filled.read(stages.extent(large, strip)):find_gaps())
    end
    return field
end

-- Rows of a result: `make(strip)` gives each strip.
local function results(work, name, large, drained, make)
    local rows = work:rows(name, large)
    work:each("finish", stages.strips(large), function(strip)
        rows.put(strip, with_gaps(large, drained, strip, make(strip)))
        return ""
    end)
    rows.facts = drained.facts
    return rows
end

local function count_cells(large, drained)
    local work, count = drained.work, stages.strips(large)
    local looked = work:each("look", count, function(strip)
        return planes.count_look(drained.direction(strip), large.width)
    end)
    local entering = work:once("entering", count, function() return join_gates(large, looked) end)
    return results(work, "sums", large, drained, function(strip)
        return planes.count_finish(drained.direction(strip), large.width, entering(strip))
    end)
end

-- The cells that drain through each cell of `large`: where their rows are.
function water.count(large, sea, known)
    local drained = drain(large, sea, "flow", known)
    local sums = count_cells(large, drained)
    drained.free()
    return sums
end

-- The direction of each cell, as a code, or with `angle` as an angle.
function water.direction(large, sea, known, angle)
    local drained = drain(large, sea, "direction", known)
    local rows = results(drained.work, "names", large, drained, function(strip)
        return planes.flow_direction(drained.direction(strip), large.width, angle, large.frame or nil)
    end)
    drained.free()
    return rows
end

-- Follows the water of each cell to where it ends. `visit(strip, ends)` gives notes, or with `ends` the result.
local function follow(large, drained, work, visit)
    local looked = work:each("look", stages.strips(large), function(strip) return visit(strip) end)
    local ends = work:once("ends", stages.strips(large), function() return join_gates(large, looked, true) end)
    return results(work, "values", large, drained, function(strip) return visit(strip, ends(strip)) end)
end

-- Rows of heights with one more on each side, and which of them is the strip's first.
local function around(large, read, strip)
    local first, rows = stages.extent(large, strip)
    local top, stop = math.max(first - 1, 0), math.min(first + rows + 1, large.height)
    return read(top, stop - top), first - top
end

-- Labels of basins.
function water.basins(large, sea, known)
    local drained = drain(large, sea, "basins", known)
    local source = drained.work:source(large)
    local rows = follow(large, drained, drained.work, function(strip, ends)
        local window, first = around(large, source.read, strip)
        return planes.basins(drained.direction(strip), window, first, sea, ends)
    end)
    drained.free()
    return rows
end

-- Heights above rivers, which are where `least` cells drain through.
function water.above_river(large, sea, known, least)
    local drained = drain(large, sea, "flow", known)
    local sums = count_cells(large, drained)
    local work = stages.begin("above")
    local source = work:source(large)
    local rows = follow(large, drained, work, function(strip, ends)
        local window, first = around(large, source.read, strip)
        local from, count = stages.extent(large, strip)
        return planes.above_river(drained.direction(strip), window, first, sea, ends,
            drained.filled.read(from, count), sums.read(from, count), least)
    end)
    sums.free()
    drained.free()
    return rows
end

return water
