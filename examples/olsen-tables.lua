-- The tables and figure 8 of Olsen 2004 beside the paper's numbers: means over the seeds, deviations in brackets.
local p = params{ seeds = { 50, min = 1, max = 1000 }, size = { 512, min = 16, max = 4096 } }

local function noise(s, arguments)
    local all = { size = p.size, seed = 3 * s }
    for name, value in pairs(arguments or {}) do all[name] = value end
    return all
end
local function base(s, hills, magnitude, kind)
    local combined = 2 / 3 * esker.diamond_square(noise(s, { smooth = true }))
        + 1 / 3 * esker.voronoi(noise(s, hills or {}))
    return combined:perturb{ seed = 3 * s + 1, magnitude = magnitude, noise = kind }
end

local total, done = 9 + 8 + 2 * 9 + 2 + 2 * 8, 0
local function row(name, names, paper, make)
    local sums, squares, line = {}, {}, { ("%-34s"):format(name) }
    for s = 1, p.seeds do
        local scores = make(s)
        for _, key in ipairs(names) do
            sums[key] = (sums[key] or 0) + scores[key]
            squares[key] = (squares[key] or 0) + scores[key] ^ 2
        end
        esker.progress(done + s / p.seeds, total)
    end
    done = done + 1
    for i, key in ipairs(names) do
        local mean = sums[key] / p.seeds
        local deviation = math.sqrt(math.max(0, squares[key] / p.seeds - mean ^ 2))
        line[#line + 1] = ("%6.3f (%5.3f)"):format(mean, deviation) .. (paper[i] and (" %5.3f"):format(paper[i]) or "")
    end
    print(table.concat(line, " | "))
end

local function score1(name, paper, make)
    row(name, { "erosion" }, { paper }, function(s) return { erosion = make(s):erosion_score() } end)
end
print("Table 1: erosion score | paper")
score1("spectral, cubic", 0.425, function(s) return esker.spectral(noise(s)) end)
score1("spectral, linear", 0.417, function(s) return esker.spectral(noise(s, { interpolation = "linear" })) end)
score1("midpoint, gaussian", 0.438, function(s)
    return esker.diamond_square(noise(s, { distribution = "gaussian" }))
end)
score1("midpoint, uniform", 0.401, function(s) return esker.diamond_square(noise(s)) end)
score1("midpoint, uniform, smoothed", 0.478, function(s) return esker.diamond_square(noise(s, { smooth = true })) end)
score1("Voronoi, Euclidean, long", 0.323, function(s)
    return (esker.voronoi(noise(s, { metric = "euclidean" })))
end)
score1("Voronoi, squared, short", 0.347, function(s) return (esker.voronoi(noise(s))) end)
score1("combination", 0.460, function(s) return base(s, nil, 0) end)
score1("combination, perturbed", 0.657, function(s) return base(s) end)

print("\nFigure 8: erosion score by magnitude of the perturbation; in the paper the greatest is at 0.25")
local magnitudes <const> = { 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5 }
for _, magnitude in ipairs(magnitudes) do
    row(("magnitude %.2f"):format(magnitude), { "erosion" }, {}, function(s)
        return { erosion = base(s, nil, magnitude):erosion_score() }
    end)
end

local scores = { "erosion", "unit", "building", "suitability" }
local function score2(name, paper, erode, kind)
    row(name, scores, paper, function(s) return erode(base(s, nil, nil, kind)):playability{} end)
end
local function olsen(talus) return function(land) return land:olsen_erosion{ talus = talus } end end
local function table2(kind)
    score2("base terrain", { 0.665, 0.713, 0.002, 0.001 }, function(land) return land end, kind)
    score2("thermal, reference, 50", { 0.614, 0.980, 0.002, 0.001 }, function(land)
        return land:thermal_erosion{ method = "reference", c = 0.5 } -- the paper's c
    end, kind)
    score2("thermal, fast, 50", { 0.626, 0.983, 0.002, 0.001 }, function(land) return land:thermal_erosion{} end, kind)
    score2("hydraulic, reference, 100", { 0.916, 0.834, 0.050, 0.039 }, function(land)
        return land:hydraulic_erosion{ method = "reference" }
    end, kind)
    -- The paper gives constants for the reference method only.
    score2("hydraulic, fast, 100", { 1.077, 0.828, 0.157, 0.140 }, function(land)
        return land:hydraulic_erosion{ rain = 0.0002, solubility = 1 }
    end, kind)
    score2("new, T = 8/N", { 1.339, 0.303, 0.173, 0.070 }, olsen(8), kind)
    score2("new, T = 12/N", { 1.850, 0.752, 0.393, 0.580 }, olsen(12), kind)
    score2("new, T = 16/N", { 2.204, 0.905, 0.434, 0.877 }, olsen(16), kind)
    score2("new, T = 20/N", { 2.340, 0.949, 0.429, 0.953 }, olsen(20), kind)
end
print("\nTable 2: erosion | unit | building | suitability, each beside the paper's")
table2("spline")

print("\nThermal erosion where the border gives nothing away, as in the author's program")
local inner = esker.field{ wrap = true, width = p.size, height = p.size, values = function(x, y)
    return (x == 0 or y == 0 or x == p.size - 1 or y == p.size - 1) and 0 or 1
end }
score2("reference, 50", { 0.614, 0.980, 0.002, 0.001 }, function(land)
    return land:thermal_erosion{ method = "reference", c = 0.5, mask = inner }
end)
score2("fast, 50", { 0.626, 0.983, 0.002, 0.001 }, function(land)
    return land:thermal_erosion{ mask = inner }
end)

local function score3(kind, name, hills, paper)
    row(name, scores, paper, function(s) return base(s, hills, nil, kind):olsen_erosion{}:playability{} end)
end
local function table3(kind)
    score3(kind, "75 % hill coverage", { hill_coverage = 0.75 }, { 2.280, 0.916, 0.487, 1.017 })
    score3(kind, "50 % hill coverage", { hill_coverage = 0.50 }, { 2.337, 0.923, 0.526, 1.134 })
    score3(kind, "25 % hill coverage", { hill_coverage = 0.25 }, { 2.371, 0.929, 0.556, 1.225 })
    score3(kind, "vertical offset -0.1", { offset = -0.1 }, { 2.256, 0.910, 0.468, 0.962 })
    score3(kind, "vertical offset -0.2", { offset = -0.2 }, { 2.312, 0.918, 0.511, 1.086 })
    score3(kind, "vertical offset -0.3", { offset = -0.3 }, { 2.346, 0.922, 0.539, 1.166 })
    score3(kind, "vertical offset -0.4", { offset = -0.4 }, { 2.361, 0.926, 0.557, 1.219 })
    score3(kind, "vertical offset -0.5", { offset = -0.5 }, { 2.372, 0.928, 0.567, 1.249 })
end
print("\nTable 3: the same with other Voronoi diagrams, T = 16/N")
table3("spline")

print("\nTable 2 where midpoint noise perturbs the base terrain")
table2("midpoint")
print("\nTable 3 where midpoint noise perturbs the base terrain")
table3("midpoint")
return { rows = total, seeds = p.seeds }
