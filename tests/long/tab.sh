#!/bin/sh
# What the site takes beside the program: processor time of tiles of eroded land in WebAssembly, the first picture, and memory
# of a tab in a dive of 40 levels (tab.mjs). Prints TAP. QUIET=1: on a machine that does nothing else, seconds are checks, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
. tests/support/wasm.sh

flock "$build/wasm.lock" make -s BUILD="$build" wasm web >"$log" 2>&1
check "the site and the module for node are made" $?
# One thread each, in turn: the processor's time of many tiles less that of few, so that starting is not in it. os.clock would
# do for the program alone: that of WebAssembly is a wall's.
cat >"$build/tab.lua" <<'LUA'
local esker = require "esker"
esker.threads(1)
local function window(i)
    return { size = 256, border = 1, zoom = 2.0 ^ 12, x = ("0.432%03d"):format(i * 7), y = "0.5723", relative = true }
end
local map = esker.river_map{ seed = 50 }
for i = 1, MAPS do
    esker.river_map{ seed = 100 + i }:render(window(1))
    collectgarbage()
end
for i = 1, TILES do
    map:render(window(i))
end
LUA
seconds() { # MAPS TILES COMMAND...: of the processor, in the least of three runs
    chunk=$(sed "s/MAPS/$1/; s/TILES/$2/" "$build/tab.lua")
    shift 2
    python3 - "$@" "$chunk" <<'PYTHON'
import os, subprocess, sys
def once():
    before = os.times()
    subprocess.run(sys.argv[1:], check=True)
    after = os.times()
    return after.children_user - before.children_user
print(min(once() for _ in range(3)))
PYTHON
}
each() { # FEW MANY NUMBER: milliseconds
    awk "BEGIN { print ($2 - $1) * 1000 / $3 }"
}
here() { LUA_CPATH="$build/?.so;;" seconds "$1" "$2" lua5.4 -e; }
there() { seconds "$1" "$2" node --no-experimental-fetch "$build/wasm/lua.js"; }
a=$(each "$(here 1 0)" "$(here 4 0)" 3)
b=$(each "$(there 1 0)" "$(there 4 0)" 3)
c=$(each "$(here 0 4)" "$(here 0 64)" 60)
d=$(each "$(there 0 4)" "$(there 0 64)" 60)
ratio() { awk "BEGIN { printf \"%.2f\", $2 / $1 }"; }
cold=$(ratio "$a" "$b")
kept=$(ratio "$c" "$d")
awk "BEGIN { exit !($cold <= 2.2) }"
check "the first tile of a map takes $cold times the processor's time of the program ($a and $b ms)" $?
awk "BEGIN { exit !($kept <= 2) }"
check "a tile beside it $kept times ($c and $d ms)" $?
if command -v chromium >/dev/null && [ -d build/vendor/playwright-core ]; then
    node tests/long/tab.mjs "$PWD/build/vendor/playwright-core/index.mjs" "$PWD/$build/web" >"$build/tab.tap"
    while read -r word number rest; do
        case $word in
        ok | not) check "${rest#- }" "$([ "$word" = ok ]; echo $?)" ;;
        esac
    done <<TRIED
$(sed 's/^not ok/not/' "$build/tab.tap")
TRIED
else
    check "a browser # SKIP no chromium or playwright-core" 0
fi
echo "1..$count"
