#!/bin/sh
# The figures in documents are those that their commands print (make figures writes them). Those of the elevation model
# need JACKSBORO, its path. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
LUA_CPATH="$PWD/${ESKER_BUILD:-build}/?.so;;" "${LUA:-lua5.4}" scripts/figures.lua
