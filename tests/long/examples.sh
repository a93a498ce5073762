#!/bin/sh
# Every example, every step of the tutorial and the recipe of README.md run with 20 seeds (SEEDS) at small sizes, each
# recipe for a wish as docs/wishes.md says; then every command that README.md and docs/*.md give, where they stand in
# lines that a reader can copy. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
ROOT=$PWD
. tests/support/tap.sh
. tests/support/small.sh
PATH=$PWD/${ESKER_BUILD:-build}:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/docs" && cp -r README.md examples "$scratch" && cp -r docs/*.md docs/tutorial "$scratch/docs"
ln -s "$ROOT/${ESKER_BUILD:-build}" "$scratch/build"
cd "$scratch" || exit 1
reason() { tail -3 message; }

# --- recipes -----------------------------------------------------------------------------------------------

sed -n '/^-- hills.lua/,/^```/p' README.md | sed '$d' >hills.lua
for recipe in hills.lua docs/tutorial/*.lua examples/*.lua examples/wishes/*.lua; do
    read_parameters "$recipe"
    settings=$(small_settings)
    seeds=1
    ! has_parameter seed || seeds=$(seq "${SEEDS:-20}")
    failed=
    for seed in $seeds; do
        own=
        [ "$seeds" = 1 ] || own=seed=$seed
        # shellcheck disable=SC2086 # several words, or none
        esker "$recipe" $settings $own --hash -q -o . >hashes 2>message || failed="$failed $seed"
        [ -z "$failed" ] || break
    done
    [ -z "$failed" ]
    check "$recipe${failed:+, seed$failed}" $?
done
for recipe in examples/wishes/*.lua; do
    esker "$recipe" seed=7 size=1024 -q -o wishes >hashes 2>message
    check "$recipe as docs/wishes.md says" $?
done

# --- commands of documents ---------------------------------------------------------------------------------

# Prints "PAGE<tab>COMMAND" for each command of Esker in blocks of shell, in code in a line, and in their table cells.
# Left out: those with a place for a reader's words (RECIPE, …), names of commands without arguments, what does not end
# by itself (explore, a session), and a share of a cluster's work.
cat >commands.lua <<'LUA'
local function found(page, command)
    local words = command:gsub("\\\n%s*", " "):gsub("%s+#.*$", ""):gsub("%s+", " ")
    local call = words:match("^build/esker (.*)$") or words:match("^esker (.*)$")
    local own = call and not call:find("…", 1, true) and not call:find("%f[%w]%u[%u.]+%f[%W]")
    if own and call:find("[ =]") and not call:find("^explore") and not call:find(" %-i$") and not call:find("%-%-merge") then
        print(page .. "\t" .. (call:gsub("1%.%.1000", "1..4"):gsub("1%.%.50", "1..4")))
    end
end
for _, page in ipairs(arg) do
    local file <close> = assert(io.open(page))
    local is_told = page:find("changelog") or page:find("reference") -- these name commands of no folder here
    local text = is_told and "" or "\n" .. file:read("a")
    for block in text:gmatch("\n```sh\n(.-\n)```") do
        for line in block:gsub("\\\n%s*", " "):gmatch("[^\n]+") do
            if not block:find("SBATCH", 1, true) then
                found(page, line)
            end
        end
    end
    for code in text:gsub("\n```.-\n```", "\n"):gmatch("`([^`]+)`") do
        found(page, code)
    end
end
LUA
lua5.4 commands.lua README.md docs/*.md >commands
cp examples/playable.lua my.lua
sed -i 's/suitability *= *play.suitability/score = play.suitability/; s/{ 512,/{ 64,/' my.lua
cp examples/island.lua island.lua
echo 'return { world = esker.river_map{ seed = 2 } }' >map.lua
echo 'return { filled = esker.large{ field = esker.noise{ size = 256, seed = 1 } }:fill{} }' >land.lua
sed -n '/^```lua/,/^```$/p' docs/game-world.md | sed '1d;/^```/,$d' >game-world.lua
LUA_PATH="$ROOT/tests/?.lua;;" lua5.4 -e 'local map = require "azgaar_map"
    io.open("map.json", "w"):write(map.text(map.make{ columns = 40, rows = 24 }))'
cat >known.lua <<'LUA'
esker.spectral{ size = 256, seed = 9, persistence = 0.42 }:hydraulic_erosion{ iterations = 60 }:save("known.png")
LUA
esker known.lua --trust -q 2>message
check "the model of docs/realism.md" $?
[ "$(wc -l <commands)" -gt 15 ]
check "commands are found" $?
before=
while IFS=$(printf '\t') read -r page command; do
    [ "$page" = "$before" ] || rm -rf out found
    before=$page
    eval "esker $command" >printed 2>message </dev/null
    check "$page: esker $command" $?
done <commands
echo "1..$count"
