#!/bin/sh
# Esker as WebAssembly, which has 32 bits, in node (`make wasm`): every operation, tiling and landscape gives the same bytes.
# Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
. tests/support/wasm.sh

flock "$build/wasm.lock" make -s BUILD="$build" wasm >"$log" 2>&1 # site.sh and npm.sh make the same objects
check "the engine and Lua's binding compile as WebAssembly" $?
chunk="package.path = 'tests/?.lua' local fingerprint = require('fingerprint')"
wasm() { run "$build/wasm/lua.js" "$chunk $1"; }
same() { # CODE: prints the same here and in node
    LUA_CPATH="$build/?.so;;" lua5.4 -e "$chunk $1" >"$build/wasm.expected" 2>&1
    wasm "$1" 2>&1 | diff "$build/wasm.expected" - >"$log" && [ -s "$build/wasm.expected" ]
}
same "fingerprint.print_all(1)"
check "every operation gives the same bytes" $?
same "fingerprint.print_windows()"
check "every tiling and landscape gives the same bytes at every zoom" $?
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
