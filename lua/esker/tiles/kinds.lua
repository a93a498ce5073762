-- What tiles can show, and of which values: flat maps, planets, fields, fields that lie somewhere (Placed), or images.
-- `layer`: a layer of vector tiles; `note`: what the help says of it.

local ground = { RiverMap = true, Planet = true, Field = true, Placed = true }

local tile_kinds = {
    relief = { of = ground },
    terrarium = { of = ground, encoding = "terrarium", note = "elevation" },
    mapbox = { of = ground, encoding = "mapbox", note = "elevation" },
    image = { of = { Image = true } },
    rivers = { of = { RiverMap = true }, layer = true, note = "lines" },
    contours = { of = ground, layer = true, note = "lines" },
}

return tile_kinds
