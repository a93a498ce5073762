-- What made a file: written into each file as texts, read back by `esker info`.

local esker = require "esker"
local files = require "esker.files"
local parameters = require "esker.recipe.parameters"
local recipe = require "esker.recipe.recipe"
local texts = require "esker.texts"

local provenance = { withheld = "(not shown: it is no plain command of esker's)" }

-- A word quoted for a shell.
local function shell_word(word)
    if word:match("^[%w_./=+,:@%%-]+$") then
        return word
    end
    return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- The command that runs the recipe at `path` with these words, NAME=VALUE each. A path never reads as an option, nor as
-- one of the program's own commands. nil where a word holds a newline or what a terminal would not just show: pasted,
-- it is typed, and no quotes keep the shell's line editor from obeying it.
local function command_of(path, words)
    local typed = path .. table.concat(words)
    if typed:find("%c") or texts.visible(typed) ~= typed then
        return nil
    end
    if path:match("^%-") or not path:find("/", 1, true) and not path:find("%.lua$") then
        path = "./" .. path
    end
    local list = { "esker", shell_word(path) }
    for _, word in ipairs(words) do
        list[#list + 1] = shell_word(word)
    end
    return table.concat(list, " ")
end

-- The command for values, { name = value }; nil if it cannot be typed.
function provenance.command(path, values)
    return command_of(path, parameters.words(values))
end

-- The list of { key, value } for files made by the recipe at `path` with this text and parameter set.
function provenance.labels(path, text, set)
    local seed, command = set.values and set.values.seed, command_of(path, set.words())
    return {
        { "Software", "Esker " .. esker.version },
        { "esker:recipe", path },
        { "esker:recipe-hash", texts.hash(recipe.whole_text(path, text)) },
        { "esker:parameters", table.concat(set.words(), " ") },
        { "esker:seed", seed ~= nil and parameters.exact_text(seed) or "none" },
        { "esker:command", command or "" },
    }
end

-- The words of a command as a shell reads them; nil if the shell would do more than that.
local function shell_words(command)
    local words, parts, at = {}, {}, 1
    while at <= #command do
        local plain, after = command:match("^([%w_./=+,:@%%-]+)()", at)
        if not plain then
            plain, after = command:match("^'([^'%c]*)'()", at)
        end
        if plain then
            parts[#parts + 1], at = plain, after
        elseif command:sub(at, at + 1) == "\\'" then
            parts[#parts + 1], at = "'", at + 2
        elseif command:sub(at, at) == " " then
            words[#words + 1], parts, at = table.concat(parts), {}, command:match("^ +()", at)
        else
            return nil
        end
    end
    words[#words + 1] = #parts > 0 and table.concat(parts) or nil
    return words
end

-- Labels of a file, which may be a stranger's, as they may be shown: what is meant to be typed is a recipe and its
-- parameters, quoted here, or is left out. Gives the recipe's path, nil where the command is anything else.
function provenance.check(labels)
    local words = shell_words(labels["esker:command"] or "")
    local well = words and words[1] == "esker" and words[2] and not words[2]:match("^%-")
    for i = 3, well and #words or 0 do
        well = well and words[i]:match("^[%a_][%w_]*=")
    end
    local values = well and table.move(words, 3, #words, 1, {})
    labels["esker:recipe"] = well and words[2] or nil
    labels["esker:parameters"] = well and table.concat(values, " ") or nil
    labels["esker:command"] = well and command_of(words[2], values) or nil
    return labels["esker:command"] and words[2] or nil
end

-- Whether the recipe at `path` has changed since it had this hash and this program was called `software`.
local function changes(path, hash, software)
    if not files.is_file(path) then
        return ("%s is not here"):format(path)
    end
    local well, text = pcall(function()
        return recipe.whole_text(path, recipe.text(path))
    end)
    if not well then
        return ("%s cannot be read"):format(path)
    elseif texts.hash(text) ~= hash then
        return ("%s has changed since: it may make another picture"):format(path)
    elseif software ~= "Esker " .. esker.version then
        return ("the recipe is the same, this is Esker %s: it may make another picture"):format(esker.version)
    end
    return "the recipe is the same"
end

-- The report of `esker info` as a list of lines: `facts`, a list of { name, text }, and how the file was made, if Esker
-- wrote it.
function provenance.report(labels, facts)
    local lines = {}
    local function add(name, text)
        lines[#lines + 1] = text and ("%-12s %s"):format(name, (text:gsub("\n", " "))) or nil
    end
    for _, fact in ipairs(facts) do
        add(fact[1], texts.visible(fact[2]))
    end
    local shown = {
        { "recipe", "esker:recipe" }, { "tiles of", "esker:tiles-of" },
        { "recipe hash", "esker:recipe-hash" }, { "seed", "esker:seed" },
        { "parameters", "esker:parameters" }, { "made by", "Software" }, { "make again", "esker:command" },
        { "since then", "esker:since" },
    }
    local given, path = labels["esker:command"], provenance.check(labels)
    labels["esker:since"] = path and changes(path, labels["esker:recipe-hash"], labels.Software)
    labels["esker:command"] = path and labels["esker:command"] or given and provenance.withheld
    for _, entry in ipairs(shown) do
        add(entry[1], labels[entry[2]] and texts.visible(labels[entry[2]]))
    end
    return lines
end

return provenance
