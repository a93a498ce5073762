-- Whether the tests notice wrong code:
--     lua5.4 scripts/mutants.lua [seed=1] [from=1] [count=100] [only=src/water] [stages=3] [tests=8] [cost=40]
--         [seconds=300]
-- Draws small wrong changes over all of src and lua (a comparison turned, a constant, a sign, an index by one, a term
-- or a call dropped), makes each, and runs tests until one fails: first those that name what the file has, then the
-- examples' results and the Lua tests, then the others; `stages` of these three. In the first stage are at most `tests`
-- of a kind, which take `cost` seconds of processor time together, by the costs of the last `make check`. A test that
-- takes longer than `seconds` fails. Prints a line for each: what was changed, what noticed it, and in how many
-- seconds; at the end, how many are noticed of those that compile. The same seed draws the same changes from the same
-- sources, so that `from` and `count` cut them into slices. Most take seconds, one that nothing notices as long as
-- `make check`.
--
-- A changed file is compiled alone, and what a test needs is linked with it, once for a change. A test that cannot see
-- the change does not run.

local given = { seed = 1, from = 1, count = 100, only = "", stages = 3, tests = 8, cost = 40, seconds = 300 }
for _, word in ipairs(arg) do
    local name, value = word:match("^(%w+)=(.+)$")
    assert(name and given[name], "unknown: " .. word)
    given[name] = math.type(given[name]) == "integer" and assert(math.tointeger(tonumber(value)), word) or value
end
local build = os.getenv("ESKER_BUILD") or "build"
local twin = build .. "/mutants" -- where a change is built and tested

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
    ["tests/generated.sh"] = true, ["tests/const.sh"] = true, ["tests/install.sh"] = true,
    ["tests/plots.sh"] = true, ["tests/hardening.sh"] = true, ["tests/layers.sh"] = true }

-- With what it runs: a script in another language, the cases of the command line.
local function text_of_test(path)
    local text = read(path)
    local files = path == "tests/cli.sh" and output("git ls-files 'tests/cli/*.sh'") or text
    for name in files:gmatch("tests/[%w_/]+%.%a+") do
        local file = io.open(name, "rb")
        text = text .. (file and file:read("a") or "")
    end
    return text
end

local tests = {}
for path in output("git ls-files 'tests/*/test_*.c' 'tests/lua/test_*.lua' 'tests/*.sh'"):gmatch("[^\n]+") do
    if not left_out[path] and not path:match("^tests/%w+/.*%.sh$") then
        local kind = path:match("^tests/program/") and "program" or path:match("%.(%a+)$")
        tests[#tests + 1] = { path = path, kind = kind, text = text_of_test(path), cost = 1 }
    end
end

-- Seconds of processor time, as the last `make check` measured them.
local costs = io.open(build .. "/costs")
for line in costs and costs:lines() or function() end do
    local cost, program = line:match("^(%S+) (.*)$")
    for _, test in ipairs(tests) do
        local is_of = program == test.path or program == build .. "/" .. test.path:gsub("%.c$", "")
        test.cost = is_of and tonumber(cost) or test.cost
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
            list[#list + 1] = { test = test, weight = weight / (test.cost + 0.5) }
        end
    end
    table.sort(list, function(a, b)
        return a.weight == b.weight and a.test.path < b.test.path or a.weight > b.weight
    end)
    local near, cost, of_kind = {}, 0, { c = 0, lua = 0, sh = 0, program = 0 }
    for _, each in ipairs(list) do
        local test = each.test
        local is_cheap = cost + test.cost <= given.cost or test.path:match("test_" .. name .. "%.")
        if of_kind[test.kind] < given.tests and is_cheap then
            of_kind[test.kind] = of_kind[test.kind] + 1
            cost = cost + test.cost
            near[#near + 1] = test
        end
    end
    return near
end

-- --- one change ---------------------------------------------------------------------------------------------------

-- Tests run in a folder of links to this tree, whose `lua` and linked programs are its own.
local function make_twin()
    local links = [[
        rm -rf $twin && mkdir -p $twin/build/tests/attacks && cp -r lua $twin/lua
        for each in $(ls -A); do case $each in .git | lua | $build) ;; *) ln -s "$PWD/$each" $twin/$each ;; esac; done
        for each in $(ls $build); do
            case $each in
            esker | *.so* | libesker* | land-steps | tests | mutants | *.log) ;;
            *) ln -s "$PWD/$build/$each" $twin/build/ ;;
            esac
        done
        ln -s "$PWD/$build/tests/faults" $twin/build/tests/]]
    assert(select(2, output(("build=%s twin=%s; set -e\n%s"):format(build, twin, links))), "cannot make links")
end

local function text_of(command)
    return (output(command):gsub("%s+$", ""))
end
local flags = text_of(("cat %s/flags"):format(build)) .. " -w -Wl,--strip-debug"
local png = text_of("pkg-config --libs libpng") .. " -lz -lm"
local session = text_of("pkg-config --libs lua5.4 libseccomp")

local function objects_of(folder)
    return text_of(("ls src/%s/*.c"):format(folder)):gsub("src/([^\n]*)%.c", build .. "/obj/%1.o"):gsub("\n", " ")
end
local engine = build .. "/engine.a"
local of_module = objects_of("lua") .. (" %s/embedded.o "):format(build)
local of_program = objects_of("cli") .. " " .. of_module

local function run(command)
    return os.execute(command .. (" >%s/log 2>&1"):format(twin))
end

-- What a change is in: the engine, the "module" for Lua, the program ("cli"), or a Lua file.
local function part_of(path)
    return path:match("^lua/") or path:match("^src/lua/") and "module" or path:match("^src/cli/") and "cli" or "engine"
end

-- Compiles a changed file: the object that it replaces and its own, or nil if it does not compile.
local function compiled(path, text)
    local object = twin .. "/changed.o"
    if path:match("%.lua$") then
        local modules = text_of("ls lua/esker/*.lua lua/esker/*/*.lua | grep -v '/meta/\\|/tab/' | tr '\\n' ' '")
        write(twin .. "/" .. path, text)
        local embed = ("cd %s && lua5.4 scripts/embed.lua %s build/pages/esker/*.lua >embedded.c"):format(twin, modules)
        local source = twin .. "/embedded.c"
        return load(text) and select(2, output(embed)) and run(("%s -O0 -c %s -o %s"):format(flags, source, object))
            and { own = build .. "/embedded.o", object = object }
    end
    write(twin .. "/changed.c", text)
    local own = path:gsub("^src/(.*)%.c$", build .. "/obj/%1.o")
    return run(("%s -c %s/changed.c -o %s"):format(flags, twin, object))
        and { own = own, object = object }
end

-- How each program is linked: the changed object stands before the archive, which gives the others.
local function linking(name, head)
    local rest = ("%s %s %s"):format(head, engine, png)
    if name == "esker.so" then
        return "-shared -Wl,-z,nodelete " .. of_module .. rest
    elseif name == "esker" then
        return of_program .. rest .. " " .. session
    elseif name == "libesker.so.1" then
        return ("-shared %s -Wl,-z,muldefs -Wl,--whole-archive %s -Wl,--no-whole-archive %s"):format(head, engine, png)
    elseif name == "land-steps" then
        return "scripts/land-steps.c " .. rest
    end
    local of_test = ("%s/%s.o "):format(build, name)
    if name:match("^tests/program/") then
        return of_test .. of_program:gsub("%S+/main%.o", "") .. rest .. " -lcmocka " .. session
    end
    return of_test .. rest .. " -lcmocka"
end

local function needs_of(test)
    if test.path:match("%.c$") then
        return { (test.path:gsub("%.c$", "")) }
    end
    local list = { "esker.so" }
    local function add(name, ...)
        for _, word in ipairs{ ... } do
            if test.path:find(word, 1, true) then
                list[#list + 1] = name
            end
        end
    end
    list[2] = (test.kind == "sh" or test.text:find("ESKER_BUILD", 1, true)) and "esker" or nil
    add("libesker.so.1", "luanti", "python")
    add("land-steps", "land-steps")
    add("tests/attacks/measure", "attacks")
    return list
end

-- Links what a test needs, once for a change.
local function link(test, change)
    local head = change.object and part_of(change.path) == "engine" and change.object or ""
    for _, name in ipairs(needs_of(test)) do
        if change.linked[name] == nil then
            local command = linking(name, head):gsub("%S+", function(each)
                return each == change.own and change.object or each
            end)
            output(("mkdir -p %s/build/%s"):format(twin, name:match("(.*)/") or ""))
            change.linked[name] = run(("%s %s -o %s/build/%s"):format(flags, command, twin, name)) or false
        end
        if not change.linked[name] then
            return false
        end
    end
    return true
end

-- Whether a test can see a change.
local function sees(test, change)
    local part = part_of(change.path)
    return part == "engine" or test.kind == "program" or test.kind ~= "c"
        and (part ~= "cli" or test.kind == "sh" or test.text:find("ESKER_BUILD", 1, true))
end

-- A change may make a test wait or allocate for ever. Lua tests end with the first failure.
local function passes(test, change)
    if not link(test, change) then
        return false
    end
    local limits = ("ulimit -v 16000000; ulimit -t %d; "):format(20 + 5 * test.cost // 1)
    local environment = limits .. "export ESKER_BUILD=build LUA_CPATH=$PWD/build/?.so';;' MALLOC_PERTURB_=165"
        .. " LUA_PATH=$PWD/tests/?.lua';;' CMOCKA_MESSAGE_OUTPUT=tap"
    local program = test.path:match("%.c$") and "build/" .. test.path:gsub("%.c$", "") or test.path
    local command = test.kind == "lua" and "timeout -k 5 %d lua5.4 %s --output TAP --failure"
        or "prove -Q --exec 'timeout -k 5 %d scripts/run-test.sh' %s"
    command = ("cd %s && %s && %s >test.log 2>&1"):format(twin, environment, command:format(given.seconds, program))
    return select(2, output(command))
end

-- --- all ----------------------------------------------------------------------------------------------------------

local quick = {}
for _, test in ipairs(tests) do
    if test.path == "tests/golden.sh" or test.path:match("^tests/lua/") then
        quick[#quick + 1] = test
    end
end
make_twin()

local sound = {} -- whether a test passes without a change; known of those that have failed with one

local function is_sound(test, change)
    if sound[test] == nil then
        local text = change.path:match("%.lua$") and read(twin .. "/" .. change.path)
        if text then
            write(twin .. "/" .. change.path, read(change.path))
        end
        sound[test] = passes(test, { path = change.path, linked = {} }) or false
        if text then
            write(twin .. "/" .. change.path, text)
        end
        change.linked = {}
    end
    return sound[test]
end

-- The test that notices a change, or nil; false if it does not compile.
local function notice(change)
    local done, stages = {}, { related(change.path), quick, tests }
    local found = compiled(change.path, changed(read(change.path), change))
    if not found then
        return false
    end
    change.own, change.object, change.linked = found.own, found.object, {}
    for stage = 1, given.stages do
        for _, test in ipairs(stages[stage]) do
            if not done[test] and sound[test] ~= false and sees(test, change) then
                done[test] = true
                if not passes(test, change) then
                    if is_sound(test, change) then
                        return test.path
                    end
                    io.stderr:write(test.path, " fails without a change, and is left out\n")
                end
            end
        end
    end
    return nil
end

local next_change = draw()
local compile, noticed = 0, 0
for number = 1, given.from - 1 + given.count do
    local change = next_change()
    if number >= given.from then
        local start = os.time()
        local by = notice(change)
        if change.path:match("%.lua$") then
            write(twin .. "/" .. change.path, read(change.path))
        end
        compile = compile + (by ~= false and 1 or 0)
        noticed = noticed + (by and 1 or 0)
        local verdict = by and "noticed by " .. by or by == nil and "NOT NOTICED" or "does not compile"
        print(("%d\t%s:%d\t%s\t%s\t→\t%s\t%s\t%d s"):format(number, change.path, change.line, change.name, change.from,
            change.to, verdict, os.time() - start))
        io.stdout:flush()
    end
end
print(("%d of %d are noticed; seed %d, from %d"):format(noticed, compile, given.seed, given.from))
os.exit(noticed >= 0.95 * compile)
