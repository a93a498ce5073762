#!/bin/sh
# Edits that are drawn in the page of `esker explore`, in headless Chromium. Prints TAP (explorer-edits.mjs).
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/support/page.sh
test_page tests/explorer-edits.mjs "${ESKER_BUILD:-build}/esker"
