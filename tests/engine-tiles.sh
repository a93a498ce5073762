#!/bin/sh
# Tiles for game engines: each is the file of `export`, neighbours share their edge, and shares of a run make the same files. Prints TAP.
set -u
. "$(dirname "$0")/support/scratch.sh"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN

refuses() { # refuses STATUS PATTERN WORDS…: the message, and nothing is left
    status=$1 pattern=$2
    shift 2
    esker tiles "$@" -o refused >printed 2>message
    [ $? = "$status" ] && grep -q -e "$pattern" message && [ ! -e refused ] && [ ! -e refused.parts ]
    check "refuses $*" $?
}

cat >map.lua <<'LUA'
return { land = esker.river_map{ seed = 4, side = 200000, landscape = "hills", lakes = 0.05 } }
LUA
fields='--engine unity --tile-size 33 --masks grass -q'
layer='--engine unity --tile-size 33 --cell 40 -q'
area="$layer --area 0.49,0.45,0.506,0.466"
esker tiles map.lua $area --kinds heights,water,rivers,lakes -o map -j 1 2>message &&
    [ "$(ls map | grep -c '^land_[0-2]_[0-2].raw$')" = 9 ] && [ "$(ls map | wc -l)" = 41 ] && [ ! -e map.parts ]
check "layers of a map, a file for each tile" $?
cat >edges.lua <<'LUA'
local function tile(x, y)
    return esker.load(("map/land_%d_%d.raw"):format(x, y), { width = 33, height = 33, flip = true, low = 0, high = 65535 })
end
local same, least = 0, 1e9
for y = 0, 2 do
    for x = 0, 1 do
        local a, b = tile(x, y):crop{ x = 32, width = 1 }, tile(x + 1, y):crop{ x = 0, width = 1 }
        local c, d = tile(y, x + 1):crop{ y = 32, height = 1 }, tile(y, x):crop{ y = 0, height = 1 }
        same = same + (a == b and 1 or 0) + (c == d and 1 or 0)
        least = math.min(least, a:statistics().stddev, c:statistics().stddev)
    end
end
return { same = same, varied = least > 100 and 1 or 0 }
LUA
esker edges.lua >printed 2>message && grep -q '^same = 12$' printed && grep -q '^varied = 1$' printed
check "neighbours share their edges to the bit, x to the east and y to the north" $?
cat >one.lua <<'LUA'
local p = params{ low = 0, high = 1 }
local cells, left, top = 5000, 2450 + 32, 2250 + 64 -- the tile 1 to the east and 2 to the south, the southernmost
local altitude, _, _, lake = esker.river_map{ seed = 4, side = 200000, landscape = "hills", lakes = 0.05 }:render{
    x = (left + 16.5) / cells, y = (top + 16.5) / cells, zoom = cells / 33, size = 33 };
(altitude - lake):export("one", { engine = "unity", overlap = 1, low = p.low, high = p.high, metres = 1 })
return { done = 1 }
LUA
range() { sed -n 's/.*"'"$1"'":\([-0-9.e]*\).*/\1/p' map/world.json; }
esker one.lua low="$(range lowest)" high="$(range highest)" -o out >printed 2>message && cmp out/one.raw map/land_1_0.raw
check "a tile is the file that export writes of the window" $?
# A strip of 130 tiles in three blocks.
echo 'return { land = esker.noise{ width = 4161, height = 33, seed = 2, wrap = false } }' >strip.lua
strip='--engine unity --tile-size 33 -q'
esker tiles strip.lua $strip -o strip -j 1 2>message && [ "$(ls strip | grep -c '^land_[0-9]*_0.raw$')" = 130 ]
check "a strip of tiles" $?
for k in 2 3 1; do
    esker tiles strip.lua $strip -o shared --shard $k/3 2>message || echo "share $k"
    [ $k = 1 ] || ! esker tiles --merge -o shared 2>merged || echo "merged too early"
done >wrong
[ ! -s wrong ] && grep -q '1 of 3 parts are missing' merged && [ ! -e shared ] && [ "$(ls shared.parts | grep -c '^0-')" = 3 ]
check "shares, and no tiles before all are drawn" $?
cp -r shared.parts kept && esker tiles --merge -o shared -q 2>message && diff -r strip shared >message && [ ! -e shared.parts ]
check "shares make the same files" $?
mv kept shared.parts && rm -r shared shared.parts/0-64-0 && touch -d 2001-01-01 shared.parts/0-0-0 &&
    esker tiles strip.lua $strip -o shared --shard 1/1 2>message && [ "$(date -r shared.parts/0-0-0 +%Y)" = 2001 ] &&
    [ -s shared.parts/0-64-0 ] && printf x | dd of=shared.parts/0-0-0 bs=1 seek=5000 conv=notrunc 2>message &&
    ! esker tiles --merge -o shared 2>message && grep -q 'shared.parts/0-0-0 is damaged' message && [ ! -e shared ] &&
    rm shared.parts/0-0-0 && esker tiles strip.lua $strip -o shared 2>message && diff -r strip shared >message
check "a stopped run draws only what is missing, and a damaged part makes no tiles" $?
esker tiles strip.lua $strip -o forged --shard 1/1 2>message && cp forged.parts/plan plan
for forged in 's/^across.*/across\t0/' 's/^across.*/across\t1e9/' 's/^overlap.*/overlap\t2/' 's/^engine.*/engine\tquake/' \
    's/^tile.*/tile\t99999/' 's/^cell.*/cell\tnan/' 's/^first_x.*/first_x\t-1/' '/^rows/d' 's/^kinds.*/kinds\trelief/'; do
    sed "$forged" plan >forged.parts/plan
    ! esker tiles --merge -o forged 2>message && grep -q 'the plan of tiles in .* is damaged' message && [ ! -e forged ] || echo "$forged"
done >wrong
[ ! -s wrong ]
check "a forged plan is refused" $?
# What lies on a field, in the coordinates of each tile.
cat >lying.lua <<'LUA'
local land = esker.noise{ size = 65, seed = 3, wrap = false }
local plots = esker.polygons{ size = 65, list = { { { 20, 20 }, { 50, 20 }, { 50, 50 }, { 20, 50 } } } }
local parts = { trees = land:scatter{ distances = { 0.03 } }, plots = plots,
    road = land:path{ coordinates = "cells", smooth = 0, paths = { { 3, 60, 61, 5 } } } }
for name, part in pairs(parts) do
    part:export("whole-" .. name, { engine = "unity", cell = 10, metres = 100 })
end
parts.land = land
return parts
LUA
cat >united.lua <<'LUA'
local function places(name)
    local list = {}
    for line in io.lines(name) do
        local x, z = line:match("^([-%d.e]+),([-%d.e]+),")
        list[#list + 1] = x and { tonumber(x), tonumber(z) }
    end
    return list
end
local whole, off, count, outside = places("out/whole-trees.csv"), 0, 0, 0
for column = 0, 1 do
    for row = 0, 1 do
        for _, place in ipairs(places(("lying/trees_%d_%d.csv"):format(column, row))) do
            local x, z, nearest = place[1] + 320 * column, place[2] + 320 * row, 1e9
            outside = outside + ((place[1] < 0 or place[1] > 320 or place[2] < 0 or place[2] > 320) and 1 or 0)
            for _, other in ipairs(whole) do
                nearest = math.min(nearest, math.abs(other[1] - x) + math.abs(other[2] - z))
            end
            off, count = math.max(off, nearest), count + 1
        end
    end
end
print(#whole, count, outside, off < 1e-3)
assert(#whole > 300 and count == #whole and outside == 0 and off < 1e-3)
LUA
esker tiles lying.lua --engine unity --tile-size 33 --cell 10 --metres 100 -q -o lying -j 1 2>message &&
    esker lying.lua -o out -q >printed 2>message && lua5.4 united.lua >message 2>&1
check "points of a field, each on one tile, in its coordinates" $?
cat >ends.lua <<'LUA'
local function ends(name, found)
    local text = io.open(name):read("a")
    for x, z in text:gmatch("%[([-%d.e]+),([-%d.e]+)") do
        x, z = tonumber(x), tonumber(z)
        assert(x >= -1e-6 and x <= 320.000001 and z >= -1e-6 and z <= 320.000001, name)
        found[#found + 1] = { x, z }
    end
    return found
end
-- Where the road leaves a tile at its right edge, the next one begins.
local meet = 0
for row = 0, 1 do
    for _, left in ipairs(ends(("lying/road_0_%d.geojson"):format(row), {})) do
        for _, right in ipairs(ends(("lying/road_1_%d.geojson"):format(row), {})) do
            meet = meet + (left[1] > 319.999 and right[1] < 0.001 and math.abs(left[2] - right[2]) < 0.001 and 1 or 0)
        end
    end
end
local corners = #ends("lying/plots_0_1.geojson", {})
print(meet, corners)
assert(meet >= 1 and corners == 5)
LUA
lua5.4 ends.lua >message 2>&1
check "roads and plots end at the edge of a tile, where the next one goes on" $?
cat >beyond.lua <<'LUA'
return { land = esker.noise{ size = 65, seed = 3, wrap = false }, posts = esker.points{ size = 65, list = { { 5, 5 }, { 70, 5 } } },
    tracks = esker.lines{ size = 65, list = { { { 5, 5 }, { 80, 20 } }, { { -9, -9 }, { -3, -3 } }, { { 3, 3 }, { 9, 64 } } } } }
LUA
esker tiles beyond.lua --engine unity --tile-size 33 --cell 10 --metres 100 -o beyond -j 1 2>message
[ "$(grep -c reach message)" = 2 ] && grep -q "'posts': 1 of 2 points reach beyond the tiles: cut at their edge 0, left out 1" message &&
    grep -q "'tracks': 2 of 3 lines reach beyond the tiles: cut at their edge 1, left out 1" message
check "what no tile has is told, once" $?
# Trees of a map are functions of the place: across the edge of a tile they keep their distance.
cat >apart.lua <<'LUA'
local list, near = {}, 0
for column = 0, 1 do
    for line in io.lines(("wood/land-trees_%d_0.csv"):format(column)) do
        local x, z = line:match("^([-%d.e]+),([-%d.e]+),")
        list[#list + 1] = x and { tonumber(x) + 640 * column, tonumber(z) }
    end
end
local nearest = 1e9
for i, a in ipairs(list) do
    near = near + (math.abs(a[1] - 640) < 60 and 1 or 0)
    for k = 1, i - 1 do
        nearest = math.min(nearest, (a[1] - list[k][1]) ^ 2 + (a[2] - list[k][2]) ^ 2)
    end
end
print(#list, near, nearest ^ 0.5)
assert(#list > 300 and near > 20 and nearest ^ 0.5 > 29.9)
LUA
esker tiles map.lua --engine unity --tile-size 33 --cell 20 --area 0.49,0.45,0.496,0.453 --kinds trees -q -o wood -j 1 2>message &&
    lua5.4 apart.lua >message 2>&1
check "trees of a map keep their distance across the edge of a tile" $?
# They stand where the map's cover has trees: few on the heath of a mountain, and in clumps.
esker tiles map.lua --engine unity --tile-size 33 --cell 20 --area 0.405,0.67,0.408,0.673 --kinds trees -q -o heath -j 1 2>message &&
    [ "$(cat heath/*.csv | wc -l)" -lt "$(($(cat wood/*.csv | wc -l) / 4))" ]
check "trees stand where the map's cover has them" $?
echo 'return { land = esker.river_map{ seed = 2, side = 20000 } }' >dry.lua
esker tiles dry.lua --engine unity --tile-size 33 --cell 20 --area 0.5,0.45,0.53,0.48 --kinds heights,water,trees -q -o dry -j 1 2>message &&
    [ -s dry/land_0_0.raw ]
check "a map without lakes has them, too" $?
echo mine >map/mine.txt && esker tiles map.lua $layer --area 0.49,0.45,0.495,0.455 -o map 2>message && [ -e map/mine.txt ] &&
    [ "$(ls map | tr '\n' ' ')" = 'land.txt land_0_0.raw mine.txt world.json ' ]
check "tiles of an earlier run are replaced, other files stay" $?
# Whose files lie in a folder is the same question for tiles of fields, which are soon drawn.
cat >plain.lua <<'LUA'
local p = params{ kind = "heights" }
local land = esker.noise{ size = 33, seed = 3, wrap = false }
return p.kind == "trees" and { ["land-trees"] = land:scatter{ distances = { 0.1 } } } or { land = land }
LUA
plain='--engine unity --tile-size 33 --cell 40 --metres 100 -q'
mkdir others && echo 1 >others/land_0_0.raw && ! esker tiles plain.lua $plain -o others 2>message &&
    grep -q 'others has tiles that Esker did not write' message && [ "$(cat others/land_0_0.raw)" = 1 ]
check "tiles that Esker did not write stay" $?
one="plain.lua $plain -o used"
foreign='photo_1_2.jpg land_1_2.txt land_7_7.raw land_0_0.png land-trees_0_0.csv photo.txt land-trees.txt'
esker tiles $one 2>message && for file in $foreign; do echo mine >used/$file; done
esker tiles $one 2>message && for file in $foreign; do [ "$(cat used/$file)" = mine ] || echo $file; done >wrong
[ ! -s wrong ] && [ -s used/land_0_0.raw ]
check "of an engine's folder only what Esker wrote there is replaced" $?
for kind in trees heights; do
    esker tiles $one kind=$kind 2>message || grep -o 'used has tiles that Esker did not write, as land-trees[^;]*' message
    rm -rf used.parts # with what was drawn of the field
done >printed
[ "$(head -c 60 printed)" = 'used has tiles that Esker did not write, as land-trees.txt' ] || [ "$(cat printed)" = 'used has tiles that Esker did not write, as land-trees_0_0.csv' ]
check "and what another layer would replace is named" $?
rm used/land-trees* && sed -i 's/"across":[0-9]*/"across":9/; s/"kind":"heights"/"kind":"photo"/' used/world.json && ! esker tiles $one 2>message &&
    grep -q 'as land' message && rm -r used.parts && printf '{"generator":"Esker","engine":"unity","across":1e9,"down":2,"layers":[{"name":"photo","kind":"heights","ending":".jpg"},{"name":"","kind":"heights"},7]}' >used/world.json &&
    rm used/land.txt used/land_0_0.raw && esker tiles $one 2>message && [ "$(cat used/photo_1_2.jpg)" = mine ]
check "whatever a forged world.json says, no other file goes" $?
mkdir worlds && echo '{"mine":1}' >worlds/world.json && ! esker tiles plain.lua $plain -o worlds 2>message &&
    grep -q "worlds/world.json is not Esker's" message && [ "$(cat worlds/world.json)" = '{"mine":1}' ] && [ "$(ls worlds)" = world.json ]
check "nor is another program's world.json replaced" $?

cat >field.lua <<'LUA'
local p = params{ large = false }
local land = 200 * esker.noise{ size = 100, seed = 3, wrap = false }
land.frame = { x = 0, y = 0, cell = 4, unit = "m" }
local grass = land:select{ slope = { 0, 20, 5 } }
local splat = (1 - grass):clamp{}:image{ green = grass, shares = true }
return { land = p.large and esker.large{ field = land, rows = 16 } or land, grass = grass, splat = splat }
LUA
esker tiles field.lua $fields -o field 2>message && [ "$(ls field | grep -c '^land_[0-3]_[0-3].raw$')" = 16 ] &&
    [ "$(ls field | grep -c '^grass_[0-3]_[0-3].png$')" = 16 ] && grep -q '^Terrain Size: X 128  Y' field/land.txt
check "fields, masks and images" $?
esker tiles field.lua large=true $fields -o large 2>message && sed 's/ large=[a-z]*//' large/world.json >there &&
    sed 's/ large=[a-z]*//' field/world.json >here && diff -r -x world.json field large >message
check "a field larger than memory has the same tiles" $?
esker tiles field.lua --engine unity --tile-size 33 --masks grass -o beyond >printed 2>&1 &&
    grep -q 'reach beyond the land: 29 columns and 29 rows repeat its edge' printed
check "says what lies beyond a field" $?
cat >far.lua <<'LUA'
local tile = esker.load("field/land_3_0.raw", { width = 33, height = 33, flip = true, low = 0, high = 65535 })
return { flat = tile:crop{ x = 4, y = 4, width = 29, height = 29 }:statistics().stddev,
    right = tile:crop{ x = 3, width = 1 } == tile:crop{ x = 32, width = 1 } and 1 or 0 }
LUA
esker far.lua >printed 2>message && grep -q '^flat = 0$' printed && grep -q '^right = 1$' printed
check "which goes on as it ends" $?
cat >control.lua <<'LUA'
local land = esker.noise{ size = 65, seed = 5, wrap = false }:normalize()
land:image{ green = 1 - land, shares = true }:export("control", { engine = "godot", control = true })
LUA
esker control.lua -o control -q 2>message && [ -s control/control.exr ]
check "a recipe writes a control map without a word of the ending" $?
esker tiles field.lua --engine godot --tile-size 64 --kinds heights,control -q -o regions 2>message &&
    [ "$(ls regions | grep -c '^land_x[01]_y[01].r16$')" = 4 ] && [ "$(ls regions | grep -c '^splat-control_x[01]_y[01].exr$')" = 4 ] &&
    grep -q '^Terrain3D: Region Size 64;' regions/land.txt && grep -q '^Vertex Spacing: 4$' regions/land.txt &&
    grep -q '^2 x 2 tiles of 64 x 64 points, together 128 x 128$' regions/land.txt
check "regions of Terrain3D share no points" $?

refuses 2 "engine must be unreal, unity or godot, got 'quake'" field.lua --engine quake
refuses 2 'tiles of unity with an overlap of 1 have 33, 65, .* points, got 100' field.lua --engine unity --tile-size 100
refuses 2 'tiles of unity share a row of points with their neighbours: 1, got 0' field.lua --engine unity --overlap 0
refuses 2 'tiles of godot share no points with their neighbours: 0, got 1' field.lua --engine godot --overlap 1
refuses 2 "no field named 'nosuch'; its fields are grass, land" field.lua --engine unity --tile-size 33 --masks grass,nosuch
refuses 2 '--cell is for tiles of a game engine' field.lua --cell 3
refuses 2 '--levels is for web maps' field.lua --engine unity --levels 3
refuses 2 '--tile-size: tiles of web maps have 256 or 512 cells, got 100' field.lua --tile-size 100
refuses 2 'no whole number of cells of 7 m; 7.000' map.lua --engine unity --cell 7
refuses 2 '195 × 195 tiles, and godot has at most 32' map.lua --engine godot
refuses 2 '198 × 198 tiles; confirm them with --yes' map.lua --engine unreal
refuses 2 "takes LEFT,TOP,RIGHT,BOTTOM, four numbers from 0 to 1.*, got '1.2'" map.lua --engine unity --area 1.2
refuses 2 '--range takes LOW..HIGH in metres' map.lua --engine unity --range 5
refuses 1 'heights reach from .* draw all tiles anew with --range' map.lua $area --range 0..10
echo 'return { a = esker.noise{ size = 64 }, b = esker.noise{ size = 65 } }' >differ.lua
refuses 2 "'a' has 64 × 64 cells and 'b' 65 × 65: layers of one terrain have the same size" differ.lua --engine godot --tile-size 64
cat >points.lua <<'LUA'
local land = esker.noise{ size = 65, wrap = false }
return { land = land, trees = land:crop{ width = 33, height = 33, wrap = false }:scatter{ distances = { 0.1 } } }
LUA
refuses 2 "'land' has 65 × 65 cells and 'trees' 33 × 33: layers of one terrain have the same size" points.lua --engine unity --tile-size 33
echo 'return { planet = esker.river_map{ tiling = "sphere", seed = 1 } }' >planet.lua
refuses 1 "'planet' is a planet, and engines take flat land" planet.lua --engine unity
echo 'return { low = esker.noise{ size = 64 }, map = esker.river_map{ seed = 1 } }' >both.lua
refuses 2 "are a map and a field: draw their tiles with two commands" both.lua --engine unity --cell 1000
echo "1..$count"
