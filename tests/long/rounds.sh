#!/bin/sh
# The C tests, plain and under sanitizers, and the tests in Lua that leave tests or seeds out of `make check`
# (tests/long_tests.lua, tests/tries.lua), with many times the seeds and draws, or all of them. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
build=${ESKER_BUILD:-build}
export CMOCKA_MESSAGE_OUTPUT=tap MALLOC_PERTURB_=165
reason() { grep -A5 '^not ok\|ERROR' "$build/rounds.log" | head -20; }
make -s BUILD="$build" tests sanitized-tests >"$build/rounds.log" 2>&1
check "all C tests compile, plain and with sanitizers" $?
for folder in "$build" "$build/sanitized"; do
    for test in $(find "$folder/tests" -name "test_*" ! -name "*.*" -type f | sort); do
        ESKER_TIMES=16 "$test" >"$build/rounds.log" 2>&1
        check "${test#"$build"/}" $?
    done
done
for test in $(grep -l 'ESKER_TIMES\|"long_tests"\|"tries"' tests/lua/test_*.lua); do
    LUA_CPATH="$build/?.so;;" LUA_PATH="tests/?.lua;;" ESKER_TIMES=16 lua5.4 "$test" >"$build/rounds.log" 2>&1
    check "$test" $?
done
for test in explorer explorer-edits; do # in more small windows, and with more tiles
    ESKER_TIMES=16 sh tests/$test.sh >"$build/rounds.log" 2>&1 && ! grep -q '^not ok' "$build/rounds.log"
    check "tests/$test.sh" $?
done
echo "1..$count"
