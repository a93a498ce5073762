#!/bin/sh
# The mod of examples/luanti in Debian's server (minetest-server), without a client: chunks are made, each column is
# compared with what `render` gives, trees are whole across chunks; a restarted server goes on with the same world,
# and another server, which makes chunks in another order, has the same nodes. Prints TAP.
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$ROOT/${ESKER_BUILD:-build}
SERVER=
for each in /usr/lib/minetest/minetestserver "$(command -v minetestserver)" "$(command -v luantiserver)"; do
    [ -z "$SERVER" ] && [ -n "$each" ] && [ -x "$each" ] && SERVER=$each
done
if [ -z "$SERVER" ]; then
    echo "1..0 # SKIP no server of Luanti is installed (Debian: minetest-server)"
    exit 0
fi
. "$ROOT/tests/support/tap.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export LUA_CPATH="$BUILD/?.so;;"
reason() { tail -12 "$scratch/log"; }
# ESKER_CHUNKS: how many by how many stacks of three chunks of 80 nodes.
WIDE=${ESKER_CHUNKS:-9}
LAST=$((WIDE - WIDE / 2 - 1))
FIRST=$((LAST + 1 - WIDE))

# serve WORLD SETTING …: runs a server until the probe has ended it.
serve() {
    world=$1
    shift
    mkdir -p "$world/worldmods"
    echo "gameid = minetest_game" >"$world/world.mt"
    printf 'backend = sqlite3\nauth_backend = sqlite3\nplayer_backend = sqlite3\nmod_storage_backend = sqlite3\n' >>"$world/world.mt"
    [ -d "$world/worldmods/esker" ] || cp -r "$ROOT/examples/luanti/esker" "$world/worldmods/"
    cp -r "$ROOT/tests/support/luanti_probe" "$world/worldmods/"
    rm -f "$world/done.txt"
    printf '%s\n' "server_announce = false" "bind_address = 127.0.0.1" "liquid_update = 100000" "active_block_range = 1" \
        "secure.trusted_mods = esker" "esker_library = $BUILD/libesker.so.1" "fixed_map_seed = 5" "$@" >"$world.conf"
    timeout 600 "$SERVER" --config "$world.conf" --logfile "" --world "$world" --port $((31000 + $$ % 20000)) >log 2>&1
    [ -f "$world/done.txt" ]
}

serve one "esker_seed = 2" "probe_first = $FIRST,0,$FIRST" "probe_last = -1,2,$LAST"
check "a server makes chunks" $?
serve one "esker_seed = 2" "probe_first = $FIRST,0,$FIRST" "probe_last = $LAST,2,$LAST"
check "a restarted server goes on" $?
grep -h -o -E "esker: [0-9].*|luanti_probe: .*" log | sed 's/^/# /'
cat one/faults.txt >log
! [ -s one/faults.txt ]
check "all nodes are made, and trees are whole across chunks" $?
serve two "esker_seed = 2" "probe_first = -2,0,-2" "probe_last = 1,2,1" "probe_backwards = true"
check "another server makes chunks in another order" $?
cut -d ' ' -f 1 two/hashes.txt | sort >names
sort one/hashes.txt | grep -w -F -f names >expected
sort two/hashes.txt | diff expected - >log && [ "$(wc -l <names)" = 48 ]
check "both have the same nodes" $?
lua5.4 "$ROOT/tests/support/luanti_columns.lua" one/columns.txt 2 200000 >log 2>&1
status=$?
grep '^#' log
check "columns are the map's: ground, rivers, lakes, shores" $status

! serve four "secure.trusted_mods =" "probe_first = 0,0,0" "probe_last = 0,0,0" &&
    grep -q 'write secure.trusted_mods = esker into minetest.conf' log
check "a server that does not trust the mod says what to do" $?

# The same mod, with files, as the note beside an exported file says.
mkdir exported
lua5.4 - >log 2>&1 <<LUA
local esker = require "esker"
local land = esker.noise{ size = 160, seed = 3 } - 0.4
land:export("$scratch/exported/isle", { engine = "minetest", metres = 60, cell = 1 })
land:save("$scratch/exported/isle.npy")
LUA
check "a field is exported" $?
grep -E -o 'examples/luanti/[a-z_]+|worldmods' exported/isle.txt | sort -u >said
printf 'examples/luanti/esker\nworldmods\n' | diff - said >log
check "its note names the mod and the folder" $?
mkdir -p three/worldmods
cp -r "$ROOT/$(grep examples said)" three/worldmods/
cp exported/isle.r16 three/worldmods/esker/
serve three "probe_first = -1,-1,-1" "probe_last = 0,0,0"
check "a server with it starts and makes chunks" $?
lua5.4 - three/columns.txt exported/isle.npy >log 2>&1 <<'LUA'
local esker = require "esker"
local land, off, count = esker.load(arg[2]), 0, 0
for line in io.lines(arg[1]) do
    local x, z, ground = line:match("^(%S+) (%S+) (%S+)")
    x, z, ground = tonumber(x) + 80, 79 - tonumber(z), tonumber(ground)
    if x >= 0 and z >= 0 and x < 160 and z < 160 then
        off, count = math.max(off, math.abs(ground - land:get(x, z) * 60)), count + 1
    end
end
print(off, count)
os.exit(count > 10000 and off <= 0.51)
LUA
check "nodes have the field's heights" $?
echo "1..$count"
