#!/bin/sh
# Fields larger than memory by several processes: the files are those of one process in memory, whatever is killed and
# when. Prints TAP.
set -u
. "$(dirname "$0")/support/scratch.sh"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN

# Flats that reach across strips, and cells without data.
cat >ground.lua <<'LUA'
return function(side)
    local ground = esker.noise{ size = side, seed = 3, wrap = false }:terrace{ steps = 12, sharpness = 0.9, slope = 0 }
    return ground:set_gaps(esker.noise{ size = side, seed = 9, wrap = false }:select{ height = { 0.75, 1 } })
end
LUA
cat >memory.lua <<'LUA'
local land = require "ground"(512)
return { filled = land:fill{ sea_level = -1 }, flow = land:flow_accumulation{ sea_level = -1 } }
LUA
cat >land.lua <<'LUA'
local p = params{ rows = 32 }
local ground = require "ground"(512)
local land = esker.large{ size = 512, rows = p.rows, window = function(x, y, width, height)
    return ground:crop{ x = x, y = y, width = width, height = height, wrap = false }
end }
return { filled = land:fill{ sea_level = -1 }, flow = land:flow_accumulation{ sea_level = -1 } }
LUA
esker memory.lua --format Field=npy -o expected -q
same() { # same FOLDER
    for each in filled.npy flow.npy; do
        cmp "expected/$each" "$1/$each" >message 2>&1 || return 1
    done
}

# --- rounds of shares ---
rounds=0
while [ ! -e shared/large.parts/done ] && [ $rounds -lt 20 ]; do
    for k in 1 2 3; do
        esker large land.lua -o shared -q --shard $k/3 -j 1 || break 2
    done
    esker large land.lua -o shared -q --merge -j 1 || break
    rounds=$((rounds + 1))
done
same shared
check "three shares write the bytes of one process in memory" $?
[ $rounds = 6 ]
check "filling and flow take six rounds" $?
[ "$(cd shared/large.parts && echo *)" = "done plan" ]
check "parts are removed at the end" $?
esker large land.lua -o shared --shard 2/3 2>message && grep -q "all is done" message
check "a share after the end has nothing to do" $?

# --- one process ---
esker large land.lua rows=100 -o alone -q && same alone
check "one process does all rounds" $?

# Where water ends, over files as well.
without_recipe() { # without_recipe FILE
    sed 's/"recipe":{[^}]*}//' "$1"
}
cat >ways.lua <<'LUA'
local p = params{ large = true }
local land = require "ground"(200)
local function all(of)
    return { basins = (of:basins{}), height = of:height_above_river{ cells = 90 }, ways = of:flow_direction{},
        far = of:distance_to_river{ cells = 90 }, order = of:stream_order{ cells = 90 },
        above = of:catchment{ at = { 0.5, 0.5 }, snap = 20 }, rivers = of:rivers_from_flow{ cells = 90 },
        open = of:breach{ depth = 0.02 }, lines = of:contours{ interval = 0.2 }, parted = of:flow_accumulation{ method = "dinf" } }
end
local function window(x, y, width, height)
    return land:crop{ x = x, y = y, width = width, height = height, wrap = false }
end
return all(p.large and esker.large{ size = 200, window = window, rows = 30 } or land)
LUA
formats="Field=npy RiverNetwork=geojson"
esker ways.lua large=false -o there --format $formats -q && esker large ways.lua -o here --format $formats -q &&
    for each in basins.npy height.npy ways.npy far.npy order.npy above.npy open.npy parted.npy rivers.geojson lines.geojson; do
        without_recipe "there/$each" >expected.part && without_recipe "here/$each" | cmp - expected.part || break
    done >message 2>&1 && [ ! -s message ]
check "where water ends, catchments, rivers, their orders, D-infinity, breaching and contours are those in memory" $?

# --- what is wrong ---
esker large land.lua -o wrong -q --merge 2>message
status=$?
[ $status = 1 ] && esker large land.lua -o wrong --merge 2>&1 | grep -q "16 of 16 parts of 1-fill-look are missing"
check "strips that are missing are counted" $?
esker large land.lua -o wrong -q --shard 1/1 && esker large land.lua -o wrong --shard 1/1 >message 2>&1 &&
    grep -q "run --merge" message
check "a share that comes late, or too early, ends well and says what comes first" $?
esker large land.lua rows=16 -o wrong --shard 1/1 2>message
[ $? = 2 ] && grep -q "holds parts of another run" message
check "parts of other parameters are refused" $?
printf 'short' >wrong/large.parts/1-fill-look-3
esker large land.lua -o wrong --merge 2>message
[ $? = 1 ] && grep -q "damaged" message
check "damaged notes are an error" $?

# A part in the place of another, and one that somebody changed.
mkdir swapped && esker large land.lua -o swapped -q --shard 1/1
parts=swapped/large.parts
mv $parts/1-fill-look-3 other && mv $parts/1-fill-look-4 $parts/1-fill-look-3 && mv other $parts/1-fill-look-4
esker large land.lua -o swapped --merge 2>message
[ $? = 1 ] && grep -q "1-fill-look-3' is damaged, or another part in its place: remove it, and run the shares" message
check "swapped notes are an error" $?
rm $parts/1-fill-look-3 $parts/1-fill-look-4
esker large land.lua -o swapped -q --shard 1/1 && esker large land.lua -o swapped -q --merge &&
    esker large land.lua -o swapped -q --shard 1/1 &&
    printf 'X' | dd of=$parts/1-fill-filled-rows-2 bs=1 seek=60000 conv=notrunc 2>/dev/null
esker large land.lua -o swapped 2>message
[ $? = 1 ] && grep -q "1-fill-filled-rows-2' is damaged, or another part in its place: remove the folder" message
check "changed cells are an error" $?
rm $parts/1-fill-filled-rows-2
esker large land.lua -o swapped 2>message
[ $? = 1 ] && grep -q "1-fill-filled-rows-2': No such file or directory: .* remove the folder to begin anew" message
check "and cells that are gone" $?

# --- kills ---
# Four shares at a time and the merge are killed, ever later, until all is done.
killed=0
while [ ! -e killed/large.parts/done ] && [ $killed -lt 60 ]; do
    processes=
    for words in "--shard 1/4" "--shard 2/4" "--shard 3/4" "--shard 4/4" --merge; do
        [ "$words" = --merge ] && sleep "0.$(printf '%02d' $((7 + killed % 13 * 3)))"
        esker large land.lua rows=16 -o killed -q -j 1 $words 2>/dev/null &
        processes="$processes $!"
    done
    sleep "0.$(printf '%02d' $((killed * 7 % 20)))"
    kill -9 $processes 2>/dev/null
    wait $processes 2>/dev/null
    killed=$((killed + 1))
    [ $killed -ge 4 ] || continue
    for words in "--shard 1/4" "--shard 2/4" "--shard 3/4" "--shard 4/4" --merge; do # and now to the end
        esker large land.lua rows=16 -o killed -q -j 1 $words 2>/dev/null
    done
done
same killed
check "killed $killed times and begun again, four shares write the same bytes" $?

# --- the disk ---
# Filled heights lie in the place of the land's own, and what was written to a file leaves the temporary file: with both
# results it takes a byte a cell more than both, and what filling changed as long as the recipe has the land.
cat >disk.lua <<'LUA'
local real, most = package.loaded.esker, 0
local progress = real.progress
function real.progress(...) -- when a strip is done: the blocks of files without a name, and of results
    local blocks = 0
    local list <close> = io.popen("stat -L -c '%h %b fd' /proc/$PPID/fd/* 2>/dev/null; stat -c '1 %b' out/*.npy 2>/dev/null")
    for line in list:lines() do
        local links, count, is_open = line:match("^(%d+) (%d+)(.*)")
        blocks = blocks + ((links == "0" or is_open == "") and tonumber(count) or 0)
    end
    most = math.max(most, blocks)
    local file <close> = io.open("most", "w")
    file:write(math.ceil(most * 512 * 10 / 1024 ^ 2), "\n") -- tenths of a byte a cell
    progress(...)
end
local noise = esker.noise{ size = 1024, seed = 3, octaves = 5 }
local land = esker.large{ size = 1024, rows = 64, window = function(x, y, width, height)
    return noise:crop{ x = x, y = y, width = width, height = height, wrap = false }
end }
local filled = land:fill{ sea_level = -1 }
return { filled = filled, flow = filled:flow_accumulation{ sea_level = -1 } }
LUA
if [ -d /proc/self/fd ]; then
    mkdir -p out && esker disk.lua --trust -o out -q -j 1 --format Field=npy && [ "$(cat most)" -gt 80 ] && [ "$(cat most)" -le 104 ]
    check "filling and counting take at most 10.4 bytes a cell of the disk, with both results" $?
else
    check "filling and counting take at most 10.4 bytes a cell of the disk, with both results # SKIP no /proc" 0
fi
echo "1..$count"
