-- What names were before each of the last statements. A field that `set` changed stays changed.

local undo = {}

local max_past = 20

function undo.new()
    return {} -- the newest last
end

-- `counts`: of what else is to be shortened again.
function undo.remember(past, globals, counts)
    local values = {}
    for name, value in next, globals do
        values[name] = value
    end
    past[#past + 1] = { values = values, counts = counts }
    if #past > max_past then
        table.remove(past, 1)
    end
end

-- Keeps the state before this statement only if the statement changed a name.
function undo.forget_unless_changed(past, globals, source)
    local before = past[#past]
    local changed = false
    for name, value in next, globals do
        changed = changed or name ~= "_" and not rawequal(before.values[name], value)
    end
    for name in next, before.values do
        changed = changed or rawget(globals, name) == nil
    end
    if changed then
        before.source = source
    else
        past[#past] = nil
    end
end

-- Reverts the last statement that changed a name; gives the statement and the counts. A state without a statement is
-- that before the running one.
function undo.revert(past, globals)
    if past[#past] and not past[#past].source then
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
