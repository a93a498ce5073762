-- A planet with rivers, as an equirectangular map, from far away, from nearby, and as the six faces of a cube.
local p = params{
    seed  = 4,
    width = { 1024, min = 64, max = 32768, doc = "of the whole map, which is half as high" },
    x     = { 0.3, min = 0, max = 1, doc = "where to look closer" },
    y     = { 0.45, min = 0.25, max = 0.75 },
    zoom  = { 12, min = 2, max = 1e6 },
}

local planet = esker.river_map{ seed = p.seed, tiling = "sphere", river_width = 0.01 }
-- All have the colours of metres, and slopes exaggerated by the metres of a pixel, as they know from their frames.
local function picture(altitude, river, options)
    options.rivers, options.sea_level = river, 0
    return altitude:relief(options)
end

local altitude, river = planet:render{ width = p.width, height = p.width // 2 }
local near, near_river = planet:render{ x = p.x, y = p.y, zoom = p.zoom, size = p.width // 2 }
local disk, disk_river = planet:render{ projection = "orthographic", rotation = { 30, 20 }, size = p.width // 2 }

local cube
for _, faces in ipairs{ { "front", "right", "back" }, { "left", "top", "bottom" } } do
    local row
    for _, face in ipairs(faces) do
        local face_altitude, face_river = planet:render{ projection = "cube", face = face, size = p.width // 4 }
        local tile = picture(face_altitude, face_river, { projection = "cube", face = face })
        row = row and row:join(tile, { gap = 0 }) or tile
    end
    cube = cube and cube:join(row, { direction = "below", gap = 0 }) or row
end

return {
    cube  = cube,
    globe = picture(disk, disk_river, { projection = "orthographic" }),
    map   = picture(altitude, river, { wrap = true }),
    near  = picture(near, near_river, {}),
}
