-- The table of a sweep, one row per run, and its summaries.

local conditions = require "esker.conditions"
local csv = require "esker.csv"
local names_of = require "esker.names"
local parameters = require "esker.parameters"
local sqlite = require "esker.sqlite"
local usage_error = require "esker.usage_error"

local tables = {}

local function less(a, b)
    if type(a) == type(b) and type(a) ~= "boolean" then
        return a < b
    end
    return tostring(a) < tostring(b)
end

tables.max_columns = 2000 -- of parameters, and of results

-- The names in a group of the records: `first` in their order, then the rest in alphabetical order; if there are more
-- than a table takes, the most frequent. Also returns the number left out.
local function names_in(records, group, first)
    local times, names, rest = {}, {}, {}
    for i, name in ipairs(first) do
        times[name], names[i] = math.huge, name
    end
    for _, record in pairs(records) do
        for name in pairs(record[group]) do
            if not times[name] then
                times[name], rest[#rest + 1] = 0, name
            end
            times[name] = times[name] + 1
        end
    end
    local left_out = math.max(0, #rest - tables.max_columns)
    if left_out > 0 then
        table.sort(rest, function(a, b)
            if times[a] ~= times[b] then
                return times[a] > times[b]
            end
            return a < b
        end)
        rest = table.move(rest, 1, tables.max_columns, 1, {})
    end
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
-- are unique regardless of case: a result with the name of a parameter is `result.NAME`.
local function columns_of(whole)
    local columns, taken = {}, {}
    local function add(source, group, of, form)
        local name = source
        while taken[name:lower()] do
            name = group .. "." .. name
        end
        taken[name:lower()] = true
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

-- --- summaries -------------------------------------------------------------------------------------------------------

-- Linear between the sorted values.
local function percentile(sorted, share)
    local at = 1 + (#sorted - 1) * share
    local low = math.floor(at)
    local high = math.min(low + 1, #sorted)
    return sorted[low] + (sorted[high] - sorted[low]) * (at - low)
end

-- Count, mean, standard deviation (of a sample), the mean's 95 % interval (normal), percentiles.
function tables.summary(values)
    local sorted, sum = {}, 0
    for i, value in ipairs(values) do
        sorted[i] = value
        sum = sum + value
    end
    table.sort(sorted)
    local count = #sorted
    local mean, squares = sum / count, 0
    for _, value in ipairs(sorted) do
        squares = squares + (value - mean) ^ 2
    end
    local deviation = count > 1 and math.sqrt(squares / (count - 1)) or 0
    local half = 1.959963984540054 * deviation / math.sqrt(count)
    return { count = count, mean = mean, deviation = deviation, low = mean - half, high = mean + half,
        least = sorted[1], p5 = percentile(sorted, 0.05), median = percentile(sorted, 0.5),
        p95 = percentile(sorted, 0.95), most = sorted[count] }
end

-- A share's 95 % interval (Wilson 1927).
function tables.share_interval(met, count)
    local z = 1.959963984540054
    local p, scale = met / count, 1 / (1 + z * z / count)
    local centre = (p + z * z / (2 * count)) * scale
    local half = z * scale * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return centre - half, centre + half
end

local function all_values(whole, record)
    local values = {}
    for _, column in ipairs(whole.columns) do
        values[column.name] = column.of(record)
    end
    return values
end

-- The set of all column names.
local function column_names(whole)
    local names = {}
    for _, column in ipairs(whole.columns) do
        names[column.name] = true
    end
    return names
end

-- Groups of the rows that are done, by the values of the named columns: { label =, rows = }.
local function groups_of(whole, names)
    local groups, by_label, known = {}, {}, column_names(whole)
    for _, name in ipairs(names) do
        if not known[name] then
            usage_error("--group: there is no column '%s' (there are %s)", name,
                table.concat(names_of(known), ", "))
        end
    end
    for _, record in ipairs(whole.rows) do
        if record.status == "done" then
            local values, words = all_values(whole, record), {}
            for i, name in ipairs(names) do
                words[i] = name .. " = " .. (values[name] == nil and "" or parameters.exact_text(values[name]))
            end
            local label = table.concat(words, ", ")
            local group = by_label[label]
            if not group then
                group = { label = label, rows = {} }
                by_label[label], groups[#groups + 1] = group, group
            end
            table.insert(group.rows, values)
        end
    end
    return groups
end

-- "9 done, 1 failed"
local function statuses_of(rows)
    local counts, told = {}, {}
    for _, record in ipairs(rows) do
        counts[record.status] = (counts[record.status] or 0) + 1
    end
    for status, count in pairs(counts) do
        told[#told + 1] = ("%d %s"):format(count, status)
    end
    table.sort(told)
    return table.concat(told, ", ")
end

-- Prints which share of the rows meets the condition, whose text is `name`.
local function report_share(out, rows, meets, name)
    local met = 0
    for _, values in ipairs(rows) do
        met = met + (meets(values) and 1 or 0)
    end
    local low, high = tables.share_interval(met, #rows)
    out("  %s: %d of %d, %.1f %% (%.1f to %.1f)", name, met, #rows, 100 * met / #rows, 100 * low, 100 * high)
end

-- Prints a line for each result that is a number.
local function report_results(out, rows, columns)
    out("  %-20s %6s %10s %10s %21s %10s %10s %10s", "", "runs", "mean", "deviation", "95 % of the mean", "5 %",
        "median", "95 %")
    for _, column in ipairs(columns) do
        local name, values = column.name, {}
        for _, row in ipairs(rows) do
            if column.group == "result" and type(row[name]) == "number" and row[name] == row[name] then
                values[#values + 1] = row[name]
            end
        end
        if #values > 0 then
            local s = tables.summary(values)
            out("  %-20s %6d %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g", name, s.count, s.mean, s.deviation,
                s.low, s.high, s.p5, s.median, s.p95)
        end
    end
end

local function selected(rows, where)
    local kept = {}
    for _, values in ipairs(rows) do
        if not where or where(values) then
            kept[#kept + 1] = values
        end
    end
    return kept
end

-- The report of `esker table` as text. Options: group (names joined by commas), share, where (conditions).
function tables.report(whole, options)
    local lines, known = {}, column_names(whole)
    local function out(...)
        lines[#lines + 1] = string.format(...)
    end
    local where = options.where and conditions.read(options.where, "--where", known)
    local share = options.share and conditions.read(options.share, "--share", known)
    out("%d %s: %s", #whole.rows, #whole.rows == 1 and "run" or "runs", statuses_of(whole.rows))
    local names = {}
    for name in (options.group or ""):gmatch("[^,%s]+") do
        names[#names + 1] = name
    end
    for _, group in ipairs(groups_of(whole, names)) do
        local rows = selected(group.rows, where)
        if group.label ~= "" then
            out("\n%s", group.label)
        end
        if #rows > 0 and share then
            report_share(out, rows, share, options.share)
        end
        if #rows > 0 then
            report_results(out, rows, whole.columns)
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

return tables
