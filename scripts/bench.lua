-- Times every operation at 512², 1024² and 4096², on one thread and two: lua5.4 scripts/bench.lua [largest side [name]]
-- Prints nanoseconds a cell, gigabytes a second of field traffic (inputs read and results written once), peak memory
-- in fields, and how many times faster than the Java code of the paper's author, as measured on a machine like the one
-- the numbers in docs/benchmarks.md come from. Medians of five runs after one that is not counted, in processor time on
-- one thread; two threads by the clock, on a quiet machine. Then windows of
-- zoomable maps anywhere, by how deep they lie: "render anywhere" as the name prints only those. Last the windows of
-- eroded land that docs/land-figures.md lists, by what is kept: "eroded land".

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local bench_values = require "bench_values"

local largest, wanted = tonumber(arg[1]) or 4096, arg[2] or ""

-- Milliseconds at 512² and 1024², OpenJDK 17 after warm-up.
local java = {
    ["spectral"] = { [512] = 8.5, [1024] = 42 }, ["spectral linear"] = { [512] = 12.6, [1024] = 78 },
    ["diamond_square"] = { [512] = 2.2, [1024] = 9.1 }, ["diamond_square gaussian"] = { [512] = 21, [1024] = 83 },
    ["diamond_square smooth"] = { [512] = 2.2, [1024] = 9.2 },
    ["voronoi"] = { [512] = 8.5, [1024] = 33 }, ["voronoi euclidean"] = { [512] = 21, [1024] = 80 },
    ["base terrain"] = { [512] = 15, [1024] = 60 },
    ["thermal_erosion reference"] = { [512] = 127, [1024] = 676 }, ["thermal_erosion"] = { [512] = 101, [1024] = 358 },
    ["hydraulic_erosion reference"] = { [512] = 973, [1024] = 4120 },
    ["hydraulic_erosion"] = { [512] = 398, [1024] = 1500 }, ["olsen_erosion"] = { [512] = 127, [1024] = 657 },
    ["slope"] = { [512] = 0.9, [1024] = 3.8 }, ["playability"] = { [512] = 40, [1024] = 2150 },
    ["base, erosion, playability"] = { [512] = 182, [1024] = 2867 },
}

local function base(size)
    local noise = esker.diamond_square{ size = size, seed = 1, smooth = true }
    return (2 / 3 * noise + 1 / 3 * esker.voronoi{ size = size, seed = 2 }):perturb{ seed = 3 }
end

local variants = {
    { "diamond_square gaussian", "diamond_square", { distribution = "gaussian" } },
    { "diamond_square smooth", "diamond_square", { smooth = true } },
    { "spectral linear", "spectral", { interpolation = "linear" } },
    { "voronoi euclidean", "voronoi", { metric = "euclidean" } },
    { "thermal_erosion reference", "thermal_erosion", { method = "reference" } },
    { "hydraulic_erosion reference", "hydraulic_erosion", { method = "reference" } },
    { "flow_accumulation dinf", "flow_accumulation", { method = "dinf" } },
    { "terrain paper", "terrain", { style = "paper" } },
    { "squig_mountain all options", "squig_mountain",
        { slope = 0.3, symmetry = 1, tributaries = 0.35, branch_levels = 5, smoothness = 1 } },
    { "mesh error 0.01", "mesh", { error = 0.01 } },
    { "mesh delaunay 0.01", "mesh", { error = 0.01, triangles = "delaunay" } },
}

-- Windows of zoomable maps: what river_map and render take.
local maps = {
    { "render raw", { land = "raw" }, {} },
    { "render raw zoom 125", { land = "raw" }, { zoom = 125 } },
    { "render raw zoom 1e9", { land = "raw" }, { zoom = 1e9 } },
    { "render raw zoom 1e15", { land = "raw" }, { zoom = 1e15 } },
    { "render raw without rivers", { land = "raw", rivers = false }, {} },
    { "render raw islands", { land = "raw", islands = true }, {} },
    { "render raw wide", { land = "raw", wide = true }, {} },
    { "render raw penrose", { land = "raw", tiling = "penrose" }, {} },
    { "render raw scalene", { land = "raw", tiling = "scalene" }, {} },
    { "render zoom 30", {}, { zoom = 30 } },
    { "render zoom 1e9", {}, { zoom = 1e9 } },
    { "render sphere zoom 2", { tiling = "sphere" }, { zoom = 2 } },
    { "render raw sphere zoom 2", { land = "raw", tiling = "sphere" }, { zoom = 2 } },
    { "render raw tetrahedra zoom 2", { land = "raw", tiling = "tetrahedra" }, { zoom = 2 } },
    { "render raw penrose zoom 1e6", { land = "raw", tiling = "penrose" }, { zoom = 1e6, x = 0.42, y = 0.47 } },
    { "render raw scalene zoom 1e6", { land = "raw", tiling = "scalene" }, { zoom = 1e6, x = 0.42, y = 0.47 } },
    { "render raw sphere zoom 1e6", { land = "raw", tiling = "sphere" }, { zoom = 1e6, x = 0.42, y = 0.47 } },
    { "render raw tetrahedra zoom 1e6", { land = "raw", tiling = "tetrahedra" }, { zoom = 1e6, x = 0.42, y = 0.47 } },
    { "render raw on a cliff", { land = "raw", seed = 7 }, { zoom = 2 ^ 57,
        x = "0.3193536247333105645796978455265753658975", y = "0.7579781715552948300251980662432922366954" } },
}

local function jobs()
    local list = {}
    local function add(name, operation, arguments)
        local traffic = #operation.outputs
        for _, input in ipairs(operation.inputs) do
            traffic = traffic + ((input.kind == "map" or input.kind == "network") and 0 or 1)
        end
        list[#list + 1] = { name = name, traffic = traffic, run = function(land, size)
            return esker[operation.name](table.unpack(bench_values(operation, arguments, land, size)))
        end }
    end
    for _, operation in ipairs(esker.operations()) do
        if operation.category ~= "file" then
            add(operation.name, operation, {})
        end
        for _, variant in ipairs(variants) do
            if variant[2] == operation.name then
                add(variant[1], operation, variant[3])
            end
        end
    end
    for _, map in ipairs(maps) do
        list[#list + 1] = { name = map[1], traffic = 2, run = function(_, size)
            map[2].seed, map[3].size = map[2].seed or 2, size
            return esker.river_map(map[2]):render(map[3])
        end }
    end
    list[#list + 1] = { name = "base terrain", traffic = 1, run = function(_, size) return base(size) end }
    list[#list + 1] = { name = "base, erosion, playability", traffic = 1, run = function(_, size)
        return base(size):olsen_erosion{}:playability{}
    end }
    return list
end

-- One call after the other, as in a recipe: garbage is collected when an operation finds that there is enough of it.
local function median_time(job, land, size, clock)
    local times = {}
    for i = 0, 5 do
        local start = clock()
        job.run(land, size)
        times[i] = clock() - start
        if times[i] > 5 then
            return times[i]
        end
    end
    table.sort(times)
    return times[3]
end

print(("%-30s %6s %9s %9s %7s %7s %7s %7s"):format(
    "operation", "size", "ms", "2 threads", "ns/cell", "GB/s", "memory", "x Java"))
for _, size in ipairs{ 512, 1024, 4096 } do
    if size <= largest then
        local land = base(size)
        for _, job in ipairs(jobs()) do
            if not job.name:find(wanted, 1, true) then
                goto next_job
            end
            esker.threads(1)
            collectgarbage()
            local before = esker.memory(true)
            job.run(land, size)
            local _, most = esker.memory()
            local alone = median_time(job, land, size, os.clock)
            local lone_seconds = median_time(job, land, size, esker.seconds)
            esker.threads(2)
            local both = median_time(job, land, size, esker.seconds)
            local cells = size * size
            local peer = java[job.name] and java[job.name][size]
            print(("%-30s %6d %9.2f %8.2fx %7.2f %7.2f %7.1f %7s"):format(job.name, size, alone * 1e3,
                lone_seconds / both, alone / cells * 1e9, job.traffic * 4 * cells / alone * 1e-9,
                (most - before) / (4 * cells),
                peer and ("%.1f"):format(peer / (alone * 1e3)) or ""))
            ::next_job::
        end
    end
end

-- Processor time, on one thread, that windows of 256² take at random places of random raw maps, each the best of three.
local function times_anywhere(lowest, highest)
    local function digits()
        local text = {}
        for i = 1, 36 do
            text[i] = math.random(0, 9)
        end
        return "0." .. math.random(1, 8) .. table.concat(text)
    end
    local times = {}
    for seed = 1, 250 do
        local map = esker.river_map{ seed = seed, land = "raw" }
        local zoom = 10 ^ (lowest + (highest - lowest) * math.random())
        local window = { x = digits(), y = digits(), zoom = zoom, size = 256 }
        if zoom < 10 then -- all of it on the map
            window.x, window.y = 0.5 + (1 - 1 / zoom) * (window.x - 0.5), 0.5 + (1 - 1 / zoom) * (window.y - 0.5)
        end
        local best = math.huge
        for _ = 1, 3 do
            local start = os.clock()
            map:render(window)
            best = math.min(best, os.clock() - start)
        end
        times[seed] = best * 1e3
    end
    table.sort(times)
    return times
end

if ("render raw anywhere"):find(wanted, 1, true) then
    esker.threads(1)
    print(("\n%-30s %9s %9s %9s %9s"):format("render raw anywhere, 256²", "median ms", "95 %", "most", "times"))
    for _, band in ipairs{ { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 9 }, { 9, 15 }, { 15, 22 }, { 22, 27 } } do
        math.randomseed(5)
        local times = times_anywhere(band[1], band[2])
        print(("zoom 1e%-2d to 1e%-18d %9.2f %9.2f %9.2f %9.2f"):format(band[1], band[2], times[#times // 2],
            times[math.ceil(#times * 0.95)], times[#times], times[#times] / times[#times // 2]))
    end
end

-- Processor time of a window on a map that has drawn another one before.
local function time_after(before, window, seed)
    local map = esker.river_map{ seed = seed }
    map:render(before)
    local start = os.clock()
    map:render(window)
    return (os.clock() - start) * 1e3
end

if ("eroded land"):find(wanted, 1, true) then
    local first = { size = 16 } -- erodes level 0
    local function at(zoom, size)
        return { x = 0.42, y = 0.57, zoom = zoom, size = size }
    end
    esker.threads(1)
    print("\neroded land, one thread: milliseconds of processor time, medians of five")
    for _, row in ipairs{
        { "1024² at zoom 1, after level 0", first, { size = 1024 } },
        { "the same again", { size = 1024 }, { size = 1024 } },
        { "1024² at zoom 2^10, after level 0", first, at(2 ^ 10, 1024) },
        { "1024² at zoom 2^20, after level 0", first, at(2 ^ 20, 1024) },
        { "1024² at zoom 2^30, after level 0", first, at(2 ^ 30, 1024) },
        { "256² at zoom 2^6, after the coarser 512²", at(2 ^ 4, 512), at(2 ^ 6, 256) },
        { "256² at zoom 2^20, after the coarser 512²", at(2 ^ 18, 512), at(2 ^ 20, 256) },
    } do
        local times = {}
        for i = 1, 5 do
            times[i] = time_after(row[2], row[3], 2)
        end
        table.sort(times)
        print(("%-45s %9.1f"):format(row[1], times[3]))
    end
end
