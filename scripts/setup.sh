#!/bin/sh
# Installs what Esker needs on Debian or a relative of it. `scripts/setup.sh` for building and running,
# `scripts/setup.sh tests` for the tests and linters as well, `scripts/setup.sh long` for the tests of make check-long,
# too; `scripts/setup.sh web` for WebAssembly, `scripts/setup.sh python` for the wheel, `scripts/setup.sh windows` for the
# program for Windows, `scripts/setup.sh macos` for the check of a build for macOS. Needs root, or sudo.
# Plots in a sweep's gallery need npm, which the first set leaves to you: it is large.
set -eu

packages="gcc make pkg-config lua5.4 liblua5.4-dev libpng-dev libedit-dev libchafa-dev libglib2.0-dev libsqlite3-dev libseccomp-dev libcairo2-dev libopenexr-dev libmicrohttpd-dev fonts-dejavu-core"
if [ "${1:-}" = tests ] || [ "${1:-}" = long ]; then
    packages="$packages clang llvm wasi-libc libcmocka-dev lua-unit lua-check perl clang-format clang-tidy cppcheck g++ procps python3-numpy tmux sqlite3 strace chromium gdal-bin python3-gdal openexr luajit"
    # Plots of galleries come by npm, which may be there otherwise than as a package.
    command -v npm >/dev/null || packages="$packages npm"
fi

if [ "${1:-}" = web ]; then
    packages="$packages emscripten clang llvm dpkg-dev librsvg2-bin"
    [ ! -d "$(dirname "$0")/../src/web/vendor" ] || packages="$packages esbuild" # a source archive comes without
    command -v node >/dev/null || packages="$packages nodejs"
    command -v npm >/dev/null || packages="$packages npm"
fi

if [ "${1:-}" = python ] || [ "${1:-}" = tests ] || [ "${1:-}" = long ]; then
    packages="$packages python3-pip python3-setuptools python3-wheel python3-venv python3-numpy mypy"
    [ "$1" = tests ] || packages="$packages python3-xarray" # which brings much with it
fi

# The compiler itself comes with `make macos`.
if [ "${1:-}" = macos ]; then
    packages="$packages dpkg-dev"
    command -v npm >/dev/null || packages="$packages npm"
fi

if [ "${1:-}" = windows ]; then
    packages="$packages gcc-mingw-w64-x86-64-posix wine64 dpkg-dev"
fi

foreign=
if [ "${1:-}" = long ]; then
    packages="$packages valgrind parallel qemu-user gcc-aarch64-linux-gnu ruby firefox-esr xvfb xauth debootstrap lintian autopkgtest minetest-server zbar-tools"
    packages="$packages python3-dask python3-nbclient python3-ipykernel" # which tests/python.sh uses where they are
    foreign="liblua5.4-dev:arm64 libpng-dev:arm64" # the libraries of another processor
fi

missing=
for package in $packages $foreign; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
export DEBIAN_FRONTEND=noninteractive
[ -z "$foreign" ] || $as_root dpkg --add-architecture arm64
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
