-- What the explorer says about a place: altitude, slope, what drains through it, and where its water goes; and which
-- places and roads a tile has.

local esker = require "esker"
local json = require "esker.file.json"
local places = require "esker.places"

local explore_places = {}

local faces = { "front", "right", "back", "left", "top", "bottom" }

explore_places.faces = faces

-- The window of a map around a place, moved to where it lies inside the map: as `render` takes it, with the recipes'
-- zoom. It has fewer cells than `size` along its side where the map ends.
function explore_places.window_around(map, message, size, zoom)
    zoom = math.max(1, zoom)
    if map.planet and message.face == 0 then
        return { zoom = 1, width = size, height = size // 2 }
    end
    return { x = message.x, y = message.y, zoom = zoom, inside = true,
        size = math.max(16, math.floor(math.min(size, 2.0 ^ map.levels / zoom))),
        projection = message.face > 0 and "cube" or nil, face = faces[message.face] }
end

-- The page's coordinates count both sides in longer ones, and its zoom is that of a window of 256 cells.
local page_cells, own_cells = 256, 512

function explore_places.at(value, message)
    local kind = esker.type(value)
    if kind ~= "RiverMap" and kind ~= "Field" then
        error({ status = 404, message = "that has no altitudes" }, 0)
    end
    local width, height = 1, 1
    local asked
    if kind == "RiverMap" then
        asked = { x = message.x, y = message.y, face = faces[message.face],
            zoom = math.max(1, math.min(message.zoom * page_cells, 2.0 ^ value.levels) / own_cells) }
    else
        local longer = math.max(value.width, value.height)
        width, height = value.width / longer, value.height / longer
        asked = { x = math.min(1, places.number(message.x) / width),
            y = math.min(1, places.number(message.y) / height) }
    end
    local made = value:identify(asked)
    return { altitude = made.altitude, slope = made.slope, drained = made.drained, river = made.river > 0,
        lake = made.water > 0 and made.lake_level or nil,
        basin = made.outlet_drained > 0 and { x = made.outlet_x * width, y = made.outlet_y * height,
            drained = made.outlet_drained, distance = made.distance } or nil }
end

-- --- places and roads ------------------------------------------------------------------------------------------------

local spacing = 64 -- cells between places of the finest level, as their names need room

-- Six faces seen from far away have few cells each: there places stand closer.
local function spacing_of(map, size)
    return map.planet and size <= page_cells and spacing // 2 or spacing
end

-- x and y of points in turn, in sixteenths of a cell: whole numbers are short.
local function sixteenths(points)
    local list = json.list()
    for _, point in ipairs(points) do
        for i = 1, 2 do
            list[#list + 1] = math.floor(point[i] * 16 + 0.5)
        end
    end
    return list
end

-- The places and the parts of roads and sea lanes in a window, as JSON.
function explore_places.settled(map, window)
    -- Lanes take as long as roads, and need a sea. Half as many cells show it in less time.
    local size = window.size
    window.size = math.max(1, size // 2)
    window.lanes = map:render(window):statistics().min < 0
    window.size, window.spacing = size, spacing_of(map, size)
    local lines, list, roads = map:roads(window), json.list(), json.list()
    window.lanes = nil
    local towns = map:places(window)
    for _, point in ipairs(towns:list()) do
        local about = point.attributes
        list[#list + 1] = { x = point.x / window.size, y = point.y / window.size, radius = point.radius,
            name = about.name, population = about.population, level = about.level, kind = about.kind }
    end
    for _, line in ipairs(lines:list()) do
        for _, part in ipairs(line.parts) do
            roads[#roads + 1] = { class = line.attributes.class, points = sixteenths(part) }
        end
    end
    return json.encode{ size = window.size, places = list, roads = roads }
end

return explore_places
