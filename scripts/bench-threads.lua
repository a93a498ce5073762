-- What two threads give: make bench-threads [NAME=name,…] [SIZE=2048]
-- Each operation runs on one thread in a module that times the blocks of its parallel loops and deals them to
-- whichever of two threads is free first (scripts/bench-threads.c). Prints processor time of the fastest of five calls
-- in milliseconds (of one, where a call takes over four seconds), how much of it is outside parallel loops, and one
-- thread's time divided by that of two. Land is spectral; a value that is not a field is made once.
-- `land` stands for windows of new eroded maps and for amplify from 512² to 4096².

package.path = "scripts/?.lua;" .. package.path
local esker = require "esker"
local bench_values = require "bench_values"
local loop_seconds = assert(package.loadlib(package.searchpath("esker", package.cpath), "loop_seconds"))

local size, wanted = tonumber(arg[1]) or 2048, {}
for name in (arg[2] or ""):gmatch("[^,]+") do
    wanted[name] = true
end
local variants = {
    flow_accumulation = { { method = "dinf" } },
    stream_order = { { method = "shreve" }, { method = "hack" } },
    squig_mountain = {
        { slope = 0.3, symmetry = 1, tributaries = 0.35, branch_levels = 5, smoothness = 1 },
    },
}

-- Seconds of the fastest call, those outside loops, and how many times faster two threads are; or nil and why.
-- What `prepare` returns is given to the call.
local function measure(call, prepare)
    local best, serial, times = math.huge, nil, nil
    for _ = 1, 5 do
        local values = table.pack(prepare())
        collectgarbage()
        local loops, two = loop_seconds()
        local start = os.clock()
        local worked, problem = pcall(call, table.unpack(values, 1, values.n))
        local all = os.clock() - start
        if not worked then
            return nil, problem
        end
        local loops_after, two_after = loop_seconds()
        if all < best then
            best, serial = all, all - (loops_after - loops)
            times = all / (serial + two_after - two)
        end
        if all > 4 then
            break
        end
    end
    return best, serial, times
end

local function measure_operation(operation, arguments, land)
    local ready, values = pcall(bench_values, operation, arguments, land, size)
    if not ready then
        return nil, values
    end
    return measure(esker[operation.name], function() return table.unpack(values) end)
end

local function print_times(name, best, serial, times)
    print(("%-36s %10.2f %10.2f %6.2f"):format(name, best * 1e3, serial * 1e3, times))
end

local function measure_land()
    local function map()
        return esker.river_map{ seed = 2 }
    end
    local function at(zoom, side)
        return { x = 0.421, y = 0.5747, zoom = zoom, size = side }
    end
    print_times("land, 1024² of a new map", measure(function(new) new:render{ size = 1024 } end, map))
    print_times("land, 256², parent kept", measure(function(new) new:render(at(128, 256)) end, function()
        local new = map()
        new:render(at(64, 256))
        return new
    end))
    print_times("land, 1024² at 2^30, new map", measure(function(new) new:render(at(2.0 ^ 30, 1024)) end, map))
    local coarse = esker.diamond_square{ size = 1024, seed = 1 }:resize{ size = 512 }
    print_times("land, amplify 512² to 4096²", measure(function() coarse:amplify{ levels = 3 } end, function() end))
end

esker.threads(1)
local land, refused = esker.spectral{ size = size, seed = 1 }, {}
print(("%-36s %10s %10s %6s"):format(size .. "²", "ms", "serial", "times"))
for _, operation in ipairs(esker.operations()) do
    if operation.category ~= "file" and (not next(wanted) or wanted[operation.name]) then
        for _, arguments in ipairs{ {}, table.unpack(variants[operation.name] or {}) } do
            local name = operation.name
            if next(arguments) then
                name = name .. " " .. (arguments.method or "all options")
            end
            local best, serial, times = measure_operation(operation, arguments, land)
            if best then
                print_times(name, best, serial, times)
            else
                refused[#refused + 1] = name
            end
        end
    end
end
if not next(wanted) or wanted.land then
    measure_land()
end
if #refused > 0 then
    print("\nneed arguments: " .. table.concat(refused, ", "))
end
