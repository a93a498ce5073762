-- What the explorer says about a place: altitude, slope, what drains through it, and where its water goes.

local esker = require "esker"

local explore_places = {}

local faces = { "front", "right", "back", "left", "top", "bottom" }

local whole = 512 -- cells along a map's side at which its basins are told apart

explore_places.faces = faces

-- The digits of what is left to 1.
local function rest_of(digits)
    return "0." .. digits:gsub("^%d%.?", ""):gsub("%d", function(digit) return 9 - digit end)
end

-- Half a window, or as much of the way to the border: where a window around a place lies that stays inside the map.
local function kept_inside(text, half)
    if tonumber(text) < half then
        return half
    elseif text:find("^1") or 1 - tonumber(text) < 1e-6 and tonumber(rest_of(text)) < half then
        return half > 1e-6 and 1 - half or rest_of(("%.99f"):format(half * (1 + 1e-9)))
    end
    return tonumber(text) > 1 - half and 1 - half or text
end

-- The window of a map around a place, which stays inside the map: as `render` takes it, with the recipes' zoom. It has
-- fewer cells than `size` along its side where the map ends.
function explore_places.window_around(map, message, size, zoom)
    zoom = math.max(1, zoom)
    if map.planet and message.face == 0 then
        return { zoom = 1, width = size, height = size // 2 }
    end
    local half = 0.5 / zoom
    return { x = kept_inside(message.x, half), y = kept_inside(message.y, half), zoom = zoom,
        size = math.max(16, math.floor(math.min(size, 2.0 ^ map.levels / zoom))),
        projection = message.face > 0 and "cube" or nil, face = faces[message.face] }
end

-- How steep the ground is at the middle of 3 × 3 cells, whose side is given.
local function slope_at(field, x, y, side)
    local function get(column, row)
        return field:get(math.max(0, math.min(field.width - 1, column)), math.max(0, math.min(field.height - 1, row)))
    end
    local dx, dy = (get(x + 1, y) - get(x - 1, y)) / (2 * side), (get(x, y + 1) - get(x, y - 1)) / (2 * side)
    return math.sqrt(dx * dx + dy * dy)
end

-- The cell of a field at a place.
local function cell_at(field, message)
    local longer = math.max(field.width, field.height)
    return math.min(field.width - 1, math.floor(tonumber(message.x) * longer)),
        math.min(field.height - 1, math.floor(tonumber(message.y) * longer))
end

-- --- basins ----------------------------------------------------------------------------------------------------------

local steps = { [1] = { 1, 0 }, [2] = { 1, 1 }, [4] = { 0, 1 }, [8] = { -1, 1 }, [16] = { -1, 0 }, [32] = { -1, -1 },
    [64] = { 0, -1 }, [128] = { 1, -1 } }

local drainages = setmetatable({}, { __mode = "k" }) -- of fields and maps

local function drainage_of(value)
    if not drainages[value] then
        local field = esker.type(value) == "Field" and value or value:render{ size = whole }
        drainages[value] = { field = field, direction = field:flow_direction{}, flow = field:flow_accumulation{} }
    end
    return drainages[value]
end

-- What drains through a place of a field, in parts of the squared longer side, and where its water leaves the land.
local function basin_at(value, message)
    local drainage = drainage_of(value)
    local field, flow = drainage.field, drainage.flow
    local longer = math.max(field.width, field.height)
    local x, y = cell_at(field, message)
    local drained = flow:get(x, y) / longer ^ 2
    if field:get(x, y) < 0 then -- the sea
        return nil, nil
    end
    local step = steps[drainage.direction:get(x, y)]
    while step do
        local next_x, next_y = x + step[1], y + step[2]
        if field:get(next_x, next_y) < 0 then
            break
        end
        x, y = next_x, next_y
        step = steps[drainage.direction:get(x, y)]
    end
    return drained, { x = (x + 0.5) / longer, y = (y + 0.5) / longer, drained = flow:get(x, y) / longer ^ 2 }
end

-- ---------------------------------------------------------------------------------------------------------------------

local function at_map(map, message)
    local window = explore_places.window_around(map, message, 16, math.min(16 * message.zoom, 2.0 ^ map.levels / 16))
    window.relative = true
    local altitude, river, flow = map:render(window)
    window.relative, window.projection = nil, nil
    local made = { altitude = map:altitude_at(window), slope = slope_at(altitude, 8, 8, 1 / (16 * window.zoom)),
        drained = flow and flow:get(8, 8) / (16 * window.zoom) ^ 2, river = river:get(8, 8) > 0 }
    if not map.planet and made.altitude >= 0 then
        made.basin = select(2, basin_at(map, message))
    end
    return made
end

local function at_field(field, message)
    local x, y = cell_at(field, message)
    local drained, basin = basin_at(field, message)
    return { altitude = field:get(x, y), slope = slope_at(field, x, y, 1 / math.max(field.width, field.height)),
        drained = drained, basin = basin }
end

function explore_places.at(value, message)
    local kind = esker.type(value)
    if kind ~= "RiverMap" and kind ~= "Field" then
        error({ status = 404, message = "that has no altitudes" }, 0)
    end
    return (kind == "Field" and at_field or at_map)(value, message)
end

return explore_places
