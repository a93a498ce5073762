#!/bin/sh
# The interactive session in a real terminal (tmux), and from a pipe. Prints TAP.
set -u
. "$(dirname "$0")/support/tap.sh"
ROOT=$(cd "$(dirname "$0")/.." && pwd)
. "$ROOT/tests/support/eventually.sh"
ESKER=$ROOT/${ESKER_BUILD:-build}/esker
scratch=$(mktemp -d)
socket=esker-test-$$
export LC_ALL=C.UTF-8 XDG_STATE_HOME="$scratch/state" COLORTERM=truecolor
unset ESKER_GRAPHICS TMUX DISPLAY WAYLAND_DISPLAY 2>/dev/null
tmux() { command tmux -u -L "$socket" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

reason() { screen | tail -30; }
screen() { tmux capture-pane -p -S - 2>/dev/null | sed 's/ *$//' | grep -v '^$'; }
# start COLUMNS TERM WORDS…: a new terminal with the program in it, its raw output in $scratch/raw
start() {
    tmux kill-server 2>/dev/null
    sleep 0.2
    columns=$1 term=$2
    shift 2
    for _ in 1 2 3 4 5; do # the last server may still be leaving
        tmux new-session -d -x "$columns" -y 50 "env TERM=$term LD_LIBRARY_PATH=${LD_LIBRARY_PATH-} '$ESKER' $* 2>&1; echo LEFT \$?; sleep 60" && break
        sleep 0.5
    done
    tmux pipe-pane -o "cat >>'$scratch/raw'"
    wait_for '^>$'
}
type_line() { # type_line TEXT: with its newline
    tmux send-keys -l "$1"
    tmux send-keys Enter
}
shows() { screen | grep -q -- "$1"; }
wait_for() { eventually shows "$1"; } # wait_for PATTERN: until the screen shows it

# --- lines ---
start 100 xterm-256color --graphics=none
type_line '1 + 1'
wait_for '^2$'
check "an expression prints its value" $?
type_line '_ * 21'
wait_for '^42$'
check "_ is the last value" $?
type_line 'for i = 5, 6 do'
wait_for '^>>'
type_line 'print(i * 11)'
type_line 'end'
wait_for '^66$'
check "a statement may have several lines" $?
tmux send-keys -l 'nonsense that is not wanted'
tmux send-keys C-c
wait_for 'wanted^C'
type_line '"still " .. "here"'
wait_for '^"still here"$'
check "Ctrl-C clears the line" $?

# --- completion ---
tmux send-keys -l 'land = esker.diamond_s'
tmux send-keys Tab
tmux send-keys -l ' size = 64, distrib'
tmux send-keys Tab
tmux send-keys -l '"gau'
tmux send-keys Tab
tmux send-keys -l ' }'
tmux send-keys Enter
wait_for '^Field 64 × 64, '
check "operations, arguments and choices complete" $?
tmux send-keys -l 'esker.kno'
tmux send-keys Tab
tmux send-keys -l 'wn'
wait_for '^> esker.known$'
check "names of Esker's own Lua are not completed" $?
tmux send-keys C-c
tmux send-keys -l 'land:olsen_erosion{ i'
tmux send-keys Tab
wait_for 'land:olsen_erosion{ iterations ='
check "arguments of a method complete" $?
tmux send-keys -l '9, '
tmux send-keys Tab
wait_for 'talus = 16  largest height'
check "arguments are listed with their defaults" $?
tmux send-keys C-c
type_line 'land:save("a picture.png")'
wait_for '^>$'
tmux send-keys -l 'esker.load("a p'
tmux send-keys Tab
wait_for 'esker.load("a picture.png'
check "files complete" $?
tmux send-keys C-c

# --- help, errors ---
type_line '?olsen_erosion'
wait_for '^height:olsen_erosion{'
check "?name describes an operation" $?
type_line '?sheet'
wait_for 'Shows a contact sheet'
check "?name describes the session's functions" $?
type_line '?olsen_erosoin'
wait_for "did you mean 'olsen_erosion'"
check "a misspelt name gets the nearest" $?
for mistake in 'lnad|did you mean .land.' 'land:olsen_erosion{ talsu = 3 }|did you mean .talus.' \
    'esker.spectral{ size = 1e9 }|size must be 2 to 65536' '"abc|unfinished string' 'esker.load("gone.png")|gone.png' \
    'land:relief{ palette = 3 }|palette must be' 'run("gone.lua")|cannot read the recipe' \
    'spectral{}|did you mean .esker.spectral.' 'error({})|not a string' 'land != 3|not equal is ~=' \
    'land += 1|more is: a = a + b' 'esker.noise(size = 3)|stand in braces' 'import esker|is there without it'; do
    type_line "${mistake%%|*}"
    wait_for "${mistake##*|}"
    check "one clear line for ${mistake%%|*}" $?
done
screen | grep -q 'stack traceback'
check "no stack of calls is shown" $((!$?))

# --- Ctrl-C in long work ---
type_line 'big = esker.spectral{ size = 512 }'
wait_for '^Field 512'
type_line 'big:olsen_erosion{ iterations = 1000000 }'
wait_for 'olsen_erosion \[[#.]*\] .*% .* left'
check "long work shows progress and the time left" $?
tmux send-keys C-c
wait_for 'interrupted$'
check "Ctrl-C stops an operation" $?
type_line 'while true do pcall(error) end'
sleep 0.3
tmux send-keys C-c
type_line '"values: " .. big.width .. " " .. land.width'
wait_for '^"values: 512 64"$'
check "after Ctrl-C in Lua the session and its values are there" $?
type_line 'coroutine.wrap(function() while true do pcall(error) end end)()'
sleep 0.3
tmux send-keys C-c
type_line '"in a coroutine too: " .. land.width'
wait_for '^"in a coroutine too: 64"$'
check "and after Ctrl-C in a coroutine" $?
type_line 'kept = 3'
type_line 'while true do end'
sleep 0.3
tmux send-keys C-c
type_line 'undo'
wait_for '^undid: kept = 3$'
check "undo after Ctrl-C takes back the statement before" $?
type_line 'changed = 4 while true do end'
sleep 0.3
tmux send-keys C-c
type_line 'undo'
wait_for '^undid: changed = 4 while true do end$'
check "undo takes back what the interrupted statement changed" $?

# --- pictures of several values ---
type_line 'compare(land, big:resize{ size = 64 })'
wait_for '^Image 132 × 64'
check "compare puts two pictures side by side" $?
type_line 'sheet{ make = function(p) return esker.spectral{ size = 32, seed = p.seed } end, seed = { 1, 2, 3 } }'
wait_for '^  3  seed = 3$' && wait_for '^Image 68 × 68'
check "sheet makes variations" $?
type_line 'sheet{ 3 }'
wait_for 'sheet: takes fields, images, maps and networks, got number'
check "sheet refuses what has no picture" $?
type_line 'for i = 1, 2 do land:show() end'
wait_for '^Field 64 × 64, 0 to 1, mean 0.4622$'
check "show shows a value inside a statement" $?
type_line 'view(land, "seen.png")'
wait_for '^wrote seen.png' && [ -s seen.png ]
check "view writes a picture where no viewer is" $?

# --- recipes ---
type_line 'record("part.lua")'
type_line 'seed = 7'
type_line 'hills = esker.voronoi{ size = 64, seed = seed }'
type_line 'hills = hills:perturb{ seed = seed + 1 }'
type_line 'broken(3)'
type_line 'view = hills:relief{}'
type_line 'hills:hash()'
type_line 'stop()'
wait_for 'try: esker part.lua'
check "record and stop write a recipe" $?
hash=$(screen | grep -E '^"[0-9a-f]{16}"$' | tail -1 | tr -d '"')
"$ESKER" part.lua -q -o out >/dev/null && echo "$(cat part.lua) " | grep -q 'params{ seed = 7 }'
check "the recipe has its parameters and runs" $?
[ -s out/view.png ]
check "and makes what had the name of a command" $?
{ sed '$d' part.lua; echo 'return { hash = hills:hash() }'; } >hash.lua
"$ESKER" hash.lua | grep -q "hash = $hash"
check "the recipe makes the same terrain" $?
"$ESKER" --graphics=none >/dev/null <<'LINES'
size = 32
size2 = 48
land = esker.spectral{ size = size }
land:save("size.png")
other = esker.load("size.png")
for size = 1, 2 do land = land:blur{} end
r = run("part.lua")
hills = r.hills
hills = esker.spectral{ size = size2 }
pair = compare(land, other)
save_session("careful.lua")
LINES
"$ESKER" careful.lua size2=40 -q -o careful 2>message && [ -s careful/other.png ] && [ -s careful/hills.png ] &&
    grep -q 'params{ size = 32, size2 = 48 }' careful.lua && ! grep -q 'run(\|pair\|r.hills' careful.lua
check "a recipe keeps names in strings and loops, and leaves out what only the session can" $?
"$ESKER" part.lua seed=5 -i --graphics=none >begun 2>&1 <<'LINES'
shown = compare(hills, hills)
if true then view(hills, "seen2.png") end
soft = hills:blur{}; help("blur")
softer = hills:blur{}:blur{}
save_session("continued.lua")
LINES
"$ESKER" continued.lua --hash >continued && ! grep -q 'compare\|view(hills\|help("' continued.lua &&
    grep -q '^softer = ' continued && grep -q 'without 2 assignments' begun && grep -q "^hills = $("$ESKER" part.lua seed=5 --hash |
        sed -n 's/^hills = //p')" continued
check "a session that began with a recipe is saved with it, and without what only a session can do" $?
"$ESKER" --graphics=none >said 2>&1 <<'LINES'
seed = 1
soft = esker.noise{ size = 16, seed = seed }
soft = esker.noise{ size = 16, seed = seed }
seed = 2
soft = esker.noise{ size = 16, seed = seed }
soft = soft:blur{}
soft = soft:blur{}
high = 1
function twice() return high * 2 end
high = 2
other = twice()
high = 3
drawn = math.random()
drawn = math.random()
soft:save("soft.png")
soft:save("soft.png")
save_session("once.lua")
LINES
[ "$(grep -c 'esker.noise\|:save' once.lua)" = 2 ] && [ "$(grep -c 'soft:blur{}' once.lua)" = 2 ] && grep -q 'seed = 2 }' once.lua &&
    [ "$(grep -c 'high = \|math.random' once.lua)" = 6 ] && "$ESKER" once.lua --hash | grep -q '^other = 4$'
check "a recipe has no line twice, and all on which others depend" $?
"$ESKER" --graphics=none >said 2>&1 <<'LINES'
land = esker.shape{ size = 16, kind = "ramp" }
again = land
land:histogram{ bins = 4 }
plot{ 1, 2, 4 }
plot(land)
plot(3)
LINES
[ "$(grep -c '^Field 16 × 16, 0.*mean 0.5' said)" = 2 ] && [ "$(grep -c 'Field.* m*s$' said)" = 1 ]
check "the time is shown where something was computed" $?
grep -q '^  1 = [0-9]*  █' said && grep -q '^         4 │  █$' said && grep -q '^ *0 .*1$' said && grep -q '^plot: takes a field, or' said
check "a histogram has bars, and plot draws charts" $?
cp part.lua kept.lua
"$ESKER" --graphics=none >said 2>&1 <<'LINES'
a = esker.shape{ size = 64 }
undo(2)
a
_
return a
save_session("part.lua")
record("part.lua")
save_session("returned.lua")
b = a * 2
save_session("returned.lua")
record("borrowed.lua")
c = a + b
stop()
LINES
[ "$(grep -c '^part.lua is there already' said)" = 2 ] && cmp part.lua kept.lua
check "recipes that this session did not write are not replaced" $?
"$ESKER" returned.lua -q -o returned 2>message && [ -s returned/b.png ] && ! grep -q '_ = \|return a$' returned.lua
check "what was only looked at is left out of a recipe" $?
grep -q '^it needs a, b, made before record()' said
check "a recording says what it uses from before" $?
grep -q '^undo takes back one statement, and is typed alone' said
check "undo with an argument is explained" $?
type_line 'r = run("part.lua", { seed = 9 })'
type_line 'r.hills'
wait_for '^Field 64 × 64' && type_line 'save_session("whole.lua")' && wait_for 'try: esker whole.lua'
"$ESKER" part.lua seed=9 -q -o out >/dev/null && "$ESKER" whole.lua -q -o whole >/dev/null
check "run gives a recipe's results; save_session writes all" $?
echo 'return { n = 1 }' >watched.lua
type_line 'watch("watched.lua")'
wait_for '^n = 1$'
echo 'return { n = 22 }' >watched.lua
wait_for '^n = 22$'
seen=$?
echo 'return { n = ' >watched.lua
wait_for 'watched.lua:1: unexpected symbol\|watched.lua:.*near <eof>'
check "watch runs a recipe again when it changes, and shows its errors" $((seen + $?))
tmux send-keys C-c
wait_for '^>$'
tmux send-keys C-d
wait_for '^LEFT 0$'
check "Ctrl-D leaves" $?

# --- history ---
start 100 xterm-256color --graphics=none
tmux send-keys C-r
tmux send-keys -l 'voronoi'
sleep 0.3
tmux send-keys Enter
wait_for '> hills = esker.voronoi{ size = 64, seed = seed }'
check "the search finds lines of the last session" $?
tmux send-keys C-d
tmux kill-server 2>/dev/null
chmod 500 "$XDG_STATE_HOME/esker" && chmod 400 "$XDG_STATE_HOME/esker/history"
mkdir "$scratch/blocked" && echo x >"$scratch/blocked/esker"
XDG_STATE_HOME=$scratch/blocked start 100 xterm-256color --graphics=none
type_line '6 * 7'
wait_for '^42$' && wait_for 'no history is kept'
check "a history that cannot be written is told once, and the session goes on" $?

# --- pictures ---
picture_in() { # picture_in MODE PATTERN: the bytes of that mode, and the line below
    : >"$scratch/raw"
    start 100 xterm-256color "--graphics=$1"
    type_line 'esker.spectral{ size = 64 }'
    wait_for '^Field 64 × 64' && sleep 0.2
    LC_ALL=C grep -q -a "$2" "$scratch/raw"
}
if ldd "$ESKER" | grep -q chafa; then
    picture_in blocks "$(printf '\033\\[38;2;[0-9]*;')"
    check "pictures of blocks" $?
    picture_in sixel "$(printf '\033P[0-9;]*q')"
    check "pictures of sixels" $?
    picture_in kitty "$(printf '\033_G')"
    check "Kitty's pictures" $?
    picture_in iterm2 "$(printf '\033]1337;File=')"
    check "iTerm2's pictures" $?
    : >"$scratch/raw" # tmux says what it is when asked, and shows blocks; its answer is not taken for typing
    start 100 xterm-256color
    screen | grep -q '^>$' && type_line 'esker.spectral{ size = 64 }'
    wait_for '^Field 64 × 64' && sleep 0.2
    LC_ALL=C grep -q -a "$(printf '\033\\[38;2;[0-9]*;')" "$scratch/raw"
    check "an unknown terminal is asked, and gets blocks" $?
else
    for mode in blocks sixel kitty iterm2 unknown; do
        count=$((count + 1))
        echo "ok $count - pictures: $mode # SKIP built without chafa"
    done
fi
: >"$scratch/raw"
start 100 dumb
type_line 'esker.spectral{ size = 64 }'
wait_for '^Field 64 × 64' && ! LC_ALL=C grep -q -a "$(printf '\033\\[38')" "$scratch/raw"
check "TERM=dumb shows text alone" $?
start 20 xterm-256color
type_line 'esker.spectral{ size = 64 }'
wait_for '^Field 64' && [ "$(screen | awk '{ print length($0) }' | sort -n | tail -1)" -le 80 ]
check "a window of 20 columns" $?
type_line '"ärgö" .. "ß"'
wait_for 'ärgöß'
check "UTF-8" $?
tmux send-keys -H ff 31 0d
sleep 0.3
tmux send-keys C-c
type_line '31 + 2'
wait_for '^33$'
check "a broken byte does no harm" $?

# --- with a recipe, and from a pipe ---
start 100 xterm-256color part.lua seed=5 -i --graphics=none
type_line 'hills:hash()'
wait_for '^"[0-9a-f]*"$'
check "a recipe's values stay with -i" $?
tmux kill-server 2>/dev/null
printf 'a = 2\na + 3\nfor i = 1, 2 do\nprint(i)\nend\nesker.spectral{ size = 64 }\n' | "$ESKER" >piped
[ $? = 0 ] && [ "$(head -3 piped | tr '\n' ' ')" = "5 1 2 " ] && grep -q '^Field' piped && ! grep -q "$(printf '\033')" piped
check "from a pipe: text alone" $?
printf 'a = (\n' | "$ESKER" 2>message
[ $? = 1 ] && grep -q 'the statement is not finished' message
check "a pipe that ends too soon is an error" $?
mkfifo lines
"$ESKER" <lines 2>message &
exec 3>lines
echo 'while true do end' >&3
sleep 0.5
kill -INT $!
wait $!
[ $? = 130 ] && grep -q interrupted message
check "Ctrl-C ends what a pipe feeds" $?
exec 3>&-
"$ESKER" --graphics=nice </dev/null 2>message
[ $? = 2 ] && grep -q "graphics must be auto, none, blocks, sixel, kitty or iterm2, got 'nice'" message
check "unknown graphics are refused" $?

# --- without the libraries ---
! ldd "$ESKER" | grep -q 'libedit\|libchafa\|libsqlite\|libcairo'
check "optional libraries are not opened at the start" $?
mkdir broken
for library in libedit.so.2 libchafa.so.0 libsqlite3.so.0 libcairo.so.2; do
    : >broken/$library
done
echo 'return { n = params{ seed = 1 }.seed, land = esker.spectral{ size = 16 } }' >few.lua
LD_LIBRARY_PATH=$PWD/broken "$ESKER" sweep few.lua seed=1..2 -o few -q --sqlite 2>message
[ $? = 1 ] && grep -q "libsqlite3.so.0, which writes databases, is not installed" message
check "a library that is not there is named" $?
LD_LIBRARY_PATH=$PWD/broken "$ESKER" sweep few.lua seed=1..2 -o few -q --sheet sheet.png 2>message
[ $? = 1 ] && grep -q "libcairo.so.2, which draws captions, is not installed" message
check "captions without cairo are refused" $?
LD_LIBRARY_PATH=$PWD/broken start 80 xterm-256color
type_line '6 * 7'
wait_for '^42$' && type_line 'esker.spectral{ size = 64 }' && wait_for '^Field 64 × 64'
check "the session works without an editor of lines" $?

bare=$ROOT/${ESKER_BUILD:-build}/bare
make -s -C "$ROOT" BUILD="${ESKER_BUILD:-build}" bare >bare.log 2>&1 &&
    ! ldd "$bare/esker" | grep -q 'libedit\|libchafa\|libsqlite\|libcairo\|libseccomp'
check "the program builds without libedit and libchafa" $?
ESKER=$bare/esker start 80 xterm-256color
type_line '6 * 7'
wait_for '^42$' && type_line 'esker.spectral{ size = 64 }' && wait_for '^Field 64 × 64'
check "and its session works" $?
echo 'return { n = 1 }' >bare.lua
"$bare/esker" bare.lua >printed 2>message && grep -q 'n = 1' printed && grep -q 'there is no seccomp here' message
check "and a recipe's user is told that there is no seccomp" $?
"$bare/esker" explore bare.lua 2>message
[ $? = 1 ] && grep -q 'built without libmicrohttpd: install it' message
check "and how to get the explorer" $?
echo "1..$count"
