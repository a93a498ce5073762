-- The runs of a sweep on disk. Each has a folder runs/KEY with its pictures and its record, renamed into place when
-- complete. The records of finished runs are also lines of a journal, so that a sweep of any size resumes at once. A
-- line truncated by a crash has no newline and is ignored; its folder still counts. The folder may come from an
-- untrusted source: no link below it is followed, and its contents are checked.

local esker = require "esker"
local names_of = require "esker.names"
local output_folders = require "esker.recipe.output_folders"
local parameters = require "esker.recipe.parameters"
local recipe = require "esker.recipe.recipe"
local reading = require "esker.file.reading"
local texts = require "esker.texts"
local usage_error = require "esker.usage_error"

local runs = { usual = "out" } -- the folder where the user names none

-- Bytes of one line of a table: the parent keeps all results of a recipe.
local longest_record = 2 ^ 16
local longest_line = 4 << 20 -- of a journal: a run's command line may be longer than its results
local largest_manifest = 1 << 20
local max_results = 1000 -- of one run, and parameters
local max_names = 200 -- of parameters that a sweep varies

-- --- records ---------------------------------------------------------------------------------------------------------

local escapes = { ["\t"] = "\\t", ["\n"] = "\\n", ["\r"] = "\\r", ["\\"] = "\\\\" }
local unescapes = { t = "\t", n = "\n", r = "\r", ["\\"] = "\\" }

local function escaped(text)
    return (text:gsub("[\t\n\r\\]", escapes))
end

local function unescaped(text)
    return (text:gsub("\\(.)", unescapes))
end

local function value_text(value)
    return type(value):sub(1, 1) .. (type(value) == "string" and escaped(value) or parameters.exact_text(value))
end

local numbers = { nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }

-- nil if the text was not written by value_text.
local function text_value(text)
    local kind, rest = text:sub(1, 1), text:sub(2)
    if kind == "n" then
        return numbers[rest] or rest:match("^-?%d[%d.e+-]*$") and tonumber(rest) or nil
    elseif kind == "b" then
        return ({ ["true"] = true, ["false"] = false })[rest]
    end
    return kind == "s" and unescaped(rest) or nil
end

-- A record is { key =, status =, seconds =, memory =, message =, parameters = {…}, results = {…} }; as a line.
function runs.line_of(record)
    local cells = { record.key, record.status, ("%.4f"):format(record.seconds), tostring(record.memory),
        escaped(record.message or "") }
    for _, group in ipairs{ "parameters", "results" } do
        for _, name in ipairs(names_of(record[group])) do
            cells[#cells + 1] = group:sub(1, 1) .. name .. "=" .. value_text(record[group][name])
        end
    end
    return table.concat(cells, "\t")
end

local name_forms = { p = "^[%a_][%w_]*$", r = "^[%w_][%w_.-]*$" }
local statuses = { done = true, failed = true, timeout = true, crashed = true }

local function amount(text)
    return text and text:match("^[%d.]+$") and tonumber(text)
end

-- The record, or nil if the line is not one: it may come from an untrusted folder, or from a recipe that imitates
-- another.
function runs.record_of(line)
    local cells = {}
    for cell in line:gmatch("[^\t]*") do
        cells[#cells + 1] = cell
    end
    local record = { key = cells[1], status = cells[2], seconds = amount(cells[3]), memory = amount(cells[4]),
        message = unescaped(cells[5] or ""), parameters = {}, results = {} }
    if not (record.seconds and record.memory and statuses[record.status] and record.key:match("^%x+$")) then
        return nil
    end
    if #cells > 5 + 2 * max_results then
        return nil
    end
    for i = 6, #cells do
        local group, name, text = cells[i]:match("^([pr])([^=]+)=(.+)$")
        local value = name and name:match(name_forms[group]) and text_value(text)
        if value == nil or not name then
            return nil
        end
        record[group == "p" and "parameters" or "results"][name] = value
    end
    return record
end

-- --- keys ------------------------------------------------------------------------------------------------------------

-- What a recipe's runs depend on besides their values.
function runs.recipe_hash(path, text)
    return texts.hash(esker.version .. "\0" .. recipe.whole_text(path, text))
end

-- The key of a run: the same for the same values, recipe and version.
function runs.key(recipe_hash, values)
    local cells = { recipe_hash }
    for _, name in ipairs(names_of(values)) do
        cells[#cells + 1] = name .. "=" .. value_text(values[name])
    end
    return texts.hash(table.concat(cells, "\n"))
end

-- --- a sweep's folder ------------------------------------------------------------------------------------------------

local function cannot_read(folder, name, problem)
    error(("cannot read '%s': %s"):format(folder:path(name), problem), 0)
end

-- The whole text of a file in a folder, which has at most `most` bytes; nil where there is none.
local function read_whole(folder, name, most)
    local file <close> = folder:open(name)
    if not file then
        return nil
    end
    local text, problem = reading.whole(file, most)
    return text or cannot_read(folder, name, problem)
end

-- All names in a folder: what is no plain file is an error where it is read, not something that is missing.
local function names_in(folder, name)
    local names = folder:names(name, true)
    for i, each in ipairs(names) do
        names[i] = each:gsub("/$", "")
    end
    return names
end

-- Calls `visit(line, place after it)` for the whole lines of a file.
local function each_whole_line(folder, name, visit)
    local file <close> = folder:open(name)
    if not file then
        return
    end
    local function fail(problem)
        cannot_read(folder, name, problem)
    end
    for line, place in reading.lines(file, longest_line, fail) do
        visit(line, place)
    end
end

-- The description of the sweep in a folder: { recipe =, hash =, names = {…} }; nil if there is none.
function runs.manifest(folder)
    local text = read_whole(folder, "sweep.txt", largest_manifest)
    if not text then
        return nil
    end
    local manifest = { recipe = text:match("recipe\t([^\n]*)"), hash = text:match("recipe%-hash\t(%x+)"), names = {} }
    local damage = folder:path("sweep.txt") .. " is damaged: it names "
    local seen = {}
    for name in (text:match("names\t([^\n]*)") or ""):gmatch("%S+") do
        if not name:match(name_forms.p) or seen[name] then
            error(damage .. (seen[name] and "a parameter twice" or "a parameter that is no name"), 0)
        elseif #manifest.names == max_names then
            error(("%smore than %d parameters"):format(damage, max_names), 0)
        end
        seen[name], manifest.names[#manifest.names + 1] = true, name
    end
    if not (manifest.recipe and manifest.hash) then
        error(damage .. "no recipe and hash", 0)
    end
    return manifest
end

-- The folder of an existing sweep, and its manifest. `path` is nil where the user named none.
function runs.swept(path)
    local folder, problem = output_folders.open(path, runs.usual)
    local manifest = folder and runs.manifest(folder)
    if not manifest then
        usage_error("%s", problem or (path or runs.usual) .. " contains no sweep")
    end
    return folder, manifest
end

-- Opens, or creates, the folder for the sweep of a recipe over the named parameters; an error if it belongs to another
-- sweep. `output` is nil where the user named none; `shard` names this process's journal.
function runs.open(output, path, recipe_hash, names, shard)
    local at, folder, problem = output or runs.usual, output_folders.open(output, runs.usual, true)
    if not folder then
        error(problem, 0)
    end
    local before = runs.manifest(folder)
    local ending = shard and "-" .. shard or ""
    local scratch, journal = "unfinished" .. ending, "journal" .. ending
    output_folders.check_own(folder, "sweep.txt", "\nrecipe-hash\t",
        { "table.csv", "index.html", "table.sqlite", journal, scratch .. "/" })
    if before and before.hash ~= recipe_hash and before.recipe == path then
        usage_error("%s has changed since the sweep in %s began; sweep into another folder, or remove this one", path,
            at)
    elseif before and before.hash ~= recipe_hash then
        usage_error("%s holds a sweep of %s; choose another folder", at, before.recipe)
    elseif not before and #names > max_names then
        usage_error("a sweep varies at most %d parameters, got %d", max_names, #names)
    elseif not before then
        folder:write("sweep.txt", ("recipe\t%s\nrecipe-hash\t%s\nversion\t%s\nnames\t%s\n"):format(path, recipe_hash,
            esker.version, table.concat(names, " ")))
    end
    folder:make("runs")
    local store = { folder = folder, journal = journal, scratch = scratch }
    if not folder:lock(store.journal .. ".lock") then
        usage_error("another sweep is writing into %s", at)
    end
    folder:remove(store.scratch) -- leftovers of a killed sweep
    return store
end

-- --- shares ----------------------------------------------------------------------------------------------------------

local most_shares = 1 << 20

-- Writes that a share of a plan (its hash) has begun, or is done; without a share, the whole.
function runs.mark_share(store, plan_hash, share, state)
    store.folder:make("shares")
    store.folder:write(("shares/%s-%s"):format(share and share.name or "1-of-1", plan_hash), state .. "\n")
end

-- The states of the shares in the folder, by plan (its hash), by number of shares: { [number of the share] = state }.
local function plans_of(folder)
    local plans = {}
    for _, name in ipairs(names_in(folder, "shares")) do
        local number, count, hash = name:match("^(%d+)%-of%-(%d+)%-(%x+)$")
        number, count = math.tointeger(tonumber(number)), math.tointeger(tonumber(count))
        if count and number and number >= 1 and number <= count and count <= most_shares then
            plans[hash] = plans[hash] or {}
            plans[hash][count] = plans[hash][count] or {}
            plans[hash][count][number] = (reading.beginning(folder, "shares/" .. name, 16) or ""):match("^%l+")
        end
    end
    return plans
end

-- How many of `count` shares are done.
local function done_of(states, count)
    local done = 0
    for _, state in pairs(states) do
        done = done + (state == "done" and 1 or 0)
    end
    return done, done == count
end

-- Which shares of the folder's plans lack: texts of the first `most`, and the number of all. A plan is whole if,
-- for one number of shares, all are done. The time is that of the files, not of the shares that their names claim.
function runs.missing_shares(folder, most)
    local plans, missing, total = plans_of(folder), {}, 0
    for _, hash in ipairs(names_of(plans)) do
        local counts, whole, lacking = {}, false, 0
        for count, states in pairs(plans[hash]) do
            local done, all = done_of(states, count)
            counts[#counts + 1], whole, lacking = count, whole or all, lacking + count - done
        end
        table.sort(counts)
        for _, count in ipairs(whole and {} or counts) do
            local states = plans[hash][count]
            for number = 1, count do
                if #missing >= most then
                    break
                elseif states[number] ~= "done" then
                    local state = states[number] and "has not ended" or "never ran"
                    missing[#missing + 1] = count == 1 and "the sweep " .. state
                        or ("share %d of %d %s"):format(number, count, state)
                end
            end
        end
        total = total + (whole and 0 or lacking)
    end
    return missing, total
end

-- --- journals --------------------------------------------------------------------------------------------------------

runs.most_memory = 4 << 30 -- bytes, for the records of a folder, which may be a stranger's
local of_record <const>, of_byte <const> = 1000, 12 -- bytes of memory, at most: of any record, of each byte of its line

-- Calls `visit(key, line, damaged)` for the lines of all journals.
local function each_line(folder, visit)
    local memory = 0
    for _, name in ipairs(names_in(folder, ".")) do
        local number = 0
        if name:match("^journal[%w-]*$") then
            each_whole_line(folder, name, function(line)
                number, memory = number + 1, memory + of_record + of_byte * #line
                if memory > runs.most_memory then
                    error(("the journals in %s have more records than fit into %d MiB"):format(folder:path(),
                        runs.most_memory >> 20), 0)
                end
                local function damaged()
                    error(("%s is damaged: line %d is not a record of a run"):format(folder:path(name), number), 0)
                end
                visit(line:match("^(%x+)\t") or damaged(), line, damaged)
            end)
        end
    end
end

-- The lines of all journals, by key: records that are not read until they are wanted.
function runs.finished(folder)
    local lines = {}
    each_line(folder, function(key, line)
        lines[key] = line
    end)
    return lines
end

-- The records of a folder's finished runs, by key.
function runs.records(folder)
    local records = {}
    each_line(folder, function(key, line, damaged)
        records[key] = runs.record_of(line) or damaged()
    end)
    return records
end

-- Where a running run writes, below the folder, and its final place.
function runs.scratch_of(store, key)
    local name = store.scratch .. "/" .. key
    store.folder:make(store.scratch)
    store.folder:remove(name)
    store.folder:make(name)
    return name
end

local function record_in(folder, name)
    local text = reading.beginning(folder, name .. "/record", longest_record)
    local line = text and text:match("^([^\n]*)\n")
    return line and runs.record_of(line)
end

-- The record that a run left in its folder, or nil; before and after it was renamed into place.
function runs.unfinished(store, key)
    return record_in(store.folder, store.scratch .. "/" .. key)
end

function runs.landed(store, key)
    return record_in(store.folder, "runs/" .. key)
end

-- The record as the text of a file. If it is too long, it becomes that of a failed run.
function runs.text_of(record)
    local line, count = runs.line_of(record) .. "\n", #names_of(record.results)
    if #line > longest_record or count > max_results then
        record.status, record.results = "failed", {}
        record.message = count > max_results
            and ("it has %d results that are numbers or texts; a table takes %d of a run"):format(count, max_results)
            or ("its results take %d bytes; a table takes %d of a run"):format(#line, longest_record)
        line = runs.line_of(record) .. "\n"
    end
    return line
end

function runs.write_record(store, record)
    store.folder:write(store.scratch .. "/" .. record.key .. "/record", runs.text_of(record))
end

-- Renames the run's complete folder into place.
function runs.land(store, key)
    store.folder:rename(store.scratch .. "/" .. key, "runs/" .. key)
end

-- Removes an incomplete line left by a crash: the run's own folder has the record.
function runs.append(store, record)
    if not store.checked then
        local whole = 0
        each_whole_line(store.folder, store.journal, function(_, place)
            whole = place
        end)
        store.folder:append(store.journal, "") -- it may not exist yet
        store.folder:shorten(store.journal, whole)
        store.checked = true
    end
    store.folder:append(store.journal, runs.line_of(record) .. "\n")
end

return runs
