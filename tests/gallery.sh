#!/bin/sh
# A sweep's gallery in headless Chromium, whose page keeps its state in the address: what it shows is read from the
# document. Prints TAP.
set -u
. "$(dirname "$0")/support/tap.sh"
PATH=$(cd "$(dirname "$0")/.." && pwd)/${ESKER_BUILD:-build}:$PATH
command -v chromium >/dev/null || { echo "1..0 # SKIP chromium is not installed"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cat >recipe.lua <<'LUA'
local p = params{ seed = 1, talus = 8, note = "plain" }
if p.seed == 3 and p.talus == 16 then error("no <b>land</b> & \"here\"") end
local land = esker.spectral{ size = 32, seed = p.seed }
return { land = land, relief = land:relief{}, score = p.seed * p.talus, play = { ["share-2"] = p.seed / 5 } }
LUA
esker sweep recipe.lua seed=1..5 talus=8,16 'note=</script>' -o out -q 2>/dev/null
# Built without npm there are no plots to look for.
plots() { [ "$(wc -c <out/index.html)" -gt 500000 ]; }
has_plot() { ! plots || grep -q '<canvas' page; }
reason() {
    sed '1,/<body/d' page 2>/dev/null | head -c 800
    echo
}
look() { # look ADDRESS FOLDER [PAGE]: the document without its scripts, after they have run
    chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=3000 \
        --disable-site-isolation-trials --disable-features=IsolateOrigins,site-per-process --user-data-dir="$scratch/profile" \
        --dump-dom "file://$scratch/$2/${3:-index.html}#$1" 2>/dev/null | perl -0pe 's/<script.*?<\/script>//gs' >page
}
and_then() { # and_then FOLDER SCRIPT: acted.html, where a user has done something; nothing else is allowed more
    sed "s/script-src /script-src 'nonce-user' /; /<\/html>/d" "$1/index.html" >"$1/acted.html"
    echo "<script nonce=\"user\">$2</script></html>" >>"$1/acted.html"
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

# --- filters: the same as --where, in esker table and in the page ---
cat >conditions <<'END'
talus > 8 and score < 60
play.total > 1
`play.share-2` >= 0.8 or not (status == "done")
score % 16 == 0 and -talus < -8
2 ^ 3 ^ 0 * talus == 2 * talus - 0 and seed ~= 1
note == '</script>' and (seed + 1) * 2 <= 6.0e0
key < 5 or seed < "2" or true == 1
score > 2 * 3 + 4 / 2 - 1 and score ~= 16
message == "x" or missing.name
seed >
seed == 1)
END
while read -r condition; do
    if esker table out --share "$condition" >report 2>message; then
        sed -n "s/^  .*: \([0-9]*\) of 9, .*/\1/p" report
    else
        echo bad
    fi
done <conditions >in-table
and_then out "const counts = [$(lua5.4 -e 'for line in io.lines() do print((("%q,"):format(line):gsub("<", "\\u003c"))) end' <conditions)].map(line => {
    try { return data.rows.filter(row => cell(row, 'status') === 'done').filter(readCondition(line, at)).length; }
    catch (problem) { return 'bad'; }
});
document.title = 'counts ' + counts.join(' ');"
look '' out acted.html
grep -q "<title>counts $(tr '\n' ' ' <in-table | sed 's/ $//')</title>" page && [ "$(grep -c '^[0-9]' in-table)" = 7 ]
check "conditions mean the same in the page as in esker table" $?
look 'where=talus+%3E+8+and+score+%3C+60' out
grep -q '2 of 10 runs' page && [ "$(keys)" = '1-16 2-16 ' ]
check "a filter keeps the runs that meet it" $?
look 'where=%60play.share-2%60+%3E%3D+0.8+and+talus+%3D%3D+8' out
[ "$(keys)" = '4-8 5-8 ' ]
check "names with dots and minuses are names" $?

# --- one run ---
key=$(awk -F, '$1 == 2 && $2 == 8 { print $NF }' out/table.csv)
look "open=$key" out
grep -q '<dialog id="one" open' page && grep -q "id=\"command\">esker recipe.lua 'note=&lt;/script&gt;' seed=2 talus=8<" page &&
    grep -q "src=\"runs/$key/land.png\"" page
check "opens a run with its pictures and command" $?
and_then out 'document.querySelectorAll(".card")[3].click(); document.querySelectorAll(".card")[3].blur();'
look 'sort=score&down=1' out acted.html
grep -q '<dialog id="one" open' page && grep -q 'seed=2 talus=16<' page
check "a click opens the card's run" $?
look 'kind=parallel' out && has_plot && look 'kind=heat+map&x=talus&y=seed' out && has_plot &&
    look 'kind=histogram&x=score' out && has_plot && look 'kind=constructor&x=toString&constructor=1' out && has_plot
check "draws the other plots" $?
grep -q 'no &lt;b&gt;land&lt;/b&gt; &amp; "here"' page
check "a failed run shows its message, as text" $?

# --- a stranger's sweep ---
cat >hostile.lua <<'LUA'
local p = params{ seed = 1, title = "x;touch${IFS}pwned;#" }
local run = "<img src=x onerror=\"document.body.append('RAN-'+'HERE')\">"
return { a = p.seed * 1.5, b = p.seed == 1 and 1 or run, c = run, x = esker.spectral{ size = 8, seed = 1 },
    constructor = 1, __proto__ = run, status = run, key = run, Seed = -p.seed }
LUA
esker sweep hostile.lua seed=1..3 -o hostile -q
key=$(awk -F, '$1 == 2 { print $NF }' hostile/table.csv)
and_then hostile 'if (chart) chart.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: 1 });
    const lure = document.createElement("div"); lure.id = "lure"; document.body.append(lure);
    lure.innerHTML = "<img src=x onerror=\"document.body.append(2-1 + \x27-RAN\x27)\">";'
look "x=seed&y=result.Seed&sort=b&open=$key" hostile acted.html
grep -q 'id="lure"><img' page && ! grep -q 'RAN-HERE\|1-RAN' page
check "no script of a result's runs, nor one in the document" $?
! plots || grep -q '<span>[^<]*result.Seed -2[^<]*</span>' page
check "a tooltip shows text" $?
grep -q "id=\"command\">esker hostile.lua seed=2 'title=x;touch\${IFS}pwned;#'<" page
check "a command is quoted as a shell takes it" $?
grep -q '<td>result.status</td><td>&lt;img' page && grep -q '<td>status</td><td>done</td>' page &&
    [ "$(head -1 hostile/table.csv)" = seed,title,result.Seed,__proto__,a,b,c,constructor,result.key,result.status,status,seconds,memory_mb,message,key ]
check "no column takes the name of another" $?
look 'where=%22%22.constructor.constructor(%22document.body.append(1%2B%27-RAN%27)%22)()' hostile
grep -q 'class="where bad"' page && grep -q '3 of 3 runs' page && ! grep -q '1-RAN' page
check "a filter is no program" $?
look 'where=constructor+%3D%3D+1+and+result.Seed+%3C+-1' hostile
grep -q '2 of 3 runs' page
check "names that JavaScript knows are columns like others" $?
sed -i 's/recipe\t.*/recipe\t--trust;<img src=x onerror=alert(1)>/' hostile/sweep.txt && esker sweep --merge -o hostile -q
look "open=$key" hostile
grep -q "id=\"command\">esker './--trust;&lt;img src=x onerror=alert(1)&gt;' seed=2" page && grep -q '<h1 id="title">--trust;&lt;img' page
check "a folder's recipe is no option and no HTML" $?

look "where=$(lua5.4 -e 'print("1" .. ("%2B1"):rep(20000))')" hostile
grep -q 'class="where bad"' page && grep -q '3 of 3 runs' page && grep -q 'more than 1,000 words' page
check "a condition of 20,000 terms is refused" $?

# --- size ---
sed -i 's/land = land, relief = land:relief{}, //' recipe.lua
esker sweep recipe.lua seed=1..1000 talus=8,9 -o many -q --no-pictures
and_then many 'const begun = performance.now(); update(); document.title = "took " + (performance.now() - begun);'
look '' many acted.html
grep -q '2000 of 2000 runs' page && grep -q '<title>took' page
check "2,000 runs load ($(grep -o 'took [0-9]*' page | head -1) ms here)" $?
echo "1..$count"
