-- How well the rivers of maps with climate carry their rain; docs/climate.md has the figures:
-- lua5.4 scripts/discharge.lua [SEED ...]. Prints how often discharge falls downstream, and how far it is from the
-- exact sum over all ground that drains there. Takes seconds for each seed; by default for 7.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local SIDE = 2e6 -- metres
local LEVEL_0, FINER = 256, 4 -- cells along the side; of level 2 to one
local MM_A_YEAR = 1e-3 / (365.25 * 24 * 3600) -- m/s

local function map_of(seed)
    return esker.river_map{ seed = seed, side = SIDE, latitudes = { 15, 45 } }
end

-- Steps along rivers by how much their water falls.
local function falls(map, window, counts)
    for _, reach in ipairs(map:rivers(window):reaches()) do
        for i = 2, #reach do
            local before, here = reach[i - 1].water, reach[i].water
            local fall = before > 0 and 1 - here / before or 0
            counts.steps = counts.steps + 1
            for limit, count in pairs(counts.over) do
                counts.over[limit] = count + (fall > limit and 1 or 0)
            end
            counts.most = math.max(counts.most, fall)
        end
    end
end

-- The value below which this share of a list lies.
local function share_of(list, share)
    table.sort(list)
    return #list > 0 and list[math.ceil(share * #list)] or 0 / 0
end

-- Relative errors against the sum over the cells of level 2, by the size of streams.
local function errors(map, sorts)
    local window = { zoom = 1, size = LEVEL_0 * FINER }
    local altitude, _, flow, _, discharge = map:render(window)
    local runoff = map:climate(window).runoff
    local options = { sea_level = 0 }
    local drained = altitude:flow_accumulation(options)
    options.rain = runoff
    local exact = altitude:flow_accumulation(options)
    local cell = (SIDE / (LEVEL_0 * FINER)) ^ 2 * MM_A_YEAR
    for y = 0, window.size - 1 do
        for x = 0, window.size - 1 do
            local area = flow:get(x, y)
            local sort = area >= 24 * FINER ^ 2 and sorts[1] or sorts[2]
            if area >= 64 and math.abs(drained:get(x, y) / area - 1) < 0.1 then
                local is, sum = discharge:get(x, y), math.max(exact:get(x, y) / drained:get(x, y), 1)
                table.insert(sort, math.abs(is / (area * cell * sum) - 1))
            end
        end
    end
end

local seeds = #arg > 0 and arg or { "7" }
local counts, sorts = { steps = 0, most = 0, over = { [0.001] = 0, [0.01] = 0, [0.2] = 0 } }, { {}, {} }
for _, seed in ipairs(seeds) do
    local map = map_of(tonumber(seed))
    for _, window in ipairs{ { zoom = 2, size = 512 }, { x = 0.3, y = 0.4, zoom = 8, size = 512 },
        { x = 0.62, y = 0.46, zoom = 8, size = 512 }, { x = 0.62, y = 0.46, zoom = 40, size = 512 } } do
        falls(map, window, counts)
    end
    errors(map, sorts)
end
print(("%d steps along rivers"):format(counts.steps))
for _, limit in ipairs{ 0.001, 0.01, 0.2 } do
    print(("discharge falls by more than %g %%: %.2f %%"):format(100 * limit, 100 * counts.over[limit] / counts.steps))
end
print(("it falls by %.1f %% at most"):format(100 * counts.most))
for i, name in ipairs{ "streams of level 0", "streams that begin on levels 1 and 2" } do
    print(("%s: %d cells, off by %.1f %% (median), %.0f %% (95th percentile)"):format(name, #sorts[i],
        100 * share_of(sorts[i], 0.5), 100 * share_of(sorts[i], 0.95)))
end
