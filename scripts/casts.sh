#!/bin/sh
# Fails and lists them if there are casts from floating point to whole numbers in src but those of core/whole.h.
# Part of `make lint`, which gives the compiler's flags.
cd "$(dirname "$0")/.." || exit 1
clang-query -c 'set output diag' \
    -c 'match castExpr(hasCastKind("CK_FloatingToIntegral"), unless(isExpansionInSystemHeader()), unless(isExpansionInFileMatching("core/whole.h")))' \
    "${@:?files, --, flags}" >"${TMPDIR:-/tmp}/casts.$$" 2>&1
grep -A1 '"root" binds here' "${TMPDIR:-/tmp}/casts.$$" && found=1 || found=0
tail -1 "${TMPDIR:-/tmp}/casts.$$" | grep -q "match" || found=2 # it has not run to its end
rm -f "${TMPDIR:-/tmp}/casts.$$"
exit $found
