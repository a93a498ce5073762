-- What `esker info` tells of the heights or colours in a file, which a confined process reads: the file may be a
-- stranger's.

local confined = require "esker.recipe.confined"
local esker = require "esker"
local exr_parts = require "esker.file.exr_parts"
local file_formats = require "esker.file.formats"
local tile_facts = require "esker.tiles.facts"
local value_types = require "esker.value_types"

local file_facts = {}

local function number(value)
    return ("%.9g"):format(value)
end

-- Of metres a millimetre or less.
local function place(x, y)
    return ("%.12g, %.12g"):format(x, y)
end

local read = file_formats.endings(file_formats.is_read)

local tiles_of = { mbtiles = "tiles", pmtiles = "tiles" }

-- Parts, where there are several, and channels of an .exr.
local function add_parts(facts, path)
    local parts = exr_parts.read(path)
    for i, part in ipairs(parts) do
        local channels = table.concat(part.channels, ", ")
        facts[#facts + 1] = #parts == 1 and { "channels", channels } or { ("part %d"):format(i),
            ("%s: %s, %d × %d"):format(part.name or "", channels, part.width, part.height) }
    end
end

-- The least and the greatest of all places, as cells from the corner of the shapes' window.
local function extent_of(value)
    local least, most = { math.huge, math.huge }, { -math.huge, -math.huge }
    local function include(at)
        for i = 1, 2 do
            least[i], most[i] = math.min(least[i], at[i]), math.max(most[i], at[i])
        end
    end
    for _, shape in ipairs(value:list()) do
        for _, part in ipairs(shape.parts or { { { shape.x, shape.y } } }) do
            for _, at in ipairs(part) do
                include(at)
            end
        end
    end
    return least, most
end

-- Of points, lines and polygons: how many there are, and in which rectangle of the map.
local function facts_of_shapes(value)
    local frame = value.frame
    local facts = { { "kind", value_types[esker.type(value)].plural }, { "count", tostring(value.count) } }
    if frame and value.count > 0 then
        local least, most = extent_of(value)
        facts[3] = { "from", place(frame.x + least[1] * frame.cell_width, frame.y - most[2] * frame.cell_height) }
        facts[4] = { "to", place(frame.x + most[1] * frame.cell_width, frame.y - least[2] * frame.cell_height) }
    end
    facts[#facts + 1] = frame and frame.system and { "system", frame.system }
    return facts
end

-- Of a world from another program: how large it is, and what it has.
local function facts_of_world(path)
    local world = esker.load_world(path)
    local guide = world.guide
    local range = guide:statistics()
    local facts = { { "kind", "world, for load_world" }, { "program", world.about.program },
        { "version", world.about.version }, { "name", world.about.name },
        { "side", number(guide.frame.cell_width * (guide.width - 1)) .. " m" },
        { "heights", number(range.min) .. " to " .. number(range.max) .. " m" } }
    for _, kind in ipairs{ "rivers", "lakes", "places", "routes" } do
        facts[#facts + 1] = { kind, tostring(world[kind] and world[kind].count or 0) }
    end
    return facts
end

-- In the confined process: a list of { name, text }.
local function facts_of(path)
    if path:lower():find("%.json$") then
        return facts_of_world(path)
    end
    local value = esker.load(path)
    local type = esker.type(value)
    if type ~= "Field" and type ~= "Image" then
        return facts_of_shapes(value)
    end
    local is_field = type == "Field"
    local frame = value.frame
    local facts = { { "kind", is_field and "heights" or "colours" },
        { "size", ("%d × %d"):format(value.width, value.height) } }
    local function add(name, text)
        facts[#facts + 1] = text and { name, text }
    end
    if is_field then
        local numbers = value:statistics()
        add("lowest", number(numbers.min))
        add("highest", number(numbers.max))
        add("gaps", value.gaps > 0 and ("%d cells"):format(value.gaps) or nil)
    end
    if frame then
        add("corner", place(frame.x, frame.y))
        add("cell", number(frame.cell_width) .. " × " .. number(frame.cell_height)
            .. (frame.turn_x and ", turned" or ""))
        add("system", frame.system)
        add("unit", frame.unit or is_field and value:height_unit()
            and value:height_unit() .. " (assumed: the file does not say it)" or nil)
        local has_none = is_field and frame.system and not frame.sea and frame.unit ~= "planet" and frame.unit ~= "map"
        add("sea", frame.sea and number(frame.sea) or has_none and "none (the file has no height of it)" or nil)
        add("top", frame.top and number(frame.top))
    end
    return facts
end

-- A list of { name, text }; and why heights or colours cannot be read.
function file_facts.read(path)
    local ending = (path:match("%.(%w+)$") or ""):lower()
    local tiles, problem = tile_facts.read(path)
    if tiles then
        return tiles
    elseif problem and ending == "json" then
        return { path:match("[^/]*$") == "tiles.json" and { "kind", "tiles" } or nil }, problem
    end
    local kind = not read[ending] and (tiles_of[ending] or file_formats.kinds(ending)) or nil
    if kind or not (read[ending] or confined.libraries(path).rasters) then
        return { kind and { "kind", kind } }, problem
    end
    local folder = path:match("^(.*/)[^/]*$") or "." -- where what lies beside it is
    local needs, limits = confined.libraries(path), { time_limit = 60, read = { folder } }
    limits.rasters, limits.exr = needs.rasters or ending == "asc", needs.exr -- .prj beside it
    local well, facts = pcall(confined.call, limits, function() return facts_of(path) end)
    if not well then
        return {}, (tostring(facts):gsub("^lua/esker/[%w_/]+%.lua:%d+: ", ""))
    elseif ending == "exr" then
        add_parts(facts, path)
    end
    return facts
end

return file_facts
