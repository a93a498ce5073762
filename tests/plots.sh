#!/bin/sh
# What the pages are built with comes from outside: the build does without, and gets it when it can. Prints TAP.
set -u
. "$(dirname "$0")/support/tap.sh"
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { tail -5 "$scratch/log"; }
embed() { # what of the program depends on the library
    PATH=$scratch/bin:$PATH make -s BUILD="$scratch/build" vendor="$scratch/vendor" "$scratch/build/embedded.c" >"$scratch/log" 2>&1
}
page() {
    sed 's/^return/io.write(/; $s/$/)/' "$scratch/build/pages/esker/gallery_page.lua" | "${LUA:-lua5.4}" -
}
mkdir "$scratch/bin"
printf '#!/bin/sh\necho no network >&2\nexit 1\n' >"$scratch/bin/npm"
chmod +x "$scratch/bin/npm"
embed && grep -q 'galleries will have no plots, and esker explore no page: npm could not fetch them (no network)' "$scratch/log" && [ -s "$scratch/build/embedded.c" ]
check "the build goes on without a network, and says what is missing" $?
[ "$(page | grep -o "'sha256-" | wc -l)" = 4 ] && [ "$(cat "$scratch/build/pages/esker/explorer_page.lua" | tr -d '\n')" = 'return {}' ] && page | grep -q '>DATA<' && ! page | grep -q 'src='
check "the gallery is whole without plots, the explorer empty" $?
before=$(stat -c %y "$scratch/build/embedded.c")
embed
[ "$(stat -c %y "$scratch/build/embedded.c")" = "$before" ]
check "and is not built again for nothing" $?
for tool in sh dirname mktemp rm; do
    mkdir -p "$scratch/few" && ln -s "$(command -v $tool)" "$scratch/few/$tool"
done
PATH=$scratch/few scripts/vendor.sh "$scratch/none" 2>"$scratch/log" && grep -q 'npm, which fetches them, is not installed' "$scratch/log" &&
    [ ! -e "$scratch/none" ]
check "without npm, too" $?
cat >"$scratch/bin/npm" <<'SH'
#!/bin/sh
[ "$1 $2" = "ci --ignore-scripts" ] && grep -q '"integrity": "sha512-' package-lock.json || exit 1
mkdir -p node_modules/echarts/dist && echo 'window.echarts = "drawn";' >node_modules/echarts/dist/echarts.min.js
touch node_modules/echarts/dist/echarts.js node_modules/echarts/LICENSE node_modules/echarts/NOTICE
mkdir -p node_modules/.bin node_modules/twgl.js && touch node_modules/twgl.js/LICENSE.md
printf '#!/bin/sh\nfor word; do case $word in --outfile=*) echo "// bundled" >"${word#*=}";; esac; done\n' >node_modules/.bin/esbuild
chmod +x node_modules/.bin/esbuild
SH
embed && page | grep -q '^window.echarts = "drawn";$' && [ "$(page | grep -o "'sha256-" | wc -l)" = 5 ] &&
    grep -q '^    \["twgl.min.js"\] = "// bundled' "$scratch/build/pages/esker/explorer_page.lua"
check "the next make gets it" $?
page | "${LUA:-lua5.4}" -e 'io.write(io.read("a"):match("<script>(\nwindow.echarts.-)</script>"))' | sha256sum | cut -c1-64 |
    "${LUA:-lua5.4}" -e 'io.write((io.read():gsub("..", function(byte) return string.char(tonumber(byte, 16)) end)))' |
    base64 -w 0 >"$scratch/log"
page | grep -qF "'sha256-$(cat "$scratch/log")'"
check "the page's policy has its hash" $?
! grep -q '"resolved"' src/web/package-lock.json && [ "$(grep -c '"integrity"' src/web/package-lock.json)" = "$(grep -c '"version"' src/web/package-lock.json)" ] &&
    ! git grep -nIE 'https?://[a-z.-]*(registry|npm)[a-z.-]*' -- . >"$scratch/log"
check "no file names a registry, and every package has its hash" $?
echo "1..$count"
