#!/bin/sh
# The engine and Lua's binding for wasm32, which has 32 bits and is not Linux: clang finds nothing to say about any file,
# with the headers of WASI's C library, and those of tests/wasm32 for what emscripten's has beyond it. `make wasm` compiles
# and links them. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
headers=/usr/include/wasm32-wasi
if [ ! -d $headers ]; then
    echo "1..0 # SKIP no $headers (scripts/setup.sh tests)"
    exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { grep error "$scratch/said" | head -20 | cut -c1-160; }

# Libraries' headers, without those of this machine's C library beside them.
# shellcheck disable=SC2046 # words
printf '#include <lua.h>\n#include <lauxlib.h>\n#include <zlib.h>\n' | clang -M $(pkg-config --cflags lua5.4) -x c - |
    grep -oE '/[^ ]*/(z(lib|conf)|l(ua|aux)[^/ ]*)\.h' | xargs -I '{}' ln -sf '{}' "$scratch"

# Clang's own command for one file, with all files in its place: `clang` starts a process for each, which costs three times as much.
# shellcheck disable=SC2046 # words
clang --target=wasm32-wasi -nostdlibinc -isystem tests/wasm32 -isystem $headers -isystem "$scratch" -D_WASI_EMULATED_GETPID \
    -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL -msimd128 -std=c11 -Isrc -D_POSIX_C_SOURCE=200809L '-DESKER_VERSION="0"' \
    $(pkg-config --cflags libpng) -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-missing-field-initializers -Werror \
    -fsyntax-only -### src/values.c 2>&1 |
    sed -n '$s| "-disable-free"||; $s| "src/values.c"$| "$@"|p' >"$scratch/command"
# shellcheck disable=SC2046 # words
set -- $(find src -name '*.c' | grep -vE '^src/(cli|tab|npm|web)/')
# shellcheck source=/dev/null
[ $# -gt 300 ] && grep -q '"-cc1".* "\$@"' "$scratch/command" && . "$scratch/command" >"$scratch/said" 2>&1
check "$# files compile for 32 bits" $?
echo "1..$count"
