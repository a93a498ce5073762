-- The patterns of lua/esker: on texts made to slow each of them down, the steps of matching grow with the text's
-- length, not with its square. Steps are counted by a matcher of our own, so nothing here measures time.

local unit = require "luaunit"

-- --- a matcher that counts its steps ---------------------------------------------------------------------------------

local memory = {} -- by class, by byte: whether it matches

local function fits(class, byte)
    if byte == "" then
        return false
    end
    local known = memory[class]
    if not known then
        known = {}
        memory[class] = known
    end
    if known[byte] == nil then
        known[byte] = byte:find("^" .. class) ~= nil
    end
    return known[byte]
end

-- The pattern's items: { class =, suffix = } for a character, { kind = } for anything else.
local function items_of(pattern)
    local items, at = {}, pattern:sub(1, 1) == "^" and 2 or 1
    while at <= #pattern do
        local two = pattern:sub(at, at + 1)
        local item
        if two == "()" then
            item, at = { kind = "place" }, at + 2
        elseif two == "%b" then
            item = { kind = "balance", opens = pattern:sub(at + 2, at + 2), closes = pattern:sub(at + 3, at + 3) }
            at = at + 4
        elseif two:sub(1, 1) == "(" or two:sub(1, 1) == ")" then
            item, at = { kind = two:sub(1, 1) == "(" and "open" or "close" }, at + 1
        elseif two == "$" then
            item, at = { kind = "end" }, at + 1
        elseif two:find("^%%%d") then
            item, at = { kind = "again", number = tonumber(two:sub(2)) }, at + 2
        else
            item = { kind = two == "%f" and "frontier" or "character" }
            at = two == "%f" and at + 2 or at
            local stop = pattern:sub(at, at) == "%" and at + 1 or at
            if pattern:sub(at, at) == "[" then -- a "]" that comes first is a member
                stop = at + (pattern:sub(at + 1, at + 1) == "^" and 2 or 1)
                repeat
                    stop = stop + (pattern:sub(stop, stop) == "%" and 2 or 1)
                until pattern:sub(stop, stop) == "]"
            end
            item.class, at = pattern:sub(at, stop), stop + 1
            local suffix = item.kind == "character" and pattern:match("^[*+?-]", at)
            item.suffix, at = suffix or nil, at + (suffix and 1 or 0)
            item.class = item.class:find("^[%^$*+?-]$") and "%" .. item.class or item.class
        end
        items[#items + 1] = item
    end
    return items
end

local most_steps = 3e6
local Matcher = {}
Matcher.__index = Matcher

function Matcher:step()
    self.steps = self.steps + 1
    if self.steps > most_steps then
        error(self)
    end
end

function Matcher:fits(item, at)
    self:step()
    return fits(item.class, self.text:sub(at, at))
end

-- The place after a match of the items from number `i` on at place `s`; nil if there is none.
function Matcher:match(i, s)
    self:step()
    local item, text = self.items[i], self.text
    if not item then
        return s
    elseif item.kind == "end" then
        return s == #text + 1 and self:match(i + 1, s) or nil
    elseif item.kind == "place" then
        self.captures[#self.captures + 1] = { s, s }
        local stop = self:match(i + 1, s)
        if not stop then self.captures[#self.captures] = nil end
        return stop
    elseif item.kind == "open" then
        self.captures[#self.captures + 1] = { s }
        local stop = self:match(i + 1, s)
        if not stop then self.captures[#self.captures] = nil end
        return stop
    elseif item.kind == "close" then
        local number = #self.captures
        while self.captures[number][2] do number = number - 1 end
        self.captures[number][2] = s
        local stop = self:match(i + 1, s)
        if not stop then self.captures[number][2] = nil end
        return stop
    elseif item.kind == "again" then
        local found = text:sub(self.captures[item.number][1], self.captures[item.number][2] - 1)
        return text:sub(s, s + #found - 1) == found and self:match(i + 1, s + #found) or nil
    elseif item.kind == "balance" then
        local depth, at = 0, s
        repeat
            self:step()
            local byte = text:sub(at, at)
            if byte == item.closes and at > s then
                depth = depth - 1
            elseif byte == item.opens then
                depth = depth + 1
            elseif byte == "" or depth == 0 then
                return nil
            end
            at = at + 1
        until depth == 0
        return self:match(i + 1, at)
    elseif item.kind == "frontier" then
        local before = s > 1 and text:sub(s - 1, s - 1) or "\0"
        local after = s <= #text and text:sub(s, s) or "\0"
        return not fits(item.class, before) and fits(item.class, after) and self:match(i + 1, s) or nil
    end
    if item.suffix == "-" then
        while true do
            local stop = self:match(i + 1, s)
            if stop or not self:fits(item, s) then
                return stop
            end
            s = s + 1
        end
    end
    local least, most = item.suffix == "*" and 0 or item.suffix == "?" and 0 or 1, item.suffix and #text or 1
    most = item.suffix == "?" and 1 or most
    local count = 0
    while count < most and self:fits(item, s + count) do
        count = count + 1
    end
    while count >= least do
        local stop = self:match(i + 1, s + count)
        if stop then
            return stop
        end
        count = count - 1
    end
end

-- The steps that a function of the library takes over a text, and how often it matches.
local function steps_of(pattern, items, text, all)
    local matcher = setmetatable({ items = items, text = text, steps = 0 }, Matcher)
    local anchored, at, count, last = pattern:sub(1, 1) == "^", 1, 0, nil
    local well, problem = pcall(function()
        while at <= #text + 1 do
            matcher.captures = {}
            local stop = matcher:match(1, at)
            stop = stop ~= last and stop or nil -- no empty match where the last one ended
            count, last = count + (stop and 1 or 0), stop or last
            if anchored or stop and not all then
                break
            end
            at = stop or at + 1
        end
    end)
    if not well and problem ~= matcher then
        error(problem, 0)
    end
    return well and matcher.steps or math.huge, count
end

-- --- texts that slow a pattern down ----------------------------------------------------------------------------------

local common = { "a", "0", '"', "'", "=", " ", "{", "}", "[", "(", ".", "-", "\n", "\t", "\0", ",", "\\", "/", "%", "<",
    ":", "&", "_", "A", "*", "\xe9" }

-- A text that the items from `first` to `last` match: of the bytes that fit, the one of the greatest weight.
local function instance(items, first, last, weight)
    local bytes = {}
    for i = first, last do
        local item = items[i]
        if item.kind == "balance" then
            bytes[#bytes + 1] = item.opens
        elseif item.kind == "character" then
            local best = item[weight] -- found before
            for _, byte in ipairs(best and {} or common) do
                if fits(item.class, byte) and (not best or weight[byte] > weight[best]) then
                    best = byte
                end
            end
            if not best then
                for code = 1, 255 do
                    best = best or fits(item.class, string.char(code)) and string.char(code)
                end
            end
            item[weight] = best
            bytes[#bytes + 1] = best
        end
    end
    return table.concat(bytes)
end

-- Calls `visit(before, pumped, after)`: a text is `before`, `pumped` again and again, and `after`.
local function each_hostile(items, visit)
    local most, least, seen = {}, {}, {} -- weights of bytes: how many items they fit
    for i, byte in ipairs(common) do
        most[byte], least[byte] = -i / 100, -i / 100
        for _, item in ipairs(items) do
            local count = item.suffix and fits(item.class, byte) and 1 or 0
            most[byte], least[byte] = most[byte] + count, least[byte] - count
        end
    end
    local function try(before, pumped)
        if pumped ~= "" and not seen[before .. "\1" .. pumped] then
            seen[before .. "\1" .. pumped] = true
            visit(before, pumped, "\1")
            visit(before, pumped, "")
        end
    end
    for _, byte in ipairs{ "a", "0", '"', "=", " ", "{" } do
        try("", byte)
    end
    for first = 1, #items do
        for last = first, #items do
            for _, weight in ipairs{ most, least } do
                local pumped = instance(items, first, last, weight)
                try(instance(items, 1, first - 1, most), pumped)
                try(instance(items, 1, first - 1, least), pumped)
            end
            local pumped = instance(items, first, last, most)
            try("", pumped)
            try(instance(items, 1, first - 1, least), pumped)
        end
        if items[first].suffix and fits(items[first].class, " ") then
            try(instance(items, 1, first - 1, least) .. "a", " ")
        end
    end
end

-- A pattern that runs over at most one part of its text, whose items each match a byte, is fast.
local function is_plain(pattern, items)
    local count = pattern:find("^%^") and 0 or 1
    for _, item in ipairs(items) do
        count = count + ((item.kind == "balance" or item.suffix and item.suffix ~= "?") and 1 or 0)
    end
    return count <= 1
end

local short, long = 60, 180

-- A text on which the pattern's steps grow faster than the text; nil if there is none.
local function slow_text(pattern, all)
    local items, found = items_of(pattern), nil
    if is_plain(pattern, items) then
        return nil
    end
    each_hostile(items, function(before, pumped, after)
        if found then
            return
        end
        local steps = {}
        for i, length in ipairs{ short, long } do
            local text = before .. pumped:rep(length // #pumped) .. after
            local count
            steps[i], count = steps_of(pattern, items, text, all)
            if not pattern:find("^%^") and i == 1 then -- the matcher agrees with Lua's
                local times = 0
                for _ in text:gmatch(pattern) do times = times + 1 end
                if (all and count ~= times) or (count > 0) ~= (times > 0) then
                    unit.fail(("%q on %q: %d, Lua %d"):format(pattern, text, count, times))
                end
            end
        end
        if steps[2] > 4.5 * steps[1] + 200 then
            found = ("%q.."):format(before) .. ("%q"):format(pumped) .. " again and again"
        end
    end)
    return found
end

-- --- the patterns of the sources -------------------------------------------------------------------------------------

local function text_of(path)
    local file <close> = assert(io.open(path))
    return file:read("a")
end

-- Calls `visit(file, line's text, pattern or nil, whether all matches are found)` for each call in lua/esker; a pattern
-- that is no literal is nil.
local function each_call(visit)
    local list <close> = assert(io.popen("ls lua/esker/*.lua lua/esker/[!m]*/*.lua"))
    for path in list:lines() do
        for line in text_of(path):gmatch("[^\n]*") do
            for name, at in line:gsub("^%s*%-%-.*", ""):gmatch("[:.](%l+)%(()") do
                if name == "find" or name == "match" or name == "gmatch" or name == "gsub" then
                    local quote, stop = line:sub(at, at), at + 1
                    while line:sub(stop, stop) ~= quote and stop <= #line do
                        stop = stop + (line:sub(stop, stop) == "\\" and 2 or 1)
                    end
                    local literal, rest = line:sub(at, stop), line:sub(stop + 1)
                    local is_literal = (quote == '"' or quote == "'") and not rest:find("^ %.%.")
                    if not (is_literal and rest:match("^, [^()]-, true%)")) then -- which is no pattern
                        visit(path:match("^lua/esker/(.+)"), line, is_literal and load("return " .. literal)() or nil,
                            name == "gmatch" or name == "gsub")
                    end
                end
            end
        end
    end
end

-- Patterns that are slow, and why they may be. Of a whole file, or of one pattern there.
local may_be_slow = {
    ["help/completion.lua"] = "looks at 4,096 bytes",
    ["help/command.lua (.-)\n\n"] = "reads our own texts",
    ["recipe/recipe.lua %d+ × %d+$"] = "reads what our own values print",
    ["recipe/result_formats.lua %d+ × %d+$"] = "reads what our own values print",
    ["tiles/command.lua (.)/+$"] = "reads the user's -o",
    ["recipe/returned.lua"] = "runs in the recipe's process, under its time limit",
    ["large/virtual_raster.lua"] = "runs in the recipe's process, under its time limit",
}

-- Calls whose pattern is not written there: what the line holds, and the patterns, or why there are none.
local elsewhere = {
    ['(" " .. option.commands .. " "):find('] = "plain", ['(" " .. known .. " "):find('] = "plain",
    ["option.name:find(name, 1, true)"] = "plain",
    ["source:match(pattern[2], at)"] = { "^%s+()", "^%d+%.?%d*()", "^%.%d+()", '^"[^"]*"()', "^`[^`]+`()",
        "^[%a_][%w_]*()", "^[=~<>]=()" }, -- of sweep/conditions.lua
    ["value:find(formula)"] = { "^'*[=+%-@\t\r]" },
    ["help().find(("] = "no pattern", ["help.find(text)"] = "no pattern", ["help_json.find(text)"] = "no pattern",
    ["help).find(text)"] = "no pattern", ["help.find(name)"] = "no pattern",
    ['text:find(long and "]" .. long'] = "plain", ['text:find("]" .. level'] = "plain", ["text:find(path, 1"] = "plain",
    ["text:find(from, 1, true)"] = "plain", ['or ""):find('] = "plain", ["block:find(text, 1, true)"] = "plain",
    ["text:match(hexadecimal and"] = { "^[pP][+-]?%d+()", "^[eE][+-]?%d+()" },
    ['text:find("%f[%w_]" .. each.name'] = { "%f[%w_]name%f[^%w_]%s*=" },
    ["text:gmatch(pattern)"] = { "()%f[%w_]return%f[^%w_]", "%f[^\n\0]()return%f[^%w_]" },
    ['block:match("^" .. before'] = { "^%-%- a()" },
    ["block:find(form, at)"] = { "(esker:[%w-]+)%zstring%z()", "(Software)%zstring%z()" },
    ['text:find("%f[%w]" .. ending'] = { "%f[%w]ending[\"']" },
    ['doc:find(" " .. choice'] = "plain", ["text:find(stem, 1"] = "plain",
    ["text:gmatch(form)"] = { "%f[%w]word(%w*)" },
    ['text:gmatch("([^%w_])" .. name'] = { "([^%w_])name%s*([^%w_])" },
    ['text:match("[{,]%s*" .. name'] = { "[{,]%s*name%s*=[^=]" },
    ['entry.source:gsub("^%s*" .. name'] = { "^%s*name%s*=" },
    [':find(("%f[%w]" .. tostring(name)'] = { "%f[%w]name%f[%W]" },
    ["name:match(name_pattern)"] = { "^[%w_][%w_.-]*$" },
    ["body:gmatch(quotes)"] = "see recipe/returned.lua",
    ["name:match(name_forms[group])"] = { "^[%a_][%w_]*$", "^[%w_][%w_.-]*$" },
    ["name:match(name_forms.p)"] = { "^[%a_][%w_]*$" },
    ['source:match("<" .. name'] = { "<name%s([^>]*)>" }, ["words:match(key .."] = { 'xOff="([^"]*)"' },
    ['first.kind .. "|"):find('] = "plain", ["own:find("] = "plain",
    ["find(habit[1], 1, true)"] = "plain",
}

TestPatterns = {}

function TestPatterns.test_no_pattern_takes_a_time_that_grows_with_the_square_of_its_text()
    local known, used, slow, count = {}, {}, {}, 0
    local function check(file, pattern, all)
        local key = pattern .. (all and "*" or "")
        if known[key] == nil then
            known[key], count = slow_text(pattern, all) or false, count + 1
        end
        local excuse = may_be_slow[file] and file or file .. " " .. pattern
        if known[key] and may_be_slow[excuse] then
            used[excuse] = true
        elseif known[key] then
            slow[#slow + 1] = ("%s: %q on %s"):format(file, pattern, known[key])
        end
    end
    each_call(function(file, line, pattern, all)
        if pattern then
            check(file, pattern, all)
            return
        end
        local given
        for text, patterns in pairs(elsewhere) do
            if line:find(text, 1, true) then
                given, used[text] = patterns, true
            end
        end
        unit.assertNotNil(given, file .. ": the test does not know the pattern of\n" .. line)
        for _, each in ipairs(type(given) == "table" and given or {}) do
            check(file, each, all)
        end
    end)
    unit.assertEquals(table.concat(slow, "\n"), "")
    unit.assertTrue(count > 150, count)
    for _, list in ipairs{ may_be_slow, elsewhere } do
        for excuse in pairs(list) do
            unit.assertTrue(used[excuse], excuse .. " is nowhere now")
        end
    end
end

-- What the test finds: patterns that Esker once had, and the mended ones.
function TestPatterns.test_slow_patterns_are_found()
    for _, pattern in ipairs{ "(.)(%w+)%f[\"']", '="([%w_-]+)">([^<]*)<', "([%w:-]+)%zstring%z()", "^%s*(.-)%s*$",
        "^%d+%.?%d*[eE][+-]?%d+()", '"esker":(%b{})', "^%d+%.?%d*$", "%s+$", "\n*$", "(.-)," } do
        unit.assertNotNil(slow_text(pattern, true), pattern)
    end
    for _, pattern in ipairs{ "()[\"']", "([^%w])(%w+)$", '="([%w_-]+)">', "%S.*%S", "^[%d.]+$", "[^,]*" } do
        unit.assertNil(slow_text(pattern, true), pattern)
    end
end

os.exit(unit.LuaUnit.run())
