#!/bin/sh
# Gets the sources of the libraries that are compiled with the engine for machines whose libraries Debian does not have:
# scripts/sources.sh FOLDER. Debian's own, as it patches them, by apt-get, which checks their signatures; its settings and
# lists are left as they are. FOLDER/fetched is there when all are.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v apt-get >/dev/null && command -v dpkg-source >/dev/null || {
    echo "esker: no sources of libraries: apt-get and dpkg-dev are needed" >&2
    exit 1
}
mkdir "$scratch/lists" "$scratch/cache"
# The releases from which this machine has its packages.
releases=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Origin: Debian' | sort -u |
    sed 's/\(.*\) \(.*\)/deb-src \1 \2 main/')
apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$scratch/list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$scratch/lists" \
        -o Dir::Cache="$scratch/cache" -o APT::Sandbox::User= "$@"
}
packages="lua5.4 libpng1.6 zlib cmocka"
get() { # LINES of releases
    echo "$1" >"$scratch/list"
    # shellcheck disable=SC2086 # several words
    (cd "$scratch" && rm -f ./*.dsc && apt update && apt source --download-only $packages)
}
# A mirror of security updates may lag behind its list: then the release without them.
get "$releases" || {
    echo "esker: not all security updates are there; taking the release's sources without them" >&2
    get "$(echo "$releases" | grep -v security)"
}
for package in $packages; do
    (cd "$scratch" && dpkg-source --no-check -x "$package"_*.dsc "$package" >/dev/null)
    rm -rf "${folder:?}/$package"
    mv "$scratch/$package" "$folder"
done
cp "$folder/libpng1.6/scripts/pnglibconf.h.prebuilt" "$folder/libpng1.6/pnglibconf.h"
# Part of the path of C modules, of which Lua here has none.
echo '#define DEB_HOST_MULTIARCH "none"' >"$folder/lua5.4/src/lua5.4-deb-multiarch.h"
: >"$folder/fetched"
