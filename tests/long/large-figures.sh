#!/bin/sh
# What filling and accumulating a field larger than memory costs beside the same in memory: processor time a cell, and
# memory at most. ESKER_SIDE (8192): cells along a side, up to 65536; in memory it is a field of at most 8192² cells.
# ESKER_FOLDER: where the files go, which take 15 bytes a cell. ESKER_THREADS (1). Prints TAP, and the figures.
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
esker=$ROOT/${ESKER_BUILD:-build}/esker
side=${ESKER_SIDE:-8192}
threads=${ESKER_THREADS:-1}
scratch=$(mktemp -d "${ESKER_FOLDER:-${TMPDIR:-/tmp}}/large-figures-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
echo 1..3

# Two periodic fields of noise, whose sum does not repeat. A fifth of the cells lies in lakes.
cat >land.lua <<'LUA'
local p = params{ side = 8192 }
local one = esker.noise{ size = 4096, seed = 3, octaves = 9 }
local other = esker.noise{ size = 3000, seed = 4, octaves = 9 }
local function part(of, x, y, width, height)
    return of:crop{ x = x % of.width, y = y % of.height, width = width, height = height, wrap = true }
end
return { land = esker.large{ size = p.side, wrap = false, window = function(x, y, width, height)
    return part(one, x, y, width, height) + part(other, x, y, width, height)
end } }
LUA
cat >large.lua <<'LUA'
return { flow = esker.large{ file = params{ file = "" }.file, wrap = false }:fill{ sea_level = -1 }:flow_accumulation{
    sea_level = -1 } }
LUA
cat >memory.lua <<'LUA'
return { flow = esker.load(params{ file = "" }.file, { wrap = false }):fill{ sea_level = -1 }:flow_accumulation{
    sea_level = -1 } }
LUA

# measure NAME COMMAND…: into NAME seconds of processor time, seconds elapsed, and MB of memory at most
measure() {
    name=$1
    shift
    python3 - "$@" >"$name" <<'PY' || exit 1
import resource, subprocess, sys, time
start = time.time()
failed = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.2f %.1f %d" % (used.ru_utime + used.ru_stime, time.time() - start, used.ru_maxrss / 1024))
sys.exit(failed)
PY
}
make() { # make SIDE NAME
    "$esker" land.lua side="$1" -o "$2" -q --format land=npy || exit 1
}

less=$((side < 8192 ? side : 8192))
make $less less
measure memory "$esker" memory.lua file=less/land.npy -o memory-out -q -j 1 --format flow=npy --trust
measure same "$esker" large.lua file=less/land.npy -o same-out -q -j 1 --format flow=npy --trust
cmp memory-out/flow.npy same-out/flow.npy >/dev/null && echo "ok 1 - the same bytes" || echo "not ok 1 - the same bytes"
rm -r memory-out same-out
if [ "$side" != $less ]; then
    rm -r less
    make "$side" land
    measure large "$esker" large.lua file=land/land.npy -o out -q -j "$threads" --format flow=npy --trust
else
    cp same large
fi
awk -v side="$side" -v less=$less 'FNR == 1 { time[FILENAME] = $1; elapsed[FILENAME] = $2; size[FILENAME] = $3 } END {
    print "# in memory, " less "²: " time["memory"] " s of processor time, " size["memory"] " MB"
    print "# larger than memory, " less "²: " time["same"] " s, " size["same"] " MB"
    print "# larger than memory, " side "²: " time["large"] " s, " elapsed["large"] " s elapsed, " size["large"] " MB"
    ratio = time["large"] / side ^ 2 / (time["memory"] / less ^ 2)
    printf "# a cell takes %.2f times as long as in memory\n", ratio
    print (ratio <= 1.3 ? "ok" : "not ok") " 2 - at most 1.3 times the time"
    print (size["large"] <= 1024 ? "ok" : "not ok") " 3 - at most 1 GB of memory"
}' memory same large
