#!/bin/sh
# The package for JavaScript (make npm), unpacked into a fresh folder: what tests/support/npm_package.mjs tries there, the
# programs and the page of docs/javascript.md, and the types, by tsc. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
skip() {
    echo "1..0 # SKIP $1"
    exit
}
for tool in emcc clang node npm; do
    command -v $tool >/dev/null || skip "no $tool (scripts/setup.sh web)"
done
make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
build=$(cd "${ESKER_BUILD:-build}" && pwd)
vendor=$PWD/build/vendor
tests=$PWD/tests
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { tail -12 "$scratch/log"; }
flock "$build/wasm.lock" make -s BUILD="$build" npm >"$scratch/log" 2>&1 # tests/long/wasm.sh and site.sh make the same objects
check "make npm" $?
mkdir -p "$scratch/node_modules/esker"
tar -x -z -f "$(ls "$build"/esker-*.tgz)" --strip-components=1 -C "$scratch/node_modules/esker" 2>"$scratch/log" &&
    ls "$scratch/node_modules/esker" >"$scratch/log" &&
    [ "$(tr '\n' ' ' <"$scratch/log")" = "LICENSE README.md esker.wasm index.d.ts index.mjs module.mjs package.json recipe.mjs values.mjs " ]
check "it holds what it needs, and no more" $?
awk -v folder="$scratch" '/^```/ { file = "" }
    file { print >file }
    /^```(js|html)$/ { getline; file = folder "/" $2; sub(":$", "", file); print >file }' docs/javascript.md
cd "$scratch" || exit 1
node "$tests/support/npm_package.mjs" "$build/esker" >tried 2>log
check "the tests of the package run to their end" $?
while read -r word number rest; do
    case $word in
    ok | not)
        [ "$word" = ok ]
        check "${rest#- }" $?
        ;;
    '#') echo "# $number $rest" ;;
    esac
done <<TRIED
$(sed 's/^not ok/not/' tried)
TRIED
node first.mjs >log 2>&1 && [ "$(head -c 4 land.png | tail -c 3)" = PNG ]
check "docs/javascript.md: first.mjs writes a picture" $?
node files.mjs >log 2>&1 && [ "$(head -c 4 hills.glb)" = glTF ]
check "and files.mjs a model" $?
node recipe.mjs >log 2>&1 && grep -q '128 0\.' log && grep -q 'line 2' log
check "and recipe.mjs runs a recipe" $?
if [ -x "$vendor/esbuild" ]; then
    "$vendor/esbuild" first.mjs --bundle --minify --platform=node --format=esm --outfile=bundled/first.mjs --log-level=warning >log 2>&1 &&
        [ ! -s log ] && cp node_modules/esker/esker.wasm bundled && rm land.png &&
        (cd bundled && node first.mjs >../log 2>&1 && [ "$(head -c 4 land.png | tail -c 3)" = PNG ])
    check "esbuild bundles it for node" $?
else
    check "a bundle # SKIP npm did not bring esbuild" 0
fi
if [ -d "$vendor/typescript" ]; then
    cp "$tests/support/npm_types.mts" . && node "$vendor/typescript/lib/tsc.js" --noEmit --strict --target es2022 --lib es2022,dom \
        --module nodenext --exactOptionalPropertyTypes npm_types.mts >log 2>&1
    check "tsc knows the types, and finds wrong ones" $?
else
    check "types # SKIP npm did not bring typescript" 0
fi
if command -v chromium >/dev/null && [ -d "$vendor/playwright-core" ]; then
    mkdir host && cp page.html host/index.html && cp -r node_modules/esker host/esker
    node "$tests/support/npm_page.mjs" "$vendor/playwright-core/index.mjs" host >log 2>&1
    check "the page draws, and looks closer where it is clicked" $?
    mkdir app # what bundlers take: the page's script in a file of its own
    sed -n '/<script type="module">/,/<.script>/p' page.html | sed '1d;$d;s|"./esker/index.mjs"|"esker"|' >app/page.mjs
    awk '/<script/ { print "<script type=\"module\" src=\"page.mjs\"></script>"; hidden = 1 } !hidden
        /<\/script>/ { hidden = 0 }' page.html >app/index.html
    draws() { node "$tests/support/npm_page.mjs" "$vendor/playwright-core/index.mjs" "$1" >log 2>&1; }
    laid() { mkdir -p "$1" && sed 's/page.mjs/page.js/' app/index.html >"$1/index.html"; } # beside a bundle
    if [ -x "$vendor/esbuild" ]; then
        laid bundle && cp node_modules/esker/esker.wasm bundle && "$vendor/esbuild" app/page.mjs --bundle --minify --format=esm \
            --log-level=warning --outfile=bundle/page.js >log 2>&1 && [ ! -s log ] && draws bundle
        check "and the same where esbuild has bundled it" $?
    fi
    # In a folder beside, where npm does not look at the package's own.
    if mkdir bundlers && npm install --prefix bundlers --silent --no-audit --no-fund vite@5.4.21 webpack@5.113.0 webpack-cli@5.1.4 \
        >log 2>&1; then
        bundlers/node_modules/.bin/webpack --mode production --entry ./app/page.mjs --output-path "$PWD/webpack" --output-filename page.js \
            >log 2>&1 && laid webpack && draws webpack
        check "where webpack has, which finds the module by itself" $?
        bundlers/node_modules/.bin/vite build app --outDir ../vite --base ./ --target es2022 --logLevel warn >log 2>&1 && draws vite
        check "and where Vite has" $?
    else
        check "webpack and Vite # SKIP npm could not fetch them" 0
    fi
else
    check "the page # SKIP no chromium or playwright-core" 0
fi
echo "1..$count"
