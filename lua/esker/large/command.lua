-- esker large: runs a recipe with fields larger than memory by several processes, on one machine or more. Each works on
-- its share of the strips, in a folder that they share, and --merge joins what all found.

local confined = require "esker.recipe.confined"
local esker = require "esker"
local names_of = require "esker.names"
local output_folders = require "esker.recipe.output_folders"
local plans = require "esker.sweep.plans"
local process = require "esker.process"
local reading = require "esker.file.reading"
local recipe = require "esker.recipe.recipe"
local screen = require "esker.screen"
local texts = require "esker.texts"
local usage_error = require "esker.usage_error"

local large = {}

local parts_name <const> = "large.parts"
local longest_plan <const> = 1 << 16

local function note(options, ...)
    if not options.quiet then
        screen.note(string.format(...), "\n")
    end
end

-- What all processes must have in common: the version, the recipe with its modules, and its parameters.
local function plan_of(options, text)
    local values = {}
    for i, name in ipairs(names_of(options.overrides)) do
        values[i] = name .. "=" .. options.overrides[name]
    end
    local whole = recipe.whole_text(options.target, text)
    return ("esker %s\n%s\n%s\n"):format(esker.version, texts.hash(whole), table.concat(values, "\n"))
end

local function mode_of(options)
    local shard = not options.merge and plans.shard(options) or nil
    if options.merge and options.shard then
        usage_error "--shard and --merge are two steps: all shares first, then --merge"
    end
    return shard and "shard" or options.merge and "merge" or "whole", shard or { number = 1, of = 1, name = "whole" }
end

-- Removes what Esker put there, except the plan and what says that all is done.
local function clean(parts)
    for _, name in ipairs(parts:names()) do
        if name:find("^%d+%-%l+%-%l+$") or name:find("^%d+%-%l+%-%l+%-%d+$") or name:find("^%d+%-%l+%-%l+%-rows%-%d+$")
            or name:find("^lock%-[%w-]+$") then
            parts:remove(name)
        end
    end
end

-- In the process of the recipe.
local function work(job, options, text, run)
    require("esker.large.shards").share(job)
    local well, problem = pcall(run, options, text, options.overrides, job.mode == "shard")
    if job.ended then
        if job.ended.status ~= 0 or not options.quiet then
            screen.note(job.ended.text, "\n")
        end
        return job.ended.status
    elseif not well then
        error(problem, 0)
    elseif job.mode == "shard" then
        note(options, "nothing is left for shares: --merge saves the results")
        return 0
    end
    require("esker.files").write(parts_name .. "/done", "")
    return problem
end

-- `run(options, text, overrides, quiet)` runs the recipe and saves its results.
function large.run(options, run)
    if not options.target then
        usage_error "large takes a recipe, as in esker large land.lua -o out --shard 1/4"
    end
    local text, output = recipe.text(options.target), options.output or "."
    local mode, share = mode_of(options)
    local parts = output_folders.chosen(output .. "/" .. parts_name, true)
    local place = parts:real_path(".")
    local plan, before = plan_of(options, text), reading.beginning(parts, "plan", longest_plan)
    if before and before ~= plan then
        usage_error("%s holds parts of another run: another recipe, version or parameters; remove it, or choose "
            .. "another output", place)
    elseif parts:has("done") then
        note(options, "all is done; remove %s to begin anew", place)
        return 0
    elseif not parts:lock("lock-" .. share.name) then
        usage_error("another process works on this share of %s", place)
    elseif not before then
        parts:write("plan", plan)
    end
    local job = { place = place, folder = parts_name, plan = texts.hash(plan), mode = mode, number = share.number,
        of = share.of, have = {} }
    for _, name in ipairs(parts:names()) do
        job.have[name] = true
    end
    local limits = confined.limits(options, options.overrides, output)
    limits.real[#limits.real + 1] = place
    confined.fork(limits, function() return work(job, options, text, run) end)
    local ended = process.wait()
    if ended.problem then
        screen.note("esker: ", ended.problem, "\n")
    end
    if parts:has("done") then
        clean(parts)
    end
    return ended.status
end

return large
