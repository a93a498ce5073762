-- Rasters that lie beside each other or overlap, as one: files, and fields in memory. Where several have data the last
-- of the list shows; where none has, there is none.

local esker = require "esker"
local blaming = require "esker.blaming"
local planes = require "esker.planes"
local virtual_raster = require "esker.large.virtual_raster"

local most_open <const> = 32 -- files at a time
local near <const> = 0.01    -- of a cell: corners of cells this far apart are one
local most_cells <const> = 65536

local mosaic = {}

local function refuse(text, ...)
    error("mosaic: " .. text:format(...), 0)
end

-- A function that gives the reader of a file; those used last stay open.
local function opening()
    local open = {} -- { path, reader, width, height, frame }, the last used last
    return function(path)
        for i, each in ipairs(open) do
            if each[1] == path then
                table.insert(open, table.remove(open, i))
                return table.unpack(each, 2)
            end
        end
        if #open == most_open then
            local _ <close> = table.remove(open, 1)[2]
        end
        open[#open + 1] = table.pack(path, planes.reader(path, nil, nil, "mosaic"))
        return table.unpack(open[#open], 2)
    end
end

local function part_of(given, i, open)
    if type(given) == "string" then
        local _, width, height, frame = open(given)
        return { name = "'" .. given .. "'", width = width, height = height, frame = frame, read = function(first, rows)
            return (open(given)):read(first, rows)
        end }
    elseif esker.type(given) ~= "Field" then
        refuse("%d must be a file's name or a field, got %s", i, tostring(given))
    end
    return { name = "field " .. i, width = given.width, height = given.height, frame = given.frame,
        read = function(first, rows)
            return given:crop{ x = 0, y = first, width = given.width, height = rows, wrap = false }
        end }
end

-- A place of the map in cells of a frame.
local function in_cells(frame, x, y)
    local across, down, turn_x, turn_y = frame.cell_width, -frame.cell_height, frame.turn_x or 0, frame.turn_y or 0
    local dx, dy, whole = x - frame.x, y - frame.y, across * down - turn_x * turn_y
    return (dx * down - dy * turn_x) / whole, (dy * across - dx * turn_y) / whole
end

-- Where a part's first cell lies among those of another frame.
local function offset_of(part, base)
    local frame, column, row = part.frame, nil, nil
    for _, corner in ipairs{ { 0, 0 }, { part.width, 0 }, { 0, part.height } } do
        local x = frame.x + corner[1] * frame.cell_width + corner[2] * (frame.turn_x or 0)
        local y = frame.y + corner[1] * (frame.turn_y or 0) - corner[2] * frame.cell_height
        local at_x, at_y = in_cells(base.frame, x, y)
        column, row = column or math.floor(at_x + 0.5), row or math.floor(at_y + 0.5)
        if math.abs(at_x - column - corner[1]) > near or math.abs(at_y - row - corner[2]) > near then
            refuse("%s has other cells than %s: bring it onto them with align, or gdalwarp -tap -tr %.10g %.10g",
                part.name, base.name, math.abs(base.frame.cell_width), math.abs(base.frame.cell_height))
        end
    end
    return column, row
end

-- The unit of heights, also where it is that of the coordinates.
local function unit_of(frame)
    return esker.field{ size = 2, values = 0, frame = frame }:height_unit()
end

-- The frame whose first cell is so many cells further.
local function moved(frame, columns, rows)
    local copy = {}
    for name, value in pairs(frame) do
        copy[name] = value
    end
    copy.x = frame.x + columns * frame.cell_width + rows * (frame.turn_x or 0)
    copy.y = frame.y + columns * (frame.turn_y or 0) - rows * frame.cell_height
    return copy
end

-- What all parts agree on.
local function joined(parts)
    local frame = {}
    for _, part in ipairs(parts) do
        if not part.frame then
            refuse("%s has no frame: georeference says where a field lies", part.name)
        end
        local first = parts[1].frame
        if (first.system == nil) ~= (part.frame.system == nil)
            or not planes.systems_agree(first.system, part.frame.system) then
            refuse("%s lies in %s, the others in %s: project it (gdalwarp -t_srs), or say its system with georeference",
                part.name, part.frame.system or "no known system", first.system or "none")
        end
        for name, of in pairs{ unit = unit_of, sea = function(each) return each.sea end } do
            local own, others = of(part.frame), of(first)
            if own ~= others then
                refuse("%s has the %s %s, the others %s: bring them into one first", part.name, name, own or "not set",
                    others or "not set")
            end
        end
        for name, value in pairs(part.frame) do
            frame[name] = frame[name] == nil and value or frame[name]
        end
    end
    return frame
end

-- Where each part lies in the whole; its size, and the place of its first cell among those of the first part.
local function lay_out(parts)
    local left, top, right, bottom = 0, 0, 0, 0
    for _, part in ipairs(parts) do
        part.column, part.row = offset_of(part, parts[1])
        left, top = math.min(left, part.column), math.min(top, part.row)
        right, bottom = math.max(right, part.column + part.width), math.max(bottom, part.row + part.height)
    end
    for _, part in ipairs(parts) do
        part.column, part.row = part.column - left, part.row - top
    end
    if right - left > most_cells or bottom - top > most_cells then
        refuse("the whole would have %d × %d cells, and a side has %d at most: leave out what lies far away",
            right - left, bottom - top, most_cells)
    end
    return right - left, bottom - top, left, top
end

-- What cells without data hold besides what the file itself says.
local function without(part, number)
    local read = part.read
    part.read = function(first, rows)
        local field = read(first, rows)
        return field:set_gaps(field:select{ height = { number, number } })
    end
    return part
end

-- The extent of a virtual raster, which may be larger than its files: a part without cells.
local function extent_of(given, whole, first)
    local width, height, x, y = table.unpack(whole)
    return { name = "'" .. given .. "'", width = width, height = height,
        frame = first.frame and moved(first.frame, -math.floor(x + 0.5), -math.floor(y + 0.5)) }
end

-- The parts of a list, in which virtual rasters stand for their files.
local function parts_of(list, open)
    local parts = {}
    for i, given in ipairs(list) do
        local is_virtual = type(given) == "string" and given:lower():find("%.vrt$")
        local files, whole = { { given } }, nil
        if is_virtual then
            files, whole = virtual_raster.files(given)
        end
        local first = #parts + 1
        for _, each in ipairs(files) do
            local part = part_of(each[1], i, open)
            parts[#parts + 1] = each[2] and without(part, each[2]) or part
        end
        if whole then
            parts[#parts + 1] = extent_of(given, whole, parts[first])
        end
    end
    return parts
end

-- A source of cells (esker.large.sources) of a list of files' names and fields.
function mosaic.source(list)
    if type(list) ~= "table" or getmetatable(list) or #list == 0 then
        refuse("takes a list of files' names and fields, as in { \"west.tif\", \"east.tif\" }")
    end
    for name in pairs(list) do
        if math.type(name) ~= "integer" or name < 1 or name > #list then
            refuse("takes a list of files' names and fields, got '%s'", tostring(name))
        end
    end
    local parts = parts_of(list, opening())
    local agreed = joined(parts)
    local width, height, left, top = lay_out(parts)
    agreed.x, agreed.y = parts[1].frame.x, parts[1].frame.y
    local frame = moved(agreed, left, top)
    local function window(first, rows)
        local strip = planes.blank(width, rows, true, "mosaic")
        for _, part in ipairs(parts) do
            local from, to = math.max(first, part.row), math.min(first + rows, part.row + part.height)
            if from < to and part.read then
                planes.lay(strip, part.read(from - part.row, to - from), part.column, from - first)
            end
        end
        return planes.finish(strip)
    end
    return { width = width, height = height, frame = frame, window = window }
end

-- esker.mosaic{…}: the whole in memory.
mosaic.of = blaming(function(list)
    local made = mosaic.source(list)
    local whole = made.window(0, made.height)
    whole.frame = made.frame
    return whole
end)

return mosaic
