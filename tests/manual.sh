#!/bin/sh
# The reference manual in the repository is the one that the declarations give. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
echo "1..1"
if LUA_CPATH="${ESKER_BUILD:-build}/?.so;;" lua5.4 scripts/manual.lua | diff docs/reference.md - >/dev/null; then
    echo "ok 1 - docs/reference.md is current"
else
    echo "not ok 1 - docs/reference.md is current (make docs)"
fi
