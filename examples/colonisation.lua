-- Our versions of figures 2 to 7 of Speirs 2020: growth around ridges, a coarse and a smooth ridge, valleys at three
-- slopes, and the published terrain beside ours.
local p = params{
    seed   = 5,
    size   = { 400, min = 64, max = 4096 },
    points = { 2000, min = 10, max = 1e6 },
}

-- The paper's lengths: 100, 10 and 10 in a window of 500.
local paper = { size = p.size, seed = p.seed, points = p.points, rivers = 2, reach = 0.2, kill = 0.02, step = 0.02,
                concavity = 0, meander = 0 }
local function grown(arguments)
    local all = {}
    for name, value in pairs(paper) do
        all[name] = value
    end
    for name, value in pairs(arguments) do
        all[name] = value
    end
    return esker.river_network(all)
end
local function row(images, direction)
    local whole = images[1]
    for i = 2, #images do
        whole = whole:join(images[i], { direction = direction })
    end
    return whole
end

local growth, slopes = {}, {}
for i, steps in ipairs{ 8, 20, 0 } do -- figure 2
    growth[i] = grown{ ridges = 4, max_steps = steps }:draw{}
end
local line = { { 1, 0.15, 0.3 }, { 1, 0.5, 0.6 }, { 1, 0.85, 0.3 } }
local smooth = grown{ ridge_lines = line, ridge_resolution = 20 }:draw{} -- figure 3
local coarse = grown{ ridge_lines = line, ridge_resolution = 1 }:draw{}

local network = grown{}
for i, degrees in ipairs{ 20, 40, 80 } do -- figure 4: against rivers that rise 0.8 over about 1.2 sides
    local slope = math.tan(math.rad(degrees)) * 0.8 / 1.2
    slopes[i] = network:terrain{ style = "paper", slope = slope, radius = 0.05 }:relief{}
end

-- Figures 5 to 7: skeleton and terrain, as published and as we have it.
local ours = esker.river_network{ size = p.size, seed = p.seed, points = p.points // 2, rivers = 2 }
local published, its_rivers = network:terrain{ style = "paper", slope = 3, radius = 0.05 }
local land, rivers = ours:terrain{ seed = p.seed }

local results = {
    growth    = row(growth),
    ridges    = smooth:join(coarse),
    slopes    = row(slopes),
    published = row{ network:draw{}, published:relief{ rivers = its_rivers } },
    ours      = row{ ours:draw{}, land:relief{ rivers = rivers } },
}
results.sheet = row({ results.growth, results.slopes, results.published, results.ours }, "below")
return results
