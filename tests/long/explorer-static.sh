#!/bin/sh
# A static page of the explorer, below a path of a plain web host, in headless Chromium. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
for tool in chromium node; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
[ -d build/vendor/playwright-core ] || { echo "1..0 # SKIP npm did not bring playwright-core"; exit 0; }
exec node tests/long/explorer-static.mjs "$PWD/${ESKER_BUILD:-build}/esker" "$PWD/build/vendor/playwright-core/index.mjs"
