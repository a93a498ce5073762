#!/bin/sh
# The figures in documents that take seconds are those that their commands print. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
if command -v gdal_translate >/dev/null && command -v exrmaketiled >/dev/null; then
    LUA_CPATH="$PWD/${ESKER_BUILD:-build}/?.so;;" "${LUA:-lua5.4}" scripts/figures.lua --quick
else
    echo "1..0 # SKIP GDAL's and OpenEXR's tools are not installed"
fi
