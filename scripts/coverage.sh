#!/bin/sh
# Line and branch coverage of the tests: `scripts/coverage.sh` prints what is below, and fails below the floors, which
# only rise. Tests run on a build of clang's whose counters lie in a file that all processes share, confined and killed
# ones too. With -v every file is printed.
set -eu
cd "$(dirname "$0")/.."
build=${ESKER_BUILD:-build}/coverage
branches_floor=92 lines_floor=97
# What guards: every branch of it. A kernel that lacks some of it leaves the rest to others.
guards='file/ cli/sandbox.c'

make -s BUILD="$build" CC=clang OPTIMISE=-O1 LDFLAGS= \
    SANITIZE='-fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation -w' all tests >"$build.log" 2>&1 ||
    { tail -20 "$build.log"; exit 1; }
echo 'return { n = 1 }' >"$build/plain.lua"
if "$build/esker" "$build/plain.lua" 2>&1 | grep 'Landlock\|seccomp'; then
    guards='file/'
fi
rm -rf "$build/profiles"
mkdir -p "$build/profiles"
programs=$(find "$build/tests" -name 'test_*' -type f -perm -u+x)
export ESKER_BUILD="$build" CMOCKA_MESSAGE_OUTPUT=tap
export LUA_CPATH="$PWD/$build/?.so;;" LUA_PATH="$PWD/tests/?.lua;;"
# shellcheck disable=SC2086
ATTACKS='[ef]*' LLVM_PROFILE_FILE=$PWD/$build/profiles/%m%c.profraw prove -Q -j2 --exec scripts/run-test.sh $programs \
    tests/lua/test_*.lua tests/cli.sh tests/interrupt.sh tests/sweep.sh tests/session.sh tests/attacks.sh tests/faults.sh tests/golden.sh

version=$(clang --version | sed -n 's/.*version \([0-9]*\).*/\1/p;q')
tool() { if command -v "llvm-$1-$version" >/dev/null; then echo "llvm-$1-$version"; else echo "llvm-$1"; fi; }
"$(tool profdata)" merge -o "$build/profile" "$build"/profiles/*.profraw
objects=$(for program in $programs; do echo "-object $program"; done)
# shellcheck disable=SC2086
"$(tool cov)" report "$build/esker" -object "$build/esker.so" $objects -instr-profile="$build/profile" \
    --show-branch-summary src/ >"$build/report"

awk -v verbose="${1:-}" -v guards="$guards" -v branches_floor=$branches_floor -v lines_floor=$lines_floor '
    NF == 13 && $1 != "Filename" {
        guarded = 0
        count = split(guards, guard, " ")
        for (i = 1; i <= count; i++)
            guarded = guarded || index($1, guard[i]) == 1
        if ($1 == "TOTAL") { lines = $10; branches = $13 }
        else if (verbose || (guarded && $12 > 0)) printf "%-36s %5d branches, %4d missed\n", $1, $11, $12
        missed += guarded && $1 != "TOTAL" ? $12 : 0
    }
    END {
        printf "lines %s, branches %s; in sandbox and files %d branches missed\n", lines, branches, missed
        exit !(lines + 0 >= lines_floor && branches + 0 >= branches_floor && missed == 0)
    }' "$build/report"
