-- The same rules on Penrose tiles, or on scalene ones whose edges bend: no direction of a grid shows (Mogensen and
-- Isenbecker 2025, figure 11).
local p = params{
    seed = 5,
    size = { 512, min = 16, max = 16384 },
    x    = { 0.5, min = 0, max = 1 },
    y    = { 0.5, min = 0, max = 1 },
    zoom = { 1, min = 1, max = 1e4 },
    tiling = { "penrose", doc = "or scalene, or right" },
}

local map = esker.river_map{ seed = p.seed, tiling = p.tiling }
local altitude, river = map:render{ x = p.x, y = p.y, zoom = p.zoom, size = p.size }
local high = 1.2 * altitude:statistics().max
return {
    relief = altitude:relief{ rivers = river, sea_level = 0, low = -high, high = high,
        exaggeration = math.max(1, 60 / p.zoom) },
}
