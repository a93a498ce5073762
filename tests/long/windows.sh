#!/bin/sh
# The program and the library for Windows (make windows), under wine: the same bytes as here, files with names beyond ASCII,
# recipes, sweeps, tiles and the session, and the C program of docs/calling.md. Prints TAP.
# SAMPLE=1: not the whole fingerprint.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
skip() {
    echo "1..0 # SKIP $1"
    exit
}
mingw=x86_64-w64-mingw32-gcc
wine=/usr/lib/wine/wine64
for tool in $mingw $wine; do
    command -v $tool >/dev/null || skip "no $tool (scripts/setup.sh windows)"
done
make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
build=$(cd "${ESKER_BUILD:-build}" && pwd)
tests=$PWD/tests
source=$PWD/src
scratch=$(mktemp -d)
export WINEPREFIX="$scratch/wine" WINEDEBUG=-all LC_ALL=C.UTF-8 HOME="$scratch"
trap '/usr/lib/wine/wineserver64 -k 2>/dev/null; rm -rf "$scratch"' EXIT
reason() { tail -20 "$scratch/log" | cut -c1-160; }
make -s BUILD="$build" windows >"$scratch/log" 2>&1
check "make windows" $?

chunk="package.path = '$tests/?.lua' local fingerprint = require('fingerprint')"
windows() { $wine "$build/windows/lua.exe" "$1" 2>"$scratch/problems" | tr -d '\r'; }
same() { # CODE: prints the same here and there
    LUA_CPATH="$build/?.so;;" lua5.4 -e "$chunk $1" >"$scratch/expected"
    windows "$chunk $1" | diff "$scratch/expected" - >"$scratch/log" && [ -s "$scratch/expected" ]
    status=$?
    cat "$scratch/problems" >>"$scratch/log"
    return $status
}
if [ -z "${SAMPLE:-}" ]; then
    same "fingerprint.print_all(2)"
    check "every operation gives the same bytes" $?
    same "fingerprint.print_windows()"
    check "every tiling and landscape gives the same bytes at every zoom" $?
else
    same "fingerprint.print_all(2, 12)"
    check "one operation in twelve gives the same bytes, on two threads" $?
    same "fingerprint.print_windows(4)"
    check "one map in four gives the same bytes at every zoom" $?
fi

cd "$scratch" || exit 1
mkdir "Höhe π"
windows 'local esker = require("esker")
local name = "H\u{F6}he \u{3C0}/\u{5C71}.npy"
local land = esker.noise{ size = 32, seed = 1 }
land:save(name) land = land + 1 land:save(name)
print(esker.load(name):hash() == land:hash())
land:mesh{}:save("land.glb") land:save("land.png") land:contours{ interval = 0.1 }
print(esker.load("land.png").width, pcall(esker.load, "nowhere.png"))
print(pcall(land.save, land, "nowhere/land.png"))' >log
[ "$(sed -n 1p log)" = true ] && [ -s "Höhe π/山.npy" ] && [ "$(ls -A "Höhe π" | tr "\n" " ")" = "山.npy 山.npy.json " ]
check "files have names beyond ASCII, and replace older ones" $?
[ "$(head -c 4 land.glb)" = glTF ] && grep -q "^32.false.*cannot read 'nowhere.png'.*: No such file" log &&
    grep -q "^false.*cannot write 'nowhere/land.png': No such file" log
check "models are written, and what is missing is told" $?

awk '/^```/ { file = "" } file { print >file } /^```c$/ { getline; file = "map.c"; print >file }' "$tests/../docs/calling.md"
cp "$build/windows/libesker-1.dll" .
$mingw -D__USE_MINGW_ANSI_STDIO=1 map.c -I"$source" -L"$build/windows" -lesker -o map.exe >log 2>&1 &&
    $wine map.exe >there 2>log && mv map.png there.png &&
    gcc map.c -I"$source" -L"$build" -lesker -o map >log 2>&1 && LD_LIBRARY_PATH=$build ./map >here 2>log &&
    cmp map.png there.png >log && [ "$(tr -d '\r' <there)" = "$(cat here)" ]
check "docs/calling.md: map.c draws the same picture with the DLL" $?

# --- the program -------------------------------------------------------------------------------------------
mkdir "unpacked π" && python3 -m zipfile -e "$(ls "$build"/esker-*-windows.zip)" "unpacked π" && cd "unpacked π" || exit 1
native=$build/esker
esker() { $wine esker.exe "$@"; }
log=$scratch/log
[ -d examples ] && [ -s README.txt ] && esker help noise >"$scratch/there" 2>"$log" && "$native" help noise | diff - "$scratch/there" >"$log"
check "the zip holds a program that helps" $?
esker examples/island.lua size=64 --hash >"$scratch/there" 2>"$log" &&
    "$native" examples/island.lua size=64 --hash 2>/dev/null | diff - "$scratch/there" >>"$log" &&
    grep -q "only Esker's own checks" "$log"
check "a recipe gives the same hashes, and what confines it is told" $?
cat >"Höhe.lua" <<'RECIPE'
-- Hills.
local p = params{ seed = { 3, min = 0 }, name = "ä π" }
print(p.name)
return { height = esker.noise{ size = 32, seed = p.seed }, mean = esker.noise{ size = 8, seed = p.seed }:statistics().mean }
RECIPE
esker "Höhe.lua" name="山" -o "aus/π" >"$scratch/there" 2>"$log" && "$native" "Höhe.lua" name="山" -o here 2>/dev/null |
    diff - "$scratch/there" >>"$log" && cmp "aus/π/height.png" here/height.png >>"$log"
check "names and texts are UTF-8, and the picture is the same" $?
esker help "Höhe.lua" >"$scratch/there" 2>"$log"; "$native" help "Höhe.lua" | diff - "$scratch/there" >>"$log"
check "help of a recipe, which is called in another process" $?
for words in --help "-h --trust" "--help -q seed=2"; do
    timeout 60 $wine esker.exe "Höhe.lua" $words >"$scratch/there" 2>"$log" && "$native" "Höhe.lua" $words | diff - "$scratch/there" >>"$log"
    check "its help by option, $words: the other process does not ask for it again" $?
done
mkdir below && printf 'return { h = esker.load("../height.npy") }\n' >below/reads.lua && "$native" "Höhe.lua" -o . --format height=npy -q >"$log"
printf 'os.execute("echo no")\n' >runs.lua
printf 'while true do end\n' >loops.lua
printf 'return { h = esker.noise{ size = 4096 } }\n' >large.lua
! esker below/reads.lua -q 2>"$log" && grep -q "may read only" "$log" && ! esker runs.lua -q 2>"$log" && grep -q "confined" "$log"
check "Esker's own checks confine it" $?
! esker loops.lua -q --time-limit 1 2>"$log" && grep -q "time limit of 1 s is over" "$log" &&
    ! esker large.lua -q --memory-limit 32 2>"$log" && grep -q "memory" "$log"
check "limits of time and memory end it" $?
(cd below && ! $wine ../esker.exe ../Höhe.lua -q 2>"$log") && grep -q "outside of the current folder.*--trust" "$log" &&
    (cd below && $wine ../esker.exe ../Höhe.lua -q --trust -o . 2>"$log") >/dev/null
check "a recipe outside of the current folder has to be trusted" $?
esker sweep "Höhe.lua" seed=1..4 -j 2 -o swept >"$log" 2>&1 && esker table swept >"$scratch/there" 2>>"$log" &&
    "$native" sweep "Höhe.lua" seed=1..4 -j 2 -q -o here2 && "$native" table here2 | diff - "$scratch/there" >>"$log" &&
    cmp "$(ls -d swept/runs/* | head -1)/height.png" "$(ls -d here2/runs/* | head -1)/height.png" >>"$log" &&
    esker sweep "Höhe.lua" seed=1..5 -o swept 2>&1 | grep -q "5 runs, 1 of them new, 0 failed"
check "a sweep in processes gives the same table, and goes on" $?
printf 'return { map = esker.river_map{ seed = 2 } }\n' >map.lua
esker tiles map.lua --levels 0..1 -j 2 -o map.pmtiles -q 2>"$log" && "$native" tiles map.lua --levels 0..1 -q -o here.pmtiles &&
    cmp map.pmtiles here.pmtiles >>"$log"
check "tiles are the same" $?
[ -d site ] || { # the zip holds the real one where make web has made it
    mkdir site && printf '%s\n' 'kept = "esker 0";' 'const files = [];' >site/service.js && touch site/explore.html site/esker.wasm
}
esker explore --static --site site map.lua seed=2 -o page >"$log" 2>&1 && "$native" explore --static --site site map.lua seed=2 -o native -q 2>>"$log" &&
    grep -q 'serves it, as does py -m http.server -d page' "$log" && grep -q 'example=map&amp;p.seed=2' page/index.html &&
    diff -r page native >>"$log"
check "a page of a recipe that computes in the browser" $?
! esker explore map.lua 2>"$log" && grep -q "no server on Windows: explore --static --site" "$log"
check "and the explorer names it" $?
printf 'land = noise{ size = 16, seed = 1 }\nprint(land:hash())\nprint(run("map.lua").map)\n' >lines
esker <lines >"$scratch/there" 2>"$log"
"$native" <lines 2>/dev/null | diff - "$scratch/there" >>"$log"
check "a session, whose run() has a process" $?
echo "1..$count"
