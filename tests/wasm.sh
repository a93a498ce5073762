#!/bin/sh
# Same seed, same bytes: a sample of the operations in node, as WebAssembly. Only where `make wasm` was made, which takes
# minutes and emscripten; tests/long/wasm.sh has all. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
if [ ! -e "${ESKER_BUILD:-build}/wasm/lua.js" ]; then
    echo "1..0 # SKIP no ${ESKER_BUILD:-build}/wasm/lua.js (make wasm)"
    exit
fi
. tests/support/wasm.sh # gets the libraries' sources where they are not there
flock "$build/wasm.lock" make -s BUILD="$build" wasm >"$log" 2>&1
check "the engine and Lua's binding compile as WebAssembly" $?
chunk="package.path = 'tests/?.lua' require('fingerprint').print_all(1, 9)"
LUA_CPATH="$build/?.so;;" lua5.4 -e "$chunk" >"$build/wasm.sample" 2>&1
run "$build/wasm/lua.js" "$chunk" 2>&1 | diff "$build/wasm.sample" - >"$log" && [ "$(wc -l <"$build/wasm.sample")" -gt 20 ]
check "one operation in nine gives the same bytes" $?
echo "1..$count"
