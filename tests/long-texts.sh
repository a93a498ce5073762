#!/bin/sh
# What the parent, which no time limit ends, does with long texts of strangers, and so do its commands. TAP.
. "$(dirname "$0")/support/tap.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/${ESKER_BUILD:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
reason() { cat printed message 2>/dev/null | head -20; }

ulimit -t 300 # of processor time
mkdir probed
"$build/esker" "$root/tests/program/long_texts.lua" folder="$scratch/probed/in" --trust >printed 2>message
[ $? = 0 ] && grep -qx 'slow = 0' printed
check "no search in a mebibyte of anything takes a time that grows with its square" $?

lua5.4 -e 'for i = 1, 14000 do io.write(("esker:%x\0string\0\255\255\0\0"):format(i)) end io.write(("x"):rep(70000))' \
    >attributes.exr
(ulimit -v 400000 && "$build/esker" info attributes.exr) >printed 2>message
[ $? = 0 ] && [ "$(wc -c <printed)" -lt 300000 ]
check "attributes that overlap take no more memory than the file" $?
echo "1..$count"
