#!/bin/sh
# Examples that tests/golden.sh draws smaller draw what they drew as users run them, too (tests/long/golden.txt). Prints TAP.
# `tests/long/golden.sh --write` writes the hashes anew.
cd "$(dirname "$0")/../.." || exit 1
GOLDEN_USUAL=1 exec sh tests/golden.sh "$@"
