#!/bin/sh
# Squig mountains of five hundred seeds, in seven variants (tests/squig/test_squig.c). Prints TAP.
ESKER_SEEDS=500 CMOCKA_MESSAGE_OUTPUT=tap exec "${ESKER_BUILD:-build}/tests/squig/test_squig"
