#!/bin/sh
# What is released, on bare Debian systems that debootstrap makes: the README's commands, the rock, and the packages with
# their tests; all from the archive of `make source`, and built without a network. The times are printed, and limit
# nothing. Needs root and a network. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit 1
build=$PWD/${ESKER_BUILD:-build}
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "needs root"
for tool in debootstrap lintian autopkgtest unshare; do
    command -v $tool >/dev/null || skip "no $tool (scripts/setup.sh long)"
done
unshare --mount --pid --fork --net true 2>/dev/null || skip "namespaces are not permitted"
# The mirrors that apt uses here.
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u)
mirror=$(echo "$sources" | awk '$3 == "bookworm" && $4 == "main" { print $2; exit }')
[ -n "$mirror" ] || skip "apt has no Debian 12 to install from"

scratch=$(mktemp -d)
chmod 755 "$scratch"
trap 'rm -rf --one-file-system "$scratch"' EXIT
reason() { tail -20 "$scratch/log"; }
# inside SYSTEM COMMAND: on the bare system; offline SYSTEM COMMAND: there, without a network. Both say how long it took.
# Mounts end with the command.
inside() {
    system=$scratch/$1
    started=$(date +%s)
    unshare --mount --pid --fork --kill-child ${net:-} sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
        exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
            ${http_proxy:+http_proxy="$http_proxy"} sh -euc "$1"' "$system" "$2" >"$scratch/log" 2>&1 </dev/null
    status=$?
    echo "# $2: $(($(date +%s) - started)) s" | head -1
    return $status
}
offline() {
    net=--net
    inside "$@"
    status=$?
    net=
    return $status
}
system() { # NAME: a bare one more, with the archive unpacked in /src
    cp -a "$scratch/base" "$scratch/$1"
    tar -x -C "$scratch/$1/src" -f "$archive"
}

make -s BUILD="$build" source >"$scratch/log" 2>&1
check "make source" $?
archive=$(ls -t "$build"/esker-*.tar.gz | head -1)
folder=/src/$(basename "$archive" .tar.gz)
debootstrap --variant=minbase bookworm "$scratch/base" "$mirror" >"$scratch/log" 2>&1
check "debootstrap" $?
echo "$sources" | grep -E ' bookworm(-updates|-security)? main$' >"$scratch/base/etc/apt/sources.list"
cp -L /etc/resolv.conf "$scratch/base/etc/resolv.conf"
mkdir "$scratch/base/src"

system readme
inside readme "cd $folder && scripts/setup.sh && make && build/esker examples/endless-land.lua -o out" &&
    [ -s "$scratch/readme$folder/out/sheet.png" ]
check "README: from a bare system to pictures" $?
grep -q 'window.echarts\|echarts=' "$scratch/readme$folder/build/pages/esker/gallery_page.lua"
check "galleries have plots" $?

inside readme "apt-get -qq -y --no-install-recommends install luarocks"
offline readme "make -C $folder clean && cd $folder && luarocks --lua-version=5.4 make" &&
    offline readme "cd / && lua5.4 -e 'print(require(\"esker\").diamond_square{ size = 64 }:hash())'" &&
    offline readme "luarocks --lua-version=5.4 remove esker" && ! offline readme "cd / && lua5.4 -e 'require \"esker\"'"
check "luarocks make, from the archive" $?
rm -rf --one-file-system "$scratch/readme"

system tests
inside tests "cd $folder && scripts/setup.sh tests" && inside tests "cd $folder && make all tests && make check-c"
check "README: what the tests need, their build, and those of the engine" $?
rm -rf --one-file-system "$scratch/tests"

system package
rm -rf "$scratch/package$folder"
scripts/debian.sh "$archive" "$scratch/package/src" >"$scratch/log"
check "the Debian source package" $?
inside package "apt-get -qq update && apt-get -qq -y --no-install-recommends install build-essential fakeroot &&
    cd $folder && apt-get -qq -y --no-install-recommends build-dep ./ && useradd --create-home builder && chown -R builder /src"
offline package "cd $folder && su builder -c 'dpkg-buildpackage -us -uc'"
check "dpkg-buildpackage, with its tests" $?
lintian --fail-on error,warning "$scratch"/package/src/*.changes >"$scratch/log" 2>&1
check "lintian" $?
system installed
cp "$scratch"/package/src/*.deb "$scratch"/package/src/*.dsc "$scratch"/package/src/*.tar.* "$scratch/installed/src"
rm -rf --one-file-system "$scratch/package"
# autopkgtest mounts no /proc by itself, which the confinement of recipes asks where a path leads.
unshare --mount --pid --fork --kill-child sh -c 'mount -t proc proc "$0/proc" && exec autopkgtest "$@" -- chroot "$0"' \
    "$scratch/installed" "$scratch"/installed/src/*.deb "$scratch"/installed/src/*.dsc >"$scratch/log" 2>&1
status=$?
grep -E '^[a-z-]+ +(PASS|FAIL)' "$scratch/log" | sed 's/^/# /'
check "the packages' tests, from an installed system (autopkgtest)" $status
inside installed "apt-get -qq update && apt-get -qq -y --no-install-recommends install /src/*.deb && apt-get -qq -y purge esker lua-esker libesker-dev libesker1 &&
    ! find / -xdev -path /src -prune -o -path /proc -prune -o -iname '*esker*' -print | grep ."
check "and no file is left when they are purged" $?
echo "1..$count"
