#!/bin/sh
# A recipe's process and the one that started it: what passes between them, and what reaches the terminal. Prints TAP.
. "$(dirname "$0")/support/tap.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/${ESKER_BUILD:-build}
PATH=$build:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export MALLOC_PERTURB_=165 # as scripts/run-test.sh, for a run by hand
mkdir out
reason() { head -c 600 printed message 2>/dev/null | cat -v; }
session() { # LINES …: in a session that reads them from a pipe
    printf '%s\n' "$@" | esker -o out >printed 2>message
}
same() { [ "$(cat "$1")" = "$2" ]; }

# --- the answer, whatever the collector does meanwhile ---
cat >garbage.lua <<'X'
for i = 1, 4e5 do local _ = { i } end
local p = params{ seed = 1 }
for i = 1, 4e5 do local _ = { i } end
return { n = p.seed, land = esker.spectral{ size = 64, seed = p.seed } }
X
session 'r = run("garbage.lua")' 'print(r.n, r.land.width)'
[ $? = 0 ] && same printed '1	64' && [ ! -s message ]
check "garbage of a recipe does not disturb its answer" $?
esker garbage.lua -i --graphics=none </dev/null >printed 2>message && grep -q 'n = 1' printed
check "nor that of a recipe that a session begins with" $?
esker sweep garbage.lua seed=1..2 -o swept -q >printed 2>message && [ "$(grep -c ',done,' swept/table.csv)" = 2 ]
check "nor the parameters that it declares" $?

# A file of the parent's, collected in its child, closes no file that the child has opened since.
cat >inherited.lua <<'X'
local process, files = require "esker.process", require "esker.files"
local inherited = { files.open("garbage.lua"), files.open("garbage.lua") }
return { text = process.call({ read = { "inherited.lua" } }, function()
    local opened = {}
    for i = 1, 4 do opened[i] = assert(files.open("inherited.lua")) end
    inherited = nil
    collectgarbage()
    for i = 1, 4 do assert(opened[i]:read(1)) end
    return "read"
end) }
X
[ "$(esker inherited.lua --trust -q 2>message)" = 'text = read' ]
check "nor the files that a recipe opens" $?

# --- what is no message ---
echo 'error({ usage = {} }, 0)' >table.lua
echo 'error(setmetatable({}, { __index = function() while true do end end, __tostring = function() return {} end }), 0)' >object.lua
echo 'error(print, 0)' >function.lua
echo 'error(nil, 0)' >nil.lua
echo 'error({ usage = "mine" }, 0)' >usage.lua
echo 'error(("x"):rep(1e6), 0)' >long.lua
session 'run("table.lua")' 'run("object.lua")' 'run("function.lua")' 'run("nil.lua")' 'run("usage.lua")' 'run("long.lua")' 'print("alive")'
same printed alive && [ "$(sed -n 1,5p message)" = "table.lua: the recipe raised an error that is not a string, but a table
object.lua: the recipe raised an error that is not a string, but a table
function.lua: the recipe raised an error that is not a string, but a function
nil.lua: the recipe raised an error that is not a string, but a nil
mine" ] && [ "$(wc -l <message)" = 6 ] && [ "$(wc -c <message)" -lt 5000 ]
check "a session outlives errors that are not strings" $?
cat >odd.lua <<'X'
local p = params{ seed = 1 }
error(({ { usage = {} }, setmetatable({}, { __tostring = function() return {} end }), print, { usage = "mine" } })[p.seed], 0)
X
esker sweep odd.lua seed=1..4 -o odd -q >printed 2>message
[ $? = 1 ] && [ "$(grep -c ',failed,.*raised an error that is not a string' odd/table.csv)" = 3 ] && grep -q ',failed,.*,mine,' odd/table.csv
check "a sweep records them" $?

# --- the program's own table of functions is not the recipe's ---
cat >poison.lua <<'X'
local p = params{ seed = 1 }
for name, value in pairs(esker) do
    if type(value) == "function" then esker[name] = function() return 0 / 0 end end
end
for name in pairs(esker.palettes) do esker.palettes[name] = nil end
for _, t in ipairs{ string, table, math, os, utf8, coroutine } do
    for name in pairs(t) do t[name] = function() return 0 / 0 end end
end
return { n = p.seed }
X
timeout 60 esker sweep poison.lua seed=1..3 -o poison -q >printed 2>message
[ $? = 0 ] && [ "$(grep -c ',done,[0-9.]*,' poison/table.csv)" = 3 ] && ! grep -qi nan poison/table.csv poison/journal
check "a recipe that replaces esker's functions steers nothing" $?
cat >forged.lua <<'X'
local p = params{ seed = 1 }
local text = setmetatable({}, { __tostring = function() return "x\tr{forged}=n2\nforged" end, __name = "number" })
return setmetatable({ a = p.seed, b = text, ["\27]0;c"] = 1 }, { __pairs = function() return next, { a = 1 } end })
X
esker sweep forged.lua seed=1 -o forged -q >printed 2>message
[ $? = 1 ] && grep -q '^1,failed,.*results are plain tables, without a metatable' forged/table.csv && [ "$(wc -l <forged/journal)" = 1 ]
check "metatables of results forge no record" $?
tab=$(printf '\t')
for line in "done${tab}nan${tab}1${tab}" "done${tab}1${tab}inf${tab}" "mine${tab}1${tab}1${tab}" "done${tab}1${tab}1${tab}${tab}ra=nx" \
    "done${tab}1${tab}1${tab}${tab}ra=bmaybe" "done${tab}1${tab}1${tab}${tab}r<b>=n1" "done${tab}1${tab}1${tab}${tab}ra=z1"; do
    printf 'ffff\t%s\n' "$line"
done >lines
cat >sendforged.lua <<'X'
local p = params{ seed = 1 }
local n = 0
for line in io.lines("lines") do
    n = n + 1
    if n == p.seed then
        local _, _, folder = io.popen("ls -d sent/unfinished/*"):read("a"):find("(%S+)")
        local file = io.open(folder .. "/record", "w")
        file:write(line, "\n")
        file:close()
    end
end
os.exit(0, false)
X
timeout 60 esker sweep sendforged.lua seed=1..7 --trust -j 1 -o sent -q >printed 2>message
[ $? = 1 ] && [ "$(grep -c ',crashed,.*ended without a result' sent/table.csv)" = 7 ]
check "records that cannot be are not believed" $?

echo 'return { ["end"] = 1, n = 2 }' >keyword.lua
echo 'save_session("saved.lua")' | esker keyword.lua -i --graphics=none >printed 2>message
[ "$(esker saved.lua -q 2>message)" = 'n = 2' ]
check "a result that is called as a word of Lua's leaves the saved recipe whole" $?

# --- what it takes ---
cat >shared.lua <<'X'
local text, results = ("x"):rep(2 ^ 20), {}
for i = 1, 1000 do results["n" .. i] = text end
return results
X
echo "run('shared.lua')" >lines
"$build/tests/attacks/measure" report "$build/esker" --memory-limit 32 <lines >printed 2>message
read -r status took kibibytes <report
same message 'the results exceed the memory limit (--memory-limit)' && [ "$kibibytes" -lt 98304 ]
check "an answer larger than the recipe's memory is refused" $?
# As a process would that got out of hand: few bytes, of which many tables are made.
cat >hollow.lua <<'X'
for n = 3, 20 do
    local file = io.open("/proc/self/fd/" .. n, "r+b")
    if file then
        file:write("t{")
        for i = 1, 600000 do file:write(("<c1i8"):pack("i", i), "{}") end
        file:write("}")
        file:close()
    end
end
os.exit(0, false)
X
echo "run('hollow.lua')" >lines
"$build/tests/attacks/measure" report "$build/esker" --memory-limit 32 --trust <lines >printed 2>message
read -r status took kibibytes <report
same message 'the results exceed the memory limit (--memory-limit)' && [ "$kibibytes" -lt 98304 ]
check "so is one of which more is made than it takes" $?
echo 'local p = params{ seed = 1 } return { s = ("x"):rep(p.seed) }' >fat.lua
esker sweep fat.lua seed=60000,70000 -o fat -q >printed 2>message
[ $? = 0 ] && grep -q '^60000,.*,done,' fat/table.csv && grep -q '^70000,,failed,.*its results take 70[0-9]* bytes; a table takes 65536 of a run' fat/table.csv
check "a run's line of the table takes at most 64 KiB" $?

# --- the terminal ---
cat >bad.lua <<'X'
return "\27]0;T\7\27[31m\xC2\x9b31m\x9b32m\u{202E}\u{2066}\u{2028}\u{FEFF}\xff\xC0\x9b" -- and, \127
X
cat >said.lua <<'X'
local bad = require "bad"
local p = params{ mode = { "a", choices = { "a", bad }, doc = bad }, way = 0 }
print(bad)
local tries = { function() error(bad, 0) end, function() error({ usage = bad }, 0) end, function() return _G[bad] end,
    function() esker.spectral{ [bad] = 1 } end, function() esker.load(bad) end, function() require(bad) end,
    function() esker.spectral{ size = 8 }:relief{ palette = bad } end, function() return p[bad] end,
    function() params{ [bad] = 1 } end }
if p.way > 0 then tries[p.way]() end
return { text = bad, inner = { text = bad } }
X
: >all
for way in 0 1 2 3 4 5 6 7 8 9; do
    for option in '' --json; do esker said.lua way=$way $option >>all 2>&1; done
done
esker said.lua mode="$(printf '\033[31m\302\233')" >>all 2>&1
esker help said.lua >>all 2>&1
esker help "$(printf 'spectr\033[31m')" >>all 2>&1
esker "$(printf 'none\033[31m.lua')" >>all 2>&1
esker "$(printf -- '--none\033[31m')" >>all 2>&1
esker -o out "$(printf -- '-\033[31m')" >>all 2>&1
esker info "$(printf 'none\033[31m.png')" >>all 2>&1
esker sweep said.lua way=0..9 -o said >>all 2>&1
esker sweep said.lua "mode=a,$(printf '\302\233')" -o said2 --dry-run >>all 2>&1
esker table said >>all 2>&1
printf '%s\n' 'run("said.lua")' 'r = run("said.lua")' 'r' 'r.inner' 'r.text' '{ r.text, [r.text] = r.text, [print] = 1, [{}] = 2 }' 'print(r.text)' \
    'error(r.text)' 'run("said.lua", { way = 2 })' 'run(r.text)' 'help(r.text)' 'save_session(r.text .. "/x")' \
    'esker.spectral{ [r.text] = 1 }' | esker --graphics=none -o out >>all 2>&1
iconv -f UTF-8 -t UTF-8 all >/dev/null 2>message &&
    ! LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xC2[\x80-\x9F]|\xE2\x80[\x8B-\x8F\xA8-\xAE]|\xE2\x81[\xA0-\xAF]|\xEF\xBB\xBF' all >printed &&
    [ "$(grep -ac '?\]0;T??\[31m?31m?32m????' all)" -gt 30 ]
check "no command to the terminal passes, wherever a recipe says it" $?
esker said.lua --json 2>message | lua5.4 -e 'local text = io.read("a")
    assert(text == "{\"inner.text\": " .. ("%q, \"text\": %q}\n"):rep(1):gsub("%%q", function() return "\"\\u001b]0;T\\u0007\\u001b[31m\\u009b31m\\ufffd32m\\u202e\\u2066\\u2028\\ufeff\\ufffd\\ufffd\\ufffd\"" end))'
check "in JSON it is escaped, and what is not UTF-8 is U+FFFD" $?

# --- the same bytes in every run ---
cat >messages.lua <<'X'
local said = {}
local function try(...) said[#said + 1] = tostring(select(2, pcall(...))):sub(1, 100) end
local keys = {}
for i = 1, 20 do keys["k" .. i] = i end
keys[1], keys[{}], keys[print] = 1, 1, 1
try(params, { a = keys })
try(params, { b = {}, a = {}, c = {} })
try(params, keys)
keys[1], keys[{}] = nil, nil
local names = {}
for i = 1, 20 do names["k" .. i] = i end
try(esker.field, names)
try(esker.field, { size = {} })
try(esker.spectral, { size = 8, seed = {} })
try(esker.spectral, names)
try(function() return _G[{}] end)
try(require, {})
try(function() return esker.spectral{ size = 8 }:relief{ palette = "alpin" } end)
try(function() return esker.spectral{ size = 8 }:relief{ palette = "gras" } end)
local p = params{ a = 1, b = 2 }
try(function() return p[{}] end)
try(function() p[{}] = 1 end)
local seed = 0
for c in table.concat(said):gmatch(".") do seed = (seed * 31 + c:byte()) % 1000003 end
return { seed = seed, said = table.concat(said, "|"), land = esker.spectral{ size = 16, seed = seed } }
X
for _ in 1 2 3 4 5 6 7 8; do esker messages.lua --hash; done 2>message | sort | uniq -c >printed
[ "$(wc -l <printed)" = 3 ] && [ "$(grep -c '^ *8 ' printed)" = 3 ]
check "messages are the same in every run" $?

# --- what the parent reads is a stranger's, too ---
{ echo 'return { n = 1 } --[[ require'; head -c 2000000 /dev/zero | tr '\0' ' '; echo ']]'; } >spaces.lua
[ "$(timeout 60 esker spaces.lua -q)" = "n = 1" ]
check "text that names no module after require takes no time" $?
truncate -s 40G huge.lua && mkfifo pipe.lua && mkdir folder.lua deep
ln -s /proc/self/pagemap deep/pages.lua && echo 'return { n = 1 } -- require "pages"' >deep/linked.lua
echo 'return { n = 1, h = esker.spectral{ size = 8 } }' >here.lua && esker here.lua -q -o out >printed && rm here.lua && truncate -s 40G here.lua
cp -r swept holes && truncate -s 40G holes/journal
cp -r swept wide && truncate -s 2M wide/sweep.txt
measured() { # STATUS PATTERN WORDS…: the program ends with the status, says the pattern, and stays below 128 MiB
    wanted=$1 pattern=$2
    shift 2
    timeout 60 "$build/tests/attacks/measure" report "$build/esker" "$@" </dev/null >printed 2>message
    read -r status took kibibytes <report
    [ "$status" = "$wanted" ] && cat message printed | grep -q "$pattern" && [ "$kibibytes" -lt 131072 ]
    check "$*: $pattern" $?
}
measured 2 "cannot read.*'huge.lua': it is larger than 16384 KiB" huge.lua --memory-limit 64
measured 2 "cannot read.*'huge.lua': it is larger than 16384 KiB" help huge.lua
measured 2 "cannot read.*'pipe.lua' in .*: it is not a plain file" pipe.lua
measured 2 "cannot read.*'folder.lua' in .*: Is a directory" folder.lua
measured 0 'since then   here.lua cannot be read' info out/h.png
measured 1 "cannot read 'holes/journal': a line is longer than 4096 KiB" table holes
measured 1 "cannot read 'wide/sweep.txt': it is larger than 1024 KiB" table wide
declares() { # PATTERN DECLARATION: an error of the recipe's process that names it
    echo "params{ a = 1, $2 }" >declared.lua
    measured 1 "$1" help declared.lua --memory-limit 64
}
declares 'b: doc has 1001 bytes, at most 1000' 'b = { 1, doc = ("x"):rep(1001) }'
declares 'b: it has 101 choices, at most 100' 'b = { 1, choices = (function() local t = {} for i = 1, 101 do t[i] = i end return t end)() }'
declares 'b: a choice has at most 100 bytes, got one of 101' 'b = { "x", choices = { "x", ("x"):rep(101) } }'
declares 'the default of b has 4097 bytes, at most 4096' 'b = ("x"):rep(4097)'
declares 'a name has at most 100 bytes, got one of 101' '[("x"):rep(101)] = 1'
echo 'local t = {} for i = 1, 201 do t["a" .. i] = i end params(t)' >many.lua
measured 1 'at most 200 parameters, got 201' help many.lua
printf 'params{ a = { "\377", doc = "\377 b \377" } }' >invalid.lua
measured 0 '? b ?; a string' help invalid.lua
measured 0 'n = 1' deep/linked.lua --trust

# --- threads and stacks ---
echo 'local p = params{ seed = 1 } local n = esker.threads(64) local h = esker.spectral{ size = 1024 } return { n = n, still = esker.threads() }' >threads.lua
[ "$(esker threads.lua -j 1 -q)" = "n = 1
still = 1" ] && [ "$(esker threads.lua -j 3 -q)" = "n = 3
still = 3" ] && esker sweep threads.lua seed=1..2 -j 2 -o threads -q && [ "$(grep -c '^[12],1,1,done' threads/table.csv)" = 2 ]
check "a recipe has the threads that -j says, one in a sweep" $?
[ "$(esker threads.lua -q)" = "n = $(nproc)
still = $(nproc)" ]
check "without -j at most one for each processor" $?
cat >stack.lua <<'X'
local function deep(n) return n == 0 and "" or ("x"):gsub("x", function() return deep(n - 1) end) end
pcall(deep, 190)
return { n = 1, height = (esker.river_map{ seed = 1, land = "raw" }:render{ size = 64 }) }
X
(ulimit -s 256 && esker stack.lua -q -o out && esker stack.lua -q -j 4 -o out && echo "run('stack.lua').n" | esker) >printed 2>message
[ $? = 0 ] && [ "$(tail -1 printed)" = 1 ]
check "a small ulimit -s does not matter" $?
cat >maps.lua <<'X'
local esker = require "esker"
esker.river_map{ seed = 1 }:render{ size = 256 }
for _, tiling in ipairs{ "right", "scalene", "penrose", "sphere", "tetrahedra" } do
    local planet = tiling == "sphere" or tiling == "tetrahedra"
    local map = esker.river_map{ seed = 1, tiling = tiling, land = "raw" }
    map:render{ width = 256, height = planet and 128 or 256 }
    if tiling ~= "tetrahedra" then map:rivers{ width = 128, height = planet and 64 or 128 } end
end
print("alive")
X
(ulimit -s 256 && LUA_CPATH="$build/?.so;;" "${LUA:-lua5.4}" maps.lua) >printed 2>message
same printed alive
check "nor under a stock Lua: no map needs a large stack" $?

# --- coroutines, whose functions are the program's own ---
cat >coroutines.lua <<'X'
local function boom() error("boom") end
local function closed(text) return setmetatable({}, { __close = function() print(text) end }) end
local co = coroutine.create(function(a)
    local variable <close> = closed("closed")
    print(a, coroutine.yield(2, 3))
end)
print(coroutine.close(coroutine.create(boom)), pcall(coroutine.close, (coroutine.running())))
print(coroutine.resume(co, 1))
print(coroutine.resume(co, 4))
print(coroutine.resume(co))
print(coroutine.resume(coroutine.create(boom)))
print(pcall(function() coroutine.wrap(function() local variable <close> = closed("wrapped"); boom() end)() end))
print(pcall(coroutine.wrap, 1))
print(pcall(coroutine.resume, 1))
for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do print(i) end
X
esker coroutines.lua >printed 2>message
same printed "true	false	cannot close a running coroutine
true	2	3
1	4
closed
true
false	cannot resume dead coroutine
false	coroutines.lua:1: boom
wrapped
false	coroutines.lua:12: coroutines.lua:1: boom
false	bad argument #1 to 'coroutine.wrap' (function expected, got number)
false	bad argument #1 to 'coroutine.resume' (thread expected, got number)
1
2
3" && [ ! -s message ]
check "coroutines do as in Lua" $?
echo "1..$count"
