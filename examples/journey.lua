-- A journey of 60 steps into a river's mouth, each twice as near as the last: at the end a pixel is smaller than an
-- atom, were the map as large as the earth. A contact sheet, row by row.
local p = params{
    seed  = 3,
    steps = { 60, min = 1, max = 90 },
    size  = { 96, min = 32, max = 1024, doc = "side of a picture, pixels" },
    row   = { 10, min = 1, max = 60, doc = "pictures in a row" },
}

local map = esker.river_map{ seed = p.seed }

local function is_land(altitude, x, y)
    local size = altitude.width
    return altitude:get(math.max(0, math.min(size - 1, x // 1)), math.max(0, math.min(size - 1, y // 1))) >= 0
end

-- Calls `try` with every place where a river leaves the land for the sea, and with how much it drains.
local function for_mouths(network, altitude, try)
    for _, reach in ipairs(network:reaches()) do
        for i = 2, #reach do
            local above, below = reach[i - 1], reach[i]
            if is_land(altitude, above.x, above.y) and not is_land(altitude, below.x, below.y) then
                try((above.x + below.x) / 2, (above.y + below.y) / 2, below.area)
            end
        end
    end
end

local function for_shores(altitude, try)
    for y = 0, altitude.height - 1 do
        for x = 1, altitude.width - 1 do
            if is_land(altitude, x, y) ~= is_land(altitude, x - 1, y) then
                try(x, y + 0.5)
            end
        end
    end
end

-- The mouth nearest to the middle of a window (of the whole map that of the largest river inland), or where there is
-- none the nearest shore, as a place of the map: two strings of digits.
local function mouth_in(where, altitude)
    local network, middle, least = map:rivers(where), where.size / 2, math.huge
    local best_x, best_y = middle, middle
    local function try(x, y, area)
        local off = (x - middle) ^ 2 + (y - middle) ^ 2
        local away = where.zoom > 1 and off or area and off < (where.size / 3) ^ 2 and -area or math.huge
        if away < least then
            best_x, best_y, least = x, y, away
        end
    end
    for_mouths(network, altitude, try)
    if least > (where.size / 4) ^ 2 then
        for_shores(altitude, try)
    end
    return network:place(best_x, best_y)
end

-- A window stays inside the map; further in every place is far from the border.
local function inside(place, zoom)
    local half = 0.5 / zoom
    return zoom < 2 ^ 20 and math.min(math.max(tonumber(place), half), 1 - half) or place
end

local x, y = "0.5", "0.5"
local sheet, row
for step = 1, p.steps do
    local zoom = 2.0 ^ (step - 1)
    local where = { x = inside(x, zoom), y = inside(y, zoom), zoom = zoom, size = p.size }
    local altitude, river = map:render(where)
    local lie = esker.statistics(altitude)
    local land = altitude * (0.6 / math.max(-lie.min, lie.max)) -- colours for what there is
    local picture = land:relief{ rivers = river, sea_level = 0, low = -0.6, high = 0.6,
        exaggeration = 0.3 }
    row = row and row:join(picture, { gap = 2 }) or picture
    if step % p.row == 0 or step == p.steps then
        sheet = sheet and sheet:join(row, { direction = "below", gap = 2 }) or row
        row = nil
    end
    x, y = mouth_in(where, altitude)
end
return { sheet = sheet, x = x, y = y }
