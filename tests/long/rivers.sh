#!/bin/sh
# The rivers of a thousand maps, by every set of rules (tests/rivermap/test_rivers.c). Prints TAP.
ESKER_SEEDS=1000 CMOCKA_MESSAGE_OUTPUT=tap exec "${ESKER_BUILD:-build}/tests/rivermap/test_rivers"
