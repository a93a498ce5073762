#!/bin/sh
# The site that computes in a browser's tab (`make web`), in headless Chromium (site.mjs). Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/support/page.sh
build=${ESKER_BUILD:-build}
skip() {
    echo "1..0 # SKIP $1"
    exit
}
for tool in emcc clang; do
    command -v $tool >/dev/null || skip "no $tool (scripts/setup.sh web)"
done
make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
flock "$build/wasm.lock" make -s BUILD="$build" web >"$build/site.log" 2>&1 || {
    tail -5 "$build/site.log" | sed 's/^/# /'
    echo "1..1"
    echo "not ok 1 - make web"
    exit 1
}
test_page tests/long/site.mjs "$build/esker" "$PWD/$build/web"
