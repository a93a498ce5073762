# A page that computes in the reader's browser: the files of a site with one recipe.
run() {
    status=0
    esker explore --static "$@" || status=$?
    echo "exit $status" >&2
}
mkdir -p site/recipes
for name in index.html start.js esker.wasm recipes/land.lua; do echo site >site/$name; done
echo 'return { land = noise{ size = 8 } }' >'my <hills>.lua'
run --site site 'my <hills>.lua'
echo 'the page' >site/explore.html
printf '%s\n' 'const kept = "esker 0.1.0-abc" + place;' 'const files = ["index.html", "start.js"];' >site/service.js
run --site site 'my <hills>.lua' --seed 7 'name=a "b"&c' -o out/page
(cd out/page && find . -type f | sort)
cat out/page/index.html out/page/service.js out/page/recipes/*
mkdir -p mine && echo mine >mine/esker.wasm && run --site site 'my <hills>.lua' -o mine
cat mine/*
echo 'require "other" return {}' >two.lua
run --site site two.lua
run --site site --levels 0..2 two.lua
esker explore --site site -o two two.lua || echo "exit $?" >&2
esker explore --levels 0..2 two.lua || echo "exit $?" >&2
# A gallery whose runs open there.
echo 'local p = params{ seed = 1, name = "a b" } return { n = p.seed }' >runs.lua
esker sweep runs.lua seed=2,3 name='ö&"' --site site -o runs -q
(cd runs && find page -type f | sort)
grep -o '"addresses":\[[^]]*\]' runs/index.html
esker sweep --merge -o runs -q && grep -c 'page/explore.html#example=runs' runs/index.html
echo 'return 1' >other.lua
echo 'local p = params{ seed = 1 } return { n = require "other" }' >two.lua
esker sweep two.lua seed=1 --site site -o none || echo "exit $?" >&2
[ ! -e none ]
esker sweep --merge --site site -o runs || echo "exit $?" >&2
