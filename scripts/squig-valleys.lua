-- Squig mountains over many seeds, as published and with each of the open problems solved: the table of
-- docs/squig-mountains.md. Usage: lua5.4 scripts/squig-valleys.lua [SEEDS] [LEVELS]

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local seeds, levels = tonumber(arg[1]) or 200, tonumber(arg[2]) or 9
local away = 4 -- cells from the river, where its banks are measured

local variants = {
    { "as published", {} },
    { "`slope = 0.3`", { slope = 0.3 } },
    { "`slope = 0.3, waterfalls = 0.8`", { slope = 0.3, waterfalls = 0.8 } },
    { "`symmetry = 1`", { symmetry = 1 } },
    { "`tributaries = 0.35`", { tributaries = 0.35, branch_levels = 5 } },
    { "all", { slope = 0.3, symmetry = 1, tributaries = 0.35, branch_levels = 5, smoothness = 1 } },
}

-- The steepness of both banks where the river's course is clear, in heights a cell.
local function banks(land, reach, at)
    local before, here, after = reach[at - 8], reach[at], reach[at + 8]
    local dx, dy = after.x - before.x, after.y - before.y
    local length = math.sqrt(dx * dx + dy * dy)
    if length < away then
        return nil
    end
    local slopes = {}
    for i, side in ipairs{ -away, away } do
        local x, y = math.floor(here.x - side * dy / length), math.floor(here.y + side * dx / length)
        if x < 0 or y < 0 or x >= land.width or y >= land.height then
            return nil
        end
        slopes[i] = (land:get(x, y) - here.altitude) / away
    end
    return slopes[1], slopes[2]
end

local function is_wet(wet, x, y)
    return wet[y * 100000 + x]
end

local function measure(land, network)
    local found = { breaks = 0, rises = 0, undercut = 0, asymmetry = 0, steep = 0, banks = 0, reaches = #network }
    local reaches, wet, lowest, highest = network:reaches(), {}, 1, 0
    for _, reach in ipairs(reaches) do
        for i, point in ipairs(reach) do
            local before = reach[i - 1]
            if before and math.max(math.abs(point.x - before.x), math.abs(point.y - before.y)) > 1 then
                found.breaks = found.breaks + 1
            end
            if before and point.altitude > before.altitude then
                found.rises = found.rises + 1
            end
            lowest, highest = math.min(lowest, point.altitude), math.max(highest, point.altitude)
            wet[math.floor(point.y) * 100000 + math.floor(point.x)] = true
        end
    end
    for _, reach in ipairs(reaches) do
        for i, point in ipairs(reach) do
            local x, y = math.floor(point.x), math.floor(point.y)
            for _, off in ipairs{ { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 }, { 1, 1 }, { -1, -1 } } do
                local column, row = x + off[1], y + off[2]
                if column >= 0 and row >= 0 and column < land.width and row < land.height
                    and not is_wet(wet, column, row) and land:get(column, row) < land:get(x, y) then
                    found.undercut = found.undercut + 1
                end
            end
            if i > 8 and i + 8 <= #reach then
                local left, right = banks(land, reach, i)
                if left and left ~= right then
                    found.asymmetry = found.asymmetry + math.abs(left - right) / (math.abs(left) + math.abs(right))
                    found.steep = found.steep + math.max(left, right)
                    found.banks = found.banks + 1
                end
            end
        end
    end
    found.fall = highest - lowest
    return found
end

print("| variant | breaks | rises | land below | fall | reaches | asymmetry | steeper bank |")
print("| --- | --- | --- | --- | --- | --- | --- | --- |")
for _, variant in ipairs(variants) do
    local sum = {}
    for seed = 1, seeds do
        local arguments = { levels = levels, seed = seed }
        for name, value in pairs(variant[2]) do
            arguments[name] = value
        end
        local land, _, network = esker.squig_mountain(arguments)
        for name, value in pairs(measure(land, network)) do
            sum[name] = (sum[name] or 0) + value
        end
    end
    print(("| %s | %d | %d | %d | %.2f | %.0f | %.2f | %.4f |"):format(variant[1], sum.breaks, sum.rises,
        sum.undercut, sum.fall / seeds, sum.reaches / seeds, sum.asymmetry / sum.banks, sum.steep / sum.banks))
end
