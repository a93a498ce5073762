#!/bin/sh
# Same seed, same bytes: builds by gcc and clang, optimised and less so, for processors with FMA and without, and any
# number of threads, agree on every operation. tests/long/same-bytes.sh has forty more. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
main=${ESKER_BUILD:-build}
reason() { head -20 "$main/differences" | cut -c1-160; }
export LUA_CPATH="$main/?.so;;" LUA_PATH="tests/?.lua;;"
agrees() { # COMMAND THREADS: what the command prints is the fingerprint
    ${1} "require('fingerprint').print_all($2)" 2>&1 | diff "$main/fingerprint" - >"$main/differences" 2>&1
}
lua5.4 -e "require('fingerprint').print_all(1)" >"$main/fingerprint" && [ "$(wc -l <"$main/fingerprint")" -gt 100 ]
check "the fingerprint covers every operation" $?
agrees 'lua5.4 -e' 7
check "seven threads give the same bytes" $?
# It takes ten times as long: every third operation.
make -s BUILD="$main" sanitized >"$main/differences" 2>&1 &&
    "$main/sanitized/tests/program/lua" "require('fingerprint').print_all(2, 3)" >"$main/third" 2>&1 &&
    [ "$(wc -l <"$main/third")" -gt 40 ] && ! grep -vxFf "$main/fingerprint" "$main/third" >"$main/differences"
check "the build by clang, for FMA and with sanitizers, gives the same bytes" $?
echo "1..$count"
