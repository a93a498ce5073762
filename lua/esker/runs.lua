-- The runs of a sweep on disk. Each has a folder runs/KEY with its pictures and its record, which takes its name
-- when all is there; the records of finished runs are also lines of a journal, so that a sweep of any size goes on
-- at once. A line that a crash cut off has no newline and does not count: its folder does.

local esker = require "esker"
local host = require "esker.host"
local names_of = require "esker.names"
local parameters = require "esker.parameters"
local recipe = require "esker.recipe"
local terminal = require "esker.terminal"
local workers = require "esker.workers"

local runs = {}

-- A line of a table: whatever a recipe says, its parent keeps all of them.
local longest_record = 2 ^ 20

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

local function text_value(text)
    local kind, rest = text:sub(1, 1), text:sub(2)
    if kind == "n" then
        return tonumber(rest) or rest == "inf" and math.huge or rest == "-inf" and -math.huge or 0 / 0
    elseif kind == "b" then
        return rest == "true"
    end
    return unescaped(rest)
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

-- The record, or nil where the line is none.
function runs.record_of(line)
    local cells = {}
    for cell in (line .. "\t"):gmatch("(.-)\t") do
        cells[#cells + 1] = cell
    end
    local record = { key = cells[1], status = cells[2], seconds = tonumber(cells[3]), memory = tonumber(cells[4]),
        message = unescaped(cells[5] or ""), parameters = {}, results = {} }
    if not record.memory or not record.key:match("^%x+$") then
        return nil
    end
    for i = 6, #cells do
        local group, name, text = cells[i]:match("^([pr])([^=]+)=(.+)$")
        if not name then
            return nil
        end
        record[group == "p" and "parameters" or "results"][name] = text_value(text)
    end
    return record
end

-- --- keys ------------------------------------------------------------------------------------------------------------

-- The recipe's text, with that of all modules that it names in `require`, and of theirs.
function runs.recipe_hash(path)
    local folder, seen, texts = path:match("^(.*/)[^/]*$") or "", {}, {}
    local function add(file)
        if seen[file] then
            return
        end
        seen[file] = true
        local text = recipe.read_file(file)
        if not text then
            return
        end
        texts[#texts + 1] = text
        for name in text:gmatch("require%s*%(?%s*[\"']([%w_.]+)[\"']") do
            add(folder .. name:gsub("%.", "/") .. ".lua")
        end
    end
    add(path)
    return host.hash(esker.version .. "\0" .. table.concat(texts, "\0"))
end

-- The key of a run: the same for the same values, recipe and version.
function runs.key(recipe_hash, values)
    local cells = { recipe_hash }
    for _, name in ipairs(names_of(values)) do
        cells[#cells + 1] = name .. "=" .. value_text(values[name])
    end
    return host.hash(table.concat(cells, "\n"))
end

-- --- a sweep's folder ------------------------------------------------------------------------------------------------

-- Opens the folder for the sweep of a recipe over the named parameters; an error when it is another's. `shard` names
-- this process's journal.
function runs.open(folder, path, recipe_hash, names, shard)
    local manifest = folder .. "/sweep.txt"
    local text = recipe.read_file(manifest)
    local before = text and text:match("recipe%-hash\t(%x+)")
    if before and before ~= recipe_hash then
        local name = text:match("recipe\t([^\n]*)")
        error({ usage = name == path
            and ("%s has changed since the sweep in %s began; sweep into another folder, or remove this one"):format(
                path, folder)
            or ("%s holds a sweep of %s; choose another folder"):format(folder, name) }, 0)
    elseif not text then
        host.make_folder(folder)
        host.write_file(manifest, ("recipe\t%s\nrecipe-hash\t%s\nversion\t%s\nnames\t%s\n"):format(path, recipe_hash,
            esker.version, table.concat(names, " ")))
    end
    host.make_folder(folder .. "/runs")
    local store = { folder = folder, journal = folder .. "/journal" .. (shard and "-" .. shard or ""),
        scratch = folder .. "/unfinished" .. (shard and "-" .. shard or "") }
    if not workers.lock(store.journal .. ".lock") then
        error({ usage = ("another sweep is writing into %s"):format(folder) }, 0)
    end
    workers.remove(store.scratch)
    host.make_folder(store.scratch)
    return store
end

-- The lines of all journals, by key: records that are not read until they are wanted.
function runs.finished(folder)
    local lines = {}
    for _, name in ipairs(terminal.names_in(folder)) do
        if name:match("^journal[%w-]*$") then
            for line in (recipe.read_file(folder .. "/" .. name) or ""):gmatch("([^\n]*)\n") do
                local key = line:match("^(%x+)\t")
                if key then
                    lines[key] = line
                end
            end
        end
    end
    return lines
end

-- The records of a folder's finished runs, by key.
function runs.records(folder)
    local records = {}
    for key, line in pairs(runs.finished(folder)) do
        records[key] = runs.record_of(line)
    end
    return records
end

-- Where a run that is under way writes, and where it lands.
function runs.scratch_of(store, key)
    local folder = store.scratch .. "/" .. key
    workers.remove(folder)
    host.make_folder(folder)
    return folder
end

local function record_in(folder)
    local text = recipe.read_file(folder .. "/record", longest_record)
    local line = text and text:match("^([^\n]*)\n")
    return line and runs.record_of(line)
end

-- The record that a run left in its folder, or nil; before it landed, and after.
function runs.unfinished(store, key)
    return record_in(store.scratch .. "/" .. key)
end

function runs.landed(store, key)
    return record_in(store.folder .. "/runs/" .. key)
end

function runs.write_record(folder, record)
    local line = runs.line_of(record) .. "\n"
    if #line > longest_record then
        record.status, record.results = "failed", {}
        record.message = ("its results take %d bytes; a table takes %d of a run"):format(#line, longest_record)
        line = runs.line_of(record) .. "\n"
    end
    host.write_file(folder .. "/record", line)
end

-- Gives the run's folder its name, whole.
function runs.land(store, key)
    workers.land(store.scratch .. "/" .. key, store.folder .. "/runs/" .. key)
end

-- A journal that a crash cut off gets its newline first.
function runs.append(store, record)
    if not store.checked then
        local text = recipe.read_file(store.journal)
        if text and #text > 0 and text:sub(-1) ~= "\n" then
            assert(terminal.append(store.journal, ""))
        end
        store.checked = true
    end
    local well, problem = terminal.append(store.journal, runs.line_of(record))
    if not well then
        error(problem, 0)
    end
end

return runs
