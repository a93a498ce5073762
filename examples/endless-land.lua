-- Land shaped by water, from a continent down to the gullies of a slope, at four zooms (docs/endless-land.md). Each
-- window lies in the one before, at a confluence or a spring. The last is smooth soil.
local p = params{
    seed      = 3,
    size      = { 512, min = 64, max = 8192 },
    landscape = { "mixed", choices = { "mixed", "plains", "hills", "alps", "mesa", "islands" } },
}

local land = esker.river_map{ seed = p.seed, landscape = p.landscape }

-- Where rivers of this order begin, confluences (2, 3) or springs (1): the highest place in the middle of a window, as
-- two strings of digits.
local function beginning(network, order)
    local best = { x = p.size / 2, y = p.size / 2, altitude = -math.huge }
    for _, reach in ipairs(network:reaches()) do
        local point = reach[1]
        local far = math.max(math.abs(point.x - p.size / 2), math.abs(point.y - p.size / 2))
        if reach.order == order and far < p.size / 5 and point.altitude > best.altitude then
            best = point
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
for _, view in ipairs{ { 1, 3 }, { 12, 2 }, { 150, 1 }, { 2000, 1 } } do
    local zoom, order = table.unpack(view)
    local where = { x = x, y = y, zoom = zoom, size = p.size }
    results[("zoom%d"):format(zoom)] = picture(where)
    x, y = beginning(land:rivers{ x = x, y = y, zoom = zoom, size = p.size }, order)
end
results.sheet = results.zoom1:join(results.zoom12):join(results.zoom150:join(results.zoom2000),
    { direction = "below" })
return results
