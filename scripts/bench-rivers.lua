-- Times every row of tables 1 and 2 of Speirs 2020, on one thread: lua5.4 scripts/bench-rivers.lua
-- Lengths are the paper's code's: reach 100, kill 10 and step 10 cells, in windows of 512, 1024 and 2048 cells, and
-- disks of 13.5 cells. Beside ours the paper's seconds (they include drawing), and those of the author's code without
-- windows and drawing, measured on a machine like the one of docs/benchmarks.md. Medians of three.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
esker.threads(1)

local sizes = { 512, 1024, 2048 }

-- rivers, points, ridges; for each size seconds of growth and of the height map in the paper; of growth in the author's
-- code.
local rows = {
    { 1, 2000, 0, { 1.40, 2.67, 6.47 }, { 0.67, 4.73, 34.52 }, { 0.11, 0.46, 2.0 } },
    { 1, 10000, 0, { 2.54, 7.76, 34.60 }, { 0.73, 5.17, 35.80 }, { 0.73, 3.8, 19.7 } },
    { 1, 50000, 0, { 9.37, 46.61, 270.94 }, { 0.77, 5.48, 37.51 } },
    { 2, 2000, 0, { 1.57, 2.94, 8.12 }, { 0.70, 4.84, 34.39 } },
    { 2, 10000, 0, { 3.44, 11.37, 54.10 }, { 0.72, 5.13, 35.99 } },
    { 2, 50000, 0, { 21.84, 96.52, 618.76 }, { 0.74, 5.62, 44.26 } },
    { 4, 2000, 0, { 1.87, 4.19, 15.20 }, { 0.70, 4.79, 34.78 }, { 0.38, 1.5, 8.5 } },
    { 4, 10000, 0, { 6.08, 26.28, 111.25 }, { 0.72, 5.14, 35.62 }, { 3.2, 16.8, 82.5 } },
    { 4, 50000, 0, { 59.86, 211.75, 1183.12 }, { 0.74, 5.53, 38.79 } },
    { 1, 10000, 1, { 5.71, 27.25, 134.21 }, { 0.71, 5.19, 35.67 }, { 3.7, 21, 105 } },
    { 1, 10000, 2, { 8.99, 47.35, 232.75 }, { 0.71, 5.19, 35.91 } },
    { 1, 10000, 4, { 16.29, 90.39, 475.69 }, { 0.72, 5.19, 36.57 }, { 12.7, 74 } },
    { 2, 10000, 1, { 11.74, 61.37, 295.96 }, { 0.72, 5.15, 35.64 } },
    { 2, 10000, 2, { 26.89, 146.98, 701.65 }, { 0.72, 5.30, 35.73 } },
    { 2, 10000, 4, { 51.10, 282.85, 1347.39 }, { 0.74, 5.14, 35.83 } },
    { 4, 10000, 1, { 25.06, 139.19, 681.29 }, { 0.72, 5.41, 35.93 }, { 15.8, 92 } },
    { 4, 10000, 2, { 60.50, 335.41, 1645.39 }, { 0.71, 5.07, 38.16 } },
    { 4, 10000, 4, { 110.65, 619.23, 2950.83 }, { 0.73, 5.12, 38.64 }, { 63 } },
}

-- The median of three, and what the last call gave.
local function timed(call)
    local times, result = {}, nil
    for i = 1, 3 do
        collectgarbage()
        local start = esker.seconds()
        result = call()
        times[i] = esker.seconds() - start
    end
    table.sort(times)
    return times[2], result
end

local function grow(size, rivers, points, ridges, automatic)
    local unit = not automatic and 1 / size or nil
    return timed(function()
        return esker.river_network{ size = size, seed = 5, rivers = rivers, points = points, ridges = ridges,
                                    reach = unit and 100 * unit, kill = unit and 10 * unit, step = unit and 10 * unit }
    end)
end

print(("%-30s %5s %9s %9s %9s %9s %9s %9s %9s"):format("growth and height map, seconds", "size", "growth", "paper /",
    "author /", "valleys", "paper /", "disks", "reaches"))
for _, row in ipairs(rows) do
    for i, size in ipairs(sizes) do
        local growth, network = grow(size, row[1], row[2], row[3])
        local valleys = timed(function() return network:terrain{} end)
        local disks = timed(function() return network:terrain{ style = "paper", radius = 13.5 / size } end)
        local author = row[6] and row[6][i]
        print(("%d rivers %6d points %d ridges %5d %9.4f %9.0f %9s %9.4f %9.0f %9.4f %9d"):format(row[1], row[2],
            row[3], size, growth, row[4][i] / growth, author and ("%.0f"):format(author / growth) or "", valleys,
            row[5][i] / valleys, disks, #network))
    end
end

-- Cost = points ^ exponent, by least squares through the logarithms.
local function fit(automatic)
    local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
    for _, points in ipairs{ 15625, 62500, 250000, 1000000 } do
        local seconds, network = grow(2048, 4, points, 0, automatic)
        esker.memory(true)
        local before = esker.memory()
        local again = grow(2048, 4, points, 0, automatic)
        local _, most = esker.memory()
        print(("%8d points %9.3f s %9d reaches %6.0f bytes a point"):format(points, math.min(seconds, again), #network,
            (most - before) / points))
        local x, y = math.log(points), math.log(seconds)
        n, sx, sy, sxx, sxy = n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y
    end
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

print("\nthe paper's lengths, 2048², 4 rivers")
print(("cost grows as points ^ %.2f"):format(fit(false)))
print("\nlengths that follow the points (n log n over these: 1.08)")
print(("cost grows as points ^ %.2f"):format(fit(true)))
