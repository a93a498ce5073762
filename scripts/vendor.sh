#!/bin/sh
# Gets the plotting library of a sweep's gallery: scripts/vendor.sh FILE. npm fetches it from the registry that it is set
# up for, and checks it against the hashes in src/web/package-lock.json. Where that fails there is no FILE, which the next
# make tries to get again.
set -u
file=$1
web=$(cd "$(dirname "$0")/../src/web" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go_on_without() {
    rm -f "$file"
    echo "esker: galleries will have no plots: $1; the rest is complete, and the next make tries again" >&2
    exit 0
}
command -v npm >/dev/null || go_on_without "npm, which fetches them, is not installed"
cp "$web/package.json" "$web/package-lock.json" "$scratch"
(cd "$scratch" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=30000) \
    >"$scratch/log" 2>&1 || go_on_without "npm could not fetch them ($(grep -v '^npm [a-zA-Z!]* *A complete log' "$scratch/log" | head -1))"
mkdir -p "$(dirname "$file")"
library=$scratch/node_modules/echarts
cp "$library/dist/echarts.min.js" "$file.new" && mv "$file.new" "$file"
# Its source, licence and notices travel with it in a source archive (scripts/dist.sh).
cp "$library/dist/echarts.js" "$library/LICENSE" "$library/NOTICE" "$(dirname "$file")"
