-- Whether the tests notice wrong code: lua5.4 scripts/mutants.lua [seed=1] [from=1] [count=100] [only=src/water].
-- Draws small wrong changes over all of src and lua (a comparison turned, a constant, a sign, an index by one, a term
-- or a call dropped), makes each in a copy of this tree, builds it, and runs the tests: first those that name what the
-- file has, then the examples' results and the Lua tests, then the others. Prints a line for each: what was changed,
-- and what noticed it; at the end, how many are noticed. The same seed draws the same changes from the same sources.
-- A change takes a minute or two, one that nothing notices as long as `make check`.

local given = { seed = 1, from = 1, count = 100, only = "" }
for _, word in ipairs(arg) do
    local name, value = word:match("^(%w+)=(.+)$")
    assert(name and given[name], "seed=, from=, count= or only= is expected, got " .. word)
    given[name] = math.type(given[name]) == "integer" and assert(math.tointeger(tonumber(value)), word) or value
end
local build = os.getenv("ESKER_BUILD") or "build"
local copy = build .. "/mutants"

local function output(command)
    local pipe = assert(io.popen(command))
    local text = pipe:read("a")
    return text, pipe:close()
end

local function read(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read("a")
    file:close()
    return text
end

local function write(path, text)
    local file = assert(io.open(path, "wb"))
    assert(file:write(text))
    assert(file:close())
end

-- --- changes ------------------------------------------------------------------------------------------------------

local function more(digits)
    return tostring(math.tointeger(tonumber(digits)) + 1)
end
local function larger(digits)
    return ("%.6g"):format(tonumber(digits) * 1.25 + (tonumber(digits) == 0 and 0.25 or 0))
end
local function swap(a, b)
    return { { a, b }, { b, a } }
end

-- Each is a name, a pattern with an empty capture before and after what is replaced, and the replacement: a text, or a
-- function of what is replaced. Patterns rely on the formatters' spaces.
local function kinds_of(lua)
    local kinds = {}
    local function add(name, pattern, with)
        kinds[#kinds + 1] = { name = name, pattern = pattern, with = with }
    end
    local function exchange(name, a, b)
        for _, pair in ipairs(swap(a, b)) do
            add(name, " ()" .. pair[1]:gsub("%p", "%%%0") .. "() ", pair[2])
        end
    end
    exchange("comparison", "<", "<=")
    exchange("comparison", ">", ">=")
    exchange("comparison", "==", lua and "~=" or "!=")
    exchange("connection", lua and "and" or "&&", lua and "or" or "||")
    exchange("sign", "+", "-")
    exchange("truth", "true", "false")
    add("constant", "[^%w_.]()%d+()[^%w_.x]", more)
    add("constant", "[^%w_.]()%d+%.%d*()[^%w_.]", larger)
    add("term", "[%w_%)%]]() [+-] [%w_.]+()[%s;,)]", "")
    add("index", "%[[%w_.]+()()%]", " + 1")
    if not lua then
        exchange("sign", "+=", "-=")
        add("bound", "[^%w_]()min()%(", "max")
        add("bound", "[^%w_]()max()%(", "min")
        add("constant", "[^%w_.]()%d+%.%d*()f[^%w_.]", larger)
        add("truth", "[^%w_]()!()[%w_]", "")
        add("call", "^    %s*()[%a_][%w_]*%([^=]*%);()$", ";")
    end
    return kinds
end
local kinds = { c = kinds_of(false), lua = kinds_of(true) }

-- The line with texts and comments as blanks of the same length, so that nothing in them is changed.
local function code_of(line, lua)
    local function blank(text)
        return text:sub(1, 1) .. ("\1"):rep(#text - 2) .. text:sub(-1)
    end
    line = line:gsub('\\.', "\1\1"):gsub('"[^"]*"', blank):gsub("'[^']*'", blank)
    local comment = line:find(lua and "--" or "//", 1, true)
    return comment and line:sub(1, comment - 1) .. ("\1"):rep(#line - comment + 1) or line
end

-- All changes that a file allows, as { line, first, last, with, name }.
local function changes_of(path)
    local lua, list, number = path:match("%.lua$") ~= nil, {}, 0
    local long = false -- within a long text or comment
    for line in (read(path) .. "\n"):gmatch("(.-)\n") do
        number = number + 1
        local code = code_of(line, lua)
        if lua and line:find("[[", 1, true) then
            long = true
        end
        if line:match("^%s") and not code:match("^%s*#") and not long then
            for _, kind in ipairs(kinds[lua and "lua" or "c"]) do
                local at = 1
                while true do
                    local found, _, first, past = code:find(kind.pattern, at)
                    if not found then
                        break
                    end
                    local text = code:sub(first, past - 1)
                    local with = type(kind.with) == "function" and kind.with(text) or kind.with
                    list[#list + 1] = { line = number, first = first, last = past - 1, with = with, name = kind.name }
                    at = math.max(past, found + 1)
                end
            end
        end
        if long and line:find("]]", 1, true) then
            long = false
        end
    end
    return list
end

-- Folders are drawn by the roots of how much they allow, so that small ones are seen too; then a kind of change, so
-- that constants, which are many, leave room for others.
local function draw()
    local folders, by_folder, sum = {}, {}, 0
    for path in output("git ls-files 'src/*.c' 'lua/*.lua'"):gmatch("[^\n]+") do
        local wanted = path:sub(1, #given.only) == given.only and not path:match("^lua/esker/meta/")
        local changes = wanted and changes_of(path) or {}
        if #changes > 0 then
            local folder = path:match("^(.*)/")
            if not by_folder[folder] then
                by_folder[folder] = { count = 0, kinds = {} }
                folders[#folders + 1] = by_folder[folder]
            end
            local here = by_folder[folder]
            here.count = here.count + #changes
            for _, change in ipairs(changes) do
                change.path = path
                local same = here.kinds[change.name]
                if not same then
                    same = {}
                    here.kinds[change.name] = same
                    here.kinds[#here.kinds + 1] = same
                end
                same[#same + 1] = change
            end
        end
    end
    assert(#folders > 0, "nothing in " .. given.only .. " can be changed")
    for _, folder in ipairs(folders) do
        sum = sum + math.sqrt(folder.count)
    end
    math.randomseed(given.seed)
    return function()
        local at, chosen = math.random() * sum, folders[#folders]
        for _, folder in ipairs(folders) do
            at = at - math.sqrt(folder.count)
            if at < 0 then
                chosen = folder
                break
            end
        end
        local same = chosen.kinds[math.random(#chosen.kinds)]
        return same[math.random(#same)]
    end
end

local function changed(text, change)
    local number = 0
    return (text:gsub("[^\n]*", function(line)
        number = number + 1
        if number == change.line then
            change.from = line:match("^%s*(.-)%s*$")
            line = line:sub(1, change.first - 1) .. change.with .. line:sub(change.last + 1)
            change.to = line:match("^%s*(.-)%s*$")
            return line
        end
    end))
end

-- --- tests --------------------------------------------------------------------------------------------------------

-- As prove runs them in `make check`, but for those that build anew or take the tree itself for granted.
local left_out = { ["tests/coverage.sh"] = true, ["tests/builds.sh"] = true, ["tests/fuzz.sh"] = true,
    ["tests/dist.sh"] = true, ["tests/generated.sh"] = true, ["tests/const.sh"] = true }
local tests = {}
for path in output("git ls-files 'tests/*/test_*.c' 'tests/lua/test_*.lua' 'tests/*.sh'"):gmatch("[^\n]+") do
    if not left_out[path] and not path:match("^tests/long/") and not path:match("^tests/support/") then
        local program = path:match("%.c$") and build .. "/" .. path:gsub("%.c$", "")
        tests[#tests + 1] = { path = path, run = program or path, text = read(path) }
    end
end

-- Those that name the file's module, its functions or its operations.
local function related(path)
    local name = path:match("([^/]*)%.%a+$")
    local words = { name }
    for operation in read(path):gmatch("const Operation op_([%w_]+)") do
        words[#words + 1] = operation
    end
    for called in read(path):gmatch("\n[%a][%w_ ]*[ *]([%a_][%w_]*)%([^\n]*%) {") do
        words[#words + 1] = called
    end
    local list = {}
    for _, test in ipairs(tests) do
        local weight = test.path:match("test_" .. name .. "%.") and 100 or 0
        for _, word in ipairs(words) do
            if test.text:find("%f[%w_]" .. word .. "%f[^%w_]") then
                weight = weight + 1
            end
        end
        if weight > 0 then
            list[#list + 1] = { test = test, weight = weight }
        end
    end
    table.sort(list, function(a, b)
        return a.weight == b.weight and a.test.path < b.test.path or a.weight > b.weight
    end)
    local first = {}
    for i = 1, math.min(#list, 10) do
        first[i] = list[i].test
    end
    return first
end

local environment = ('ESKER_BUILD=%s LUA_CPATH="$PWD/%s/?.so;;" LUA_PATH="$PWD/tests/?.lua;;"'):format(build, build)

-- The tests that fail of these, of which `done` says which have run.
local function failing(list, done)
    local names = {}
    for _, test in ipairs(list) do
        if not done[test] then
            done[test] = true
            names[#names + 1] = test.run
        end
    end
    if #names == 0 then
        return {}
    end
    local command = "cd %s && %s CMOCKA_MESSAGE_OUTPUT=tap timeout -k 5 1200 prove -j$(nproc) --exec"
        .. " scripts/run-test.sh %s 2>&1"
    local report, ok = output(command:format(copy, environment, table.concat(names, " ")))
    local list_of = {}
    for failed in report:gmatch("\n([^\n ]+) +%(Wstat") do
        list_of[#list_of + 1] = failed
    end
    if not ok and #list_of == 0 then
        list_of[1] = "it does not end, or ends everything"
    end
    return list_of
end

local function make()
    local command = "cd %s && make -s -j$(nproc) BUILD=%s all tests >make.log 2>&1"
    return select(2, output(command:format(copy, build)))
end

-- --- all ----------------------------------------------------------------------------------------------------------

output(("mkdir -p %s && find . -maxdepth 1 -mindepth 1 ! -name %s ! -name '.git' -exec cp -r {} %s \\; &&"
    .. " mkdir -p %s/%s && cp -r %s/vendor %s/%s"):format(copy, build, copy, copy, build, build, copy, build))
assert(make(), "the tree does not build: " .. copy .. "/make.log")
local whole = {}
for _, failed in ipairs(failing(tests, {})) do
    whole[failed] = true
    io.stderr:write(failed, " fails without a change, and is left out\n")
end
for i = #tests, 1, -1 do
    if whole[tests[i].run] then
        table.remove(tests, i)
    end
end
local quick = {}
for _, test in ipairs(tests) do
    if test.path == "tests/golden.sh" or test.path:match("^tests/lua/") then
        quick[#quick + 1] = test
    end
end

local next_change = draw()
local number, noticed = 0, 0
while number < given.from - 1 + given.count do
    local change = next_change()
    local path = copy .. "/" .. change.path
    local text = read(path)
    local skip = number < given.from - 1
    write(path, changed(text, change))
    local done, by = {}, nil
    -- What the compiler refuses is not counted, so that it is built also where it is skipped.
    if make() then
        number = number + 1
        for _, list in ipairs(skip and {} or { related(change.path), quick, tests }) do
            by = failing(list, done)
            if #by > 0 then
                break
            end
        end
    end
    write(path, text)
    if by then
        local verdict = #by > 0 and "noticed by " .. table.concat(by, ", ") or "NOT NOTICED"
        noticed = noticed + (#by > 0 and 1 or 0)
        print(("%d\t%s:%d\t%s\t%s\t→\t%s\t%s"):format(number, change.path, change.line, change.name, change.from,
            change.to, verdict))
        io.stdout:flush()
    end
end
print(("%d of %d are noticed; seed %d, from %d"):format(noticed, given.count, given.seed, given.from))
os.exit(noticed >= 0.95 * given.count)
