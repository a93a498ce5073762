#!/bin/sh
# Checks the style of JavaScript and CSS, or changes it: scripts/lint-web.sh [--write]. npm fetches Biome, which does it,
# from the registry that it is set up for; where it cannot, nothing is checked, and a line says so.
set -eu
cd "$(dirname "$0")/.."
folder=${ESKER_BUILD:-build}/lint
biome=$folder/node_modules/.bin/biome
if ! cmp -s scripts/lint/package-lock.json "$folder/package-lock.json" || [ ! -x "$biome" ]; then
    mkdir -p "$folder"
    cp scripts/lint/package.json scripts/lint/package-lock.json "$folder"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1) || {
        rm -f "$folder/package-lock.json"
        echo "esker: JavaScript and CSS are not checked: npm could not fetch Biome" >&2
        exit 0
    }
fi
"$biome" check --config-path=scripts/lint/web.json "$@" src/web tests scripts
