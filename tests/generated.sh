#!/bin/sh
# What is generated from the declarations is in the repository as they give it now. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset LUA_CPATH # scripts find the build by themselves
scripts/generate.sh "$scratch" || exit 1
count=0
for file in docs/reference.md docs/exchange.md docs/wishes.md docs/esker.1 docs/shell/esker.bash docs/shell/_esker \
    docs/shell/esker.fish lua/esker/meta/esker.lua lua/esker/help/wishes.lua; do
    count=$((count + 1))
    if diff "$file" "$scratch/$file" >/dev/null; then
        echo "ok $count - $file is current"
    else
        echo "not ok $count - $file is current (make docs)"
    fi
done
echo "1..$count"
