-- A mod for Luanti (Minetest): endless land, computed by libesker while players walk (docs/luanti.md).
--
-- LuaJIT calls the library, which mods may only do if the server's owner trusts them:
--
--     secure.trusted_mods = esker_endless

local path = core.get_modpath("esker_endless")
local trusted = core.request_insecure_environment()
assert(trusted, "esker_endless: write secure.trusted_mods = esker_endless into minetest.conf, "
    .. "so that this mod may load libesker")
local has_ffi, ffi = pcall(trusted.require, "ffi")
assert(has_ffi, "esker_endless: this server was built without LuaJIT, by which the mod calls libesker")

core.set_mapgen_setting("mg_name", "singlenode", true)

local function number_of(name, default)
    return tonumber(core.settings:get("esker_" .. name)) or default
end

local function text_of(name, default)
    local text = core.settings:get("esker_" .. name)
    return text and text ~= "" and text or default
end

local options = { library = text_of("library"), seed = text_of("seed", core.get_mapgen_setting("seed")),
    landscape = text_of("landscape", "hills"), side = number_of("side", 200000), cell = number_of("cell", 1),
    lakes = number_of("lakes", 0.02), snow = number_of("snow", 1500), trees = number_of("trees", 6),
    ores = core.settings:get_bool("esker_ores", true) }
-- Not by the game's dofile, which a mod before this one may have replaced.
local land = trusted.dofile(path .. "/land.lua").open(ffi, trusted.dofile(path .. "/declarations.lua"), options)

-- Without mod security, threads that make maps load the library themselves, and share its ground.
if core.register_mapgen_script and core.ipc_set and pcall(require, "ffi") then
    core.ipc_set("esker_endless:world",
        { options = options, ground = tonumber(ffi.cast("intptr_t", land.ground)) })
    core.register_mapgen_script(path .. "/thread.lua")
else
    local make, times = trusted.dofile(path .. "/mapgen.lua")(land)
    core.register_on_generated(function(lowest, highest)
        local manipulator = core.get_mapgen_object("voxelmanip")
        if make(manipulator, lowest, highest) then
            manipulator:write_to_map()
        end
    end)
    core.register_on_shutdown(function()
        core.log("action", ("esker_endless: %d chunks with land, %.1f ms each in the mod, %.1f ms in Luanti"):format(
            times.chunks, 1000 * times.land / math.max(times.chunks, 1),
            1000 * times.engine / math.max(times.chunks, 1)))
    end)
end

-- Players begin on dry ground near the middle.
local function begin(player)
    for away = 0, 2000, 4 do
        local ground, water = land:at(away, 0)
        if water < ground and ground > 0 then
            player:set_pos{ x = away, y = ground + 1.5, z = 0 }
            return true
        end
    end
end

core.register_on_newplayer(begin)
core.register_on_respawnplayer(begin)

-- For other mods, which get nothing by which they could call the library: the highest nodes of the ground and of the
-- water in a column.
esker_endless = { at = function(x, z)
    return land:at(x, z)
end }
