# What is easily mistyped, or taken for something else.
run() {
    status=0
    esker "$@" || status=$?
    echo "exit $status" >&2
}
echo 'local p = params{ seed = 1 } return { s = p.seed }' >seed.lua
echo 'return { map = esker.river_map{} }' >map.lua
echo 'os.execute("ls")' >ls.lua
printf '# A page\n\n**Words**\n' >page.md
run page.md
run ls.lua
run seed.lua seed=1..5
run seed.lua seed=1 seed=2
run sweep seed.lua seed=1-5 -o out
run tiles map.lua --levels 5..2 -o out
run tiles map.lua --area .5,.5,.2,.9 -o out
cat >system.lua <<'X'
local land = esker.noise{ size = 8 }
land.frame = { cell = 30, system = "WGS84", unit = "m" }
return { slope = land:distance() }
X
run system.lua
echo 'return { relief = esker.noise{ size = 8 }:relief() }' >relief.lua
run relief.lua --format releif=png -o out
echo 'return { land = esker.noise{ size = 8 }:erode() }' >erode.lua
run erode.lua
