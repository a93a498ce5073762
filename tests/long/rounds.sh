#!/bin/sh
# The C tests, and those of eroded land, of river ends and of zooms, with many times the seeds and draws of `make check`, plain and under sanitizers. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
build=${ESKER_BUILD:-build}
export CMOCKA_MESSAGE_OUTPUT=tap MALLOC_PERTURB_=165
reason() { grep -A5 '^not ok\|ERROR' "$build/rounds.log" | head -20; }
for folder in "$build" "$build/sanitized"; do
    for test in $(find "$folder/tests" -name 'test_*' -type f | sort); do
        ESKER_TIMES=16 "$test" >"$build/rounds.log" 2>&1
        check "${test#"$build"/}" $?
    done
done
for test in land zooms river_ends; do
    LUA_CPATH="$build/?.so;;" LUA_PATH="tests/?.lua;;" ESKER_TIMES=16 lua5.4 tests/lua/test_$test.lua >"$build/rounds.log" 2>&1
    check tests/lua/test_$test.lua $?
done
echo "1..$count"
