#!/bin/sh
# Where the fuzzers begin: small files of every format, and serialized values. `scripts/fuzz-seeds.sh FOLDER` makes FOLDER/read,
# write, map, operation, serialize and request; what is there stays.
set -eu
cd "$(dirname "$0")/.."
build=${ESKER_BUILD:-build}
mkdir -p "$1/read" "$1/write" "$1/map" "$1/operation" "$1/serialize" "$1/request"
folder=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The first byte chooses the format: tests/fuzz/fuzz_read.c.
cat >"$scratch/files.lua" <<'LUA'
local p = params{ folder = "" }
local land = esker.diamond_square{ width = 16, height = 16, seed = 3 }
local metres = land * 900 - 100
local texts <const>, given <const> = 31, 32
local number = 0
local function bytes_of(path)
    local file <close> = io.open(path, "rb")
    return file and file:read("a")
end
local function put(code, path, name)
    local file <close> = assert(io.open(p.folder .. "/read/" .. name, "wb"))
    file:write(string.char(code), bytes_of(path))
end
local function seed(format, value, name, options)
    local path = "out/" .. name .. "." .. format.endings[1]
    if pcall(value.save, value, name .. "." .. format.endings[1], options) then -- its library is there
        put(number, path, path:match("[^/]*$"))
        put(number + given, path, "given-" .. path:match("[^/]*$"))
        if bytes_of(path .. ".json") then
            put(texts, path .. ".json", path:match("[^/]*$") .. ".json")
        end
    end
    return path
end
for _, format in ipairs(esker.formats()) do
    if format.reads then
        local takes = " " .. table.concat(format.save_takes, " ") .. " "
        if format.writes then
            seed(format, land, "land")
            local path = seed(format, metres, "scaled")
            if format.endings[1] == "png" then
                put(texts, path, "texts-scaled.png")
                seed(format, land:relief{}, "relief")
            end
        end
        if format.endings[1] == "json" then -- as tests/cli/worlds.sh writes it
            put(number, "world.json", "world.json")
        elseif takes:find(" bits ", 1, true) then
            seed(format, land, "coarse", { bits = "8" })
        elseif takes:find(" more ", 1, true) then
            seed(format, land, "several", { more = { metres }, names = "land, metres", type = "float16" })
        end
        number = number + 1
    end
end
LUA
cat >"$scratch/maps.lua" <<'LUA'
local p = params{ folder = "" }
local map = esker.river_map{ seed = 2, landscape = "hills", side = 200000, lakes = 0.05 }
local line = esker.lines{ size = 1000, list = { { { 412, 575 }, { 426, 569 } } } }
local maps = { plain = map, planet = esker.river_map{ seed = 3, tiling = "sphere" },
    hill = map:raise(line, { width = 5000, height = 400 }),
    guided = esker.river_map{ guide = esker.field{ size = 9, values = function(x, y) return (x - y) / 9 end }, relief = 900 },
    places = map:set_places(esker.points{ size = 1, list = { { x = 0.4, y = 0.5, attributes = { name = "A" } } } }),
    imprint = map:imprint(esker.shape{ size = 16, kind = "volcano" } * 900, { at = { { 0.412, 0.5735 } }, side = 24e3 }) }
for name, each in pairs(maps) do
    each:save_map(name .. ".json")
    local from <close> = io.open("out/" .. name .. ".json")
    local to <close> = io.open(p.folder .. "/map/" .. name, "w")
    -- What edits compute takes seconds under sanitizers: the seeds have the text of one, which fails before.
    to:write((from:read("a"):gsub('"width":5000', '"width":-1'):gsub('"side":24000', '"side":-1')))
end
LUA
(cd "$scratch" && "$OLDPWD/$build/esker" --trust maps.lua folder="$folder" -q -o out)
sed -n "/^{/,/^\"rivers/p" tests/cli/worlds.sh >"$scratch/world.json"
(cd "$scratch" && "$OLDPWD/$build/esker" --trust files.lua folder="$folder" -q -o out)
# Once each: the rest of that test writes no seeds.
ESKER_SEEDS=1 ESKER_SERIALIZED=$folder/serialize "$build/tests/program/test_serialize" >/dev/null 2>&1
for byte in 000 001 002 003 004 005 006 007 010; do
    { printf "\\$byte\\$byte" && head -c 600 "$build/esker"; } >"$folder/write/$byte"
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
