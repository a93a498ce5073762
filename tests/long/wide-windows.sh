#!/bin/sh
# Windows of 200 maps with wide rivers, by every tiling and set of rules (tests/lua/test_wide_windows.lua). Prints TAP.
ESKER_SEEDS=200 exec lua5.4 tests/lua/test_wide_windows.lua -o tap
