#!/bin/sh
# Ctrl-C ends a run within a second of processor time, in C, in Lua and in Lua's own library, with status 130 and no
# files. Prints TAP.
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/support/eventually.sh"
PATH=$root/${ESKER_BUILD:-build}:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
echo 'return { h = esker.diamond_square{ size = 1024 }:olsen_erosion{ iterations = 1000000 } }' >kernel.lua
echo 'local i = 0 while true do i = i + 1 end' >loop.lua
echo 'while true do pcall(error) end' >caught.lua
echo 'coroutine.wrap(function() while true do pcall(error) end end)()' >coroutine.lua
echo 'while true do coroutine.resume(coroutine.create(function() for i = 1, 1000 do end end)) end' >coroutines.lua
cat >closing.lua <<'X'
local waiting = coroutine.create(function()
    local endless <close> = setmetatable({}, { __close = function() while true do end end })
    coroutine.yield()
end)
coroutine.resume(waiting)
coroutine.close(waiting)
X
echo 'return { x = (("a"):rep(60)):find(("a?"):rep(60) .. ("a"):rep(60)) }' >library.lua
echo "1..11"
count=0
for recipe in kernel loop caught coroutine coroutines closing library; do
    count=$((count + 1))
    used=$(processor_time) begun=$(date +%s%N)
    esker $recipe.lua -j 1 -o out 2>message &
    eventually [ -d out ] && sleep 0.5
    kill -INT $!
    lasted=$((($(date +%s%N) - begun) / 1000000))
    wait $!
    status=$?
    took=$(($(processor_time) - used - lasted)) # since the signal
    if [ $status = 130 ] && [ $took -lt 1000 ] && [ ! -e out ] && grep -q interrupted message; then
        echo "ok $count - $recipe"
    else
        echo "not ok $count - $recipe # status $status after $took ms: $(cat message)"
    fi
done
# The time limit stops operations and Lua where they are, which is told; what notices nothing ends all the same, as does
# what gets no processor for a moment: some tries, on a busy machine.
for case in 'kernel olsen_erosion: interrupted' 'caught caught.lua:1: interrupted' \
    'coroutine coroutine.lua:1: interrupted' 'library the time limit'; do
    count=$((count + 1))
    recipe=${case%% *}
    well=no
    for _ in 1 2 3 4 5; do
        esker $recipe.lua -o out --time-limit 0.3 2>message
        status=$?
        if [ $status = 1 ] && [ ! -e out ] && grep -q "${case#* }" message &&
            grep -q 'esker: the time limit of 0.3 s is over (--time-limit)' message; then
            well=yes
            break
        fi
    done
    if [ $well = yes ]; then
        echo "ok $count - the time limit: $recipe"
    else
        echo "not ok $count - the time limit: $recipe # status $status: $(cat message)"
    fi
done
