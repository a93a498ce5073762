#!/bin/sh
# Same seed, same bytes: builds by gcc and clang, optimised and less so, for processors with FMA and without, agree on a
# sample of the operations. tests/long/same-bytes.sh has forty more, and all operations. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
main=${ESKER_BUILD:-build}
reason() { head -20 "$main/differences" | cut -c1-160; }
export LUA_CPATH="$main/?.so;;" LUA_PATH="tests/?.lua;;"
# One operation in eleven: with sanitizers they take ten times as long. tests/base/test_threads.c has threads.
lua5.4 -e "require('fingerprint').print_all(1, 11)" >"$main/fingerprint" 2>&1 && [ "$(wc -l <"$main/fingerprint")" -ge 20 ]
check "operations have a fingerprint" $?
make -s BUILD="$main" sanitized >"$main/differences" 2>&1 &&
    "$main/sanitized/tests/program/lua" "require('fingerprint').print_all(2, 11)" >"$main/part" 2>&1 &&
    diff "$main/fingerprint" "$main/part" >"$main/differences"
check "the build by clang, for FMA, with sanitizers and on two threads gives the same bytes" $?
echo "1..$count"
