-- An island with six rivers: its shape from a spectral base, its land from its rivers, lightly eroded and scored.
local p = params{
    seed   = 3,
    size   = { 768, min = 64, max = 8192 },
    rivers = { 6, min = 1, max = 50 },
    points = { 6000, min = 100, max = 1e6, doc = "the more, the finer the valleys" },
    talus  = { 4, min = 0, max = 64, doc = "erosion threshold, in 1/size per cell" },
    ridges = { 0, min = 0, max = 20 },
    azimuth = { 20, min = -360, max = 360, doc = "where the view looks, clockwise from north" },
}

-- Land where noise minus the distance from the middle is high: an oval with a ragged coast.
local noise, dome = esker.spectral{ size = 256, seed = p.seed, persistence = 0.5 }, esker.spectral{ size = 256 }
for y = 0, 255 do
    for x = 0, 255 do
        local across, down = (x - 127.5) / 128, (y - 127.5) / 128
        dome:set(x, y, 1.25 - 1.3 * (across ^ 2 + down ^ 2) ^ 0.5)
    end
end
local shape = (noise:normalize() - 0.5) * 0.8 + dome

local network = esker.river_network{ size = p.size, seed = p.seed, mask = shape:resize{ size = p.size },
                                     rivers = p.rivers, points = p.points, ridges = p.ridges, river_width = 0.007 }
local land, river = network:terrain{ seed = p.seed }
-- Rivers and the sea keep their beds, and carry away what slides into the valleys: no hollow is dammed up.
local slid = land:thermal_erosion{ talus = p.talus, iterations = 5, mask = (1 - river):clamp{} }
local eroded = land - (land - slid):clamp{}

local play = eroded:playability{ rivers = river:clamp{}, building_slope = 6 } -- hilly land
return {
    network     = network,
    drawing     = network:draw{},
    height      = eroded,
    relief      = eroded:relief{ rivers = river, low = -0.15, high = 0.2 },
    view        = eroded:perspective{ rivers = river, width = p.size * 4 // 3, height = p.size * 3 // 4,
                                      azimuth = p.azimuth, pitch = 24, distance = 1.15, field_of_view = 26,
                                      low = -0.15, high = 0.2 }, -- its own range: the palette up to its snow
    suitability = play.suitability,
    unit        = play.unit,
    rivers      = network:network_statistics{},
}
