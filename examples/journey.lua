-- A flight of 60 steps from a continent down to a gully, each nearer to a confluence: a contact sheet, row by row.
-- factor=2 flies on, to where a pixel is smaller than an atom, were the map as large as the earth.
local p = params{
    seed      = 2,
    steps     = { 60, min = 1, max = 80 },
    factor    = { 1.2, min = 1.01, max = 2, doc = "how much nearer each step comes" },
    size      = { 96, min = 32, max = 1024, doc = "side of a picture, pixels" },
    row       = { 10, min = 1, max = 60, doc = "pictures in a row" },
    hillslope = { 200, min = 10, max = 1e4, doc = "metres, below which ground is soil" },
}

local map = esker.river_map{ seed = p.seed, hillslope = p.hillslope }

-- The smallest confluence in the middle of a window, or where there is none the smallest spring, well above the sea:
-- two strings of digits.
local function confluence(where)
    local network, middle, least = map:rivers(where), where.size / 2, math.huge
    local best = { x = middle, y = middle }
    for _, reach in ipairs(network:reaches()) do
        local point = reach[1]
        local off = math.max(math.abs(point.x - middle), math.abs(point.y - middle))
        local large = point.area + (reach.order ~= 2 and 1 or 0) + (point.altitude < 100 and 2 or 0)
        if off < where.size / 6 and large < least then
            best, least = point, large
        end
    end
    return network:place(best.x, best.y)
end

local function picture(where)
    where.relative = true
    local altitude, river = map:render(where)
    return altitude:relief{ rivers = river, exaggeration = math.max(1, 60 / where.zoom) }
end

-- A window stays inside the map; further in every place is far from the border.
local function inside(place, zoom)
    local half = 0.5 / zoom
    return zoom < 2 ^ 20 and math.min(math.max(tonumber(place), half), 1 - half) or place
end

local x, y = "0.5", "0.5"
local sheet, row
for step = 1, p.steps do
    local zoom = p.factor ^ (step - 1)
    local where = { x = inside(x, zoom), y = inside(y, zoom), zoom = zoom, size = p.size }
    if step % 10 == 1 then
        x, y = confluence(where)
        where.x, where.y = inside(x, zoom), inside(y, zoom)
    end
    local shown = picture(where)
    row = row and row:join(shown, { gap = 2 }) or shown
    if step % p.row == 0 or step == p.steps then
        sheet = sheet and sheet:join(row, { direction = "below", gap = 2 }) or row
        row = nil
    end
end
return { sheet = sheet, x = x, y = y }
