-- Places on rivers of flat maps, found by looking: where a river runs depends on all that makes land.

local river_places = {}

local SIZE = 256

-- The points of a window's largest river that ends in the sea, from the mouth up, the share of the map that it
-- drains, and the river map. `margin`: in it, in pixels, no mouths count.
local function largest(map, window, margin)
    local rivers = map:rivers(window)
    local reaches, most, at = rivers:reaches(), 0, nil
    for number, reach in ipairs(reaches) do
        local last = reach[#reach]
        if reach.mouth and reach[#reach - 1].area > most and math.min(last.x, last.y) > margin
            and math.max(last.x, last.y) < SIZE - margin then
            most, at = reach[#reach - 1].area, number
        end
    end
    local points = {}
    while at do
        for i = #reaches[at], 1, -1 do
            points[#points + 1] = reaches[at][i]
        end
        local largest_area, below = 0, at
        at = nil
        for number, reach in ipairs(reaches) do
            if reach.downstream == below and reach[#reach - 1].area > largest_area then
                largest_area, at = reach[#reach - 1].area, number
            end
        end
    end
    return points, most, rivers
end

-- A window of 256² around the mouth of a map's largest river, which is about so many pixels wide there, and the
-- river's points in it, from the mouth up. None: the mouth is near the map's border.
function river_places.mouth(map, width)
    local window = { size = SIZE, zoom = 1 }
    local points, area, rivers = largest(map, window, 48)
    if #points == 0 then
        return nil
    end
    local needed = width / (SIZE * 0.004 * math.sqrt(area))
    local _
    while window.zoom < needed and #points > 0 do
        local x, y = rivers:place(points[1].x, points[1].y)
        window = { x = x, y = y, zoom = math.min(4 * window.zoom, needed), size = SIZE }
        points, _, rivers = largest(map, window, 16)
    end
    return #points > 0 and window or nil, points
end

-- A window around a point of another, `times` as close.
function river_places.around(window, point, times)
    local pixel = 1 / window.zoom / window.size
    return { x = window.x + (point.x - window.size / 2) * pixel, y = window.y + (point.y - window.size / 2) * pixel,
        zoom = window.zoom * (times or 1), size = window.size }
end

return river_places
