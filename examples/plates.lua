-- A fractal landscape with a river, as published (Prusinkiewicz and Hammel 1993, plates 1 and 2: ten levels).
local p = params{
    seed   = 4,
    levels = { 10, min = 1, max = 15 },
    width  = { 960, min = 16, max = 8192 },
}

local function plate(seed, azimuth)
    local land, river = esker.squig_mountain{ levels = p.levels, seed = seed, persistence = 0.56 }
    return land:perspective{
        width = p.width, height = p.width * 9 // 16, rivers = river, azimuth = azimuth, pitch = 33, distance = 1.5,
        vertical_scale = 4.5, field_of_view = 32, light = { azimuth - 60, 38 },
    }
end

return { plate1 = plate(p.seed, 180), plate2 = plate(p.seed + 4, 0) }
