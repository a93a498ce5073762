#!/bin/sh
# An hour of fuzzing (tests/fuzz.sh). Prints TAP.
FUZZ_SECONDS=900 exec sh "$(dirname "$0")/../fuzz.sh"
