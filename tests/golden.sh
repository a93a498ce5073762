#!/bin/sh
# Every example draws what it drew: hashes of its pictures, and its numbers to the last bit, as tests/golden.txt has
# them. `tests/golden.sh --write` writes them anew, which is to be done on purpose, with its reason in the commit.
# GOLDEN_PROGRAM: what runs the recipes, where it is not build/esker. GOLDEN_USUAL=1: as users run them, those that are run
# smaller here (tests/long/golden.sh). Prints TAP.
cd "$(dirname "$0")/.." || exit 1
program=${GOLDEN_PROGRAM:-${ESKER_BUILD:-build}/esker}
golden=tests/${GOLDEN_USUAL:+long/}golden.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Each example once, as small as shows all of it.
runs() {
    for recipe in examples/*.lua tests/program/everything.lua; do
        case $(basename "$recipe" .lua) in
        falling-river | plates) echo "$recipe levels=6 width=160" ;;
        olsen-tables) echo "$recipe seeds=2 size=128" ;;
        olsen-views) echo "$recipe width=80 size=128" ;;
        climate) echo "$recipe size=64 climates=1" ;;
        towns) echo "$recipe size=64 zooms=2" ;;
        landscapes) echo "$recipe size=80" ;;
        endless-land | fjords | valley) echo "$recipe size=64" ;;
        shaped) echo "$recipe size=96" ;;
        streams | watershed) echo "$recipe size=192" ;;
        journey) echo "$recipe steps=4" ;;
        planet) echo "$recipe width=64" ;;
        zooms) echo "$recipe size=128" ;;
        *) echo "$recipe" ;;
        esac
    done | if [ "${GOLDEN_USUAL:-}" ]; then
        sed -n '/olsen\|falling\|plates\|journey/d; s/ .*//p' # these take longest
    else
        cat
    fi
}

draw() { # RECIPE ARGUMENT …
    echo "# $*"
    # shellcheck disable=SC2086 # several words
    $program "$@" --hash -q ${GOLDEN_THREADS:+-j $GOLDEN_THREADS} -o "$scratch" 2>&1
}

if [ "${1:-}" = --write ]; then
    runs | while read -r run; do
        # shellcheck disable=SC2086
        draw $run
    done >"$scratch/golden" && mv "$scratch/golden" "$golden"
    exit
fi

runs >"$scratch/runs"
echo "1..$(wc -l <"$scratch/runs")"
count=0
while read -r run; do
    count=$((count + 1))
    # shellcheck disable=SC2086
    draw $run >"$scratch/got"
    sed -n "\|^# $run\$|,/^# /p" "$golden" | sed '1n; /^# /d' >"$scratch/expected"
    if diff "$scratch/expected" "$scratch/got" >"$scratch/difference"; then
        echo "ok $count - ${run#examples/}"
    else
        echo "not ok $count - ${run#examples/}"
        sed 's/^/# /' "$scratch/difference" | head -10
    fi
done <"$scratch/runs"
