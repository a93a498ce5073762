#!/bin/sh
# Same seed, same bytes: builds by gcc and clang, optimised and not, for processors with FMA and without, and any number
# of threads, agree on every operation. tests/long/same-bytes.sh has forty more. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
main=${ESKER_BUILD:-build}
reason() { head -20 "$main/differences"; }
print_all() { # FOLDER of the build, number of threads
    LUA_CPATH="$1/?.so;;" LUA_PATH="tests/?.lua;;" lua5.4 -e "require('fingerprint').print_all($2)"
}
agrees() { print_all "$@" 2>&1 | diff "$main/fingerprint" - >"$main/differences" 2>&1; }
print_all "$main" 1 >"$main/fingerprint" && [ "$(wc -l <"$main/fingerprint")" -gt 100 ]
check "the fingerprint covers every operation" $?
agrees "$main" 7
check "seven threads give the same bytes" $?
for variant in plain fused; do
    make -s BUILD="$main" $variant >"$main/differences" 2>&1 && agrees "$main/$variant" 2
    check "the build '$variant' gives the same bytes" $?
done
echo "1..$count"
