-- The rendered views of Olsen 2004: an eroded terrain (figure 1), the base terrain (10), thermal erosion (18),
-- hydraulic erosion (25) and the new erosion at two talus angles (31), all from the same camera.
local p = params{
    seed  = 4,
    size  = { 512, min = 16, max = 16384 },
    width = { 640, min = 16, max = 8192 },
}

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1 }
local base  = (2 / 3 * noise + 1 / 3 * hills):perturb{ seed = p.seed + 2 }

local function view(land)
    return land:perspective{
        width = p.width, height = p.width * 3 // 4, palette = "alpine", azimuth = 35, pitch = 24, distance = 0.75,
        target = { 0.5, 0.5, 0.02 }, field_of_view = 40, vertical_scale = 2.2, light = { 300, 32 }, rock = 1.2,
    }
end
local function pair(left, right)
    return view(left):join(view(right))
end

local thermal, hydraulic = { iterations = 50 }, { iterations = 100 }
local slow_thermal = { method = "reference", iterations = 50 }
local slow_hydraulic = { method = "reference", iterations = 100 }
local low, high = base:olsen_erosion{ talus = 8, iterations = 50 }, base:olsen_erosion{ talus = 16, iterations = 50 }

return {
    figure1  = view(low:thermal_erosion{ iterations = 5 }),
    figure10 = view(base),
    figure18 = pair(base:thermal_erosion(slow_thermal), base:thermal_erosion(thermal)),
    figure25 = pair(base:hydraulic_erosion(slow_hydraulic), base:hydraulic_erosion(hydraulic)),
    figure31 = pair(low, high),
}
