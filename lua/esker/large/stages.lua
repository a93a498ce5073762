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

-- --- in one process --------------------------------------------------------------------------------------------------

local alone = {}

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
        esker.progress(strip, count)
    end
    planes.give_back()
    return function(strip, last)
        local text = notes[strip](last)
        notes[strip] = not last and notes[strip] or nil
        return text
    end
end

-- Calls `make()`, which gives a list of texts, one for each strip. Gives a function of a strip.
function alone:once(stage, count, make) -- luacheck: no unused args
    local list = make()
    for strip = 1, count do
        list[strip] = kept(list[strip])
    end
    return function(strip) return list[strip]() end
end

-- A place for rows: of fields, or with `bytes` of strings that have a byte for each cell.
function alone:rows(name, large, bytes) -- luacheck: no unused args
    local plane = planes.create(large.width, large.height, bytes)
    local write, read = bytes and plane.write_bytes or plane.write, bytes and plane.read_bytes or plane.read
    return {
        plane = plane,
        put = function(strip, rows) write(plane, stages.extent(large, strip), rows) end,
        read = function(first, rows) return read(plane, first, rows) end,
        free = function() plane:free() end,
    }
end

-- The cells of `large`, stored, so that they are computed once: { take(strip), read(first, rows) }. Each strip is taken
-- once before any is read.
function alone:source(large) -- luacheck: no unused args
    large:keep()
    local function read(first, rows) return large.plane:read(first, rows) end
    return { take = function(strip) return read(stages.extent(large, strip)) end, read = read }
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
