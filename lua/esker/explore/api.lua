-- What the explorer's page may ask: the paths of its requests, each with a function that answers it.

local answers = require "esker.explore.answers"
local events = require "esker.explore.events"
local json = require "esker.file.json"
local names_of = require "esker.names"
local places = require "esker.places"
local recipe = require "esker.recipe.recipe"
local runs_of = require "esker.explore.runs"
local screen = require "esker.screen"
local tiles_of = require "esker.explore.tiles"

-- Needed by what users ask for, and loaded then: a page in a tab begins without them.
local function confined() return require "esker.recipe.confined" end
local function edits() return require "esker.explore.edits" end
local function help() return require "esker.help.command" end
local function saving() return require "esker.explore.saving" end

local explore_api = {}
local answer, answer_bytes, number_in, refuse = answers.give, answers.give_bytes, answers.number_in, answers.refuse

local max_text = 1 << 20 -- bytes of a recipe that is edited in the page
local max_page = 40 -- bytes of a page's name
local max_params, max_name, max_value = 200, 100, 4096 -- what a recipe may declare: how many, bytes

explore_api.no_page = "this esker was built without the explorer's page, which npm makes: install npm and build again"

local function are_same(a, b)
    for name, value in pairs(a) do
        if b[name] ~= value then
            return false
        end
    end
    for name in pairs(b) do
        if a[name] == nil then
            return false
        end
    end
    return true
end

-- The page of a recipe, options.target, whose text is given; `work` runs it (queue.lua).
function explore_api.new(options, text, work, cache_bytes)
    local explorer = { path = options.target }
    local built, page = pcall(require, "esker.explorer_page")
    explorer.page = built and page or nil -- the files of the page, by name
    local streams = events.new()
    local runs = runs_of.new(explorer.path, options.trust, work, streams.tell)
    local tiles = tiles_of.new(runs, work, cache_bytes)
    local waiting = {} -- for the first state

    -- Has a process do a task; `done` gets its value.
    local function ask(request, generation, message, done)
        local task = runs.task(generation, message, function(made)
            if made.error then
                answers.fail(request, made)
            else
                done(made.value)
            end
        end)
        task.libraries = message.task == "export" and confined().libraries("x." .. message.format) or nil
        task.is_wanted = function() return not request.request:is_gone() end
        work.add(task)
    end

    local file_text, own_state, own_runs = text, nil, false -- what a new page begins with: the file, and the values of
    -- the command line

    local run

    -- Answers those that wait for what a new page begins with, or runs it.
    local function welcome()
        if own_state and not runs.generation(own_state.generation) then
            own_state = nil -- its tiles could not be drawn
        end
        if own_state then
            for _, request in ipairs(waiting) do
                answer(request, 200, own_state)
            end
            waiting = {}
        elseif #waiting > 0 and not own_runs then
            own_runs = true
            run(file_text, options.overrides, {}, function() own_runs = false end, "")
        end
    end

    -- Runs the recipe: `done` gets the new state, or nil; `from` is the page; `is_wanted` as in runs.lua.
    run = function(new_text, overrides, message, done, from, is_wanted)
        runs.run(new_text, overrides, message, function(state)
            if state and new_text == file_text and are_same(overrides, options.overrides) then
                own_state = state
            end
            done(state)
            if state or from then
                welcome()
            end
        end, from, is_wanted)
    end

    -- --- what is asked -----------------------------------------------------------------------------------------------

    local get, post = {}, {}

    function get.state(request)
        waiting[#waiting + 1] = request
        if runs.state then
            welcome()
        end
    end

    local function check_params(overrides)
        local names = names_of(overrides)
        if #names > max_params then
            refuse(400, "params has %d names, of at most %d", #names, max_params)
        end
        for _, name in ipairs(names) do
            local value = overrides[name]
            if #name > max_name then
                refuse(400, "a parameter's name has at most %d bytes", max_name)
            elseif type(value) == "table" then
                refuse(400, "%s must be a number, a string, true or false", name)
            elseif type(value) == "string" and #value > max_value then
                refuse(400, "%s has %d bytes, of at most %d", name, #value, max_value)
            end
        end
    end

    -- The text and overrides that the page sends, or those of its newest run.
    local function read_run(asked)
        local before = runs.current(asked.page or "")
        local new_text, overrides = asked.text or before.text, asked.params or before.overrides
        if type(new_text) ~= "string" or #new_text > max_text then
            refuse(400, "text must be a recipe of at most %d bytes", max_text)
        elseif type(overrides) ~= "table" then
            refuse(400, "params must be an object")
        elseif asked.page and not (type(asked.page) == "string" and #asked.page <= max_page) then
            refuse(400, "page must be a name of at most %d bytes", max_page)
        end
        check_params(overrides)
        return new_text, overrides
    end

    function post.run(request, asked)
        local new_text, overrides = read_run(asked)
        if asked.preview then
            overrides = runs.reduced(overrides, number_in(asked, "preview", nil, 16, 8192))
        end
        run(new_text, overrides, { only = asked.only, lenient = asked.text ~= nil }, function(made)
            answer(request, made and 200 or 409, made or { error = "superseded" })
        end, asked.page or "", function() return not request.request:is_gone() end)
    end

    function get.tile(request, world, face, level, x, y)
        local known = runs.world(world) or refuse(404, "there is no such map")
        local size = number_in(request.query, "size", 256, 16, 1024)
        tiles.answer(request, known, tiles_of.message("tile", known, size, face, level, x, y))
    end

    function get.cover(request, world, face, level, x, y)
        local known = runs.world(world) or refuse(404, "there is no such map")
        local message = tiles_of.message("cover", known, 256, face, level, x, y)
        ask(request, known.generation, message, function(bytes)
            answer_bytes(request, bytes, "png")
        end)
    end

    function get.places(request, world, face, level, x, y)
        local known = runs.world(world) or refuse(404, "there is no such map")
        ask(request, known.generation, tiles_of.block(known, face, level, x, y), function(made)
            answer_bytes(request, made, "json")
        end)
    end

    local function generation_of(number)
        return runs.generation(number) or refuse(404, "that run is no longer kept")
    end

    function get.cells(request, number, name)
        ask(request, generation_of(number), { task = "cells", name = name,
            side = number_in(request.query, "side", 512, 1, 8192) }, function(bytes)
            answer_bytes(request, bytes)
        end)
    end

    function get.picture(request, number, name)
        ask(request, generation_of(number), { task = "picture", name = name:gsub("%.png$", ""),
            side = number_in(request.query, "side", 1024, 16, 8192) }, function(bytes)
            answer_bytes(request, bytes, "png")
        end)
    end

    function get.result(request, number, name)
        ask(request, generation_of(number), { task = "result", name = name }, function(made)
            answer(request, 200, made)
        end)
    end

    -- The lines of a result, or of a map's tile.
    function get.lines(request, place, name)
        local generation, message
        if name then
            generation, message = generation_of(place), { task = "lines", name = name }
        else
            local known, query = runs.world(place) or refuse(404, "there is no such map"), request.query
            local size = number_in(query, "size", 256, 16, 1024)
            local face, level, x, y = query.face or "0", query.z or "0", query.x or "0", query.y or "0"
            message = tiles_of.message("lines", known, size, face, level, x, y)
            generation = known.generation
        end
        ask(request, generation, message, function(bytes)
            answer_bytes(request, bytes)
        end)
    end

    function get.mesh(request, number, name)
        ask(request, generation_of(number), { task = "mesh", name = name }, function(bytes)
            answer_bytes(request, bytes)
        end)
    end

    -- The place that a query names: parts of the map's side as operations take them, and the recipes' zoom.
    local function place_in(request, message)
        local query = request.query
        message.x, message.y = query.x or "0.5", query.y or "0.5"
        for _, digits in ipairs{ message.x, message.y } do
            if not places.number(digits) then
                refuse(400, "x and y must be numbers from 0 to 1, of at most 120 digits (0.25, 0x.4), got '%s'",
                    digits:sub(1, 40))
            end
        end
        message.face = number_in(query, "face", 0, 0, 6)
        message.zoom = tonumber(query.zoom or 1)
        if not (message.zoom and message.zoom > 0 and message.zoom <= 2.0 ^ 100) then
            refuse(400, "zoom must be a number above 0, at most 2^100")
        end
        return message
    end

    function get.at(request, place, name)
        local known = name and { generation = generation_of(place), name = name } or runs.world(place)
            or refuse(404, "there is no such map")
        ask(request, known.generation, place_in(request, { task = "at", name = known.name }), function(made)
            answer(request, 200, made)
        end)
    end

    function get.export(request)
        local query = request.query
        local format, name = query.format or "png", query.result or ""
        if not format:match("^%l[%l%d]*$") or not name:match("^[%w_][%w_.-]*$") then
            refuse(400, "export takes a result and a format")
        end
        local message = { task = "export", name = name, format = format, beside = query.beside == "1",
            size = query.size and number_in(query, "size", nil, 16, 8192) or nil }
        local generation = query.generation and generation_of(query.generation) or runs.current()
        ask(request, generation, place_in(request, message), function(bytes)
            local kind = message.beside and "json" or format
            answer_bytes(request, bytes, kind, name .. "." .. format .. (message.beside and ".json" or ""))
        end)
    end

    function get.complete(request)
        ask(request, runs.current(), { task = "complete", line = (request.query.line or ""):sub(-1000) }, function(made)
            answer(request, 200, { completions = json.list(made) })
        end)
    end

    function get.help(request)
        answer(request, 200, { text = help().find((request.query.word or ""):sub(1, 100)) or json.null })
    end

    function post.save(request, asked)
        local new_text, overrides = read_run(asked)
        local path, problem = saving().save(explorer.path, new_text, overrides, asked.path)
        if not path then
            refuse(409, "%s", problem)
        end
        answer(request, 200, { path = path })
    end

    function post.text(request, asked)
        local changed, problem = saving().text(read_run(asked))
        answer(request, changed and 200 or 409, changed and { text = changed } or { error = problem })
    end

    function post.edits(request, asked)
        local result = asked.result
        if type(result) ~= "string" or #result > max_name then
            refuse(400, "result must be a name of at most %d bytes", max_name)
        end
        local prepared, name = edits().prepare(read_run(asked), result)
        if not prepared then
            refuse(409, "%s", name)
        end
        answer(request, 200, { text = prepared, name = name })
    end

    function get.events(request)
        streams.add(request.request)
    end

    local function get_page(request)
        local name = request.path == "/" and "index.html" or request.path:sub(2)
        local found = explorer.page and explorer.page[name]
        if found then
            answer_bytes(request, found, name:match("%.(%w+)$"))
        elseif name == "index.html" then
            request.request:answer(503, "text/plain; charset=utf-8",
                explore_api.no_page .. "\n")
        else
            refuse(404, "there is no %s", name)
        end
    end

    local function read_body(request)
        local value, problem = json.decode(request.body)
        if type(value) ~= "table" then
            refuse(400, "%s", problem or "the body must be an object")
        end
        return value
    end

    local function dispatch(request)
        local parts = {}
        for part in request.path:gmatch("[^/]+") do
            parts[#parts + 1] = part
        end
        if parts[1] ~= "api" then
            return get_page(request)
        end
        local known = request.method == "GET" and get or post
        local handler = #parts <= 8 and known[parts[2]] or refuse(404, "there is no %s", request.path)
        if known == post then
            return handler(request, read_body(request))
        elseif #parts - 1 < debug.getinfo(handler, "u").nparams and handler ~= get.at and handler ~= get.lines then
            refuse(404, "there is no %s", request.path)
        end
        handler(request, table.unpack(parts, 3))
    end

    -- Answers a request, now or later.
    function explorer.take(request)
        local well, problem = pcall(dispatch, request)
        if not well and type(problem) == "table" and problem.status then
            answer(request, problem.status, { error = problem.message })
        elseif not well then -- a mistake of ours: of this one request only
            screen.note("esker: ", tostring(problem), "\n")
            answer(request, 500, { error = tostring(problem) })
        end
    end

    -- The recipe's files: its own, and those of modules.
    function explorer.files()
        return runs.current().files
    end

    -- One of the watched files was saved, or has vanished.
    function explorer.file_changed()
        local new_text, problem = recipe.read_file(explorer.path, max_text)
        if not new_text then
            streams.tell("unread", { message = problem })
            return
        end
        file_text, own_state = new_text, nil
        run(new_text, runs.current().overrides, { lenient = true }, function(made)
            if made then
                streams.tell("changed", made)
            end
        end)
    end

    -- Now and then: finds clients that have gone.
    function explorer.look()
        streams.look()
        runs.look()
    end

    -- What /api/state gives, nil as long as the first run lasts.
    function explorer.state()
        return runs.state
    end

    run(text, options.overrides, { all = options.static }, function(state)
        if state and state.error ~= json.null and not options.static then
            screen.note("esker: ", state.error.message, "\n") -- who has just typed the command looks there
        elseif state and not options.static then
            tiles.draw_ahead(state.results)
        end
    end)
    return explorer
end

return explore_api
