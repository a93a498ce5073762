#!/bin/sh
# What depends on what: each folder of src on those that docs/architecture.md names, nothing on itself by a detour, and on
# Linux only src/core/platform_linux.c and the program.
# A folder depends on another if it includes its headers or uses its functions. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { cat "$scratch/wrong"; }
folders() { # pairs of files or modules as pairs of their folders, with an example of each
    awk '{ from = $1; to = $2; sub("/[^/]*$", "", from); sub("/[^/]*$", "", to)
           if (from != to && !seen[from, to]++) print from, to, $1, $2 }'
}
circles() { # FILE: the pairs in it that close a circle
    cut -d' ' -f1,2 "$1" | tsort 2>&1 >/dev/null | sed 's/^tsort: //' >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ]
}

find src -name '*.[ch]' | sort >"$scratch/files"
xargs grep -H '^#include "' <"$scratch/files" | sed 's/^\([^:]*\):#include "\([^"]*\)".*/\1 src\/\2/' |
    awk 'NR == FNR { file[$1] = 1; next } $2 in file' "$scratch/files" - >"$scratch/includes"

# Modules, a C file each, whose symbols another one uses; src/tab is compiled for browsers alone, src/cli/windows for Windows.
objects=${ESKER_BUILD:-build}/obj
sed -n "/^src.tab/d; /^src.cli.windows/d; s|^src/\(.*\)\.c\$|$objects/\1.o|p" "$scratch/files" | xargs nm -gA |
    sed "s|^$objects/\(.*\)\.o:|src/\1 |" | awk '{ print $1, $(NF - 1), $NF }' >"$scratch/symbols"
awk '$2 != "U" { home[$3] = $1 } { line[NR] = $0 }
     END { for (i = 1; i <= NR; i++) {
               split(line[i], word)
               to = home[word[3]]
               if (word[2] == "U" && to && to != word[1] && !seen[word[1], to]++) print word[1], to } }' \
    "$scratch/symbols" >"$scratch/uses"
sort -u "$scratch/includes" "$scratch/uses" | folders >"$scratch/folders"

# | `src/FOLDER` | … | FOLDER, FOLDER | or "all above"
awk -F'|' '/^\| `src/ { name = $2; gsub(/[` ]/, "", name); row[++rows] = name; words[name] = $4 }
    END { for (i = 1; i <= rows; i++) {
              text = words[row[i]]; gsub(/[`,;:.]/, " ", text); count = split(text, word, / +/)
              print row[i], row[i]
              for (j = 1; j <= count; j++) print row[i], "src/" word[j]
              for (j = 1; j < i && text ~ /all above/; j++) print row[i], row[j] } }' docs/architecture.md |
    sort -u >"$scratch/allowed"

sed 's/\/[^/]*$//' "$scratch/files" | sort -u | awk 'NR == FNR { row[$1] = 1; next } !($1 in row) { print $1 " has no row" }' \
    "$scratch/allowed" - >"$scratch/wrong"
[ -s "$scratch/uses" ] && [ ! -s "$scratch/wrong" ]
check "docs/architecture.md has a row for each folder" $?
awk 'NR == FNR { allowed[$1, $2] = 1; next }
     !(($1, $2) in allowed) { print $1 " may not depend on " $2 ": " $3 " does on " $4 }' \
    "$scratch/allowed" "$scratch/folders" >"$scratch/wrong"
[ ! -s "$scratch/wrong" ]
check "folders depend only on those that their rows name" $?
circles "$scratch/folders"
check "no folder depends on itself by a detour" $?
circles "$scratch/includes"
check "no header includes itself by a detour" $?
circles "$scratch/uses"
check "no module uses itself by a detour" $?
sed -n "/^src.tab/d; /^src.cli.windows/d; s|^src/\(.*\)\.c\$|$objects/\1.o|p" "$scratch/files" | xargs nm -A |
    awk '$(NF - 1) == "i" { print $NF }' | sort | uniq -d >"$scratch/wrong"
[ ! -s "$scratch/wrong" ]
check "no two kernels have one name, which clang 14 gives to the linker" $?
grep -v '^src/cli/\|^src/core/platform' "$scratch/files" |
    xargs grep -nE '_(GNU|DEFAULT)_SOURCE|<(dlfcn|sys/mman)\.h>|__linux__|O_(PATH|TMPFILE)|/(proc|sys)/|renameat2' >"$scratch/wrong"
[ ! -s "$scratch/wrong" ] && grep -q O_TMPFILE src/core/platform_linux.c
check "only src/core/platform_linux.c of the engine needs Linux" $?
echo "1..$count"
