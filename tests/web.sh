#!/bin/sh
# The explorer's modules that need no browser, in node. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
command -v node >/dev/null || { echo "1..0 # SKIP node is not installed"; exit 0; }
exec node --test --test-reporter=tap tests/web/*.mjs
