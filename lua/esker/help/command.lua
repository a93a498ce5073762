-- `esker help`: the operations by category, or one operation's entry, from the declarations.

local elsewhere = require "esker.help.elsewhere"
local esker = require "esker"

local help = {}

-- Words wrapped to lines of at most `width`, each after `indent`.
local function wrapped(text, indent, width)
    local lines, line = {}, indent
    for word in text:gmatch("%S+") do
        if #line > #indent and #line + 1 + #word > width then
            lines[#lines + 1], line = line, indent
        end
        line = #line > #indent and line .. " " .. word or line .. word
    end
    lines[#lines + 1] = line
    return table.concat(lines, "\n")
end

local function literal(value)
    if type(value) == "table" then
        local items = {}
        for i, item in ipairs(value) do
            items[i] = literal(item)
        end
        return "{" .. table.concat(items, ", ") .. "}"
    elseif type(value) == "string" then
        return '"' .. value .. '"'
    elseif math.type(value) == "float" then
        return ("%.10g"):format(value)
    end
    return tostring(value)
end

-- The default as a user writes it: "16" for 16 per N. Nil if an argument has none.
function help.default_text(param)
    if param.default == nil or (param.name == "width" or param.name == "height") and param.default == 0 then
        return nil
    end
    local default = param.default
    if param.columns and #default > 0 then -- rows were flattened
        local rows = {}
        for i = 1, #default, param.columns do
            rows[#rows + 1] = { table.unpack(default, i, i + param.columns - 1) }
        end
        default = rows
    end
    return literal(default)
end

-- `esker.perturb(height, { magnitude = 0.25, … })` and the form as a method.
function help.usage(operation)
    local inputs, outputs = {}, {}
    for i, input in ipairs(operation.inputs) do
        inputs[i] = input.name
    end
    for i, output in ipairs(operation.outputs) do
        outputs[i] = output.name
    end
    local arguments = #operation.params > 0 and "{…}" or nil
    local gives = operation.record and "{ " .. table.concat(outputs, ", ") .. " }"
        or table.concat(outputs, operation.one_output and " or " or ", ")
    local result = #outputs > 0 and " → " .. gives or ""
    local call = "esker." .. operation.name
    if #inputs == 0 then
        return call .. (arguments or "()") .. result
    end
    local first = operation.inputs[1]
    if (first.kind:find("field") or first.kind:find("image")) and not first.kind:find("number") then
        local rest = table.concat(inputs, ", ", 2)
        local tail = #inputs == 1 and (arguments or "()")
            or "(" .. rest .. (arguments and ", " .. arguments or "") .. ")"
        return inputs[1] .. ":" .. operation.name .. tail .. result
    end
    return call .. "(" .. table.concat(inputs, ", ") .. (arguments and ", " .. arguments or "") .. ")" .. result
end

-- Whether the documentation names each choice already.
local function names_choices(param)
    local doc = " " .. (param.doc or ""):gsub("%p", " ") .. " "
    for _, choice in ipairs(param.choices or {}) do
        if not doc:find(" " .. choice:gsub("%p", " ") .. " ", 1, true) then
            return false
        end
    end
    return param.choices ~= nil
end

local function describe_param(param)
    local default = help.default_text(param)
    local head = "  " .. param.name
    if default then
        head = head .. " = " .. default .. (param.unit == "per N" and "  (" .. default .. "/N)" or "")
    end
    local unit = param.unit and param.unit ~= "per N" and ", in " .. param.unit or ""
    local allowed = names_choices(param) and "" or "; " .. param.allowed .. unit
    return head .. "\n" .. wrapped((param.doc or "") .. allowed, "      ", 92)
end

local function describe_values(title, values)
    local lines = {}
    for _, value in ipairs(values) do
        local unit = value.unit and "; in " .. value.unit or ""
        lines[#lines + 1] = ("  %s (%s): %s%s"):format(value.name, value.kind:gsub("|", " or "), value.doc or "", unit)
    end
    return #lines > 0 and title .. "\n" .. table.concat(lines, "\n") .. "\n" or nil
end

-- One operation's entry.
function help.entry(operation)
    local parts = { help.usage(operation) .. "\n\n" .. wrapped(operation.summary .. ".", "", 92) .. "\n" }
    if operation.description then
        for paragraph in (operation.description .. "\n\n"):gmatch("(.-)\n\n") do
            parts[#parts + 1] = wrapped(paragraph, "", 92) .. "\n"
        end
    end
    parts[#parts + 1] = describe_values("Takes", operation.inputs)
    if #operation.params > 0 then
        local lines = { "Arguments" }
        for _, param in ipairs(operation.params) do
            lines[#lines + 1] = describe_param(param)
        end
        parts[#parts + 1] = table.concat(lines, "\n") .. "\n"
    end
    parts[#parts + 1] = describe_values("Gives", operation.outputs)
    if operation.example then
        parts[#parts + 1] = "Example\n  " .. operation.example:gsub("\n", "\n  ") .. "\n"
    end
    if operation.source then
        parts[#parts + 1] = "Source: " .. operation.source .. "\n"
    end
    if operation.see_also then
        parts[#parts + 1] = "See also: " .. operation.see_also:gsub(" ", ", ") .. "\n"
    end
    return table.concat(parts, "\n")
end

-- The categories in the order of the declarations: a list of { name =, operations = }.
function help.categories()
    local list, by_name = {}, {}
    for _, operation in ipairs(esker.operations()) do
        local category = by_name[operation.category]
        if not category then
            category = { name = operation.category, operations = {} }
            by_name[operation.category], list[#list + 1] = category, category
        end
        table.insert(category.operations, operation)
    end
    return list
end

-- The overview: every operation and function with its summary; the session's functions if requested.
function help.overview(in_session)
    local lines = {}
    local function section(title, entries)
        lines[#lines + 1] = (#lines > 0 and "\n" or "") .. title
        for _, entry in ipairs(entries) do
            lines[#lines + 1] = ("  %-18s %s"):format(entry.name, entry.summary)
        end
    end
    for _, category in ipairs(help.categories()) do
        section(category.name, category.operations)
    end
    section("functions", require "esker.functions")
    if in_session then
        section("session", require "esker.session.functions")
    end
    lines[#lines + 1] = in_session and "\n?name tells more of one of them. _ is the last value. Ctrl-D leaves."
        or "\nesker help NAME tells more of one of them."
    return table.concat(lines, "\n") .. "\n"
end

local all_entries

-- All entries in the order of the overview: operations, functions of recipes, functions of the session.
local function entries()
    if not all_entries then
        all_entries = {}
        for _, source in ipairs{ esker.operations(), require "esker.functions", require "esker.session.functions" } do
            table.move(source, 1, #source, #all_entries + 1, all_entries)
        end
    end
    return all_entries
end

-- All names that help knows, in alphabetical order.
function help.names()
    local names = {}
    for i, entry in ipairs(entries()) do
        names[i] = entry.name
    end
    table.sort(names)
    return names
end

local weights = { 16, 8, 4, 4, 1, 1 }
local searched_texts = setmetatable({}, { __mode = "k" }) -- by entry

-- The texts in which a word may be found, in the order of `weights`.
local function searched(entry)
    local texts = searched_texts[entry]
    if not texts then
        local arguments = {}
        for i, param in ipairs(entry.params or {}) do
            arguments[i] = param.name .. " " .. (param.doc or "")
        end
        texts = { entry.name:gsub("_", " "), entry.keywords or "", entry.summary or "", entry.category or "",
            entry.description or "", table.concat(arguments, " ") }
        for i, text in ipairs(texts) do
            texts[i] = text:lower()
        end
        searched_texts[entry] = texts
    end
    return texts
end

local inflections = { [""] = true, s = true, es = true, d = true, ed = true, ing = true, y = true, al = true }

-- How well a word fits: the words of a text are the word itself or forms of it, or only begin with it if
-- `beginnings`.
local function word_score(texts, word, beginnings)
    local score, stem = 0, word:gsub("([cs]h)es$", "%1"):gsub("(%w%w%w)s$", "%1")
    local form = "%f[%w]" .. stem .. "(%w*)"
    for i, text in ipairs(texts) do
        local fits = false
        if text:find(stem, 1, true) then -- which most lack, as is found fast
            for tail in text:gmatch(form) do
                fits = fits or beginnings or inflections[tail]
            end
        end
        score = score + (fits and weights[i] or 0)
    end
    return score
end

-- The entries in which all words occur; or `some`: one of them, among names and keywords.
local function search(list, words, most, beginnings, some)
    local found = {}
    for order, entry in ipairs(#words > 0 and list or {}) do
        local texts, score = searched(entry), 0
        for _, word in ipairs(words) do
            local known_by = (entry.keywords or ""):lower():match("^%S+") == word and 4 or 0
            local fits = word_score(texts, word, beginnings) + known_by
            score = (fits > 0 or some) and score and score + fits or nil
        end
        score = (not some or score >= weights[2]) and score or nil
        found[#found + 1] = score and { entry = entry, score = score, order = order } or nil
    end
    table.sort(found, function(a, b) return a.score > b.score or a.score == b.score and a.order < b.order end)
    local best = {}
    for i = 1, math.min(#found, most) do
        best[i] = found[i].entry
    end
    return best
end

-- Words that say nothing of what is searched for, and the prefixes of GDAL's programs and GRASS's modules.
local fillers = { by = true, of = true, the = true, to = true, from = true, ["in"] = true, with = true, ["for"] = true }

local function without_prefix(text)
    return (text:lower():gsub("^gdal_", ""):gsub("^[rv]%.", ""))
end

-- The entries in which every word occurs, the best first: at most `most`; and the recipes for wishes. Those with
-- words that only begin so if there are no others, and then those that are known by one of several words, unless a
-- name is misspelt. Single letters, as in "%d", are no words.
function help.search(text, most)
    local words, wishes = {}, require "esker.help.wishes"
    for word in without_prefix(text):gmatch("%w%w+") do
        words[#words + 1] = not fillers[word] and word or nil
    end
    if #words == 0 then
        return {}, {}
    end
    local joined = #words > 1 and search(entries(), { table.concat(words) }, most) or {} -- "height map"
    if #joined > 0 then
        return joined, {}
    end
    local found, recipes = search(entries(), words, most), search(wishes, words, 3)
    if #found + #recipes == 0 then
        found, recipes = search(entries(), words, most, true), search(wishes, words, 3, true)
    end
    local names_file = text:find(".lua", 1, true)
    if #found + #recipes == 0 and #words > 1 and not names_file and not help.suggestion(text) then
        found, recipes = search(entries(), words, 3, false, true), search(wishes, words, 3, false, true)
    end
    return found, recipes
end

-- What may have been meant by a name that does not exist: the nearest one, or the operation that is known by it.
function help.suggestion(name)
    if not name:find("%w%w") or #name > 40 then
        return nil
    end
    return esker.known_as(name) or esker.nearest(name, help.names())
end

local function entry_text(entry)
    if entry.inputs then
        return help.entry(entry)
    end
    return entry.usage .. "\n\n" .. wrapped(entry.summary .. ". " .. entry.description, "", 92) .. "\n"
end

-- What to use instead of something that only other programs have; nil if the text does not name it.
local function instead(text)
    local name = text:lower()
    for _, each in ipairs(elsewhere) do
        for word in each.words:gmatch("%S+") do
            if word == name:gsub("[%s_]+", "-") or word == name or word == without_prefix(name) then
                return wrapped(each.text, "", 92) .. "\n"
            end
        end
    end
    return nil
end

-- A text that was searched for, in a message: one line, not too long.
function help.shown(text)
    local line = text:gsub("%s+", " ")
    local cut = #line > 60 and utf8.offset(line, 0, 58)
    return cut and line:sub(1, cut - 1) .. "…" or line
end

-- The entry of this name, or the list of those in which the words occur; nil and a suggestion if there are none.
function help.find(text)
    local name = text:match("^%a+[.:](%w[%w_]*)$") or text -- as in a recipe: esker.noise, land:blur
    for _, same in ipairs{ rawequal, function(a, b) return a:lower() == b:lower() end } do
        for _, entry in ipairs(entries()) do
            if same(entry.name, text) or same(entry.name, name) then
                return entry_text(entry)
            end
        end
    end
    local found, recipes = help.search(text, 12)
    local other = instead(text)
    local lines = { other
        or ("Nothing is called '%s'.%s\n"):format(help.shown(text), #found > 0 and " About it:" or "") }
    if other and #found > 0 then
        lines[#lines + 1] = "\nOperations with this word:\n"
    end
    for _, entry in ipairs(found) do
        lines[#lines + 1] = ("  %-18s %s\n"):format(entry.name, entry.summary)
    end
    if #recipes > 0 then
        lines[#lines + 1] = (#found > 0 and "\n" or "") .. "Recipes for it, shown in docs/wishes.md:\n"
    end
    for _, recipe in ipairs(recipes) do
        lines[#lines + 1] = ("  %-34s %s\n"):format(recipe.name, recipe.summary)
    end
    if other or #lines > 1 then
        return table.concat(lines)
    end
    return nil, help.suggestion(text)
end

return help
