-- A crater field
-- Young craters lie over old ones; large ones are rare.
local p = params{ seed = 4, size = 200, count = 60 }
math.randomseed(p.seed)
local land = esker.noise{ size = p.size, seed = p.seed } * 0.15
for _ = 1, p.count do
    local radius = 0.02 * (1 - math.random()) ^ -0.6
    land = land + esker.shape{ kind = "crater", size = p.size, x = math.random(), y = math.random(),
        radius = radius, magnitude = radius * 2 }
end
local grey = { palette = "grey", exaggeration = 1.5, light = { 300, 25 }, low = -1, high = 2 }
return { picture = land:normalize():relief(grey) }
