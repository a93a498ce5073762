-- A mod for Luanti (Minetest): land by Esker (docs/luanti.md), from files in this folder, or, if it has no file .r16,
-- computed by libesker while players walk.
--
-- LuaJIT calls the library, which mods may only do if the server's owner trusts them:
--
--     secure.trusted_mods = esker

local path = core.get_modpath("esker")
-- What the game's dofile has loaded never gets land of the library: a mod before this one may have replaced it.
local trusted = core.request_insecure_environment()
local load = trusted and trusted.dofile or dofile
local columns = load(path .. "/columns.lua")

core.set_mapgen_setting("mg_name", "singlenode", true)

local function number_of(name, default)
    return tonumber(core.settings:get("esker_" .. name)) or default
end

local function text_of(name, default)
    local text = core.settings:get("esker_" .. name)
    return text and text ~= "" and text or default
end

-- Luanti's seeds are 0 to 2^64 - 1, Esker's end at 2^63 - 1: of larger ones the last 18 digits count.
local function seed_of(text)
    local too_large = #text > 19 or #text == 19 and text > "9223372036854775807"
    return too_large and text:find("^%d+$") and text:sub(-18) or text
end

local snow = number_of("snow", 0)
local options = { library = text_of("library"), map = text_of("map"),
    seed = seed_of(text_of("seed", core.get_mapgen_setting("seed"))),
    landscape = text_of("landscape", "hills"), side = number_of("side", 200000), cell = number_of("cell", 1),
    lakes = number_of("lakes", 0.02), snow = snow > 0 and snow or nil, trees = number_of("trees", 6),
    ores = core.settings:get_bool("esker_ores", true) }

local names = core.get_dir_list(path, false)
table.sort(names)
local from_files = load(path .. "/files.lua")

-- The land, and whether threads that make maps have it.
local function open_land()
    if from_files.file_of_heights(names) then
        return from_files.open(names, columns, function(name)
            local file = assert(io.open(path .. "/" .. name, "rb"))
            local text = file:read("*a")
            file:close()
            return text
        end, core.parse_json, function(text) core.log("action", text) end, options)
    end
    assert(trusted, "esker: write secure.trusted_mods = esker into minetest.conf, so that this mod may load libesker; "
        .. "or copy what a recipe has exported into its folder")
    local has_ffi, ffi = pcall(trusted.require, "ffi")
    assert(has_ffi, "esker: this server was built without LuaJIT, by which the mod calls libesker")
    local land = load(path .. "/library.lua").open(ffi, load(path .. "/declarations.lua"), columns, options)
    -- Without mod security, threads that make maps load the library themselves, and share its ground.
    if core.register_mapgen_script and core.ipc_set and pcall(require, "ffi") then
        core.ipc_set("esker:world", { options = options, addresses = land:addresses() })
        core.register_mapgen_script(path .. "/thread.lua")
        return land, true
    end
    return land
end

local land, threads = open_land()
if not threads then
    local make, times = load(path .. "/mapgen.lua")(land, columns.columns)
    core.register_on_generated(function(lowest, highest)
        local manipulator = core.get_mapgen_object("voxelmanip")
        if make(manipulator, lowest, highest) then
            manipulator:write_to_map()
        end
    end)
    core.register_on_shutdown(function()
        core.log("action", ("esker: %d chunks with land, %.1f ms each in the mod, %.1f ms in Luanti"):format(
            times.chunks, 1000 * times.land / math.max(times.chunks, 1),
            1000 * times.engine / math.max(times.chunks, 1)))
    end)
end

-- Towns have signs that players see from anywhere.
local function show_towns(player)
    for _, town in ipairs(land.towns or {}) do
        player:hud_add{ hud_elem_type = "waypoint", name = town.name, text = " m", number = 0xffffff, precision = 1,
            world_pos = { x = town.x, y = columns.at(land, town.x, town.z) + 3, z = town.z } }
    end
end

-- Players begin in the first town, or on dry ground near the middle.
local function begin(player)
    local town = land.towns and land.towns[1]
    if town then
        player:set_pos{ x = town.x, y = columns.at(land, town.x, town.z) + 1.5, z = town.z }
        return true
    end
    for away = 0, 2000, 4 do
        local ground, water = columns.at(land, away, 0)
        if water < ground and ground > 0 then
            player:set_pos{ x = away, y = ground + 1.5, z = 0 }
            return true
        end
    end
end

core.register_on_joinplayer(show_towns)
core.register_on_newplayer(begin)
core.register_on_respawnplayer(begin)

-- For other mods, which get nothing by which they could call the library: the highest nodes of the ground and of the
-- water in a column.
esker = { at = function(x, z)
    return columns.at(land, x, z)
end }
