#!/bin/sh
# A sweep killed a hundred times (tests/sweep.sh). Prints TAP.
KILLS=100 exec "$(dirname "$0")/../sweep.sh"
