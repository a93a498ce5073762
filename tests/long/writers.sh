#!/bin/sh
# A process that writes a picture is killed a thousand times (tests/file/test_writers.c). Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
ESKER_KILLS=1000 CMOCKA_MESSAGE_OUTPUT=tap exec "${ESKER_BUILD:-build}/tests/file/test_writers"
