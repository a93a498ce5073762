#!/bin/sh
# The library for Windows (make windows), under wine: the same bytes as here, files with names beyond ASCII, and the C
# program of docs/calling.md. Prints TAP.
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
[ "$(head -c 4 land.glb)" = glTF ] && grep -q "^32.false.*cannot read 'nowhere.png': No such file" log &&
    grep -q "^false.*cannot write 'nowhere/land.png': No such file" log
check "models are written, and what is missing is told" $?

awk '/^```/ { file = "" } file { print >file } /^```c$/ { getline; file = "map.c"; print >file }' "$tests/../docs/calling.md"
cp "$build/windows/libesker-1.dll" .
$mingw -D__USE_MINGW_ANSI_STDIO=1 map.c -I"$source" -L"$build/windows" -lesker -o map.exe >log 2>&1 &&
    $wine map.exe >there 2>log && mv map.png there.png &&
    gcc map.c -I"$source" -L"$build" -lesker -o map >log 2>&1 && LD_LIBRARY_PATH=$build ./map >here 2>log &&
    cmp map.png there.png >log && [ "$(tr -d '\r' <there)" = "$(cat here)" ]
check "docs/calling.md: map.c draws the same picture with the DLL" $?
echo "1..$count"
