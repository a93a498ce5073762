-- The table of a sweep: a tidy row a run, and summaries of it.

local designs = require "esker.designs"
local host = require "esker.host"
local parameters = require "esker.parameters"
local sqlite = require "esker.sqlite"

local tables = {}

local function less(a, b)
    if type(a) == type(b) and type(a) ~= "boolean" then
        return a < b
    end
    return tostring(a) < tostring(b)
end

-- All names in a group of the records: `first` in their order, then the rest in alphabetical order.
local function names_in(records, group, first)
    local seen, names, rest = {}, {}, {}
    for _, name in ipairs(first) do
        seen[name] = true
        names[#names + 1] = name
    end
    for _, record in pairs(records) do
        for name in pairs(record[group]) do
            if not seen[name] then
                seen[name] = true
                rest[#rest + 1] = name
            end
        end
    end
    table.sort(rest)
    return table.move(rest, 1, #rest, #names + 1, names)
end

-- Records by key as { names of parameters, of results, rows in the order of the parameters }.
function tables.of(records, first)
    local list = {}
    for _, record in pairs(records) do
        list[#list + 1] = record
    end
    local whole = { parameters = names_in(records, "parameters", first or {}),
        results = names_in(records, "results", {}), rows = list }
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

local function csv_cell(value)
    if value == nil then
        return ""
    elseif type(value) ~= "string" then
        return parameters.exact_text(value)
    end
    return value:find('[",\r\n]') and '"' .. value:gsub('"', '""') .. '"' or value
end

local last_columns = { "status", "seconds", "memory_mb", "message", "key" }

-- The names of all columns.
function tables.columns(whole)
    local names = table.move(whole.parameters, 1, #whole.parameters, 1, {})
    table.move(whole.results, 1, #whole.results, #names + 1, names)
    return table.move(last_columns, 1, #last_columns, #names + 1, names)
end

-- A row's values by column.
function tables.cells(whole, record)
    local cells, at = {}, 0
    for _, group in ipairs{ "parameters", "results" } do
        for _, name in ipairs(whole[group]) do
            at = at + 1
            cells[at] = record[group][name]
        end
    end
    for i, value in ipairs{ record.status, record.seconds, record.memory / 2 ^ 20, record.message, record.key } do
        cells[at + i] = value
    end
    return cells
end

function tables.write_csv(whole, path)
    local names = tables.columns(whole)
    local lines, header = {}, {}
    for i, name in ipairs(names) do
        header[i] = csv_cell(name)
    end
    lines[1] = table.concat(header, ",")
    for _, record in ipairs(whole.rows) do
        local cells, values = {}, tables.cells(whole, record)
        for i = 1, #names do
            cells[i] = csv_cell(values[i])
        end
        cells[#names - 3] = ("%.4f"):format(record.seconds)
        cells[#names - 2] = ("%.1f"):format(record.memory / 2 ^ 20)
        lines[#lines + 1] = table.concat(cells, ",")
    end
    host.write_file(path, table.concat(lines, "\n") .. "\n")
end

-- A database with the table runs.
function tables.write_sqlite(whole, path)
    local rows = {}
    for i, record in ipairs(whole.rows) do
        rows[i] = tables.cells(whole, record)
    end
    local well, problem = sqlite.write(path, tables.columns(whole), rows)
    if not well then
        error(problem, 0)
    end
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

local function all_values(record)
    local values = { seconds = record.seconds, memory_mb = record.memory / 2 ^ 20 }
    for _, group in ipairs{ "parameters", "results" } do
        for name, value in pairs(record[group]) do
            values[name] = value
        end
    end
    return values
end

-- Groups of the rows that are done, by the values of the named columns: { label =, rows = }.
local function groups_of(whole, names)
    local groups, by_label = {}, {}
    for _, record in ipairs(whole.rows) do
        if record.status == "done" then
            local values, words = all_values(record), {}
            for i, name in ipairs(names) do
                if values[name] == nil then
                    error({ usage = ("--group: there is no column '%s'"):format(name) }, 0)
                end
                words[i] = name .. " = " .. parameters.exact_text(values[name])
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

-- The report of `esker table` as text. Options: group (names joined by commas), share, where (conditions).
function tables.report(whole, options)
    local lines = {}
    local function out(...)
        lines[#lines + 1] = string.format(...)
    end
    local where = options.where and designs.condition(options.where, "--where")
    local share = options.share and designs.condition(options.share, "--share")
    local statuses = {}
    for _, record in ipairs(whole.rows) do
        statuses[record.status] = (statuses[record.status] or 0) + 1
    end
    local told = {}
    for status, count in pairs(statuses) do
        told[#told + 1] = ("%d %s"):format(count, status)
    end
    table.sort(told)
    out("%d runs: %s", #whole.rows, table.concat(told, ", "))
    local names = {}
    for name in (options.group or ""):gmatch("[^,%s]+") do
        names[#names + 1] = name
    end
    for _, group in ipairs(groups_of(whole, names)) do
        local rows = {}
        for _, values in ipairs(group.rows) do
            if not where or where(values) then
                rows[#rows + 1] = values
            end
        end
        if group.label ~= "" then
            out("\n%s", group.label)
        end
        if #rows > 0 then
            if share then
                local met = 0
                for _, values in ipairs(rows) do
                    met = met + (share(values) and 1 or 0)
                end
                local low, high = tables.share_interval(met, #rows)
                out("  %s: %d of %d, %.1f %% (%.1f to %.1f)", options.share, met, #rows, 100 * met / #rows, 100 * low,
                    100 * high)
            end
            out("  %-20s %6s %10s %10s %21s %10s %10s %10s", "", "runs", "mean", "deviation", "95 % of the mean", "5 %",
                "median", "95 %")
            for _, name in ipairs(whole.results) do
                local values = {}
                for _, row in ipairs(rows) do
                    if type(row[name]) == "number" then
                        values[#values + 1] = row[name]
                    end
                end
                if #values > 0 then
                    local s = tables.summary(values)
                    out("  %-20s %6d %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g %10.4g", name, s.count, s.mean,
                        s.deviation, s.low, s.high, s.p5, s.median, s.p95)
                end
            end
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

return tables
