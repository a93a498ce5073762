-- A playable valley cut out of a world: a window of a zoomable map, eroded and scored.
local p = params{
    seed  = 2,
    size  = { 512, min = 16, max = 16384 },
    x     = { 0.39, min = 0, max = 1 },
    y     = { 0.44, min = 0, max = 1 },
    zoom  = { 12, min = 1, max = 1e6 },
    talus = { 10, min = 0, max = 64, doc = "erosion threshold, in 1/size per cell" },
}

local altitude, river = esker.river_map{ seed = p.seed }:render{ x = p.x, y = p.y, zoom = p.zoom, size = p.size }
-- Nothing erodes into a river: its cells give nothing away and keep their beds.
local ground = altitude:normalize() - 0.02 * river
local valley = ground:normalize():olsen_erosion{ talus = p.talus, iterations = 30, mask = 1 - river:clamp() }

local play = valley:playability{ rivers = river } -- nobody crosses them
return {
    height      = valley,
    relief      = valley:relief{ rivers = river, palette = "alpine" },
    unit        = play.unit,
    building    = play.building,
    suitability = play.suitability,
}
