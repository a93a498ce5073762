-- The runs of the explorer's recipe: each is a generation, with its text and parameters; the last that ended gives the
-- state. A run stops an older one of its page, not those of other pages, with which it takes turns.

local esker = require "esker"
local file_formats = require "esker.file.formats"
local json = require "esker.file.json"
local parameters = require "esker.recipe.parameters"
local recipe = require "esker.recipe.recipe"
local texts = require "esker.texts"

local runs = {}

local max_generations = 16

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

-- Runs of the recipe at a path, which the processes of `work` (queue.lua) do; `tell(event, value)` hears of
-- their progress and of what they print.
function runs.new(path, trust, work, tell)
    local own = { state = nil } -- what /api/state gives
    local generations, newest = {}, 0 -- by number: { number =, page =, text =, overrides =, lenient =, files =,
    -- hash =, key = }
    local worlds = {} -- { world =, generation =, name =, eroded = } by the names in addresses
    local kept = 0 -- how many generations
    local latest = {} -- of pages
    local running = {} -- by page, the task of its newest run

    -- The oldest generation of the page that has most of them.
    local function oldest_of_many()
        local counts, oldest = {}, {}
        for number, each in pairs(generations) do
            counts[each.page] = (counts[each.page] or 0) + 1
            oldest[each.page] = math.min(oldest[each.page] or number, number)
        end
        local found
        for page, number in pairs(oldest) do
            local more = found and counts[page] - counts[generations[found].page] or 1
            if more > 0 or more == 0 and number < found then
                found = number
            end
        end
        return found
    end

    local function forget(number)
        local page = generations[number].page
        latest[page] = latest[page] ~= generations[number] and latest[page] or nil
        generations[number] = nil
        for world, known in pairs(worlds) do
            worlds[world] = known.generation.number ~= number and known or nil
        end
    end

    local function new_generation(text, overrides, page)
        newest = newest + 1
        local words = parameters.words(overrides)
        local well, whole, files = pcall(recipe.whole_text, path, text) -- with its modules
        generations[newest] = { number = newest, page = page,
            text = text, overrides = overrides, files = well and files or { path },
            hash = texts.hash(well and whole or text),
            key = texts.hash(table.concat({ esker.version, well and whole or text, table.unpack(words) }, "\0")) }
        kept = kept + 1
        if kept > max_generations then
            kept = kept - 1
            forget(oldest_of_many())
        end
        return generations[newest]
    end

    -- The newest generation: of a page, where it has run the recipe since the file was read, else of all.
    function own.current(page)
        return latest[page] or generations[newest]
    end

    function own.generation(number)
        return generations[math.tointeger(tonumber(number))]
    end

    -- The generation and the result's name of a map, and whether its land is eroded.
    function own.world(name)
        return worlds[name]
    end

    -- --- states ------------------------------------------------------------------------------------------------------

    local function new_state(generation, value)
        for _, result in ipairs(value.results) do
            if result.kind == "map" then
                result.world = texts.hash(generation.key .. "\0" .. result.name)
                worlds[result.world] = { world = result.world, generation = generation, name = result.name,
                    eroded = result.eroded }
            end
        end
        return { version = esker.version, generation = generation.number, params = json.list(value.params),
            results = json.list(value.results), error = value.error or json.null, downloads = file_formats.downloads(),
            log = value.log, warnings = json.list(value.warnings), computed = value.computed, palettes = palettes(),
            values = generation.overrides,
            recipe = { name = path, text = generation.text, hash = generation.hash } }
    end

    local function failed_state(generation, made)
        local old = own.state or { params = json.list(), results = json.list() }
        return { version = esker.version, generation = generation.number,
            params = made.params and json.list(made.params) or old.params, results = old.results,
            error = { message = made.error, line = made.line }, palettes = palettes(), values = generation.overrides,
            downloads = file_formats.downloads(),
            recipe = { name = path, text = generation.text, hash = generation.hash } }
    end

    -- --- tasks -------------------------------------------------------------------------------------------------------

    local function note_of(generation, task)
        return function(kind, text)
            if kind == "log" then
                tell("log", { generation = generation.number, text = text })
            elseif kind == "progress" then
                local share, name = text:match("^(%S+) (.*)$")
                task.progress = true
                tell("progress", { generation = generation.number, name = name, share = tonumber(share) })
            elseif kind == "returned" then
                task.looked_at = text
            end
        end
    end

    -- A task about a generation; `done` gets the answer of a process.
    function own.task(generation, message, done)
        message.path, message.trust = path, trust
        message.text, message.overrides, message.key = generation.text, generation.overrides, generation.key
        message.lenient = generation.lenient
        local task = { message = message }
        task.note = note_of(generation, task)
        function task.done(made)
            if task.progress then
                tell("progress", { generation = generation.number, name = json.null, share = 1 })
            end
            done(made)
        end
        return task
    end

    local function cancel(page)
        local task = running[page]
        running[page] = nil
        if task then
            work.cancel(task)
        end
    end

    -- Runs the recipe: `done` gets the new state, or nil where a newer run of the page has taken its place.
    -- message.lenient: the text is not that which the overrides were meant for. `page` is nil where the file was read,
    -- which stops all runs.
    function own.run(text, overrides, message, done, page, is_wanted)
        if page then
            cancel(page)
        else
            for each in pairs(running) do
                cancel(each)
            end
            latest = {}
        end
        page = page or ""
        local generation = new_generation(text, overrides, page)
        generation.lenient = message.lenient
        latest[page] = generation
        local patient = next(running) ~= nil
        local function begin(asked, ended)
            local task
            asked.task = "run"
            task = own.task(generation, asked, function(made)
                if running[page] ~= task then
                    return done(nil)
                end
                ended(made, task)
            end)
            task.is_wanted, task.patient = is_wanted, patient
            running[page] = task
            work.add(task, not patient)
        end
        local function finish(made)
            running[page] = nil
            own.state = made.error and failed_state(generation, made) or new_state(generation, made.value)
            done(own.state)
        end
        begin(message, function(made, task)
            if not (made.error and task.looked_at) then
                return finish(made)
            end
            -- The process ended while it computed the result that is looked at: the others are told without it.
            begin({ none = true }, function(listed)
                if listed.value then
                    listed.value.error = { message = ("%s: %s"):format(task.looked_at, made.error) }
                end
                finish(listed.value and listed or made)
            end)
        end)
    end

    -- Stops runs of pages that are gone.
    function own.look()
        for page, task in pairs(running) do
            if task.is_wanted and not task.is_wanted() then
                cancel(page)
            end
        end
    end

    -- The recipe's sizes, no larger than a preview's.
    function own.reduced(overrides, preview)
        local smaller = {}
        for name, value in pairs(overrides) do
            smaller[name] = value
        end
        for _, param in ipairs(own.state and own.state.params or {}) do
            if param.name == "size" or param.name == "width" or param.name == "height" then
                local value = tonumber(smaller[param.name] or param.default)
                if value and value > preview then
                    smaller[param.name] = preview
                end
            end
        end
        return smaller
    end

    return own
end

return runs
