-- What the explorer's confined processes do: each runs a recipe once, keeps what it returned, and answers what the page
-- asks about it.

local display = require "esker.display"
local esker = require "esker"
local packed = require "esker.packed"
local places = require "esker.places"
local recipe = require "esker.recipe"
local value_types = require "esker.value_types"

local results = {}

-- --- the recipe ------------------------------------------------------------------------------------------------------

local most_kept = 4
local kept = {} -- the newest first: { key =, list =, set =, log = }

-- The results in the order of their names in the text's last `return`, where they can be found there.
local function sort_as_written(list, text)
    local last = 1
    for at in text:gmatch("()%f[%w_]return%f[^%w_]") do
        last = at
    end
    local function position(result)
        return text:find("%f[%w_]" .. result.name:match("^[%w_]+") .. "%f[^%w_]%s*=", last) or math.huge
    end
    for i, result in ipairs(list) do
        result.position, result.number = position(result), i
    end
    table.sort(list, function(a, b)
        return a.position < b.position or a.position == b.position and a.number < b.number
    end)
end

local function run(message)
    local log = {}
    local returned, set = recipe.run(message.path, message.text, {
        overrides = message.overrides,
        trust = message.trust,
        print = function(...)
            if #log < 1000 then
                log[#log + 1] = table.concat{ ... }
            end
        end,
    })
    local list, seen = {}, {}
    for _, each in ipairs(recipe.results(returned, message.path, true)) do
        if not seen[each.name] then -- a picture may have several formats
            local value = each.picture
            if value == nil then
                value = each.value
            end
            list[#list + 1] = { name = each.name, value = value }
            seen[each.name] = list[#list]
        end
    end
    sort_as_written(list, message.text)
    return { key = message.key, list = list, by_name = seen, set = set, log = table.concat(log) }
end

-- What the recipe of this message made, now or before.
local function state_of(message)
    for i, state in ipairs(kept) do
        if state.key == message.key then
            table.insert(kept, 1, table.remove(kept, i))
            return state
        end
    end
    local state = run(message)
    table.insert(kept, 1, state)
    kept[most_kept + 1] = nil
    return state
end

local function value_of(message)
    local result = state_of(message).by_name[message.name]
    if not result then
        error({ status = 404, message = ("there is no result '%s'"):format(message.name) }, 0)
    end
    return result.value
end

-- --- what it returned ------------------------------------------------------------------------------------------------

local describe = {}

function describe.field(value)
    local range = value:statistics()
    return { width = value.width, height = value.height, low = range.min, high = range.max }
end

function describe.image(value)
    return { width = value.width, height = value.height }
end

describe.network, describe.points = describe.image, describe.image

function describe.map(value)
    return { faces = value.planet and 6 or 1, zoom_max = value.levels - 8, eroded = value.eroded, sea_level = 0 }
end

local function description_of(result)
    local name = esker.type(result.value)
    local declared = value_types[name]
    local kind = declared and declared.kind or name == "number" and "number" or "text"
    local about = describe[kind] and describe[kind](result.value) or {}
    if not declared then
        about.value = name == "number" and result.value or tostring(result.value)
    end
    about.name, about.kind = result.name, kind
    return about
end

local function parameters_of(set)
    local list = {}
    for name, spec in pairs(set.declared or {}) do
        list[#list + 1] = { name = name, kind = spec.kind, default = spec.default, low = spec.min, high = spec.max,
            choices = spec.choices, doc = spec.doc, value = set.values[name] }
    end
    table.sort(list, function(a, b) return a.name < b.name end)
    return list
end

-- --- what the page asks ----------------------------------------------------------------------------------------------

local tasks = {}

function tasks.run(message)
    local state = state_of(message)
    local list = {}
    for i, result in ipairs(state.list) do
        list[i] = description_of(result)
    end
    return { results = list, params = parameters_of(state.set), log = state.log }
end

local faces = { "front", "right", "back", "left", "top", "bottom" }

local function check_map(value)
    if esker.type(value) ~= "RiverMap" then
        error({ status = 404, message = "that is no map" }, 0)
    end
    return value
end

-- The window of a tile: its place exactly.
local function window_of(message)
    return { x = places.digits(message.x, message.z), y = places.digits(message.y, message.z),
        zoom = 2.0 ^ message.z, size = message.size, projection = message.face > 0 and "cube" or nil,
        face = faces[message.face] }
end

-- The altitude of a tile's centre, and how far it lies above that of its parent's.
local function heights_of(map, message)
    local place = { x = places.digits(message.x, message.z), y = places.digits(message.y, message.z),
        zoom = 2.0 ^ message.z, size = message.size, face = faces[message.face] }
    local centre = map:altitude_at(place)
    if message.z == 0 then
        return centre, 0
    end
    place.from_x = places.digits(places.parent(message.x), message.z - 1)
    place.from_y = places.digits(places.parent(message.y), message.z - 1)
    place.from_zoom = 2.0 ^ (message.z - 1)
    return centre, map:altitude_at(place)
end

function tasks.tile(message)
    local map = check_map(value_of(message))
    local window = window_of(message)
    window.border, window.relative = 1, true
    local altitude, river = map:render(window)
    local flat = message.face == 0
    local centre, rise = heights_of(map, message)
    return packed.tile(altitude, river, message.size, 1, flat and places.is_zero(message.x) and 0 or 1,
        flat and places.is_zero(message.y) and 0 or 1, centre, rise)
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
    local picture = esker.type(value) == "Image" and value or display.picture_of(value, message.side)
    if not picture then
        error({ status = 404, message = "that has no picture" }, 0)
    end
    return packed.file(picture, "picture.png")
end

function tasks.lines(message)
    return packed.file(value_of(message), "lines.geojson")
end

function tasks.export(message)
    return packed.file(value_of(message), "file." .. message.format)
end

-- The recipe's line that an error names.
local function line_of(text, path)
    local start, stop = text:find(path, 1, true)
    return start == 1 and math.tointeger(tonumber(text:match("^:(%d+):", stop + 1))) or nil
end

-- Answers a message of the server: { value = … }, or { error =, line =, status = }.
function results.answer(message)
    local well, value = pcall(tasks[message.task], message)
    if well then
        return { value = value }
    end
    local text = type(value) == "table" and (value.message or value.usage) or tostring(value)
    return { error = text, status = type(value) == "table" and value.status or 422, line = line_of(text, message.path) }
end

return results
