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
"$build/esker" "$root/tests/program/long_texts.lua" folder="$scratch/probed/in" kibibytes="${KIBIBYTES:-64}" --trust >printed 2>message
[ $? = 0 ] && grep -qx 'slow = 0' printed
check "no search in ${KIBIBYTES:-64} KiB of anything takes a time that grows with its square" $?

lua5.4 -e 'for i = 1, 14000 do io.write(("esker:%x\0string\0\255\255\0\0"):format(i)) end io.write(("x"):rep(70000))' \
    >attributes.exr
(ulimit -v 400000 && "$build/esker" info attributes.exr) >printed 2>message
[ $? = 0 ] && [ "$(wc -c <printed)" -lt 300000 ]
check "attributes that overlap take no more memory than the file" $?

mkdir -p swept/shares swept/runs
for i in $(seq 30); do
    echo begun >"swept/shares/1-of-1048576-$(printf %x "$i")"
done
manifest() { # manifest NAMES: of the sweep in the folder
    printf 'recipe\tx.lua\nrecipe-hash\tabc\nversion\t1\nnames\t%s\n' "$1" >swept/sweep.txt
}
manifest 'a b'
(ulimit -v 2000000 && ulimit -t 20 && "$build/esker" sweep --merge -o swept) >printed 2>message
[ $? = 1 ] && grep -q 'share 20 of 1048576 never ran, and 31457260 more$' message
check "shares that names of files claim take no time" $?
manifest 'a b a'
! "$build/esker" sweep --merge -o swept >printed 2>message && grep -q 'names a parameter twice' message
check "a sweep does not vary a parameter twice" $?
manifest "$(seq -f 'a%.0f' -s ' ' 201)"
! "$build/esker" sweep --merge -o swept >printed 2>message && grep -q 'names more than 200 parameters' message
check "a sweep varies at most 200 parameters" $?
manifest 'a b.c'
! "$build/esker" sweep --merge -o swept >printed 2>message && grep -q 'a parameter that is no name' message
check "a sweep varies parameters, which have names" $?
manifest 'a'
rm -r swept/shares
lua5.4 -e 'for i = 1, 20000 do io.write(("%x\tdone\t1\t1\t\tpa=n%d\n"):format(i, i)) end
    for i = 0, 1 do
        io.write(("fffff%d\tdone\t1\t1\t"):format(i))
        for k = 1, 999 do io.write(("\tpp%d_%d=n1\trr%d_%d=n1"):format(i, k, i, k)) end
        io.write("\n")
    end' >swept/journal
(ulimit -t 60 && "$build/esker" sweep --merge -o swept) >printed 2>message
[ $? = 0 ] && grep -q 'returned 1998 different results; the table has the 52 most frequent$' message &&
    [ "$(head -1 swept/table.csv | tr , '\n' | wc -l)" = 110 ] && [ "$(wc -l <swept/table.csv)" = 20003 ]
check "a table is not much longer than the records of its runs" $?
cat >memory.lua <<'LUA'
local runs, files = require "esker.sweep.runs", require "esker.files"
local folder, said = files.folder "swept", {}
for i, most in ipairs{ runs.most_memory, 20 << 20 } do
    runs.most_memory = most
    said["records" .. i], said["finished" .. i] = pcall(runs.records, folder), select(2, pcall(runs.finished, folder))
    said["finished" .. i] = type(said["finished" .. i])
end
said.problem = select(2, pcall(runs.records, folder))
return said
LUA
"$build/esker" memory.lua --trust >printed 2>message
[ "$(tr '\n' ';' <printed)" = "finished1 = table;finished2 = string;problem = the journals in swept have more records than fit into 20 MiB;records1 = true;records2 = false;" ]
check "the records of a sweep take a limited amount of memory" $?
for i in $(seq 40); do
    truncate -s 1M "module$i.lua"
    printf 'if false then require "module%s" end\n' "$i"
done >modules.lua
echo 'return { n = 1 }' >>modules.lua
for command in '' 'sweep -q' tiles; do
    "$build/esker" $command modules.lua >printed 2>message
    [ $? = 1 ] && [ "$(cat message)" = 'modules.lua and its modules have more than 32 MiB' ]
    check "a recipe and its modules have a size (esker $command)" $?
done
info() { # info FILE STATUS PATTERN: what esker info says
    (ulimit -t 60 && "$build/esker" info "$1") >printed 2>message
    [ $? = "$2" ] && grep -q "$3" printed message
}
unread='; not read are 204768 MiB between its first and its last 16 MiB$'
truncate -s 200G large.ply
info large.ply 1 "large.ply does not say how it was made$unread"
check "info reads both ends of a large file" $?
if [ "${KIBIBYTES:-64}" -gt 64 ]; then
    "$build/esker" info --json large.ply >printed && grep -q '"not read": "204768 MiB between' printed
    check "and says so in JSON, too" $?
fi
printf '{"Software":"Esker 9 at the end"}' >>large.ply
info large.ply 0 'made by  *Esker 9 at the end$' && ! grep -q 'not read' printed
check "what its end says is found" $?
printf '\211PNG\r\n\032\n' >large.png && truncate -s 200G large.png
info large.png 1 'large.png.: a chunk is damaged$'
check "a chunk of a PNG has a type" $?
lua5.4 -e 'local file = io.open("chunks.png", "w") file:write("\137PNG\r\n\26\n")
    for i = 1, 9 do file:write(("\0\0\0\0tEXt\0\0\0\0"):rep(1 << 17)) end'
info chunks.png 1 'chunks.png.: it has more than 1048576 chunks$'
check "a PNG has a number of chunks" $?
lua5.4 -e 'io.open("word.lua", "w"):write("return 1", ("."):rep(1 << 16))'
"$build/esker" word.lua -o . >printed 2>&1
[ "$(wc -c <printed)" -lt 5000 ] && grep -q 'word.lua:1:' printed
check "a recipe that Lua does not read is quoted in part" $?
echo "1..$count"
