#!/bin/sh
# File formats in the program: completion, and what `esker info` tells of a file of each. Prints TAP.
. "$(dirname "$0")/support/tap.sh"
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=$root/${ESKER_BUILD:-build}:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
reason() { head -c 900 printed message 2>/dev/null | cat -v; }

cat >offered.lua <<'X'
local completion, file_formats = require "esker.help.completion", require "esker.file.formats"
local function offered(before, globals)
    local list = {}
    for i, name in ipairs((completion.candidates(before, globals or {}))) do
        list[i] = name:match("%.(%w+)$")
    end
    table.sort(list)
    return table.concat(list, " ")
end
-- Those of a set of endings that begin so, in a line.
local function beginning(start, set)
    local list = {}
    for _, ending in ipairs(require "esker.names"(set)) do
        list[#list + 1] = ending:sub(1, #start) == start and ending or nil
    end
    return table.concat(list, " ")
end
local read, written = file_formats.endings(file_formats.is_read), file_formats.endings(file_formats.is_written)
local function of(kind)
    return file_formats.endings(function(format) return file_formats.writes(format, kind) end)
end
os.execute "mkdir all"
for ending in pairs(file_formats.endings()) do
    io.open("all/a." .. ending, "w"):close()
end
io.open("all/a.none", "w"):close()
local land = esker.noise{ size = 64 }
local net = land:rivers_from_flow{ threshold = 0.1 }
local function same(got, wanted)
    return got == wanted or error(("%s, not %s"):format(got, wanted))
end
same(offered('esker.load("all/'), beginning("", read))
same(offered('esker.load("all/a.t'), beginning("t", read))
same(offered('land:save("all/new.p', { land = land }), beginning("p", of "field"))
same(offered('land:save("all/new.p'), beginning("p", written))
same(offered('net:save("all/new.', { net = net }), beginning("", of "network"))
same(offered('esker.save(net, "all/a.g', { net = net }), beginning("g", of "network"))
same(offered('large:save("all/new.', { large = esker.large{ field = land } }),
    beginning("", file_formats.endings(function(format) return format.writes and format.larger_than_memory end)))
assert(read.png and read.hgt and not read.svg and written.svg and of("network").gpkg and not of("network").png)
return { n = 1 }
X
esker --trust offered.lua >printed 2>message && grep -q 'n = 1' printed
check "Tab after load( and save( offers the endings that are declared" $?

cat >made.lua <<'X'
local land = esker.noise{ width = 32, height = 30, seed = 3, wrap = false }
land.frame = { x = 733975, y = 3469995, cell = 30, system = "EPSG:26916", unit = "m" }
local values = { field = land, image = land:relief{}, network = land:rivers_from_flow{ threshold = 0.1 },
    mesh = land:mesh{}, points = land:scatter{}, lines = land:longest_flow_path{},
    polygons = land:terrace{ steps = 3 }:polygonize{} }
for _, format in ipairs(esker.formats()) do
    for _, kind in ipairs(format.writes and format.holds or {}) do
        for _, ending in ipairs(values[kind] and format.endings or {}) do
            local well, problem = pcall(function() values[kind]:save(kind .. "." .. ending) end)
            local lacks = tostring(problem):find("is not installed", 1, true)
                or tostring(problem):find("was built without", 1, true)
            assert(well or lacks, problem)
            print(well and kind .. "." .. ending or nil)
        end
    end
end
return { n = 1 }
X
esker --trust made.lua -q -o out >printed 2>message
grep '\.' printed >names
[ "$(wc -l <names)" -ge 20 ]
check "each type of value is saved in each format" $?
while read -r name; do
    expected='^recipe +made.lua|^make again +esker made.lua|^since then +the recipe is the same' number=4
    case $name in
    field*) kind=heights number=8 expected="$expected|^size +32 × 30|^cell +30 × 30|^highest +0\.|^corner +733975, 3469995" ;;
    image*) kind=colours ;;
    mesh*) kind=.*meshes ;;
    network.csv | points*csv) kind=points number=5 expected="$expected|^system +EPSG:26916" ;;
    *svg) kind='.*networks or points.*' ;;
    network*) kind=lines number=6 expected="$expected|^count +[0-9]|^system +EPSG:26916" ;;
    points*) kind=points number=6 expected="$expected|^count +[0-9]|^system +EPSG:26916" ;;
    lines*) kind=lines number=5 expected="$expected|^count +1\$" ;;
    polygons*) kind=polygons number=5 expected="$expected|^count +[0-9]" ;;
    *) kind='.*networks or points.*' ;;
    esac
    esker info "out/$name" >printed 2>message
    [ "$(grep -cE "^kind +$kind\$|$expected" printed)" = "$number" ] || { echo "$name:"; cat printed message; }
done <names >unknown
reason() { head -60 unknown; }
[ ! -s unknown ]
check "esker info tells of each what it holds, the recipe that made it, and size, range and place of heights" $?
echo "1..$count"
