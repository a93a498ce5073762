std = "lua54"
max_line_length = 120
local recipes = { read_globals = { "esker", "params" } }
files["examples"] = recipes
files["docs"] = recipes
files["examples/luanti"] = { std = "luajit", read_globals = { "core", "VoxelArea" }, globals = { "esker" } }
files["tests/support/luanti_probe"] = { std = "luajit", read_globals = { "core", "vector", "VoxelArea", "VoxelManip" } }
files["scripts/realism.lua"] = recipes
files["tests/lua"] = { allow_defined_top = true }
files["tests/program"] = recipes
files["tests/long"] = { allow_defined_top = true }
exclude_files = { "lua/esker/meta", "tests/attacks" } -- generated; not meant to be good Lua
files["lua/esker/gallery_page.lua"] = { max_line_length = false } -- a web page
