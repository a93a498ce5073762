-- The tiles of a pyramid: level z divides the map's square into 2^z × 2^z tiles, (0, 0) the upper left one. The square
-- is the world of web maps, or the tile of their level `world` south-east of longitude and latitude 0. Tiles are drawn
-- in blocks of 2048 cells a side and stored along a Hilbert curve, which a block is a stretch of. The area of a pyramid
-- whose left edge is to the right of its right edge goes on beyond 180°: it has the columns to the left and the right.

local pyramids = {}

local block_cells = 2048

-- The place along the Hilbert curve through 2^z × 2^z squares of column x, row y (PMTiles specification 3, 4.1).
local function along_curve(z, x, y)
    local side, place = 1 << z, 0
    local half = side >> 1
    while half > 0 do
        local right, down = x & half ~= 0 and 1 or 0, y & half ~= 0 and 1 or 0
        place = place + half * half * ((3 * right) ~ down)
        if down == 0 then
            if right == 1 then
                x, y = side - 1 - x, side - 1 - y
            end
            x, y = y, x
        end
        half = half >> 1
    end
    return place
end

-- The number of a tile: all of the levels above come before it.
function pyramids.number(z, x, y)
    return ((1 << 2 * z) - 1) // 3 + along_curve(z, x, y)
end

-- The columns and rows of level z that meet the area. The first column is to the right of the last one where the area
-- goes on beyond 180° and leaves out some.
local function range(pyramid, z)
    local side = 1 << z
    local function span(low, high, least)
        local first = math.min(math.floor(low * side), side - 1)
        return first, math.max(least or first, math.ceil(high * side) - 1)
    end
    local wraps = pyramid.left > pyramid.right
    local left, right = span(pyramid.left, pyramid.right, wraps and 0)
    local top, bottom = span(pyramid.top, pyramid.bottom)
    if wraps and left <= right + 1 then
        left, right = 0, side - 1
    end
    return left, top, right, bottom
end

-- The columns from x to `last` that lie between the columns of a range: the first and the last of them.
local function columns(left, right, x, last)
    if left <= right then
        return math.max(left, x), math.min(right, last)
    elseif x <= right and last >= left then -- there are more between them
        return x, last
    elseif x <= right then
        return x, math.min(right, last)
    end
    return math.max(left, x), last
end

-- The tiles of a block in the order of their numbers: { z =, x =, y =, number = } in the world, and the place on the
-- map, column and row.
function pyramids.tiles(pyramid, block)
    local left, top, right, bottom = range(pyramid, block.z)
    local z, before = block.z + pyramid.world, (1 << pyramid.world) // 2 << block.z
    local list = {}
    for y = math.max(block.y, top), math.min(block.y + block.side - 1, bottom) do
        local first, last = columns(left, right, block.x, block.x + block.side - 1)
        for x = first, last do
            if left <= right or x <= right or x >= left then
                list[#list + 1] = { z = z, x = before + x, y = before + y, column = x, row = y,
                    number = pyramids.number(z, before + x, before + y) }
            end
        end
    end
    table.sort(list, function(a, b) return a.number < b.number end)
    return list
end

-- Calls `visit` for the squares of 2^z × 2^z that meet the area, along the world's curve.
local function walk(pyramid, level, x, y, z, scale, visit)
    local left, top, right, bottom = range(pyramid, scale + z)
    local size = 1 << (z - level + scale) -- in tiles
    local first, last = columns(left, right, x * size, (x + 1) * size - 1)
    if first > last or y * size > bottom or (y + 1) * size <= top then
        return
    elseif level == z then
        visit(x, y)
        return
    end
    local inner, below = {}, level + 1
    local before = (1 << pyramid.world) // 2 << below
    for i = 0, 3 do
        local column, row = 2 * x + i % 2, 2 * y + i // 2
        inner[i + 1] = { column, row, along_curve(below + pyramid.world, before + column, before + row) }
    end
    table.sort(inner, function(a, b) return a[3] < b[3] end)
    for _, each in ipairs(inner) do
        walk(pyramid, below, each[1], each[2], z, scale, visit)
    end
end

-- The smallest square of a quadtree in the block that has all its tiles in the area: less is drawn.
local function shrink(pyramid, z, x, y, side)
    local left, top, right, bottom = range(pyramid, z)
    left, right = columns(left, right, x, x + side - 1)
    top, bottom = math.max(top, y), math.min(bottom, y + side - 1)
    while side > 1 and left // (side // 2) == right // (side // 2) and top // (side // 2) == bottom // (side // 2) do
        side = side // 2
        x, y = left // side * side, top // side * side
    end
    return x, y, side
end

-- Calls visit({ name =, z =, x =, y =, side = }) for all blocks in the order of their tiles; place and side in tiles.
function pyramids.each(pyramid, visit)
    local most = 0 -- a block has 2^most tiles a side
    while pyramid.tile << (most + 1) <= block_cells do
        most = most + 1
    end
    for z = pyramid.low, pyramid.high do
        local scale = math.min(z, most)
        local side = 1 << scale
        walk(pyramid, 0, 0, 0, z - scale, scale, function(x, y)
            local left, top, size = shrink(pyramid, z, x * side, y * side, side)
            visit{ name = ("%d-%d-%d"):format(z, left, top), z = z, x = left, y = top, side = size }
        end)
    end
end

-- How many tiles there are, as a float if they are very many.
function pyramids.count(pyramid)
    local count = 0
    for z = pyramid.low, pyramid.high do
        local left, top, right, bottom = range(pyramid, z)
        count = count + ((right - left + 1.0) + (left > right and 1 << z or 0)) * (bottom - top + 1)
    end
    return count
end

-- The degrees at the edges of the area, and the middle, in Web Mercator. Bounds do not wrap (TileJSON 3.0.0).
function pyramids.bounds(pyramid)
    local worlds, before = 1 << pyramid.world, (1 << pyramid.world) // 2
    local function longitude(x)
        return 360 * (x + before) / worlds - 180
    end
    local function latitude(y)
        y = (y + before) / worlds
        return math.deg(math.atan((math.exp(math.pi * (1 - 2 * y)) - math.exp(-math.pi * (1 - 2 * y))) / 2))
    end
    local west, east = longitude(pyramid.left), longitude(pyramid.right)
    local north, south = latitude(pyramid.top), latitude(pyramid.bottom)
    local middle, center = (west + east) / 2, latitude((pyramid.top + pyramid.bottom) / 2)
    if west > east then
        west, east, middle = -180.0, 180.0, middle < 0 and middle + 180 or middle - 180
    end
    return west, south, east, north, middle, center
end

return pyramids
