#!/bin/sh
# Every operation, with each of its choices and on many threads, and several callers of one ground, under ThreadSanitizer:
# no two threads meet. With ESKER_TIMES below 4 test_ground leaves several callers out; with 10 several threads call a
# ground oddly for 9 s of processor time. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
echo "1..1"
build=${ESKER_BUILD:-build}
if make -s BUILD="$build" races >"$build/races.log" 2>&1 && "$build/races/tests/base/test_threads" >"$build/races.log" 2>&1 &&
    "$build/races/tests/base/test_bands" >"$build/races.log" 2>&1 &&
    ESKER_TIMES=10 "$build/races/tests/library/test_ground_attacks" >"$build/races.log" 2>&1 &&
    ESKER_TIMES=4 "$build/races/tests/library/test_ground" >"$build/races.log" 2>&1; then
    echo "ok 1 - no races"
else
    echo "not ok 1 - races"
    grep -A20 'WARNING\|ERROR\|error' "$build/races.log" | head -40 | sed 's/^/# /'
fi
