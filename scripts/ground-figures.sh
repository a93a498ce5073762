#!/bin/sh
# What docs/streaming.md says of time: a walk, a flight, the first tile, several callers. Builds examples/c/walk.c and
# scripts/ground-callers.c against the library of the build folder. Elapsed times count on an idle machine only.
# usage: scripts/ground-figures.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/.."
build=${ESKER_BUILD:-build}
rounds=${1:-3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for program in examples/c/walk.c scripts/ground-callers.c; do
    ${CC:-cc} -O2 -Isrc "$program" "$build/libesker.so.1" -Wl,-rpath,"$(realpath "$build")" -lm -pthread \
        -o "$scratch/$(basename "$program" .c)"
done
echo "load $(cut -d ' ' -f 1-3 /proc/loadavg), $(nproc) processors"
for _ in $(seq "$rounds"); do
    echo "--- a walk: 800 m/s, 80² cells of 1 m"
    "$scratch/walk" 2 50
    echo "--- a flight: 256² cells of 30 m, two steps a second"
    "$scratch/walk" 2 30 flight
    echo "--- the same as fast as it goes"
    "$scratch/walk" 2 60 race
done
echo "--- the first tile; callers: 36 tiles of 256² cells of 30 m"
"$scratch/ground-callers" "$rounds"
