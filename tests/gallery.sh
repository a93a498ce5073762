#!/bin/sh
# A sweep's gallery in headless Chromium, whose page keeps its state in the address: what it shows is read from the
# document. Prints TAP.
set -u
PATH=$(cd "$(dirname "$0")/.." && pwd)/${ESKER_BUILD:-build}:$PATH
command -v chromium >/dev/null || { echo "1..0 # SKIP chromium is not installed"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cat >recipe.lua <<'LUA'
local p = params{ seed = 1, talus = 8, note = "plain" }
if p.seed == 3 and p.talus == 16 then error("no <b>land</b> & \"here\"") end
local land = esker.spectral{ size = 32, seed = p.seed }
return { land = land, relief = land:relief{}, score = p.seed * p.talus }
LUA
esker sweep recipe.lua seed=1..5 talus=8,16 'note=</script>' -o out -q 2>/dev/null
# Built without a network there are no plots to look for.
has_plot() { [ ! -s out/echarts.min.js ] || grep -q '<canvas' page; }
count=0
check() {
    count=$((count + 1))
    if [ "$2" = 0 ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        head -c 600 page 2>/dev/null | sed 's/^/# /'
    fi
}
look() { # look ADDRESS: the document, after its scripts have run
    chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=3000 --user-data-dir="$scratch/profile" \
        --dump-dom "file://$scratch/$2/index.html#$1" >page 2>/dev/null
}
keys() { # the cards' keys, in their order, as the table's seeds and taluses
    grep -o 'data-key="[0-9a-f]*"' page | sed 's/data-key="//; s/"//' | while read -r key; do
        grep "$key" out/table.csv | sed -E 's/^([^,]*),([^,]*),.*/\1-\2/'
    done | tr '\n' ' '
}
look 'sort=score&down=1' out
[ "$(keys)" = '5-16 4-16 5-8 2-16 4-8 3-8 1-16 2-8 1-8 3-16 ' ] && grep -q '10 of 10 runs' page
check "sorts, what has no value last" $?
grep -q 'src="runs/[0-9a-f]*/relief.png"' page && has_plot
check "shows pictures and a plot" $?
look 'where=talus+%3E+8+%26%26+score+%3C+60' out
grep -q '2 of 10 runs' page && [ "$(keys)" = '1-16 2-16 ' ]
check "filters" $?
look 'where=fetch(1)' out
grep -q 'class="where bad"' page && grep -q '10 of 10 runs' page
check "a filter is no program" $?
key=$(awk -F, '$1 == 2 && $2 == 8 { print $NF }' out/table.csv)
look "open=$key" out
grep -q '<dialog id="one" open' page && grep -q 'id="command">esker recipe.lua seed=2 talus=8 note=&lt;/script&gt;<' page &&
    grep -q "src=\"runs/$key/land.png\"" page
check "opens a run with its pictures and command" $?
{ sed '/<\/html>/d' out/index.html
    echo '<script>document.querySelectorAll(".card")[3].click(); document.querySelectorAll(".card")[3].blur();</script></html>'
} >out/clicked.html
chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=3000 --user-data-dir="$scratch/profile" \
    --dump-dom "file://$scratch/out/clicked.html#sort=score&down=1" >page 2>/dev/null
grep -q '<dialog id="one" open' page && grep -q 'id="command">esker recipe.lua seed=2 talus=16 ' page
check "a click opens the card's run" $?
look 'kind=parallel' out && has_plot && look 'kind=heat+map&x=talus&y=seed' out && has_plot &&
    look 'kind=histogram&x=score' out && has_plot
check "draws the other plots" $?
grep -q 'no &lt;b&gt;land&lt;/b&gt; &amp; "here"' page
check "a failed run shows its message, as text" $?
sed -i 's/land = land, relief = land:relief{}, //' recipe.lua
esker sweep recipe.lua seed=1..1000 talus=8,9 -o many -q --no-pictures
sed -i 's|<script>|<script>const begun = performance.now();|; s|^update();$|update(); document.title = "took " + (performance.now() - begun);|' \
    many/index.html
look '' many
grep -q '2000 of 2000 runs' page && grep -q '<title>took' page
check "2,000 runs load ($(grep -o 'took [0-9]*' page | head -1) ms here)" $?
echo "1..$count"
