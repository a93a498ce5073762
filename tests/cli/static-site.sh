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
echo 'require "other" return {}' >two.lua
run --site site two.lua
run --site site --levels 0..2 two.lua
esker explore --site site two.lua || echo "exit $?" >&2
