-- What made a file: written into each PNG as text, read back by `esker info`.

local esker = require "esker"
local host = require "esker.host"
local library = require "esker.library"
local parameters = require "esker.parameters"

local provenance = {}

-- A word as a shell takes it.
local function shell_word(word)
    if word:match("^[%w_./=+,:@%%-]+$") then
        return word
    end
    return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- The list of { key, value } for files made by the recipe at `path` with this text and parameter set.
function provenance.labels(path, text, set)
    local words = { "esker", shell_word(path) }
    for _, word in ipairs(set.words()) do
        words[#words + 1] = shell_word(word)
    end
    local seed = set.values and set.values.seed
    return {
        { "Software", "Esker " .. esker.version },
        { "esker:recipe", path },
        { "esker:recipe-hash", host.hash(text) },
        { "esker:parameters", table.concat(set.words(), " ") },
        { "esker:seed", seed ~= nil and parameters.exact_text(seed) or "none" },
        { "esker:command", table.concat(words, " ") },
    }
end

-- Whether a file's command is one of Esker's, in words that a shell takes as they are: a stranger's file may say
-- anything, and what is shown is meant to be typed.
local function is_plain(command)
    local rest = command:match("^esker( [^-].*)$")
    while rest and rest ~= "" do
        local word, after = rest:match("^([%w_./=+,:@%%-]+)(.*)$")
        if not word then
            word, after = rest:match("^'([^'%c]*)'(.*)$")
        end
        if not word then
            word, after = rest:match("^(\\')(.*)$")
        end
        if not word and rest:match("^ [^-]") then -- no options: --trust is not a stranger's to ask for
            word, after = " ", rest:sub(2)
        end
        rest = word and after
    end
    return rest == ""
end

-- The report of `esker info` as a list of lines; nil when the file says nothing of Esker.
function provenance.report(labels)
    if not labels["esker:command"] then
        return nil
    end
    local shown = {
        { "recipe", "esker:recipe" }, { "recipe hash", "esker:recipe-hash" }, { "seed", "esker:seed" },
        { "parameters", "esker:parameters" }, { "made by", "Software" }, { "lowest", "esker:low" },
        { "highest", "esker:high" }, { "make again", "esker:command" },
    }
    local lines = {}
    for _, entry in ipairs(shown) do
        local text = labels[entry[2]]
        if entry[2] == "esker:command" and not is_plain(text) then
            text = "(not shown: it is no plain command of esker's)"
        end
        if text then
            lines[#lines + 1] = library.without_controls(("%-12s %s"):format(entry[1], (text:gsub("\n", " "))))
        end
    end
    return lines
end

return provenance
