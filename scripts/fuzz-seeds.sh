#!/bin/sh
# Where the fuzzers begin: small files of every format, and serialized values. `scripts/fuzz-seeds.sh FOLDER` makes FOLDER/read,
# write, operation, serialize and request; what is there stays.
set -eu
cd "$(dirname "$0")/.."
build=${ESKER_BUILD:-build}
mkdir -p "$1/read" "$1/write" "$1/operation" "$1/serialize" "$1/request"
folder=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/files.lua" <<'LUA'
local land = esker.diamond_square{ width = 16, height = 16, seed = 3 }
local metres = land * 900 - 100
for _, ending in ipairs{ "png", "r16", "asc", "pgm", "npy" } do
    land:save("land." .. ending)
    metres:save("scaled." .. ending)
end
pcall(function() land:save("land.exr", { more = { metres }, names = "land, metres", type = "float16" }) end) -- where it is built
pcall(function() land:save("land.tif") end)
land:save("coarse.png", { bits = "8" })
land:save("coarse.pgm", { bits = "8" })
return { relief = land:relief{} }
LUA
(cd "$scratch" && "$OLDPWD/$build/esker" files.lua -q -o out)

# The first byte chooses the format: tests/fuzz/fuzz_read.c.
put() { # BYTE FILE NAME
    { printf "\\$1" && cat "$2"; } >"$folder/read/$3"
}
for file in "$scratch"/out/*; do
    name=$(basename "$file")
    case $name in
    *.png) put 000 "$file" "$name" && put 007 "$file" "texts-$name" ;;
    *.r16) put 001 "$file" "$name" ;;
    *.tif) put 006 "$file" "$name" ;;
    *.json) put 007 "$file" "$name" ;;
    *.exr) put 005 "$file" "$name" ;;
    *.npy) put 004 "$file" "$name" ;;
    *.asc) put 002 "$file" "$name" ;;
    *.pgm) put 003 "$file" "$name" && put 013 "$file" "given-$name" ;;
    esac
done
ESKER_SERIALIZED=$folder/serialize "$build/tests/program/test_serialize" >/dev/null 2>&1
for byte in 000 001 002 003 004 005 006 007 010; do
    { printf "\\$byte" && head -c 600 "$build/esker"; } >"$folder/write/$byte"
done
i=0
for request in 'GET /api/state' 'GET /api/tile/0/0/3/5/2?size=64' 'GET /api/at/1/a?x=0.5&y=0.25&zoom=3' 'GET /api/lines/0?z=3&x=5&y=2&size=64' 'GET /api/mesh/1/a' \
    'GET /api/export?result=a&format=tif' 'GET /?t=0' \
    'GET /api/export?result=a&format=png' 'POST /api/run {"params":{"seed":1.5e3},"text":"return {}","preview":256}' \
    'POST /api/save {"path":"a.lua","params":{"a":"\u00e4\ud83d\ude00"}}' 'GET /api/help?word=relief'; do
    i=$((i + 1))
    # shellcheck disable=SC2086 # words: method, path, body
    set -- "$1" $request
    [ "$2" = POST ] && length=40 || length=0
    printf '%s\n127.0.0.1:4711\n\nsame-origin\nesker_4711=0123456789abcdef0123456789abcdef\napplication/json\n%d\n%s\n%s' \
        "$2" "$length" "$3" "${4-}" >"$folder/request/$i"
done
i=0
while [ $i -lt 48 ]; do # one for each operation
    { printf "\\$(printf '%03o' $i)\\020\\020" && head -c $((200 + i)) "$build/esker" | tail -c 150; } >"$folder/operation/$i"
    i=$((i + 1))
done
