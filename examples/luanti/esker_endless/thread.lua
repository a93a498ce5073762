-- In the environment of a thread that makes maps.

local path = core.get_modpath("esker_endless")
local world = core.ipc_get("esker_endless:world")
local land = dofile(path .. "/land.lua").open(require("ffi"), dofile(path .. "/declarations.lua"), world.options,
    world.ground)
core.register_on_generated((dofile(path .. "/mapgen.lua")(land)))
