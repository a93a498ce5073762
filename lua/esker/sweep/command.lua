-- Parameter sweeps: runs a recipe over a space of parameters, each run in a process of its own. Sweeps can be
-- interrupted at any time and resumed.

local confined = require "esker.recipe.confined"
local esker = require "esker"
local files = require "esker.files"
local gallery = require "esker.sweep.gallery"
local host = require "esker.host"
local plans = require "esker.sweep.plans"
local process = require "esker.process"
local provenance = require "esker.recipe.provenance"
local reading = require "esker.file.reading"
local recipe = require "esker.recipe.recipe"
local runs = require "esker.sweep.runs"
local screen = require "esker.screen"
local site = require "esker.explore.site"
local summaries = require "esker.sweep.summaries"
local tables = require "esker.sweep.tables"
local terminal = require "esker.terminal"
local usage_error = require "esker.usage_error"

local sweep = {}

local max_gallery_pictures = 20000
local max_gallery_cells = 4e6
local most_shown, most_unread = 20, 5 -- missing shares, and pictures that cannot be read, in a message
local many_runs = 10000 -- more need confirmation

-- --- one run ---------------------------------------------------------------------------------------------------------

-- In the run's process, which writes below the run's folder: runs the recipe, and writes its pictures and its record.
local function work(options, key, values)
    local start = esker.seconds()
    local record = { key = key, status = "done", message = "", parameters = {}, results = {} }
    for name, value in pairs(values) do
        record.parameters[name] = value
    end
    local well, problem = pcall(function()
        local results = recipe.run(options.target, options.text, { overrides = values, trust = options.trust,
            on_declare = function(set)
                for name, value in pairs(set.values or {}) do
                    record.parameters[name] = value
                end
                host.set_labels(provenance.labels(options.target, options.text, set))
            end })
        for _, result in ipairs(recipe.results(results, options.target)) do
            if not result.picture then
                record.results[result.name] = result.value
            elseif not options["no-pictures"] then
                result.picture:save(result.file)
                gallery.save_small(result.picture, result.file)
            end
        end
    end)
    if not well then
        record.status = "failed"
        record.message = type(problem) == "table" and problem.usage or problem
    end
    record.seconds, record.memory = esker.seconds() - start, process.memory()
    files.write("record", runs.text_of(record))
    return 0
end

-- The first bytes that a run printed, or nothing if it printed nothing.
local function output_of(store, key)
    local name = store.scratch .. "/" .. key .. "/output"
    local output = reading.beginning(store.folder, name, 4096)
    if output == "" then
        store.folder:remove(name)
    end
    return output or ""
end

-- The record that a run left, or one made here if it left none. Values known to this process replace the record's:
-- which run it was, and at most the seconds that passed.
local function outcome(store, key, values, ended)
    local output = output_of(store, key)
    local record = ended.status == 0 and runs.unfinished(store, key)
    if record then
        local said = runs.line_of(record)
        for name, value in pairs(values) do
            record.parameters[name] = value
        end
        record.key, record.seconds = key, math.min(record.seconds, ended.seconds)
        if runs.line_of(record) ~= said then
            runs.write_record(store, record)
        end
    else
        local message = ended.problem or ended.status ~= 0 and output:match("^[^\n]+")
            or ended.status ~= 0 and ("ended with status %d"):format(ended.status) or "ended without a result"
        record = { key = key, status = ended.late and "timeout" or "crashed", seconds = ended.seconds,
            memory = ended.memory, message = message, parameters = values, results = {} }
        runs.write_record(store, record)
    end
    runs.land(store, key)
    return record
end

-- --- all of them -----------------------------------------------------------------------------------------------------

local function say(options, ...)
    if not options.quiet then
        screen.note(string.format(...), "\n")
    end
end

local function confirm(plan, options)
    if plan.total <= many_runs or options.yes then
        return
    end
    local input, output = terminal.is_terminal()
    if not (input and output) then
        usage_error("these are %d runs; confirm them with --yes", plan.total)
    end
    screen.note(("These are %d runs. Continue? [y/N] "):format(plan.total))
    if not (io.stdin:read("l") or ""):match("^[yY]") then
        error("nothing was done", 0)
    end
end

local function progress_line(options, state)
    local _, output = terminal.is_terminal()
    local now = esker.seconds()
    if options.quiet or not output or now - (state.drawn or 0) < 0.2 then
        return
    end
    state.drawn = now
    local left = state.made > 0 and (now - state.begun) / state.made * (state.planned - state.done - state.kept) or 0
    screen.progress(("%d of %d runs, %d failed, %.0f s left"):format(state.done + state.kept, state.planned,
        state.failed, left))
end

-- Waits for the end of a run and stores its record.
local function reap(store, options, busy, state)
    local ended = process.wait()
    local run = busy[ended.number]
    busy[ended.number], state.busy = nil, state.busy - 1
    local record = outcome(store, run.key, run.values, ended)
    runs.append(store, record)
    state.done, state.made = state.done + 1, state.made + 1
    if record.status ~= "done" then
        state.failed = state.failed + 1
        say(options, "%s: %s: %s", plans.words(run.values, options.names), record.status, record.message)
        if options["fail-fast"] then
            state.stop = true
        end
    end
    progress_line(options, state)
end

-- A contact sheet of the first picture of each run. Returns whether it lacks
-- pictures that cannot be read.
local function write_sheet(whole, folder, path)
    local paths, list, unread = gallery.first_pictures(whole, folder), {}, {}
    for _, record in ipairs(whole.rows) do
        list[#list + 1] = paths[record.key]
    end
    local read = require("esker.sweep.sheet_pictures").reader(folder, list)
    local sheet = require("esker.sweep.contact").sheet(whole, gallery.varied(whole), function(record)
        local image, problem = nil, nil
        if paths[record.key] then
            image, problem = read(paths[record.key])
        end
        unread[#unread + 1] = problem and ("%s: %s"):format(folder:path(paths[record.key]), problem)
        return image
    end)
    sheet:save(path)
    if #unread > 0 then
        screen.note(("esker: the sheet lacks %d pictures that cannot be read: %s%s\n"):format(#unread,
            table.concat(unread, "; ", 1, math.min(#unread, most_unread)), #unread > most_unread and "; …" or ""))
    end
    return #unread > 0
end

local function write_table(folder, records, names, options)
    local whole = tables.of(records, names)
    folder:write("table.csv", tables.csv(whole))
    if whole.left_out > 0 then
        screen.note(("esker: the runs returned %d different results; the table has the %d most frequent\n"):format(
            whole.left_out + #whole.results, #whole.results))
    end
    if #whole.rows <= max_gallery_pictures and #whole.rows * #whole.columns <= max_gallery_cells then
        folder:write("index.html", gallery.page(whole, folder))
    else
        folder:remove("index.html") -- which shows fewer
    end
    if options.sheet then
        whole.lacks_pictures = write_sheet(whole, folder, options.sheet)
    end
    if options.sqlite then
        local database, problem = tables.sqlite(whole)
        if not database then
            error(("cannot write '%s': %s"):format(folder:path("table.sqlite"), problem), 0)
        end
        folder:write("table.sqlite", database)
    end
    return whole
end

-- Reports runs that returned different columns from most.
local function tell_columns(whole, options)
    for _, name in ipairs(whole.left_out == 0 and whole.results or {}) do
        local having, done = 0, 0
        for _, record in ipairs(whole.rows) do
            if record.status == "done" then
                done = done + 1
                having = having + (record.results[name] ~= nil and 1 or 0)
            end
        end
        if having < done then
            say(options, "'%s' was returned by %d of %d runs; the others have an empty cell", name, having, done)
        end
    end
end

local function run_all(options, plan, store)
    local shard = options.share_of
    local finished = runs.finished(store.folder)
    local recipe_hash = options.recipe_hash
    local state = { done = 0, made = 0, failed = 0, kept = 0, busy = 0, begun = esker.seconds(), planned = plan.total }
    local busy, most = {}, options.workers
    plans.each(plan, shard, function(values)
        if state.stop then
            return
        end
        local key = runs.key(recipe_hash, values)
        local before = finished[key]
        finished[key] = true -- a value may be given twice
        if before == true then
            state.planned = state.planned - 1
            return
        elseif before then
            state.kept = state.kept + 1
            return
        end
        before = runs.landed(store, key) -- finished, but a crash prevented its line
        if before then
            runs.append(store, before)
            state.kept = state.kept + 1
            return
        end
        while state.busy >= most do
            reap(store, options, busy, state)
        end
        local folder = store.folder:real_path(runs.scratch_of(store, key))
        local limits = confined.limits(options, values, folder, plan.unnamed)
        limits.write_is_real = true
        local number = confined.fork(limits, function()
            return work(options, key, values)
        end, "output")
        busy[number], state.busy = { key = key, values = values }, state.busy + 1
    end)
    while state.busy > 0 do
        reap(store, options, busy, state)
    end
    store.folder:remove(store.scratch)
    return state
end

-- The records of finished runs; an error if there are none.
local function records_of(folder)
    local records = runs.records(folder)
    if not next(records) then
        error(("%s has no finished run: its journal is missing or empty"):format(folder:path()), 0)
    end
    return records
end

function sweep.merge(options)
    local folder, manifest = runs.swept(options.output or ".")
    local missing, total = runs.missing_shares(folder, most_shown)
    local records = #missing == 0 and records_of(folder) or runs.records(folder)
    local whole = write_table(folder, records, manifest.names, options)
    say(options, "%s  %d runs", folder:path("table.csv"), #whole.rows)
    if #missing > 0 then
        screen.note(("esker: the table lacks runs: %s%s\n"):format(table.concat(missing, ", "),
            total > #missing and (", and %d more"):format(total - #missing) or ""))
    end
    return (#missing > 0 or whole.lacks_pictures) and 1 or 0
end

-- The folder and limits of a sweep or search, from the options.
local function prepare(options, names, shard)
    options.workers = options.workers or esker.threads()
    esker.threads(1) -- a run has one thread, which never has to be stopped and restarted
    options.names = names
    options.text = recipe.text(options.target)
    options.recipe_hash = runs.recipe_hash(options.target, options.text)
    local named, source = options.output, nil
    options.output = named or runs.usual
    if options.site then
        site.check(options.target, options.text)
        source = site.open(options.site)
    end
    local store = runs.open(named, options.target, options.recipe_hash, names, shard)
    if source then
        store.folder:make(gallery.page_folder)
        site.copy(source, store.folder:folder(gallery.page_folder), options.target, options.text)
    end
    return store
end

function sweep.run(options)
    if options.merge and options.site then
        usage_error "--site is for the sweep itself: --merge keeps the page that its runs have"
    elseif options.merge then
        return sweep.merge(options)
    elseif not options.target then
        usage_error "sweep takes a recipe, as in esker sweep island.lua seed=1..20 -o out"
    end
    options.workers = esker.threads()
    esker.threads(1) -- code of the recipe before params must not start any
    local plan = plans.make(options)
    options.share_of = plans.shard(options)
    if options["dry-run"] then
        local count = 0
        plans.each(plan, options.share_of, function(values)
            count = count + 1
            screen.write(plans.words(values, plan.names), "\n")
        end)
        screen.write(("%d runs\n"):format(count))
        return 0
    end
    confirm(plan, options)
    local store = prepare(options, plan.names, options.share_of and options.share_of.name)
    runs.mark_share(store, plan.hash, options.share_of, "begun")
    local well, state = pcall(run_all, options, plan, store)
    if not options.quiet and select(2, terminal.is_terminal()) then
        screen.progress()
    end
    if not well then
        process.stop()
        say(options, "stopped; the same command continues")
        error(state, 0)
    end
    if not state.stop then
        runs.mark_share(store, plan.hash, options.share_of, "done")
    end
    local whole = write_table(store.folder, runs.records(store.folder), plan.names, options)
    tell_columns(whole, options)
    say(options, "%s/table.csv  %d runs, %d of them new, %d failed", options.output, state.made + state.kept,
        state.made, state.failed)
    return (state.stop or state.made > 0 and state.failed == state.made or whole.lacks_pictures) and 1 or 0
end

-- esker search RECIPE.lua NAME=LOW..HIGH … --maximize RESULT [--budget N]
function sweep.search(options)
    if not options.target then
        usage_error "search takes a recipe, as in esker search island.lua talus=4..32 --maximize suitability"
    elseif (options.maximize ~= nil) == (options.minimize ~= nil) then
        usage_error "search takes --maximize RESULT or --minimize RESULT"
    end
    options.budget = options.budget or 100
    local declared = plans.declarations(options)
    local names = {}
    for i, word in ipairs(options.words) do
        names[i] = word:match("^[%a_][%w_]*") or word
    end
    local store
    local function execute(list)
        store = store or prepare(options, names)
        run_all(options, { total = #list, values = function(index) return list[index + 1] end, names = names }, store)
        return runs.records(store.folder)
    end
    local well, found = pcall(require("esker.sweep.search").run, options, declared, execute)
    if not well then
        process.stop()
        error(found, 0)
    end
    local whole = write_table(store.folder, runs.records(store.folder), names, options)
    screen.write(("%s\n%s = %.6g, give or take %.2g, over %d runs%s%s\n"):format(found.words,
        options.maximize or options.minimize, found.value, 2 * found.deviation, found.runs,
        found.failed > 0 and (", %d failed"):format(found.failed) or "",
        found.refused > 0 and (", %d more %s refused"):format(found.refused, found.refused == 1 and "was" or "were")
            or ""))
    return whole.lacks_pictures and 1 or 0
end

-- esker table FOLDER [--group …] [--share …] [--where …]
function sweep.table(options)
    local folder = runs.swept(options.target)
    local said = summaries.of(tables.of(records_of(folder)), options)
    local ending = options.json and "json" or (options.output or ""):lower():match("%.(%w+)$")
    local text = (ending == "json" and summaries.json or ending == "csv" and summaries.csv or summaries.text)(said)
    if not options.output then
        screen.write(text)
    else
        files.write(options.output, text)
        if not options.quiet then
            screen.write(options.output, "\n")
        end
    end
    return 0
end

return sweep
