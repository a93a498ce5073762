-- A map with rivers and fjords, drawn at four zooms (Mogensen and Isenbecker 2025, figure 1).
local p = params{
    seed    = 3,
    size    = { 512, min = 16, max = 16384 },
    x       = { 0.47, min = 0, max = 1, doc = "where to zoom in" },
    y       = { 0.83, min = 0, max = 1 },
    islands = { false, doc = "islands in fjords (figure 10)" },
}

local map = esker.river_map{ seed = p.seed, islands = p.islands }
local results = {}
for _, zoom in ipairs{ 1, 5, 25, 125 } do
    local half = 0.5 / zoom -- the window stays inside the map
    local function inside(at) return math.min(math.max(at, half), 1 - half) end
    local altitude, river = map:render{ x = inside(p.x), y = inside(p.y), zoom = zoom, size = p.size }
    results["zoom" .. zoom] = altitude:relief{ rivers = river, sea_level = 0, low = -0.6, high = 0.6,
        exaggeration = 0.5 * zoom ^ 0.6 }
end
return results
