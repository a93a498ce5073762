-- The erosion score of Olsen's terrain, for sweeps: over the perturbation's magnitude (his figure 8, iterations=0) and
-- over the passes of his erosion at several talus angles (figure 28).
--
--     esker sweep examples/scores.lua seed=1..50 iterations=0 magnitude=0..0.5/11 -o figure8 --no-pictures
--     esker sweep examples/scores.lua seed=1..20 talus=4,8,16 iterations=0,10,50,100,500 -o figure28 --no-pictures
--     esker table figure8 --group magnitude; esker table figure28 --group talus,iterations
local p = params{
    seed       = 1,
    size       = { 512, min = 16, max = 4096 },
    magnitude  = { 0.25, min = 0, max = 1, doc = "of the perturbation" },
    talus      = { 16, min = 0, max = 64, doc = "erosion threshold, in 1/size per cell" },
    iterations = { 50, min = 0, max = 10000 },
}

local noise = esker.diamond_square{ size = p.size, seed = p.seed, smooth = true }
local hills = esker.voronoi{ size = p.size, seed = p.seed + 1 }
local land  = (2 / 3 * noise + 1 / 3 * hills):perturb{ magnitude = p.magnitude, seed = p.seed + 2 }
if p.iterations > 0 then
    land = land:olsen_erosion{ talus = p.talus, iterations = p.iterations }
end

return { height = land, erosion = land:erosion_score() }
