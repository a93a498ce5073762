#!/bin/sh
# An installed tree: the program runs from it, C and C++ programs compile and link against it, Python hands arrays to it,
# the libraries show nothing but esker_…, and `make uninstall` leaves no file. Prints TAP.
. "$(dirname "$0")/support/tap.sh"
cd "$(dirname "$0")/.." || exit 1
build=$PWD/${ESKER_BUILD:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/usr
reason() { head -5 "$scratch/log"; }
make -s BUILD="$build" PREFIX="$prefix" install >"$scratch/log" 2>&1
check "make install" $?
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
"$prefix/bin/esker" --version >"$scratch/log" 2>&1
check "the program runs" $?

! nm -D --defined-only "$prefix/lib/libesker.so.1" | awk '{ print $3 }' | grep -v '^esker_' >"$scratch/log"
check "libesker.so shows esker_… alone" $?
! nm -g --defined-only "$prefix/lib/libesker.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | grep -v '^esker_' >"$scratch/log"
check "libesker.a shows esker_… alone" $?
readelf -d "$prefix/lib/libesker.so" | grep -q 'soname: \[libesker.so.1\]'
check "the library has a soname" $?
cat >"$scratch/hills.lua" <<'LUA'
local h = esker.field{ width = 192, height = 128, values = function(x, y) return (x + 2 * y) / 512 + (x * y) % 7 / 64 end }
return { heights = h:thermal_erosion{ iterations = 10 } }
LUA

awk '/^(ESKER_API|static inline|typedef)/ && before !~ /^\/\/\// { print "no comment: " $0 } { before = $0 }' "$prefix/include/esker.h" >"$scratch/log"
[ ! -s "$scratch/log" ]
check "esker.h documents all that it declares" $?
for compiler in "gcc -std=c11" "clang -std=c11" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
    # shellcheck disable=SC2046,SC2086
    $compiler -Wall -Wextra -Wpedantic -Werror examples/c/terrain.c $(pkg-config --cflags --libs esker) -lm -o "$scratch/shared" \
        >"$scratch/log" 2>&1 && "$scratch/shared" "$scratch/c.png" >"$scratch/${compiler%% *}" 2>"$scratch/log" &&
        diff "$scratch/gcc" "$scratch/${compiler%% *}" >"$scratch/log"
    check "examples/c/terrain.c by $compiler" $?
done
# shellcheck disable=SC2046
gcc -std=c11 examples/c/terrain.c $(pkg-config --cflags esker) "$prefix/lib/libesker.a" \
    $(pkg-config --libs --static esker | sed 's/-lesker//') -o "$scratch/static" >"$scratch/log" 2>&1 &&
    "$scratch/static" | diff "$scratch/gcc" - >"$scratch/log"
check "and linked with libesker.a" $?

# shellcheck disable=SC2046
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror examples/c/walk.c $(pkg-config --cflags --libs esker) -pthread -o "$scratch/walk" \
    >"$scratch/log" 2>&1 && "$scratch/walk" 1 2 >"$scratch/one" 2>"$scratch/log" &&
    "$scratch/walk" 3 2 >"$scratch/three" 2>"$scratch/log" && grep -q '^memory after closing 0 MB, ' "$scratch/three" &&
    [ "$(grep '^hash ' "$scratch/one")" = "$(grep '^hash [0-9a-f]\{16\}$' "$scratch/three")" ]
check "examples/c/walk.c: the same ground by one thread and three" $?

# The programs of documents, in blocks that begin with their names.
mkdir "$scratch/calling"
awk -v folder="$scratch/calling" '/^```/ { file = "" }
    file { print >file }
    /^```(c|cpp|python)$/ { getline; if ($1 ~ /^(\/\/|#)$/ && $2 ~ /:$/) { file = folder "/" $2; sub(":$", "", file); print >file } }' \
    docs/calling.md docs/streaming.md
program() { # NAME COMMAND PATTERN: the command, in the folder of the programs, prints a line like it
    (cd "$scratch/calling" && eval "$2") >"$scratch/log" 2>&1 && grep -q "$3" "$scratch/log"
    check "$1 of the documents" $?
}
# shellcheck disable=SC2016
program map.c 'gcc -std=c11 -Wall -Wextra -Wpedantic -Werror map.c $(pkg-config --cflags --libs esker) -o map && ./map &&
    [ -s map.png ]' '^highest [1-9][0-9]* m$'
# shellcheck disable=SC2016
program tile.c 'gcc -std=c11 -Wall -Wextra -Wpedantic -Werror tile.c $(pkg-config --cflags --libs esker) -o tile && ./tile' \
    '^the south-east corner is [0-9.-]* m high$'
# shellcheck disable=SC2016
program hills.cpp 'g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror hills.cpp $(pkg-config --cflags --libs esker) -o hills &&
    ./hills && [ -s land.png ]' '^hash [0-9a-f]\{16\}$'

# Root may hide /proc, as in a chroot where it is not mounted.
if unshare --mount mount -t tmpfs none /proc 2>/dev/null; then
    unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' - "$scratch/shared" "$scratch/proc.png" >"$scratch/log" 2>&1 &&
        cmp "$scratch/c.png" "$scratch/proc.png" >"$scratch/log" 2>&1
    check "the library writes files where there is no /proc" $?
else
    count=$((count + 1))
    echo "ok $count - no /proc # SKIP not permitted"
fi

if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 examples/python/erode.py "$prefix/lib/libesker.so.1" >"$scratch/python" 2>"$scratch/log"
    [ "$(sed -n 's/^hash //p' "$scratch/python")" = "$("$prefix/bin/esker" "$scratch/hills.lua" --hash | sed 's/.* //')" ]
    check "a numpy array passes through without a copy, with the program's hash" $?
    program arrays.py '/usr/bin/python3 arrays.py "$prefix/lib/libesker.so.1"' '^blur: sigma must be'
    /usr/bin/python3 -c 'import ctypes, json, sys
esker = ctypes.CDLL(sys.argv[1])
esker.esker_operations_json.restype = ctypes.c_char_p
names = [each["name"] for each in json.loads(esker.esker_operations_json())]
assert "river_map" in names and len(names) == len(set(names)) > 40' "$prefix/lib/libesker.so.1" >"$scratch/log" 2>&1
    check "esker_operations_json is JSON" $?
else
    for skipped in erode.py arrays.py JSON; do
        count=$((count + 1))
        echo "ok $count - $skipped # SKIP no numpy"
    done
fi

make -s BUILD="$build" PREFIX="$prefix" uninstall >"$scratch/log" 2>&1 && [ -z "$(find "$prefix" ! -type d)" ]
check "make uninstall leaves no file" $?

# As a distribution installs: libraries in a folder of the processor's, below DESTDIR.
set -- BUILD="$build" DESTDIR="$scratch/image" PREFIX=/usr LIBDIR=/usr/lib/some-linux-gnu
make -s "$@" install >"$scratch/log" 2>&1
(cd "$scratch/image/usr" && ls bin/esker include/esker.h lib/some-linux-gnu/libesker.so lib/some-linux-gnu/libesker.a \
    lib/some-linux-gnu/lua/5.4/esker.so) >/dev/null 2>"$scratch/log" && [ "$(ls "$scratch/image/usr/lib")" = some-linux-gnu ]
check "make install with LIBDIR" $?
unset PKG_CONFIG_PATH
PKG_CONFIG_LIBDIR=$scratch/image/usr/lib/some-linux-gnu/pkgconfig pkg-config --variable=libdir esker >"$scratch/log" 2>&1 &&
    [ "$(cat "$scratch/log")" = /usr/lib/some-linux-gnu ]
check "esker.pc says where the libraries are" $?
make -s "$@" uninstall >"$scratch/log" 2>&1 && [ -z "$(find "$scratch/image" ! -type d)" ]
check "and make uninstall leaves no file" $?
make -n V=1 BUILD="$scratch/build" CFLAGS=-O1 CPPFLAGS=-DTHEIRS "$scratch/build/obj/core/field_type.o" >"$scratch/log" 2>&1
grep -e ' -O1 ' "$scratch/log" | grep -e ' -DTHEIRS ' | grep -e ' -ffp-contract=off ' | grep -q -e ' -Isrc '
check "CFLAGS and CPPFLAGS of the command line are added to those that the bytes depend on" $?
echo "1..$count"
