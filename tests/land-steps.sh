#!/bin/sh
# The tool that finds where eroded land first differs (scripts/land-steps.c): windows agree after every step of a level,
# levels roughly, and a cell that differs is named with its step. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
steps=${ESKER_BUILD:-build}/land-steps
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { cat "$scratch/out"; }
keep() { # FOLDER ARGUMENT …
    folder=$1
    shift
    "$steps" keep "$scratch/$folder" seed=7 size=32 "$@" >"$scratch/out" 2>&1
}
compare() { # STATUS WORDS FOLDER FOLDER [tolerance=METRES]: what it prints has the words
    expected=$1 words=$2 one=$3 other=$4
    shift 4
    "$steps" compare "$scratch/$one" "$scratch/$other" "$@" >"$scratch/out" 2>&1
    [ $? = "$expected" ] && grep -q "$words" "$scratch/out"
}
differs_at() { # FILE BYTE FOLDER: the folder is a copy of `hills` with another byte there
    cp -r "$scratch/hills" "$scratch/$3"
    printf '\125' | dd of="$scratch/$3/$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

keep hills level=4 x=0.42 y=0.57 side=200000 && keep beside level=4 x=0.42 y=0.57 side=200000 dx=12 dy=-9 &&
    compare 0 'nothing differs' hills beside
check "two windows agree after each step of a level" $?
keep mesa level=3 landscape=mesa x=0.3 && keep mesa2 level=3 landscape=mesa x=0.3 dx=9 && compare 0 'nothing differs' mesa mesa2
check "they do on tables" $?
keep planet level=3 tiling=sphere face=2 x=0.02 && keep planet2 level=3 tiling=sphere face=2 x=0.02 dy=7 &&
    compare 0 'nothing differs' planet planet2
check "they do beside an edge of a planet's face" $?
set -- seed=64440 size=78 level=4 tiling=sphere landscape=plains face=5 x=0.980957 y=0.188965
"$steps" keep "$scratch/seam" "$@" >"$scratch/out" 2>&1 && "$steps" keep "$scratch/seam2" "$@" dy=8 >"$scratch/out" 2>&1 &&
    compare 0 'nothing differs' seam seam2
check "streams that leave one patch of a planet do not go on in another" $?
[ "$(find "$scratch/hills" -name '*.step' | wc -l)" = "$(find "$scratch/hills" -name '*.png' | wc -l)" ] &&
    [ -s "$scratch/hills/32-drain.png" ]
check "each step has its picture" $?

keep finer level=5 x=0.42 y=0.57 side=200000 && compare 0 'nothing differs' hills finer
check "a finer level has the coarse one's rivers, and its heights within a cell" $?
compare 1 '^step 1, interpolate, is the first that differs: .* of level 4$' hills finer tolerance=0.001
check "within a millimetre it has not" $?

# The third altitude, after a head of 112 bytes.
differs_at 14-sink.step $((112 + 8)) changed
compare 1 '^step 14, sink, is the first that differs: 1 of ' hills changed && grep -q 'changed/14-sink.step: .* m, drains to' "$scratch/out"
check "the step and the cell that differ are named" $?
compare 1 '^step 14, sink, .* column [0-9]*, row [0-9]* of level 4$' changed hills
check "in either order" $?

keep far level=4 x=0.9 y=0.1 side=200000 && compare 2 'shares no cells' hills far
check "windows that share no cells cannot be compared" $?
compare 2 "must be of the first one's level" finer hills
check "nor can a finer level with a coarser one" $?
compare 2 'holds no steps' hills nothing
check "nor a folder without steps" $?
! keep wrong level=4 sied=3 && grep -q "did you mean 'seed'" "$scratch/out"
check "a misspelt argument is an error" $?
! keep wrong level=99 && grep -q 'level: must be 1 to 50, got 99' "$scratch/out"
check "so is a level that there is not" $?
! keep hills level=4 && grep -q 'exists' "$scratch/out"
check "so is a folder that exists" $?
echo "1..$count"
