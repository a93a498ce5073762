-- Runs recipes for the package for JavaScript (src/npm/recipe.c). There are no processes and no terminal; texts of
-- recipes and modules come from JavaScript, which knows where they are.

local npm = require "esker.npm"

-- In place of the program's C module.
local files = {}
package.loaded["esker.files"] = files

function files.open(path)
    local text = npm.read(path)
    if not text then
        return nil, ("cannot read '%s': there is no such file"):format(path)
    end
    local file = {}
    function file.read()
        local all = text
        text = nil
        return all
    end
    function file.close() end
    return file
end

function files.is_file(path)
    return npm.read(path) ~= nil
end

require("esker.file.formats").opens_libraries = false

-- What is late is stopped by a hook's error (recipe.c), and until that is caught there are no hooks: what Lua runs
-- before then, handlers of xpcall and the closing of a coroutine's variables, could go on for ever. Here it runs after.
local pack, unpack, pcall, resume, close = table.pack, table.unpack, pcall, coroutine.resume, coroutine.close

function _G.xpcall(call, handler, ...)
    local given = pack(pcall(call, ...))
    if given[1] then
        return unpack(given, 1, given.n)
    end
    return false, select(2, pcall(handler, given[2]))
end

local function close_in_time(thread)
    npm.check_time()
    return close(thread)
end

local function finish(thread, well, ...)
    if well then
        return ...
    end
    close_in_time(thread)
    error((...), 2)
end

rawset(coroutine, "close", close_in_time)
rawset(coroutine, "wrap", function(call)
    local thread = coroutine.create(call)
    return function(...)
        return finish(thread, resume(thread, ...))
    end
end)

local esker = require "esker"
local json = require "esker.file.json"
local library = require "esker.recipe.library"
local parameters = require "esker.recipe.parameters"
local recipe = require "esker.recipe.recipe"

function esker.sweep()
    error("sweep: only the program runs sweeps", 2)
end

local recipes = {}

-- How JavaScript is told of a result: numbers are texts, since JSON rounds whole numbers and knows no infinity.
-- `place` is that of an engine's value in the list.
local function described(name, value, place)
    if place then
        return { name = name, value = place }
    elseif type(value) == "number" then
        return { name = name, [math.type(value)] = parameters.exact_text(value) }
    end
    return { name = name, plain = value }
end

-- Runs a recipe with parameters, a JSON object of texts. Gives its results as JSON, and the list of those that are the
-- engine's values, each once.
function recipes.run(path, text, given)
    library.seal()
    local returned = recipe.run(path, text, { overrides = json.decode(given), print = npm.print })
    local list, values, places, seen = json.list{}, {}, {}, {}
    for _, each in ipairs(recipe.results(returned, path, true)) do
        local value = each.picture
        if value == nil then
            value = each.value
        end
        if type(value) == "userdata" and not places[value] then
            values[#values + 1] = value
            places[value] = #values
        end
        if not seen[each.name] then -- a picture may have several formats
            seen[each.name] = true
            list[#list + 1] = described(each.name, value, places[value])
        end
    end
    return json.encode(list), values
end

-- What an error says, without places in Esker's own modules; of a run that took too long, where that was.
function recipes.explain(problem, path, seconds, megabytes, is_late)
    local text = type(problem) == "table" and problem.usage or tostring(problem)
    text = text:gsub("^lua/esker/[%w_/]+%.lua:%d+: ", "")
    if is_late then
        local start, stop = text:find(path, 1, true)
        local place = start == 1 and text:match("^:%d+: ", stop + 1)
        return ("%sthe time limit of %s s is over"):format(place and path .. place or "",
            parameters.exact_text(seconds))
    end
    return (text:gsub("not enough memory$", "%0: fields and Lua may take " .. megabytes .. " MiB"))
end

return recipes
