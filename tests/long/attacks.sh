#!/bin/sh
# The attacks once more, with more time and memory to use up (tests/attacks.sh). Prints TAP.
SECONDS_EACH=4 MEGABYTES=512 exec sh "$(dirname "$0")/../attacks.sh"
