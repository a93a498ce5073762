-- A coarse elevation model, or a sketch, at eight times its resolution, with valleys that water has shaped.
--
--     esker examples/amplified.lua
--     esker examples/amplified.lua path=my.png levels=2 detail=1
local p = params{
    path   = { "examples/data/ridge.png", doc = "heights, as a 16-bit PNG" },
    levels = { 3, min = 1, max = 4, doc = "each doubles the cells along a side" },
    detail = { 2, min = 0, max = 4, doc = "strength of the detail" },
    seed   = 1,
}

local coarse = esker.load(p.path, { high = 65535 })
local fine = coarse:amplify{ levels = p.levels, detail = p.detail, seed = p.seed }
local smooth = coarse:resize{ width = fine.width, height = fine.height, interpolation = "cubic" }

return { height = fine, relief = fine:relief{}, smooth = smooth:relief{}, hollows = fine:realism{}.hollows }
