-- How work on strips is done: one strip after the other in this process, or shared with others (esker.large.shards).
-- Work has stages: strips are looked at one by one, which gives notes of each, and rows; or all notes are joined.

local esker = require "esker"
local planes = require "esker.planes"

local stages = {}

-- The first row of a strip, from 0, and how many it has. Strips are counted from 1.
function stages.extent(large, strip)
    local first = (strip - 1) * large.rows
    return first, math.min(large.rows, large.height - first)
end

function stages.strips(large)
    return -(-large.height // large.rows)
end

-- The text of a strip, of a list or a function.
function stages.text_of(made, strip)
    return type(made) == "function" and made(strip) or made[strip]
end

-- --- in one process --------------------------------------------------------------------------------------------------

local alone = {}

stages.most_kept = 128 << 20 -- bytes of what strips before have left
local spooled <const> = 1 << 16 -- bytes: longer texts are in the temporary file

-- A function that gives the text, once if `last` is true.
local function kept(text)
    local size = #text
    if size < spooled then
        return function() return text end
    end
    local rows = -(-size // spooled)
    local plane = planes.create(spooled, rows, true)
    plane:write_bytes(0, text .. ("\0"):rep(rows * spooled - size))
    return function(last)
        local bytes = plane:read_bytes(0, rows)
        if last then
            plane:free()
        end
        return size < #bytes and bytes:sub(1, size) or bytes
    end
end

-- Calls `make(strip)` for each of `count` strips. Gives a function of a strip, which gives the text that `make` gave;
-- with `last` true it need not be kept.
function alone:each(stage, count, make) -- luacheck: no unused args
    local notes = {}
    for strip = 1, count do
        notes[strip] = kept(make(strip))
        planes.give_back(stages.most_kept) -- strips are large, but the collector sees little of them
        esker.progress(strip, count)
    end
    planes.give_back()
    return function(strip, last)
        local text = notes[strip](last)
        notes[strip] = not last and notes[strip] or nil
        return text
    end
end

-- Calls `make()`, which gives a list of texts, one for each strip, or a function of a strip. Gives a function of a
-- strip.
function alone:once(stage, count, make) -- luacheck: no unused args
    local made, list = make(), {}
    for strip = 1, count do
        list[strip] = kept(stages.text_of(made, strip))
    end
    return function(strip) return list[strip]() end
end

-- A place for rows: of fields, or with `bytes` of strings that have a byte for each cell.
function alone:rows(name, large, bytes) -- luacheck: no unused args
    local plane = planes.create(large.width, large.height, bytes)
    local write, read = bytes and plane.write_bytes or plane.write, bytes and plane.read_bytes or plane.read
    local part = bytes and plane.part_bytes or plane.part
    local place = { plane } -- whoever reads rows has this (esker.large.last_use)
    local strips = { height = large.height, rows = large.rows }
    return {
        place = place, plane = plane,
        put = function(strip, rows) write(place[1], stages.extent(strips, strip), rows) end,
        read = function(first, rows) return read(place[1], first, rows) end,
        part = function(left, first, width, rows) return part(place[1], left, first, width, rows) end,
        free = function() place[1]:free() end,
    }
end

-- The cells of `large`, stored, so that they are computed once: { take(strip), read(first, rows) }. Each strip is taken
-- once before any is read.
function alone:source(large) -- luacheck: no unused args
    large:keep()
    return { take = function(strip) return large.window(stages.extent(large, strip)) end,
        read = function(first, rows) return large.window(first, rows) end }
end

-- The rows that `read(first, rows)` gave before others took their place: `changes` has what these changed of each strip
-- of `large`.
function stages.uncovered(large, read, changes)
    return function(first, rows)
        local field = read(first, rows)
        for strip = first // large.rows + 1, (first + rows - 1) // large.rows + 1 do
            if changes[strip] then
                local from, count = stages.extent(large, strip)
                local start, stop = math.max(first, from), math.min(first + rows, from + count)
                planes.undo(field, start - first, changes[strip](), start - from, stop - start)
            end
        end
        return field
    end
end

-- A place for rows that differ from those of `large` in few cells: that of its own, if nothing else is there. What it
-- had in these cells is kept for it, as long as the recipe has it. put(strip, rows, own) takes its rows, too.
function alone:over(name, large)
    local store = large.own_rows
    if not store then
        return self:rows(name, large)
    end
    large.changes = large.changes or {}
    large.own_rows, large.covered_rows, large.plane = false, store, false
    large.window = stages.uncovered(large, store.read, large.changes)
    local owner = setmetatable({ large }, { __mode = "v" })
    local over = { place = store.place, plane = store.plane, read = store.read, part = store.part }
    function over.put(strip, rows, own)
        local changes = owner[1].changes
        if changes[strip] then -- others were there before
            store.put(strip, own)
        end
        changes[strip] = kept(planes.changes(own, rows))
        store.put(strip, rows)
    end
    function over.free()
        if owner[1] then
            owner[1].own_rows = store
        end
    end
    return over
end

-- --- by whom ---------------------------------------------------------------------------------------------------------

stages.shared = false -- a function that gives the work of an operation, where processes share it

-- Whether this process writes results.
function stages.saves()
    return true
end

-- The work of an operation: an object with the functions above.
function stages.begin(operation)
    return stages.shared and stages.shared(operation) or alone
end

return stages
