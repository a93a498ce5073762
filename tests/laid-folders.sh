#!/bin/sh
# Folders that a stranger laid, in which a user then types usual commands: links, pipes, hard links, folders and forged
# state lead the program, which is not confined itself, to nothing outside. docs/trust.md lists the places. Prints TAP.
set -u
. "$(dirname "$0")/support/scratch.sh"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN
export XDG_STATE_HOME="$scratch/state" COLUMNS=80
reason() { cat "$scratch/wrong" "$scratch/message" 2>/dev/null | head -8; }

mkdir good victim
cat >good/raw.lua <<'LUA'
local text = "\nssh-ed25519 AAAAattacker evil@example\n#"
text = text .. (" "):rep(-#text % 4)
local row = {}
for i = 1, #text, 4 do row[#row + 1] = (string.unpack("<f", text, i)) end
return { authorized_keys = esker.field{ values = { row, row } } }
LUA
echo 'return { height = esker.spectral{ size = 16, seed = 1 } }' >good/one.lua
echo 'return { world = esker.river_map{ seed = 2, land = "raw" } }' >good/map.lua
echo 'local p = params{ n = 1.0 } return { n = p.n }' >good/sweep.lua
(cd good && esker one.lua -o ../secret -q)

# victim/ is the user's; laid/ is the stranger's, and the current folder of each command.
anew() {
    cd "$scratch" && rm -rf laid victim && mkdir -p victim/2024 && cp -r good laid
    echo precious | tee victim/file victim/authorized_keys victim/tiles.json >victim/2024/file
    cp secret/height.png victim/secret.png
    before=$(state)
    : >wrong
    cd laid || exit 1
}
# What is the user's: names, numbers, sizes, times, contents. A folder that is untouched is listed in the same order.
state() { find "$scratch/victim" -printf '%p %i %s %T@ %m\n' -type f -exec cat {} + | tr -d '\0'; }
untouched() {
    after=$(state)
    [ "$after" = "$before" ] || { printf '%s\n' "$before" "became" "$after" >"$scratch/wrong" && return 1; }
}
esker_here() { # esker_here STATUS PATTERN WORDS…: what it does in the stranger's folder; the victim stays as it is
    expected=$1 pattern=$2
    shift 2
    timeout 60 esker "$@" >"$scratch/printed" 2>"$scratch/message" </dev/null
    status=$?
    untouched || return 1
    case $status in
    $expected) ;;
    *) echo "status $status" >"$scratch/wrong" && return 1 ;;
    esac
    [ -z "$pattern" ] || grep -q -- "$pattern" "$scratch/message" "$scratch/printed"
}
plain() { [ -f "$1" ] && [ ! -L "$1" ]; } # is a file, and no link
lay() { # lay KIND PATH: something of that kind in the place of a file
    rm -rf "$2"
    case $1 in
    link) ln -s "$scratch/victim/file" "$2" ;;
    dangling) ln -s "$scratch/victim/new" "$2" ;;
    device) ln -s /dev/full "$2" ;;
    hard) ln "$scratch/victim/file" "$2" ;;
    pipe) mkfifo "$2" ;;
    folder) mkdir "$2" ;;
    esac
}

# --- explore --static ---
anew
if esker explore --static one.lua -o page -q 2>message; then
    static() { esker_here "$1" "$2" explore --static "$3" --levels 0..0 ${4:-}; }
    wrong=0
    for place in explorer/api/cells/1 explorer/api/cells explorer/api; do
        anew
        mkdir -p "$(dirname $place)" && ln -s "$scratch/victim" $place
        static 1 "cannot write '$place': it is not a folder, or a link to one" raw.lua || { wrong=1; break; }
    done
    check "a static page is not written through a link" $wrong
    anew
    ln -s "$scratch/victim" explorer
    static 2 'explorer is a link, and was not named on the command line' raw.lua
    check "nor into a link that has the default name" $?
    ln -s ../elsewhere named && mkdir ../elsewhere
    static 0 'named  2 files' raw.lua '-o named' && plain ../elsewhere/api/cells/1/authorized_keys
    check "but into one that the user typed" $?
    rm -rf ../elsewhere
    wrong=0
    for kind in link dangling device hard pipe; do
        anew
        mkdir -p explorer/api/cells/1
        for file in index.html api/state api/cells/1/authorized_keys; do
            [ $kind$file = hardindex.html ] || [ $kind$file = hardapi/state ] || lay $kind explorer/$file # which are files
        done
        static 0 '2 files' raw.lua && plain explorer/index.html && plain explorer/api/state &&
            plain explorer/api/cells/1/authorized_keys && [ "$(stat -c %h explorer/api/state)" = 1 ] || { wrong=1; break; }
    done
    check "what lies in the place of its files is replaced: links, devices, hard links, pipes" $wrong
    anew
    mkdir site && echo mine >site/index.html
    static 2 "site/index.html is not Esker's, and would be replaced" raw.lua '-o site' && [ "$(cat site/index.html)" = mine ] &&
        [ "$(ls site)" = index.html ] && mv site/index.html site/main.js &&
        static 2 "site/main.js is not Esker's, and would be replaced" raw.lua '-o site' && [ "$(cat site/main.js)" = mine ] &&
        mkdir site/api && mv site/main.js site/api/state && static 2 "site/api/state is not Esker's" raw.lua '-o site' &&
        cp site/api/state site/main.js && static 2 'site/.* is not Esker' raw.lua '-o site' && [ "$(cat site/main.js)" = mine ] &&
        rm -r site && static 0 'site  2 files' raw.lua '-o site' && static 0 'site  2 files' raw.lua '-o site'
    check "but no page or script of another program" $?
    anew
    mkdir -p explorer/api/state
    static 1 "cannot write 'explorer/api/state': Is a directory" raw.lua
    check "a folder in the place of a file is an error" $?
    anew
    static 0 'explorer' map.lua && cp -r explorer ../first && tile=$(find explorer/api/tile -type f) && wrong=0
    for kind in link pipe; do
        lay $kind "$tile"
        static 0 'explorer' map.lua && plain "$tile" && diff -r explorer ../first >/dev/null || { wrong=1; break; }
    done
    check "a link is no tile that is there already" $wrong
    rm -rf ../first
else
    check "a static page # SKIP $(cat message)" 0
fi

# --- tiles: the folder of parts ---
anew
ln -s "$scratch/victim" tiles.pmtiles.parts
esker_here 2 'tiles.pmtiles.parts is a link, and was not named' tiles one.lua
check "parts are not written into a link" $?
esker_here 2 'tiles.pmtiles.parts is a link, and was not named' tiles --merge
check "nor read from one" $?
wrong=0
for file in plan lock; do
    for kind in link pipe $([ $file = plan ] && echo folder || echo hard); do
        anew
        mkdir tiles.pmtiles.parts && lay $kind tiles.pmtiles.parts/$file
        esker_here '[12]' "'tiles.pmtiles.parts/$file'\|^esker: tiles.pmtiles.parts/$file" tiles one.lua || { echo "$file $kind" >>../wrong; wrong=1; break 2; }
    done
done
check "a plan or a lock that is no plain file is an error that names it" $wrong
wrong=0
for kind in link dangling device pipe; do
    anew
    mkdir tiles.pmtiles.parts && lay $kind tiles.pmtiles.parts/0-0-0 && lay $kind tiles.pmtiles.parts/output-0
    esker_here 0 '' tiles map.lua --levels 0 -q && plain tiles.pmtiles && [ ! -e tiles.pmtiles.parts ] ||
        { echo $kind >>../wrong; wrong=1; break; }
done
check "links and pipes in the place of parts and outputs are replaced" $wrong
anew
esker_here 0 '' tiles map.lua --levels 0 --shard 1/1 -q && lay hard tiles.pmtiles.parts/0-0-0 &&
    esker_here 1 'tiles.pmtiles.parts/0-0-0 is damaged' tiles --merge && rm tiles.pmtiles.parts/0-0-0 &&
    mkdir tiles.pmtiles.parts/0-0-0 && esker_here 1 'parts are missing' tiles --merge
check "a part that is another file is damaged, one that is a folder is missing" $?
anew
esker_here 0 '' tiles one.lua --levels 0 --shard 1/1 -q &&
    head -c 5000000 /dev/zero | gzip | tail -c 8 | head -c 4 >../checksum &&
    { lua5.4 -e 'io.write(("<I8"):pack(5000000))' && cat ../checksum && head -c 5000000 /dev/zero; } >tiles.pmtiles.parts/0-0-0 &&
    esker_here 1 'tiles.pmtiles.parts/0-0-0 is damaged' tiles --merge
check "a part of more bytes than its tiles can have is not read, however well it sums up" $?
anew
mkdir map.parts && echo photo >map.parts/photo.jpg && mkdir map.parts/2024 && echo photo >map.parts/2024/photo.jpg
esker_here 0 'map.parts  stays: it holds files that are no parts of tiles' tiles one.lua -o map &&
    [ "$(find map.parts | wc -l)" = 4 ] && [ -e map/tiles.json ]
check "of a folder of parts only what Esker made is removed" $?
anew
esker_here 0 '' tiles map.lua --levels 0 --shard 1/1 -q && cp -r tiles.pmtiles.parts ../parts && wrong=0
for forged in 's/^high.*/high\t22/;s/^low.*/low\t22/' 's/^tile.*/sources\tx\n&/' 's/^format.*/format\t..\/..\/victim\/x/' \
    's/^source\tworld/source\t..\/..\/victim\/x/' 's/^left.*/left\tnan/'; do
    rm -rf tiles.pmtiles.parts && cp -r ../parts tiles.pmtiles.parts && sed "$forged" ../parts/plan >tiles.pmtiles.parts/plan
    esker_here '[012]' '' tiles --merge && [ $status != 124 ] || { echo "$forged" >>../wrong; wrong=1; break; }
done
check "a forged plan ends soon, and nothing is written outside" $wrong
rm -rf ../parts
wrong=0
anew
esker tiles one.lua --levels 0 --shard 1/1 -q && cp tiles.pmtiles.parts/plan ../plan
for forged in '/^kinds/s/$/,relief/' '/^kinds/{p;}' '/^source/{p;}' 's/\tField\t/\tNothing\t/' 's/^kinds.*/kinds\timage/'; do
    sed "$forged" ../plan >tiles.pmtiles.parts/plan
    esker_here 2 'the plan of tiles in .* is damaged' tiles --merge || { echo "$forged" >>../wrong; wrong=1; break; }
done
cp ../plan tiles.pmtiles.parts/plan && esker_here 0 '' tiles --merge || wrong=1
check "a plan with a kind or a source twice, or of no tiles, is damaged" $wrong
rm -f ../plan
wrong=0
for recipe in one map; do
    anew
    echo 'return { a = esker.spectral{ size = 16, seed = 1 }, b = esker.spectral{ size = 16, seed = 2 } }' >map.lua
    esker tiles $recipe.lua -o tt --levels 0 --shard 1/1 -q && mv tt.parts tiles.pmtiles.parts && ln -s ../victim tiles.pmtiles
    [ $recipe = one ] || (cd ../victim && esker tiles ../laid/map.lua -o . --levels 0 -q && rm -rf 2024)
    before=$(state)
    esker_here 2 'tiles.pmtiles.parts were drawn in another format' tiles --merge || { echo $recipe >>../wrong; wrong=1; break; }
done
check "the output's name, not the plan, says whether a folder is made, so a default name leads nowhere" $wrong

# --- tiles: the output ---
anew
mkdir tiles.parts && : >tiles.parts/joining && ln -s "$scratch/victim" tiles
esker_here 2 'tiles has a tiles.json that Esker did not write' tiles one.lua -o tiles
check "a forged state of parts makes no folder Esker's own" $?
anew
(cd ../victim && esker tiles ../good/one.lua -o mine -q) && before=$(state) && ln -s ../victim/mine tiles
esker_here 2 'tiles is a link to a folder of tiles, which would be replaced' tiles one.lua -o tiles
check "tiles behind a link are not replaced, even if they are Esker's" $?
anew
(cd ../victim && esker tiles ../good/one.lua --kinds relief,contours -o mine -q) && before=$(state) && ln -s ../victim/mine tiles
esker_here 2 'tiles is a link to a folder of tiles, which would be replaced' tiles one.lua --kinds relief,contours -o tiles
check "nor those of several sets below a link" $?
anew
rm -rf ../victim/2024 && before=$(state) && ln -s ../victim tiles
esker_here 2 'tiles has a tiles.json that Esker did not write' tiles one.lua -o tiles
check "nor is a tiles.json behind one" $?
wrong=0
for place in tiles/contours tiles/height-relief; do
    anew
    (cd ../victim && esker tiles ../good/one.lua -o mine -q) && before=$(state)
    [ $place = tiles/contours ] && name=vector || name=relief
    mkdir tiles && ln -s "$scratch/victim/mine" tiles/$name
    esker_here 2 "tiles/$name is a link, and was not named" tiles one.lua --kinds relief,contours -o tiles || { wrong=1; break; }
done
check "the folder of a set of tiles may not be a link" $wrong
anew
mkdir tiles && ln -s "$scratch/victim" tiles/0
esker_here 2 "tiles/0 is a link or a file, where a folder of tiles belongs" tiles one.lua -o tiles
check "nor a level's" $?
anew
ln -s "$scratch/victim" tiles
esker_here 2 "tiles is a link, and was not named on the command line" tiles one.lua --engine unity
check "nor the default folder of an engine's tiles" $?
wrong=0
for kind in link pipe folder; do
    anew
    mkdir -p tiles/0 && lay $kind tiles/tiles.json
    esker_here '[12]' "tiles/tiles.json\|tiles has tiles that" tiles one.lua -o tiles || { echo $kind >>../wrong; wrong=1; break; }
    mkdir -p tiles/0 && rm -rf tiles/tiles.json && lay $kind tiles/tiles.json.unfinished
    esker_here '[12]' "tiles/tiles.json.unfinished\|tiles has tiles that" tiles one.lua -o tiles || { echo unfinished $kind >>../wrong; wrong=1; break; }
done
check "what is no plain file says of no folder that it is Esker's" $wrong
anew
esker_here 0 '' tiles one.lua -o tiles -q && rm tiles/tiles.json && mkdir tiles/7 && echo '0 7' >tiles/tiles.json.unfinished &&
    esker_here 0 'tiles  replaces the tiles of an earlier run' tiles one.lua -o tiles && [ ! -e tiles/7 ] &&
    [ "$(ls tiles | tr '\n' ' ')" = '0 tiles.json ' ]
check "a folder in which a killed run was joining is Esker's" $?
anew
echo mine >tiles.pmtiles && esker_here 2 "tiles.pmtiles is not Esker's, and would be replaced" tiles one.lua && [ "$(cat tiles.pmtiles)" = mine ] &&
    rm tiles.pmtiles && esker_here 0 '' tiles one.lua -q && esker_here 0 '' tiles one.lua -q
check "of another program's file and one of its own of the default name only its own is replaced" $?
wrong=0
for ending in pmtiles mbtiles; do # -relief, after the name that was typed
    [ $ending = pmtiles ] || esker tiles one.lua -o sql.mbtiles 2>/dev/null || continue
    echo mine >a-relief.$ending && esker_here 2 "a-relief.$ending is not Esker's" tiles one.lua --kinds relief,contours -o a.$ending &&
        [ "$(cat a-relief.$ending)" = mine ] && rm a-relief.$ending && esker_here 0 '' tiles one.lua --kinds relief,contours -o a.$ending -q &&
        esker_here 0 '' tiles one.lua --kinds relief,contours -o a.$ending -q || { wrong=1; break; }
done
check "nor another program's file with the name of one of several sets" $wrong
for ending in pmtiles mbtiles; do
    if [ $ending = mbtiles ] && esker tiles one.lua -o tiles.mbtiles 2>&1 | grep -q SQLite; then
        check "an archive in the place of links # SKIP without SQLite" 0
        continue
    fi
    wrong=0
    for kind in link dangling device hard pipe; do
        anew
        for file in tiles.$ending tiles.$ending.unfinished tiles.$ending.unfinished-journal tiles.$ending.unfinished-wal; do
            lay $kind $file
        done
        esker_here 0 '' tiles one.lua -o tiles.$ending -q && plain tiles.$ending && [ "$(stat -c %h tiles.$ending)" = 1 ] ||
            { echo $kind >>../wrong; wrong=1; break; }
    done
    check "what lies in the place of an archive is replaced (.$ending)" $wrong
    wrong=0
    for file in tiles.$ending $([ $ending = pmtiles ] || echo tiles.mbtiles.unfinished); do
        anew
        mkdir $file
        esker_here 1 "cannot write '*tiles.$ending" tiles one.lua -o tiles.$ending || { wrong=1; break; }
    done
    check "a folder there is an error (.$ending)" $wrong
done

# --- what lies beside a grid that the user names ---
grid='ncols 3\nnrows 3\nxllcorner 1000\nyllcorner 2000\ncellsize 10\n1 2 3\n4 5 6\n7 8 9\n'
with_grid() { # a recipe, and in data/ a grid
    anew
    mkdir recipes data && printf "$grid" >data/dem.asc
    cat >recipes/read.lua <<'LUA'
local p = params{ path = "", other = "" }
local well, grid = pcall(esker.load, p.path)
local found = {}
for place in p.other:gmatch("[^:]+") do found[#found + 1] = pcall(esker.load, place) and place or nil end
return { what = well and (grid.frame and grid.frame.system or "none") or "no grid", found = table.concat(found, ":") }
LUA
}
with_grid
others=
for name in asc.json asc.hdr asc.msk asc.aux.xml prj hdr sgrd rdc tfw wld PRJ asc.AUX.XML; do
    cp ../secret/height.png ../victim/$name.png && ln -s "$scratch/victim/$name.png" data/dem.$name
    others=$others:$scratch/victim/$name.png
done
before=$(state)
esker_here 0 '^found = $' recipes/read.lua path=data/dem.asc "other=$others" -o out -q
check "a link beside a grid gives a recipe no other file" $?
with_grid
echo SECRET >../victim/note && before=$(state) && ln -s "$scratch/victim/note" data/dem.prj
esker_here 0 '^what = none$' recipes/read.lua path=data/dem.asc -o out && ! grep -q SECRET ../printed ../message &&
    grep -q 'data/dem.prj is not read: it is a link' ../message
check "not the first line either, and a message says that the link is not read" $?
echo SECRET >recipes/note && ln -sf ../recipes/note data/dem.prj
esker_here 0 '^what = none$' recipes/read.lua path=data/dem.asc -o out && ! grep -q SECRET ../printed
check "not even of a file that the recipe may read" $?
echo SECRET >data/note.txt && ln -sf note.txt data/dem.prj
esker_here 0 '^what = none$' recipes/read.lua path=data/dem.asc -o out -q
check "a link to a file of another ending, neither" $?
with_grid
echo 'LOCAL' >data/site.prj && ln -s site.prj data/dem.prj
esker_here 0 '^what = .*LOCAL' recipes/read.lua path=data/dem.asc -o out
check "a link to one of the same ending in the grid's folder belongs to it" $?
with_grid
mkdir store && mv data/dem.asc store && echo 'LOCAL' >store/dem.prj && ln -s ../store/dem.asc ../store/dem.prj data
esker_here 0 '^what = .*LOCAL' recipes/read.lua path=data/dem.asc -o out
check "where the grid is a link that the user typed, that is the folder to which it leads" $?
wrong=0
for kind in device pipe folder; do
    with_grid
    for name in dem.asc.json dem.asc.hdr dem.asc.aux.xml dem.prj dem.wld; do
        lay $kind data/$name
    done
    esker_here 0 '^what = none$' recipes/read.lua path=data/dem.asc -o out || { echo $kind >>../wrong; wrong=1; break; }
done
check "pipes, devices and folders beside it are not read" $wrong
with_grid
printf 'path,other\ndata/dem.asc,%s\n' "$scratch/victim/secret.png" >design.csv
esker_here 0 '' sweep recipes/read.lua --from design.csv -o out -q && grep -q ',no grid,done,' out/table.csv &&
    esker_here 0 '' sweep recipes/read.lua path=data/dem.asc -o typed -q && grep -q ',none,done,' typed/table.csv
check "files that a table for a sweep names are not those that the user named" $?

# --- folders with default names ---
anew
ln -s "$scratch/victim" out
esker_here 2 'out is a link, and was not named on the command line' sweep sweep.lua n=1,2
check "a sweep's default folder may not be a link" $?
esker_here 2 'out is a link, and was not named on the command line' search sweep.lua n=1.0..2 --maximize n --budget 8
check "nor a search's" $?
esker_here 2 'out is a link, and was not named on the command line' table
check "nor the one whose table is read" $?
printf 'esker.sweep{ recipe = "sweep.lua", grid = { n = { 1, 2 } } }\n' >typed.lua
timeout 60 esker <typed.lua >../printed 2>../message
untouched && grep -q 'out is a link, and was not named' ../message
check "nor that of a sweep in a session" $?

# --- a folder that is exchanged for a link while a recipe runs ---
exchanged() { # exchanged WORDS…: a trusted recipe whose output folder becomes a link before it saves
    anew
    mkdir ../victim/sub && before=$(state)
    cat >swap.lua <<'LUA'
local p = params{ n = 1, place = "" }
local place = p.place ~= "" and p.place or io.popen("ls -d out/unfinished/*"):read()
assert(os.rename(place, "moved"))
assert(os.execute("ln -sn \"$PWD/../victim\" " .. place))
local land = esker.spectral{ size = 16 }
land:save("one.png")
return { two = land, no = tostring(pcall(land.save, land, "sub/three.png")) }
LUA
    "$@"
}
exchanged esker_here 0 '^no = false' swap.lua place=out -o out --trust && plain moved/one.png && plain moved/two.png
check "what a recipe saves stays in the folder that it began with" $?
exchanged esker_here '[01]' '' sweep swap.lua n=1 -o out -q --trust && plain moved/one.png && plain moved/record
check "and so does a run's record" $?
anew
mkdir -p out ../victim/sub && before=$(state) && ln -s "$scratch/victim" out/link
cat >slashes.lua <<'LUA'
local land, saved = esker.spectral{ size = 16 }, ""
for _, path in ipairs{ "link/a.png", "link//a.png", "./link/a.png", ".//link///./sub//a.png" } do
    saved = saved .. (pcall(land.save, land, path) and path .. " " or "")
end
land:save(".//here.png")
return { saved = saved }
LUA
esker_here 0 '^saved = $' slashes.lua -o out --trust && plain out/here.png
check "and no link below that folder is followed, with any number of slashes" $?

# --- the program's own modules, and files that it reads ---
anew
mkdir esker lib && echo 'print("STRANGER")' | tee esker/nothing.lua >esker/explorer_page.lua
echo 'return { well = pcall(require, "esker.nothing") }' >lib/own.lua
esker_here 0 '^well = false' lib/own.lua --trust && ! grep -q STRANGER ../printed
check "no module of the program comes from the current folder" $?
wrong=0
for kind in pipe device; do
    anew
    lay $kind hills.lua
    echo 'return { well = pcall(require, "hills") }' >own.lua
    esker_here 0 '^well = false' own.lua && esker_here 1 '' tiles own.lua && esker_here '[01]' '' sweep own.lua -q || { echo $kind >>../wrong; wrong=1; break; }
done
check "a module that is no plain file" $wrong
wrong=0
for kind in link pipe folder; do
    anew
    printf "$grid" >dem.asc && lay $kind dem.asc.json
    esker_here '[01]' '' info dem.asc || { echo $kind >>../wrong; wrong=1; break; }
    rm -rf dem.asc.json && mkdir tiles && lay $kind tiles/tiles.json
    esker_here 1 '' info tiles || { echo tiles $kind >>../wrong; wrong=1; break; }
done
check "info reads only plain files beside a file, and in a folder" $wrong
anew
printf '{"Software":"Esker 1 SECRET","esker:command":"esker a.lua"}' >../victim/note && before=$(state)
printf "$grid" >dem.asc && ln -s ../victim/note dem.asc.json
esker_here '[01]' '' info dem.asc && ! grep -q SECRET ../printed
check "and follows no link there" $?
anew
esker_here 0 '' tiles one.lua -o tiles -q && ln -s "$scratch/laid/tiles/0" tiles/1 && esker_here 0 '^tiles *1$' info tiles
check "nor to count tiles" $?
anew
mkfifo pipe.pmtiles pipe.json pipe.png pipe.lua pipe.csv && wrong=0
for words in 'info pipe.pmtiles' 'info pipe.json' 'info pipe.png' pipe.lua 'tiles pipe.lua' 'sweep pipe.lua' 'explore pipe.lua' \
    'sweep sweep.lua --from pipe.csv' '--help pipe.lua'; do
    esker_here '[12]' '' $words || { echo "$words" >>../wrong; wrong=1; break; }
done
check "no command waits for a pipe" $wrong
printf 'record("pipe.lua")\nsave_session("pipe.lua")\nrun("pipe.lua")\nprint("alive")\n' >typed
timeout 60 esker <typed >../printed 2>../message
grep -q alive ../printed && untouched && grep -q 'pipe.lua is there already' ../message
check "nor does a session" $?
if command -v strace >/dev/null; then
    strace -f -qq -e trace=open,openat -o trace esker info pipe.pmtiles >../printed 2>../message
    grep 'pipe.pmtiles' trace >../wrong
    [ -s ../wrong ] && ! grep -qv O_PATH ../wrong
    check "what is no plain file is not even opened" $?
fi
echo "1..$count"
