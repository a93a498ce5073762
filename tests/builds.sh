#!/bin/sh
# Same seed, same bytes: builds by gcc and clang, optimised and not, agree on every operation. Prints TAP.
set -u
cd "$(dirname "$0")/.."
main=${ESKER_BUILD:-build}
print_all() { # FOLDER of the build
    LUA_CPATH="$1/?.so;;" LUA_PATH="tests/?.lua;;" lua5.4 -e 'require("fingerprint").print_all()'
}
print_all "$main" >"$main/fingerprint"
echo "1..4"
echo "$([ "$(wc -l <"$main/fingerprint")" -gt 100 ] && echo ok || echo not ok) 1 - the fingerprint tells of every operation"
count=1
for variant in "gcc -O0" "clang -O3" "clang -O0"; do
    count=$((count + 1))
    compiler=${variant% *} optimise=${variant#* }
    folder=$main/variants/$compiler$optimise
    if make -s BUILD="$folder" CC="$compiler" OPTIMISE="$optimise" SANITIZE= "$folder/esker.so" >"$main/variant.log" 2>&1 &&
        print_all "$folder" | diff "$main/fingerprint" - >>"$main/variant.log"; then
        echo "ok $count - $variant gives the same bytes"
    else
        echo "not ok $count - $variant gives the same bytes"
        sed 's/^/# /' "$main/variant.log" | head -20
    fi
done
