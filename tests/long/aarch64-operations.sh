#!/bin/sh
# Every operation, tiling and landscape gives the same bytes on another kind of processor, by qemu; aarch64.sh has the examples.
# Needs what `scripts/setup.sh long` installs. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
. tests/support/lua_build.sh
for tool in qemu-aarch64 aarch64-linux-gnu-gcc; do
    command -v $tool >/dev/null || skip "no $tool"
done
same_bytes lua-aarch64 qemu-aarch64 -L /usr/aarch64-linux-gnu "${ESKER_BUILD:-build}/arm64/lua"
echo "1..$count"
