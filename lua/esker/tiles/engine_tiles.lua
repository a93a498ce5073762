-- What `esker tiles --engine` draws: each tile is the file that `export` writes of that part of a map, field or image,
-- or of what lies on one. A set of tiles is a layer: heights, water, rivers, lakes or trees of a map, heights or a mask
-- of a field, an image, points, lines or polygons.

local esker = require "esker"
local engine_kinds = require "esker.tiles.engine_kinds"
local grids = require "esker.tiles.grids"
local json = require "esker.file.json"
local large_kind = require "esker.large.kind"
local output_folders = require "esker.recipe.output_folders"
local planes = require "esker.planes"
local reading = require "esker.file.reading"
local tile_codec = require "esker.tile_codec"
local usage_error = require "esker.usage_error"

local engine_tiles = {}

engine_tiles.default = "tiles" -- the folder, where the user names none

engine_tiles.kinds = engine_kinds
engine_tiles.usual = { "heights", "image", "mask", "points", "lines", "polygons" }

-- --- the grid and the range of heights -------------------------------------------------------------------------------

-- The cells along the side of a map.
local function map_cells(name, map, cell)
    local side = map.side
    if not side then
        usage_error("'%s' is raw land, which has no metres: give river_map land = \"eroded\"", name)
    end
    local cells = side / cell
    local whole = math.max(math.floor(cells + 0.5), 1)
    if math.abs(cells - whole) > 1e-6 then
        usage_error("--cell: the %.10g m of '%s' are no whole number of cells of %.10g m; %.12g m are", side, name,
            cell, side / whole)
    end
    return whole
end

-- Sets the length of a cell in metres, as `export` has it: as wished, of a map, or as a field's frame says.
local function set_cell(plan, values, wishes)
    plan.given_cell, plan.cell = wishes.cell or 0.0, wishes.cell or 1.0
    for _, source in ipairs(plan.sources) do
        local value = values[source.name]
        if source.kind == "RiverMap" then
            plan.cell = value.side / plan.cells
            return
        elseif source.kind == "Field" and value.frame and not wishes.cell then
            local _, _, metres = planes.export_size({ engine = plan.engine }, value.width, value.width, value.frame)
            plan.cell = metres > 0 and metres or plan.cell
            return
        end
    end
end

-- Sets the grid of a plan: all its sources have the same one.
function engine_tiles.set(plan, values, wishes)
    local first
    for _, source in ipairs(plan.sources) do
        local value, is_map = values[source.name], source.kind == "RiverMap"
        local width = is_map and map_cells(source.name, value, wishes.cell or 1) or value.width
        local height = is_map and width or value.height
        if not first then
            first = { name = source.name, is_map = is_map, width = width, height = height }
            plan.cells, plan.rows = width, height
        elseif first.is_map ~= is_map then
            usage_error("'%s' and '%s' are a map and a field: draw their tiles with two commands", first.name,
                source.name)
        elseif first.width ~= width or first.height ~= height then
            usage_error("'%s' has %d × %d cells and '%s' %d × %d: layers of one terrain have the same size", first.name,
                first.width, first.height, source.name, width, height)
        end
    end
    set_cell(plan, values, wishes)
    grids.set(plan, first.width, first.height, wishes.area, first.is_map)
    grids.check_count(plan, wishes.yes)
end

-- Warns of what no tile has: points, lines and polygons that come from elsewhere may reach beyond all of them.
function engine_tiles.tell_cut(plan, sets, values)
    local left, top, width, height = grids.window(plan, 0, 0, plan.across, plan.down)
    local shared = plan.overlap -- then tiles end at their outermost points
    local box = { left + 0.5, top + 0.5, left + width + 0.5 - shared, top + height + 0.5 - shared }
    for _, set in ipairs(sets) do
        local value = values[set.source.name]
        local kind = esker.type(value)
        if kind == "Points" or kind == "Lines" or kind == "Polygons" then
            local all, cut, left_out = planes.export_cut(value, { left, top, left + width, top + height }, box)
            if cut + left_out > 0 then
                warn(("'%s': %d of %d %s reach beyond the tiles: cut at their edge %d, left out %d"):format(
                    set.source.name, cut + left_out, all, kind:lower(), cut, left_out))
            end
        end
    end
end

local overview_cells <const> = 2048
local steepest <const> = 2 -- metres a metre: what a cell of the overview may miss

-- The window of a map that has these cells; beds of lakes in place of their surface.
local function render(map, plan, left, top, width, height, cells)
    local longer = math.max(width, height)
    local window = { x = (left + width / 2) / plan.cells, y = (top + height / 2) / plan.cells,
        zoom = plan.cells / longer, width = width, height = height }
    if cells then
        window.width, window.height = -(-width * cells // longer), -(-height * cells // longer)
        window.zoom = plan.cells / longer * math.max(window.width, window.height) / cells
    end
    local altitude, river, _, depth = map:render(window)
    return altitude, river, depth or 0, window -- a map without lakes draws no depth
end

-- The range of heights for all tiles of a source. Tiles of a map are finer than the overview that it is found by.
function engine_tiles.range(source, value, plan, wishes)
    if wishes.range_low then
        return wishes.range_low / source.metres, wishes.range_high / source.metres
    elseif source.kind ~= "RiverMap" then
        local found = value:statistics()
        return found.min, found.max > found.min and found.max or found.min + 1
    end
    local left, top, width, height = grids.window(plan, 0, 0, plan.across, plan.down)
    local cells = math.min(overview_cells, math.max(width, height))
    local altitude, _, depth = render(value, plan, left, top, width, height, cells)
    local found = (altitude - depth):statistics()
    local margin = steepest * plan.cell * math.max(width, height) / cells
    return math.floor(found.min - margin), math.ceil(found.max + margin)
end

-- --- drawing ---------------------------------------------------------------------------------------------------------

-- The part of a field or image; beyond its edge it goes on as it ends there.
local function part_of(value, left, top, width, height)
    if esker.type(value) == "Image" then
        return tile_codec.extend(value, left, top, width, height)
    end
    local inner_width, inner_height = math.min(width, value.width - left), math.min(height, value.height - top)
    local part = value:crop{ x = left, y = top, width = inner_width, height = inner_height,
        wrap = not large_kind.is(value) and false or nil }
    return inner_width == width and inner_height == height and part or tile_codec.extend(part, 0, 0, width, height)
end

-- What the tiles of a block show of a value. A block of a map is rendered at once.
function engine_tiles.view(value, plan, block, source)
    if source.kind ~= "RiverMap" then
        return {}
    end
    local across, down = math.min(block.side, plan.across - block.x), math.min(block.side, plan.down - block.y)
    local altitude, river, depth = render(value, plan, grids.window(plan, block.x, block.y, across, down))
    return { heights = altitude - depth, water = river:max(depth):clamp{} }
end

local function check_heights(set, plan, field)
    local source, found = set.source, field:statistics()
    if found.min < source.low or found.max > source.high then
        error(("'%s': heights reach from %.6g to %.6g m, and the tiles' numbers from %.6g to %.6g m: draw all tiles "
            .. "anew with --range, as in --range %d..%d"):format(source.name, found.min * source.metres,
            found.max * source.metres, source.low * source.metres, source.high * source.metres,
            math.floor(math.min(found.min, source.low) * source.metres - plan.cell),
            math.ceil(math.max(found.max, source.high) * source.metres + plan.cell)), 0)
    end
end

local shapes = {}

function shapes.rivers(map, window)
    return map:rivers(window)
end

function shapes.lakes(map, window)
    return map:lake_outlines(window)
end

local between_trees <const>, steepest_for_trees <const>, clumps <const> = 12, 35, 120 -- metres; degrees; metres
local around <const> = 2 -- cells, on which slopes depend

-- Trees where the map's cover has them, on dry ground that is not steep: functions of the place, so that tiles fit.
function shapes.trees(map, window, plan, left, top)
    local size = window.size
    local wide = { x = window.x, y = window.y, zoom = window.zoom, size = size, border = around }
    local inner = { x = math.min(left, around), y = math.min(top, around), width = size, height = size, wrap = false }
    local altitude, river, _, depth = map:render(wide)
    local wet = river:max(depth or 0):clamp{}
    local share, side = map:cover(wide).trees, altitude.width
    local noise = esker.noise{ size = side, at = { (left - inner.x) / side, (top - inner.y) / side }, wrap = false,
        frequency = side * plan.cell / clumps, octaves = 4 }
    -- Forests with glades where the share is large, groves where it is small.
    local grown = (10 * (noise - 0.5) + 1.6 * share - 0.4):clamp{} * (4 * share):clamp{}
    local density = grown * (1 - wet) * altitude:select{ slope = { 0, steepest_for_trees, 5 } }
    return altitude:crop(inner):scatter{ density = density:crop(inner), at = { left / size, top / size },
        distances = { math.max(between_trees, 1.5 * plan.cell) / (size * plan.cell) } }
end

-- The value of a tile, and how it is exported.
local function tile_of(view, set, plan, block, tile, value)
    local left, top, width, height = grids.window(plan, tile.column, tile.row, 1, 1)
    local options = { engine = plan.engine, overlap = plan.overlap, mask = set.kind == "mask" or set.kind == "water"
        or nil, control = set.kind == "control" or nil }
    if set.source.kind == "Image" or plan.given_cell > 0 and set.source.kind ~= "RiverMap" then
        options.cell = plan.cell
    end
    if shapes[set.kind] then
        local longer = math.max(width, height)
        return shapes[set.kind](value, { x = (left + width / 2) / plan.cells, y = (top + height / 2) / plan.cells,
            zoom = plan.cells / longer, size = longer }, plan, left, top), options, ".geojson"
    elseif engine_kinds[set.kind].shapes then
        options.part = { left, top, width }
        return value, options, ".geojson"
    end
    local block_left, block_top = grids.window(plan, block.x, block.y, 1, 1)
    local part = view[set.kind] and view[set.kind]:crop{ x = left - block_left, y = top - block_top, width = width,
        height = height, wrap = false } or part_of(value, left, top, width, height)
    if set.kind == "heights" then
        check_heights(set, plan, part)
        options.low, options.high, options.metres = set.source.low, set.source.high, set.source.metres
    end
    return part, options, engine_tiles.ending(plan, set.kind)
end

function engine_tiles.ending(plan, kind)
    return kind == "heights" and planes.engine(plan.engine).ending or kind == "control" and ".exr"
        or engine_kinds[kind].shapes and ".geojson" or ".png"
end

local most_file <const> = 1 << 30

local function read_back(folder, name)
    local file <close> = assert(folder:open(name))
    return assert(reading.whole(file, most_file))
end

-- A text with one in place of another, which it may have.
local function replaced(text, from, to)
    local first, last = text:find(from, 1, true)
    return first and text:sub(1, first - 1) .. to .. text:sub(last + 1) or text
end

-- A function that gives the bytes of a tile: its file, the table beside it, which most layers lack, and the note.
-- `draft`: the file that `export` writes, without its ending, and `place`, the folder that this is in.
function engine_tiles.encoder(view, set, plan, block, value, draft, place)
    local folder = assert(output_folders.typed(place))
    return function(tile)
        local part, options, ending = tile_of(view, set, plan, block, tile, value)
        part:export(draft, options)
        local note = read_back(folder, draft .. ".txt")
        local name = grids.name(plan, set.name, tile) .. ending
        local rows = engine_kinds[set.kind].table and read_back(folder, draft .. ".csv") or ""
        return ("<s4s4"):pack(read_back(folder, draft .. ending), rows) .. replaced(note, draft .. ending, name)
    end
end

-- --- the folder ------------------------------------------------------------------------------------------------------

local world_name <const> = "world.json"
local most_json <const> = 1 << 20

-- What a run writes, of a plan or of what world.json says, which may be forged: { place =, across =, down =,
-- endings = }. The place of a tile is in its name; the endings are those of the layers' kinds, by layer.
local function record_of(name, across, down, layers)
    local well, engine = pcall(planes.engine, name)
    local record = { place = well and engine.place or nil, across = across, down = down, endings = {} }
    for _, layer in ipairs(record.place and layers or {}) do
        local kind = type(layer) == "table" and engine_kinds[layer.kind or ""]
        if kind and tostring(layer.name):find("^[%w_.-]+$") then
            record.endings[layer.name] = { [engine_tiles.ending({ engine = name }, layer.kind)] = true,
                [".csv"] = kind.table }
        end
    end
    return record
end

-- Whether a file's name is one that the run writes.
local function writes(record, name)
    if record.endings[name:match("^(.+)%.txt$") or ""] then
        return true
    end
    local layer, column, row, ending = name:match("^([%w_.-]+)_x?(%d+)_y?(%d+)(%.%l[%l%d]+)$")
    column, row = math.tointeger(tonumber(column)), math.tointeger(tonumber(row))
    return layer ~= nil and record.endings[layer] ~= nil and record.endings[layer][ending] == true
        and column and column < record.across and row and row < record.down
        and name == layer .. record.place:format(column, row) .. ending
end

-- What the folder's world.json says that Esker wrote there; nil where it is another program's, or damaged.
local function recorded(folder)
    local text = reading.beginning(folder, world_name, most_json)
    if not text then
        return record_of("", 0, 0, {})
    end
    local well, read, wrong = pcall(json.decode, text)
    if not well or wrong or type(read) ~= "table" or not tostring(read.generator):find("^Esker") then
        return nil
    end
    local function whole(value)
        return type(value) == "number" and value or 0
    end
    local layers = type(read.layers) == "table" and read.layers or {}
    return record_of(read.engine, whole(read.across), whole(read.down), layers)
end

-- The folder of this name, which may be a link unless it is the default one: that was not typed.
local function folder_at(output, make)
    return output_folders.open(output ~= engine_tiles.default and output, engine_tiles.default, make)
end

-- The files in a folder that a record names.
local function found_in(folder, record)
    local list = {}
    for _, name in ipairs(folder:names()) do
        list[#list + 1] = writes(record, name) and name or nil
    end
    return list
end

-- Whether a folder has tiles of an earlier run, which are replaced; an error if a file that is not Esker's would be.
function engine_tiles.replaced(output, plan, sets)
    local folder = folder_at(output)
    if not folder then
        return false
    end
    local own, new = recorded(folder), record_of(plan.engine, plan.across, plan.down, sets)
    if not own then
        usage_error("%s/%s is not Esker's, and would be replaced; remove it, or choose another output", output,
            world_name)
    end
    for _, name in ipairs(found_in(folder, new)) do
        if not writes(own, name) then
            usage_error("%s has tiles that Esker did not write, as %s; remove them, or choose another output", output,
                name)
        end
    end
    local any = #found_in(folder, own) > 0
    if any and output_folders.is_link(output) then
        usage_error("%s is a link to a folder of tiles, which would be replaced; name that folder itself", output)
    end
    return any
end

-- How many columns and rows of the last tiles lie beyond the land, in words; nil if none.
function engine_tiles.beyond(plan)
    local list = {}
    for _, each in ipairs{ { "columns", plan.first_x, plan.across, plan.cells },
        { "rows", plan.first_y, plan.down, plan.rows } } do
        local count = each[2] + each[3] * (plan.tile - plan.overlap) + plan.overlap - each[4]
        list[#list + 1] = count > 0 and ("%d %s"):format(count, each[1]) or nil
    end
    return #list > 0 and table.concat(list, " and ") or nil
end

-- What lies in the folder, or will.
local function layers_of(plan, sets)
    local layers = json.list()
    for i, set in ipairs(sets) do
        local is_heights = set.kind == "heights"
        layers[i] = { name = set.name, kind = set.kind, ending = engine_tiles.ending(plan, set.kind),
            lowest = is_heights and set.source.low * set.source.metres or nil,
            highest = is_heights and set.source.high * set.source.metres or nil }
    end
    return layers
end

-- The folder for new tiles, without those of an earlier run. world.json says which files are Esker's.
function engine_tiles.create(output, plan, sets)
    local folder, problem = folder_at(output, true)
    if not folder then
        error(problem, 0)
    end
    for _, name in ipairs(found_in(folder, recorded(folder))) do
        folder:remove(name)
    end
    folder:write(world_name, json.encode{ generator = "Esker", unfinished = true, engine = plan.engine,
        across = plan.across, down = plan.down, layers = layers_of(plan, sets) } .. "\n")
    return folder
end

local archive = {}
archive.__index = archive

-- Writes the tiles of one set into the folder.
function engine_tiles.archive(plan, set, folder)
    return setmetatable({ plan = plan, set = set, folder = folder, note = false }, archive)
end

function archive:put(tile, bytes)
    local file, rows, at = ("<s4s4"):unpack(bytes)
    local name = grids.name(self.plan, self.set.name, tile)
    self.folder:write(name .. engine_tiles.ending(self.plan, self.set.kind), file)
    if engine_kinds[self.set.kind].table then
        self.folder:write(name .. ".csv", rows)
    end
    self.note = self.note or bytes:sub(at)
end

-- The note of the first tile, since all have the same settings, below what they are together.
function archive:close()
    local plan = self.plan
    local step = plan.tile - plan.overlap
    self.folder:write(self.set.name .. ".txt", ("%d x %d tiles of %d x %d points, together %d x %d\n\n%s"):format(
        plan.across, plan.down, plan.tile, plan.tile, plan.across * step + plan.overlap,
        plan.down * step + plan.overlap, self.note or ""))
end

-- Says what lies in the folder; a folder whose world.json is whole is complete.
function engine_tiles.finish(plan, sets, folder)
    folder:write(world_name, json.encode{ generator = "Esker " .. plan.version, description = plan.command,
        recipe = plan.recipe, recipe_hash = plan.hash, parameters = plan.parameters, engine = plan.engine,
        points = plan.tile, overlap = plan.overlap, across = plan.across, down = plan.down, cell = plan.cell,
        first_cell = json.list{ plan.first_x, plan.first_y }, layers = layers_of(plan, sets) } .. "\n")
end

return engine_tiles
