#!/bin/sh
# A dive from the whole map to the 60th level and a tour of 200 random jumps in the page of `esker explore`; tiles that it
# shows have the heights that map:render gives. Prints TAP, and figures.
set -u
cd "$(dirname "$0")/../.." || exit 1
for tool in chromium node; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
[ -d build/vendor/playwright-core ] || { echo "1..0 # SKIP npm did not bring playwright-core"; exit 0; }
exec node tests/long/explorer.mjs "$PWD/${ESKER_BUILD:-build}" "$PWD/build/vendor/playwright-core/index.mjs" "${JUMPS:-200}"
