#!/bin/sh
# Prints the table of "A real elevation model" in docs/exchange.md: runs the blocks of that page in their order, and
# reads what they wrote by GDAL's tools. scripts/fault-figures.sh JACKSBORO.png, the model as a picture of 16 bits.
set -eu
model=$(realpath "$1")
cd "$(dirname "$0")/.."
page=$PWD/docs/exchange.md
PATH=$PWD/${ESKER_BUILD:-build}:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cp "$model" jacksboro.png
sed '1,/^## A real elevation model/d; /^## /,$d' "$page" >section
block() { # LANGUAGE NUMBER
    awk -v language="$1" -v number="$2" '$0 == "```" { inside = 0 } inside == number { print }
        $0 == "```" language { inside = ++count }' section
}
block lua 1 >first.lua
block lua 2 >second.lua
block sh 1 >between.sh
esker first.lua -q -o . >printed
sh -eu between.sh >printed
esker second.lua -q -o . >printed

digits() { # NUMBER …: to three digits
    for number in "$@"; do printf '%.3f\n' "$number" | sed 's/\.000$//'; done
}
origin() { # FILE: "x, y; cells of size"
    gdalinfo -stats "$1" >printed
    # shellcheck disable=SC2046 # several words
    set -- $(digits $(sed -n 's/^Origin = (\(.*\),\(.*\))$/\1 \2/p; s/^Pixel Size = (\(.*\),.*$/\1/p' printed))
    echo "$1, $2; cells of $3"
}
valid() { # FILE: "gaps (share valid)"
    gdalinfo -stats "$1" >printed
    share=$(sed -n 's/^ *STATISTICS_VALID_PERCENT=//p' printed | head -1)
    gaps=$(echo "return { n = esker.load(\"$1\").gaps }" >gaps.lua && esker gaps.lua | sed 's/n = //; s/\(...\)$/,\1/')
    echo "$gaps ($share % valid)"
}
same() { # WHAT TEXT OF dem.tif TEXT OF ANOTHER
    if [ "$2" = "$3" ]; then echo "$1"; else echo "$3"; fi
}
lines() { # FILE: "| `FILE`, n lines | by | x0 to x1, y0 to y1 | |"
    ogrinfo -al -so "$1" >printed
    count=$(sed -n 's/^Feature Count: //p' printed)
    # shellcheck disable=SC2046
    set -- "$1" "$2" $(digits $(sed -n 's/^Extent: (\(.*\), \(.*\)) - (\(.*\), \(.*\))$/\1 \3 \2 \4/p' printed))
    # shellcheck disable=SC2016 # Markdown
    printf '| `%s`, %s lines | %s | %s to %s, %s to %s | |\n' "$1" "$count" "$2" "$3" "$4" "$5" "$6"
}

size=$(gdalinfo dem.tif | sed -n 's/^Size is \(.*\), \(.*\)/\1 × \2/p')
system=$(gdalinfo eroded.tif | sed -n 's/^    ID\["EPSG",\(.*\)\]\]$/EPSG:\1/p' | head -1)
unit=$(gdalinfo eroded.tif | sed -n 's/^ *Unit Type: m$/metres/p')
cat <<X
| | by | origin or extent | gaps |
| --- | --- | --- | --- |
| \`dem.tif\`, $size | \`gdalinfo -stats\` | $(origin dem.tif) | $(valid dem.tif) |
| \`eroded.tif\`, \`relief.tif\` | the same | $(same "the same to the last digit" "$(origin dem.tif)$(origin dem.tif)" "$(origin eroded.tif)$(origin relief.tif)"), $system, $unit | $(same "the same" "$(valid dem.tif)" "$(valid eroded.tif)") |
X
# shellcheck disable=SC2016
lines rivers.gpkg '`ogrinfo -al -so`'
lines contours.gpkg 'the same'
