-- Another environment by load.
local env = load("return _ENV")()
if rawget(env, "io") or rawget(env, "debug") then print("LEAK") end
local real = load("return _ENV", "x", "t", nil)()
if type(real) == "table" and rawget(real, "io") then print("LEAK") end
return { done = true }
