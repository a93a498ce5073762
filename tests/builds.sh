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
echo "$([ "$(wc -l <"$main/fingerprint")" -gt 100 ] && echo ok || echo not ok) 1 - the fingerprint tells of every operation"
count=1
fused="clang -O2 -march=x86-64-v3"
grep -q ' fma .* avx2 ' /proc/cpuinfo || fused="clang -O2"
for variant in "gcc -O0" "$fused"; do
    count=$((count + 1))
    compiler=${variant%% *} optimise=${variant#* }
    folder=$main/variants/$(echo "$variant" | tr ' =' '__')
    # One version of each kernel, that of the processor which is asked for.
    if make -s BUILD="$folder" CC="$compiler" OPTIMISE="$optimise" SANITIZE=-fno-omit-frame-pointer "$folder/esker.so" >"$main/variant.log" 2>&1 &&
        print_all "$folder" | diff "$main/fingerprint" - >>"$main/variant.log"; then
        echo "ok $count - $variant gives the same bytes"
    else
        echo "not ok $count - $variant gives the same bytes"
        sed 's/^/# /' "$main/variant.log" | head -20
    fi
done
