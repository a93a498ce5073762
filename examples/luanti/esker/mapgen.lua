-- Makes chunks. Runs in the game's environment, or in those of the threads that make maps where Luanti has them
-- (5.9) and mods may load libraries there: only without mod security.

local path = core.get_modpath("esker")
local write_nodes = dofile(path .. "/nodes.lua")

-- The first of the names that the game has.
local function id_of(...)
    for _, name in ipairs{ ... } do
        local known = core.registered_aliases[name] or name
        if core.registered_nodes[known] then
            return core.get_content_id(known)
        end
    end
    error("esker: the game has none of the nodes " .. table.concat({ ... }, ", "), 0)
end

local function find_ids()
    return { air = core.get_content_id("air"), stone = id_of("mapgen_stone"), dirt = id_of("mapgen_dirt"),
        grass = id_of("mapgen_dirt_with_grass"), sand = id_of("mapgen_sand"),
        snow = id_of("mapgen_snowblock", "mapgen_dirt_with_snow", "mapgen_stone"), tree = id_of("mapgen_tree"),
        leaves = id_of("mapgen_leaves"), pine_tree = id_of("mapgen_pine_tree", "mapgen_tree"),
        pine_needles = id_of("mapgen_pine_needles", "mapgen_leaves"), water = id_of("mapgen_water_source"),
        river = id_of("mapgen_river_water_source", "mapgen_water_source"),
        gravel = id_of("mapgen_gravel", "mapgen_cobble", "mapgen_stone"),
        planks = id_of("default:wood", "mapgen_tree") }
end

-- `make_columns`: of columns.lua. Gives a function that makes the chunk between two corners in a manipulator, and the
-- time that it has taken: chunks with land, and processor time of land and nodes, and of Luanti's own functions, in
-- seconds.
return function(land, make_columns)
    local ids, data, times = nil, {}, { chunks = 0, land = 0, engine = 0 }
    return function(manipulator, lowest, highest)
        ids = ids or find_ids()
        local begun = os.clock()
        local columns = make_columns(land, lowest.x, lowest.z, highest.x - lowest.x + 1)
        times.land = times.land + os.clock() - begun
        if lowest.y > columns.highest then
            return false
        end
        begun = os.clock()
        local first, last = manipulator:get_emerged_area()
        manipulator:get_data(data)
        local read = os.clock()
        write_nodes(columns, data, VoxelArea:new{ MinEdge = first, MaxEdge = last }, lowest, highest, ids)
        local written = os.clock()
        manipulator:set_data(data)
        if land.options.ores and core.generate_ores then
            core.generate_ores(manipulator, lowest, highest)
        end
        manipulator:calc_lighting()
        manipulator:update_liquids()
        times.chunks = times.chunks + 1
        times.land = times.land + written - read
        times.engine = times.engine + os.clock() - written + read - begun
        return true
    end, times
end
