-- The commands of the program, one function each. Gives the exit status; errors are raised, and
-- `{ usage = … }` means that the command line is wrong.

local command_line = require "esker.command_line"
local esker = require "esker"
local did_you_mean = require "esker.did_you_mean"
local files = require "esker.files"
local host = require "esker.host"
local names_of = require "esker.names"
local process = require "esker.process"
local screen = require "esker.screen"
local terminal = require "esker.terminal"
local usage_error = require "esker.usage_error"

local commands = {}

local function number_text(value)
    return math.type(value) == "float" and ("%.10g"):format(value) or tostring(value)
end

local function overrides_from(options)
    local overrides = {}
    for _, word in ipairs(options.words) do
        local name, text = word:match("^([%a_][%w_]*)=(.*)$")
        if not name then
            -- A misspelt command is taken for a recipe, and its words for parameters.
            require("esker.recipe.recipe").text(options.target)
            usage_error("'%s' is not NAME=VALUE", word)
        end
        if overrides[name] then
            usage_error("%s is given twice: %s and %s", name, overrides[name], text)
        end
        overrides[name] = text
    end
    overrides.seed = options.seed or overrides.seed
    return overrides
end

local function note(options, ...)
    if not options.quiet then
        screen.note(string.format(...), "\n")
    end
end

local function save_pictures(list, options)
    local last_use = require "esker.large.last_use"
    local folder = options.output or "."
    local shown = folder == "." and "" or (folder:match("^.*[^/]") or "") .. "/"
    for _, result in ipairs(list) do
        if result.picture then
            last_use.of(result, "picture"):save(result.file)
            note(options, "%s%s  %s", shown, result.file, result.text)
        elseif result.map then
            esker.save_map(result.map, result.file)
            note(options, "%s%s  %s", shown, result.file, result.text)
        end
    end
end

-- Prints hashes instead of pictures, and numbers exactly.
local function hash_pictures(list)
    local last
    for _, result in ipairs(list) do
        if result.picture then
            if result.name ~= last then -- once, for any number of formats
                result.value = result.picture:hash()
            end
            result.picture, last = nil, result.name
        elseif math.type(result.value) == "float" then
            result.value = require("esker.recipe.parameters").exact_text(result.value)
        end
    end
end

local function print_values(list, options)
    local lines, json = {}, options.json and require "esker.file.json"
    for _, result in ipairs(list) do
        if result.value ~= nil then
            lines[#lines + 1] = json and ("%s: %s"):format(json.encode(result.name), json.encode(result.value))
                or ("%s = %s"):format(result.name, number_text(result.value))
        end
    end
    local text = json and "{" .. table.concat(lines, ", ") .. "}\n"
        or #lines > 0 and table.concat(lines, "\n") .. "\n" or ""
    assert(screen.write(text))
    assert(screen.flush())
end

-- The list of what a recipe returned. A recipe that only saved files or printed need not return anything.
local function list_results(results, options, saved, printed)
    local is_empty = results == nil or esker.type(results) == "table" and rawequal(next(results), nil)
    if is_empty and saved > 0 then
        note(options, saved == 1 and "1 file saved" or "%d files saved", saved)
        return {}
    elseif is_empty and printed then
        return {}
    end
    local with_maps = require("esker.recipe.result_formats").want_maps(options.format) and "files"
    return require("esker.recipe.recipe").results(results, options.target, with_maps, true)
end

-- In the process of the recipe. With `saves_nothing` its results are not saved, and it prints
-- nothing.
local function run(options, text, overrides, saves_nothing)
    local recipe = require "esker.recipe.recipe"
    local provenance = require "esker.recipe.provenance"
    local saved, printed = 0, false
    local write = options.json and screen.note or screen.write -- screen.write is kept for the numbers
    host.on_written(function() saved = saved + 1 end)
    local results = recipe.run(options.target, text, {
        overrides = overrides,
        trust = options.trust,
        print = function(...)
            printed = true
            return saves_nothing or write(...)
        end,
        on_declare = function(set)
            host.set_labels(provenance.labels(options.target, text, set))
        end,
    })
    if saves_nothing then
        return 0
    end
    local list = list_results(results, options, saved, printed)
    results = nil -- luacheck: no unused
    if options.format then
        list = require("esker.recipe.result_formats").apply(list, options.format, recipe.drawn)
    end
    if options.hash then
        hash_pictures(list)
    end
    save_pictures(list, options)
    print_values(list, options)
    return 0
end

function commands.run(options)
    local confined = require "esker.recipe.confined"
    options.format = options.format and require("esker.recipe.result_formats").read(options.format)
    local overrides = overrides_from(options)
    local text = require("esker.recipe.recipe").text(options.target)
    local folder = options.output or "."
    local limits = confined.limits(options, overrides, folder)
    local made = files.make_folder(folder) -- files to write must exist when the process is confined
    local well, ended = pcall(function()
        confined.fork(limits, function() return run(options, text, overrides) end)
        return process.wait()
    end)
    files.remove_folders(folder, made) -- if they are empty
    if not well then
        error(ended, 0)
    elseif ended.problem then
        screen.note("esker: ", ended.problem, "\n")
    end
    return ended.status
end

-- Prints a recipe's purpose and parameters. It runs until its parameters are declared.
local function describe_recipe(options)
    screen.write(require("esker.help.recipe").describe(options))
    return 0
end

-- esker --help, with the usage of a command or the parameters of a recipe.
function commands.usage(options)
    local is_run = options.command == "run" or options.command == "session"
    if is_run and options.target then
        return describe_recipe(options)
    end
    screen.write(command_line.usage(options.command))
    return 0
end

function commands.help(options)
    local help = require "esker.help.command"
    local help_json = options.json and require "esker.help.json"
    if not options.target then
        screen.write(help_json and help_json.all() or help.overview())
        return 0
    elseif options.target:match("%.lua$") or options.target:find("/", 1, true) then
        return describe_recipe(options)
    end
    local text = table.concat({ options.target, table.unpack(options.words) }, " ")
    local found, nearest = (help_json or help).find(text)
    if not found then
        usage_error("there is no help for '%s'%s", help.shown(text),
            nearest and did_you_mean(nearest) or "; `esker help` lists everything")
    end
    screen.write(found)
    return 0
end

function commands.info(options)
    if not options.target then
        usage_error "info takes a file"
    end
    local folder = files.folder(options.target)
    if folder and folder:has("tiles.json") then -- a folder of tiles
        options.target = options.target .. "/tiles.json"
    end
    local provenance = require "esker.recipe.provenance"
    local labels, unread = require("esker.file.texts").read(options.target)
    local facts, why = require("esker.file.facts").read(options.target)
    local middle = unread and ("%d MiB between its first and its last 16 MiB"):format(math.ceil(unread / 2 ^ 20))
    if why and next(labels) and facts[1] and facts[1][1] == "kind" and facts[1][2] == "tiles" then
        facts[#facts + 1] = { "damaged", tostring(why) } -- it says how it was made all the same
    end
    local known = facts[2] ~= nil
    facts[#facts + 1] = middle and { "not read", middle } or nil
    if options.json then
        local items, json = {}, require "esker.file.json"
        provenance.check(labels)
        for _, fact in ipairs(facts) do
            labels[fact[1]] = fact[2]
        end
        for i, name in ipairs(names_of(labels)) do
            items[i] = json.encode(name) .. ": " .. json.encode(labels[name])
        end
        screen.write("{", table.concat(items, ", "), "}\n")
        return 0
    end
    local report = provenance.report(labels, facts)
    if next(labels) == nil and not known then
        error(("%s does not say how it was made%s%s"):format(options.target, why and ("; " .. tostring(why)) or "",
            middle and ("; not read are " .. middle) or ""), 0)
    end
    screen.write(table.concat(report, "\n"), "\n")
    return 0
end

function commands.sweep(options)
    return require("esker.sweep.command").run(options)
end

function commands.search(options)
    return require("esker.sweep.command").search(options)
end

function commands.large(options)
    options.format = options.format and require("esker.recipe.result_formats").read(options.format)
    options.overrides = overrides_from(options)
    return require("esker.large.command").run(options, run)
end

function commands.tiles(options)
    options.overrides = overrides_from(options)
    return require("esker.tiles.command").run(options)
end

function commands.table(options)
    return require("esker.sweep.command").table(options)
end

function commands.explore(options)
    options.overrides = overrides_from(options)
    return require("esker.explore.command").run(options)
end

function commands.session(options)
    options.overrides = overrides_from(options)
    return require("esker.session.command").run(options)
end

-- Runs the command given by the words after `esker`.
return function(words)
    local options = command_line.parse(words)
    if options.threads then
        host.limit_threads(options.threads)
    end
    if options.quiet then
        warn("@off")
    else
        terminal.show_progress()
    end
    require("esker.session.display").serve(options.graphics)
    local trusted = options.trust or options.command == "session"
    esker.sweep = trusted and require "esker.sweep.call" or function()
        error("sweep: only trusted recipes and the session start processes (--trust)", 2)
    end
    if process.carried then -- one function of another process (carried.lua): that one does what the words ask
        return process.carried()
    elseif options.version then
        screen.write(command_line.version, "\n")
        return 0
    elseif options.help then
        return commands.usage(options)
    end
    return commands[options.command](options)
end
