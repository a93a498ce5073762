-- The grid of tiles that a game engine loads as neighbours: columns to the east, rows to the south. Tiles have `tile`
-- points along a side, of which neighbours may share one row (`overlap`). A point is the middle of a cell. Tiles are
-- drawn in blocks of about 2048 points a side, in rows of blocks.

local planes = require "esker.planes"
local usage_error = require "esker.usage_error"

local grids = {}

local block_points <const> = 2048
local most_tiles <const> = 4096 -- without --yes: as many files of each layer
local most_side <const> = 8192 -- tiles along a side, and points along a tile: more is no plan

-- Points from a tile to the next one.
local function step_of(plan)
    return plan.tile - plan.overlap
end

-- Tiles along a side of a block.
local function together(plan)
    return math.max(block_points // step_of(plan), 1)
end

-- Calls `visit({ name =, z = 0, x =, y =, side = })` for all blocks; place and side in tiles.
function grids.each(plan, visit)
    local side = together(plan)
    for y = 0, plan.down - 1, side do
        for x = 0, plan.across - 1, side do
            visit{ name = ("0-%d-%d"):format(x, y), z = 0, x = x, y = y, side = side }
        end
    end
end

function grids.tiles(plan, block)
    local list = {}
    for y = block.y, math.min(block.y + block.side, plan.down) - 1 do
        for x = block.x, math.min(block.x + block.side, plan.across) - 1 do
            list[#list + 1] = { column = x, row = y }
        end
    end
    return list
end

function grids.count(plan)
    return plan.across * plan.down
end

-- The cells that some tiles cover, left, top, width and height, from the corner of the map or field.
function grids.window(plan, x, y, across, down)
    local step = step_of(plan)
    return plan.first_x + x * step, plan.first_y + y * step, across * step + plan.overlap, down * step + plan.overlap
end

-- The name of a tile of a layer, without its ending.
function grids.name(plan, layer, tile)
    local engine = planes.engine(plan.engine)
    return layer .. engine.place:format(tile.column, engine.south_first and plan.down - 1 - tile.row or tile.row)
end

-- --- what is wanted --------------------------------------------------------------------------------------------------

local function list_of(sizes)
    return table.concat(sizes, ", ")
end

local function includes(sizes, size)
    for _, each in ipairs(sizes) do
        if each == size then
            return true
        end
    end
    return false
end

-- Checks an engine's tiles, and gives their size and overlap.
function grids.wishes(name, size, overlap)
    local engine = planes.engine(name)
    if not engine.place then
        usage_error("--engine: %s takes one file of any size, which export writes", name)
    end
    overlap = overlap or (engine.shares and 1 or 0)
    local sizes = overlap == 1 and engine.shares and engine.sizes or overlap == 0 and engine.tiles or {}
    if #sizes == 0 then
        usage_error("--overlap: tiles of %s share %s with their neighbours: %d, got %d", name,
            engine.shares and "a row of points" or "no points", engine.shares and 1 or 0, overlap)
    end
    size = size or includes(sizes, 1009) and 1009 or includes(sizes, 1025) and 1025 or 1024
    if not includes(sizes, size) then
        usage_error("--tile-size: tiles of %s with an overlap of %d have %s points, got %d", name, overlap,
            list_of(sizes), size)
    end
    return size, overlap
end

-- The first cell and the number of tiles along one axis, of `cells` cells, between two shares of it. A map has no cells
-- beyond its edge, so its tiles lie inside; of fields the last tile may reach beyond.
local function span(plan, cells, low, high, is_map)
    local step = step_of(plan)
    local first, last = math.floor(low * cells), math.ceil(high * cells)
    local count = math.max(-((plan.overlap - (last - first)) // step), 1)
    if is_map then
        count = math.min(count, (cells - plan.overlap) // step)
        first = math.max(math.min(first, cells - plan.overlap - count * step), 0)
    end
    return first, count
end

-- Sets the grid of a plan: `width` and `height` in cells.
function grids.set(plan, width, height, area, is_map)
    area = area or { left = 0, top = 0, right = 1, bottom = 1 }
    plan.first_x, plan.across = span(plan, width, area.left, area.right, is_map)
    plan.first_y, plan.down = span(plan, height, area.top, area.bottom, is_map)
    if plan.across < 1 or plan.down < 1 then
        usage_error("the map has %d × %d cells, fewer than a tile has points, %d: choose a smaller --cell or "
            .. "--tile-size", width, height, plan.tile)
    end
    local most = planes.engine(plan.engine).most
    if most > 0 and math.max(plan.across, plan.down) > most then
        usage_error("these are %d × %d tiles, and %s has at most %d along a side: choose a larger --tile-size or "
            .. "--cell, or a part with --area", plan.across, plan.down, plan.engine, most)
    end
end

function grids.check_count(plan, yes)
    if grids.count(plan) > most_tiles and not yes then
        usage_error("these are %d × %d tiles; confirm them with --yes, or choose --area and a larger --cell",
            plan.across, plan.down)
    end
end

-- Whether the numbers of a plan, which may be forged, are those of a grid.
function grids.is_sound(plan)
    local well, engine = pcall(planes.engine, plan.engine)
    return well and engine.place and plan.tile >= 2 and plan.tile <= most_side and plan.overlap <= 1
        and plan.across >= 1 and plan.across <= most_side and plan.down >= 1 and plan.down <= most_side
        and plan.first_x <= 1 << 40 and plan.first_y <= 1 << 40 and plan.cell > 0
end

return grids
