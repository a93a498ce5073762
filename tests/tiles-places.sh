#!/bin/sh
# Tiles of fields that have their place on the earth: across 180°, beyond where web maps end, too fine. Prints TAP.
set -u
. "$(dirname "$0")/support/scratch.sh"
reason() { cat message; }

refuses() { # refuses STATUS PATTERN WORDS…: the message, soon, and nothing is left
    status=$1 pattern=$2
    shift 2
    timeout 60 esker tiles "$@" -o refused >out 2>message
    [ $? = "$status" ] && grep -q -- "$pattern" message && [ ! -e refused ] && [ ! -e refused.parts ]
    check "refuses $*" $?
}
# pair FOLDER TILE FOLDER TILE: both are there, and equal
pair() { cmp "$1/$2.png" "$3/$4.png" >message 2>&1; }

cat >at.lua <<'LUA'
local p = params{ x = 0.0, y = 20.0, width = 256, height = 128, cell = 22.5 / 256, roll = 0, large = false, gaps = false,
    system = "EPSG:4326" }
local land = esker.noise{ width = p.width, height = p.height, seed = 4 }:crop{ x = p.roll, y = 0, width = p.width,
    height = p.height, wrap = true } * 900
land = p.gaps and land:set_gaps(land - 300) or land
land.wraps = false
land.frame = { x = p.x, y = p.y, cell = p.cell, system = p.system, unit = "m" }
return { land = p.large and esker.large{ field = land, rows = 40 } or land }
LUA
tiles() { # tiles FOLDER WORDS…
    folder=$1
    shift
    timeout 60 esker tiles at.lua "$@" -o "$folder" -q 2>message
}

# --- across 180° ---
tiles here x=-11.25 --kinds terrarium && tiles over x=168.75 --kinds terrarium &&
    pair here 4/7/7 over 4/15/7 && pair here 4/8/7 over 4/0/7
check "a field that goes on beyond 180° is drawn on both sides of it" $?
[ "$(ls over/4 | tr '\n' ' ')" = '0 15 ' ] && [ "$(find here -name '*.png' | wc -l)" -le "$(find over -name '*.png' | wc -l)" ]
check "only in the tiles where it lies" $?
grep -q '"bounds":\[-180,8.[0-9.]*,180,20[0-9.]*\]' over/tiles.json && grep -q '"center":\[-180,14' over/tiles.json
check "its bounds do not wrap, and its center is its own" $?
for x in -191.25 528.75; do
    tiles other x=$x --kinds terrarium && diff -r -x tiles.json over other >message
    check "a field at a longitude of $x lies where it is a turn away" $?
    rm -rf other
done
tiles small x=170 height=64 gaps=true --kinds relief,contours --levels 3..4 &&
    tiles large x=170 height=64 gaps=true large=true --kinds relief,contours --levels 3..4 &&
    diff -r -x tiles.json small large >message && [ "$(ls small/relief/4 | tr '\n' ' ')" = '0 15 ' ]
check "a field larger than memory, too" $?
tiles half x=168.75 --kinds terrarium --area 0,0,0.5,1 && [ "$(ls half/4)" = 0 ] && pair over 4/0/7 half 4/0/7
check "an area has one side of it" $?
tiles all x=168.75 --kinds terrarium --area 0,0,1,1 && diff -r -x tiles.json over all >message
check "the area of the world has both" $?

world='width=2048 height=512 cell=0.17578125 y=45 --kinds terrarium --levels 3'
# shellcheck disable=SC2086
tiles west x=-180 roll=1024 $world && tiles east x=0 $world &&
    for column in 1 2 5 6; do
        pair west 3/$column/3 east 3/$column/3 && pair west 3/$column/4 east 3/$column/4 || break
    done && [ "$(ls east/3 | wc -l)" = 8 ]
check "longitudes of 0 to 360 are those of -180 to 180" $?

metres='cell=9783.939620502561 y=2504688.542848654 system=EPSG:3857 --kinds terrarium'
# shellcheck disable=SC2086
tiles metres-here x=-1252344.271424327 $metres && tiles metres-over x=18785164.071364917 $metres &&
    pair metres-here 4/7/7 metres-over 4/15/7 && pair metres-here 4/8/7 metres-over 4/0/7
check "so does one in Web Mercator" $?

# --- beyond where web maps end ---
refuses 1 "'land' lies beyond 85.05° of latitude, where web maps end" at.lua y=89 cell=0.01
refuses 1 "'land' lies beyond 85.05° of latitude" at.lua y=-86 cell=0.01
refuses 1 "'land' lies beyond 85.05° of latitude" at.lua y=200 cell=0.01
refuses 1 "'land' lies beyond 85.05° of latitude" at.lua y=3e7 cell=100 system=EPSG:3857
refuses 1 "'land' lies 1.*e+09° from" at.lua x=1e9
refuses 1 "'land' is 1440° wide" at.lua cell=5.625 height=8
refuses 2 "--area: there is nothing of 'land' in it" at.lua --area 0,0,0.1,0.1
tiles polar y=89 cell=0.0625 --kinds terrarium && [ "$(find polar -name '*.png' | wc -l)" -gt 2 ]
check "a field that goes on beyond 85.05° is drawn as far as web maps go" $?

# --- finer than the finest level ---
refuses 2 "the cells of 'land' are the pixels of level 31, tiles have levels up to 24: choose some" at.lua cell=1e-9
tiles fine cell=1e-9 --levels 20..24 && [ "$(find fine/24 -name '*.png' | wc -l)" -gt 0 ]
check "levels that are asked for are drawn of it" $?
# --- outputs and plans ---
for output in o.zip o.mbtile o.MBtile o.pmtils o.png; do
    esker tiles at.lua -o $output -q 2>message
    [ $? = 2 ] && grep -q "takes a .pmtiles, an .mbtiles or a folder, and '$output'" message && [ ! -e $output ] && [ ! -e $output.parts ]
    check "-o $output is refused" $?
done
esker tiles at.lua -o out/o.mbtile -q 2>message
grep -q "did you mean 'out/o.mbtiles'" message && mkdir kept.zip && tiles kept.zip && [ -e kept.zip/tiles.json ] && tiles v1.2 && [ -e v1.2/tiles.json ]
check "the nearest archive is named, and folders may have dots" $?
level=$(cd v1.2 && ls -d [0-9]* | tail -1)
mkdir theirs && mv "v1.2/$level" theirs/ && ln -s "../theirs/$level" "v1.2/$level" && find v1.2 theirs | sort >before && ! tiles v1.2 &&
    grep -q "v1.2/$level is a link or a file, where a folder of tiles belongs" message && find v1.2 theirs | sort | diff before -
check "a link in place of a level is refused before anything is lost" $?
rm -rf v1.2.parts
tiles shares --shard 1/1 && mv shares.parts/plan plan && ! esker tiles --merge -o shares 2>message &&
    grep -q 'contains no plan of tiles; the command that drew them writes it again' message
check "what to do without a plan" $?
{ cat plan && echo changed; } >shares.parts/plan && ! esker tiles --merge -o shares 2>message && grep -q 'is damaged; remove' message
check "a plan with more than a plan" $?
sed 's/^tile.*/tile 3/' plan >shares.parts/plan && ! esker tiles --merge -o shares 2>message &&
    grep -q 'is damaged; remove shares.parts/plan' message && ! tiles shares && grep -q 'is damaged; remove .*shares.parts/plan' message
check "what to do with a damaged plan" $?
rm shares.parts/plan && tiles shares --shard 1/1 && esker tiles --merge -o shares -q 2>message && [ -e shares/tiles.json ]
check "it is as the messages say" $?
echo "1..$count"
