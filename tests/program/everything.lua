-- A small recipe with every kind of value, parameter and file, for tests of what may fail.
local p = params{ seed = 1, size = { 24, min = 8, max = 64 }, name = "x", flag = true }

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1 }
local land = (2 / 3 * noise + 1 / 3 * hills):perturb{ seed = p.seed }:olsen_erosion{ iterations = 3 }
local wet = land:hydraulic_erosion{ iterations = 3 }:thermal_erosion{ iterations = 2 }
local bent = wet:curve{ points = { { 0, 0 }, { 0.5, 0.2 }, { 1, 1 } } }:resize{ size = 2 * p.size }
local ramp = esker.field{ size = 16, values = function(x, y) return (x + y) / 30 end }

local map = esker.river_map{ seed = p.seed, land = "raw" }
local height, water = map:render{ size = 32 }
local rivers = map:rivers{ size = 64 }
local grown = esker.river_network{ size = p.size, points = 60, ridges = 1, seed = 2 }
local mountain = esker.squig_mountain{ levels = 3, seed = p.seed }

local lines = {}
for name, value in pairs{ b = 1, a = 2, 3, [true] = 4 } do
    lines[#lines + 1] = ("%s %s"):format(name, tostring(value))
end
table.sort(lines, function(a, b) return a < b end)
local made = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
print(table.concat(lines, ","), made(), made(), assert(load("return 1 + 1"))())
local _, reason = pcall(error, { why = "no memory of it" })

return {
    height = height, water = water, bent = bent, ramp = ramp, mountain = mountain,
    relief = land:relief{ palette = { { 0, "#000000" }, { 1, "#ffffff" } } },
    mesh = land:mesh{ error = 0.05 }, rivers = rivers, grown = grown,
    drawn = rivers:draw{},
    score = land:erosion_score(), why = reason.why, suitability = land:playability{}.suitability,
}
