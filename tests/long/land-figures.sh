#!/bin/sh
# The figures of the endless land that have been reached stay so, at six random places. Prints TAP, and all figures.
cd "$(dirname "$0")/../.." || exit 1
export LUA_CPATH="$PWD/${ESKER_BUILD:-build}/?.so;;"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${LUA:-lua5.4}" scripts/land-figures.lua "${ESKER_SEED:-1}" 6 100 >"$scratch/figures" || echo "Bail out! no figures"
sed 's/^/# /' "$scratch/figures"
count=0
check() { # NAME PATTERN LEAST
    count=$((count + 1))
    if [ "$(grep -E "$2" "$scratch/figures" | grep -c ' yes')" -ge "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
    fi
}
echo 1..2
check "nearly nothing lies in hollows, at every zoom" '^default.*raised' 5
check "rivers cross the first edges as often as other lines" 'first edges' 1
