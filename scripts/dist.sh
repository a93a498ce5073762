#!/bin/sh
# Writes FOLDER/esker-VERSION.tar.gz, the source archive: scripts/dist.sh VERSION FOLDER VENDOR. It holds what git tracks,
# as it is in the working tree (in an unpacked archive, everything that a build does not make), and what the pages are
# built with (scripts/vendor.sh), with licences and sources, so that a build needs no network. The same files give the
# same bytes.
set -eu
version=$1 folder=$2 vendor=$3
cd "$(dirname "$0")/.."
for file in echarts.min.js twgl.min.js; do
    [ -s "$vendor/$file" ] || { echo "esker: a source archive needs what the pages are built with, $vendor/$file" >&2 && exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/esker-$version
mkdir -p "$tree/src/web/vendor" "$folder"
if [ -e .git ]; then
    git ls-files -z --cached >"$scratch/list"
    time=$(git log -1 --format=%ct)
else
    find . -path ./build -prune -o -path ./out -prune -o -path ./debian -prune -o -type f -print0 >"$scratch/list"
    time=$(stat -c %Y Makefile)
fi
tar -c --null --verbatim-files-from -T "$scratch/list" | tar -x -C "$tree"
for file in echarts.min.js echarts.js LICENSE NOTICE twgl.min.js twgl.js codemirror.min.js codemirror.js qrcode.min.js qrcode.js geotiff.min.js geotiff.js LICENSES; do
    cp "$vendor/$file" "$tree/src/web/vendor"
done
tar -c --format=gnu --sort=name --mtime="@${SOURCE_DATE_EPOCH:-$time}" --owner=root:0 --group=root:0 --mode=u=rwX,go=rX \
    -C "$scratch" "esker-$version" | gzip -n -9 >"$scratch/archive"
mv "$scratch/archive" "$folder/esker-$version.tar.gz"
