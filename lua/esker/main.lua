-- The commands of the program: run a recipe, help, info. Gives the exit status; errors are raised, and
-- `{ usage = … }` means that the command line is wrong.

local esker = require "esker"
local host = require "esker.host"
local names_of = require "esker.names"

local commands = {}

local function number_text(value)
    return math.type(value) == "float" and ("%.10g"):format(value) or tostring(value)
end

local json_escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r" }

local function json_text(value)
    if type(value) == "string" then
        return '"' .. value:gsub('[%c"\\]', function(c)
            return json_escapes[c] or ("\\u%04x"):format(c:byte())
        end) .. '"'
    elseif value ~= value or value == math.huge or value == -math.huge then
        return "null"
    elseif math.type(value) == "float" then
        return ("%.17g"):format(value)
    end
    return tostring(value)
end

local function overrides_from(options)
    local overrides = {}
    for _, word in ipairs(options.words) do
        local name, text = word:match("^([%a_][%w_]*)=(.*)$")
        if not name then
            error({ usage = ("'%s' is not NAME=VALUE"):format(word) }, 0)
        end
        overrides[name] = text
    end
    overrides.seed = options.seed or overrides.seed
    return overrides
end

local function note(options, ...)
    if not options.quiet then
        io.stderr:write(string.format(...), "\n")
    end
end

local function save_pictures(list, options)
    local folder = options.output or "."
    local saved = 0
    for _, result in ipairs(list) do
        if result.picture then
            if saved == 0 then
                host.make_folder(folder)
            end
            local path = (folder == "." and "" or folder:gsub("/*$", "") .. "/") .. result.file
            result.picture:save(path)
            note(options, "%s  %s", path, result.text)
            saved = saved + 1
        end
    end
end

local function print_values(list, options)
    local lines = {}
    for _, result in ipairs(list) do
        if result.value ~= nil then
            lines[#lines + 1] = options.json and ("%s: %s"):format(json_text(result.name), json_text(result.value))
                or ("%s = %s"):format(result.name, number_text(result.value))
        end
    end
    local text = options.json and "{" .. table.concat(lines, ", ") .. "}\n"
        or #lines > 0 and table.concat(lines, "\n") .. "\n" or ""
    assert(io.stdout:write(text))
    assert(io.stdout:flush())
end

-- What a recipe prints goes to standard output, unless that is kept for JSON.
local function printer(options)
    if not options.json then
        return print
    end
    return function(...)
        local texts = table.pack(...)
        for i = 1, texts.n do
            texts[i] = tostring(texts[i])
        end
        io.stderr:write(table.concat(texts, "\t"), "\n")
    end
end

function commands.run(options)
    local recipe = require "esker.recipe"
    local provenance = require "esker.provenance"
    local results = recipe.run(options.target, {
        overrides = overrides_from(options),
        trust = options.trust,
        print = printer(options),
        on_declare = function(set, text)
            host.set_labels(provenance.labels(options.target, text, set))
        end,
    })
    local list = recipe.results(results, options.target)
    save_pictures(list, options)
    print_values(list, options)
    return 0
end

function commands.help(options)
    local help = require "esker.help"
    if not options.target then
        io.stdout:write(help.overview())
        return 0
    end
    local entry, nearest = help.find(options.target)
    if not entry then
        error({ usage = ("there is no help for '%s'%s"):format(
            options.target, nearest and (", did you mean '%s'?"):format(nearest) or "") }, 0)
    end
    io.stdout:write(entry)
    return 0
end

function commands.info(options)
    if not options.target then
        error({ usage = "info takes a PNG file" }, 0)
    end
    local provenance = require "esker.provenance"
    local labels = esker.info(options.target)
    if options.json then
        local items = {}
        for i, name in ipairs(names_of(labels)) do
            items[i] = json_text(name) .. ": " .. json_text(labels[name])
        end
        io.stdout:write("{", table.concat(items, ", "), "}\n")
        return 0
    end
    local report = provenance.report(labels)
    if not report then
        error(("%s says nothing of how it was made"):format(options.target), 0)
    end
    io.stdout:write(table.concat(report, "\n"), "\n")
    return 0
end

function commands.sweep(options)
    return require("esker.sweep").run(options)
end

function commands.search(options)
    return require("esker.sweep").search(options)
end

function commands.table(options)
    return require("esker.sweep").table(options)
end

function commands.session(options)
    options.overrides = overrides_from(options)
    return require("esker.session").run(options)
end

return function(options)
    require("esker.display").serve(options.graphics)
    local trusted = options.trust or options.command == "session"
    esker.sweep = trusted and require "esker.sweep_call" or function()
        error("sweep: only trusted recipes and the session start processes (--trust)", 2)
    end
    return commands[options.command](options)
end
