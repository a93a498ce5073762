#!/bin/sh
# What the program does where the kernel or the disk refuses: tests/faults/deny makes single system calls fail. TAP.
. "$(dirname "$0")/support/tap.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/${ESKER_BUILD:-build}
. "$root/tests/support/eventually.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
if [ ! -x "$build/tests/faults/deny" ]; then
    echo "1..0 # SKIP built without libseccomp"
    exit
fi
echo 'return { h = esker.spectral{ size = 32 }, n = 1 }' >plain.lua
echo 'local p = params{ seed = 1 } return { h = esker.spectral{ size = 32, seed = p.seed } }' >seeded.lua
reason() { cat message printed 2>/dev/null | head -5; }
# Runs with calls denied: the expected status, a pattern of what is told ('' for nothing), whether the picture is there.
with() { # WHAT STATUS PATTERN PICTURE DENIED …
    what=$1 wanted=$2 pattern=$3 picture=$4
    shift 4
    rm -rf out
    "$build/tests/faults/deny" "$@" -- "$build/esker" plain.lua -o out >printed 2>message
    status=$?
    [ $status = "$wanted" ] && { [ -z "$pattern" ] || grep -q "$pattern" message; } &&
        [ "$(test -e out/h.png && echo yes || echo no)" = "$picture" ]
    check "$what" $?
}

# --- confinement ---
with "without Landlock the user is told, and the run goes on" 0 'no Landlock here' yes landlock_create_ruleset=ENOSYS
with "without seccomp, too" 0 'no seccomp here' yes prctl:0=21=EINVAL
with "without either, too" 0 'neither Landlock nor seccomp' yes prctl:0=21=EINVAL landlock_create_ruleset=ENOSYS
with "a rule that is refused ends the run" 1 'Landlock: Invalid argument' no landlock_add_rule=EINVAL
with "so does a set of rules that is not made" 1 'Landlock: ' no landlock_create_ruleset:2=0=EINVAL
with "so does a ruleset" 1 'Landlock: Operation not permitted' no landlock_restrict_self=EPERM
with "so does a filter" 1 'seccomp: ' no seccomp=EINVAL prctl:0=22=EINVAL
starved=0
for nth in 1 2 10 100 300 600 700 800 900; do
    rm -rf out
    LD_PRELOAD=$build/tests/faults/starve.so STARVE=$nth "$build/esker" plain.lua -o out >printed 2>message
    status=$?
    [ $status = 0 ] && [ -e out/h.png ] && continue # it needed fewer
    starved=$((starved + 1))
    [ $status = 1 ] && [ ! -e out/h.png ] && grep -q 'seccomp: the filter could not be built' message || starved=-99
done
[ $starved -ge 5 ]
check "a filter for which there is too little memory ends the run" $?
with "so do privileges that cannot be given up" 1 'no new privileges' no prctl:0=38=EINVAL
with "no process, no run" 1 'a process could not be started' no 'clone:0=0&0x10000=EAGAIN' fork=EAGAIN vfork=EAGAIN
with "nor without a thread to run on" 1 'no thread could be started' no clone=EAGAIN clone3=EAGAIN
with "where the machine's memory is not known the limits hold" 0 '' yes openat:2=0x0\&0x80000=EPERM
"$build/tests/faults/deny" landlock_create_ruleset=ENOSYS -- "$build/esker" plain.lua -o out -q >printed 2>message
[ $? = 0 ] && [ ! -s message ]
check "--quiet does not tell" $?
echo "run('plain.lua')" | "$build/tests/faults/deny" memfd_create=ENOSYS -- "$build/esker" >printed 2>message
[ $? = 1 ] && grep -q "not enough memory for what the recipe's process sends" message
check "no memory for what a process says" $?
"$build/tests/faults/deny" 'clone:0=0&0x10000=EAGAIN' -- "$build/esker" sweep seeded.lua seed=1..2 -o swept -q 2>message
[ $? = 1 ] && grep -q 'a process could not be started' message
check "no process, no sweep" $?

echo 'while true do end' >endless.lua
"$build/tests/faults/deny" setitimer=EPERM -- "$build/esker" endless.lua -o out --time-limit 0.2 2>message
[ $? = 1 ] && grep -q 'the time limit of 0.2 s is over' message
check "where a process has no clock its parent ends it" $?

# --- two processes, and what ends them ---
only_one() { ! pgrep -ax esker | grep -q "$1"; } # other programs may name the file, too
begin() { # RECIPE: runs it; $parent and $child are its processes
    cp endless.lua "$1"
    env --default-signal "$build/esker" "$1" -o out 2>message & # whatever this script was started to ignore, as by nohup
    parent=$!
    eventually pgrep -P $parent >/dev/null
    child=$(pgrep -P $parent)
    sleep 0.2
}
for ending in TERM:143 HUP:129 KILL:137; do
    begin "parent-${ending%:*}.lua"
    kill -"${ending%:*}" $parent
    wait $parent
    status=$?
    [ $status = "${ending#*:}" ] && eventually only_one "parent-${ending%:*}.lua"
    check "a recipe ends with its parent, by SIG${ending%:*}" $?
done 2>/dev/null
for ending in SEGV:139:'signal 11 (Segmentation fault)' KILL:137:'signal 9 (Killed): the machine.s memory may have run out'; do
    signal=${ending%%:*} rest=${ending#*:}
    begin "child-$signal.lua"
    kill -"$signal" "$child"
    wait $parent
    [ $? = "${rest%%:*}" ] && grep -q "the recipe's process was ended by ${rest#*:}" message
    check "a recipe that is ended by SIG$signal is told of" $?
done 2>/dev/null
# Signals that the program was started to ignore end nothing; that a process has ended is known all the same.
cp endless.lua ignoring.lua
(
    trap '' HUP
    exec "$build/esker" ignoring.lua -o out --time-limit 1
) 2>message &
parent=$!
eventually pgrep -P $parent >/dev/null && kill -HUP $parent
wait $parent
[ $? = 1 ] && grep -q 'the time limit of 1 s is over' message
check "a run that was told to ignore SIGHUP, as by nohup, goes on" $?
echo 'error("wrong")' >wrong.lua
(
    trap '' CHLD
    exec "$build/esker" wrong.lua -o out
) 2>message
[ $? = 1 ] && grep -q wrong message
check "and its status is known where SIGCHLD was ignored" $?

echo 'params{ seed = 1 } while true do end' >sweeping.lua
"$build/esker" sweep sweeping.lua seed=1..4 -j 2 -q -o sweeping &
parent=$!
eventually pgrep -P $parent >/dev/null && kill -TERM $parent
wait $parent 2>/dev/null
[ $? = 143 ] && eventually only_one sweeping.lua
check "the processes of a sweep end with it, by SIGTERM" $?
echo "run('endless.lua')" >lines
"$build/esker" <lines >printed 2>message &
parent=$!
eventually pgrep -P $parent >/dev/null && sleep 0.3
kill -INT $parent
wait $parent
[ $? = 130 ] && eventually only_one endless.lua
check "Ctrl-C ends what the session runs" $?
"$build/tests/faults/deny" setitimer=EPERM -- "$build/esker" --time-limit 0.2 <lines >printed 2>message
[ $? = 1 ] && grep -q 'the time limit of 0.2 s is over' message
check "so does the time limit, where the process has no clock" $?
echo "run('plain.lua')" | "$build/tests/faults/deny" landlock_add_rule=EINVAL -- "$build/esker" >printed 2>message
[ $? = 1 ] && grep -q 'Landlock: Invalid argument' message
check "the session runs nothing that cannot be confined" $?

# --- without Landlock Esker's own checks hold ---
for denied in landlock_create_ruleset=ENOSYS "prctl:0=21=EINVAL landlock_create_ruleset=ENOSYS"; do
    # shellcheck disable=SC2086
    DENY="$build/tests/faults/deny $denied --" sh "$root/tests/attacks.sh" "$root"/tests/attacks/file-*.lua "$root"/tests/attacks/escape-require*.lua >printed 2>message
    ! grep -q '^not ok' printed && [ "$(grep -c '^ok' printed)" -gt 15 ]
    check "attacks on files fail with $denied" $?
done

# --- where the machine stands ---
echo 'return { hour = os.date("%H", 0), zone = os.date("%Z", 0) }' >zone.lua
for denied in landlock_create_ruleset=ENOSYS landlock_create_ruleset:2=5=EINVAL; do
    TZ=JST-9 LC_ALL=de_DE.UTF-8 "$build/tests/faults/deny" $denied -- "$build/esker" zone.lua -q >printed 2>message
    [ "$(tr '\n' ' ' <printed)" = 'hour = 00 zone = UTC ' ]
    check "a recipe does not see where the machine stands, with $denied" $?
done

# --- files that cannot be looked at ---
with "a folder that cannot be listed is written to" 0 '' yes openat:2=0x90000=EIO
"$build/esker" plain.lua -o given -q >printed
echo 'return { h = esker.load("given/h.png") }' >loading.lua
"$build/tests/faults/deny" readlink:2=4095=EIO -- "$build/esker" loading.lua -o loaded -q >printed 2>message
[ $? = 1 ] && grep -q "cannot read 'given/h.png'" message
check "a file whose place is not known is not read" $?
# From the module in a stock Lua, which asks less of the system before.
without_streams() { # MORE DENIED …
    LUA_CPATH="$build/?.so;;" "$build/tests/faults/deny" fcntl:1=3=EIO "$@" -- "${LUA:-lua5.4}" -e '
        local esker = require "esker"
        local land = esker.field{ size = 4, values = 0 }
        print(select(2, pcall(land.save, land, "stream.png")))
        print(select(2, pcall(esker.load, "given/h.png")))' >message 2>&1
    [ "$(grep -c 'cannot \(write\|read\).*Input/output error' message)" = 2 ] && [ ! -e stream.png ] &&
        [ "$(find . -name '.esker-*' | wc -l)" = 0 ]
}
without_streams
check "files that open, but are no streams, are errors" $?
without_streams 'openat:2=0x410000&0x410000=EOPNOTSUPP'
check "and no name is left" $?

# --- what a stranger's picture says ---
chunk() { # TEXT: a tEXt chunk, whose checksum is not checked
    printf "\\0\\0\\$(printf %o $((${#1} / 256)))\\$(printf %o $((${#1} % 256)))tEXt"
    printf '%s' "$1" | tr '|' '\0'
    printf 'sums'
}
picture() { # COMMAND
    { printf '\211PNG\r\n\032\n'; chunk "esker:recipe|a.lua"; chunk "esker:command|$1"; printf '\0\0\0\0IENDsums'; } >said.png
    "$build/esker" info said.png >printed 2>message
}
picture "esker a.lua seed=3 'name=it'\\''s'"
grep -q "^make again   esker a.lua seed=3 'name=it'.''s'$" printed
check "the command of a picture is shown" $?
wrong=0
for command in 'rm -rf x' 'esker a.lua --trust' 'esker --trust a.lua' 'esker a.lua; rm -rf x' 'esker $(rm x)' 'esker `rm x`' 'esker a & rm x' "esker 'a" 'esker a > b' "esker a$(printf '\n')b \\" \
    "esker a.lua '--trust'" "esker '--trust' a.lua" "esker a.lua -'-trust'" "esker a.lua seed=1 '-o' x" \
    'esker sweep a.lua seed=1' 'esker' 'esker a.lua 1=2'; do
    picture "$command"
    grep -q '^make again   (not shown' printed && ! grep -q '^recipe  ' printed &&
        "$build/esker" info said.png --json >printed && ! grep -q 'esker:command' printed || { wrong=1; echo "$command" >message; }
done
check "unless it is anything else" $wrong
picture "esker sweep seed=1"
grep -q '^make again   esker ./sweep seed=1$' printed
check "a recipe is never one of esker's own commands" $?
mkdir since && cd since || exit 1
printf 'local shape = require "shape"\nlocal p = params{ seed = 1 }\nreturn { h = shape(p.seed) }\n' >recipe.lua
echo 'return function(seed) return esker.spectral{ size = 32, seed = seed } end' >shape.lua
"$build/esker" recipe.lua seed=2 -q
since() { "$build/esker" info h.png >../printed 2>../message && grep -q "^since then   $1" ../printed; }
since 'the recipe is the same$'
check "a picture's recipe is compared: the same" $?
echo '-- one more line' >>shape.lua
since 'recipe.lua has changed since: it may make another picture$'
check "a module of it has changed" $?
rm recipe.lua
since 'recipe.lua is not here$'
check "it is gone" $?
cd ..
picture "$(printf 'esker \033]0;LEAKED\007')"
! LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]' printed
check "and no control character is" $?

# --- files that the user names ---
mkdir -p named/recipe named/else && cp given/h.png named/else/
echo 'local p = params{ path = "named/else/h.png" } return { h = esker.load(p.path) }' >named/recipe/it.lua
"$build/esker" named/recipe/it.lua -o out -q >printed 2>message
[ $? = 1 ] && grep -q "a recipe may read only below its own folder" message
check "a file that only the recipe names is not read" $?
"$build/esker" named/recipe/it.lua path=named/else/h.png -o named/out -q >printed 2>message && [ -e named/out/h.png ]
check "one that the user names is" $?
"$build/esker" sweep named/recipe/it.lua path=named/else/h.png -o swept-named -q 2>message && grep -q ',done,' swept-named/table.csv
check "in a sweep, too" $?
echo 'print(run("named/recipe/it.lua", { path = "named/else/h.png" }).h)' | "$build/esker" >printed 2>message &&
    grep -q '^Field 32 × 32' printed
check "and in the session" $?

# --- disks ---
with "a file system without nameless files" 0 '' yes openat:2=0x410000\&0x410000=EOPNOTSUPP
with "a disk that cannot keep what it took" 1 "cannot write 'out/h.png': Input/output error" no fsync=EIO
with "a name that cannot be given" 1 "cannot write 'out/h.png': Input/output error" no linkat=EIO
with "a file that cannot be put in place" 1 "cannot write 'out/h.png': Input/output error" no renameat=EIO renameat2=EIO rename=EIO
with "the same under a name" 1 "cannot write 'out/h.png': Input/output error" no openat:2=0x410000\&0x410000=EOPNOTSUPP renameat=EIO renameat2=EIO rename=EIO
[ ! -e out ] && [ "$(ls -A | grep -c esker-)" = 0 ]
check "nothing is left" $?
echo 'esker.noise{ size = 32, seed = params{ seed = 1 }.seed }:save("a.r16") return { n = 1 }' >beside.lua
beside() { "$build/tests/faults/deny" "$@" -- "$build/esker" beside.lua seed=2 -o beside -q >printed 2>message; }
"$build/esker" beside.lua -o beside -q >printed && rm beside/a.r16.json && cp beside/a.r16 old.r16
beside renameat=EIO
[ $? = 1 ] && grep -q "cannot write 'beside/a.r16.json': Input/output error" message && cmp beside/a.r16 old.r16 &&
    [ "$(ls -A beside)" = a.r16 ]
check "a file whose .json cannot be put in place is the old one" $?
beside renameat2=EINVAL && ! cmp -s beside/a.r16 old.r16 && [ "$(ls -A beside | tr '\n' ' ')" = "a.r16 a.r16.json " ]
check "where names cannot be exchanged both are written" $?
"$build/esker" plain.lua -o out >/dev/full 2>message
[ $? = 1 ] && grep -q 'standard output could not be written\|No space left' message
check "numbers that are lost are an error" $?
printf 'params{ seed = 1 }\nreturn { n = 1 }\n' >counted.lua
"$build/esker" sweep counted.lua seed=1..3 -o counted -q
echo 'for i = 1, 1e4 do print(i) end return { n = 1 }' >printing.lua
echo 'print "here" return { h = esker.spectral{ size = 32 } }' >telling.lua
"$build/esker" tiles telling.lua -o telling -q >/dev/full 2>message
[ $? = 1 ] && grep -q '^esker: standard output could not be written' message
check "so is what a recipe of tiles prints" $?
wrong=0
while read -r words; do
    # shellcheck disable=SC2086
    "$build/esker" $words >/dev/full 2>message </dev/null
    [ $? = 1 ] && grep -q 'standard output could not be written\|No space left' message || { wrong=1; echo "$words" >printed; break; }
done <<'WORDS'
help
help noise
help --json
help noise --json
help counted.lua
counted.lua --help
--help
--version
sweep --help
info given/h.png
info given/h.png --json
counted.lua --json
counted.lua --hash
printing.lua
table counted
table counted --json
table counted -o summary.csv
sweep counted.lua seed=1..3 --dry-run
search counted.lua seed=1..9 --maximize n --budget 8 -o searched -q
WORDS
check "so is any other output that is lost" $wrong
printf 'esker.spectral{ size = 300 }:save("wide.r32")\nprint("alive")\n' >lines
(ulimit -f 8 && "$build/esker" <lines >printed 2>message)
[ $? = 1 ] && grep -q "cannot write 'wide.r32': File too large" message && [ "$(cat printed)" = alive ] && [ ! -e wide.r32 ]
check "the session outlives a file that ulimit forbids" $?
(ulimit -f 1 && "$build/esker" help >wide.txt 2>message)
[ $? = 1 ] && grep -q 'standard output could not be written\|File too large' message
check "output that is lost because of ulimit is an error" $?
echo 'for i = 1, 3000 do print(i) end' >lines
"$build/esker" <lines >/dev/full 2>message
[ $? = 1 ] && grep -q 'standard output could not be written\|No space left' message
check "in the session, too" $?
echo 'esker.large{ field = esker.spectral{ size = 600 }, rows = 128 }:save("large.tif") return { n = 1 }' >strips.lua
lossy() { "$build/tests/faults/deny" "$@" -- "$build/esker" strips.lua -o strips -q >printed 2>message; }
if lossy clone3=ENOSYS; then # with GDAL
    rm -rf strips
    lossy 'pwrite64:3=0x42d0000&0xffff0000=EIO' # 64 KiB of the overviews, of which GDAL tells nothing
    [ $? = 1 ] && grep -q 'cannot write the temporary file .*: Input/output error' message && [ ! -e strips ]
    check "a GeoTIFF of which some was lost in the temporary file is not there" $?
    lossy ftruncate=ENOSPC
    [ $? = 1 ] && grep -q 'cannot extend the temporary file .*: No space left on device' message && [ ! -e strips ]
    check "nor one for which there is no room, which is told" $?
fi
echo 'for i = 1, 1e5 do print(i) end return { n = 1 }' >loud.lua
sh -c '"$1" loud.lua; echo $? >status' sh "$build/esker" 2>message | head -1 >/dev/null
[ "$(cat status)" = 141 ]
check "a reader that has gone ends the run, as it does others" $?
echo "1..$count"
