-- Prints the table of docs/river-networks.md: lua5.4 scripts/river-realism.lua REAL.png [seeds]
-- REAL.png is a real elevation model. Rivers of all are found alike, by flow accumulation on the heights; of networks
-- also as they grew.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local path, seeds = arg[1], tonumber(arg[2]) or 8
local real = esker.load(path):normalize()
local width, height = real.width, real.height

-- The share of the way from the lowest to the highest at which the mean lies (Strahler 1952).
local function hypsometric_integral(land)
    local s = esker.statistics(land)
    return (s.mean - s.min) / (s.max - s.min)
end

-- How uneven slopes are: their deviation over their mean, and the share steeper than twice the mean. Without the
-- border, over which slopes look at the other side.
local function slopes(land)
    local slope = land:slope():crop{ x = 1, y = 1, width = land.width - 2, height = land.height - 2 }
    local s = esker.statistics(slope)
    local steep = 0
    for y = 0, slope.height - 1 do
        for x = 0, slope.width - 1 do
            steep = steep + (slope:get(x, y) > 2 * s.mean and 1 or 0)
        end
    end
    return s.stddev / s.mean, steep / (slope.width * slope.height)
end

local function measure(network, land)
    local m = network:network_statistics{}
    local uneven, steep = slopes(land)
    return { m.number_ratio, m.length_ratio, m.area_ratio, m.hack, m.sinuosity, hypsometric_integral(land),
        uneven, steep }
end

-- The mean of several seeds.
local function mean(make)
    local sums = {}
    for seed = 1, seeds do
        for i, value in ipairs(measure(make(seed))) do
            sums[i] = (sums[i] or 0) + value / seeds
        end
    end
    return sums
end

local function grown(seed, style)
    local points = 3000
    if style == "paper" then
        local network = esker.river_network{ width = width, height = height, seed = seed, points = points, reach = 0.2,
                                             kill = 0.02, step = 0.02, concavity = 0, meander = 0 }
        return network, network:terrain{ style = "paper", slope = 3, radius = 0.05 }
    end
    local network = esker.river_network{ width = width, height = height, seed = seed, points = points }
    return network, network:terrain{ seed = seed }
end

local threshold = { threshold = 0.0005 }
local rows = {
    { "nature", function() return real:rivers_from_flow(threshold), real end },
    { "Esker, rivers from heights", function(seed)
        local _, land = grown(seed)
        return land:rivers_from_flow(threshold), land
    end },
    { "Esker, rivers as grown", function(seed) return grown(seed) end },
    { "paper, rivers from heights", function(seed)
        local _, land = grown(seed, "paper")
        return land:rivers_from_flow(threshold), land
    end },
    { "paper, rivers as grown", function(seed) return grown(seed, "paper") end },
    { "diamond-square, rivers from heights", function(seed)
        local land = esker.diamond_square{ width = width, height = height, seed = seed, smooth = true }
        return land:rivers_from_flow(threshold), land
    end },
}

print("| | number | length | area | Hack | sinuosity | hypsometric integral | slopes: deviation / mean "
    .. "| over 2 × mean |")
print("| --- |" .. (" --- |"):rep(8))
for _, row in ipairs(rows) do
    print(("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.3f |"):format(row[1], table.unpack(mean(row[2]))))
end
