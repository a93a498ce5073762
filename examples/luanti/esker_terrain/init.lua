-- A mod for Luanti (Minetest): the world is a field exported by Esker,
--
--     land:export("terrain", { engine = "minetest", metres = 120, cell = 1 })
--
-- as the only file .r16 in the folder of this mod, which lies in worldmods of a world. Row 0 lies in the north, the
-- middle of the field at x = 0, z = 0; a number is 32768 more than the height in nodes. Sea level is at y = 0.

local folder = core.get_modpath(core.get_current_modname())

local function file_of_heights()
    local found = {}
    for _, name in ipairs(core.get_dir_list(folder, false)) do
        if name:find("%.r16$") then
            table.insert(found, folder .. "/" .. name)
        end
    end
    assert(#found == 1, ("esker_terrain: %s must hold one file .r16, exported by Esker; there are %d"):format(folder,
        #found))
    return found[1]
end

local path = file_of_heights()
local file = assert(io.open(path, "rb"))
local heights = file:read("*a")
file:close()
local size = math.floor(math.sqrt(#heights / 2))
assert(#heights == 2 * size * size, "esker_terrain: " .. path .. " is not a square of 16-bit numbers")
local half = math.floor(size / 2)

core.set_mapgen_setting("mg_name", "singlenode", true)

-- The height of the ground at x, z in nodes; nil beyond the field.
local function height_at(x, z)
    local column, row = x + half, half - 1 - z
    if column < 0 or row < 0 or column >= size or row >= size then
        return nil
    end
    local low, high = heights:byte(2 * (row * size + column) + 1, 2 * (row * size + column) + 2)
    return low + 256 * high - 32768
end

core.register_on_generated(function(lowest, highest)
    local stone, grass = core.get_content_id("mapgen_stone"), core.get_content_id("mapgen_dirt_with_grass")
    local dirt, sand = core.get_content_id("mapgen_dirt"), core.get_content_id("mapgen_sand")
    local water = core.get_content_id("mapgen_water_source")
    local manipulator, first, last = core.get_mapgen_object("voxelmanip")
    local area = VoxelArea:new{ MinEdge = first, MaxEdge = last }
    local nodes = manipulator:get_data()
    for z = lowest.z, highest.z do
        for x = lowest.x, highest.x do
            local height = height_at(x, z)
            for y = lowest.y, height and math.min(highest.y, math.max(height, 0)) or lowest.y - 1 do
                local node = stone
                if y > height then
                    node = water
                elseif y == height then
                    node = height > 1 and grass or sand
                elseif y > height - 3 then
                    node = height > 1 and dirt or sand
                end
                nodes[area:index(x, y, z)] = node
            end
        end
    end
    manipulator:set_data(nodes)
    manipulator:calc_lighting()
    manipulator:update_liquids()
    manipulator:write_to_map()
end)

-- Players begin on dry ground near the middle.
core.register_on_newplayer(function(player)
    for away = 0, half - 1 do
        local height = height_at(away, 0)
        if height and height > 0 then
            player:set_pos({ x = away, y = height + 2, z = 0 })
            return
        end
    end
end)

return height_at
