-- The bank of a wide river at four zooms: above as drawn here, below as published, with rivers as whole pixels and wide
-- ones as unions of triangles (Mogensen and Isenbecker 2025, section 7 and figure 15).
local p = params{
    seed = 3,
    size = { 512, min = 64, max = 4096 },
}

-- The point of the largest river inland, well inside the map; where there is none, of any river; or the middle.
local function largest_river(network)
    local best = { x = p.size / 2, y = p.size / 2, area = 0, inland = false }
    for _, reach in ipairs(network:reaches()) do
        for _, point in ipairs(reach) do
            local off = math.max(math.abs(point.x / p.size - 0.5), math.abs(point.y / p.size - 0.5))
            local inland = point.altitude > 0.05
            if off < 0.42 and (inland and not best.inland or inland == best.inland and point.area > best.area) then
                best = { x = point.x, y = point.y, area = point.area, inland = inland }
            end
        end
    end
    return best
end

-- The bank nearest to the middle of a window.
local function nearest_bank(river)
    local middle, best, least = p.size // 2, nil, math.huge
    for y = 0, p.size - 1 do
        for x = 1, p.size - 1 do
            local off = (x - middle) ^ 2 + (y - middle) ^ 2
            if off < least and (river:get(x, y) >= 0.5) ~= (river:get(x - 1, y) >= 0.5) then
                best, least = { x = x, y = y + 0.5 }, off
            end
        end
    end
    return best or { x = middle, y = middle }
end

local function pictures(map, style)
    local x, y, row = 0.5, 0.5, nil
    for _, zoom in ipairs{ 1, 25, 125, 1e3, 1e4 } do
        local where = { x = x, y = y, zoom = zoom, size = p.size, style = style }
        local altitude, river = map:render(where)
        if zoom ~= 1e3 then -- which only leads to the next
            local ground, high = altitude * zoom, 0.9 * zoom -- as high as the window is wide
            local picture = ground:relief{ rivers = river, sea_level = 0, low = -high, high = high,
                exaggeration = math.min(1.6 * high / zoom ^ 0.3, 100) }
            row = row and row:join(picture) or picture
        end
        where.style = nil
        local network = map:rivers(where)
        local next_place = zoom == 1 and largest_river(network) or nearest_bank(river)
        x, y = network:place(next_place.x, next_place.y)
    end
    return row
end

local ours = pictures(esker.river_map{ seed = p.seed, wide = true, land = "raw" }, "smooth")
local published = pictures(esker.river_map{ seed = p.seed, wide = true, rules = "paper" }, "paper")
return { comparison = ours:join(published, { direction = "below" }) }
