-- esker tiles: a pyramid of tiles of the maps, fields and images that a recipe returns. Blocks of tiles are drawn by
-- confined processes, each into a file of its own in the folder OUTPUT.parts, and joined when all are there. So a
-- stopped run continues, shares of the blocks can be drawn on several machines, and the result is the same.

local confined = require "esker.recipe.confined"
local engine_tiles = require "esker.tiles.engine_tiles"
local esker = require "esker"
local files = require "esker.files"
local output_folders = require "esker.recipe.output_folders"
local plans = require "esker.sweep.plans"
local process = require "esker.process"
local provenance = require "esker.recipe.provenance"
local reading = require "esker.file.reading"
local recipe = require "esker.recipe.recipe"
local screen = require "esker.screen"
local terminal = require "esker.terminal"
local tile_archives = require "esker.tiles.archives"
local tile_drawing = require "esker.tiles.drawing"
local tile_plans = require "esker.tiles.plans"
local usage_error = require "esker.usage_error"

local tiles = {}

-- Consecutive blocks are drawn together: they share coarse land, the recipe's run and memory. A share, which must not
-- depend on the machine, has the runs of many blocks; otherwise all processes get several runs.
local many_blocks, run_of_blocks, runs_of_worker = 64, 4, 4
local most_together = 8 -- runs that one process draws: its memory, once it has it, costs no more time
local longest_plan = 1 << 20
local most_missing <const> = 100000 -- parts that are counted: a forged plan may have any number

local function say(options, ...)
    if not options.quiet then
        screen.note(string.format(...), "\n")
    end
end

local function progress(options, state, tell)
    local now, _, output = esker.seconds(), terminal.is_terminal()
    if not options.quiet and output and now - (state.shown or 0) > 0.2 then
        state.shown = now
        screen.progress(tell)
    end
end

-- --- in the recipe's process -----------------------------------------------------------------------------------------

local function command_of(about, options)
    local words = { (about.command:gsub("^esker ", "esker tiles ")) }
    for _, name in ipairs{ "kinds", "levels", "area", "world-level", "engine", "tile-size", "overlap",
        "cell", "range", "masks", "palette", "metres" } do
        words[#words + 1] = options[name] and ("--%s %s"):format(name, options[name])
    end
    return table.concat(words, " ")
end

-- Runs the recipe, whose `print` is given: the plan, and its sources' values.
local function prepare(options, job, print)
    local about = { version = esker.version, recipe = options.target }
    local results = recipe.run(options.target, job.text, { overrides = job.overrides, trust = options.trust,
        print = print,
        on_declare = function(set)
            local labels = {}
            for _, label in ipairs(provenance.labels(options.target, job.text, set)) do
                labels[label[1]] = label[2]
            end
            about.hash, about.parameters = labels["esker:recipe-hash"], labels["esker:parameters"]
            about.command = labels["esker:command"]
        end })
    about.command = command_of(about, options)
    local list = recipe.results(results, options.target, true, true)
    local sources, values = tile_plans.sources(list, job.wishes, options.target)
    return tile_plans.make(sources, job.wishes, about, job.format, values), values
end

-- The plan that a text describes, which lies in a folder of parts.
local function sound_plan(text, parts)
    return tile_plans.read(text) or usage_error("the plan of tiles in %s is damaged; remove %s/plan: the command that "
        .. "drew them writes it again, and draws only what is missing", parts, parts)
end

local function check_same(plan_text, before, parts)
    if before and before ~= plan_text then
        sound_plan(before, parts)
        usage_error("%s holds tiles of another plan: another recipe, version or options; remove it, or choose "
            .. "another output", parts)
    end
end

local function draw(plan, values, blocks, job, draft)
    local drawer = tile_drawing.drawer(plan, values, draft, job.place)
    tile_drawing.prepare(plan, values, blocks)
    for _, block in ipairs(blocks) do
        files.write(block.name, drawer(block))
    end
end

-- The blocks of this share that are not drawn yet, in runs that one process draws; and the number of tiles of them.
local function left_to_draw(plan, job)
    local runs, count, index, all = {}, 0, 0, 0
    tile_plans.layout(plan).each(plan, function()
        all = all + 1
    end)
    local length = all > many_blocks and run_of_blocks or 1
    if not job.shard then
        length = math.max(length, math.min(all // (job.workers * runs_of_worker), run_of_blocks))
    end
    tile_plans.layout(plan).each(plan, function(block)
        local run = index // length
        index = index + 1
        if not job.finished[block.name] and (not job.shard or run % job.shard.of == job.shard.number - 1) then
            if not runs[#runs] or runs[#runs].number ~= run then
                runs[#runs + 1] = { number = run, tiles = 0 }
            end
            local last, tiles_in = runs[#runs], #tile_plans.layout(plan).tiles(plan, block)
            last[#last + 1], last.tiles, count = block, last.tiles + tiles_in, count + tiles_in
        end
    end)
    return runs, count
end

-- Finds the plan. Fields and images are drawn at once, by all threads: they may take long to make, and much memory.
local function survey(options, job)
    local plan, values = prepare(options, job, screen.write)
    local text = tile_plans.write(plan)
    check_same(text, job.before, job.place)
    if plan.engine then
        engine_tiles.tell_cut(plan, tile_plans.sets(plan), values)
    end
    if not job.before then
        files.write("plan", text)
    end
    for _, source in ipairs(plan.sources) do
        if tile_plans.is_map(source) then
            return text
        end
    end
    for _, run in ipairs(left_to_draw(plan, job)) do
        draw(plan, values, run, job, "draft-" .. (job.shard and job.shard.name or "whole"))
    end
    return text
end

-- --- all of it -------------------------------------------------------------------------------------------------------

-- What a process printed that failed.
local function failure(parts, name, ended)
    local text = reading.beginning(parts, name, 4096)
    return ended.problem or text and text:match("[^\n]+") or ("a process ended with status %d"):format(ended.status)
end

-- The runs that each process draws, few enough that all processes end at about the same time.
local function batches_of(runs, workers)
    local length = workers == 1 and most_together or math.min(#runs // (workers * runs_of_worker), most_together)
    local batches = {}
    for _, run in ipairs(runs) do
        local last = batches[#batches]
        if not last or #last >= length then
            last = { number = run.number, tiles = 0 }
            batches[#batches + 1] = last
        end
        last[#last + 1], last.tiles = run, last.tiles + run.tiles
    end
    return batches
end

-- Draws runs of blocks in parallel processes.
local function draw_runs(options, job, parts, plan, runs, count)
    local busy, busy_count, done = {}, 0, 0
    local function reap()
        local ended = process.wait()
        local batch = busy[ended.number]
        busy[ended.number], busy_count = nil, busy_count - 1
        if ended.status ~= 0 then
            error((failure(parts, batch.output, ended):gsub("^esker: ", "")), 0)
        end
        parts:remove(batch.output)
        done = done + batch.tiles
        progress(options, job, ("%d of %d tiles drawn"):format(done, count))
    end
    for _, batch in ipairs(batches_of(runs, job.workers)) do
        while busy_count >= job.workers do
            reap()
        end
        batch.output = ("output-%s%d"):format(job.shard and job.shard.name .. "-" or "", batch.number)
        parts:remove(batch.output)
        local number = confined.fork(job.limits, function()
            local again, values = prepare(options, job, function() end) -- it printed before
            check_same(tile_plans.write(again), tile_plans.write(plan), job.place)
            for _, run in ipairs(batch) do
                draw(again, values, run, job, "draft-" .. batch.output)
            end
            return 0
        end, batch.output)
        busy[number], busy_count = batch, busy_count + 1
    end
    while busy_count > 0 do
        reap()
    end
end

-- The text of the plan in an open folder, or nil.
local function read_plan(parts)
    return reading.beginning(parts, "plan", longest_plan)
end

local function open_parts(path, make)
    return output_folders.chosen(path, make) or usage_error("there is no folder '%s'", path)
end

local function has_blocks(parts)
    for _, name in ipairs(parts:names()) do
        if name:find("^%d+%-%d+%-%d+$") then
            return true
        end
    end
    return false
end

-- Removes what Esker put into the folder of parts, and the folder if nothing else is in it.
local function remove_parts(options, parts, plan)
    local own = { plan = true }
    if plan then
        tile_plans.layout(plan).each(plan, function(block)
            own[block.name] = true
        end)
    end
    for _, name in ipairs(parts:names()) do
        if own[name] or name:find("^lock$") or name:find("^lock%-%d+%-of%-%d+$") or name:find("^output%-[%w-]+$")
            or name:find("^draft%-[%w-]+%.%l[%l%d]+$") then
            parts:remove(name)
        end
    end
    local _, above, name = output_folders.chosen(parts:path())
    if not above:remove_empty(name) then
        say(options, "%s  stays: it holds files that are no parts of tiles", parts:path())
    end
end

-- Joins the parts to the files that were asked for, and removes them.
local function join(options, parts, plan, output)
    local missing, all = 0, 0
    local there = {}
    for _, name in ipairs(parts:names()) do
        there[name] = true
    end
    tile_plans.layout(plan).each(plan, function(block)
        missing, all = missing + (there[block.name] and 0 or 1), all + 1
        if missing > most_missing then
            error(("more than %d parts are missing in %s; draw the other shares first"):format(most_missing,
                parts:path()), 0)
        end
    end)
    if missing > 0 then
        error(("%d of %d parts are missing in %s; draw the other shares first"):format(missing, all, parts:path()), 0)
    end
    local state, done, count = {}, 0, tile_plans.layout(plan).count(plan) * #tile_plans.sets(plan)
    for _, path in ipairs(tile_archives.replaced(plan, output, not options.output)) do
        say(options, "%s  replaces the tiles of an earlier run", path)
    end
    local paths = tile_archives.write(plan, parts, output, function(tiles_in)
        done = done + tiles_in
        progress(options, state, ("%.0f of %.0f tiles joined"):format(done, count))
    end)
    for _, path in ipairs(plan.engine and paths or {}) do
        say(options, "%s  %d × %d tiles of %d × %d points", path, plan.across, plan.down, plan.tile, plan.tile)
        local beyond = engine_tiles.beyond(plan)
        if beyond then
            say(options, "the last tiles reach beyond the land: %s repeat its edge", beyond)
        end
    end
    for _, path in ipairs(plan.engine and {} or paths) do
        say(options, "%s  levels %d to %d, %.0f tiles of %d × %d", path, plan.low, plan.high,
            tile_plans.layout(plan).count(plan), plan.tile, plan.tile)
    end
    remove_parts(options, parts, plan)
end

local function clear_line(options)
    if not options.quiet and select(2, terminal.is_terminal()) then
        screen.progress()
    end
end

local function make(options, output)
    if options.engine and tile_archives.format(output) ~= "folder" then
        usage_error("--engine: tiles of an engine are files in a folder, as in -o FOLDER, got '%s'", output)
    end
    local place = output .. ".parts"
    local job = { text = recipe.text(options.target), wishes = tile_plans.wishes(options),
        overrides = options.overrides, format = tile_archives.format(output), shard = plans.shard(options),
        workers = esker.threads(), finished = {} }
    local parts = open_parts(place, true)
    job.place = parts:real_path(".")
    if not parts:lock("lock" .. (job.shard and "-" .. job.shard.name or "")) then
        usage_error("another process is making %s", output)
    end
    job.before = read_plan(parts)
    for _, name in ipairs(parts:names()) do
        job.finished[name] = true
    end
    job.limits = confined.limits(options, options.overrides, job.place)
    job.limits.write_is_real = true
    if options.engine then -- drafts are read back
        job.limits.read[#job.limits.read + 1] = job.place
        job.limits.exr = job.limits.exr or (options.kinds or ""):find("control", 1, true) and true
    end
    local well, problem = pcall(function()
        local plan = tile_plans.read(confined.call(job.limits, function() return survey(options, job) end))
        for _, name in ipairs(parts:names()) do -- and what the survey drew
            job.finished[name] = true
        end
        tile_archives.replaced(plan, output, not options.output) -- before more is drawn
        local runs, count = left_to_draw(plan, job)
        draw_runs(options, job, parts, plan, runs, count)
        clear_line(options)
        if job.shard then
            say(options, "%s  share %d of %d; join all with esker tiles --merge -o %s", place, job.shard.number,
                job.shard.of, output)
        else
            join(options, parts, plan, output)
        end
    end)
    if not well then
        process.stop()
        clear_line(options)
        if not read_plan(parts) or not (job.before or job.shard or has_blocks(parts)) then -- nothing was drawn
            remove_parts(options, parts)
        end
        error(problem, 0)
    end
    return 0
end

function tiles.run(options)
    local output = (options.output or options.engine and engine_tiles.default or "tiles.pmtiles"):gsub("(.)/+$", "%1")
    if options.merge then
        local parts = open_parts(output .. ".parts")
        local text = read_plan(parts)
        if not text then
            usage_error("%s contains no plan of tiles; the command that drew them writes it again, and draws only what "
                .. "is missing", parts:path())
        end
        local plan = sound_plan(text, parts:path())
        join(options, parts, plan, output)
        clear_line(options)
        return 0
    elseif not options.target then
        usage_error "tiles takes a recipe, as in esker tiles map.lua -o map.pmtiles"
    end
    return make(options, output)
end

return tiles
