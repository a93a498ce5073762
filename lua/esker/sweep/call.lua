-- esker.sweep{…}: a sweep from Lua that returns its table. It runs in a process of its own, with its own threads and
-- labels.

local command_line = require "esker.command_line"
local host = require "esker.host"
local keys = require "esker.keys"
local names_of = require "esker.names"
local parameters = require "esker.recipe.parameters"
local process = require "esker.process"
local runs = require "esker.sweep.runs"
local tables = require "esker.sweep.tables"

local known = { recipe = "string", grid = "table", draw = "table", samples = "number", design = "string",
    where = "string", output = "string", workers = "number", time_limit = "number", memory_limit = "number",
    pictures = "boolean" }

local function check(arguments)
    if type(arguments) ~= "table" then
        error('sweep: takes one table, as in esker.sweep{ recipe = "island.lua", grid = { seed = { 1, 2 } } }', 0)
    end
    local unknown = keys.first_wrong(arguments, function(key) return known[key] end)
    if unknown then
        error(("sweep: unknown argument '%s'"):format(unknown), 0)
    end
    for _, name in ipairs(names_of(arguments)) do
        local value = arguments[name]
        if type(value) ~= known[name] then
            error(("sweep: %s must be a %s, got %s"):format(name, known[name], type(value)), 0)
        end
    end
    if not arguments.recipe then
        error("sweep: recipe is not given", 0)
    end
end

-- The command line of a sweep as words.
local function words_of(arguments)
    local words = { "sweep", arguments.recipe, "-q", "--yes" }
    local function add(...)
        for _, word in ipairs{ ... } do
            words[#words + 1] = word
        end
    end
    for _, name in ipairs(names_of(arguments.grid)) do
        local list = {}
        for i, value in ipairs(arguments.grid[name]) do
            list[i] = parameters.exact_text(value)
        end
        add(name .. "=" .. table.concat(list, ","))
    end
    for _, name in ipairs(names_of(arguments.draw)) do
        local low, high = table.unpack(arguments.draw[name])
        add(("%s=~%s..%s"):format(name, parameters.exact_text(low), parameters.exact_text(high)))
    end
    for option, name in pairs{ samples = "samples", design = "design", where = "where", ["time-limit"] = "time_limit",
        ["memory-limit"] = "memory_limit" } do
        if arguments[name] then
            add("--" .. option, parameters.exact_text(arguments[name]))
        end
    end
    if arguments.workers then
        add("-j", parameters.exact_text(arguments.workers))
    end
    if arguments.output then
        add("-o", arguments.output)
    end
    if arguments.pictures == false then
        add("--no-pictures")
    end
    return words
end

local function run(arguments)
    local options = command_line.parse(words_of(arguments))
        or error("sweep: it did not start; see the message above", 0)
    process.call({ trust = true }, function()
        if options.threads then
            host.limit_threads(options.threads)
        end
        require("esker.sweep.command").run(options)
    end)
end

-- A list of rows, each a table of parameters and results with status, seconds, memory (bytes), message and key.
return function(arguments)
    check(arguments)
    local well, problem = pcall(run, arguments)
    if not well then
        error(type(problem) == "table" and "sweep: " .. problem.usage or problem, 0)
    end
    local rows = {}
    for i, record in ipairs(tables.of(runs.records((runs.swept(arguments.output)))).rows) do
        local row = { status = record.status, seconds = record.seconds, memory = record.memory,
            message = record.message, key = record.key }
        for _, group in ipairs{ record.parameters, record.results } do
            for name, value in pairs(group) do
                row[name] = value
            end
        end
        rows[i] = row
    end
    return rows
end
