-- What made a file: written into each PNG as text, read back by `esker info`.

local esker = require "esker"
local host = require "esker.host"
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
        if labels[entry[2]] then
            lines[#lines + 1] = ("%-12s %s"):format(entry[1], labels[entry[2]])
        end
    end
    return lines
end

return provenance
