#!/bin/sh
# Every allocation of four recipes fails, not only some of them (tests/program/test_allocations.c). Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
ESKER_EVERY=1 CMOCKA_MESSAGE_OUTPUT=tap exec "${ESKER_BUILD:-build}/tests/program/test_allocations"
