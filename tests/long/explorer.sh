#!/bin/sh
# A dive from the whole map to the 60th level and a tour of 200 random jumps in the page of `esker explore`; tiles that it
# shows have the heights that map:render gives. Prints TAP, and figures.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/support/page.sh
test_page tests/long/explorer.mjs "${ESKER_BUILD:-build}" "${JUMPS:-200}"
