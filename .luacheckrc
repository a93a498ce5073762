std = "lua54"
max_line_length = 120
files["examples"] = { read_globals = { "esker", "params" } }
files["tests/cli"] = { read_globals = { "esker", "params" } }
