#!/bin/sh
# Makes the pictures of the documents: one for each example, as small as a page needs.
set -eu
cd "$(dirname "$0")/.."
esker=${ESKER_BUILD:-build}/esker
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
picture() { # picture EXAMPLE RESULT [NAME=VALUE ...]
    example=$1 result=$2
    shift 2
    "$esker" "examples/$example.lua" "$@" -q -o "$scratch" >"$scratch/numbers"
    cp "$scratch/$result.png" "docs/gallery/$example.png"
}
picture endless-land sheet size=320
picture landscapes sheet size=256
picture climate sheet size=192
picture towns zoom-3 size=448
picture shaped sheet size=320
picture amplified relief levels=2
cp "$scratch/smooth.png" docs/gallery/amplified-smooth.png
picture streams hard size=256
cp "$scratch/sketch.png" docs/gallery/streams-sketch.png
cp "$scratch/mature.png" docs/gallery/streams-mature.png
picture island relief size=384
picture playable relief size=256
picture real-terrain before
picture erosions olsen size=256
picture archipelago relief size=256
picture dunes relief size=256
picture fjords zoom1 size=256
cp "$scratch/zoom4.png" docs/gallery/fjords-4.png
cp "$scratch/zoom16.png" docs/gallery/fjords-16.png
picture valley relief size=256
picture guided relief size=256
picture penrose relief size=256
cp docs/gallery/penrose.png "$scratch/kept.png"
picture penrose relief size=256 tiling=scalene
mv docs/gallery/penrose.png docs/gallery/scalene.png && mv "$scratch/kept.png" docs/gallery/penrose.png
picture zooms comparison size=160
picture journey sheet size=80
picture planet globe width=512
cp "$scratch/map.png" docs/gallery/planet-map.png
cp "$scratch/cube.png" docs/gallery/planet-cube.png
picture watershed relief size=384
cp "$scratch/drawing.png" docs/gallery/watershed-rivers.png
"$esker" examples/watershed.lua size=576 -q -o "$scratch" >"$scratch/numbers"
cp "$scratch/view.png" docs/gallery/watershed-view.png
picture carved relief size=256
picture plates plate1 width=560
picture squig sheet size=150
for variant in published slope symmetry tributaries all; do
    "$esker" examples/falling-river.lua width="$([ $variant = all ] && echo 560 || echo 360)" -q -o "$scratch"
    cp "$scratch/$variant.png" "docs/gallery/squig-$variant.png"
done
"$esker" examples/olsen-views.lua width=320 -q -o "$scratch" >"$scratch/numbers"
for figure in 1 10 18 25 31; do
    cp "$scratch/figure$figure.png" "docs/gallery/olsen-figure$figure.png"
done
picture colonisation sheet size=170
if command -v tmux >/dev/null && command -v aha >/dev/null && command -v chromium >/dev/null; then
    scripts/session-pictures.sh >"$scratch/numbers"
fi
if command -v node >/dev/null && command -v chromium >/dev/null && [ -d build/vendor/playwright-core ]; then
    node scripts/explorer-pictures.mjs "$PWD/$esker"
fi
sed -n '/^-- hills.lua/,/^```/p' README.md | sed '$d' >"$scratch/hills.lua"
"$esker" "$scratch/hills.lua" size=320 -q -o "$scratch" >"$scratch/numbers"
cp "$scratch/relief.png" docs/gallery/hills.png
sed -n '/^```lua/,/^```$/p' docs/game-world.md | sed '1d;/^```/,$d' >"$scratch/game-world.lua"
"$esker" "$scratch/game-world.lua" export=false -q -o "$scratch" >"$scratch/numbers"
cp "$scratch/map.png" docs/gallery/game-world.png
cp "$scratch/view.png" docs/gallery/game-world-view.png
for step in 1 2 3 4 5; do
    "$esker" "docs/tutorial/step$step.lua" -q -o "$scratch" >"$scratch/numbers"
    cp "$scratch/relief.png" "docs/gallery/step$step.png"
done
! command -v pngquant >/dev/null || (cd docs/gallery && pngquant --force --strip --speed 1 --ext .png endless-land.png \
    landscapes.png climate.png towns.png journey.png amplified.png amplified-smooth.png hills.png \
    game-world.png game-world-view.png)
