-- A crater field
-- Each crater levels what lay there, so that young ones lie over old ones; large ones are rare.
local p = params{ seed = 4, size = 200, count = 90 }
math.randomseed(p.seed)
local land = esker.noise{ size = p.size, seed = p.seed } * 0.15
for _ = 1, p.count do
    local radius = math.min(0.02 * (1 - math.random()) ^ -0.6, 0.3) -- the power alone has no bound
    local x, y = math.random(), math.random()
    local place = { size = p.size, x = x, y = y, radius = radius, edge = radius * 0.7, kind = "disk" }
    local level = land:lerp(land:blur{ sigma = radius }, esker.shape(place))
    place.kind, place.edge, place.magnitude = "crater", nil, radius * 2
    land = level + esker.shape(place)
end
local grey = { palette = "grey", exaggeration = 1.5, light = { 300, 25 }, low = -1, high = 2 }
return { picture = land:normalize():relief(grey) }
