#!/bin/sh
# Water in the beds of sixty seeds, two kinds of land each (tests/rivers/test_terrain.c). Prints TAP.
ESKER_SEEDS=60 CMOCKA_MESSAGE_OUTPUT=tap exec "${ESKER_BUILD:-build}/tests/rivers/test_terrain"
