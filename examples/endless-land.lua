-- Land shaped by water from a continent down to a hillside, at four zooms (docs/endless-land.md). Each window shows a
-- confluence of the one before.
local p = params{
    seed      = 2,
    size      = { 512, min = 64, max = 8192 },
    landscape = { "worn", choices = { "worn", "young", "mesa", "old" } },
}

local map = esker.river_map{ seed = p.seed, landscape = p.landscape }

-- The confluence nearest to the middle of a window, well above the sea if there is one, as two strings of digits.
local function confluence(network)
    local best, least = { x = p.size / 2, y = p.size / 2 }, math.huge
    for _, reach in ipairs(network:reaches()) do
        local point = reach[1]
        local low = point.altitude < 0.02 and p.size ^ 2 or 0
        local off = (point.x - p.size / 2) ^ 2 + (point.y - p.size / 2) ^ 2 + low
        if reach.order == 2 and off < least then
            best, least = point, off
        end
    end
    return network:place(best.x, best.y)
end

-- Shaded with the true slope of the ground: deep inside the land in units of the window, from its centre.
local function picture(where)
    local altitude, river = map:render(where)
    if where.zoom == 1 then
        return altitude:relief{ rivers = river, sea_level = 0, low = -0.6, high = 0.6, exaggeration = 1.2 }
    end
    where.relative = true
    local ground = map:render(where) * where.zoom
    local low, high = ground:statistics().min, ground:statistics().max
    local sea = (ground:get(0, 0) / where.zoom - altitude:get(0, 0)) * where.zoom -- its level from the centre
    return ground:relief{ rivers = river, sea_level = math.max(sea, -1e6), low = low, high = high,
        exaggeration = math.min(high - low, 100) }
end

local results = {}
local x, y = 0.5, 0.5
for _, zoom in ipairs{ 1, 12, 120, 1200 } do
    local where = { x = x, y = y, zoom = zoom, size = p.size }
    results["zoom" .. zoom] = picture(where)
    x, y = confluence(map:rivers{ x = x, y = y, zoom = zoom, size = p.size })
end
results.sheet = results.zoom1:join(results.zoom12):join(results.zoom120:join(results.zoom1200), { direction = "below" })
return results
