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

-- A window of 256² on a large river of a map, found from zoom to zoom.
function river_places.inland(map, zoom)
    local window = { size = SIZE, zoom = 1 }
    while window.zoom < zoom do
        local rivers, most, found = map:rivers(window), 0, nil
        for _, reach in ipairs(rivers:reaches()) do
            local middle = reach[(#reach + 1) // 2]
            local inside = math.max(math.abs(middle.x - SIZE / 2), math.abs(middle.y - SIZE / 2)) < SIZE / 4
            if inside and middle.area > most then
                most, found = middle.area, middle
            end
        end
        local x, y = rivers:place(found.x, found.y)
        window = { x = x, y = y, zoom = math.min(8 * window.zoom, zoom), size = SIZE }
    end
    return window
end

-- A window around a point of another, `times` as close.
function river_places.around(window, point, times)
    local pixel = 1 / window.zoom / window.size
    return { x = window.x + (point.x - window.size / 2) * pixel, y = window.y + (point.y - window.size / 2) * pixel,
        zoom = window.zoom * (times or 1), size = window.size }
end

-- The mouth of a stream in a wider one, in a window of 256²: its place and the wider one's area. The stream drains as
-- much as it may below two fifths of that.
local function largest_tributary(map, window)
    local rivers = map:rivers(window)
    local reaches, most, found = rivers:reaches(), 0, nil
    for _, reach in ipairs(reaches) do
        local last = reach[#reach]
        if reach.downstream and math.min(last.x, last.y) > 40 and math.max(last.x, last.y) < SIZE - 40 then
            local area = reaches[reach.downstream][1].area
            local share = reach[#reach - 1].area / area
            if share > most and share < 0.4 then
                local x, y = rivers:place(last.x, last.y)
                most, found = share, { x = x, y = y, area = area }
            end
        end
    end
    return found
end

-- The point of rivers that drain about as much nearest to the middle of a window: finer levels move them.
local function nearest(map, window, area)
    local rivers = map:rivers(window)
    local least, found = math.huge, nil
    for _, reach in ipairs(rivers:reaches()) do
        for i = 1, #reach - 1 do
            local point = reach[i]
            local away = (point.x - SIZE / 2) ^ 2 + (point.y - SIZE / 2) ^ 2
            if away < least and point.area > area / 2 and point.area < 2 * area then
                local x, y = rivers:place(point.x, point.y)
                least, found = away, { x = x, y = y, area = point.area }
            end
        end
    end
    return found
end

-- A window, `level` powers of two closer than the map, in the water of a stream where another comes to it; the stream
-- is twice as wide as the window at least. Around x, y there must be streams.
function river_places.junction(map, x, y)
    local level = 10
    local place = largest_tributary(map, { x = x, y = y, zoom = 2.0 ^ level, size = SIZE })
    while SIZE * 0.004 * math.sqrt(place.area) * 2.0 ^ level < 600 do
        level = level + 2
        place = nearest(map, { x = place.x, y = place.y, zoom = 2.0 ^ level, size = SIZE }, place.area)
    end
    place.level = level
    return place
end

return river_places
