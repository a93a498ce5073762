#!/bin/sh
# Same seed, same bytes: builds by gcc and clang, optimised and less so, for processors with FMA and without, and any
# number of threads, agree on a sample of the operations. tests/long/same-bytes.sh has forty more. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
main=${ESKER_BUILD:-build}
reason() { head -20 "$main/differences" | cut -c1-160; }
export LUA_CPATH="$main/?.so;;" LUA_PATH="tests/?.lua;;"
agrees() { # FILE: its lines are some of the fingerprint, and more than twenty
    [ "$(wc -l <"$1")" -gt 20 ] && ! grep -vxFf "$main/fingerprint" "$1" >"$main/differences"
}
lua5.4 -e "require('fingerprint').print_all(1)" >"$main/fingerprint" && [ "$(wc -l <"$main/fingerprint")" -gt 100 ]
check "the fingerprint covers every operation" $?
# tests/base/test_threads.c has all of them.
lua5.4 -e "require('fingerprint').print_all(7, 4)" >"$main/part" 2>&1 && agrees "$main/part"
check "seven threads give the same bytes" $?
# It takes ten times as long.
make -s BUILD="$main" sanitized >"$main/differences" 2>&1 &&
    "$main/sanitized/tests/program/lua" "require('fingerprint').print_all(2, 6)" >"$main/part" 2>&1 && agrees "$main/part"
check "the build by clang, for FMA and with sanitizers, gives the same bytes" $?
echo "1..$count"
