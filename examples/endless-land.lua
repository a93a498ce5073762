-- Land shaped by water, from a continent down to the gullies of a slope, at four zooms (docs/endless-land.md). Each
-- window lies in the one before, at a confluence or a spring. The last is smooth soil.
local p = params{
    seed      = 2,
    size      = { 512, min = 64, max = 8192 },
    landscape = { "mixed", choices = { "mixed", "plains", "hills", "alps", "mesa" } },
}

local land = esker.river_map{ seed = p.seed, landscape = p.landscape }

-- Where a river of this order begins: a confluence (2) or a spring (1), the nearest to the middle of a window, well
-- above the sea if there is one, as two strings of digits.
local function beginning(network, order)
    local best, least = { x = p.size / 2, y = p.size / 2 }, math.huge
    for _, reach in ipairs(network:reaches()) do
        local point = reach[1]
        local low = point.altitude < 50 and p.size ^ 2 or 0
        local off = (point.x - p.size / 2) ^ 2 + (point.y - p.size / 2) ^ 2 + low
        if reach.order == order and off < least then
            best, least = point, off
        end
    end
    return network:place(best.x, best.y)
end

-- Altitudes count from the window's centre, since at deep zooms they differ by less than absolute ones resolve.
local function picture(where)
    where.relative = true
    local altitude, river = land:render(where)
    return altitude:relief{ rivers = river, exaggeration = math.max(1, 60 / where.zoom) }
end

local results = {}
local x, y = 0.5, 0.5
for _, view in ipairs{ { 1, 2 }, { 30, 2 }, { 1000, 1 }, { 1e6, 1 } } do
    local zoom, order = table.unpack(view)
    local where = { x = x, y = y, zoom = zoom, size = p.size }
    results[("zoom%d"):format(zoom)] = picture(where)
    x, y = beginning(land:rivers{ x = x, y = y, zoom = zoom, size = p.size }, order)
end
results.sheet = results.zoom1:join(results.zoom30):join(results.zoom1000:join(results.zoom1000000),
    { direction = "below" })
return results
