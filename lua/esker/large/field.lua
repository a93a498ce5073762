-- Fields larger than memory. A large field is a function of windows: rows of it are computed when something needs them,
-- or read from a plane, a grid in a temporary file. Operations that see a few cells far take a window with as many rows
-- more on each side; what water does on the whole is found strip by strip (src/large). Results are those in memory.

local esker = require "esker"
local blaming = require "esker.blaming"
local large_kind = require "esker.large.kind"
local last_use = require "esker.large.last_use"
local names_of = require "esker.names"
local new_picture = require "esker.large.picture"
local planes = require "esker.planes"
local sources = require "esker.large.sources"
local stages = require "esker.large.stages"
local water = require "esker.large.water"

-- What is known of strips' edges grows with their number, so that wide fields have strips of twice as many cells.
local strip_cells <const> = 1 << 24
local least_rows <const> = 512

local Large = {} -- the methods besides operations
local metatable <const> = large_kind.metatable

-- `window(first, rows)` gives these rows as a field.
local function new(like, window, frame, wraps)
    return setmetatable({ width = like.width, height = like.height, rows = like.rows, frame = frame or false,
        wraps = wraps or false, window = window, plane = false, is_stored = false, is_read = false,
        has_gaps = false, rows_store = false, own_rows = false, covered_rows = false, changes = false,
        last_fill = false, range = false }, metatable)
end

local function each_strip(large, visit)
    for first = 0, large.height - 1, large.rows do
        visit(first, math.min(large.rows, large.height - first))
    end
end

-- The frame of the cells from (x, y) on, each of which is `wide` old cells across and `high` down.
local function moved_frame(frame, x, y, wide, high)
    if not frame then
        return nil
    end
    local moved = {}
    for name, value in pairs(frame) do
        moved[name] = value
    end
    wide, high = wide or 1, high or 1
    for name, factor in pairs{ cell_width = wide, turn_y = wide, cell_height = high, turn_x = high } do
        moved[name] = frame[name] and frame[name] * factor
    end
    moved.x = frame.x + x * frame.cell_width + y * (frame.turn_x or 0)
    moved.y = frame.y + x * (frame.turn_y or 0) - y * frame.cell_height
    return moved
end

local function as_window(large, field, first)
    return planes.window_of(field, large.width, large.height, first, large.frame or nil)
end

-- These rows, as a window of the whole.
local function rows_of(large, first, rows)
    return as_window(large, large.window(first, rows), first)
end

-- rows_of for a field whose opposite edges meet: rows beyond an edge are those at the other end. What an operation
-- reads over the window's own upper and lower edge is wrong, but never reaches the rows that count.
local function rows_around(large, first, rows)
    if first >= 0 and first + rows <= large.height then
        return rows_of(large, first, rows)
    end
    local field, at = planes.blank(large.width, rows), 0
    while at < rows do
        local from = (first + at) % large.height
        local count = math.min(rows - at, large.height - from)
        planes.put(field, rows_of(large, from, count), 0, at)
        at = at + count
    end
    return as_window(large, planes.finish(field), first)
end

-- --- in a temporary file ---------------------------------------------------------------------------------------------

-- A field whose rows are stored; water leaves over its edges.
local function stored(like, rows, has_gaps, frame)
    local large = new(like, rows.read, frame)
    large.plane, large.is_stored, large.has_gaps, large.rows_store = rows.plane or false, true, has_gaps, rows
    return large
end

-- Computes all rows, so that they need not be computed again; gives the same field.
function Large:keep()
    if not self.is_stored then
        local work, has_gaps = stages.begin("keep"), false
        local rows = work:rows("rows", self)
        local notes = work:each("keep", stages.strips(self), function(strip)
            local first, count = stages.extent(self, strip)
            local field = rows_of(self, first, count)
            rows.put(strip, field)
            return field.gaps > 0 and "gaps" or ""
        end)
        for strip = 1, stages.strips(self) do
            has_gaps = has_gaps or notes(strip) == "gaps"
        end
        self.plane, self.is_stored, self.has_gaps, self.window = rows.plane or false, true, has_gaps, rows.read
        self.own_rows = rows.plane and rows or false
    end
    return self
end

-- --- operations ------------------------------------------------------------------------------------------------------

-- The arguments of an operation with each large field replaced, in the table of named ones too. `see` is called
-- with fields in memory.
local function replaced(arguments, replace, see)
    local changed = { n = arguments.n }
    local function each_of(value)
        if see and esker.type(value) == "Field" then
            see(value)
        end
        return large_kind.is(value) and replace(value) or value
    end
    for i = 1, arguments.n do
        local value = each_of(arguments[i])
        if type(value) == "table" and not getmetatable(value) then
            local inner = {}
            for name, each in pairs(value) do
                inner[name] = each_of(each)
            end
            value = inner
        end
        changed[i] = value
    end
    return changed
end

local declared

local function declaration(name)
    if not declared then
        declared = {}
        for _, each in ipairs(esker.operations()) do
            declared[each.name] = each
        end
    end
    return declared[name]
end

-- The first large field of the arguments, and what planes.locality says of an operation, which warns of its cells.
local function locality(name, arguments)
    local first, small
    local samples = replaced(arguments, function(large)
        first = first or large
        if large.width ~= first.width or large.height ~= first.height then
            error(("%s: large fields must have one size, %d × %d, got %d × %d"):format(name, first.width, first.height,
                large.width, large.height), 0)
        end
        local sample = esker.field{ size = 2, values = 0, wrap = large.wraps }
        return as_window(large, sample, 0)
    end, function(field) small = field end)
    local found = table.pack(pcall(planes.locality, name, table.unpack(samples, 1, samples.n)))
    if found[1] then
        return first, table.unpack(found, 2, found.n)
    elseif small and tostring(found[2]):find("must have the size", 1, true) then
        error(("%s: a large field goes with large ones, got %s: esker.large{ field = … } makes one of it"):format(name,
            tostring(small)), 0)
    end
    error(found[2], 0)
end

-- The argument without which an operation sees a part of a field, or nil.
local function seeing_all(name, arguments)
    local given = arguments[arguments.n]
    if type(given) ~= "table" or getmetatable(given) then
        return nil
    end
    for key in pairs(given) do
        local fewer, shorter = {}, table.move(arguments, 1, arguments.n, 1, { n = arguments.n })
        for each, value in pairs(given) do
            fewer[each] = each ~= key and value or nil
        end
        shorter[arguments.n] = fewer
        local works, _, reach = pcall(locality, name, shorter)
        if works and reach then
            return tostring(key)
        end
    end
    return nil
end

-- The field whose size the others must have, how far the operation sees, whether over edges that meet, whether those of
-- its results do, and where all lie, with the unit of their heights.
local function survey(name, arguments)
    local first, reach, over_edges, results_wrap, frame = locality(name, arguments)
    if not first then
        error(("%s: one of its values must be a large field, got %s; height:%s calls it of a field in memory"):format(
            name, tostring(arguments[1]), name), 0)
    elseif reach then
        return first, reach, over_edges, results_wrap, frame
    end
    local culprit = seeing_all(name, arguments)
    error(("%s: %sit sees all of a field, and large fields have only operations that see a part: %stake crop{…} or "
        .. "overview{…}, which give fields in memory"):format(name, culprit and "with " .. culprit .. " " or "",
        culprit and "leave it out, or " or ""), 0)
end

-- The fields of the arguments, rows `top` to `bottom`; whether one has gaps. `ranged`: they know the lowest and the
-- highest height of the whole.
local function windows_of(arguments, top, bottom, ranged)
    local has_gaps = false
    local windows = replaced(arguments, function(large)
        local window = rows_around(large, top, bottom - top)
        window.wraps = large.wraps
        if ranged then
            planes.set_range(window, ranged(large))
        end
        has_gaps = has_gaps or window.gaps > 0
        return window
    end)
    return windows, has_gaps
end

-- A function of `from` and `rows`, which gives what an operation gives of these rows and some more, as a list, and the
-- first of the rows. Cells near gaps see in them the nearest height
-- with data, which may be as far from a gap as that is from the cell: windows with gaps have more rows on each side.
local function computing(name, arguments, like, reach, over_edges, ranged)
    local function around(from, rows, margin)
        local top, bottom = from - margin, from + rows + margin
        if not over_edges then
            top, bottom = math.max(top, 0), math.min(bottom, like.height)
        end
        return top, windows_of(arguments, top, bottom, ranged)
    end
    return function(from, rows)
        local top, windows, has_gaps = around(from, rows, reach)
        if has_gaps and reach > 0 then
            top, windows = around(from, rows, 2 * reach)
        end
        return table.pack(esker[name](table.unpack(windows, 1, windows.n))), top
    end
end

-- The lowest and the highest height of a large field, which is computed for that.
local function range_of(large)
    if not large.range then
        local found = large:statistics()
        large.range = { found.min, found.max }
    end
    return table.unpack(large.range)
end

-- The picture that an operation gives.
local function paint(name, arguments, first, reach, over_edges, frame)
    local make = computing(name, arguments, first, reach, over_edges, range_of)
    local function small(options)
        local overviews = replaced(arguments, function(large) return large:overview(options) end)
        return (esker[name](table.unpack(overviews, 1, overviews.n)))
    end
    return new_picture(first, frame, function(from, rows)
        local results, top = make(from, rows)
        return results[1], top
    end, small)
end

-- The large fields that an operation gives.
local operate = blaming(function(name, ...)
    local arguments = table.pack(...)
    local first, reach, over_edges, results_wrap, place = survey(name, arguments)
    local make = computing(name, arguments, first, reach, over_edges)
    local known = {} -- the last window, of which each result takes one
    local function compute(from, rows)
        if known.from ~= from or known.rows ~= rows then
            local top
            known, top = make(from, rows)
            for i = 1, known.n do
                known[i] = esker.type(known[i]) == "Field" and known[i]:crop{ x = 0, y = from - top,
                    width = first.width, height = rows, wrap = false } or known[i]
            end
            known.from, known.rows = from, rows
        end
        return known
    end
    local results = {}
    for i, output in ipairs(declaration(name).outputs) do
        local frame = moved_frame(place, 0, 0)
        if frame and not output.heights then
            frame.unit, frame.sea, frame.top, frame.heights = nil, nil, nil, false
        end
        if i == 1 and output.kind == "image" then
            return paint(name, arguments, first, reach, over_edges, frame)
        elseif output.kind == "field" then
            results[#results + 1] = new(first, function(from, rows) return compute(from, rows)[i] end, frame,
                results_wrap)
        end
    end
    return table.unpack(results)
end)

function metatable.__index(_, name)
    if Large[name] then
        return Large[name]
    elseif type(name) == "string" and declaration(name) then
        local function call(...)
            return operate(name, ...)
        end
        return call
    end
    local known = names_of(Large)
    local nearest = type(name) == "string" and esker.nearest(name, known)
    error(("a large field has no '%s'%s"):format(tostring(name),
        nearest and (", did you mean '%s'?"):format(nearest) or ""), 2)
end

for event, name in pairs{ __add = "add", __sub = "subtract", __mul = "multiply", __div = "divide", __pow = "power" } do
    metatable[event] = function(a, b) return operate(name, a, b) end
end

function metatable.__unm(large)
    return operate("negate", large)
end

function metatable.__tostring(large)
    return ("LargeField %d × %d"):format(large.width, large.height)
end

-- --- the whole -------------------------------------------------------------------------------------------------------

local no_sea = -2.0 ^ 126 -- below all ground: models of real ground have none unless their frame has

-- Raises an error for arguments that the operation does not take of a large field.
local function check_options(name, options, known)
    for key in pairs(options or {}) do
        if not (" " .. known .. " "):find(" " .. tostring(key) .. " ", 1, true) then
            error(("%s: of a large field it takes %s, got '%s'"):format(name, known:gsub(" ", ", "), tostring(key)), 0)
        end
    end
    return options or {}
end

local function sea_level(options, frame)
    local given = options.sea_level or frame and frame.sea
    local is_model = frame and frame.system and frame.unit ~= "map" and frame.unit ~= "planet"
    return given or is_model and no_sea or 0
end

-- Checks arguments; `known`: their names.
local function check_water(name, options, known, ...)
    check_options(name, options, known)
    locality(name, table.pack(...)) -- which warns of cells, and checks the arguments
end

-- Calls a function of esker.large.water with the sea's level, and filled heights that are known.
local function call_water(self, options, find, ...)
    local sea = sea_level(options or {}, self.frame)
    local last = self.last_fill
    return find(self, sea, last and last.sea == sea and last.rows or nil, ...)
end

-- Likewise; gives a field. `keeps_unit`: the result has the heights' unit.
local function find_water(self, options, keeps_unit, find, ...)
    local rows = call_water(self, options, find, ...)
    local frame = moved_frame(self.frame, 0, 0)
    if frame then
        frame.unit, frame.sea, frame.top, frame.heights = keeps_unit and frame.unit or nil, nil, nil, false
    end
    return stored(self, rows, rows.facts.has_gaps, frame)
end

-- The filled field is remembered as long as the recipe has it: other operations fill, too.
function Large:fill(options)
    check_options("fill", options, "sea_level")
    local sea = sea_level(options or {}, self.frame)
    local rows = water.fill(self, sea)
    self.last_fill = setmetatable({ rows = rows, sea = sea }, { __mode = "v" })
    local filled = stored(self, rows, rows.facts.has_gaps, self.frame)
    if not rows.facts.has_gaps then -- filled again it stays as it is; with gaps the lowest height counts
        filled.last_fill = self.last_fill
    end
    return filled
end

function Large:breach(options)
    check_water("breach", options, "slope depth length sea_level", self, options)
    local limits = planes.breach_limits(self.width, self.height, self.frame or nil, options)
    local rows, is_left = call_water(self, options, water.breach, limits)
    local open = stored(self, rows, rows.facts.has_gaps, self.frame)
    return is_left and open:fill{ sea_level = limits[4] } or open
end

function Large:flow_accumulation(options)
    check_water("flow_accumulation", options, "sea_level method", self, options)
    return find_water(self, options, false, (options or {}).method == "dinf" and water.part or water.count)
end

function Large:flow_direction(options)
    check_water("flow_direction", options, "sea_level unit", self, options)
    return find_water(self, options, false, water.direction, (options or {}).unit == "angle")
end

function Large:basins(options)
    check_water("basins", options, "sea_level", self, options)
    return find_water(self, options, false, water.basins)
end

-- Cells that must drain through one for a river to begin (beginning_cells of src/water/flow.h).
-- True as well where they count with their areas.
local function beginning_cells(self, name, options)
    if not options.area then
        return options.cells or (options.threshold or 0.001) * (self.width * self.height), false
    elseif options.cells then
        error(name .. ": area and cells both say where rivers begin: give one", 0)
    end
    local metres = planes.ground(self.width, self.height, self.frame or nil)
    if metres == 0 then
        error(name .. ": area: of a large field this takes a frame in which areas are known: give cells", 0)
    end
    return options.area / (metres * metres), true
end

local beginning <const> = "sea_level threshold area cells" -- arguments of operations on rivers

function Large:height_above_river(options)
    check_water("height_above_river", options, beginning, self, options)
    local least, by_area = beginning_cells(self, "height_above_river", options or {})
    return find_water(self, options, true, water.above_river, least, by_area, false)
end

function Large:distance_to_river(options)
    check_water("distance_to_river", options, beginning, self, options)
    local least, by_area = beginning_cells(self, "distance_to_river", options or {})
    return find_water(self, options, false, water.above_river, least, by_area, true)
end

function Large:stream_order(options)
    check_water("stream_order", options, beginning .. " method rivers", self, options)
    local given = options or {}
    local rivers = given.rivers
    local least, by_area = beginning_cells(self, "stream_order", given)
    return find_water(self, options, false, water.orders, least, by_area,
        given.method or "strahler", rivers and function(first, rows) return rows_of(rivers, first, rows) end)
end

-- A network in memory.
function Large:rivers_from_flow(options)
    check_water("rivers_from_flow", options, beginning .. " river_width", self, options)
    local given = options or {}
    local least, by_area = beginning_cells(self, "rivers_from_flow", given)
    return call_water(self, options, water.rivers, least, by_area, given.river_width or 0.01)
end

-- catchment, or with points catchments.
local function drain_to(self, name, options, points)
    local given = options or {}
    local well, places = pcall(planes.outlets, self.width, self.height, self.frame or nil, points,
        { at = given.at, snap = given.snap, coordinates = given.coordinates })
    if not well then
        error(name .. ": " .. places:gsub("^%w+: ", ""), 0)
    end
    return find_water(self, options, false, water.catchments, places, table.remove(places, 1))
end

function Large:catchment(options)
    check_water("catchment", options, "at snap sea_level coordinates", self, options)
    return drain_to(self, "catchment", options)
end

function Large:catchments(points, options)
    check_water("catchments", options, "snap sea_level", self, points, options)
    return drain_to(self, "catchments", options, points)
end

-- A network of lines, in memory.
function Large:contours(options)
    local found = self:statistics()
    local sample = esker.field{ width = 2, height = 1, values = function(x)
        return x == 0 and found.min or found.max
    end }
    sample.frame = self.frame or nil
    esker.contours(sample, options) -- checks the arguments
    local levels = planes.contour_levels(sample, options)
    local work, count, lines = stages.begin("contours"), stages.strips(self), {}
    local squares = work:each("squares", count, function(strip)
        local first, rows = stages.extent(self, strip)
        local top, stop = math.max(first - 2, 0), math.min(first + rows + 1, self.height)
        local last = strip == count and 1 or 0 -- squares lie above rows, and below the last
        return planes.contour_squares(rows_of(self, top, stop - top), first - top, first - top + rows + last, top,
            levels)
    end)
    for strip = 1, count do
        lines[strip] = squares(strip, true)
    end
    return planes.contour_network(self.width, self.height, self.frame or nil, levels, lines)
end

function Large:statistics()
    local summary = planes.summary()
    each_strip(self, function(first, rows)
        summary:add(rows_of(self, first, rows))
        esker.progress(first + rows, self.height)
    end)
    return summary:result()
end

-- In half as many cells along each side, kept; `halve` does so with a field.
function Large:halved(halve)
    if type(halve) ~= "function" then
        local got = halve == nil and "nothing" or esker.type(halve)
        error("halved: halve must be a function of a field, got " .. got, 0)
    end
    local half = { width = (self.width + 1) // 2, height = (self.height + 1) // 2, rows = math.max(self.rows // 2, 1) }
    return new(half, function(first, rows)
        return halve(rows_of(self, 2 * first, math.min(2 * rows, self.height - 2 * first)))
    end, moved_frame(self.frame, 0, 0, 2, 2)):keep()
end

-- The hash of the cells as it is read for --hash: of one strip after the other.
function Large:hash()
    local hashes = {}
    each_strip(self, function(first, rows)
        hashes[#hashes + 1] = rows_of(self, first, rows):hash()
    end)
    return #hashes == 1 and hashes[1] or table.concat(hashes, " ")
end

-- Writes it to a file, in a format that is written some rows at a time.
function Large:save(path)
    if type(path) ~= "string" then
        error(("save: path must be a string, got %s"):format(esker.type(path)), 0)
    elseif not stages.saves() then
        return
    end
    last_use.write(path, self, self.window)
end

require "esker.large.parts"(Large, rows_of, rows_around, moved_frame)

-- Methods that take no table of named arguments, and those that take one after another value.
local bare = { halved = true, hash = true, keep = true, save = true, statistics = true }
local before = { catchments = "points", export = "path" }

-- The method, with the errors of fields in memory for what is not the large field, nor the table of its arguments.
local function checked(name, method)
    return function(self, ...)
        local options, other = ...
        if before[name] then
            options = other
        end
        if not large_kind.is(self) then
            local got = self == nil and "nothing" or esker.type(self)
            error(("%s: height must be a large field, got %s; height:%s calls it"):format(name, got, name), 0)
        elseif not bare[name] and options ~= nil and (type(options) ~= "table" or getmetatable(options)) then
            local form = before[name] and "(" .. before[name] .. ", { name = value })" or "{ name = value }"
            error(("%s: takes its arguments in one table, height:%s%s; got %s"):format(name, name, form,
                tostring(options)), 0)
        end
        return method(self, ...)
    end
end

for name, method in pairs(Large) do
    Large[name] = blaming(checked(name, method))
end

-- --- sources ---------------------------------------------------------------------------------------------------------

local takes = { "field", "file", "frame", "height", "mosaic", "rows", "size", "width", "window", "wrap" }

-- A frame as a field shows it, with all its numbers.
local function whole_frame(given)
    local sample = esker.field{ size = 2, values = 0 }
    local well, problem = pcall(function() sample.frame = given end)
    return well and sample.frame or error("large: " .. problem:gsub("^[^:]*:%d+: ", ""), 0)
end

-- esker.large{…}
return blaming(function(options)
    if type(options) ~= "table" then
        error("large: takes one table, as in { size = 65536, window = function(x, y, width, height) … end }", 0)
    end
    local given = {}
    for name in pairs(options) do
        given[#given + 1] = sources.of[name] and name or nil
        if not table.concat(takes, " "):find(("%f[%w]" .. tostring(name) .. "%f[%W]")) then
            local nearest = esker.nearest(tostring(name), takes)
            error(("large: unknown argument '%s'%s"):format(tostring(name),
                nearest and (", did you mean '%s'?"):format(nearest) or ""), 0)
        end
    end
    if #given ~= 1 then
        table.sort(given)
        error("large: give window, file, mosaic or field: where its heights come from"
            .. (#given > 1 and "; got " .. table.concat(given, " and ") or ""), 0)
    end
    local made = sources.of[given[1]](options)
    made.rows = math.min(made.height, options.rows and sources.check_side("rows", options.rows, made.height)
        or math.max(strip_cells // made.width, math.min(least_rows, 2 * strip_cells // made.width), 1))
    local wraps = options.wrap
    if wraps == nil then
        wraps = made.wraps
    elseif type(wraps) ~= "boolean" then
        error(("large: wrap must be true or false, got %s"):format(tostring(wraps)), 0)
    end
    local large = new(made, made.window, options.frame and whole_frame(options.frame) or made.frame, wraps)
    large.is_read = given[1] == "file" or given[1] == "field" -- its cells need not be computed
    return large
end)
