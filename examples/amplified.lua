-- A coarse elevation model, or a sketch, at eight times its resolution, with valleys that water has shaped.
--
--     esker examples/amplified.lua
--     esker examples/amplified.lua path=my.tif levels=2 detail=1
local p = params{
    path   = { "examples/data/ridge.png", doc = "heights in metres, as a 16-bit PNG or a GeoTIFF" },
    levels = { 3, min = 1, max = 4, doc = "each doubles the cells along a side" },
    detail = { 2, min = 0, max = 4, doc = "strength of the detail" },
    seed   = 1,
}

local loaded = esker.load(p.path, p.path:match("%.png$") and { high = 65535 } or {}) -- a GeoTIFF has heights
local coarse = loaded:inpaint(loaded:find_gaps())
local fine = coarse:amplify{ levels = p.levels, detail = p.detail, seed = p.seed }
local smooth = coarse:resize{ width = fine.width, height = fine.height, interpolation = "cubic" }

return { height = fine, relief = fine:relief{}, smooth = smooth:relief{}, hollows = fine:realism{}.hollows }
