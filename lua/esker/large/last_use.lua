-- A large field that is read for the last time: what is written to a file leaves the temporary file at once, so that
-- both together need little more room than one. Whether anything else can read its rows is known to the garbage
-- collector.

local esker = require "esker"
local large_kind = require "esker.large.kind"
local planes = require "esker.planes"
local stages = require "esker.large.stages"

local last_use = {}

local weak <const> = { __mode = "v" }

-- Writes `large` to a file, in a format that is written some rows at a time. `read(first, rows)` gives its rows;
-- `done(first, rows)`, if it is there, is called of those that were written.
function last_use.write(path, large, read, done)
    local writer <close> = planes.writer(path, large.width, large.height)
    for first = 0, large.height - 1, large.rows do
        local rows = math.min(large.rows, large.height - first)
        local field = planes.window_of(read(first, rows), large.width, large.height, first, large.frame or nil)
        writer:write(field)
        if done then
            done(first, rows)
        end
        esker.progress(first + rows, large.height)
    end
    writer:close(large.frame or nil)
end

-- What writes the value at `name` of a table, which leaves the table: an object with the method save(path).
function last_use.of(table, name)
    local large = table[name]
    table[name] = nil
    local rows = large_kind.is(large) and (large.rows_store or large.own_rows or large.covered_rows)
    local plane = rows and rows.place and rows.plane
    if not plane or not stages.saves() then
        return large
    end
    local heir = { width = large.width, height = large.height, rows = large.rows, frame = large.frame }
    local function read(first, count)
        return plane:read(first, count)
    end
    if large.changes then
        read = stages.uncovered(heir, read, large.changes)
    end
    local known = setmetatable({ large = large, place = rows.place }, weak)
    large, rows = nil, nil -- luacheck: no unused
    collectgarbage()
    if known.large then
        return known.large
    end
    local is_last = not known.place
    function heir.save(self, path)
        last_use.write(path, self, read, is_last and function(first, count) plane:discard(first, count) end)
    end
    return heir
end

return last_use
