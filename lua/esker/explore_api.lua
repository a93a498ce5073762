-- What the explorer's page may ask: the paths of its requests, each with a function that answers it.

local esker = require "esker"
local help = require "esker.help"
local json = require "esker.json"
local names_of = require "esker.names"
local parameters = require "esker.parameters"
local places = require "esker.places"
local provenance = require "esker.provenance"
local recipe = require "esker.recipe"
local saving = require "esker.explore_saving"
local texts = require "esker.texts"

local explore_api = {}

local max_generations = 16
local max_text = 1 << 20 -- bytes of a recipe that is edited in the page
local types = { html = "text/html; charset=utf-8", js = "text/javascript; charset=utf-8",
    css = "text/css; charset=utf-8", svg = "image/svg+xml", png = "image/png", woff2 = "font/woff2",
    json = "application/json" }

local function refuse(status, ...)
    error({ status = status, message = string.format(...) }, 0)
end

-- The palettes by name: lists of { height, red, green, blue }.
local function palettes()
    local all = {}
    for name, stops in pairs(esker.palettes) do
        all[name] = {}
        for i, stop in ipairs(stops) do
            local red, green, blue = stop[2]:match("^#(%x%x)(%x%x)(%x%x)")
            all[name][i] = { stop[1], tonumber(red, 16), tonumber(green, 16), tonumber(blue, 16) }
        end
    end
    return all
end

-- A number in a query, or the default.
local function number_in(query, name, default, low, high)
    local value = query[name] == nil and default or math.tointeger(tonumber(query[name]))
    if not value or value < low or value > high then
        refuse(400, "%s must be a whole number from %d to %d", name, low, high)
    end
    return value
end

-- A store of answers by name, of at most so many bytes; the ones not asked for longest go first.
local function new_cache(max_bytes)
    local cache, bytes, clock = {}, 0, 0
    local entries = {}
    function cache.get(name)
        local entry = entries[name]
        clock = clock + 1
        if entry then
            entry.used = clock
        end
        return entry and entry.value
    end
    function cache.put(name, value)
        if entries[name] then
            return
        end
        entries[name] = { value = value, used = clock }
        bytes = bytes + #value
        while bytes > max_bytes do
            local oldest
            for each, entry in pairs(entries) do
                oldest = (not oldest or entry.used < entries[oldest].used) and each or oldest
            end
            bytes = bytes - #entries[oldest].value
            entries[oldest] = nil
        end
    end
    return cache
end

-- The page of a recipe, options.target, whose text is given; `work` runs it (explore_queue.lua).
function explore_api.new(options, text, work, cache_bytes)
    local explorer = { path = options.target }
    local page = select(2, pcall(require, "esker.explorer_page"))
    local tiles = new_cache(cache_bytes)
    local generations, newest = {}, 0 -- number: { text =, overrides =, key = }
    local worlds = {} -- { generation =, name = } by the names in addresses
    local state -- what /api/state gives
    local running -- the task of the newest run
    local waiting = {} -- for the first state
    local streams = {}

    -- --- answers -----------------------------------------------------------------------------------------------------

    local function answer(request, status, value)
        request.request:answer(status, types.json, json.encode(value))
    end

    local function answer_bytes(request, bytes, kind, name)
        request.request:answer(200, kind or "application/octet-stream", bytes, name)
    end

    local function tell(event, value)
        local line = ("event: %s\ndata: %s\n\n"):format(event, json.encode(value))
        for stream in pairs(streams) do
            if not stream.request:send(line) then
                streams[stream] = nil
            end
        end
    end

    -- Has a process do a task; `done` gets its value.
    local function ask(request, generation, message, done, first)
        message.path, message.trust = explorer.path, options.trust
        message.text, message.overrides, message.key = generation.text, generation.overrides, generation.key
        work.add({
            message = message,
            light = message.task == "tile",
            is_wanted = function() return not request.request:is_gone() end,
            done = function(made)
                if made.error then
                    answer(request, made.status or 500, { error = made.error, line = made.line })
                else
                    done(made.value)
                end
            end,
        }, first)
    end

    -- --- runs --------------------------------------------------------------------------------------------------------

    local function new_generation(new_text, overrides)
        newest = newest + 1
        local words = parameters.words(overrides)
        generations[newest] = { number = newest, text = new_text, overrides = overrides,
            key = texts.hash(table.concat({ esker.version, new_text, table.unpack(words) }, "\0")) }
        local oldest = newest - max_generations
        generations[oldest] = nil
        for world, known in pairs(worlds) do
            worlds[world] = known.generation.number > oldest and known or nil
        end
        return generations[newest]
    end

    local function new_state(generation, value)
        for _, result in ipairs(value.results) do
            if result.kind == "map" then
                result.world = texts.hash(generation.key .. "\0" .. result.name)
                worlds[result.world] = { generation = generation, name = result.name }
            end
        end
        return { version = esker.version, generation = generation.number, params = json.list(value.params),
            results = json.list(value.results), error = value.error or json.null,
            log = value.log, computed = value.computed,
            palettes = palettes(),
            recipe = { name = explorer.path, text = generation.text,
                hash = texts.hash(recipe.whole_text(explorer.path, generation.text)) } }
    end

    local function failed_state(generation, made)
        local old = state or { params = json.list(), results = json.list() }
        return { version = esker.version, generation = generation.number, params = old.params, results = old.results,
            error = { message = made.error, line = made.line }, palettes = palettes(),
            recipe = { name = explorer.path, text = generation.text, hash = "" } }
    end

    -- Runs the recipe: `done` gets the new state, or nil where a newer run has taken its place.
    local function run(new_text, overrides, message, done)
        local generation = new_generation(new_text, overrides)
        if running then
            local old = running
            running = nil
            work.cancel(old)
        end
        local task
        message.task, message.path, message.trust = "run", explorer.path, options.trust
        message.text, message.overrides, message.key = new_text, overrides, generation.key
        task = { message = message, done = function(made)
            if running ~= task then
                done(nil)
                return
            end
            running = nil
            state = made.error and failed_state(generation, made) or new_state(generation, made.value)
            state.values = overrides
            done(state)
            for _, request in ipairs(waiting) do
                answer(request, 200, state)
            end
            waiting = {}
        end }
        running = task
        work.add(task, true)
    end

    local function current()
        return generations[newest]
    end

    -- The recipe's sizes, no larger than a preview's.
    local function reduced(overrides, preview)
        local own = {}
        for name, value in pairs(overrides) do
            own[name] = value
        end
        for _, param in ipairs(state and state.params or {}) do
            if param.name == "size" or param.name == "width" or param.name == "height" then
                local value = tonumber(own[param.name] or param.default)
                if value and value > preview then
                    own[param.name] = preview
                end
            end
        end
        return own
    end

    -- --- what is asked -----------------------------------------------------------------------------------------------

    local get, post = {}, {}

    function get.state(request)
        if state then
            answer(request, 200, state)
        else
            waiting[#waiting + 1] = request
        end
    end

    -- The text and overrides that the page sends, or those of the newest run.
    local function read_run(asked)
        local new_text, overrides = asked.text or current().text, asked.params or current().overrides
        if type(new_text) ~= "string" or #new_text > max_text then
            refuse(400, "text must be a recipe of at most %d bytes", max_text)
        elseif type(overrides) ~= "table" then
            refuse(400, "params must be an object")
        end
        for _, name in ipairs(names_of(overrides)) do
            if type(overrides[name]) == "table" then
                refuse(400, "%s must be a number, a string, true or false", name)
            end
        end
        return new_text, overrides
    end

    function post.run(request, asked)
        local new_text, overrides = read_run(asked)
        if math.type(asked.preview) then
            overrides = reduced(overrides, math.max(16, asked.preview // 1 | 0))
        end
        run(new_text, overrides, { only = asked.only }, function(made)
            answer(request, made and 200 or 409, made or { error = "superseded" })
        end)
    end

    function get.tile(request, world, face, level, x, y)
        local known = worlds[world] or refuse(404, "there is no such map")
        local z = math.tointeger(tonumber(level))
        local size = number_in(request.query, "size", 256, 16, 1024)
        if not z or not level:match("^%d%d?$") or z > 99 or not (places.is_cell(x, z) and places.is_cell(y, z)) then
            refuse(400, "there is no such tile")
        elseif not face:match("^[0-6]$") then
            refuse(400, "a face is 0 to 6")
        end
        local name = table.concat({ world, face, level, x, y, size }, "/")
        local found = tiles.get(name)
        if found then
            answer_bytes(request, found)
            return
        end
        ask(request, known.generation, { task = "tile", name = known.name, face = tonumber(face), z = z, x = x, y = y,
            size = size }, function(bytes)
            tiles.put(name, bytes)
            answer_bytes(request, bytes)
        end)
    end

    local function generation_of(number)
        return generations[math.tointeger(tonumber(number))] or refuse(404, "that run is no longer kept")
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
            answer_bytes(request, bytes, types.png)
        end)
    end

    function get.result(request, number, name)
        ask(request, generation_of(number), { task = "result", name = name }, function(made)
            answer(request, 200, made)
        end)
    end

    function get.lines(request, number, name)
        ask(request, generation_of(number), { task = "lines", name = name }, function(bytes)
            answer_bytes(request, bytes, types.json)
        end)
    end

    -- The place that a query names: digits of a part of the map's side, and the level of the view.
    local function place_in(request, message)
        local query = request.query
        message.x, message.y = query.x or "0.5", query.y or "0.5"
        for _, digits in ipairs{ message.x, message.y } do
            if not (digits:match("^[01]%.?%d*$") and #digits <= 120 and tonumber(digits) <= 1) then
                refuse(400, "x and y must be digits from 0 to 1")
            end
        end
        message.face = number_in(query, "face", 0, 0, 6)
        message.level = tonumber(query.zoom or 0)
        if not (message.level and message.level >= -1 and message.level <= 100) then
            refuse(400, "zoom must be a number from -1 to 100")
        end
        return message
    end

    function get.at(request, place, name)
        local known = name and { generation = generation_of(place), name = name } or worlds[place]
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
        local message = { task = "export", name = name, format = format,
            size = number_in(query, "size", 1024, 16, 8192) }
        ask(request, current(), place_in(request, message), function(bytes)
            answer_bytes(request, bytes, nil, name .. "." .. format)
        end)
    end

    function get.complete(request)
        ask(request, current(), { task = "complete", line = (request.query.line or ""):sub(-1000) }, function(made)
            answer(request, 200, { completions = json.list(made) })
        end)
    end

    function get.help(request)
        answer(request, 200, { text = help.find((request.query.word or ""):sub(1, 100)) or json.null })
    end

    function post.save(request, asked)
        local new_text, overrides = read_run(asked)
        local path, problem = saving.save(explorer.path, new_text, overrides, asked.path)
        if not path then
            refuse(409, "%s", problem)
        end
        answer(request, 200, { path = path, command = provenance.command(path, {}) })
    end

    function get.events(request)
        request.request:stream()
        request.request:send(": welcome\n\n")
        streams[request] = true
    end

    local function get_page(request)
        local name = request.path == "/" and "index.html" or request.path:sub(2)
        local found = type(page) == "table" and page[name]
        if found then
            answer_bytes(request, found, types[name:match("%w+$")])
        elseif name == "index.html" then
            request.request:answer(503, "text/plain; charset=utf-8",
                "This esker was built without the explorer's page, which npm makes: install npm and build again.\n")
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
        elseif #parts - 1 < debug.getinfo(handler, "u").nparams and handler ~= get.at then
            refuse(404, "there is no %s", request.path)
        end
        handler(request, table.unpack(parts, 3))
    end

    -- Answers a request, now or later.
    function explorer.take(request)
        local well, problem = pcall(dispatch, request)
        if not well and type(problem) == "table" and problem.status then
            answer(request, problem.status, { error = problem.message })
        elseif not well then
            error(problem, 0)
        end
    end

    -- The recipe's file was saved, or has vanished.
    function explorer.file_changed()
        local new_text, problem = recipe.read_file(explorer.path)
        if not new_text then
            tell("error", { message = problem })
            return
        end
        run(new_text, current().overrides, {}, function(made)
            if made then
                tell("changed", made)
            end
        end)
    end

    local last = os.time()

    -- Finds streams whose clients have gone.
    function explorer.keep_streams()
        if os.time() - last < 10 then
            return
        end
        last = os.time()
        for stream in pairs(streams) do
            if not stream.request:send(": still here\n\n") then
                streams[stream] = nil
            end
        end
    end

    run(text, options.overrides, {}, function() end)
    return explorer
end

return explore_api
