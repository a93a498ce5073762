-- In the environment of a thread that makes maps.

local path = core.get_modpath("esker")
local world = core.ipc_get("esker:world")
local columns = dofile(path .. "/columns.lua")
local land = dofile(path .. "/library.lua").open(require("ffi"), dofile(path .. "/declarations.lua"), columns,
    world.options, world.addresses)
core.register_on_generated((dofile(path .. "/mapgen.lua")(land, columns.columns)))
