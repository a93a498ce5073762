#!/bin/sh
# Parameter sweeps: what is planned, what a run that fails leaves, and that nothing is lost. Prints TAP.
# KILLS: how often a sweep is killed (tests/long/kills.sh).
set -u
. "$(dirname "$0")/support/scratch.sh"
. "$ROOT/tests/support/eventually.sh"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_STEP

reason() { head -5 message 2>/dev/null; }
refuses() { # refuses PATTERN WORDS…: status 2, the message, and no folder
    pattern=$1
    shift
    esker sweep "$@" -o refused >/dev/null 2>message
    [ $? = 2 ] && grep -q -- "$pattern" message && [ ! -e refused ]
    check "refuses $*" $?
}
no_process() { ! pgrep -f "$1" >/dev/null; }
# The table without what differs from run to run: seconds and memory.
lasting() {
    sed -E 's/,[0-9.]+,[0-9.]+,([^,]*,[0-9a-f]+)$/,\1/' "$1"
}

cat >plain.lua <<'LUA'
local p = params{ seed = 1, x = { 0.5, min = 0, max = 1 }, mode = "a", big = { 3, min = 1, max = 9 } }
return { y = p.x * p.seed, name = p.mode .. p.big }
LUA

# --- plans ---
esker sweep plain.lua seed=1..3 mode=a,b --dry-run >planned
printf 'seed=1 mode=a\nseed=1 mode=b\nseed=2 mode=a\nseed=2 mode=b\nseed=3 mode=a\nseed=3 mode=b\n6 runs\n' | diff - planned >message
check "ranges and lists, the last fastest" $?
esker sweep plain.lua x=0..1/5 --dry-run | tr '\n' ' ' | grep -q '^x=0 x=0.25 x=0.5 x=0.75 x=1 5 runs'
check "evenly spaced values" $?
esker sweep plain.lua seed=1..4 big=1,5 --where 'seed > big / 2' --dry-run | tail -1 | grep -q '^6 runs$'
check "--where keeps the runs that meet it" $?
printf 'seed,mode\n4,a\n7,"b"\n' >rows.csv
esker sweep plain.lua big=1,2 --from rows.csv --dry-run >planned
[ "$(tail -1 planned)" = '4 runs' ] && grep -q '^big=2 seed=7 mode=b$' planned
check "rows of a CSV file, with the others" $?
for design in sobol latin; do
    esker sweep plain.lua 'x=~0..1' 'seed=~1..64' --samples 64 --design $design --dry-run |
        lua5.4 -e 'local seen, seeds = {}, {}
            for line in io.lines() do
                local x, seed = line:match("^x=(%S+) seed=(%d+)$")
                if x then seen[tonumber(x) * 64 // 1] = true; seeds[seed] = true end
            end
            for i = 0, 63 do assert(seen[i] and seeds[tostring(i + 1)], i) end' 2>message
    check "$design: one of 64 draws in every 64th, in each dimension" $?
done
esker sweep plain.lua 'x=~0..1' --samples 5 --dry-run >one
esker sweep plain.lua 'x=~0..1' --samples 5 --dry-run | diff - one >/dev/null &&
    ! esker sweep plain.lua 'x=~0..1' --samples 5 --design-seed 2 --dry-run | diff - one >/dev/null
check "draws depend on their seed alone" $?

# --- mistakes ---
refuses "there is no parameter 'sed', did you mean 'seed'" plain.lua sed=1..3
refuses "x must be 0 to 1, got 2" plain.lua x=0,2
refuses "x must be 0 to 1, got 2" plain.lua x=0..3/4
refuses "a range goes upwards" plain.lua seed=5..1
refuses "a list has values between its commas" plain.lua x=0.5,,1
refuses "is not NAME=VALUES" plain.lua seed
refuses "seed is given twice" plain.lua seed=1 seed=2
refuses "these are 20000 runs; confirm them with --yes" plain.lua seed=1..20000
refuses "--samples gives the number of draws" plain.lua x=~0..1
refuses "there is no 'foo'" plain.lua seed=1..3 --where 'foo > 1'
refuses "no run of 3 meets 'seed > 5'" plain.lua seed=1..3 --where 'seed > 5'
refuses "--where: a value is missing at the end of '('" plain.lua seed=1..3 --where '('
refuses "the K-th of N shares" plain.lua seed=1..3 --shard 4/3
refuses "cannot read the recipe 'gone.lua'" gone.lua seed=1..3
refuses "cannot read 'gone.csv'" plain.lua --from gone.csv

# --- runs ---
esker sweep plain.lua seed=1..3 x=0.25,0.5 mode=b -o plain -j 2 2>message
cat >expected <<'CSV'
seed,x,mode,big,name,y,status,message,key
1,0.25,b,3,b3,0.25,done,,
1,0.5,b,3,b3,0.5,done,,
2,0.25,b,3,b3,0.5,done,,
2,0.5,b,3,b3,1,done,,
3,0.25,b,3,b3,0.75,done,,
3,0.5,b,3,b3,1.5,done,,
CSV
lasting plain/table.csv | sed 's/,[0-9a-f]*$/,/; 1s/memory_mb,//; 1s/seconds,//; 1s/,$/,key/' | diff expected - >message
check "a tidy row a run" $?
esker sweep plain.lua seed=1..4 x=0.25,0.5 mode=b -o plain -j 2 2>message
grep -q '8 runs, 2 of them new, 0 failed' message
check "a larger sweep keeps what is there" $?
esker sweep plain.lua seed=1..4 -o plain --time-limit 0 2>/dev/null
cp plain/table.csv before && sed -i 3d plain/table.csv && touch -d '1 hour' plain/table.csv
esker sweep plain.lua seed=1..4 -o plain -q && diff before plain/table.csv >message
check "the table is that of all runs, whatever the clock says" $?
echo '-- changed' >>plain.lua
esker sweep plain.lua seed=1..4 -o plain 2>message
[ $? = 2 ] && grep -q 'plain.lua has changed since the sweep' message
check "a changed recipe is noticed" $?
cp plain.lua other.lua && echo '-- another' >>other.lua
esker sweep other.lua seed=1..4 -o plain 2>message
[ $? = 2 ] && grep -q 'plain holds a sweep of plain.lua' message
check "the folder of another sweep is refused" $?
mkdir lib && wrong=0
for required in 'require "lib.own"' 'require[[lib.own]]' "require( 'lib.own' )" 'select(2, pcall(require, "lib.own"))'; do
    echo 'return { k = 1 }' >lib/own.lua && echo "local own = $required return { n = own.k }" >modular.lua
    esker sweep modular.lua -o modular -q 2>message && echo '-- changed' >>lib/own.lua || { wrong=1; break; }
    esker sweep modular.lua -o modular 2>message && { wrong=1; break; }
    grep -q 'modular.lua has changed since the sweep' message || { wrong=1; break; }
    rm -r modular
done
check "so is a changed module, however it is required" $wrong
echo 'local own = require("lib." .. "own") return { n = own.k }' >modular.lua
! esker modular.lua 2>message && grep -q '^modular.lua:1: require: lib/own.lua is not named where .* write require "lib.own" or' message
check "a module that the hash cannot find is an error" $?
cat >troubles.lua <<'LUA'
local p = params{ case = 1 }
if p.case == 2 then error("case two") end
if p.case == 3 then while true do end end
if p.case == 4 then local all = {} for i = 1, 1000 do all[i] = esker.field{ size = 1024, values = 1 } end end
if p.case == 5 then os.exit(0) end
if p.case == 6 then os.execute("kill -SEGV $PPID") end
if p.case == 7 then return { other = 1 } end
return { value = p.case }
LUA
esker sweep troubles.lua case=1..8 -o troubles -j 2 --trust --time-limit 2 --memory-limit 30 2>message
[ "$(lasting troubles/table.csv | sed 1d | sed 's/^\([0-9]\),[^,]*,[^,]*,\([a-z]*\),.*/\1\2/' | tr '\n' ' ')" = \
    '1done 2failed 3timeout 4failed 5crashed 6crashed 7done 8done ' ]
check "runs that fail, hang, take too much memory, leave or crash are recorded, and the sweep goes on" $?
grep -q 'case two' troubles/table.csv && grep -q 'signal 11' troubles/table.csv && grep -q 'not enough memory' troubles/table.csv
check "with their messages" $?
grep -q "'other' was returned by 1 of 3 runs" message
check "other columns are told of" $?
esker sweep troubles.lua case=2,4 -o failing -j 2 --trust --time-limit 2 2>message
[ $? = 1 ] && grep -q '2 runs, 2 of them new, 2 failed' message
check "a sweep whose runs all fail ends with status 1" $?
esker sweep troubles.lua case=1..2 -o stopped -j 1 --fail-fast 2>message
[ $? = 1 ] && [ "$(sed 1d stopped/table.csv | wc -l)" = 2 ]
check "--fail-fast stops" $?
cat >picture.lua <<'LUA'
local p = params{ seed = 1 }
return { land = esker.spectral{ size = 32, seed = p.seed }, seed2 = 2 * p.seed }
LUA
esker sweep picture.lua seed=1..4 -o pictures -q && [ "$(find pictures/runs -name land.png | wc -l)" = 4 ] &&
    "$ROOT/${ESKER_BUILD:-build}/esker" info "$(find pictures/runs -name land.png | head -1)" | grep -q 'esker picture.lua seed='
check "pictures lie in a folder a run and tell what made them" $?

printf 'local p = params{ seed = 1 } esker.spectral{ size = 16, seed = p.seed }:save("own.asc") return { n = p.seed }\n' >saves.lua
esker sweep saves.lua seed=1..2 -o saved -q 2>message && [ "$(find saved/runs -name own.asc | wc -l)" = 2 ] && ! grep -q failed saved/table.csv
check "what a run saves itself lies there, too" $?

mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=120k tmpfs small 2>/dev/null; then
    esker sweep picture.lua seed=1..200 -o small/out -q 2>message
    [ $? = 1 ] && grep -q 'No space left on device' message
    check "a full disk ends a sweep with a message" $?
    umount small
fi

cat >odd.lua <<'LUA'
local p = params{ seed = 1 }
return { y = 1 / (p.seed - 1), n = 0 / 0, t = 'a\tb' .. string.char(92) .. 'n' }
LUA
esker sweep odd.lua seed=1..2 -o odd -q && esker sweep --merge -o odd -q &&
    [ "$(sed 1d odd/table.csv | cut -d, -f1-5 | tr '\t\\' '_/' | tr '\n' ' ')" = '1,nan,"a_b/n",inf,done 2,nan,"a_b/n",1,done ' ]
check "results that are infinite or not numbers are kept" $?
echo 'params{ seed = 1 } for _ = 1, 3e8 do end return { y = 1 }' >slow-one.lua
esker sweep slow-one.lua seed=1..4 -o both -q 2>/dev/null &
process=$!
eventually [ -e both/sweep.txt ]
esker sweep slow-one.lua seed=1..4 -o both -q 2>message
[ $? = 2 ] && grep -q 'another sweep is writing into both' message
check "two sweeps at once into one folder are refused" $?
kill -INT $process
wait $process 2>/dev/null

# --- what a run says of itself ---
cat >forged.lua <<'LUA'
local p = params{ n = 1 }
os.execute("for f in forged/unfinished/*; do printf 'ffff\\tdone\\t1\\t1\\t\\tpn=n99\\trv=n5\\n' >$f/record; done")
os.exit(0)
LUA
esker sweep forged.lua n=3 -o forged -q --trust 2>message
lasting forged/table.csv >stands # seconds may have any digits
grep -q '^3,5,done' stands && ! grep -q '99\|ffff' stands
check "a run cannot say that it was another" $?

# --- shares ---
for share in 1 2 3; do
    esker sweep picture.lua seed=1..10 -o shares --shard $share/3 -q --no-pictures || echo "share $share failed" >message
done
SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_COUNT=3 esker sweep picture.lua seed=1..10 -o slurm -q
[ "$(sed 1d slurm/table.csv | wc -l)" = 4 ]
check "Slurm's array says which share" $?
slurm() { # ID COUNT MIN MAX STEP: the seeds that this task of an array runs
    SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_COUNT=$2 SLURM_ARRAY_TASK_MIN=$3 SLURM_ARRAY_TASK_MAX=$4 SLURM_ARRAY_TASK_STEP=$5 \
        esker sweep picture.lua seed=1..8 --dry-run 2>message | sed -n 's/seed=//p' | tr '\n' ' '
}
[ "$(slurm 1 4 1 7 2)$(slurm 3 4 1 7 2)$(slurm 5 4 1 7 2)$(slurm 7 4 1 7 2)" = '1 5 2 6 3 7 4 8 ' ]
check "the tasks of an array with a step have all shares" $?
[ -z "$(slurm 9 3 3 9 1)" ] && grep -q 'no range with a step' message && [ -z "$(slurm 4 4 1 7 2)" ] && [ -z "$(slurm '' 4 1 4 1)" ]
check "the tasks of a list with gaps have none that could be told, and are refused" $?
[ "$(SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=9 esker sweep picture.lua seed=1..8 \
    --shard 2/4 --dry-run | sed -n 's/seed=//p' | tr '\n' ' ')" = '2 6 ' ]
check "but for the one that they are given" $?
lacks() { # SHARES-DONE/OF … PATTERN: what merge says of a folder where these ran
    rm -rf lacking
    for pattern; do :; done
    for share; do
        [ "$share" = "$pattern" ] || esker sweep picture.lua seed=1..8 -o lacking -q --no-pictures --shard "$share" || return 1
    done
    esker sweep --merge -o lacking -q 2>message
    [ $? = 1 ] && grep -qx "$pattern" message && [ -s lacking/table.csv ]
}
lacks 1/4 2/4 4/4 'esker: the table lacks runs: share 3 of 4 never ran'
check "a share that never ran is named by --merge, which ends with status 1" $?
printf 'begun\n' >"$(echo lacking/shares/4-of-4-*)"
esker sweep --merge -o lacking -q 2>message
grep -qx 'esker: the table lacks runs: share 3 of 4 never ran, share 4 of 4 has not ended' message
check "so is one that has not ended" $?
esker sweep picture.lua seed=1..8 -o lacking -q --no-pictures && esker sweep --merge -o lacking -q 2>message && [ ! -s message ]
check "where the whole has run, or all shares of another number, nothing lacks" $?
esker sweep --merge -o shares -q && esker sweep picture.lua seed=1..10 -o alone -q --no-pictures
lasting shares/table.csv >a && lasting alone/table.csv | diff a - >message
check "shares are disjoint, and merged they are the whole" $?

# --- tables ---
cat >known.lua <<'LUA'
local p = params{ n = 1, side = "l" }
return { v = p.n }
LUA
esker sweep known.lua n=1..5 side=l,r -o known -q
esker table known --share 'v > 3' --group side >report
grep -q '10 runs: 10 done' report && grep -q '^side = r$' report && grep -q 'v > 3: 2 of 5, 40.0 % (11.8 to 76.9)' report &&
    grep -Eq '^  v  +5 +3 +1.581 +1.037 +4.963 +1.2 +3 +4.8$' report
check "means, deviations, intervals, percentiles and shares by group" $?
printf 'local p = params{ seed = 1 } return { v = p.seed < 3 and 1 / 0 or -1 / 0 }' >endless.lua
esker sweep endless.lua seed=1..4 -o endless -q && esker table endless >sums
grep -q '^  v  *4  *nan ' sums && ! grep -q -- -nan sums
check "sums of infinite results are nan, without a sign" $?
[ "$(esker table known --where 'v > 3' | sed -n 2p)" = '4 of them meet v > 3' ] && esker table known --where 'v > 3' --json | grep -q '"met": *4[,}]'
check "how many runs --where leaves is told" $?
esker table known --share 'v > 3' --group side -o summary.txt >message && [ "$(cat message)" = summary.txt ] &&
    cmp report summary.txt && esker table known --share 'v > 3' --group side --json >summary.json &&
    esker table known --share 'v > 3' --group side -o other.json -q && cmp summary.json other.json &&
    /usr/bin/python3 - <<'PY'
import json
summary = json.load(open("summary.json"))
assert summary["runs"] == 10 and summary["statuses"] == {"done": 10} and summary["condition"] == "v > 3", summary
group = summary["groups"][0]
assert group["values"] == {"side": "l"} and group["share"]["met"] == 2 and group["share"]["runs"] == 5, group
v = group["results"]["v"]
assert v["runs"] == 5 and v["mean"] == 3 and v["median"] == 3 and (v["min"], v["max"]) == (1, 5) and abs(v["low"] - 1.037) < 1e-3, v
PY
check "a table's summary as JSON, and in a file" $?
esker table known --share 'v > 3' --group side -o summary.csv -q && cut -d, -f1-4,9 summary.csv >cells && [ "$(cat cells)" = "side,result,runs,mean,p5
l,v > 3,5,0.4,
l,v,5,3,1.2
r,v > 3,5,0.4,
r,v,5,3,1.2" ]
check "and as CSV" $?
! esker table known -o summary.png 2>message && grep -q "takes a .txt, a .csv or a .json" message && [ ! -e summary.png ]
check "but in no picture's name" $?

# --- from Lua ---
cat >script.lua <<'LUA'
local rows = esker.sweep{ recipe = "known.lua", grid = { n = { 3, 4.5 } }, output = "from-lua", workers = 2 }
local sum = 0
for _, row in ipairs(rows) do sum = sum + row.v * row.n end
return { sum = sum, rows = #rows, status = rows[1].status }
LUA
sed -i 's/n = 1,/n = 1.0,/' known.lua
[ "$(esker script.lua --trust | tr '\n' ' ')" = 'rows = 2 status = done sum = 29.25 ' ]
check "esker.sweep gives a table to compute with" $?
cat >wrong.lua <<'LUA'
local function why(arguments) return select(2, pcall(esker.sweep, arguments)) end
return { none = why{ recipe = "none.lua", grid = { n = { 1 } } }, name = why{ recipe = "known.lua", grid = { m = { 1 } } },
    design = why{ recipe = "known.lua", design = "none" } }
LUA
[ "$(esker wrong.lua --trust 2>&1)" = "design = sweep: --design must be sobol or latin, got 'none'
name = sweep: there is no parameter 'm' (it has n, side)
none = sweep: cannot read the recipe 'none.lua' in $(pwd -P): No such file or directory" ]
check "and raises what is wrong with one" $?
esker script.lua 2>message
[ $? = 1 ] && grep -q 'only trusted recipes and the session start processes' message
check "but not to strangers' recipes" $?

# --- databases ---
if command -v sqlite3 >/dev/null; then
    esker sweep known.lua n=1..5 side=l,r -o known2 -q --sqlite &&
        [ "$(sqlite3 known2/table.sqlite "SELECT side, count(*), sum(v), min(status) FROM runs GROUP BY side")" = \
            "l|5|15|done
r|5|15|done" ]
    check "--sqlite writes a database" $?
    mkdir known2/blocked && rm known2/table.sqlite && mkdir known2/table.sqlite
    esker sweep known.lua n=1..5 side=l,r -o known2 -q --sqlite 2>message
    [ $? = 1 ] && grep -q "cannot write 'known2/table.sqlite'" message
    check "and says when it cannot" $?
fi

# --- contact sheets ---
esker sweep picture.lua seed=1..5 -o sheets -q --sheet sheet.png 2>message
if ! grep -q cairo message; then
    [ ! -s message ] &&
        echo 'local s = esker.load("sheet.png") return { wide = s.width, high = s.height }' >look.lua &&
        [ "$(esker look.lua | tr '\n' ' ')" = 'high = 456 wide = 528 ' ]
    check "--sheet writes a sheet of three columns and two rows" $?
fi

# --- search ---
cat >noisy.lua <<'LUA'
local p = params{ seed = 1, x = { 0.5, min = 0, max = 1 }, z = { 1.0, min = 0, max = 10 }, n = { 3, min = 1, max = 9 } }
local noise = (math.random() - 0.5) * 0.2
return { y = 1 - 4 * (p.x - 0.7) ^ 2 - (p.z - 3) ^ 2 / 20 + noise, low = (p.n - 6) ^ 2 + noise }
LUA
esker search noisy.lua x=0..1 z=0..10 --maximize y --budget 48 -o found -j 2 -q >answer 2>message
lua5.4 -e 'local x, z = io.read("a"):match("^x=(%S+) z=(%S+)\ny = ")
    local lost = 4 * (x - 0.7) ^ 2 + (z - 3) ^ 2 / 20
    assert(lost < 0.03, lost)' <answer 2>message
check "search comes close to the best of a noisy function in 48 runs" $?
shorter='noisy.lua x=0..1 z=0..10 --maximize y --budget 20'
# shellcheck disable=SC2086
esker search $shorter -o fewer -j 2 -q >answer && esker search $shorter -o alone-found -j 1 -q | diff answer - >message
check "whatever the number of workers" $?
# shellcheck disable=SC2086
esker search $shorter -o again -j 2 -q >/dev/null 2>&1 &
process=$!
eventually [ -s again/journal ]
kill -9 $process
wait $process 2>/dev/null
# shellcheck disable=SC2086
esker search $shorter -o again -j 2 -q 2>message | diff answer - >>message
check "a search that was killed goes on to the same answer" $?
cat >round.lua <<'LUA'
local p = params{ a = 0.5, b = 0.5, c = 0.5, d = 0.5, e = 0.5 }
return { v = -(p.a - 0.31) ^ 2 - (p.b - 0.77) ^ 2 - (p.c - 0.12) ^ 2 - (p.d - 0.55) ^ 2 - (p.e - 0.64) ^ 2 }
LUA
esker search round.lua a=0..1 b=0..1 c=0..1 d=0..1 e=0..1 --maximize v --budget 40 -o round -q >/dev/null
sed 1d round/table.csv | cut -d, -f6 | sort -g | tail -n 1 | awk '{ exit !($1 > -0.003) }'
check "in five dimensions it looks around the best" $?
esker search noisy.lua x=0..1 z=0..10 --maximize y --budget 8 -o first-draws -q >/dev/null
esker search noisy.lua x=0..1 z=0..10 --maximize y --budget 8 --design-seed 2 -o other-draws -q >/dev/null 2>message
[ "$(wc -l <other-draws/table.csv)" = 9 ] && ! cut -d, -f1-2 first-draws/table.csv | diff - other-draws/table.csv >/dev/null &&
    [ "$(cut -d, -f1 first-draws/table.csv other-draws/table.csv | grep -v x | sort -u | wc -l)" = 16 ]
check "--design-seed draws other points" $?
esker search noisy.lua x=0..1 z=3 seed=5 --maximize y --budget 12 -o fixed -q >answer 2>message
grep -q '^x=0\.[67][0-9]* z=3 seed=5$' answer && [ "$(sed 1d fixed/table.csv | cut -d, -f2,3 | sort -u)" = '3,5' ]
check "what is given one value keeps it" $?
printf 'local p = params{ x = 0.5 } return { y = p.x < 0.3 and 0 / 0 or p.x > 0.9 and 1 / 0 or -(p.x - 0.5) ^ 2, far = p.x * 1.7e308 }\n' >gaps.lua
esker search gaps.lua x=0..1 --maximize y --budget 24 -o gaps -q >answer 2>message
grep -q '^x=0\.[45][0-9]*$' answer && grep -q 'over 1[0-9] runs, [0-9]* failed\|over 2[0-3] runs, [0-9]* failed' answer
check "results that are no finite numbers are no results" $?
cat >refusing.lua <<'LUA'
local p = params{ x = 0.5, y = 0.5 }
if p.x > 0.4 then esker.noise{ size = -1 } end
return { v = p.x - (p.y - 0.3) ^ 2 }
LUA
esker search refusing.lua x=0..1 y=0..1 --maximize v --budget 20 -o refused-some -q >answer 2>message
[ "$(grep -c ',done,' refused-some/table.csv)" = 20 ] && [ "$(grep -c ',failed,' refused-some/table.csv)" -le 20 ] &&
    grep -q 'over 20 runs, [0-9]* more were refused' answer && grep -q '^x=0\.3[0-9]* ' answer
check "values that an operation refuses are not counted in the budget" $?
echo 'local p = params{ x = 0.5 } return { v = p.x }' >once.lua
esker search once.lua x=0..1 --maximize v --budget 8 -o once -q >answer 2>message
echo "local p = params{ x = 0.5 } if p.x == $(sed -n 2p once/table.csv | cut -d, -f1) then esker.noise{ size = -1 } end return { v = p.x }" >once.lua
esker search once.lua x=0..1 --maximize v --budget 8 -o refused-one -q >answer 2>message
grep -q 'over 8 runs, 1 more was refused' answer
check "how many these are is told, of one too" $?
echo 'local p = params{ x = 0.5 } return { v = esker.noise{ size = -p.x } }' >refusing.lua
esker search refusing.lua x=0.1..1 --maximize v --budget 12 -o refused-all -q >answer 2>message
[ $? = 1 ] && [ "$(wc -l <refused-all/journal)" = 12 ] && grep -q "too few runs gave a finite 'v' for a search: 0 of 12" message
check "where all are refused the search ends" $?
esker search gaps.lua x=0..1 --maximize far --budget 20 -o far -q >answer 2>message
grep -q '^x=0\.9[0-9]*$\|^x=1$' answer && ! grep -q 'nan\|inf' answer
check "the largest numbers are numbers" $?
esker search noisy.lua n=1..9 --minimize low --budget 24 -o whole -q | grep -q '^n=6$'
check "whole numbers, and the least" $?
refuses_search() {
    pattern=$1
    shift
    esker search "$@" -o refused >/dev/null 2>message
    [ $? = 2 ] && grep -q -- "$pattern" message && [ ! -e refused ]
    check "search refuses $*" $?
}
refuses_search "takes --maximize RESULT or --minimize RESULT" noisy.lua x=0..1
refuses_search "x must be a number, got '1,2'" noisy.lua x=1,2 z=0..1 --maximize y
refuses_search "n=1..2 would try 1 and 2 only: write n=1.0..2 for the numbers between" noisy.lua n=1..2 --maximize y
refuses_search "search takes NAME=LOW..HIGH and NAME=VALUE, got 'x'" noisy.lua x --maximize y
refuses_search "search takes ranges" noisy.lua x=0.5 --maximize y
refuses_search "z is given twice" noisy.lua z=1 z=0..2 --maximize y
refuses_search "design-seed" noisy.lua z=0..2 --maximize y --design-seed half
refuses_search "x must be 0 to 1, got 2" noisy.lua x=0..2 --maximize y
refuses_search "there is no parameter 'w'" noisy.lua w=0..2 --maximize y
esker search noisy.lua x=0..1 --maximize nothing --budget 8 -o none -q 2>message
[ $? = 1 ] && grep -q "the recipe returned no number 'nothing'" message
check "a result that is not there is told of" $?

# --- nothing is lost ---
cat >slow.lua <<'LUA'
local p = params{ seed = 1 }
local land = esker.spectral{ size = 64, seed = p.seed }
for _ = 1, 20000 do math.sin(1) end
return { land = land, mean = land:statistics().mean }
LUA
esker sweep slow.lua seed=1..30 -o undisturbed -q -j 2
lasting undisturbed/table.csv >expected
round=0
while [ $round -lt "${KILLS:-4}" ]; do
    round=$((round + 1))
    esker sweep slow.lua seed=1..30 -o killed -q -j 2 2>/dev/null &
    process=$!
    sleep "0.0$((round * 7 % 10))"
    kill -9 $process 2>/dev/null
    wait $process 2>/dev/null
    if [ $((round % 5)) = 0 ] && [ -f killed/journal ]; then # as a crash in the middle of a line leaves it
        head -c -5 killed/journal >cut && cp cut killed/journal
    fi
    if [ $((round % 11)) = 0 ]; then
        rm -rf killed
    fi
done
esker sweep slow.lua seed=1..30 -o killed -q -j 2 2>message
lasting killed/table.csv | diff expected - >message
check "killed ${KILLS:-4} times and begun again, the table is that of an undisturbed sweep" $?
[ -z "$(find killed -name 'unfinished*' -o -name '.esker*')" ]
check "and nothing else is left" $?
esker sweep slow.lua seed=1..100000 --yes -o interrupted -j 2 2>message &
process=$!
eventually [ -s interrupted/journal ]
kill -INT $process
wait $process
[ $? = 130 ] && eventually no_process "slow.lua seed=1..100000" && [ -s interrupted/journal ]
check "Ctrl-C ends a sweep and its workers, and keeps what is done" $?
echo "1..$count"
