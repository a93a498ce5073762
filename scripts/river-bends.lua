-- Measures how rivers of endless land wind: lua5.4 scripts/river-bends.lua [SEED [PLACES]]
-- At PLACES (5) places by chance on rivers, each of a map of its own, in windows of 512² at three zooms: the length of
-- rivers against the straight line, over chords of 40 of their widths, for rivers of 0.7 to 1.4 pixels of width and so
-- on. A straight line is 1. Only where 100 such chords or more were found.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local seed, places = tonumber(arg[1]) or 1, tonumber(arg[2]) or 5
local SIZE, CHORD = 512, 40
local widths = { { 0.7, 1.4 }, { 1.4, 2.8 }, { 2.8, 5.6 } } -- pixels
local zooms = { 64, 256, 1024 }
local landscapes = { "plains" }

-- A river's points from one on, over the reaches that follow.
local function winding(reaches, reach, from, chord)
    local first = reaches[reach][from]
    local length, last = 0, first
    local at, i = reach, from
    while true do
        i = i + 1
        if i > #reaches[at] then
            at, i = reaches[at].downstream, 2
            if not at or not reaches[at][i] then
                return nil
            end
        end
        local point = reaches[at][i]
        length = length + math.sqrt((point.x - last.x) ^ 2 + (point.y - last.y) ^ 2)
        last = point
        local straight = math.sqrt((point.x - first.x) ^ 2 + (point.y - first.y) ^ 2)
        if straight >= chord then
            return length / straight
        elseif length > 6 * chord then
            return 6
        end
    end
end

local function measure(map, place, zoom, found)
    local network = map:rivers{ x = place.x, y = place.y, zoom = zoom, size = SIZE, inside = true }
    local reaches = network:reaches()
    for r, reach in ipairs(reaches) do
        for i = 1, #reach, 8 do
            local width = reach[i].width
            for k, range in ipairs(widths) do
                if width >= range[1] and width < range[2] then
                    found[k][#found[k] + 1] = winding(reaches, r, i, CHORD * width)
                end
            end
        end
    end
end

-- A place on a large river.
local function river_place(map, random)
    local rivers = map:rivers{ size = 256 }:reaches()
    local wide = {}
    for _, reach in ipairs(rivers) do
        for _, point in ipairs(reach) do
            if point.area > 0.002 then
                wide[#wide + 1] = point
            end
        end
    end
    local point = wide[1 + math.floor(random() * #wide)]
    return { x = (point.x + 0.5) / 256, y = (point.y + 0.5) / 256 }
end

-- On the river of a window that drains most.
local function closer(map, place, zoom)
    local found, most = place, 0
    for _, reach in ipairs(map:rivers{ x = place.x, y = place.y, zoom = zoom, size = 128, inside = true }:reaches()) do
        for _, point in ipairs(reach) do
            local off = math.abs(point.x - 64) + math.abs(point.y - 64)
            if point.area / (1 + off) > most then
                most = point.area / (1 + off)
                local cells = 256 * zoom
                found = { x = math.min(math.max(place.x, 64 / cells), 1 - 64 / cells) + (point.x - 63.5) / cells,
                    y = math.min(math.max(place.y, 64 / cells), 1 - 64 / cells) + (point.y - 63.5) / cells }
            end
        end
    end
    return found
end

local state = seed * 7919 + 1
local function random()
    state = (state * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
    return (state >> 11) / 2 ^ 52
end

print("| zoom | landscape | " .. table.concat({ "0.7 to 1.4 px", "1.4 to 2.8", "2.8 to 5.6" }, " | ") .. " |")
print("| --- | --- | --- | --- | --- |")
for _, zoom in ipairs(zooms) do
    for _, landscape in ipairs(landscapes) do
        local found = { {}, {}, {} }
        for i = 1, places do
            local map = esker.river_map{ seed = seed * 1000 + i, landscape = landscape }
            state = seed * 7919 + i
            for _ = 1, 5 do random() end
            measure(map, closer(map, river_place(map, random), zoom), zoom, found)
        end
        local cells = {}
        for k, list in ipairs(found) do
            table.sort(list)
            cells[k] = #list >= 30 and string.format("%.2f (%.2f, %.2f)", list[1 + #list // 2], list[1 + #list // 10],
                list[1 + #list * 9 // 10]) or "–"
        end
        print(string.format("| %d | %s | %s |", zoom, landscape, table.concat(cells, " | ")))
    end
end
