#!/bin/sh
# Gets the plotting library of a sweep's gallery from the npm registry, as a Lua module that gives its text:
# scripts/vendor.sh FILE. Without a network the module gives nothing, and galleries have no plots.
set -u
file=$1
version=5.5.1
sum=15c7bcba96b36805d455456c8e057a9819c6baa80ef8934395c805efd0e4b32e3ec201a9401da5998a0ee134b078583f999213769187a26c3f70d049663d6270
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$(dirname "$file")"
if curl -sSf -m 120 "https://registry.npmjs.org/echarts/-/echarts-$version.tgz" -o "$scratch/echarts.tgz" &&
    echo "$sum  $scratch/echarts.tgz" | sha512sum --check --quiet &&
    tar xzf "$scratch/echarts.tgz" -C "$scratch" package/dist/echarts.min.js; then
    { printf 'return [=====[\n' && cat "$scratch/package/dist/echarts.min.js" && printf ']=====]\n'; } >"$file"
else
    echo "scripts/vendor.sh: galleries will have no plots" >&2
    echo 'return nil' >"$file"
fi
