#!/bin/sh
# Esker as WebAssembly, which has 32 bits, in node (`make wasm`, `make narrow`). Needs what `scripts/setup.sh web` installs,
# and Debian's sources of some libraries (scripts/sources.sh). Prints TAP.
# ALL=1: the whole fingerprint, not a sample of it.
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
build=${ESKER_BUILD:-build}
skip() {
    echo "1..0 # SKIP $1"
    exit
}
for tool in emcc clang node; do
    command -v $tool >/dev/null || skip "no $tool (scripts/setup.sh web)"
done
make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
log=$build/wasm.log
reason() { tail -20 "$log" | cut -c1-160; }
run() { node --no-experimental-fetch "$@"; } # emscripten takes node for a browser if it has fetch

make -s BUILD="$build" narrow >"$log" 2>&1
check "memory and fields compile for 32 bits, with sanitizers" $?
for name in memory field; do
    run "$build/32-bits/tests/core/test_$name.js" >"$log" 2>&1
    check "on 32 bits under sanitizers: tests/core/test_$name.c" $?
done

flock "$build/wasm.lock" make -s BUILD="$build" wasm >"$log" 2>&1 # tests/site.sh makes the same objects
check "the engine and Lua's binding compile as WebAssembly" $?
chunk="package.path = 'tests/?.lua' local fingerprint = require('fingerprint')"
wasm() { run "$build/wasm/lua.js" "$chunk $1"; }
same() { # CODE: prints the same here and in node
    LUA_CPATH="$build/?.so;;" lua5.4 -e "$chunk $1" >"$build/wasm.expected" 2>&1
    wasm "$1" 2>&1 | diff "$build/wasm.expected" - >"$log" && [ -s "$build/wasm.expected" ]
}
if [ -n "${ALL:-}" ]; then
    same "fingerprint.print_all(1)"
    check "every operation gives the same bytes" $?
    same "fingerprint.print_windows()"
    check "every tiling and landscape gives the same bytes at every zoom" $?
else
    same "fingerprint.print_all(1, 12)"
    check "one operation in twelve gives the same bytes" $?
    same "fingerprint.print_windows(4)"
    check "one map in four gives the same bytes at every zoom" $?
fi
# The product of these sides is 0 on 32 bits.
wasm "local esker = require('esker')
local small, map = esker.noise{ size = 8 }, esker.river_map{ land = 'eroded' }
local makers = { resize = { small }, render = { map } }
for _, name in ipairs{ 'noise', 'shape', 'diamond_square', 'spectral', 'voronoi', 'resize', 'render' } do
    local arguments = makers[name] or {}
    arguments[#arguments + 1] = { width = 65536, height = 65536 }
    print(name, pcall(esker[name], table.unpack(arguments)))
end" >"$log" 2>&1 && [ "$(grep -c 'false.*not enough memory: 65536 × 65536' "$log")" = 7 ]
check "sides of 65,536 are refused" $?
echo "1..$count"
