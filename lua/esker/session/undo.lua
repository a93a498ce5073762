-- What names were before each of the last statements. A field that `set` changed stays changed.

local undo = {}

local max_past = 20

function undo.new()
    return {} -- the newest last; `running`: the state before the running statement
end

-- The state before the statement `source`, which runs next. `counts`: of what else is to be shortened again.
function undo.remember(past, globals, source, counts)
    local values = {}
    for name, value in next, globals do
        values[name] = value
    end
    past.running = { values = values, counts = counts, source = source }
end

-- After a statement: keeps the state before it if it changed a name. A statement that is interrupted may end without
-- this, so it is called before the next one, too.
function undo.settle(past, globals)
    local before = past.running
    if not before then
        return
    end
    local changed = false
    for name, value in next, globals do
        changed = changed or name ~= "_" and not rawequal(before.values[name], value)
    end
    for name in next, before.values do
        changed = changed or rawget(globals, name) == nil
    end
    past.running = nil
    if changed then
        past[#past + 1] = before
        if #past > max_past then
            table.remove(past, 1)
        end
    end
end

-- Reverts the last statement that changed a name; gives the statement and the counts.
function undo.revert(past, globals)
    if past.running then
        error("undo takes back one statement, and is typed alone: undo", 0)
    end
    local before = table.remove(past)
    if not before then
        error("there is nothing to undo", 0)
    end
    for name in next, globals do
        if before.values[name] == nil then
            globals[name] = nil
        end
    end
    for name, value in next, before.values do
        globals[name] = value
    end
    return before.source, before.counts
end

return undo
