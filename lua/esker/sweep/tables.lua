-- The table of a sweep, one row per run.

local csv = require "esker.file.csv"
local sqlite = require "esker.sqlite"

local tables = {}

local function less(a, b)
    if type(a) == type(b) and type(a) ~= "boolean" then
        return a < b
    end
    return tostring(a) < tostring(b)
end

tables.max_columns = 2000 -- of parameters, and of results
local small_table, most_empty = 1 << 20, 8 -- cells; in larger tables, cells for each value

-- How many of these names, the most frequent first, are columns of a table: a stranger's short records may have few
-- names in common, and the parent writes all the empty cells.
local function count_columns(names, times, rows)
    local values = 0
    for i, name in ipairs(names) do
        values = values + times[name]
        if i > tables.max_columns or i * rows > math.max(small_table, most_empty * values) then
            return i - 1
        end
    end
    return #names
end

-- The names in a group of the records: `first` in their order, then the rest in alphabetical order; if there are more
-- than a table takes, the most frequent. Also returns the number left out.
local function names_in(records, group, first)
    local times, names, rest, rows = {}, {}, {}, 0
    for i, name in ipairs(first) do
        times[name], names[i] = math.huge, name
    end
    for _, record in pairs(records) do
        rows = rows + 1
        for name in pairs(record[group]) do
            if not times[name] then
                times[name], rest[#rest + 1] = 0, name
            end
            times[name] = times[name] + 1
        end
    end
    table.sort(rest, function(a, b)
        if times[a] ~= times[b] then
            return times[a] > times[b]
        end
        return a < b
    end)
    local kept = count_columns(rest, times, rows)
    local left_out = #rest - kept
    rest = table.move(rest, 1, kept, 1, {})
    table.sort(rest)
    return table.move(rest, 1, #rest, #names + 1, names), left_out
end

local function megabytes(record)
    return record.memory / 2 ^ 20
end

-- The columns that every run has: name, value, and form in a CSV file.
local about = {
    { "status", function(record) return record.status end },
    { "seconds", function(record) return record.seconds end, "%.4f" },
    { "memory_mb", megabytes, "%.1f" },
    { "message", function(record) return record.message end },
    { "key", function(record) return record.key end },
}

-- The columns in order, each { name =, source = its name in a record, group =, of = function(record), form = }. Names
-- are unique regardless of case: a result with the name of a parameter is `result.NAME`, others of it `result.NAME~3`
-- and so on, which no parameter or result is called.
local function columns_of(whole)
    local columns, taken = {}, {}
    local function add(source, group, of, form)
        local name = source
        if taken[name:lower()] then
            name = group .. "." .. name
        end
        local times = (taken[name:lower()] or 0) + 1
        taken[name:lower()] = times
        name = times == 1 and name or ("%s~%d"):format(name, times + 1)
        local column = { name = name, source = source, group = group, of = of, form = form }
        columns[#columns + 1] = column
        return column
    end
    for _, column in ipairs(about) do
        add(column[1], "run", column[2], column[3])
    end
    for _, group in ipairs{ "parameter", "result" } do
        for _, name in ipairs(whole[group .. "s"]) do
            add(name, group, function(record) return record[group .. "s"][name] end)
        end
    end
    return table.move(columns, 1, #about, #columns - #about + 1, table.move(columns, #about + 1, #columns, 1, {}))
end

-- Records by key as { names of parameters, of results, columns, rows in the order of the parameters }.
function tables.of(records, first)
    local list = {}
    for _, record in pairs(records) do
        list[#list + 1] = record
    end
    local whole = { rows = list }
    whole.parameters = names_in(records, "parameters", first or {})
    whole.results, whole.left_out = names_in(records, "results", {})
    whole.columns = columns_of(whole)
    table.sort(list, function(a, b)
        for _, name in ipairs(whole.parameters) do
            local x, y = a.parameters[name], b.parameters[name]
            if x ~= y then
                return y ~= nil and (x == nil or less(x, y))
            end
        end
        return a.key < b.key
    end)
    return whole
end

function tables.csv(whole)
    local lines, cells = {}, {}
    for i, column in ipairs(whole.columns) do
        cells[i] = column.name
    end
    lines[1] = csv.line(cells)
    for r, record in ipairs(whole.rows) do
        for i, column in ipairs(whole.columns) do
            local value = column.of(record)
            cells[i] = value == nil and "" or column.form and tonumber(column.form:format(value)) or value
        end
        lines[r + 1] = csv.line(cells)
    end
    return table.concat(lines, "\n") .. "\n"
end

-- A database with the table runs, as the bytes of its file; nil and why not.
function tables.sqlite(whole)
    local names, rows = {}, {}
    for i, column in ipairs(whole.columns) do
        names[i] = column.name
    end
    for r, record in ipairs(whole.rows) do
        rows[r] = {}
        for i, column in ipairs(whole.columns) do
            rows[r][i] = column.of(record)
        end
    end
    return sqlite.database(names, rows)
end

return tables
