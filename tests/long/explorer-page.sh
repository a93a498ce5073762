#!/bin/sh
# What a user does on the page of `esker explore`: fingers on a phone, journeys, export, the editor, a planet, lines and
# meshes, the keyboard alone, dark and light; explorer-page.sh WORD runs the sessions whose name has it. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/support/page.sh
test_page tests/long/explorer-page.mjs "${ESKER_BUILD:-build}/esker" "$@"
