-- What `esker table` says of a sweep: means, deviations, percentiles and shares, for all runs or for groups of them.

local conditions = require "esker.sweep.conditions"
local csv = require "esker.file.csv"
local json = require "esker.file.json"
local names_of = require "esker.names"
local parameters = require "esker.recipe.parameters"
local usage_error = require "esker.usage_error"

local summaries = {}

-- Linear between the sorted values.
local function percentile(sorted, share)
    local at = 1 + (#sorted - 1) * share
    local low = math.floor(at)
    local high = math.min(low + 1, #sorted)
    return sorted[low] + (sorted[high] - sorted[low]) * (at - low)
end

-- The 0.975 quantile of Student's t (Abramowitz and Stegun 1964, 26.7.5), as studentT of src/web/plots.js.
local function student_t(freedom)
    local z, v = 1.959963984540054, freedom
    return ({ 12.7062, 4.30265, 3.18245 })[v] or z + (z ^ 3 + z) / (4 * v)
        + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * v ^ 2)
        + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / (384 * v ^ 3)
        + (79 * z ^ 9 + 776 * z ^ 7 + 1482 * z ^ 5 - 1920 * z ^ 3 - 945 * z) / (92160 * v ^ 4)
end

-- Count, mean, standard deviation (of a sample), the mean's 95 % interval (Student's t), percentiles.
local function summary_of(values)
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
    local half = count > 1 and student_t(count - 1) * deviation / math.sqrt(count) or 0
    return { count = count, mean = mean, deviation = deviation, low = mean - half, high = mean + half,
        least = sorted[1], p5 = percentile(sorted, 0.05), median = percentile(sorted, 0.5),
        p95 = percentile(sorted, 0.95), most = sorted[count] }
end

-- A share's 95 % interval (Wilson 1927).
local function share_interval(met, count)
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

-- Groups of the rows that are done, by the values of the named columns: { label =, values =, rows = }.
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
            local values, words, own = all_values(whole, record), {}, {}
            for i, name in ipairs(names) do
                words[i] = name .. " = " .. (values[name] == nil and "" or parameters.exact_text(values[name]))
                own[name] = values[name]
            end
            local label = table.concat(words, ", ")
            local group = by_label[label]
            if not group then
                group = { label = label, values = own, rows = {} }
                by_label[label], groups[#groups + 1] = group, group
            end
            table.insert(group.rows, values)
        end
    end
    return groups
end

-- The number of rows of each status.
local function statuses_of(rows)
    local counts = {}
    for _, record in ipairs(rows) do
        counts[record.status] = (counts[record.status] or 0) + 1
    end
    return counts
end

-- The share of the rows that meets a condition.
local function share_of(rows, meets)
    local met = 0
    for _, values in ipairs(rows) do
        met = met + (meets(values) and 1 or 0)
    end
    local low, high = share_interval(met, #rows)
    return { met = met, runs = #rows, share = met / #rows, low = low, high = high }
end

-- { name =, and the summary } of each result that is a number.
local function results_of(rows, columns)
    local list = {}
    for _, column in ipairs(columns) do
        local values = {}
        for _, row in ipairs(rows) do
            local value = row[column.name]
            if column.group == "result" and type(value) == "number" and value == value then
                values[#values + 1] = value
            end
        end
        if #values > 0 then
            list[#list + 1] = summary_of(values)
            list[#list].name = column.name
        end
    end
    return list
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

-- What is to be said of a table (tables.of): { runs =, names = what they are grouped by, met = how many meet
-- options.where, statuses =, condition =, groups = { label =, values =, share =, any = whether there are runs,
-- results = } }. Options: group (names joined by commas), share and where (conditions).
function summaries.of(whole, options)
    local known, names, groups = column_names(whole), {}, {}
    local where = options.where and conditions.read(options.where, "--where", known)
    local share = options.share and conditions.read(options.share, "--share", known)
    local met = 0
    for name in (options.group or ""):gmatch("[^,%s]+") do
        names[#names + 1] = name
    end
    for i, group in ipairs(groups_of(whole, names)) do
        local rows = selected(group.rows, where)
        met = met + #rows
        groups[i] = { label = group.label, values = group.values, share = #rows > 0 and share and share_of(rows, share)
            or nil, any = #rows > 0, results = results_of(rows, whole.columns) }
    end
    return { runs = #whole.rows, names = names, met = where and met, where = options.where,
        statuses = statuses_of(whole.rows), condition = options.share, groups = groups }
end

-- --- texts -----------------------------------------------------------------------------------------------------------

-- A number in four digits; NaN, of which C writes the sign, is nan.
local function short(value)
    return value ~= value and "nan" or ("%.4g"):format(value)
end

function summaries.text(said)
    local lines, told = {}, {}
    local function out(...)
        lines[#lines + 1] = string.format(...)
    end
    for i, status in ipairs(names_of(said.statuses)) do
        told[i] = ("%d %s"):format(said.statuses[status], status)
    end
    table.sort(told)
    out("%d %s: %s", said.runs, said.runs == 1 and "run" or "runs", table.concat(told, ", "))
    if said.where then
        out("%d of them meet %s", said.met, said.where)
    end
    for _, group in ipairs(said.groups) do
        local share = group.share
        if group.label ~= "" then
            out("\n%s", group.label)
        end
        if share then
            out("  %s: %d of %d, %.1f %% (%.1f to %.1f)", said.condition, share.met, share.runs, 100 * share.share,
                100 * share.low, 100 * share.high)
        end
        if group.any then
            out("  %-20s %6s %10s %10s %21s %10s %10s %10s", "", "runs", "mean", "deviation", "95 % of the mean",
                "5 %", "median", "95 %")
        end
        for _, s in ipairs(group.results) do
            out("  %-20s %6d %10s %10s %10s %10s %10s %10s %10s", s.name, s.count, short(s.mean), short(s.deviation),
                short(s.low), short(s.high), short(s.p5), short(s.median), short(s.p95))
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

local measures = { "runs", "mean", "deviation", "low", "high", "min", "p5", "median", "p95", "max" }

local function measured(s)
    return { runs = s.count, mean = s.mean, deviation = s.deviation, low = s.low, high = s.high, min = s.least,
        p5 = s.p5, median = s.median, p95 = s.p95, max = s.most }
end

-- A line for each group and result. The mean of a condition is the share that meets it.
function summaries.csv(said)
    local lines = {}
    local function add(values, name, measure_of)
        local cells = table.move(values, 1, #values, 1, {})
        cells[#cells + 1] = name
        for _, measure in ipairs(measures) do
            cells[#cells + 1] = measure_of[measure] or ""
        end
        lines[#lines + 1] = csv.line(cells)
    end
    local heads = {}
    for _, measure in ipairs(measures) do
        heads[measure] = measure
    end
    add(said.names, "result", heads)
    for _, group in ipairs(said.groups) do
        local values, share = {}, group.share
        for i, name in ipairs(said.names) do
            values[i] = group.values[name] == nil and "" or group.values[name]
        end
        if share then
            add(values, said.condition, { runs = share.runs, mean = share.share, low = share.low, high = share.high })
        end
        for _, s in ipairs(group.results) do
            add(values, s.name, measured(s))
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

function summaries.json(said)
    local groups = {}
    for i, group in ipairs(said.groups) do
        local results = {}
        for _, s in ipairs(group.results) do
            results[s.name] = measured(s)
        end
        groups[i] = { values = group.values, share = group.share, results = results }
    end
    return json.encode{ runs = said.runs, met = said.met, statuses = said.statuses, condition = said.condition,
        groups = json.list(groups) } .. "\n"
end

return summaries
