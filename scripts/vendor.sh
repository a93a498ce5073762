#!/bin/sh
# Gets what the pages are built with: scripts/vendor.sh FOLDER. npm fetches it from the registry that it is set up for, and
# checks it against the hashes in src/web/package-lock.json. The plotting library of galleries comes as it is released;
# esbuild bundles what src/web/libraries names for the explorer. Where something fails its files are missing, which the
# next make tries to get again.
set -u
folder=$1
web=$(cd "$(dirname "$0")/../src/web" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go_on_without() {
    rm -f "$folder/echarts.min.js" "$folder/twgl.min.js"
    echo "esker: galleries will have no plots, and esker explore no page: $1; the rest is complete, and the next make tries again" >&2
    exit 0
}
command -v npm >/dev/null || go_on_without "npm, which fetches them, is not installed"
cp -r "$web/package.json" "$web/package-lock.json" "$web/libraries" "$scratch"
(cd "$scratch" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=30000) \
    >"$scratch/log" 2>&1 || go_on_without "npm could not fetch them ($(grep -v '^npm [a-zA-Z!]* *A complete log' "$scratch/log" | head -1))"
mkdir -p "$folder"
modules=$scratch/node_modules
# Sources, licences and notices travel with what is minified in a source archive (scripts/dist.sh).
bundle() { # NAME [OPTION]...
    name=$1
    shift
    "$modules/.bin/esbuild" "$scratch/libraries/$name.js" "$@" --bundle --format=esm --target=es2022 --legal-comments=inline --log-level=error \
        --outfile="$scratch/$name.js" && "$modules/.bin/esbuild" "$scratch/$name.js" --minify --format=esm --target=es2022 \
        --legal-comments=none --log-level=error --outfile="$scratch/$name.min.js"
}
# Calls of functions without effects, which esbuild cannot tell: shapes that nothing here draws.
sed -i 's/= \(create\(Buffer\|BufferInfo\)Func(\)/= \/* @__PURE__ *\/ \1/' "$modules"/twgl.js/dist/*/twgl-full.module.js
decoders=$scratch/libraries/decoders.js
if bundle codemirror && bundle twgl && bundle qrcode &&
    bundle geotiff --alias:lerc="$decoders" --alias:zstddec="$decoders" --alias:zstddec/stream="$decoders"; then
    for name in codemirror twgl qrcode geotiff; do
        cp "$scratch/$name.js" "$folder" && cp "$scratch/$name.min.js" "$folder/$name.min.js"
    done
    : >"$folder/LICENSES"
    for licence in "$modules"/twgl.js/LICENSE.md "$modules"/@codemirror/*/LICENSE "$modules"/@lezer/*/LICENSE "$modules"/@marijn/*/LICENSE \
        "$modules"/crelt/LICENSE "$modules"/style-mod/LICENSE "$modules"/w3c-keyname/LICENSE "$modules"/geotiff/LICENSE "$modules"/pako/LICENSE \
        "$modules"/@petamoriken/float16/LICENSE "$modules"/quick-lru/license; do
        { echo "${licence#"$modules"/}:" && cat "$licence" && echo; } >>"$folder/LICENSES"
    done
    # This one has its licence at the head of its source.
    { echo "qrcode-generator:" && sed '/^\/\//!Q' "$modules/qrcode-generator/dist/qrcode.mjs" && echo; } >>"$folder/LICENSES"
else
    rm -f "$folder/twgl.min.js"
    echo "esker: esker explore will have no page: esbuild could not bundle it" >&2
fi
# For the tests: a browser, a bundler, and what checks models and types.
cp "$modules"/@esbuild/*/bin/esbuild "$folder" || echo "esker: no esbuild for the tests" >&2
for name in playwright-core gltf-validator typescript; do
    [ ! -d "$modules/$name" ] || { rm -rf "${folder:?}/$name" && cp -r "$modules/$name" "$folder"; }
done
library=$modules/echarts
cp "$library/dist/echarts.js" "$library/LICENSE" "$library/NOTICE" "$folder"
cp "$library/dist/echarts.min.js" "$folder/echarts.min.js.new" && mv "$folder/echarts.min.js.new" "$folder/echarts.min.js"
