#!/bin/sh
# The site of `make web` in Firefox (site-firefox.mjs), on a display in memory, where it finds WebGL. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${ESKER_BUILD:-build}
skip() {
    echo "1..0 # SKIP $1"
    exit
}
for tool in emcc clang node firefox-esr xvfb-run xauth; do
    command -v $tool >/dev/null || skip "no $tool (scripts/setup.sh web; firefox-esr, xvfb, xauth)"
done
make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
flock "$build/wasm.lock" make -s BUILD="$build" web >"$build/site.log" 2>&1 || {
    tail -5 "$build/site.log" | sed 's/^/# /'
    echo "1..1"
    echo "not ok 1 - make web"
    exit 1
}
exec node tests/long/site-firefox.mjs "$PWD/$build/esker" "$PWD/$build/web"
