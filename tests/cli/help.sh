# What a recipe takes, told before it computes anything; options where they belong.
run() {
    status=0
    esker "$@" || status=$?
    echo "exit $status" >&2
}
cat >hills.lua <<'LUA'
-- Hills by the sea.
-- Twenty seeds look well.

local p = params{
    seed = 1,
    size = { 256, min = 16, max = 4096, integer = true },
    talus = { 12, min = 0, max = 64, doc = "erosion threshold, in 1/size per cell" },
    mode = { "soft", choices = { "soft", "hard" }, doc = "\27[31mkind of hills" },
    wrap = false,
}
error("computed")
LUA
echo 'return { n = 1 }' >plain.lua
run help hills.lua
run hills.lua --help
run help plain.lua
run help ./missing.lua
run help --sqlite
run hills.lua --budget 20
run -i --json
run sweep hills.lua --design halton
run sweep hills.lua --samples 2.5
run hills.lua --time-limit -1
run hills.lua --threads 257
run hills.lua size=12.5
run help slope hills.lua
run hills.lua talus=12.5
# The documentation names the choices: they are not listed again.
esker help normal_map | grep -c '"opengl" or "directx"' || true
# The options of a command, each with what it does.
esker info --help
