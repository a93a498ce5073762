#!/bin/sh
# What docs/contributing.md tells a newcomer to write: its code and lines, put where it says, build without a warning and
# pass the tests that go over all operations, value types, formats and landscapes. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
find . -maxdepth 1 -mindepth 1 ! -name build ! -name '.git*' -exec cp -r {} "$scratch" \;
cd "$scratch" || exit 1
reason() { grep -a 'warning:\|error:\|not ok\|^#' log | head -20; }
unset ESKER_BUILD MAKEFLAGS MAKELEVEL
lua5.4 - <<'X' >log 2>&1
local function edit(path, change)
    local file = assert(io.open(path))
    local text = file:read("a")
    file:close()
    text = change(text)
    file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
end
local function after(path, line, new)
    edit(path, function(text)
        local _, stop = text:find(line .. "\n", 1, true)
        assert(stop, path)
        return text:sub(1, stop) .. new .. "\n" .. text:sub(stop + 1)
    end)
end
local paths = { "src/filter/quantize.c", "tests/filter/test_quantize.c", "src/section/section.h",
    "src/section/section_type.c", "src/section/section.c", "src/section/section_rise.c", "src/file/pfm.c",
    "tests/file/test_pfm.c" }
assert(os.execute("mkdir -p src/section"))
local count, landscape = 0
edit("docs/contributing.md", function(text)
    for block in text:gmatch("\n   ```c\n(.-)\n   ```") do
        count = count + 1
        local file = assert(io.open(paths[count], "w"))
        file:write((("\n" .. block):gsub("\n   ", "\n"):sub(2)), "\n")
        file:close()
    end
    assert(count == #paths and text:find(paths[#paths], 1, true))
    landscape = assert(text:match("add the row `({ %.gentle = .-},)`"))
    return text
end)
after("src/operations.h", [[    X(slope) \]], "    X(section) \\\n    X(section_rise) \\\n    X(quantize) \\")
after("src/values.h", [[    X(network) \]], [[    X(section) \]])
after("src/exchange/format_list.h", [[    X(pgm) \]], "    X(pfm) \\\n    X(section) \\")
after("src/esker.h", "typedef enum EskerKind {", "    ESKER_SECTION = 4096, ///< the heights along a row")
after("src/rivermap/operations/river_map.c", "{ .gentle = 0.05f, .steep = 0.4f },", landscape)
edit("src/rivermap/operations/river_map.c", function(text)
    return text:gsub('"islands"%)', '"islands", "downs")')
end)
for _, path in ipairs{ "examples/endless-land.lua", "src/web/tab/recipes/land.lua" } do
    edit(path, function(text) return text:gsub('"islands" }', '"islands", "downs" }') end)
end
after("docs/endless-land.md", "| `islands` | 0.05 | 0.4 | |", "| `downs` | 0.03 | 0.1 | |")
after("docs/architecture.md", "| --- | --- | --- |", "| `src/section` | sections through terrain | core |")
X
check "the text has the code of each file that it names" $?
make all >log 2>&1 && ! grep -q 'warning:' log
check "it builds without a warning" $?
build/esker help section_rise >log 2>&1 && grep -q 'section (section): the heights' log
check "help describes it" $?
build/esker help formats >log 2>&1 && grep -q '(.pfm)' log
check "and the format" $?
build/esker help river_map >log 2>&1 && grep -q '"downs"' log
check "and the landscape" $?
make generate >log 2>&1
for test in filter/test_quantize file/test_pfm program/test_serialize base/test_every_operation base/test_threads core/test_random_arguments \
    library/test_library; do
    make "build/tests/$test" >log 2>&1 && "build/tests/$test" >log 2>&1
    check "tests/$test.c" $?
done
export ESKER_BUILD=build LUA_CPATH="$scratch/build/?.so;;" LUA_PATH="$scratch/tests/?.lua;;"
for test in operations values formats wrapping module documents land; do
    lua5.4 "tests/lua/test_$test.lua" --output TAP >log 2>&1
    check "tests/lua/test_$test.lua" $?
done
for test in lists layers generated formats; do
    sh "tests/$test.sh" >log 2>&1
    ! grep -q '^not ok' log
    check "tests/$test.sh" $?
done
clang-format --dry-run --Werror src/section/*.[ch] src/filter/quantize.c src/file/pfm.c tests/filter/test_quantize.c tests/file/test_pfm.c >log 2>&1
check "the code is formatted as make format does" $?
echo "1..$count"
