#!/bin/sh
# Every example draws the same (tests/golden.txt) and every operation, tiling and landscape (tests/fingerprint.lua) with every
# compiler, level of optimisation, instruction set and number of threads: 40 builds. Prints TAP.
# FAST=1: only this build, on several numbers of threads and emulated processors.
cd "$(dirname "$0")/../.." || exit 1
build=${ESKER_BUILD:-build}/same
levels="x86-64 x86-64-v2 x86-64-v3 x86-64-v4"
grep -q avx512vl /proc/cpuinfo || levels="x86-64 x86-64-v2 x86-64-v3"
grep -q fma /proc/cpuinfo || levels="x86-64"
[ "$(uname -m)" = x86_64 ] || levels=
count=0

fingerprint() { # FOLDER [EMULATOR …]
    module="$1/?.so;;"
    shift
    LUA_CPATH=$module LUA_PATH="tests/?.lua;;" "$@" "$(command -v lua5.4)" -e "require('fingerprint').print_all(${GOLDEN_THREADS:-2}) require('fingerprint').print_windows()"
}
fingerprint "${ESKER_BUILD:-build}" >"$build.fingerprint"

golden() { # WHAT FOLDER
    count=$((count + 1))
    if sh tests/golden.sh >"$build.log" 2>&1 && ! grep -q '^not ok' "$build.log" &&
        fingerprint "$2" 2>&1 | diff "$build.fingerprint" - >>"$build.log"; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        grep -A3 '^not ok\|^[0-9,]*[acd][0-9,]*$' "$build.log" | head -12 | sed 's/^/# /'
    fi
}

for threads in 1 2 3 7 32; do
    GOLDEN_THREADS=$threads golden "$threads threads" "${ESKER_BUILD:-build}"
done
# A build has kernels for several instruction sets: an older processor takes others (SSE2, AVX2).
for processor in ${levels:+Nehalem Haswell}; do
    command -v qemu-x86_64 >/dev/null || break
    count=$((count + 1))
    if fingerprint "${ESKER_BUILD:-build}" qemu-x86_64 -cpu "$processor" 2>/dev/null | diff "$build.fingerprint" - >"$build.log"; then
        echo "ok $count - kernels of $processor"
    else
        echo "not ok $count - kernels of $processor"
        head -12 "$build.log" | sed 's/^/# /'
    fi
done
compilers="gcc clang"
[ -z "$FAST" ] || compilers=
for compiler in $compilers; do
    for optimise in -O0 -O1 -O2 -O3; do
        for level in widest $levels; do
            folder=$build/$compiler$optimise-$level
            # Plain kernels are those of the level; otherwise the program chooses the widest that the processor has.
            plain= flags=
            [ $level = widest ] || { plain=-fno-omit-frame-pointer flags=-march=$level; }
            CFLAGS=$flags make -s -j2 BUILD="$folder" CC=$compiler OPTIMISE=$optimise SANITIZE="$plain" LIBEDIT=no CHAFA=no \
                SQLITE=no CAIRO=no OPENEXR=no "$folder/esker" "$folder/esker.so" >"$build.log" 2>&1
            GOLDEN_PROGRAM=$folder/esker golden "$compiler $optimise $level" "$folder"
            rm -rf "$folder"
        done
    done
done
echo "1..$count"
