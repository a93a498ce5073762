-- What tests of edits share: outlines, and whether maps draw the same.

local esker = require "esker"
local kept_map = require "kept_map"

local map_edits = {}

-- A lobed ring.
function map_edits.ring(x, y, radius, turn)
    local points = {}
    for i = 0, 23 do
        local angle = 2 * math.pi * i / 24
        local away = radius * (1 + 0.3 * math.sin(3 * angle + (turn or 1)))
        points[#points + 1] = { x + away * math.cos(angle), y + away * math.sin(angle) }
    end
    return points
end

function map_edits.area_of(points)
    local sum = 0
    for i, a in ipairs(points) do
        local b = points[i % #points + 1]
        sum = sum + (a[1] * b[2] - a[2] * b[1]) / 2
    end
    return math.abs(sum)
end

-- Whether two maps have the same altitude, river and flow in a window, to the bit.
function map_edits.same(one, other, window)
    local a, b = { one:render(window) }, { other:render(window) }
    for i = 1, 3 do
        if a[i]:hash() ~= b[i]:hash() then
            return false
        end
    end
    return true
end

-- Whether the map that `make` gives of a map draws a part of a window of `zoom` around a place as that of another one,
-- which has drawn other windows before, draws the whole.
function map_edits.parts_agree(make, x, y, zoom)
    local whole = { make(kept_map{ seed = 2 }):render{ x = x, y = y, zoom = zoom, size = 96 } }
    local asked = { x = x + 12 / (zoom * 96), y = y, zoom = 2 * zoom, size = 48 }
    local part = { make(esker.river_map{ seed = 2 }):render(asked) }
    for i = 1, 3 do
        for v = 0, 47, 3 do
            for u = 0, 47 do
                if part[i]:get(u, v) ~= whole[i]:get(u + 36, v + 24) then
                    return false
                end
            end
        end
    end
    return true
end

return map_edits
