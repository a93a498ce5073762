#!/bin/sh
# Every example draws the same on another kind of processor (tests/golden.txt), by qemu. Needs what
# `scripts/setup.sh long` installs. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
build=${ESKER_BUILD:-build}/aarch64
if ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    echo "1..0 # SKIP no qemu-aarch64 or no aarch64-linux-gnu-gcc"
    exit
fi
if ! make -s -j2 BUILD="$build" CC=aarch64-linux-gnu-gcc LIBEDIT=no CHAFA=no SQLITE=no CAIRO=no OPENEXR=no SECCOMP=no \
    LDFLAGS=-L/usr/lib/aarch64-linux-gnu "$build/esker" >"$build.log" 2>&1; then
    echo "1..1"
    echo "not ok 1 - it builds"
    tail -5 "$build.log" | sed 's/^/# /'
    exit
fi
GOLDEN_PROGRAM="qemu-aarch64 $build/esker" exec sh tests/golden.sh
