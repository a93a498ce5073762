#!/bin/sh
# Pyramids of tiles: tiles equal windows of the map for any division of the work, and an incomplete file never looks complete. Prints TAP.
set -u
. "$(dirname "$0")/support/scratch.sh"
. "$ROOT/tests/support/eventually.sh"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN

refuses() { # refuses STATUS PATTERN WORDS…: the message, and nothing is left
    status=$1 pattern=$2
    shift 2
    esker tiles "$@" -o refused >out 2>message
    [ $? = "$status" ] && grep -q -- "$pattern" message && [ ! -e refused ] && [ ! -e refused.parts ]
    check "refuses $*" $?
}
begun() { ls killed.pmtiles.parts 2>/dev/null | grep -q '^0-'; } # the first of four
none_runs() { ! pgrep -f killed.pmtiles >/dev/null; }
same() { # same FOLDER FOLDER FILES…: they are there, and equal
    one=$1 other=$2
    shift 2
    for each in "$@"; do
        cmp "$one/$each" "$other/$each" >message 2>&1 || return 1
    done
}

cat >map.lua <<'LUA'
local p = params{ seed = 2, land = "raw" }
return { world = esker.river_map{ seed = p.seed, land = p.land } }
LUA
refuses 2 "metres must be a number from 1e-06 to 1000000000, got '-5'" map.lua --metres -5
# The level 1 as one picture, which is drawn and cut at once.
cat >whole.lua <<'LUA'
local p = params{ seed = 2, low = 0.5, high = 0.5, kind = "relief" }
local altitude, river = esker.river_map{ seed = p.seed }:render{ size = 512 }
return { whole = p.kind == "relief" and altitude:relief{ rivers = river, low = p.low, high = p.high, side = 512 }
    or altitude:terrain_rgb{ step = 2 } }
LUA

# --- tiles are windows ---
range() { sed -n 's/.*"'"$1"'":\([-0-9.e]*\).*/\1/p' "$2"; }
esker tiles map.lua land=eroded --levels 1 --area 0.2,0.6,0.7,0.9 --kinds relief,terrarium -o part -q 2>message
check "a part of an eroded map" $?
esker tiles whole.lua low="$(range lowest part/relief/tiles.json)" high="$(range highest part/relief/tiles.json)" \
    --levels 1 -o whole -q && same whole part/relief 1/0/1.png 1/1/1.png
check "relief in tiles is the relief of the whole level" $?
esker tiles whole.lua kind=terrarium --levels 1 -o elevation -q && same elevation part/terrarium 1/0/1.png 1/1/1.png
check "so are elevations" $?
[ "$(ls part/relief/1 | tr '\n' ' ')" = '0 1 ' ] && [ "$(ls part/relief/1/0 part/relief/1/1 | grep png | sort -u)" = 1.png ]
check "only the tiles in the area" $?

# --- lines ---
lines='--levels 3 --kinds rivers,contours -q'
for land in raw eroded; do
    rm -rf one many
    esker tiles map.lua land=$land $lines --area 0.25,0.5,0.375,0.625 -o one 2>message &&
        esker tiles map.lua land=$land $lines --area 0.25,0.5,0.45,0.6 -o many 2>message && same one many 3/2/4.pbf &&
        lua5.4 "$ROOT/tests/support/neighbours.lua" many/3/2/4.pbf many/3/3/4.pbf 2>message
    check "lines of $land land depend on the tile alone, and meet those of the next tile" $?
done

# --- planets: the projection of web maps ---
cat >planet.lua <<'LUA'
local p = params{ low = 0.0, high = 0.0 }
local planet = esker.river_map{ tiling = "sphere", land = "raw", seed = 3 }
if p.high == 0 then return { planet = planet } end
local altitude, river = planet:render{ projection = "mercator", size = 1024 }
return { whole = altitude:relief{ rivers = river, low = p.low, high = p.high, side = 1024, projection = "mercator" } }
LUA
esker tiles planet.lua --levels 2 --area 0.3,0.3,0.7,0.7 -o planet -q 2>message &&
    esker tiles planet.lua low="$(range lowest planet/tiles.json)" high="$(range highest planet/tiles.json)" --levels 2 \
        -o globe -q 2>message && same planet globe 2/1/1.png 2/2/1.png 2/1/2.png 2/2/2.png
check "a planet's tiles are windows of its Mercator map" $?

# --- one process, several, shares, and interruptions: the same bytes ---
kinds=terrarium,rivers,contours
extent='--levels 0..3 --area 0.3,0.3,0.45,0.45'
esker tiles map.lua $extent --kinds $kinds -o one.pmtiles -j 1 -q 2>message &&
    [ ! -e one.pmtiles.parts ]
check "an archive for each kind" $?
esker info one-vector.pmtiles >printed 2>message && grep -q '^kind *tiles, pbf$' printed && grep -q '^levels *0 to 3$' printed &&
    grep -q '^area *-72, .* to -18, ' printed && grep -q '^tiles of *map.lua$' printed && head -c 20000 one-vector.pmtiles >cut.pmtiles &&
    esker info cut.pmtiles >printed 2>message && grep -q '^levels *0 to 3$' printed &&
    grep -q "^damaged *it is cut: 20000 of $(wc -c <one-vector.pmtiles) bytes$" printed && ! esker info one-vector.pmtiles | grep -q damaged &&
    { head -c 90 one-vector.pmtiles >cut.pmtiles; ! esker info cut.pmtiles >printed 2>message; }
check "esker info tells what an archive holds" $?
# FILE FROM COUNT: a copy with that many zeros in it
hurt() {
    cp "$1" "hurt.${1##*.}" && head -c "$3" /dev/zero | dd of="hurt.${1##*.}" bs=1 seek="$2" conv=notrunc 2>message
}
for place in '20 107' '127 20' '0 1'; do
    hurt one-vector.pmtiles $place
    esker info hurt.pmtiles >printed 2>&1
    grep -q '^damaged *its \|it is no PMTiles archive' printed || echo "$place"
done >wrong
[ ! -s wrong ]
check "and that its header or its directory is damaged" $?
for k in 2 3 1; do
    if [ $k = 3 ]; then # as in a Slurm array
        SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 \
            esker tiles map.lua $extent --kinds $kinds -o shared.pmtiles -q 2>message
    else
        esker tiles map.lua $extent --kinds $kinds -o shared.pmtiles --shard $k/3 -q 2>message
    fi || echo "share $k failed"
    [ $k = 1 ] || ! esker tiles --merge -o shared.pmtiles 2>merged || echo "merged too early"
done >wrong
[ ! -s wrong ] && grep -q 'parts are missing' merged
check "shares, and no result before all are drawn" $?
esker tiles --merge -o shared.pmtiles -q 2>message && [ ! -e shared.pmtiles.parts ] &&
    for kind in terrarium vector; do cmp one-$kind.pmtiles shared-$kind.pmtiles || exit 1; done
check "shares make the same bytes as one process" $?
esker tiles map.lua $extent --kinds $kinds -o killed.pmtiles -j 1 -q 2>message &
esker_process=$!
eventually begun
kill -9 $esker_process
wait $esker_process 2>/dev/null
[ -z "$(ls | grep 'killed.*pmtiles$')" ] && [ -d killed.pmtiles.parts ]
check "a killed run leaves parts, and no archive" $?
eventually none_runs
part=$(ls killed.pmtiles.parts | grep '^[0-9]' | head -1)
touch -d 2001-01-01 "killed.pmtiles.parts/$part"
esker tiles map.lua seed=3 --levels 0..4 --kinds $kinds -o killed.pmtiles 2>message
[ $? = 2 ] && grep -q 'tiles of another plan' message
check "parts are not mixed with those of another plan" $?
esker tiles map.lua $extent --kinds $kinds -o killed.pmtiles -j 2 -q 2>message &&
    for kind in terrarium vector; do cmp one-$kind.pmtiles killed-$kind.pmtiles || exit 1; done
check "a run that was killed goes on, and makes the same bytes" $?

(
    trap '' XFSZ
    ulimit -f 200 # blocks of 512 bytes: as on a full disk
    esker tiles map.lua $extent --kinds $kinds -o full.pmtiles 2>message
)
[ $? = 1 ] && grep -q 'cannot write.*full.pmtiles.parts/' message && [ -z "$(ls | grep 'full.*pmtiles$')" ]
check "a full disk ends it, and no archive is left" $?
esker tiles map.lua $extent --kinds $kinds -o full.pmtiles -q 2>message &&
    for kind in terrarium vector; do cmp one-$kind.pmtiles full-$kind.pmtiles || exit 1; done
check "when there is room, the same command makes the same bytes" $?

# --- formats ---
lua5.4 -e '
    local file = assert(io.open("one-vector.pmtiles", "rb"))
    local bytes = file:read("a")
    local name, version, root, root_size, about, about_size, leaves, leaves_size, tiles, tiles_size =
        ("<c7B I8I8I8I8I8I8I8I8"):unpack(bytes)
    assert(name == "PMTiles" and version == 3 and root == 127 and root + root_size <= tiles, "header")
    assert(tiles + tiles_size == about and about + about_size == leaves and leaves + leaves_size == #bytes, "sections")
    local addressed, entries, contents = ("<I8I8I8"):unpack(bytes, 73)
    assert(addressed == 7 and entries <= addressed and contents <= entries, "tiles " .. addressed)' 2>message
check "sections of a PMTiles archive" $?
esker tiles map.lua --levels 0 -o level.pmtiles -q && esker tiles map.lua --levels 0 -o level -q &&
    tail -c +16385 level.pmtiles | head -c "$(wc -c <level/0/0/0.png)" | cmp - level/0/0/0.png 2>message
check "archives have the tiles of folders" $?
# A quarter of the world that the curve passes in another direction: the blocks of its tiles, of 4 × 4, come in that order.
echo 'return { picture = esker.shape{ size = 2048 }:relief{} }' >large.lua
esker tiles large.lua --kinds image --levels 3 --world-level 2 -o turned.pmtiles -q 2>message &&
    esker info turned.pmtiles 2>message | grep -q '^tiles *64$'
check "maps of many blocks in any part of the world" $?
if esker tiles map.lua --levels 1 --world-level 3 --kinds relief,rivers -o base.mbtiles -q 2>message; then
    esker tiles map.lua --levels 1 --world-level 3 --kinds relief,rivers -o base -q 2>message
    esker tiles map.lua --levels 1 --world-level 3 --kinds relief,rivers -o base.pmtiles -q 2>message
    for set in relief vector; do
        esker info base-$set.pmtiles >printed
        for other in base-$set.mbtiles ./base-$set.mbtiles base/$set base/$set/tiles.json; do
            esker info "$other" >other 2>message && cmp printed other || echo "$other"
        done
    done >wrong
    [ ! -s wrong ] && grep -q '^levels *4 to 4$' printed && grep -q '^tiles *4$' printed && grep -q '^area ' printed
    check "esker info tells the same of .mbtiles, folders and tiles.json" $?
    { head -c 5000 base-relief.mbtiles | sed s/Esker/Other/g; } >cut.mbtiles
    esker info cut.mbtiles >printed 2>message &&
        grep -q "^damaged *it is cut: 5000 of $(wc -c <base-relief.mbtiles) bytes$" printed && ! esker info base-relief.mbtiles | grep -q damaged
    check "and of a cut one how much is missing" $?
    { cat base-relief.mbtiles && echo; } >torn.mbtiles
    head -c 8192 /dev/zero | dd of=torn.mbtiles bs=4096 seek=3 conv=notrunc 2>message
    esker info torn.mbtiles >printed 2>message && grep -q '^damaged ' printed && ! grep -q 'it is cut' printed
    check "and of one whose middle was lost that it is damaged" $?
    for place in '0 1' '5 1'; do
        hurt base-relief.mbtiles $place
        esker info hurt.mbtiles >printed && grep -q '^damaged *it is no SQLite database' printed &&
            grep -q '^tiles of *map.lua$' printed && esker info --json hurt.mbtiles | grep -q '"damaged": "it is no' ||
            echo "$place"
    done >wrong
    [ ! -s wrong ]
    check "and of one whose beginning is damaged" $?
    for text in '{"tilejson": "3.0.0", "na' '[]' null ''; do
        mkdir -p hurt && printf '%s' "$text" >hurt/tiles.json
        ! esker info hurt >printed 2>message && grep -q 'made; it is no \(JSON\|TileJSON\)' message || echo "$text"
    done >wrong
    head -c 300 base/relief/tiles.json >hurt/tiles.json
    esker info hurt >printed 2>&1
    [ ! -s wrong ] && grep -q 'it is no JSON' printed
    check "and of a tiles.json that is none" $?
    echo text >text.mbtiles
    esker info text.mbtiles >printed 2>message
    [ $? = 1 ] && grep -q 'text.mbtiles does not say how it was made; it is no SQLite database' message
    check "and that a text is none" $?
    if command -v sqlite3 >/dev/null; then
        cp base-relief.mbtiles endless.mbtiles
        sqlite3 endless.mbtiles "ALTER TABLE metadata RENAME TO own;
            CREATE VIEW metadata AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
            SELECT 'format' AS name, 'png' AS value FROM c;"
        timeout 40 esker info endless.mbtiles >printed 2>message && grep -q '^kind *tiles, png$' printed && ! grep -q damaged printed
        check "metadata without an end are no trouble" $?
        cp base-relief.mbtiles endless.mbtiles
        sqlite3 endless.mbtiles "ALTER TABLE tiles RENAME TO own; CREATE VIEW tiles AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL
            SELECT x + 1 FROM c) SELECT 1 AS zoom_level, x AS tile_column, 1 AS tile_row, x'00' AS tile_data FROM c;"
        timeout 9 esker info endless.mbtiles >printed 2>message && grep -q '^damaged *a view in it takes more steps' printed
        check "nor are tiles without an end" $?
        cp base-relief.mbtiles joined.mbtiles
        sqlite3 joined.mbtiles "ALTER TABLE tiles RENAME TO own; CREATE VIEW tiles AS SELECT a.zoom_level, a.tile_column, a.tile_row, b.tile_data
            FROM own a JOIN own b ON a.rowid = b.rowid;"
        esker info joined.mbtiles >printed 2>message && grep -q "^$(esker info base-relief.mbtiles | grep '^tiles  ')$" printed && ! grep -q damaged printed
        check "and a view of tiles as others make it is read" $?
    else
        check "metadata without an end # SKIP no sqlite3" 0
        check "tiles without an end # SKIP no sqlite3" 0
        check "a view of tiles # SKIP no sqlite3" 0
    fi
    if command -v gdalinfo >/dev/null; then
        gdalinfo base-relief.mbtiles >about 2>message && grep -q '^Size is 512, 512' about &&
            grep -q '^Origin = (0.0*,-*0.0000' about && ogrinfo base-vector.mbtiles 2>&1 | grep -q '^1: rivers'
        check "GDAL reads .mbtiles where they lie" $?
    else
        check "GDAL reads .mbtiles where they lie # SKIP no gdalinfo" 0
    fi
else
    grep -q 'without SQLite' message
    check "without SQLite, .mbtiles are refused" $?
fi

# --- fields and images ---
cat >fields.lua <<'LUA'
local land = esker.noise{ width = 600, height = 300, seed = 3 }
return { height = land, picture = land:relief{}, number = 1 }
LUA
esker tiles fields.lua --kinds relief,image,contours -o fields -q 2>message && [ -e fields/height-relief/2/2/1.png ] &&
    [ ! -e fields/height-relief/2/3 ] && [ ! -e fields/height-relief/2/0/2.png ] && [ -e fields/picture-image/0/0/0.png ] &&
    [ -e fields/height-vector/tiles.json ]
check "fields and images of any size, down to their own cells" $?
esker tiles fields.lua --kinds image --levels 2 -o again -q && same again/picture-image fields/picture-image 2/0/0.png 2>message ||
    same again fields/picture-image 2/0/0.png
check "an image's tiles are the same in any pyramid" $?

# --- a folder that is used again ---
esker tiles fields.lua --kinds relief --levels 1..2 -o again -q 2>message && cp -r again older &&
    esker tiles fields.lua --kinds relief --levels 1 -o again >said 2>&1 && [ ! -e again/2 ] && [ -e again/1/0/0.png ] &&
    grep -q 'again  replaces the tiles of an earlier run' said
check "tiles of an earlier run are replaced, all of them" $?
cp -r again filled && mkdir -p filled/2024 filled/9 && echo mine | tee filled/2024/a.jpg filled/9/b.jpg filled/1/c.txt filled/1/0/d.jpg >filled/1/0/notes.png
esker tiles fields.lua --kinds relief --levels 2 -o filled -q 2>message &&
    [ "$(cat filled/2024/a.jpg filled/9/b.jpg filled/1/c.txt filled/1/0/d.jpg filled/1/0/notes.png | grep -c mine)" = 5 ] &&
    [ "$(find filled/1 -type f | wc -l)" = 3 ] && [ -e filled/2/0/0.png ]
check "files that are no tiles stay, whatever their folder is called" $?
mkdir -p days/05/03 days/3/24 days/3/2 && echo mine | tee days/05/03/01.png days/3/24/1.png days/3/2/01.png days/3/2/8.png >days/3/2/7.png
echo '{"generator":"Esker","minzoom":0,"maxzoom":9}' >days/tiles.json
esker tiles fields.lua --kinds relief --levels 0..1 -o days -q 2>message && [ "$(find days/05 days/3 -type f | wc -l)" = 4 ] &&
    [ ! -e days/3/2/7.png ] && [ -e days/1/0/0.png ]
check "pictures under days are no tiles: these have numbers below a level's columns, without zeros before them" $?
mkdir -p maps && echo '{}' >maps/tiles.json && ! esker tiles fields.lua --kinds relief -o maps -q 2>message &&
    grep -q 'maps has a tiles.json that Esker did not write' message && [ "$(cat maps/tiles.json)" = '{}' ]
check "and another program's tiles.json" $?
rm older/tiles.json && esker tiles fields.lua --kinds relief -o older 2>message
[ $? = 2 ] && grep -q 'older has tiles that Esker did not write' message && [ -e older/2/1/1.png ] && [ ! -e older.parts/joining ]
check "tiles of others are left alone" $?
rm -rf older.parts

# --- cells without data ---
cat >holes.lua <<'LUA'
local p = params{ size = 512, left = 255 }
local hole = esker.field{ size = p.size, values = function(x, y) return x >= p.left and y < p.size / 2 and 1 or 0 end }
return { height = esker.field{ size = p.size, values = 0.25 }:set_gaps(hole) }
LUA
esker tiles holes.lua --kinds terrarium -o holes -q 2>message && esker tiles holes.lua size=256 left=128 \
    --kinds terrarium -o halved -q 2>message && same holes halved 0/0/0.png
check "a coarser cell is the mean of those that have data" $?

# --- fields that lie somewhere ---
cat >placed.lua <<'LUA'
local p = params{ place = true, system = "EPSG:3857", turned = false, unit = "" }
local cell = 40075016.685578488 / (256 * 16)
local land = esker.noise{ size = 256, seed = 3, wrap = false }
if p.place and p.system == "EPSG:3857" then -- tile 3, 5 of level 4
    land.frame = { x = (3 - 8) * 256 * cell, y = (8 - 5) * 256 * cell, cell = cell, system = p.system }
elseif p.place then
    land.frame = { x = 10, y = 47, cell = 0.01, system = p.system }
end
if p.unit ~= "" then
    land = land:georeference{ like = land, unit = p.unit }
end
return { land = p.turned and land:flip{ axis = "x" } or land }
LUA
esker tiles placed.lua --kinds terrarium -o placed -q 2>message && esker tiles placed.lua place=false --kinds terrarium \
    -o unplaced -q 2>message && cmp placed/4/3/5.png unplaced/0/0/0.png && [ "$(find placed -name '*.png' | wc -l)" = 5 ]
check "a field whose cells are those of a tile is that tile" $?
esker tiles placed.lua turned=true --kinds terrarium -o turned -q 2>message && same placed turned 4/3/5.png
check "so is one whose rows run the other way" $?
esker tiles placed.lua unit=Foot --kinds terrarium,mapbox -o feet -q 2>message && esker tiles placed.lua --kinds terrarium,mapbox \
    --metres 0.3048 -o third -q 2>message && same feet third terrarium/4/3/5.png mapbox/4/3/5.png && ! cmp -s feet/terrarium/4/3/5.png placed/4/3/5.png
check "heights in feet become metres" $?
esker tiles placed.lua system=EPSG:4326 --kinds relief --levels 0..5 -o degrees -q 2>message &&
    grep -q '"bounds":\[10,44.4[0-9]*,12.56[0-9]*,47\]' degrees/tiles.json
check "a field in degrees lies at its longitudes and latitudes" $?
refuses 1 'project it, as in gdalwarp' placed.lua system=EPSG:26916
esker tiles placed.lua --kinds contours,terrarium -o lines -q 2>message && [ -s lines/vector/4/3/5.pbf ] &&
    [ "$(find lines/vector/4 -name '*.pbf' | wc -l)" -le 9 ] &&
    esker tiles placed.lua place=false --kinds contours -o flat-lines -q 2>message &&
    [ "$(($(wc -c <lines/vector/4/3/5.pbf) * 20 / $(wc -c <flat-lines/0/0/0.pbf)))" = 19 ] # the same steps of height
check "its contours are drawn, too" $?
refuses 1 'nothing of which tiles of the kind rivers are drawn' placed.lua --kinds rivers,terrarium

# --- climate ---
cat >climate.lua <<'LUA'
return { world = esker.river_map{ seed = 7, latitudes = { 15, 45 } } }
LUA
esker tiles climate.lua --levels 0 -o natural -q 2>message &&
    esker tiles climate.lua --levels 0 --palette hypsometric -o tinted -q 2>message && [ -s natural/0/0/0.png ] && [ -s tinted/0/0/0.png ] &&
    ! cmp -s natural/0/0/0.png tinted/0/0/0.png
check "maps with a climate are drawn in natural colours" $?

# --- larger than memory ---
cat >large.lua <<'LUA'
local p = params{ large = true, place = "none", width = 600, height = 301 }
local land = esker.noise{ width = p.width, height = p.height, seed = 3 }
land = land:set_gaps(land:crop{ x = 40, y = 0, width = p.width, height = p.height, wrap = true } - 0.2)
land.wraps = false
land.frame = ({
    metres = { x = 1e6, y = 6e6, cell = 500, system = "EPSG:3857", unit = "m" },
    degrees = { x = 5, y = 79, cell = 0.05, system = "EPSG:4326" },
    turned = { x = 12, y = 20, cell_width = 0.03, cell_height = 0.04, turn_x = 0.02, turn_y = 0.05, system = "EPSG:4326" },
})[p.place]
return { land = p.large and esker.large{ field = land, rows = 70 } or land }
LUA
esker tiles large.lua --kinds relief,terrarium -o large -q 2>message && esker tiles large.lua large=false \
    --kinds relief,terrarium -o small -q 2>>message && diff -r -x tiles.json large small >difference &&
    [ "$(find large -name '*.png' | wc -l)" = 18 ]
check "a field larger than memory has the tiles of one in memory" $?
for place in metres degrees turned; do
    [ $place = turned ] && kinds=relief || kinds=terrarium,contours
    esker tiles large.lua place=$place width=150 height=76 --kinds $kinds -o large-$place -q 2>message &&
        esker tiles large.lua large=false place=$place width=150 height=76 --kinds $kinds -o small-$place -q 2>>message &&
        diff -r -x tiles.json large-$place small-$place >difference &&
        [ "$(find large-$place -name '*.png' | wc -l)" -gt 6 ]
    check "a field larger than memory has them where it lies: $place" $?
done

# --- mistakes ---
refuses 2 'did you mean .relief' map.lua --kinds releif
refuses 2 'lower level first, as in 2..5' map.lua --levels 5..2
refuses 2 'LEFT,TOP,RIGHT,BOTTOM' map.lua --area 0.5,0.5,0.1,0.9
refuses 2 'confirm them with --yes' map.lua --levels 0..12
refuses 2 'none finer' fields.lua --levels 3
refuses 1 'no palette' map.lua --palette nowhere
refuses 1 'nothing of which tiles' fields.lua --kinds rivers
refuses 2 'K-th of N' map.lua --shard 4/3
refuses 2 'its place on the earth' planet.lua --world-level 2
refuses 1 'of the kind rivers are drawn; of what it returns there are contours, mapbox, relief' planet.lua --kinds rivers
echo 'return { n = 1 }' >number.lua
refuses 1 'returns no map' number.lua
echo 'error "no"' >failing.lua
refuses 1 'failing.lua:1: no' failing.lua
echo 'print "said" return { land = esker.noise{ size = 64 } }' >says.lua
esker tiles says.lua -o says.pmtiles >out 2>message && [ "$(grep -c said out)" = 1 ]
check "what a recipe prints is shown, once" $?
esker tiles --merge -o nowhere.pmtiles >out 2>message
[ $? = 2 ] && grep -q nowhere message
check "there is nothing to merge" $?
esker tiles map.lua --levels 0..2 -o damaged -q --shard 1/1 2>message
part=$(ls damaged.parts | grep '^2-')
head -c 1000 "damaged.parts/$part" >cut && cp cut "damaged.parts/$part"
esker tiles --merge -o damaged 2>message
[ $? = 1 ] && grep -q "$part is damaged" message && [ ! -e damaged/tiles.json ]
check "a damaged part is named" $?
rm "damaged.parts/$part"
esker tiles map.lua --levels 0..2 -o damaged -q --shard 1/1 2>message && cp "damaged.parts/$part" sound
for harm in flipped words longer; do
    case $harm in
    flipped) /usr/bin/python3 -c "
bytes = bytearray(open('sound', 'rb').read())
bytes[len(bytes) * 2 // 3] ^= 4
open('damaged.parts/$part', 'wb').write(bytes)" ;;
    words) echo 'a text that somebody put here, of no particular length' >"damaged.parts/$part" ;;
    longer) { cat sound && echo more; } >"damaged.parts/$part" ;;
    esac
    esker tiles --merge -o damaged 2>message
    [ $? = 1 ] && grep -q "$part is damaged" message && [ ! -e damaged/tiles.json ]
    check "so is one that is $harm" $?
done
other=$(ls damaged.parts | grep '^1-')
cp "damaged.parts/$other" other && : >"damaged.parts/$other"
esker tiles --merge -o damaged 2>message
[ $? = 1 ] && grep -q "$other, .*$part are damaged; remove them, draw their shares again" message && [ ! -e damaged/tiles.json ]
check "all damaged parts are named" $?
cp other "damaged.parts/$other"
cp sound "damaged.parts/$part" && esker tiles --merge -o damaged -q 2>message && [ -s damaged/tiles.json ]
check "and a sound one is joined" $?
esker tiles map.lua --levels 0 --kinds relief,rivers -o two.pmtiles -q --shard 1/1 2>message
part=$(ls two.pmtiles.parts | grep '^0-')
size=$(wc -c <"two.pmtiles.parts/$part")
cp "two.pmtiles.parts/$part" sound && head -c $((size - 1)) sound >"two.pmtiles.parts/$part"
esker tiles --merge -o two.pmtiles 2>message
[ $? = 1 ] && grep -q "$part is damaged; remove it, draw its share again" message && [ -z "$(ls | grep 'two.*pmtiles$')" ]
check "where a set's part is damaged, none is written" $?
rm "two.pmtiles.parts/$part"
esker tiles map.lua --levels 0 --kinds relief,rivers -o two.pmtiles -q --shard 1/1 2>message &&
    cmp sound "two.pmtiles.parts/$part" && esker tiles --merge -o two.pmtiles -q 2>message && [ -s two-vector.pmtiles ]
check "as the message says, its share draws it again" $?
echo "1..$count"
