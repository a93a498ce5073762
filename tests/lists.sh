#!/bin/sh
# Every operation, value type, file format and tiling that the engine defines is in its list, and the other way round. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { cat "$scratch/differences"; }
lists() { # HEADER LIST PREFIX: the list's names are those of the symbols with the prefix
    printf '#include "%s"\n#define X(name, ...) LISTED name\n%s(X)\n' "$1" "$2" | ${CC:-cc} -E -Isrc -x c - |
        grep -o 'LISTED [a-z_0-9]*' | sed "s/LISTED /$3/" | sort >"$scratch/listed"
    nm -g --defined-only "${ESKER_BUILD:-build}/engine.a" 2>/dev/null | awk '{ print $3 }' | grep "^$3" |
        sort >"$scratch/defined"
    [ -s "$scratch/listed" ] && diff "$scratch/listed" "$scratch/defined" >"$scratch/differences"
    check "$1 lists what is called $3…" $?
}
lists operations.h ALL_OPERATIONS op_
lists values.h ALL_VALUE_TYPES type_
lists exchange/format_list.h ALL_FORMATS format_
lists rivermap/operations/tilings.h ALL_TILINGS tiling_
# C programs tell types apart by these numbers.
grep -ho '\.number = [0-9]*' src/*/*_type.c src/core/value.c | grep -o '[0-9]*' | sort -n >"$scratch/defined"
sed -n '/^typedef enum EskerKind/,/^}/s/^    ESKER_[A-Z]* = \([1-9][0-9]*\),.*/\1/p' src/esker.h | sort -n >"$scratch/listed"
diff "$scratch/listed" "$scratch/defined" >"$scratch/differences"
check "EskerKind has the number of each type, and no number twice" $?
# What a test or a helper leaves in the top folder is no part of the project.
if git ls-files --error-unmatch Makefile >/dev/null 2>&1; then
    printf '%s\n' .ci .clang-format .clang-tidy .gitignore .luacheckrc CITATION.cff LICENSE Makefile README.md docs \
        esker-0.1.0-1.rockspec examples lua scripts src tests >"$scratch/listed"
    git ls-files | sed 's|/.*||' | LC_ALL=C sort -u | diff "$scratch/listed" - >"$scratch/differences"
    check "the top folder has these names and no other" $?
else
    check "the top folder has these names and no other # SKIP no git" 0
fi
# clang-format leaves them where a text grows by a word.
grep -rnE --include='*.c' '^ *"[^" \\]+ "$' src >"$scratch/differences"
[ $? = 1 ]
check "no text has a line of one word" $?
echo "1..$count"
