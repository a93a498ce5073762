-- Tab completion, from the declarations and the session's values.

local esker = require "esker"
local file_formats = require "esker.file.formats"
local files = require "esker.files"
local help = require "esker.help.command"
local names_of = require "esker.names"
local terminal = require "esker.terminal"
local texts = require "esker.texts"
local trim = require "esker.trim"

local completion = {}

local value_types = require "esker.value_types"

local operations -- by name
local documented = {} -- members of the module that help describes: not those that Esker's own Lua uses

-- Reads the declarations once somebody completes: they take longer than all else here, and a page waits for its start.
local function read_declarations()
    operations = {}
    for _, operation in ipairs(esker.operations()) do
        operations[operation.name] = operation
    end
    for _, name in ipairs(help.names()) do
        documented[#documented + 1] = rawget(esker, name) ~= nil and name or nil
    end
end

-- The methods of an engine value, or the keys of a table.
local function members(value)
    local name = esker.type(value)
    if name == "table" and rawget(value, "known_as") == esker.known_as then -- the module, or a recipe's copy of it
        return documented
    elseif name == "table" then
        return names_of(value)
    elseif not value_types[name] then
        return names_of(name == "string" and string or {})
    end
    local set = {}
    for _, list in ipairs{ value_types[name].properties, value_types[name].methods } do
        for _, member in ipairs(list) do
            set[member.name] = true
        end
    end
    for _, operation in ipairs(value_types.operations_on(value_types[name])) do
        set[operation.name] = true
    end
    return names_of(set)
end

-- The value of `a.b.c`, without calling anything.
local function value_of(path, globals)
    local value = globals
    for name in path:gmatch("[%a_][%w_]*") do
        if type(value) ~= "table" then
            return nil
        end
        value = rawget(value, name)
    end
    return value
end

local most_bytes = 4096 -- of what stands before the cursor: patterns here take a time that grows with its square

-- The text without closed strings and brackets, so that only open ones remain.
local function open_part(before)
    local text = before:gsub("\\.", "__"):gsub('"[^"]*"', function(s) return (" "):rep(#s) end)
        :gsub("'[^']*'", function(s) return (" "):rep(#s) end)
    local again = true
    while again do
        local shorter = text:gsub("%b{}", function(s) return (" "):rep(#s) end)
            :gsub("%b()", function(s) return (" "):rep(#s) end)
        again = shorter ~= text
        text = shorter
    end
    return text
end

-- The call whose table of arguments is open: its operation, or nil.
local function open_operation(open)
    local at = open:match(".*()%{")
    local head = at and open:sub(1, at - 1) or ""
    local name = head:match("([%a_][%w_]*)%s*$") or head:match("([%a_][%w_]*)%s*%([^()]*$")
    return name and operations[name], at
end

local function starting_with(list, start)
    local found = {}
    for _, word in ipairs(list) do
        if word:sub(1, #start) == start then
            found[#found + 1] = word
        end
    end
    return found
end

-- The opening bracket of a call: { for arguments, ( if there are further inputs.
local function opening(name, value, globals)
    local operation, is_module = operations[name], value ~= nil and value == rawget(globals, "esker")
    if not operation or type(value) == "table" and not is_module then
        return ""
    end
    local inputs = #operation.inputs - (is_module and 0 or 1)
    return inputs > 0 and "(" or "{"
end

-- Names of files that begin so; with `endings`, a set, only those and folders.
local function file_names(start, endings)
    local folder, rest = start:match("^(.*/)([^/]*)$")
    folder, rest = folder or "", rest or start
    local names = {}
    for _, name in ipairs(files.names(folder)) do
        local fits = name:sub(-1) == "/" or not endings or endings[(name:match("%.([^.]*)$") or ""):lower()]
        if fits and name:sub(1, #rest) == rest then
            names[#names + 1] = folder .. name
        end
    end
    table.sort(names)
    return names
end

local recipes = { lua = true }
local file_takers = { run = recipes, watch = recipes, record = recipes, save_session = recipes,
    load = file_formats.endings(file_formats.is_read), info = file_formats.endings() }
for _, ending in ipairs{ "pmtiles", "mbtiles", "json" } do
    file_takers.info[ending] = true
end

-- The endings of files that `head`, as in "land:save(", writes: those of the value's type, or of all.
local function written_endings(head, globals)
    local path = head:match("([%a_][%w_.]*):save%s*%(?%s*$") or head:match("save%s*%(%s*([%a_][%w_.]*)%s*,%s*$")
    local declared = path and value_types[value_types.of(value_of(path, globals))]
    if not declared then
        return file_formats.endings(file_formats.is_written)
    end
    local set = {}
    for _, ending in ipairs(declared.formats or {}) do
        set[ending] = true
    end
    return set
end

-- Files to write over, and a name that was typed with each ending that it may have.
local function written_names(start, endings)
    local names = file_names(start, endings)
    local stem, begun = start:match("^(.*[^/]%.)(%w*)$")
    for _, ending in ipairs(stem and names_of(endings) or {}) do
        if ending:sub(1, #begun) == begun and not files.is_file(stem .. ending) then
            names[#names + 1] = stem .. ending
        end
    end
    return names
end

-- Inside an open string: a choice of the argument, or a file.
local function in_string(before, open, globals)
    local start = before:match('["\']([^"\']*)$')
    local head = before:sub(1, #before - #start - 1)
    local name = head:match("([%a_][%w_]*)%s*=%s*$")
    local operation = open_operation(open)
    for _, param in ipairs(name and operation and operation.params or {}) do
        if param.name == name and param.choices then
            return starting_with(param.choices, start), start, '"'
        elseif param.name == name and param.kind == "palette" then
            return starting_with(names_of(esker.palettes), start), start, '"'
        end
    end
    local taker = head:match("([%a_][%w_]*)%s*%(?%s*$")
    if taker == "save" or head:match("%f[%w_]save%s*%([^,]*,%s*$") then
        return written_names(start, written_endings(head, globals)), start, ""
    end
    return taker and file_takers[taker] and file_names(start, file_takers[taker]) or {}, start, ""
end

local function arguments_of(operation, start, open, at)
    local given, found = {}, {}
    for name in open:sub(at + 1):gmatch("([%a_][%w_]*)%s*=") do
        given[name] = true
    end
    for _, param in ipairs(operation.params) do
        if not given[param.name] and param.name:sub(1, #start) == start then
            local default = help.default_text(param)
            found[#found + 1] = { insert = param.name .. " = ",
                show = param.name .. " = " .. (default or "…") .. "  " .. (param.doc or "") }
        end
    end
    return found
end

-- The names that users mean: without Lua's own that begin with an underscore.
local function usual_names(globals)
    local names = {}
    for _, name in ipairs(names_of(globals)) do
        names[#names + 1] = not name:find("^_") and name or nil
    end
    return names
end

-- Completes the text before the cursor: a list of strings or { insert =, show = }, the part that they replace, and the
-- text that closes a single match.
function completion.candidates(before, globals)
    if not operations then
        read_declarations()
    end
    before = before:sub(-most_bytes)
    local open = open_part(before)
    if select(2, open:gsub('["\']', "")) % 2 == 1 then
        return in_string(before, open, globals)
    end
    local question = before:match("^%s*%?%s*([%w_]*)$")
    if question then
        return starting_with(help.names(), question), question, ""
    end
    local path, start = before:match("([%a_][%w_.]*)[.:]([%w_]*)$")
    if path then
        local value = value_of(path, globals)
        local found = starting_with(value ~= nil and members(value) or {}, start)
        return found, start, #found == 1 and opening(found[1], value, globals) or ""
    end
    if before:match("%)%s*:[%w_]*$") or before:match("%}%s*:[%w_]*$") then -- the result of a call: usually a field
        start = before:match(":([%w_]*)$")
        local found = starting_with(members(esker.field{ size = 2, values = 0 }), start)
        return found, start, #found == 1 and opening(found[1], nil, globals) or ""
    end
    start = before:match("[%a_][%w_]*$") or ""
    local operation, at = open_operation(open)
    if operation and open:sub(at + 1):match("^%s*[%w_]*$") or operation and open:match(",%s*[%w_]*$") then
        return arguments_of(operation, start, open, at), start, ""
    end
    return starting_with(usual_names(globals), start), start, ""
end

local function common_start(words)
    local first = words[1]
    for _, word in ipairs(words) do
        while word:sub(1, #first) ~= first do
            first = first:sub(1, -2)
        end
    end
    return first
end

-- Names side by side, or one per line if they have descriptions.
local function listed(found)
    local columns = terminal.size()
    if type(found[1]) == "table" then
        local lines = {}
        for i, each in ipairs(found) do
            lines[i] = "  " .. each.show:sub(1, math.max(10, columns - 4))
        end
        return table.concat(lines, "\n")
    end
    local widest = 0
    for _, word in ipairs(found) do
        widest = math.max(widest, #word + 2)
    end
    local lines, each_row = {}, math.max(1, columns // widest)
    for i = 1, #found, each_row do
        local row = {}
        for k = i, math.min(i + each_row - 1, #found) do
            row[#row + 1] = found[k] .. (" "):rep(widest - #found[k])
        end
        lines[#lines + 1] = trim(table.concat(row))
    end
    return table.concat(lines, "\n")
end

-- Names of files, and keys that a recipe chose, may contain terminal commands: those are left out.
local function visible(found)
    local kept = {}
    for _, each in ipairs(found) do
        local word = type(each) == "table" and each.insert or each
        if texts.visible(word) == word then
            kept[#kept + 1] = each
        end
    end
    return kept
end

-- For the line editor: bytes to replace, text to insert, text to show.
function completion.complete(before, globals)
    local found, start, closing = completion.candidates(before, globals)
    found = visible(found)
    if #found == 0 then
        return 0
    end
    local words = {}
    for i, each in ipairs(found) do
        words[i] = type(each) == "table" and each.insert or each
    end
    if #words == 1 then
        local whole = words[1]:sub(-1) == "/" and words[1] or words[1] .. closing
        return #start, whole ~= start and whole or nil, nil
    end
    local longest = common_start(words)
    if #longest > #start then
        return #start, longest, nil
    end
    return 0, nil, listed(found)
end

return completion
