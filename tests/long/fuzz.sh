#!/bin/sh
# An hour of fuzzing (tests/fuzz.sh), with harnesses that are guided by all of the code. FUZZ_SECONDS: of each of the six
# harnesses. Prints TAP.
build=${ESKER_BUILD:-build}
make -s -C "$(dirname "$0")/../.." BUILD="$build" fuzzers >"$build/fuzzers.log" 2>&1 || echo "Bail out! no harnesses"
FUZZERS=$build/fuzzers FUZZ_SECONDS=${FUZZ_SECONDS:-900} FUZZ_GDAL=1 exec sh "$(dirname "$0")/../fuzz.sh"
