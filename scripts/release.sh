#!/bin/sh
# Gathers what is released in FOLDER/dist, with SHA256SUMS: scripts/release.sh VERSION FOLDER [PART]..., run by `make dist`.
# The source archive is there; each part is made where its tools are installed, and left out with a line elsewhere.
set -eu
version=$1 folder=$2
shift 2
cd "$(dirname "$0")/.."
dist=$folder/dist
archive=$folder/esker-$version.tar.gz
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
SOURCE_DATE_EPOCH=$(tar -t -v --full-time --utc -f "$archive" | awk 'NR == 1 { print $4 " " $5 " UTC" }' | date -u -f - +%s)
export SOURCE_DATE_EPOCH
rm -rf "$dist"
mkdir -p "$dist"
cp "$archive" "$dist"

# PART TOOL…: why the part cannot be made here, if so.
lacks() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "$tool is not installed" && return; }
    done
}
make_wheel() {
    rm -f "$folder"/esker-*.whl
    make -s BUILD="$folder" wheel && cp "$folder"/esker-*.whl "$dist"
}
make_npm() {
    rm -f "$folder"/esker-*.tgz
    make -s BUILD="$folder" npm && cp "$folder/esker-$version.tgz" "$dist"
}
make_site() {
    make -s BUILD="$folder" web && tar -c --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=root:0 --group=root:0 \
        --mode=u=rwX,go=rX -C "$folder" --transform "s,^web,esker-$version-site," web | gzip -n -9 >"$dist/esker-$version-site.tar.gz"
}
make_windows() {
    make -s BUILD="$folder" windows && cp "$folder/esker-$version-windows.zip" "$dist"
}
make_homebrew() {
    hash=$(sha256sum "$archive" | cut -d' ' -f1)
    sed "s/VERSION/$version/; s/SHA256/$hash/" scripts/homebrew/esker.rb >"$dist/esker.rb"
}
make_debian() {
    tree=$(scripts/debian.sh "$archive" "$scratch")
    (cd "$tree" && dpkg-buildpackage -us -uc >"$scratch/log" 2>&1) || { tail -5 "$scratch/log" >&2 && return 1; }
    cp "$scratch"/*.deb "$scratch"/*.dsc "$scratch"/*.debian.tar.* "$dist"
}
for part in "$@"; do
    case $part in
    wheel) reason=$("${PYTHON:-/usr/bin/python3}" -W ignore -c "import setuptools, pip, wheel" 2>&1 | tail -1) ;;
    npm) reason=$(lacks emcc clang node npm) ;;
    site) reason=$(lacks emcc clang) ;;
    windows) reason=$(lacks x86_64-w64-mingw32-gcc python3) ;;
    debian) reason=$(lacks dpkg-buildpackage dh) ;;
    homebrew) reason= ;;
    *) echo "esker: there is no part '$part': wheel, npm, site, windows, debian, homebrew" >&2 && exit 1 ;;
    esac
    if [ -n "$reason" ]; then
        echo "esker: the release has no $part: $reason" >&2
    else
        "make_$part" || { echo "esker: $part could not be made" >&2 && exit 1; }
    fi
done
(cd "$dist" && sha256sum -- * >"$scratch/sums" && mv "$scratch/sums" SHA256SUMS)
