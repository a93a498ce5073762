-- The interactive session: each line is evaluated at once and its value shown, with a picture if there is one; what was
-- typed can become a recipe.

local esker = require "esker"
local completion = require "esker.help.completion"
local confined = require "esker.recipe.confined"
local did_you_mean = require "esker.did_you_mean"
local desktop = require "esker.desktop"
local display = require "esker.session.display"
local files = require "esker.files"
local help = require "esker.help.command"
local history = require "esker.session.history"
local host = require "esker.host"
local names_of = require "esker.names"
local plans = require "esker.sweep.plans"
local recipe = require "esker.recipe.recipe"
local recordings = require "esker.session.recordings"
local screen = require "esker.screen"
local sheets = require "esker.session.sheets"
local statements = require "esker.session.statements"
local terminal = require "esker.terminal"
local trim = require "esker.trim"
local undo = require "esker.session.undo"

local session = {}

local prompt, more_prompt = "> ", ">> "

local globals -- the globals of lines; undefined names are errors

local function complain(problem)
    screen.flush()
    screen.note(statements.message(problem), "\n")
end

local function no_history(problem)
    complain("no history is kept: " .. statements.message(problem))
end

local function file_text(path)
    local text, problem = recipe.read_file(path)
    return text or error(problem, 0)
end

-- --- functions of the session ----------------------------------------------------------------------------------------

local commands = {}

session.bare = { clear = true, exit = true, help = true, quit = true, stop = true, undo = true } -- without brackets

function commands.save_session(path)
    recordings.save(path, globals)
end

commands.record = recordings.start

function commands.stop()
    recordings.stop(globals)
end

-- run("island.lua", { seed = 3 }): the recipe's results.
function commands.run(path, overrides)
    if type(path) ~= "string" then
        error('run: takes a recipe\'s name, as in run("island.lua", { seed = 3 })', 0)
    end
    local limits = confined.limits({ target = path, trust = session.trust, ["time-limit"] = session.time_limit,
        ["memory-limit"] = session.memory_limit }, overrides or {}, session.output)
    local text = recipe.text(path)
    return confined.call(limits, function()
        host.show_by(function() end) -- its results are shown when it returns
        local results = recipe.run(path, text, { overrides = overrides or {}, trust = session.trust })
        recipe.results(results, path) -- reports what cannot be a result
        return recipe.in_memory(results)
    end)
end

local function show_results(results, path, took)
    for _, result in ipairs(recipe.results(results, path)) do
        if result.picture then
            screen.write(result.name, "\n")
            display.show(result.picture)
        else
            screen.write(result.name, " = ", tostring(result.value), "\n")
        end
    end
    screen.write(("%s, %s\n"):format(path, display.seconds(took)))
end

-- Runs a recipe whenever its file changes, until Ctrl-C.
function commands.watch(path, overrides)
    if type(path) ~= "string" then
        error('watch: takes a recipe\'s name, as in watch("island.lua")', 0)
    end
    file_text(path) -- a missing file is an error at once, not a wait
    local last
    while true do
        local now = files.changed(path)
        if now and now ~= last then
            last = now
            local start = esker.seconds()
            local well, problem = pcall(function()
                show_results(commands.run(path, overrides), path, esker.seconds() - start)
            end)
            if not well then
                if tostring(problem):find("interrupted", 1, true) then
                    error(problem, 0)
                end
                complain(problem)
            end
            screen.write("watching; Ctrl-C ends it\n")
            screen.flush()
        end
        host.pause(0.1)
        esker.progress(0)
    end
end

-- Opens a picture in the desktop's viewer, or prints where it is.
function commands.view(value, path)
    local picture = sheets.picture("view", value)
    if not path then
        local name = os.tmpname() -- makes a file
        os.remove(name)
        path = name .. ".png"
    end
    picture:save(path)
    screen.write(desktop.open(path) and path .. "\n" or ("wrote %s\n"):format(path))
end

commands.plot = display.plot

function commands.help(name)
    if name == nil then
        screen.write(help.overview(true))
        return
    end
    if type(name) ~= "string" then
        error('help: takes a name, as in help("spectral")', 0)
    end
    local entry, nearest = help.find(name)
    if not entry then
        error(("there is no help for '%s'%s"):format(help.shown(name),
            nearest and did_you_mean(nearest) or "; ? alone lists everything"), 0)
    end
    screen.write(entry)
end

local past = undo.new()

function commands.undo()
    local source, counts = undo.revert(past, globals)
    recordings.revert(counts)
    screen.write(("undid: %s\n"):format(source:match("[^\n]*")))
end

function commands.exit()
    session.ended = true
end

commands.quit = commands.exit

function commands.clear()
    local _, output = terminal.is_terminal()
    screen.raw(output and "\27[H\27[2J" or "")
end

session.greeting = [[
Esker %s. help lists everything, ?NAME describes an entry, Tab completes, exit or Ctrl-D leaves.
Try: land = esker.noise{ size = 512, seed = 7 }:stream_erosion{}
]]

-- --- the loop --------------------------------------------------------------------------------------------------------

local function show_all(took, values)
    for i = 1, values.n do
        if values[i] ~= nil then
            display.show(values[i], took)
            took = nil
        end
    end
end

-- `land = …` shows the value if it is a picture, like an expression.
local function show_assigned(source, took)
    local name, after = source:match("^%s*([%a_][%w_]*)()")
    name = name and source:find("^[%s%w_,]*=[^=]", after) and name
    local value = name and rawget(globals, name)
    if value ~= nil and display.picture_of(value) then
        display.show(value, took)
    end
end

-- Keeps what worked for recipes. An expression without a value counts only if it is also a statement: a call.
local function note_down(source, expression, has_value)
    local typed = trim((statements.without_local(source):gsub("^%s*=", "")))
    if not expression or has_value or load(typed) then
        recordings.add(typed, expression and has_value)
    end
end

-- The session's function for `exit`, `exit()` or `exit;`, unless the user gave the name another value; or nil.
local function bare_command(source)
    local name, rest = source:match("^%s*(%a+)(.*)$")
    local command = name and rest:gsub("%s", ""):find("^%(?%)?;?$") and commands[name]
    return command and session.bare[name] and rawequal(rawget(globals, name), command) and command or nil
end

-- What other languages write, or what Lua says of it, and what Lua writes. Words are those that a line begins with.
local habits = {
    { "!=", "not equal is ~=" }, { "&&", "both is: a and b" }, { "||", "either is: a or b" },
    { "'!'", "the opposite is: not a" }, { "->", "methods are called with a colon: land:blur{}" },
    { "++", "one more is: a = a + 1" }, { "+=", "more is: a = a + b" }, { "-=", "less is: a = a - b" },
    { "*=", "times is: a = a * b" }, { "/=", "divided is: a = a / b" },
    { "expected near '='", "arguments by name stand in braces: esker.noise{ size = 64 }" },
    { "import ", "esker is there without it" }, { "let ", "a name needs no word before it: a = 3" },
    { "print ", "a call has brackets, as in f(a)" },
}

-- Lua's message, with a hint for who has another language in mind.
local function refusal(problem, source)
    for _, habit in ipairs(habits) do
        local at = problem:find(habit[1], 1, true) or source:find(habit[1], 1, true)
        if at and (at == 1 or habit[1]:sub(-1) ~= " ") then
            return problem .. "; in Lua " .. habit[2]
        end
    end
    return problem
end

local function run_statement(source)
    local chunk, kind = statements.compile(source, globals)
    if not chunk then
        error(kind == "more" and "the statement is not finished" or refusal(kind, source), 0)
    end
    local start = esker.seconds()
    local values = table.pack(chunk())
    local took = esker.seconds() - start
    local timed = statements.computes(source) and took or nil
    note_down(source, kind, values[1] ~= nil)
    if values.n > 0 and values[1] ~= nil then
        globals._ = values[1]
    end
    if kind or values.n > 0 then
        show_all(timed, values)
    else
        show_assigned(statements.without_local(source), timed)
    end
end

local function evaluate(source)
    undo.settle(past, globals)
    local question = statements.question(source, rawequal(rawget(globals, "help"), commands.help))
    local command = bare_command(source)
    if question then
        commands.help(question ~= "" and question:gsub("^.*[.:]", "") or nil)
    elseif command then
        command()
    else
        undo.remember(past, globals, source, recordings.counts())
        local well, problem = pcall(run_statement, source)
        undo.settle(past, globals)
        if not well then
            error(problem, 0)
        end
    end
    screen.flush()
end

-- Reads one statement, of one or more lines; false if it was cancelled, nil at the end.
local function read_statement(shown)
    local source
    while true do
        local line = terminal.read_line(shown and (source and more_prompt or prompt) or "")
        if not line then
            return source and line == nil and source or line
        end
        if shown then
            history.remember(line, no_history)
        end
        source = source and source .. "\n" .. line or line
        if source:match("^%s*%?") or not utf8.len(source) then
            return source
        end
        local _, why = statements.compile(source, globals)
        if why ~= "more" then
            return source
        end
    end
end

local function make_globals(options)
    globals = recipe.environment(options.target or "", { trust = options.trust })
    local strict = getmetatable(globals).__index
    for name, command in pairs(commands) do
        globals[name] = command
    end
    globals.compare, globals.sheet = sheets.compare, sheets.sheet
    globals._ = false
    globals.params = function(declared) -- recipes pasted line by line
        local set = require("esker.recipe.parameters").new({})
        return set.declare(declared)
    end
    setmetatable(globals, { __index = function(_, name)
        local operation = type(name) == "string" and rawget(esker, name)
        if operation then
            error(("the name '%s' is not defined, did you mean 'esker.%s'?"):format(name, name), 2)
        end
        return strict(_, name)
    end })
end

-- The parameters that were set on the command line, as literals of the kinds that the recipe declares.
local function literals(options)
    local declared, set = plans.declarations(options), {}
    for _, name in ipairs(names_of(options.overrides)) do
        local text, kind = options.overrides[name], declared[name] and declared[name].kind
        set[#set + 1] = { name = name, literal = kind == "string" and ("%q"):format(text):gsub("\\\n", "\\n") or text }
    end
    return set
end

local function run_recipe(options)
    local overrides = options.overrides
    local results
    local well, problem = terminal.attempt(function()
        local start = esker.seconds()
        results = commands.run(options.target, overrides)
        show_results(results, options.target, esker.seconds() - start)
    end)
    if not well then
        complain(problem)
    end
    local names = {}
    for _, name in ipairs(names_of(results or {})) do
        if rawget(globals, name) == nil then -- a recipe's results replace no function
            globals[name], names[#names + 1] = results[name], name:match("^[%a_][%w_]*$")
        end
    end
    if well then
        recordings.begin_with(recipe.text(options.target), literals(options), names)
    end
end

-- Runs until the end of input; gives the exit status.
function session.run(options)
    terminal.begin()
    session.trust, session.output = options.trust, options.output or "."
    session.time_limit, session.memory_limit = options["time-limit"], options["memory-limit"]
    display.choose(options.graphics)
    host.on_written(function(path) screen.write("wrote ", path, "\n") end)
    make_globals(options)
    local input, output = terminal.is_terminal()
    local shown = input and output
    if shown then
        history.open(no_history)
        terminal.set_completer(function(before) return completion.complete(before, globals) end)
        screen.write(session.greeting:format(esker.version))
    end
    if options.target then
        run_recipe(options)
    end
    local failed = false
    while true do
        screen.flush()
        local source = read_statement(shown)
        if source == nil then
            if shown then
                screen.write("\n")
            end
            break
        elseif source and source:match("%S") then
            local well, problem = terminal.attempt(evaluate, source)
            if not well then
                failed = true
                complain(problem)
            end
            if session.ended then
                break
            end
        end
    end
    return not shown and failed and 1 or 0 -- a failed script reports failure
end

return session
