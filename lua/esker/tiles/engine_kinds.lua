-- The layers that tiles of game engines have, and of which values. `plain`: a layer has the name of its value;
-- `shapes`: what lies on the land, with a table beside it if `table`; `note`: what the help says of it.

local engine_kinds = {
    heights = { of = { RiverMap = true, Field = true }, plain = true },
    image = { of = { Image = true }, plain = true },
    mask = { of = { Mask = true }, plain = true },
    control = { of = { Image = true }, note = "of Terrain3D" },
    water = { of = { RiverMap = true }, note = "mask" },
    rivers = { of = { RiverMap = true }, shapes = true, note = "lines" },
    lakes = { of = { RiverMap = true }, shapes = true, note = "polygons" },
    trees = { of = { RiverMap = true }, shapes = true, table = true, note = "points" },
    points = { of = { Points = true }, plain = true, shapes = true, table = true },
    lines = { of = { RiverNetwork = true, Lines = true }, plain = true, shapes = true },
    polygons = { of = { Polygons = true }, plain = true, shapes = true },
}

return engine_kinds
