-- A playable valley cut out of a world: a window on a large river, with where units can go and buildings can stand.
local p = params{
    seed = 2,
    size = { 512, min = 16, max = 16384 },
    zoom = { 120, min = 4, max = 1e5 },
    deposition = { 0.9, min = 0, max = 1, doc = "flat ground beside rivers" },
    bend = { 1, min = 1, max = 50, doc = "which of the places on the largest rivers" },
}

-- Low hills, with flat ground beside large rivers.
local world = esker.river_map{ seed = p.seed, landscape = "hills", deposition = p.deposition, river_width = 0.002 }

-- Places on the largest rivers, far from each other, the one that drains most first, as strings of digits.
local function places()
    local network, points, far = world:rivers{ size = 512 }, {}, {}
    for _, reach in ipairs(network:reaches()) do
        for _, point in ipairs(reach) do
            local inside = math.max(math.abs(point.x - 256), math.abs(point.y - 256)) < 220
            points[#points + 1] = inside and point.altitude > 20 and point or nil
        end
    end
    table.sort(points, function(a, b) return a.area > b.area end)
    for _, point in ipairs(points) do
        local alone = true
        for _, other in ipairs(far) do
            alone = alone and (point.x - other.x) ^ 2 + (point.y - other.y) ^ 2 > 400
        end
        far[#far + 1] = alone and point or nil
    end
    local place = far[math.min(p.bend, #far)]
    return network:place(place.x, place.y)
end

local x, y = places()
local altitude, river = world:render{ x = x, y = y, zoom = p.zoom, size = p.size }
local valley = altitude - altitude:statistics().min
local high = 1.5 * valley:statistics().max

local play = valley:playability{ rivers = river / 6 } -- nobody crosses one that is three cells wide
return {
    height      = valley,
    relief      = valley:relief{ rivers = river, palette = "alpine", high = high },
    units       = play.units,
    buildings   = play.buildings,
    unit        = play.unit,
    building    = play.building,
    suitability = play.suitability,
}
