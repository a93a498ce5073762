#!/bin/sh
# A sweep's gallery in headless Chromium, whose page keeps its state in the address: what it shows is read from the
# document. RUNS: half of how many a large sweep has. Prints TAP.
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
# look NAME ADDRESS FOLDER [PAGE]: asks for a page, as it is at this address after its scripts have run. `browse` has one
# Chromium make all that were asked for, each in a frame, without their scripts; `at NAME` turns to one of them. `look` leaves
# out the library of plots, a megabyte that takes a third of a second in each frame; `look_at_plots` does not.
: >looks
look_at_plots() { printf '%s\n' "$1 file://$scratch/$3/${4:-index.html}#$2" >>looks; }
look() {
    perl -ne 'print unless length > 50000 && !/^<script type="application/' "$3/${4:-index.html}" >"$3/light-${4:-index.html}"
    look_at_plots "$1" "$2" "$3" "light-${4:-index.html}"
}
browse() {
    {
        echo '<!DOCTYPE html><meta charset="utf-8"><script>const frames = [];'
        while read -r name address; do
            printf "frames.push(['%s', '%s']);\n" "$name" "$(echo "$address" | sed "s/'/\\\\x27/g")"
        done <looks
        cat <<'HTML'
onload = () => setTimeout(() => { for (const frame of document.querySelectorAll('iframe')) {
    for (const script of frame.contentDocument.querySelectorAll('script')) script.remove(); // a megabyte in each
    const text = document.createElement('pre');
    text.id = frame.id;
    text.hidden = true; // its lines would be laid out
    text.textContent = frame.contentDocument.documentElement.outerHTML;
    frame.replaceWith(text);
} }, 1000);
addEventListener('DOMContentLoaded', () => { for (const [name, address] of frames) {
    const frame = document.createElement('iframe');
    Object.assign(frame, { id: name, src: address, width: 1200, height: 300 });
    document.body.append(frame);
} });
</script><body></body>
HTML
    } >browse.html
    chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=3000 --allow-file-access-from-files \
        --disable-site-isolation-trials --disable-features=IsolateOrigins,site-per-process --disable-extensions --no-first-run \
        --disable-background-networking --disable-component-update --user-data-dir="$scratch/profile" \
        --dump-dom "file://$scratch/browse.html" 2>/dev/null >browsed
    mkdir -p pages
    perl -0ne 'while (/<pre id="(.*?)" hidden="">(.*?)<\/pre>/gs) {
        my ($name, $text) = ($1, $2);
        $text =~ s/&lt;/</g; $text =~ s/&gt;/>/g; $text =~ s/&nbsp;/\xc2\xa0/g; $text =~ s/&amp;/&/g;
        open(my $page, ">", "pages/$name"); print $page $text;
    }' browsed
}
at() { cp "pages/$1" page; }
and_then() { # and_then FOLDER PAGE SCRIPT: FOLDER/PAGE, where a user has done something; nothing else is allowed more
    sed "s/script-src /script-src 'nonce-user' /; /<\/html>/d" "$1/index.html" >"$1/$2"
    echo "<script nonce=\"user\">$3</script></html>" >>"$1/$2"
}
keys() { # the cards' keys, in their order, as the table's seeds and taluses
    grep -o 'data-key="[0-9a-f]*"' page | sed 's/data-key="//; s/"//' | while read -r key; do
        grep "$key" out/table.csv | sed -E 's/^([^,]*),([^,]*),.*/\1-\2/'
    done | tr '\n' ' '
}

# --- a user's sweep ---
look_at_plots sorted 'sort=score&down=1' out
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
and_then out counts.html "const counts = [$(lua5.4 -e 'for line in io.lines() do print((("%q,"):format(line):gsub("<", "\\u003c"))) end' <conditions)].map(line => {
    try { return data.rows.filter(row => cell(row, 'status') === 'done').filter(readCondition(line, at)).length; }
    catch (problem) { return 'bad'; }
});
document.title = 'counts ' + counts.join(' ');"
look counts '' out counts.html
look filtered 'where=talus+%3E+8+and+score+%3C+60' out
look dotted 'where=%60play.share-2%60+%3E%3D+0.8+and+talus+%3D%3D+8' out
key=$(awk -F, '$1 == 2 && $2 == 8 { print $NF }' out/table.csv)
look opened "open=$key" out
and_then out clicked.html 'document.querySelectorAll(".card")[3].click(); document.querySelectorAll(".card")[3].blur();'
look clicked 'sort=score&down=1' out clicked.html
and_then out plots.html 'const types = [];
    for (const address of ["kind=parallel", "kind=heat+map&x=talus&y=seed", "kind=histogram&x=score"]) {
        location.hash = address; readAddress(); update();
        types.push(!window.echarts || chart.getOption().series[0].type);
    }
    document.title = "plots " + types;'
look_at_plots plots '' out plots.html
look_at_plots table 'view=table&sort=score&down=1&columns=seed,score&kind=means&x=talus&y=score' out
and_then out walked.html 'const next = () => [...document.querySelectorAll("#one button")].find(each => each.textContent.includes("next")).click();
    document.querySelectorAll(".card")[0].click(); next(); document.querySelector("#one figure button").click();
    document.title = "half " + [meanOf([1, 2, 3, 4]), meanOf([5, 7])].map(each => (each.high - each.middle).toPrecision(5)).join(" ");'
look walked 'sort=score&down=1' out walked.html
and_then out stepped.html '{ const key = () => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    document.querySelectorAll(".card")[0].click(); key(); key();
    const rows = [1, 2, 3, 4].flatMap(seed => ["plain", "odd"].map(kind => [seed % 2 ? "a" : "b", kind, seed, kind === "odd" ? 10 + seed : seed]));
    const view = { x: "way", y: "high", colour: "", apart: ["kind"], results: ["high"] }, at = new Map(["way", "kind", "seed", "high"].map((name, i) => [name, i]));
    const lines = plotKinds.means(rows, at, view, plotStyle()).series.filter(each => each.type === "line");
    document.title = state.open === cell(visible()[2], "key") ? "third" : "not the third";
    document.title += " " + lines.map(each => each.name + " " + each.data.map(point => point[1] + "x" + point[4]).join(" ")).join("; ");
    const [bar] = plotKinds.means(rows.filter(row => row[0] === "a"), at, { ...view, apart: [] }, plotStyle()).series, { children } = bar.renderItem({ dataIndex: 0 }, { coord: place => place });
    const heat = names => plotKinds["heat map"](names.map(name => [1, name, 0, 2]), at, { ...view, x: "way", y: "kind" }, plotStyle());
    document.title += "; " + children.map(({ shape }) => shape.y2 - shape.y1).map(Math.round) + " " + [heat(["a"]), heat(["a".repeat(20)]), heat([])].map(plot => plot.yAxis.nameGap + "/" + plot.grid.left); }'
look stepped 'sort=score&down=1' out stepped.html
look_at_plots constructor 'kind=constructor&x=toString&constructor=1' out

# --- a stranger's sweep ---
cat >hostile.lua <<'LUA'
local p = params{ seed = 1, title = "x;touch${IFS}pwned;#" }
local run = "<img src=x onerror=\"document.body.append('RAN-'+'HERE')\">"
return { a = p.seed * 1.5, b = p.seed == 1 and 1 or run, c = run, x = esker.spectral{ size = 8, seed = 1 },
    constructor = 1, __proto__ = run, status = run, key = run, Seed = -p.seed }
LUA
esker sweep hostile.lua seed=1..3 -o hostile -q
hostile=$(awk -F, '$1 == 2 { print $NF }' hostile/table.csv)
and_then hostile lured.html 'if (chart) chart.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: 1 });
    const lure = document.createElement("div"); lure.id = "lure"; document.body.append(lure);
    lure.innerHTML = "<img src=x onerror=\"document.body.append(2-1 + \x27-RAN\x27)\">";'
look_at_plots lured "x=seed&y=result.Seed&sort=b&open=$hostile" hostile lured.html
look program 'where=%22%22.constructor.constructor(%22document.body.append(1%2B%27-RAN%27)%22)()' hostile
look known 'where=constructor+%3D%3D+1+and+result.Seed+%3C+-1' hostile
look endless "where=$(lua5.4 -e 'print("1" .. ("%2B1"):rep(20000))')" hostile
cp -r hostile renamed
sed -i 's/recipe\t.*/recipe\t--trust;<img src=x onerror=alert(1)>/' renamed/sweep.txt && esker sweep --merge -o renamed -q
look renamed "open=$hostile" renamed

# --- large pictures ---
echo 'local p = params{ seed = 1 }
local land = esker.spectral{ size = 641, seed = p.seed }
return { land = land, relief = land:relief{}, little = land:crop{ x = 0, y = 0, width = 64, height = 64 } }' >large.lua
esker sweep large.lua seed=1 -o large -q
look small 'picture=relief.png' large

# --- a large one ---
sed -i 's/land = land, relief = land:relief{}, //' recipe.lua
esker sweep recipe.lua seed=1..${RUNS:-100} talus=8,9 -o many -q --no-pictures
and_then many timed.html 'const begun = performance.now(); update(); document.title = "took " + (performance.now() - begun);'
look_at_plots many '' many timed.html

browse
at sorted
[ "$(keys)" = '5-16 4-16 5-8 2-16 4-8 3-8 1-16 2-8 1-8 3-16 ' ] && grep -q '10 of 10 runs' page
check "sorts, what has no value last" $?
grep -q 'src="runs/[0-9a-f]*/relief.png"' page && has_plot
check "shows pictures and a plot" $?
while read -r condition; do
    if esker table out --share "$condition" >report 2>message; then
        sed -n "s/^  .*: \([0-9]*\) of 9, .*/\1/p" report
    else
        echo bad
    fi
done <conditions >in-table
at counts
grep -q "<title>counts $(tr '\n' ' ' <in-table | sed 's/ $//')</title>" page && [ "$(grep -c '^[0-9]' in-table)" = 7 ]
check "conditions mean the same in the page as in esker table" $?
at filtered
grep -q '2 of 10 runs' page && [ "$(keys)" = '1-16 2-16 ' ]
check "a filter keeps the runs that meet it" $?
at dotted
[ "$(keys)" = '4-8 5-8 ' ]
check "names with dots and minuses are names" $?
at opened
grep -q '<dialog id="one"[^>]* open' page && grep -q "id=\"command\">esker recipe.lua 'note=&lt;/script&gt;' seed=2 talus=8<" page &&
    grep -q "src=\"runs/$key/land.png\"" page
check "opens a run with its pictures and command" $?
at clicked
grep -q '<dialog id="one"[^>]* open' page && grep -q 'seed=2 talus=16<' page
check "a click opens the card's run" $?
at table
[ "$(grep -o '<tr data-key' page | wc -l)" = 10 ] && grep -q '<th aria-sort="descending"><button class="plain">score' page &&
    [ "$(grep -o '<td class="number">[0-9]*</td>' page | head -4 | tr -d '\n')" = '<td class="number">5</td><td class="number">80</td><td class="number">4</td><td class="number">64</td>' ]
check "a table has the chosen columns, sorted" $?
at walked
grep -q 'seed=4 talus=16<' page && grep -q '<code>esker explore recipe.lua [^<]* seed=4 talus=16<' page && grep -q 'class="plain actual"' page
check "next goes to the next run; a picture is zoomed; the explorer opens it" $?
grep -q '<title>half 2.0543 12.706<' page # Student's t with 3 and 1 degrees of freedom: 3.18245 and 12.7062
check "intervals of means are Student's" $?
at stepped
grep -q '<title>third kind plain 2x2 3x2; kind odd 12x2 13x2; -[1-9][0-9]*,0,0 21/47,154/180,14/40<' page
check "arrow keys step on and on; means are over seeds, a line for each of what was varied besides, an interval at a point alone" $?
at table && has_plot && at constructor && has_plot && at plots && has_plot && grep -q '<title>plots \(parallel,heatmap,bar\|true,true,true\)<' page
check "draws the other plots" $?
grep -q 'no &lt;b&gt;land&lt;/b&gt; &amp; "here"' page
check "a failed run shows its message, as text" $?

at lured
grep -q 'id="lure"><img' page && ! grep -q 'RAN-HERE\|1-RAN' page
check "no script of a result's runs, nor one in the document" $?
! plots || grep -q '<span>[^<]*result.Seed -2[^<]*</span>' page
check "a tooltip shows text" $?
grep -q "id=\"command\">esker hostile.lua seed=2 'title=x;touch\${IFS}pwned;#'<" page
check "a command is quoted as a shell takes it" $?
grep -q '<td>result.status</td><td>&lt;img' page && grep -q '<td>status</td><td>done</td>' page &&
    [ "$(head -1 hostile/table.csv)" = seed,title,result.Seed,__proto__,a,b,c,constructor,result.key,result.status,status,seconds,memory_mb,message,key ]
check "no column takes the name of another" $?
at program
grep -q 'class="where bad"' page && grep -q '3 of 3 runs' page && ! grep -q '1-RAN' page
check "a filter is no program" $?
at known
grep -q '2 of 3 runs' page
check "names that JavaScript knows are columns like others" $?
at endless
grep -q 'class="where bad"' page && grep -q '3 of 3 runs' page && grep -q 'more than 1,000 words' page
check "a condition of 20,000 terms is refused" $?
at renamed
grep -q "id=\"command\">esker './--trust;&lt;img src=x onerror=alert(1)&gt;' seed=2" page && grep -q '<h1 id="title">--trust;&lt;img' page
check "a folder's recipe is no option and no HTML" $?

at small
[ "$(grep -o 'src="runs/[0-9a-f]*/relief~small.png"' page | wc -l)" = 1 ] && [ "$(ls large/runs/* | grep -c 'small')" = 2 ] &&
    [ "$(for file in large/runs/*/relief~small.png; do od -An -tu1 -j16 -N8 "$file"; done | tr -s ' \n' ' ')" = ' 0 0 0 214 0 0 0 214 ' ]
check "large pictures have thumbnails, made once" $?
at many
grep -q "$((2 * ${RUNS:-100})) of $((2 * ${RUNS:-100})) runs" page && grep -q '<title>took' page
check "$((2 * ${RUNS:-100})) runs load ($(grep -o 'took [0-9]*' page | head -1) ms here)" $?
echo "1..$count"
