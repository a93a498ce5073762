#!/bin/sh
# A static page of the explorer, below a path of a plain web host, in headless Chromium. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/support/page.sh
test_page tests/long/explorer-static.mjs "${ESKER_BUILD:-build}/esker"
