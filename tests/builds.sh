#!/bin/sh
# Same seed, same bytes: builds by gcc and clang, optimised and not, for processors with FMA and without, agree on every
# operation. tests/long/same-bytes.sh has forty more. Prints TAP.
set -u
cd "$(dirname "$0")/.."
main=${ESKER_BUILD:-build}
print_all() { # FOLDER of the build
    LUA_CPATH="$1/?.so;;" LUA_PATH="tests/?.lua;;" lua5.4 -e 'require("fingerprint").print_all()'
}
print_all "$main" >"$main/fingerprint"
echo "1..3"
echo "$([ "$(wc -l <"$main/fingerprint")" -gt 100 ] && echo ok || echo not ok) 1 - the fingerprint covers every operation"
count=1
for variant in plain fused; do
    count=$((count + 1))
    if make -s BUILD="$main" $variant >"$main/$variant.log" 2>&1 &&
        print_all "$main/$variant" | diff "$main/fingerprint" - >>"$main/$variant.log"; then
        echo "ok $count - the build '$variant' gives the same bytes"
    else
        echo "not ok $count - the build '$variant' gives the same bytes"
        sed 's/^/# /' "$main/$variant.log" | head -20
    fi
done
