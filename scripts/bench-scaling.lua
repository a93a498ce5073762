-- How the time of each operation grows with its field: lua5.4 scripts/bench-scaling.lua [LARGEST [NAME,…]]
-- Prints nanoseconds of processor time a cell at 256², 1024², 4096² and, if LARGEST is 16384, 16384², on one thread, of
-- the fastest of three calls; then how many times more a cell takes at the largest size than at 1024², or at 256²
-- where that is the largest. n log n makes that 1.2 from 1024² to 4096²; more than 1.5 is marked: some of it is memory,
-- which is slower than the cache. A call that is expected to take more than LIMIT seconds (20) is left out, and has no
-- growth, and one that its defaults do not allow. At 16384² a field takes 1 GiB, most operations 3.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local bench_values = require "bench_values"

local largest, wanted = tonumber(arg[1]) or 4096, {}
for name in (arg[2] or ""):gmatch("[^,]+") do
    wanted[name] = true
end
local limit = tonumber(os.getenv("LIMIT")) or 20
local sizes = { 256, 1024, 4096, 16384 }

-- Seconds that one call takes, or nil and what is wrong.
local function time_of(operation, land, size)
    local ready, values = pcall(bench_values, operation, {}, land, size)
    if not ready then
        return nil, values
    end
    local least = math.huge
    for _ = 1, 3 do
        local start = os.clock()
        local worked, problem = pcall(esker[operation.name], table.unpack(values))
        least = math.min(least, os.clock() - start)
        if not worked then
            return nil, problem
        end
        collectgarbage() -- so that the next call finds memory that is not new
        if least > 0.5 then
            break
        end
    end
    return least
end

esker.threads(1)
local lands = {}
for _, size in ipairs(sizes) do
    if size <= largest then
        lands[#lands + 1] = esker.noise{ size = size, seed = 1 }
    end
end

local refused = {}
local header = { ("%-24s"):format("ns a cell") }
for i in ipairs(lands) do
    header[#header + 1] = ("%9d²"):format(sizes[i])
end
print(table.concat(header) .. "   growth")
for _, operation in ipairs(esker.operations()) do
    if operation.category ~= "file" and (not next(wanted) or wanted[operation.name]) then
        local costs, shown = {}, {}
        for i, land in ipairs(lands) do
            local cells = sizes[i] ^ 2
            if i == 1 or (costs[i - 1] and costs[i - 1] * cells * 1e-9 < limit) then
                local seconds, problem = time_of(operation, land, sizes[i])
                costs[i] = seconds and seconds / cells * 1e9
                refused[#refused + 1] = i == 1 and problem and operation.name or nil
            end
            shown[i] = costs[i] and ("%10.2f"):format(costs[i]) or "         -"
        end
        if costs[1] then
            local most, base = costs[#lands], costs[#lands > 2 and 2 or 1]
            local growth = #lands > 1 and most and most / base
            print(("%-24s%s%9s%s"):format(operation.name, table.concat(shown),
                growth and ("%.2f"):format(growth) or "-", growth and growth > 1.5 and " *" or ""))
        end
    end
end
print("\nneed arguments: " .. table.concat(refused, ", "))
