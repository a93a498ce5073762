#!/bin/sh
# Which module of the program's own Lua, which is not confined, opens files by their paths: only those that
# docs/trust.md lists, each with a test. All others use folders (src/cli/files.c), below which no link leads. Prints TAP.
cd "$(dirname "$0")/.." || exit 1
. tests/support/tap.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reason() { cat "$scratch/wrong"; }

calls='files[.][a-z_]+|io[.](open|lines|popen|tmpfile|input|output)|os[.](rename|remove|tmpname)|loadfile|dofile|loadlib'
calls="(^|[^[:alnum:]_.])($calls|sqlite[.](create|ask)|esker[.](info|load))|esker[.]files\"[)][.][a-z_]+|:save[(]"
calls_in() { # FILES: "module call", each once
    for file; do
        sed 's/--.*//; s/function [A-Za-z_.:]*//' "$file" | grep -oE "$calls" | sed 's/^esker.files")/files/; s/^:save(/save/; s/^[^[:alpha:]]//' |
            sed "s|^|$(echo "$file" | sed 's/[.]lua$//; s|^lua/esker/||; s|^/.*/||') |"
    done | sort -u
}
# | `module` | `call` `call` | … | `tests/…` |
awk -F'|' '/^## /{ inside = /What the program itself opens/ } inside && /^\| `/' docs/trust.md >"$scratch/rows"
awk -F'|' '{ gsub(/[` ]/, "", $2); count = split($3, call, "`"); for (i = 2; i <= count; i += 2) print $2, call[i] }' "$scratch/rows" |
    sort -u >"$scratch/listed"
calls_in lua/esker/*.lua lua/esker/[!m]*/*.lua >"$scratch/made"

comm -13 "$scratch/listed" "$scratch/made" | awk '{ print "lua/esker/" $1 ".lua calls " $2 ": open a folder (esker.output_folders, folder:open, " \
    "folder:write), or list the call in docs/trust.md with who names the path, and a test" }' >"$scratch/wrong"
[ -s "$scratch/made" ] && [ ! -s "$scratch/wrong" ]
check "only listed modules open files by their paths" $?
comm -23 "$scratch/listed" "$scratch/made" | sed 's/$/: docs\/trust.md lists it, and it is not called/' >"$scratch/wrong"
[ -s "$scratch/listed" ] && [ ! -s "$scratch/wrong" ]
check "and the list has no others" $?
awk -F'|' '{ tests = $(NF - 1); found = 0
             while (match(tests, /tests\/[a-z_\/-]+[.][a-z]+/)) { found = 1; print substr(tests, RSTART, RLENGTH); tests = substr(tests, RSTART + RLENGTH) }
             if (!found) print "no-test-of" $2 }' "$scratch/rows" | sort -u | while read -r test; do
    [ -e "$test" ] || echo "$test"
done >"$scratch/wrong"
[ ! -s "$scratch/wrong" ]
check "each has a test" $?

# What is not allowed is found, however it is written.
cat >"$scratch/other.lua" <<'LUA'
local files = require "esker.files"
local a = io.open("x"), pcall(files.write, "x", "") -- io.lines
for line in io.lines("x") do require("esker.files").names("x") end
os.rename("x", "y") os.remove("x") value:save("x")
LUA
calls_in "$scratch/other.lua" | tr '\n' ' ' >"$scratch/wrong"
[ "$(cat "$scratch/wrong")" = 'other files.names other files.write other io.lines other io.open other os.remove other os.rename other save ' ]
check "calls are found" $?
echo "1..$count"
