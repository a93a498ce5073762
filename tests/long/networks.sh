#!/bin/sh
# Rivers of five hundred seeds, four kinds of land each (tests/rivers/test_growth.c). Prints TAP.
ESKER_SEEDS=500 CMOCKA_MESSAGE_OUTPUT=tap exec "${ESKER_BUILD:-build}/tests/rivers/test_growth"
