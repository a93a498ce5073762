-- `esker explore`: a server for one page in the browser. One loop waits for requests, for the confined processes that
-- answer them (explore_results.lua), and for changes of the recipe's file. docs/explorer.md describes the interface.

local confined = require "esker.confined"
local esker = require "esker"
local explore_api = require "esker.explore_api"
local files = require "esker.files"
local http = require "esker.http"
local memo = require "esker.explore_memo"
local queue = require "esker.explore_queue"
local recipe = require "esker.recipe"
local results = require "esker.explore_results"
local screen = require "esker.screen"
local usage_error = require "esker.usage_error"

local explore = {}

local usual = { memory = 512, time = 60, tiles = 40 } -- megabytes, seconds
local least = { server = 64, first = 320, other = 128 } -- megabytes; the others only draw tiles
local look_every = 0.4 -- seconds between two looks at the recipe's file

-- How many processes there are, and the megabytes of the first, which runs the recipe, and of each other. Together with
-- the server they have what is allowed.
local function shares(options)
    local memory = (options["memory-limit"] or usual.memory) - least.server
    local wanted = math.max(1, options.threads or esker.threads())
    local others = math.max(0, math.min(wanted - 1, (memory - least.first) // least.other)) // 1 | 0
    return others + 1, math.max(64, memory - others * least.other), least.other
end

local function limits_of(options, megabytes)
    local given = setmetatable({ ["memory-limit"] = megabytes, ["time-limit"] = options["time-limit"] or usual.time },
        { __index = options })
    return confined.limits(given, options.overrides, nil)
end

local function open_browser(address)
    os.execute(("xdg-open '%s' >/dev/null 2>&1 &"):format(address))
end

local function serve(server, explorer, work)
    local looked = files.changed(explorer.path)
    while true do
        local requests, ready = server:wait(look_every, work.descriptors())
        for _, request in ipairs(requests) do
            explorer.take(request)
        end
        work.go_on(ready)
        local now = files.changed(explorer.path)
        if now ~= looked then
            looked = now
            explorer.file_changed()
        end
        explorer.keep_streams()
    end
end

function explore.run(options)
    if not options.target then
        usage_error "explore takes a recipe, as in esker explore island.lua"
    end
    local text = recipe.text(options.target)
    local server, problem = http.open(options.port or 0)
    if not server then
        error(problem, 0)
    end
    local workers, first, other = shares(options)
    local work = queue.new(workers, function(number)
        local limits = limits_of(options, number == 1 and first or other)
        memo.max_bytes = limits.memory_limit // 3
        return confined.worker(limits, results.answer)
    end)
    local explorer = explore_api.new(options, text, work, usual.tiles * 2 ^ 20)
    screen.write(server:address(), "\n")
    screen.flush()
    if not options["no-open"] then
        open_browser(server:address())
    end
    serve(server, explorer, work) -- until Ctrl-C: the others end with this process
end

return explore
