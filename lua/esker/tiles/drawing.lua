-- Draws blocks of tiles. A tile depends on its place and its level alone, and equals that part of any larger window:
-- what looks at neighbours gets a border around the block, colours range over the same heights in all tiles, and
-- slopes are those of the whole map.

local ahead = require "esker.ahead"
local engine_tiles = require "esker.tiles.engine_tiles"
local large_kind = require "esker.large.kind"
local tile_areas = require "esker.tiles.areas"
local tile_codec = require "esker.tile_codec"
local tile_kinds = require "esker.tiles.kinds"
local tile_plans = require "esker.tiles.plans"

local tile_drawing = {}

local border = 40 -- cells; relief looks 39 far, lines reach 16 beyond a tile
local gap_border = 2 * border -- where heights go on in a gap, from as far away again

-- A window of a map around a block. A planet has no edges.
local function map_view(map, plan, block, source)
    local side, planet = 1 << block.z, source.kind == "Planet"
    local window = { x = (block.x + block.side / 2) / side, y = (block.y + block.side / 2) / side,
        zoom = side / block.side, size = block.side * plan.tile, border = border,
        projection = planet and "mercator" or nil }
    local view = { left = border, top = border, side = plan.tile * side, projection = window.projection }
    if planet then
        local around = border / view.side
        view.extent = { block.y / side - around, (block.y + block.side) / side + around }
    else
        view.left, view.top = math.min(border, block.x * plan.tile), math.min(border, block.y * plan.tile)
    end
    view.heights, view.water = map:render(window)
    function view.natural()
        return map.watered and map:cover(window).image or nil
    end
    function view.rivers()
        return map:rivers(window)
    end
    return view
end

local coarser_border = 128 -- of the coarser land: half the margin of a level and the border

-- Computes the coarser land around blocks of one level at once, for then it has one margin.
function tile_drawing.prepare(plan, values, blocks)
    if plan.engine then
        return
    end
    local z, left, top, right, bottom, area = blocks[1].z, math.huge, math.huge, 0, 0, 0
    for _, block in ipairs(blocks) do
        left, right = math.min(left, block.x), math.max(right, block.x + block.side)
        top, bottom = math.min(top, block.y), math.max(bottom, block.y + block.side)
        area = area + (block.z == z and block.side ^ 2 or -math.huge)
    end
    local columns, rows, side = right - left, bottom - top, 1 << z
    if #blocks == 1 or 2 * area < columns * rows then
        return
    end
    for _, source in ipairs(plan.sources) do
        if source.kind == "RiverMap" then
            ahead.land(values[source.name], (left + right) / 2 / side, (top + bottom) / 2 / side,
                side / math.max(columns, rows), columns * plan.tile // 2, rows * plan.tile // 2, coarser_border)
        end
    end
end

-- The field or image at the size that it has at a level, from the next finer one.
local function at_level(levels, picture, steps)
    levels[0] = levels[0] or picture
    for i = 1, steps do
        local finer = levels[i - 1]
        levels[i] = levels[i] or large_kind.is(finer) and finer:halved(tile_codec.halve) or tile_codec.halve(finer)
    end
    return levels[steps]
end

-- A field that lies somewhere, as a web map shows it around a block. The world comes again beyond 180°: of a field
-- that goes on there, a block shows several parts.
local function placed_view(field, plan, block, source, levels)
    local pixel = 1 / (plan.tile << block.z)
    local level = at_level(levels, field, math.max(tile_areas.own_level(plan, source) - block.z, 0))
    local left, top = (block.x * plan.tile - gap_border) * pixel, (block.y * plan.tile - gap_border) * pixel
    local cells = block.side * plan.tile + 2 * gap_border
    local heights
    for turn = math.ceil(source.left - left - cells * pixel), math.floor(source.right - left) do
        local square = { left + turn, top, pixel, cells }
        local x, y, width, height = tile_codec.cells(level.frame, level.width, level.height, square)
        if x then
            local part = level
            if large_kind.is(level) then
                part = level:keep():crop{ x = x, y = y, width = width, height = height }
            else
                x, y = 0, 0
            end
            heights = tile_codec.place(level.frame, level.width, level.height, square, part, x, y, heights)
        end
    end
    if not heights or heights.gaps == heights.width * heights.height then
        return nil
    end
    return { left = gap_border, top = gap_border, heights = heights,
        side = math.max(source.width, source.height) * source.cell / pixel }
end

-- The part of a field around a block, or a whole image.
local function picture_view(picture, plan, block, source, levels)
    local level = at_level(levels, picture, tile_areas.own_level(plan, source) - block.z)
    local x, y, cells = block.x * plan.tile, block.y * plan.tile, block.side * plan.tile
    if x >= level.width or y >= level.height then
        return nil
    elseif source.kind == "Image" then
        return { image = level, left = x, top = y }
    end
    local has_gaps
    if large_kind.is(level) then
        has_gaps = level:keep().has_gaps
    else
        has_gaps = level.gaps > 0
    end
    local around = has_gaps and gap_border or border
    local left, top = math.min(around, x), math.min(around, y)
    return { left = left, top = top, side = math.max(level.width, level.height),
        heights = level:crop{ x = x - left, y = y - top, wrap = false,
            width = math.min(level.width - x, cells + around) + left,
            height = math.min(level.height - y, cells + around) + top } }
end

-- The largest of 1, 2 and 5 times a power of ten that is not above `most`.
local function round_below(most)
    local power = 1.0
    while power > most do
        power = power / 10
    end
    while power * 10 <= most do
        power = power * 10
    end
    return (5 * power <= most and 5 or 2 * power <= most and 2 or 1) * power
end

local draw = {}

function draw.relief(view, set, plan)
    local natural = plan.palette == "natural"
    local drape = natural and view.natural and view.natural() or nil
    local palette = not natural and plan.palette or drape and "ground" or "hypsometric"
    return view.heights:relief{ rivers = view.water, palette = palette, drape = drape, low = set.source.low,
        high = set.source.high, sea_level = 0, side = view.side, projection = view.projection, extent = view.extent }
end

-- Elevations are rounded to a 64th of a cell's side, taking the heights to range over a 16th of the map's side.
local function elevation(view, set)
    local cell = (set.source.high - set.source.low) * set.source.metres * 16 / view.side
    local step = 2.0 ^ 6
    while step > cell / 64 and step > 1 / 256 do
        step = step / 2
    end
    return view.heights:terrain_rgb{ encoding = tile_kinds[set.kind].encoding, metres = set.source.metres,
        step = step }
end

draw.terrarium, draw.mapbox = elevation, elevation

function draw.image(view)
    return view.image
end

local layers = {}

function layers.rivers(view)
    return view.rivers()
end

-- Lines at a round number of metres: eight or more from the lowest to the highest ground, twice as many a level.
function layers.contours(view, set, plan, block)
    local halvings = tile_areas.halvings(plan, set.source, block.z)
    local range = (set.source.high - set.source.low) * set.source.metres
    return view.heights:contours{ interval = round_below(range / 8 / 2.0 ^ halvings) / set.source.metres }
end

-- A function that gives the bytes of a tile of a set; nothing if there is nothing in it.
local function drawn(view, set, plan, block)
    local function place(tile)
        return view.left + (tile.column - block.x) * plan.tile, view.top + (tile.row - block.y) * plan.tile
    end
    if set.kind ~= "vector" then
        local image = draw[set.kind](view, set, plan)
        return function(tile)
            local x, y = place(tile)
            return x < image.width and y < image.height and tile_codec.png(image, x, y, plan.tile) or ""
        end
    end
    local networks = {}
    for i, name in ipairs(set.layers) do
        networks[i] = { name, layers[name](view, set, plan, block) }
    end
    return function(tile)
        local x, y = place(tile)
        local bytes = tile_codec.lines(networks, x, y, plan.tile, set.source.metres)
        return bytes ~= "" and plan.format ~= "folder" and tile_codec.gzip(bytes) or bytes
    end
end

-- What a block shows of a value; nil if nothing.
local function view_of(value, plan, block, source, levels)
    if plan.engine then
        return engine_tiles.view(value, plan, block, source)
    elseif tile_plans.is_map(source) then
        return map_view(value, plan, block, source)
    end
    return (source.kind == "Placed" and placed_view or picture_view)(value, plan, block, source, levels)
end

local function nothing()
    return ""
end

-- A function that draws blocks of the plan from its sources' values, by name: it gives the bytes of a block's part, for
-- each set the length and the checksum of its tiles and these, each with its length. Tiles of engines are drafted as
-- files of the name `draft` in the folder `place`.
function tile_drawing.drawer(plan, values, draft, place)
    warn("@off") -- a tile without contours is no news
    local sets, levels = tile_plans.sets(plan), {}
    return function(block)
        local parts, views = {}, {}
        local tiles = tile_plans.layout(plan).tiles(plan, block)
        for i, set in ipairs(sets) do
            local source, value = set.source, values[set.source.name]
            levels[source.name] = levels[source.name] or {}
            local view = views[source.name] or view_of(value, plan, block, source, levels[source.name])
            views[source.name] = view
            local encode, bytes = nothing, {}
            if plan.engine then
                encode = engine_tiles.encoder(view, set, plan, block, value, draft, place)
            elseif view then
                encode = drawn(view, set, plan, block)
            end
            for k, tile in ipairs(tiles) do
                bytes[k] = ("<s4"):pack(encode(tile))
            end
            local all, most = table.concat(bytes), tile_plans.most_bytes(plan, #tiles)
            if #all > most then
                error(("'%s': the %d tiles of block %s take %d MiB, of at most %d"):format(source.name, #tiles,
                    block.name, #all >> 20, most // 2 ^ 20), 0)
            end
            parts[i] = ("<I8I4"):pack(#all, tile_codec.checksum(all)) .. all
        end
        return table.concat(parts)
    end
end

return tile_drawing
