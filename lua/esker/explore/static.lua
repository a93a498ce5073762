-- `esker explore --static`: the page and what its server would answer, as files under the same names, for any web host.
-- The server's own functions answer (api.lua); each answer becomes a file.

local json = require "esker.file.json"
local names_of = require "esker.names"
local output_folders = require "esker.recipe.output_folders"
local screen = require "esker.screen"
local site = require "esker.explore.site"
local terminal = require "esker.terminal"
local tile_codec = require "esker.tile_codec"
local usage_error = require "esker.usage_error"
local worker = require "esker.worker"

local explore_static = {}

local usual_levels, max_levels = 4, 8
local at_once = 32 -- requests that wait for processes
local sides = { cells = 1024, picture = 2048 } -- as the page asks for them

local function levels_of(options)
    if not options.levels then
        return usual_levels
    end
    local high = math.tointeger(tonumber(options.levels:match("^0%.%.(%d+)$") or options.levels:match("^0$")))
    if not high or high > max_levels then
        usage_error("--levels takes 0..HIGH, at most 0..%d, for a static page, got '%s'", max_levels, options.levels)
    end
    return high
end

-- A function that writes a file below the folder, and makes the folders for it.
local function writer(folder)
    local made = {}
    return function(path, bytes)
        for above in path:gmatch("()/") do
            local name = path:sub(1, above - 1)
            if not made[name] then
                folder:make(name)
                made[name] = true
            end
        end
        folder:write(path, bytes)
    end
end

-- What the page asks about a result, besides tiles.
local asked = { field = { "cells", "picture" }, image = { "picture" }, network = { "lines", "picture" },
    points = { "lines", "picture" }, mesh = { "mesh" } }

local function add_tiles(list, map, levels)
    local function add(kind, ...)
        list[#list + 1] = { path = ("api/%s/%s/%d/%d/%x/%x"):format(kind, map.world, ...), query = {}, is_fixed = true,
            is_compressed = kind == "tile" }
    end
    for z = 0, math.min(levels, map.zoom_max) do
        for face = map.faces > 1 and 1 or 0, map.faces > 1 and map.faces or 0 do
            for y = 0, (1 << z) - 1 do
                for x = 0, (1 << z) - 1 do
                    add("tile", face, z, x, y)
                    if map.natural and map.watered then
                        add("cover", face, z, x, y)
                        if map.settled and x < 1 << math.max(0, z - 2) and y < 1 << math.max(0, z - 2) then
                            add("places", face, z, x, y) -- of 4 × 4 tiles
                        end
                    end
                end
            end
        end
    end
end

-- All that is asked: a list of { path =, query = }.
local function requests_for(state, levels)
    local list = {}
    for _, result in ipairs(state.results) do
        if result.kind == "map" then
            add_tiles(list, result, levels)
        end
        for _, kind in ipairs(asked[result.kind] or {}) do
            list[#list + 1] = { query = { side = sides[kind] }, path = ("api/%s/%d/%s%s"):format(kind,
                state.generation, result.name, kind == "picture" and ".png" or "") }
        end
    end
    return list
end

-- Has the explorer answer requests, a few at a time, and writes what is not in the folder yet.
local function write_answers(explorer, work, requests, folder, write, tell)
    local done, waiting, problem = 0, 0, nil
    local function ask(each)
        if each.is_fixed and folder:has(each.path) then -- the world's name says what made it
            done = done + 1
            return
        end
        waiting = waiting + 1
        explorer.take{ method = "GET", path = "/" .. each.path, query = each.query, body = "", request = {
            is_gone = function() return false end,
            answer = function(_, status, _, bytes)
                waiting, done = waiting - 1, done + 1
                local well, why = status == 200, nil
                if well then
                    well, why = pcall(write, each.path, each.is_compressed and tile_codec.gzip(bytes) or bytes)
                end
                if not well then
                    problem = problem or why or json.decode(bytes).error
                end
            end } }
    end
    for _, each in ipairs(requests) do
        ask(each)
        while waiting >= at_once and not problem do
            work.go_on(worker.wait(1, work.descriptors()))
        end
        tell(done, #requests)
    end
    while waiting > 0 and not problem do
        work.go_on(worker.wait(1, work.descriptors()))
        tell(done, #requests)
    end
    if problem then
        error((problem:gsub("^lua/esker/[%w_/]+%.lua:%d+: ", "")), 0)
    end
end

-- The state as the page finds it: nothing in it can be asked to run.
local function static_state(state, levels)
    state.static = true
    for _, result in ipairs(state.results) do
        result.zoom_max = result.zoom_max and math.min(levels, result.zoom_max)
        result.natural = result.natural and result.watered
    end
    return json.encode(state)
end

-- Writes the page of an explorer (api.lua), which describes all results, to options.output.
function explore_static.write(options, explorer, work)
    local levels = levels_of(options)
    local tells = not options.quiet and select(2, terminal.is_terminal())
    while not explorer.state() do
        work.go_on(worker.wait(1, work.descriptors()))
    end
    local state = explorer.state()
    if state.error ~= json.null then
        error(state.error.message, 0)
    end
    local requests = requests_for(state, levels)
    local folder, why = output_folders.open(options.output, "explorer", true)
    if not folder then
        error(why, 0)
    end
    local record_text <const> = '"downloads":{"field":['
    output_folders.check_own(folder, "api/state", record_text, names_of(explorer.page)) -- which are written after that
    local write = writer(folder)
    write_answers(explorer, work, requests, folder, write, function(done, all)
        if tells then
            screen.progress(("%d of %d files"):format(done, all))
        end
    end)
    if tells then
        screen.progress()
    end
    write("api/state", static_state(state, levels))
    for name, bytes in pairs(explorer.page) do
        write(name, bytes)
    end
    if not options.quiet then
        screen.write(("%s  %d files of results; %s\n")
            :format(folder:path(), #requests, site.server_of(folder:path())))
    end
end

return explore_static
