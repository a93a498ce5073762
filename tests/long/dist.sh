#!/bin/sh
# The source archive: complete, the same bytes wherever it is made, and built without a network. Prints TAP.
# package.sh builds it on a bare Debian.
set -u
. "$(dirname "$0")/../support/tap.sh"
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { tail -5 "$scratch/log"; }
mkdir "$scratch/bin" "$scratch/vendor"
printf '#!/bin/sh\necho no network >&2\nexit 1\n' >"$scratch/bin/npm"
chmod +x "$scratch/bin/npm"
PATH=$scratch/bin:$PATH
export PATH
! make -s BUILD="$scratch/one" vendor="$scratch/vendor" source >"$scratch/log" 2>&1 && ! ls "$scratch"/one/*.tar.gz 2>/dev/null
check "no archive without what the pages are built with" $?
# What stands for the libraries, their sources, licences and notices; newer than the rule that gets them, which is not run.
for file in twgl.min.js twgl.js codemirror.min.js codemirror.js qrcode.min.js qrcode.js geotiff.min.js geotiff.js LICENSES echarts.js LICENSE NOTICE echarts.min.js; do
    [ -e "src/web/vendor/$file" ] && cp "src/web/vendor/$file" "$scratch/vendor" || echo "window.echarts = '$file';" >"$scratch/vendor/$file"
done
make -s BUILD="$scratch/one" vendor="$scratch/vendor" source >"$scratch/log" 2>&1
check "make source" $?
archive=$(ls "$scratch"/one/esker-*.tar.gz)
tar -x -C "$scratch" -f "$archive"
tree=$(echo "$scratch"/esker-*)
[ ! -e .git ] || git ls-files | (cd "$tree" && xargs -d '\n' ls -d) >/dev/null 2>"$scratch/log"
check "what git tracks is in it" $?
(umask 077 && cd "$tree" && make -s BUILD=build source) >"$scratch/log" 2>&1 && cmp "$archive" "$tree"/build/esker-*.tar.gz >>"$scratch/log" 2>&1
check "the archive makes itself again, byte for byte" $?
(cd "$tree" && make -s BUILD=build build/pages/esker/gallery_page.lua) >"$scratch/log" 2>&1 && ! grep -q 'no plots' "$scratch/log" &&
    grep -q 'window.echarts =' "$tree/build/pages/esker/gallery_page.lua"
check "galleries built from it have plots, without a network" $?
(cd "$tree" && make -s BUILD=build build/pages/esker/explorer_page.lua) >"$scratch/log" 2>&1 && grep -q '"twgl.min.js"' "$tree/build/pages/esker/explorer_page.lua" &&
    grep -q '"index.html"' "$tree/build/pages/esker/explorer_page.lua"
check "esker explore built from it has its page" $?
mkdir "$scratch/two" && cp "$archive" "$scratch/two"
printf '#!/bin/sh\necho "No module named wheel"\n' >"$scratch/bin/python"
chmod +x "$scratch/bin/python"
version=$(basename "$archive" .tar.gz | sed 's/^esker-//')
PYTHON=$scratch/bin/python scripts/release.sh "$version" "$scratch/two" wheel >"$scratch/log" 2>&1 &&
    grep -q 'the release has no wheel: No module named wheel' "$scratch/log"
check "a release is made without a part that cannot be made here, and says so" $?
(cd "$scratch/two/dist" && sha256sum --quiet -c SHA256SUMS && [ "$(echo *)" = "SHA256SUMS $(basename "$archive")" ]) >>"$scratch/log" 2>&1
check "it has checksums" $?
! scripts/release.sh "$version" "$scratch/two" weel >"$scratch/log" 2>&1 && grep -q "no part 'weel'" "$scratch/log"
check "an unknown part is refused" $?
echo "1..$count"
