#!/bin/sh
# What a user does on the page of `esker explore`: fingers on a phone, journeys, export, the editor, a planet, lines and
# meshes, the keyboard alone, dark and light. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
for tool in chromium node; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
[ -d build/vendor/playwright-core ] || { echo "1..0 # SKIP npm did not bring playwright-core"; exit 0; }
exec node tests/long/explorer-page.mjs "$PWD/${ESKER_BUILD:-build}/esker" "$PWD/build/vendor/playwright-core/index.mjs"
