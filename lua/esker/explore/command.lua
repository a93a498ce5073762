-- `esker explore`: a server for one page in the browser. One loop waits for requests, for the confined processes that
-- answer them (results.lua), and for changes of the recipe's file. docs/explorer.md describes the interface.

local confined = require "esker.recipe.confined"
local desktop = require "esker.desktop"
local esker = require "esker"
local explore_api = require "esker.explore.api"
local explore_site = require "esker.explore.site"
local explore_static = require "esker.explore.static"
local files = require "esker.files"
local http = require "esker.http"
local memo = require "esker.explore.memo"
local queue = require "esker.explore.queue"
local recipe = require "esker.recipe.recipe"
local results = require "esker.explore.results"
local screen = require "esker.screen"
local usage_error = require "esker.usage_error"

local explore = {}

local usual = { memory = 512, time = 60, tiles = 32 } -- megabytes, seconds
local least = { server = 64, first = 320, other = 128, all = 128 } -- megabytes; the others only draw tiles
local look_every = 0.4 -- seconds between two looks at the recipe's files

-- How many processes there are, and the megabytes of the first, which runs the recipe, and of each other. Together with
-- the server they have what is allowed.
local function shares(options)
    local memory = (options["memory-limit"] or usual.memory) - least.server
    local wanted = math.max(1, options.threads or esker.threads())
    local others = math.max(0, math.min(wanted - 1, (memory - least.first) // least.other)) // 1 | 0
    return others + 1, memory - others * least.other, least.other
end

local function limits_of(options, megabytes)
    local given = setmetatable({ ["memory-limit"] = megabytes, ["time-limit"] = options["time-limit"] or usual.time },
        { __index = options })
    return confined.limits(given, options.overrides, nil)
end

-- The processes that compute, made when they are needed.
local function new_work(options)
    local workers, first, other = shares(options)
    return queue.new(workers, function(number, libraries)
        local limits = limits_of(options, number == 1 and first or other)
        for name in pairs(libraries) do
            limits[name] = true
        end
        memo.max_bytes = limits.memory_limit // 3
        results.memory_limit = limits.memory_limit
        return confined.worker(limits, results.answer)
    end)
end

-- A text that changes when one of the files does.
local function look_at(paths)
    local seen = {}
    for i, path in ipairs(paths) do
        seen[i] = path .. " " .. tostring((files.changed(path)))
    end
    return table.concat(seen, "\n")
end

local function serve_until_interrupted(server, explorer, work)
    local paths = explorer.files()
    local looked = look_at(paths)
    while true do
        local requests, ready = server:wait(look_every, work.descriptors())
        for _, request in ipairs(requests) do
            explorer.take(request)
        end
        work.go_on(ready)
        if look_at(paths) ~= looked then
            explorer.file_changed()
            paths = explorer.files()
            looked = look_at(paths)
        elseif explorer.files() ~= paths then
            paths = explorer.files()
            looked = look_at(paths)
        end
        explorer.look()
    end
end

-- The address is no word of a program, which other users could read: it holds the token.
local function open_browser(server)
    local path = desktop.is_there() and server:door()
    if path then
        desktop.open(path, true)
    end
end

local function serve(options, text)
    local server, problem = http.open(options.port or 0)
    if not server then
        error("esker: " .. problem, 0)
    end
    local work = new_work(options)
    local explorer = explore_api.new(options, text, work, usual.tiles * 2 ^ 20)
    screen.write(server:address(), "\n")
    screen.flush()
    if not options["no-open"] then
        open_browser(server)
    end
    serve_until_interrupted(server, explorer, work) -- the processes end with this one
end

local function write_page(options, text)
    local work = new_work(options)
    local explorer = explore_api.new(options, text, work, 0)
    if not explorer.page then
        error(explore_api.no_page, 0)
    end
    explore_static.write(options, explorer, work)
end

-- Options that belong to one of the two, or are too small.
local function check_options(options)
    for _, name in ipairs{ "site", "output", "levels" } do
        if options[name] and not options.static then
            usage_error("--%s is for a page that is written: explore --static --%s", name,
                options.site and "site" or name)
        end
    end
    if options.site and options.levels then
        usage_error "a page that computes has every level: --levels is not for --site"
    end
    if (options["memory-limit"] or usual.memory) < least.all then
        usage_error("explore needs --memory-limit %d or more, got %s", least.all, options["memory-limit"])
    end
    for _, name in ipairs{ "port", "no-open" } do
        if options[name] and options.static then
            usage_error("explore --static serves nothing: --%s is not for it", name)
        end
    end
end

function explore.run(options)
    if not options.target then
        usage_error "explore takes a recipe, as in esker explore island.lua"
    end
    check_options(options)
    local text = recipe.text(options.target)
    if options.site then
        explore_site.write(options, text)
    elseif options.static then
        write_page(options, text)
    else
        serve(options, text)
    end
    return 0
end

return explore
