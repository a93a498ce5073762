#!/bin/sh
# Every operation, tiling and landscape gives the same bytes as WebAssembly in node. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
ALL=1 exec sh tests/wasm.sh
