#!/bin/sh
# The tests of files, memory and every operation, and a recipe, under valgrind. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
if ! command -v valgrind >/dev/null; then
    echo "1..0 # SKIP no valgrind"
    exit
fi
build=${ESKER_BUILD:-build}/valgrind
# Plain kernels: valgrind knows no AVX-512.
make -s -j2 BUILD="$build" OPTIMISE=-O1 SANITIZE=-fno-omit-frame-pointer all tests >"$build.log" 2>&1
count=0
check() { # WHAT COMMAND …
    what=$1
    count=$((count + 1))
    shift
    if valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite "$@" >"$build.log" 2>&1 </dev/null &&
        ! grep -qE '^==[0-9]+== (Invalid|.*uninitialised)' "$build.log"; then # of a process that was forked the status may be lost
        echo "ok $count - $what"
    else
        echo "not ok $count - $what"
        grep -E '==|not ok|FAILED' "$build.log" | head -20 | sed 's/^/# /'
    fi
}
for test in core/test_memory core/test_operation core/test_parallel file/test_files file/test_readers file/test_png mesh/test_mesh \
    rivers/test_network; do
    check $test "$build/tests/$test"
done
# Trusted: valgrind makes code while it runs, which a confined process may not.
check "a recipe" "$build/esker" tests/program/everything.lua -o "$build.out" --hash -q --trust
# What passes between a recipe's process and the one that started it, while the collector runs.
rm -rf "$build.out" && mkdir "$build.out"
cat >"$build.out/garbage.lua" <<'X'
for i = 1, 2e5 do local _ = { i } end
local p = params{ seed = 1 }
for i = 1, 2e5 do local _ = { i } end
return { n = p.seed, land = esker.spectral{ size = 64, seed = p.seed } }
X
check "a session's recipe" "$build/esker" "$build.out/garbage.lua" -i --graphics=none --trust -q -o "$build.out"
check "a sweep" "$build/esker" sweep "$build.out/garbage.lua" seed=1..2 --trust -q -o "$build.out/swept"
echo "1..$count"
