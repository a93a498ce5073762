-- Where the cells of fields larger than memory come from: each source gives width, height, a function of windows, and
-- what is known of its frame and its edges.

local esker = require "esker"
local mosaic = require "esker.large.mosaic"
local planes = require "esker.planes"

local tile <const> = 2048 -- cells along the windows that a function is asked for

local large_sources = {}

function large_sources.check_side(name, value, most)
    if math.type(value) ~= "integer" or value < 1 or value > most then
        error(("large: %s must be a whole number, 1 to %d, got %s"):format(name, most, tostring(value)), 0)
    end
    return value
end

large_sources.of = {}

-- A field in memory.
function large_sources.of.field(options)
    local field = options.field
    local function window(first, rows)
        return field:crop{ x = 0, y = first, width = field.width, height = rows, wrap = false }
    end
    return { width = field.width, height = field.height, frame = field.frame, wraps = field.wraps, window = window }
end

-- A file.
function large_sources.of.file(options)
    local reader, width, height, frame = planes.reader(options.file, options.width or options.size,
        options.height or options.size)
    local function window(first, rows)
        return reader:read(first, rows)
    end
    return { width = width, height = height, frame = frame, window = window }
end

-- Files and fields that lie beside each other.
function large_sources.of.mosaic(options)
    return mosaic.source(options.mosaic)
end

-- A function of x, y, width and height.
function large_sources.of.window(options)
    local most = 65536
    local large = { width = large_sources.check_side("width", options.width or options.size, most),
        height = large_sources.check_side("height", options.height or options.size, most) }
    function large.window(first, rows)
        local strip = planes.blank(large.width, rows)
        for y = 0, rows - 1, tile do
            for x = 0, large.width - 1, tile do
                local width, height = math.min(tile, large.width - x), math.min(tile, rows - y)
                local part = options.window(x, first + y, width, height)
                if esker.type(part) ~= "Field" or part.width ~= width or part.height ~= height then
                    error(("large: window must give a field of %d × %d, got %s"):format(width, height,
                        tostring(part)), 0)
                end
                planes.put(strip, part, x, y)
            end
        end
        return planes.finish(strip)
    end
    return large
end

return large_sources
