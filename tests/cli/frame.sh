# What `esker info` says of a window's frame: its unit, where the sea is and how high the ground of the map is. Heights that are multiplied have none of
# them.
cat >windows.lua <<'LUA'
local map = esker.river_map{ seed = 2, land = "raw" }
local window = { x = 0.42, y = 0.57, zoom = 64, size = 16, relative = true }
local shares = map:render(window)
window.side = 200000
return { shares = shares, metres = (map:render(window)), doubled = 2 * shares }
LUA
esker windows.lua -o out -q
for name in shares metres doubled; do
    echo "$name"
    esker info out/$name.png | grep -E 'unit|sea|top' | sed 's/[0-9.-]\{4,\}/N/'
done
