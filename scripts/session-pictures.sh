#!/bin/sh
# Makes the terminal pictures of docs/session.md: needs tmux, aha and chromium.
set -eu
cd "$(dirname "$0")/.."
esker=$PWD/${ESKER_BUILD:-build}/esker
pictures=$PWD/docs/gallery
scratch=$(mktemp -d)
export LC_ALL=C.UTF-8 XDG_STATE_HOME="$scratch" COLORTERM=truecolor
run() { tmux -u -L esker-pictures -f /dev/null "$@"; }
trap 'run kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
type_line() {
    run send-keys -l "$1"
    run send-keys Enter
    sleep "${2:-1.5}"
}
shoot() { # shoot NAME LINES: the last lines of the screen
    run capture-pane -e -p | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' | tail -n "$2" |
        aha --black --title esker >"$scratch/page.html"
    sed -i 's|<pre>|<pre style="font: 13px/15px DejaVu Sans Mono; margin: 6px">|' "$scratch/page.html"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=700,$((15 * $2 + 14)) \
        --screenshot="$pictures/session-$1.png" "file://$scratch/page.html" 2>/dev/null
}
cd "$scratch"
run new-session -d -x 86 -y 44 "'$esker' --graphics=blocks"
sleep 1
type_line 'land = esker.noise{ size = 512, seed = 7 }:stream_erosion{}' 3
shoot start 34
type_line 'size = 512'
type_line 'rivers = esker.river_network{ size = size, boundary = "ellipse", seed = 3 }'
type_line 'island, water = rivers:terrain{ seed = 3 }'
type_line 'island = island:olsen_erosion{ talus = 12, iterations = 20 }'
run send-keys -l 'shot = island:perspective{ ri'
run send-keys Tab
sleep 0.5
run send-keys -l 'water, sea_'
run send-keys Tab
run send-keys -l '0, '
run send-keys Tab
sleep 1
shoot complete 18
run send-keys -l 'width = 640, height = 360 }'
run send-keys Enter
sleep 2
type_line 'save_session("island.lua")'
shoot end 34
cat island.lua
"$esker" island.lua -q -o out
