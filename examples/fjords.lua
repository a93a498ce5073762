-- Islands and fjords at four zooms (Mogensen and Isenbecker 2025, figures 1 and 10), and land that water has shaped.
local p = params{
    seed    = 14,
    size    = { 512, min = 16, max = 16384 },
    x       = { 0.19, min = 0, max = 1, doc = "where to zoom in" },
    y       = { 0.89, min = 0, max = 1 },
    islands = { true, doc = "islands in fjords (figure 10)" },
}

local map = esker.river_map{ seed = p.seed, islands = p.islands }
local results = {}
for _, zoom in ipairs{ 1, 4, 16, 64 } do
    local half = 0.5 / zoom -- the window stays inside the map
    local function inside(at) return math.min(math.max(at, half), 1 - half) end
    results["zoom" .. zoom] = function() -- drawn where it is looked at
        local altitude, river = map:render{ x = inside(p.x), y = inside(p.y), zoom = zoom, size = p.size }
        local high = math.max(1.2 * altitude:statistics().max, 100) -- colours without snow; there may be no land
        return altitude:relief{ rivers = river, sea_level = 0, low = -high, high = high,
            exaggeration = math.max(1, 60 / zoom) }
    end
end
return results
