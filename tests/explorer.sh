#!/bin/sh
# The page of `esker explore` in headless Chromium, as a user sees it. Prints TAP (explorer.mjs).
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/support/page.sh
test_page tests/explorer.mjs "${ESKER_BUILD:-build}/esker"
