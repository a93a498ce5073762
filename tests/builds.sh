#!/bin/sh
# Same seed, same bytes: builds by gcc and clang, optimised and not, agree on every operation. Prints TAP.
set -u
cd "$(dirname "$0")/.."
main=${ESKER_BUILD:-build}
LUA_CPATH="$main/?.so;;" lua5.4 scripts/fingerprint.lua >"$main/fingerprint"
echo "1..4"
echo "$([ "$(wc -l <"$main/fingerprint")" -gt 100 ] && echo ok || echo not ok) 1 - the fingerprint tells of every operation"
count=1
for variant in "gcc -O0" "clang -O3" "clang -O0"; do
    count=$((count + 1))
    compiler=${variant% *} optimise=${variant#* }
    folder=$main/variants/$compiler$optimise
    if make -s BUILD="$folder" CC="$compiler" OPTIMISE="$optimise" SANITIZE= "$folder/esker.so" >"$main/variant.log" 2>&1 &&
        LUA_CPATH="$folder/?.so;;" lua5.4 scripts/fingerprint.lua | diff "$main/fingerprint" - >>"$main/variant.log"; then
        echo "ok $count - $variant gives the same bytes"
    else
        echo "not ok $count - $variant gives the same bytes"
        sed 's/^/# /' "$main/variant.log" | head -20
    fi
done
