-- Pictures larger than memory: functions of windows, as fields are (esker.large.field).

local blaming = require "esker.blaming"
local esker = require "esker"
local large_kind = require "esker.large.kind"
local names_of = require "esker.names"
local planes = require "esker.planes"
local stages = require "esker.large.stages"

local Picture = {}
local metatable <const> = large_kind.picture_metatable

-- Writes it to a file: PNG or GeoTIFF.
function Picture:save(path)
    if not stages.saves() then
        return
    end
    local writer <close> = planes.picture_writer(path, self.width, self.height)
    for first = 0, self.height - 1, self.rows do
        local rows = math.min(self.rows, self.height - first)
        local image, top = self.window(first, rows)
        writer:write(image, first - top, rows)
        esker.progress(first + rows, self.height)
    end
    writer:close(self.frame or nil)
end

-- The same picture of fewer cells, in memory.
function Picture:overview(options)
    return self.small(options)
end

for name, method in pairs(Picture) do
    Picture[name] = blaming(method)
end

function metatable.__index(_, name)
    local known = names_of(Picture)
    local nearest = type(name) == "string" and esker.nearest(name, known)
    return Picture[name] or error(("a large image has no '%s'%s"):format(tostring(name),
        nearest and (", did you mean '%s'?"):format(nearest) or ""), 2)
end

function metatable.__tostring(picture)
    return ("LargeImage %d × %d"):format(picture.width, picture.height)
end

-- `window(first, rows)` gives an image with these rows and the row of the whole that is its first; `small(options)` the
-- picture of overviews.
return function(like, frame, window, small)
    return setmetatable({ width = like.width, height = like.height, rows = like.rows, frame = frame or false,
        window = window, small = small }, metatable)
end
