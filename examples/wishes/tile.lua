-- A texture that tiles without a seam
-- Base terrain wraps, and operations look across its edges. The picture is the tile, four times.
local p = params{ seed = 2, size = 100 }
local land = esker.spectral{ size = p.size, seed = p.seed }:stream_erosion{ age = 0.4, wrap = true }:normalize()
local tile = land:texture{ shade = land:hillshade() * 1.3 }
local row = tile:join(tile, { gap = 0 })
return { picture = row:join(row, { gap = 0, direction = "below" }), tile = tile }
