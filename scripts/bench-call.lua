-- Processor time of one call, as recipes run it: lua5.4 scripts/bench-call.lua EXPRESSION SIZE. Calls follow each other
-- without a collection of garbage between them. Prints milliseconds: the least of several means over a few calls.
-- `land` and `other` are fields of the size, `size` their side, `path` a file that may be written;
-- `places(count, draw)` calls draw(x, y, i) for i = 1 … count with places 0.25 to 0.75, the same in every run.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"

local size = tonumber(arg[2])
esker.threads(1)
local land = esker.diamond_square{ size = size, seed = 1 }
local other = esker.noise{ size = size, seed = 2 }
local path = os.tmpname() -- makes a file
os.remove(path)
path = path .. ".png"

local function places(count, draw)
    for i = 1, count do
        draw(0.25 + i * 0.6180339887 % 1 / 2, 0.25 + i * 0.7548776662 % 1 / 2, i)
    end
end

local names = setmetatable({ esker = esker, size = size, land = land, other = other, path = path, places = places },
    { __index = _G })
local call = assert(load("return " .. arg[1], arg[1], "t", names))

local function mean_of(calls)
    local start = os.clock()
    for _ = 1, calls do
        call()
    end
    return (os.clock() - start) / calls
end

local calls = math.max(1, math.min(200, 0.005 // mean_of(1)))
local least = math.huge
for _ = 1, 8 do
    least = math.min(least, mean_of(calls))
end
os.remove(names.path)
print(("%.4f"):format(least * 1000))
