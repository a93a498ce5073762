#!/bin/sh
# Memory, fields and what comes from other processes on 32 bits, as WebAssembly under sanitizers in node (`make narrow`); all
# of Esker there is wasm.sh's. Needs what `scripts/setup.sh web` installs, and Debian's sources of some libraries
# (scripts/sources.sh). Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
. tests/support/wasm.sh

make -s BUILD="$build" narrow >"$log" 2>&1
check "memory and fields compile for 32 bits, with sanitizers" $?
for name in memory field; do
    run "$build/32-bits/tests/core/test_$name.js" >"$log" 2>&1
    check "on 32 bits under sanitizers: tests/core/test_$name.c" $?
done
echo "1..$count"
