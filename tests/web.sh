#!/bin/sh
# The explorer's modules that need no browser, in one process of node: fifteen take twice as long to start. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
command -v node >/dev/null || { echo "1..0 # SKIP node is not installed"; exit 0; }
# shellcheck disable=SC2016 # JavaScript's ${}
exec node --test-reporter=tap --input-type=module \
    -e 'for (const file of process.argv.slice(1)) await import(`${process.cwd()}/${file}`)' tests/web/*.mjs
