-- `esker help --json`: all that a program, or a language model, must know to write a recipe; of one name only that.

local esker = require "esker"
local functions = require "esker.functions"
local help = require "esker.help.command"
local json = require "esker.file.json"

local help_json = {}

local recipe <const> = {
    summary = "A recipe is Lua 5.4 that ends with a table of results. esker RECIPE.lua NAME=VALUE runs it.",
    calls = "Arguments have names and are optional unless inputs: esker.blur(land, { sigma = 0.02 }). An operation is "
        .. "also a method of its first input: land:blur{ sigma = 0.02 }. Inputs come before the table of arguments, "
        .. "and each result is a value of its own: local filled, depth = land:fill{}. Values are never changed, "
        .. "but for set.",
    units = "N is a field's longer side in cells. \"per N\": 16 means 16/N. \"N\": 0.02 means 0.02 N.",
    example = 'local p = params{ seed = 1, size = { 512, min = 64, max = 4096 } }\n'
        .. 'local land = esker.noise{ size = p.size, seed = p.seed, fractal = "ridged" }:normalize{}\n'
        .. 'local snow = land:select{ height = { 0.7, 2, 0.1 }, slope = { 0, 40, 10 } }\n'
        .. 'return { height = land:stream_erosion{}, snow = snow, map = land:relief{ palette = "alpine" } }',
}

-- The text of each operation by its name, as the engine writes it.
local function operations()
    local text, list = esker.operations_json(), {}
    local at = text:find('{"name": "', 1, true)
    while at do
        local last = text:find(',\n  {"name": "', at, true)
        list[#list + 1] = text:sub(at, last and last - 1 or text:find("\n]\n", at, true) - 1)
        at = last and last + 4
    end
    return list
end

local function encoded(list)
    local texts = {}
    for i, entry in ipairs(list) do
        texts[i] = "  " .. json.encode(entry)
    end
    return "[\n" .. table.concat(texts, ",\n") .. "\n]"
end

function help_json.all()
    local declared = esker.operations_json():gsub("\n$", "")
    return table.concat{ '{"recipe": ', json.encode(recipe), ',\n"operations": ', declared,
        ',\n"functions": ', encoded(functions), ',\n"types": ', encoded(esker.values()), ',\n"formats": ',
        encoded(esker.formats()), ',\n"palettes": ',
        json.encode(esker.palettes), "}\n" }
end

-- The operation, function or type of this name, or a list of those in which the words occur; nil and a suggestion if
-- there are none.
function help_json.find(text)
    local by_name = {}
    for _, entry in ipairs(esker.values()) do
        by_name[entry.name] = json.encode(entry)
    end
    for _, entry in ipairs(functions) do
        by_name[entry.name] = json.encode(entry)
    end
    for _, one in ipairs(operations()) do
        by_name[one:match('"name": "([^"]*)"')] = one
    end
    if by_name[text] then
        return by_name[text] .. "\n"
    end
    local list = {}
    for _, entry in ipairs((help.search(text, 12))) do
        list[#list + 1] = by_name[entry.name]
    end
    if #list == 0 then
        return nil, help.suggestion(text)
    end
    return "[" .. table.concat(list, ",\n") .. "]\n"
end

return help_json
