-- What the explorer's confined processes do: each runs a recipe once, keeps what it returned, and answers what the page
-- asks about it.

local ahead = require "esker.ahead"
local esker = require "esker"
local file_formats = require "esker.file.formats"
local memo = require "esker.explore.memo"
local packed = require "esker.packed"
local places = require "esker.places"
local places_of = require "esker.explore.places"
local recipe = require "esker.recipe.recipe"
local value_types = require "esker.value_types"
local worker = require "esker.worker"

local function display() return require "esker.session.display" end -- a page in a tab begins without it

local results = {}

-- --- the recipe ------------------------------------------------------------------------------------------------------

local max_kept = 4
local max_answer = 64 << 20 -- bytes
local max_threads = esker.threads()
local max_log = 2 ^ 16 -- bytes that a recipe prints
local max_shown, max_name, max_value = 1000, 100, 10000 -- results, bytes of a name and of a text's value
local max_warnings = 100
local max_notes, long_note = 200, 1000 -- pieces of it that are told one by one, bytes of the others
local kept = {} -- the newest first: { key =, list =, set =, log = }

-- Sorts a list of things with names by where `name =` is in the text after the byte `start`, then by name.
local function sort_as_written(list, text, start)
    for _, each in ipairs(list) do
        each.position = text:find("%f[%w_]" .. each.name:match("^[%w_]+") .. "%f[^%w_]%s*=", start) or math.huge
    end
    table.sort(list, function(a, b)
        return a.position < b.position or a.position == b.position and a.name < b.name
    end)
    for _, each in ipairs(list) do
        each.position = nil
    end
    return list
end

-- Where the last `return` of a text is: one that begins a line, since functions have theirs.
local function last_return(text)
    local last = 1
    for _, pattern in ipairs{ "()%f[%w_]return%f[^%w_]", "%f[^\n\0]()return%f[^%w_]" } do
        for at in text:gmatch(pattern) do
            last = at
        end
    end
    return last
end

local function plain_value(listed)
    if listed.picture ~= nil then
        return listed.picture
    end
    return listed.value
end

-- The value of a result, which a function may have to give first.
local function value_in(result)
    if result.make then
        result.value = plain_value(memo.within(result.make))
        result.make = nil
    end
    return result.value
end

-- A function that takes what a recipe prints, and the list of what it took. All of it is told while the recipe runs.
local function new_log()
    local log, room, notes, untold = {}, max_log, 0, ""
    return log, function(...)
        if room > 0 then
            local text = table.concat{ ... }
            log[#log + 1] = #text > room and text:sub(1, room | 0) .. " …\n" or text
            room, untold = room - #text, untold .. log[#log]
            if notes < max_notes or #untold > long_note or room <= 0 then
                worker.tell("log", untold)
                notes, untold = notes + 1, ""
            end
        end
    end
end

local attempted -- the parameter set of the newest run, which may have failed

local function run(message)
    attempted = nil
    memo.warnings = {}
    local log, print_to_log = new_log()
    local returned, set = memo.within(function()
        return recipe.run(message.path, message.text, {
            overrides = message.overrides,
            lenient = message.lenient,
            trust = message.trust,
            print = print_to_log,
            functions = memo.functions,
            on_declare = function(set) attempted = set end,
        })
    end)
    local list, seen, count = {}, {}, 0
    for _, each in ipairs(recipe.results(returned, message.path, "later")) do
        if not seen[each.name] then -- a picture may have several formats
            seen[each.name] = { name = each.name, value = plain_value(each), make = each.make }
            list[#list + 1] = #list < max_shown and #each.name <= max_name and seen[each.name] or nil
            count = count + 1
        end
    end
    sort_as_written(list, message.text, last_return(message.text))
    return { key = message.key, list = list, by_name = seen, set = set, log = log, left_out = count > #list and count,
        warnings = memo.warnings }
end

-- What the recipe of this message made, now or before.
local function state_of(message)
    for i, state in ipairs(kept) do
        if state.key == message.key then
            table.insert(kept, 1, table.remove(kept, i))
            memo.warnings = state.warnings
            return state
        end
    end
    local state = run(message)
    table.insert(kept, 1, state)
    kept[max_kept + 1] = nil
    return state
end

local function value_of(message)
    local result = state_of(message).by_name[message.name]
    if not result then
        error({ status = 404, message = ("there is no result '%s'"):format(message.name) }, 0)
    end
    return value_in(result)
end

-- --- what it returned ------------------------------------------------------------------------------------------------

local describe = {}

function describe.field(value)
    local range = value:statistics()
    local cell = value.cell_metres
    return { width = value.width, height = value.height, low = range.min, high = range.max,
        side = cell and cell * math.max(value.width, value.height), unit = value.frame and value.frame.unit }
end

function describe.image(value)
    return { width = value.width, height = value.height }
end

describe.network, describe.points = describe.image, describe.image

function describe.map(value)
    local side, radius = value.side, value.radius
    return { faces = value.planet and 6 or 1, zoom_max = value.levels - 8, eroded = value.eroded, sea_level = 0,
        natural = value.eroded, settled = value.eroded, watered = value.watered,
        side = side, radius = radius,
        unit = (side or radius) and "m" or nil }
end

-- `wanted`: all of it, which computes it.
local function description_of(result, wanted)
    if result.make and not wanted then
        return { name = result.name, kind = "later" }
    end
    local name = esker.type(value_in(result))
    local declared = value_types[name]
    local kind = declared and declared.kind or name == "number" and "number" or "text"
    local about = (wanted or kind == "map") and describe[kind] and describe[kind](result.value) or {}
    if not declared then
        local text = tostring(result.value)
        about.value = name == "number" and result.value or #text > max_value and text:sub(1, max_value) .. " …" or text
    end
    about.name, about.kind = result.name, kind
    return about
end

-- A whole number that JSON's readers may round is its digits.
local function whole_digits(value)
    return math.type(value) == "integer" and (value > 1 << 53 or value < -(1 << 53)) and tostring(value) or value
end

local function parameters_of(set, text)
    local list = {}
    for name, spec in pairs(set.declared or {}) do
        list[#list + 1] = { name = name, kind = spec.kind, default = whole_digits(spec.default), low = spec.min,
            high = spec.max, choices = spec.choices, doc = spec.doc,
            value = set.values and whole_digits(set.values[name]) }
    end
    return sort_as_written(list, text, text:find("%f[%w_]params%f[^%w_]") or 1)
end

-- --- what the page asks ----------------------------------------------------------------------------------------------

local tasks = {}

-- The result of this name, or the first that can be looked at.
local function looked_at_of(state, name)
    local first
    for _, result in ipairs(state.list) do
        if result.name == name then
            return result
        end
        first = first or (type(result.value) == "userdata" or result.make) and result
    end
    return first
end

function tasks.result(message)
    local state = state_of(message)
    local result = state.by_name[message.name] or value_of(message)
    return description_of(result, true)
end

-- The recipe's line that an error names.
local function line_of(text, path)
    local start, stop = text:find(path, 1, true)
    return start == 1 and math.tointeger(tonumber(text:match("^:(%d+):", stop + 1))) or nil
end

-- The text of an error, without places in esker's own modules.
local function error_text(problem)
    local text = type(problem) == "table" and (problem.message or problem.usage) or tostring(problem)
    return (text:gsub("^lua/esker/[%w_/]+%.lua:%d+: ", ""))
end

-- What operations warned of, each once, with the recipe's line.
local function warnings_of(state, path)
    local list, seen = {}, {}
    for _, warning in ipairs(state.warnings) do
        local text = warning.line .. warning.text
        if not seen[text] and #list < max_warnings then
            list[#list + 1] = { message = text, line = line_of(text, path) }
        end
        seen[text] = true
    end
    return list
end

function tasks.run(message)
    local before = memo.computed
    local state = state_of(message)
    local list, looked_at, problem = {}, not message.none and looked_at_of(state, message.only), nil
    if looked_at then
        worker.tell("returned", looked_at.name)
    end
    for i, result in ipairs(state.list) do
        local well, about = pcall(description_of, result, message.all or result == looked_at)
        if not well then
            problem = { message = error_text(about), line = line_of(error_text(about), message.path) }
            about = description_of(result, false)
        end
        list[i] = about
    end
    problem = problem or state.left_out and { message = ("the recipe returns %d results: at most %d are shown, with " ..
        "names of at most %d bytes"):format(state.left_out, max_shown, max_name) } or nil
    local warnings, log = warnings_of(state, message.path), { table.concat(state.log) }
    for _, warning in ipairs(warnings) do
        log[#log + 1] = "warning: " .. warning.message .. "\n"
    end
    return { results = list, error = problem, params = parameters_of(state.set, message.text),
        log = table.concat(log), warnings = warnings, computed = memo.computed - before }
end

local function check_map(value)
    if esker.type(value) ~= "RiverMap" then
        error({ status = 404, message = "that is no map" }, 0)
    end
    return value
end

-- The window of a tile: its place exactly.
local function window_of(message)
    return { x = places.middle(message.x, message.z), y = places.middle(message.y, message.z),
        zoom = 2.0 ^ message.z, size = message.size, projection = message.face > 0 and "cube" or nil,
        face = places_of.faces[message.face] }
end

-- The altitude of a tile's centre, and how far it lies above that of its parent's.
local function heights_of(map, message)
    local place = { x = places.middle(message.x, message.z), y = places.middle(message.y, message.z),
        zoom = 2.0 ^ message.z, size = message.size, face = places_of.faces[message.face] }
    local centre = map:altitude_at(place)
    if message.z == 0 then
        return centre, 0
    end
    place.from_x = places.middle(places.parent(message.x), message.z - 1)
    place.from_y = places.middle(places.parent(message.y), message.z - 1)
    place.from_zoom = 2.0 ^ (message.z - 1)
    return centre, map:altitude_at(place)
end

-- Computes the land of a flat map's tile together with that of its neighbours that wait.
local function look_around(map, message)
    local beside = message.beside
    local columns, rows = 1 + beside.left + beside.right, 1 + beside.top + beside.bottom
    local function middle(text, before, after) -- to half a cell
        local share = ({ [-1] = ".008", [0] = ".808", [1] = ".ff8" })[after - before]
        return ("0x%s%sp-%d"):format(text, share, message.z)
    end
    if columns * rows > 1 then
        local width, height = columns * message.size - 2, rows * message.size - 2
        local most = message.size * (1 - 2.0 ^ -40) -- pixels not finer than the tiles'
        ahead.land(map, middle(message.x, beside.left, beside.right), middle(message.y, beside.top, beside.bottom),
            2.0 ^ message.z * most / math.max(width, height), width, height, 4)
    end
end

function tasks.tile(message)
    local map = check_map(value_of(message))
    if message.beside and message.face == 0 then
        look_around(map, message)
    end
    local window = window_of(message)
    window.border, window.relative = 1, true
    local altitude, river = map:render(window)
    local flat = message.face == 0
    local centre, rise = heights_of(map, message)
    return packed.tile(altitude, river, message.size, 1, flat and places.is_zero(message.x) and 0 or 1,
        flat and places.is_zero(message.y) and 0 or 1, centre, rise)
end

-- A map with eroded land, or an error that says what others lack.
local function check_land(message, what)
    local map = check_map(value_of(message))
    if not map.eroded then
        error({ status = 404, message = "only maps with eroded land have " .. what }, 0)
    end
    return map
end

-- The natural colours of a map's tile.
function tasks.cover(message)
    return packed.file(check_land(message, "natural colours"):cover(window_of(message)).image, "cover.png")
end

-- The places and the roads of tiles of a map (places.lua).
function tasks.places(message)
    return places_of.settled(check_land(message, "places"), window_of(message))
end

function tasks.cells(message)
    local value = value_of(message)
    if esker.type(value) ~= "Field" then
        error({ status = 404, message = "that is no field" }, 0)
    end
    return packed.cells(value, message.side)
end

function tasks.picture(message)
    local value = value_of(message)
    local picture = esker.type(value) == "Image" and value or display().picture_of(value, message.side)
    if not picture then
        error({ status = 404, message = "that has no picture" }, 0)
    end
    return packed.file(picture, "picture.png")
end

-- The lines of a network, points, or the rivers of a map's tile.
function tasks.lines(message)
    local value = value_of(message)
    if esker.type(value) == "RiverMap" then
        if value.planet then
            error({ status = 404, message = "a planet's tiles have no lines" }, 0)
        end
        if not message.z then
            error({ status = 404, message = "the lines of a map are asked for by tile" }, 0)
        end
        value = value:rivers(window_of(message))
    elseif esker.type(value) ~= "RiverNetwork" and esker.type(value) ~= "Points" then
        error({ status = 404, message = "that has no lines" }, 0)
    end
    return packed.lines(value)
end

function tasks.mesh(message)
    local value = value_of(message)
    if esker.type(value) ~= "Mesh" then
        error({ status = 404, message = "that is no mesh" }, 0)
    end
    return packed.mesh(value)
end

local of_meshes = file_formats.endings(function(format) return file_formats.writes(format, "mesh") end)

function tasks.export(message)
    local value, as_mesh = value_of(message), of_meshes[message.format]
    local small = as_mesh or esker.type(value) == "RiverMap" and value.planet -- else it takes too much memory
    local size = message.size or small and 512 or 1024
    if esker.type(value) == "RiverMap" then
        value = value:render(places_of.window_around(value, message, size, message.zoom))
    end
    if not value_types.usual_format(esker.type(value)) then
        error({ status = 404, message = "that is saved in no file" }, 0)
    elseif message.format == "png" and esker.type(value) ~= "Image" then
        value = display().picture_of(value, size) or value
    elseif value_types[esker.type(value)].kind == "field" and as_mesh then
        value = value:mesh{}
    end
    local ending = message.format == file_formats.png_of_heights and "png" or message.format
    return packed.file(value, message.name .. "." .. ending, message.beside) -- a layer has its name
end

function tasks.at(message)
    return places_of.at(value_of(message), message)
end

local globals -- what a recipe sees, for completion

function tasks.complete(message)
    globals = globals or recipe.environment(message.path, {})
    return require("esker.explore.completion").complete(message.line, globals)
end

-- Bytes that this process may take, and the words for whose they are; command.lua sets it, tab/compute.lua both.
results.memory_limit, results.memory_of = nil, "of what all processes may (--memory-limit)"

-- Answers a message of the server: { value = … }, or { error =, line =, status = }.
function results.answer(message)
    -- Other processes draw other tiles; as long as none does, a tile has all threads
    esker.threads(message.task == "tile" and not message.alone and 1 or max_threads)
    local well, value = pcall(tasks[message.task], message)
    if well and (type(value) ~= "string" or #value <= max_answer) then
        return { value = value }
    elseif well then
        return { status = 413,
            error = ("that is too large for the page: %d MiB of at most %d"):format(#value >> 20, max_answer >> 20) }
    end
    local text, params = error_text(value), nil
    if message.task == "run" and attempted and attempted.declared then -- as far as it came
        params = parameters_of(attempted, message.text)
    end
    if text:find("not enough memory", 1, true) then
        memo.clear()
        local megabytes = (results.memory_limit or 0) >> 20
        text = text:gsub("not enough memory$", ("%%0: fields and Lua may take %d MiB %s"):format(megabytes,
            results.memory_of))
    end
    collectgarbage() -- what a recipe that failed has left
    return { error = text, status = type(value) == "table" and value.status or 422, line = line_of(text, message.path),
        params = params }
end

return results
