#!/bin/sh
# Lays out the Debian source package: scripts/debian.sh ARCHIVE FOLDER. Unpacks the archive of `make source` below FOLDER,
# with scripts/debian where Debian's tools look for it, and prints the tree's path. There, `dpkg-buildpackage -us -uc`.
set -eu
archive=$1 folder=$2
tree=$(basename "$archive" .tar.gz)
name=${tree%-*} version=${tree##*-}
mkdir -p "$folder"
cp "$archive" "$folder/${name}_$version.orig.tar.gz"
tar -x -C "$folder" -f "$archive"
cp -r "$folder/$tree/scripts/debian" "$folder/$tree/debian"
echo "$folder/$tree"
