#!/bin/sh
# Writes what is generated from the declarations, below FOLDER (default: the repository): scripts/generate.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
to=${1:-.}
mkdir -p "$to/docs/shell" "$to/lua/esker/meta"
if [ "$to" = . ]; then
    mkdir -p docs/reference
    lua5.4 scripts/pictures.lua docs/reference missing
    mkdir -p docs/wishes
    lua5.4 scripts/wishes.lua pictures missing
fi
lua5.4 scripts/manual.lua >"$to/docs/reference.md"
lua5.4 scripts/formats.lua "$to/docs/exchange.md"
lua5.4 scripts/wishes.lua page >"$to/docs/wishes.md"
mkdir -p "$to/lua/esker/help"
lua5.4 scripts/wishes.lua words >"$to/lua/esker/help/wishes.lua"
lua5.4 scripts/annotations.lua >"$to/lua/esker/meta/esker.lua"
lua5.4 scripts/command-line.lua bash >"$to/docs/shell/esker.bash"
lua5.4 scripts/command-line.lua zsh >"$to/docs/shell/_esker"
lua5.4 scripts/command-line.lua fish >"$to/docs/shell/esker.fish"
lua5.4 scripts/command-line.lua man >"$to/docs/esker.1"
