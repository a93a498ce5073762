-- What `esker info` tells of the heights or colours in a file, which a confined process reads: the file may be a
-- stranger's.

local confined = require "esker.confined"
local esker = require "esker"
local pmtiles = require "esker.pmtiles"

local file_facts = {}

local loaded = { png = true, tif = true, tiff = true, exr = true, npy = true, r16 = true, raw = true, r32 = true,
    asc = true, pgm = true }

local function number(value)
    return ("%.9g"):format(value)
end

local kinds = { geojson = "lines or points", gpkg = "lines or points", svg = "lines or points", csv = "lines or points",
    glb = "mesh", obj = "mesh", ply = "mesh", stl = "mesh", mbtiles = "tiles" }

local function facts_of_tiles(about)
    return { { "kind", "tiles" .. (about.format and ", " .. about.format or "") },
        { "levels", ("%d to %d"):format(about.low, about.high) }, { "tiles", ("%.0f"):format(about.tiles) },
        { "area", ("%.6g, %.6g to %.6g, %.6g"):format(about.west, about.south, about.east, about.north) } }
end

-- In the confined process: a list of { name, text }.
local function facts_of(path)
    local value = esker.load(path)
    local is_field = esker.type(value) == "Field"
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
        add("corner", number(frame.x) .. ", " .. number(frame.y))
        add("cell", number(frame.cell_width) .. " × " .. number(frame.cell_height)
            .. (frame.turn_x and ", turned" or ""))
        add("system", frame.system)
        add("unit", frame.unit)
    end
    return facts
end

-- A list of { name, text }; and why heights or colours cannot be read.
function file_facts.read(path)
    local ending = (path:match("%.(%w+)$") or ""):lower()
    local tiles = ending == "pmtiles" and pmtiles.about(path)
    if tiles then
        return facts_of_tiles(tiles)
    elseif kinds[ending] or not (loaded[ending] or confined.libraries(path).rasters) then
        return { kinds[ending] and { "kind", kinds[ending] } or nil }
    end
    local folder = path:match("^(.*/)[^/]*$") or "." -- where what lies beside it is
    local needs, limits = confined.libraries(path), { time_limit = 60, read = { folder } }
    limits.rasters, limits.exr = needs.rasters, needs.exr
    local well, facts = pcall(confined.call, limits, function() return facts_of(path) end)
    return well and facts or {}, not well and tostring(facts):gsub("^lua/esker/[%w_]+%.lua:%d+: ", "") or nil
end

return file_facts
