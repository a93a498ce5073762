#!/bin/sh
# The calls of tests/fingerprint.lua in other languages: Python, JavaScript in node, and JavaScript in Chromium make the same
# bytes (tests/calls.lua). Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
build=$(cd "${ESKER_BUILD:-build}" && pwd)
vendor=$PWD/build/vendor
tests=$PWD/tests
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
reason() { tail -12 "$log" | cut -c1-200; }
mkdir -p "$scratch/host"
LUA_CPATH="$build/?.so;;" LUA_PATH="tests/?.lua;;" lua5.4 - >"$scratch/host/calls.json" 2>"$log" <<'LUA'
local calls, print_to = require "calls", print
calls.listen()
print = function() end
local fingerprint = require "fingerprint"
fingerprint.print_all(2)
fingerprint.print_windows()
print_to(calls.json())
LUA
[ "$(grep -o '"hash":' "$scratch/host/calls.json" | wc -l)" -ge 300 ]
check "there are $(grep -o '"hash":' "$scratch/host/calls.json" | wc -l) hashes of $(grep -o '"op":' "$scratch/host/calls.json" | wc -l) calls" $?
same() { # WHAT COMMAND...
    what=$1
    shift
    "$@" >"$log" 2>&1 && grep -q '^ok 1' "$log"
    check "$what: $(sed -n 's/^.*ok 1 - //p' "$log")" $?
}
if /usr/bin/python3 -c 'import setuptools, numpy, pip, wheel' 2>/dev/null && make -s BUILD="$build" wheel >"$log" 2>&1; then
    same Python env PYTHONPATH="$build/python" /usr/bin/python3 "$tests/support/same_calls.py" "$scratch/host/calls.json"
else
    check "Python # SKIP the wheel cannot be made" 0
fi
if command -v emcc >/dev/null && command -v node >/dev/null && make -s build/sources/fetched >/dev/null 2>&1; then
    flock "$build/wasm.lock" make -s BUILD="$build" npm >"$log" 2>&1
    mkdir -p "$scratch/node_modules" && cp -r "$build/npm" "$scratch/node_modules/esker" && cp -r "$build/npm" "$scratch/host/esker"
    (cd "$scratch" && same "JavaScript in node" node "$tests/support/same_calls.mjs" host/calls.json)
    count=$((count + 1))
    echo '<!doctype html><title>calls</title>' >"$scratch/host/index.html"
    cp "$tests/support/same_calls.mjs" "$scratch/host"
    if command -v chromium >/dev/null && [ -d "$vendor/playwright-core" ]; then
        same "JavaScript in Chromium" node "$tests/support/same_calls_page.mjs" "$vendor/playwright-core/index.mjs" "$scratch/host"
    else
        check "Chromium # SKIP no chromium or playwright-core" 0
    fi
else
    check "JavaScript # SKIP no emcc (scripts/setup.sh web)" 0
fi
echo "1..$count"
