-- Whether the tests notice wrong code:
--     lua5.4 scripts/mutants.lua [seed=1] [from=1] [count=100] [only=src/water] [stages=3] [tests=8] [seconds=300]
-- Draws small wrong changes over all of src and lua (a comparison turned, a constant, a sign, an index by one, a term
-- or a call dropped), makes each, and runs tests until one fails: first those that name what the file has (at most
-- `tests` in C and as many in Lua), then the examples' results and the Lua tests, then the others; `stages` of these
-- three. A test that takes longer than `seconds` fails. Prints a line for each: what was changed, and what noticed it;
-- at the end, how many are noticed of those that compile. The same seed draws the same changes from the same sources,
-- so that `from` and `count` cut them into slices. Most take seconds, one that nothing notices as long as `make check`.
--
-- A changed C file is compiled alone and linked before the engine's archive, from which its object is not taken then.
-- What that cannot do (the third stage, Lua files, the program itself) is made in a copy of this tree.

local given = { seed = 1, from = 1, count = 100, only = "", stages = 3, tests = 8, seconds = 300 }
for _, word in ipairs(arg) do
    local name, value = word:match("^(%w+)=(.+)$")
    assert(name and given[name], "seed=, from=, count=, only=, stages=, tests= or seconds= is expected, got " .. word)
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
    local text = ("%.6g"):format(tonumber(digits) * 1.25 + (tonumber(digits) == 0 and 0.25 or 0))
    return text:find("[.e]") and text or text .. ".0"
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
    local drawn = {}
    local function change()
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
    return function()
        local new
        for _ = 1, 1000 do
            new = change()
            if not drawn[new] then
                drawn[new] = true
                return new
            end
        end
        error(given.only .. " allows no more changes")
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
        words[#words + 1] = "op_" .. operation
    end
    for called in read(path):gmatch("\n[%a][%w_ ]*[ *]([%a_][%w_]*)%([^\n]*%) {") do
        words[#words + 1] = called
    end
    local weight_of = {}
    for _, word in ipairs(words) do -- the fewer tests name it, the more it says
        local naming = {}
        for _, test in ipairs(tests) do
            naming[#naming + 1] = test.text:find("%f[%w_]" .. word .. "%f[^%w_]") and test or nil
        end
        for _, test in ipairs(naming) do
            weight_of[test] = (weight_of[test] or 0) + 1 / #naming
        end
    end
    local list = {}
    for _, test in ipairs(tests) do
        local weight = (test.path:match("test_" .. name .. "%.") and 100 or 0) + (weight_of[test] or 0)
        if weight > 0 then
            list[#list + 1] = { test = test, weight = weight }
        end
    end
    table.sort(list, function(a, b)
        return a.weight == b.weight and a.test.path < b.test.path or a.weight > b.weight
    end)
    local first, of_lua = {}, {} -- tests in C are linked sooner
    for _, each in ipairs(list) do
        local to = each.test.path:match("%.c$") and first or of_lua
        to[#to + 1] = #to < given.tests and each.test or nil
    end
    return table.move(of_lua, 1, #of_lua, #first + 1, first)
end

local near <const> = build .. "/mutant" -- a changed object, and what is linked with it

local function text_of(command)
    return (output(command):gsub("%s+$", ""))
end
local flags = text_of(("cat %s/flags"):format(build))
local png = text_of("pkg-config --libs libpng") .. " -lz -lm"

local function objects_of(folder)
    return text_of(("ls src/%s/*.c"):format(folder)):gsub("src/([^\n]*)%.c", build .. "/obj/%1.o"):gsub("\n", " ")
end
local of_module = objects_of("lua") .. (" %s/embedded.o"):format(build)
local of_program = objects_of("cli") .. " " .. of_module

local function run(command)
    return os.execute(command .. (" >%s/log 2>&1"):format(near))
end

-- Whether a changed file compiles.
local function compiles(path, mutant)
    if path:match("%.lua$") then
        return load(mutant) ~= nil
    end
    write(near .. "/changed.c", mutant)
    return run(("%s -w -c %s/changed.c -o %s/changed.o"):format(flags, near, near))
end

-- Links what a test needs with a changed object in place of `own`, or with the unchanged engine where it is nil.
local function link(test, own, object)
    local function replaced(list)
        return (list:gsub("%S+", function(each) return each == own and object or each end))
    end
    local tail = ("%s %s/engine.a"):format(object and not own:match("/obj/lua/") and object or "", build)
    if test.path:match("%.c$") then
        return run(("%s %s.o %s -lcmocka %s -o %s/test"):format(flags, test.run, tail, png, near))
    elseif test.path == "tests/golden.sh" then
        local libraries = "$(pkg-config --libs lua5.4 libseccomp)"
        return run(("%s %s %s %s %s -o %s/esker"):format(flags, replaced(of_program), tail, libraries, png, near))
    end
    return run(("%s -shared -Wl,-z,nodelete %s %s %s -o %s/esker.so"):format(flags, replaced(of_module), tail, png,
        near))
end

-- Whether a test passes in a folder, with what is built in `built`. A change may make it wait or allocate for ever.
local function passes(folder, built, program)
    local environment = ("ESKER_BUILD=%s GOLDEN_PROGRAM=%s/esker LUA_CPATH=$PWD/%s/?.so';;'"):format(built, built,
        built) .. " LUA_PATH=$PWD/tests/?.lua';;' CMOCKA_MESSAGE_OUTPUT=tap"
    local prove = ("prove -Q --exec 'timeout -k 5 %d scripts/run-test.sh' %s"):format(given.seconds, program)
    local command = ("cd %s && ulimit -v 16000000 && %s %s >%s/test.log 2>&1"):format(folder, environment, prove, build)
    return select(2, output(command))
end

local function passes_near(test, own, changed_object)
    return link(test, own, changed_object)
        and passes(".", near, test.path:match("%.c$") and near .. "/test" or test.path)
end

-- The same in the copy.
local function passes_there(test)
    local what = test.path:match("%.c$") and test.run
        or ("all %s/land-steps %s/tests/attacks/measure"):format(build, build)
    local command = "cd %s && make -s -j$(nproc) BUILD=%s %s >make.log 2>&1"
    return select(2, output(command:format(copy, build, what))) and passes(copy, build, test.run)
end

local copied = false
local function make_copy()
    if not copied then
        output(("mkdir -p %s && find . -maxdepth 1 -mindepth 1 ! -name %s ! -name '.git' -exec cp -r {} %s \\; &&"
            .. " mkdir -p %s/%s && cp -r %s/vendor %s/%s"):format(copy, build, copy, copy, build, build, copy, build))
        copied = true
    end
end

-- --- all ----------------------------------------------------------------------------------------------------------

local quick = {}
for _, test in ipairs(tests) do
    if test.path == "tests/golden.sh" or test.path:match("^tests/lua/") then
        quick[#quick + 1] = test
    end
end
output("mkdir -p " .. near)

local sound = {} -- whether a test passes without a change; known of those that have failed with one

-- The first of a list of tests that fails with a change but not without.
local function failing(list, done, with, without)
    for _, test in ipairs(list) do
        if not done[test] and sound[test] ~= false then
            done[test] = true
            if not with(test) then
                if sound[test] == nil then
                    sound[test] = without(test) or false
                end
                if sound[test] then
                    return test.path
                end
                io.stderr:write(test.path, " fails without a change, and is left out\n")
            end
        end
    end
    return nil
end

local function is_near(test)
    return test.path == "tests/golden.sh" or not test.path:match("%.sh$") and not test.path:match("^tests/program/")
end

-- The test that notices a change, or nil; false if it does not compile.
local function notice(change)
    local text, done = read(change.path), {}
    local mutant, stages = changed(text, change), { related(change.path), quick, tests }
    local first = 1
    if not compiles(change.path, mutant) then
        return false
    elseif change.path:match("^src/") and not change.path:match("^src/cli/") then
        local own = change.path:gsub("^src/(.*)%.c$", build .. "/obj/%1.o")
        for stage = 1, math.min(given.stages, 2) do
            local list = {}
            for _, test in ipairs(stages[stage]) do
                list[#list + 1] = is_near(test) and test or nil
            end
            local by = failing(list, done, function(test) return passes_near(test, own, near .. "/changed.o") end,
                function(test) return passes_near(test, own, nil) end)
            if by then
                return by
            end
        end
        first = 3
    end
    for stage = first, given.stages do
        make_copy()
        local path = copy .. "/" .. change.path
        local by = failing(stages[stage], done, function(test)
            write(path, mutant)
            return passes_there(test)
        end, function(test)
            write(path, text)
            return passes_there(test)
        end)
        write(path, text)
        if by then
            return by
        end
    end
    return nil
end

local next_change = draw()
local compiled, noticed = 0, 0
for number = 1, given.from - 1 + given.count do
    local change = next_change()
    if number >= given.from then
        local by = notice(change)
        compiled = compiled + (by ~= false and 1 or 0)
        noticed = noticed + (by and 1 or 0)
        local verdict = by and "noticed by " .. by or by == nil and "NOT NOTICED" or "does not compile"
        print(("%d\t%s:%d\t%s\t%s\t→\t%s\t%s"):format(number, change.path, change.line, change.name, change.from,
            change.to, verdict))
        io.stdout:flush()
    end
end
print(("%d of %d are noticed; seed %d, from %d"):format(noticed, compiled, given.seed, given.from))
os.exit(noticed >= 0.95 * compiled)
