-- For tests/long-texts.sh, trusted, with the path of a folder to write into: what the parent does with strangers'
-- texts, over many KiB of each kind. Most take milliseconds; a search that grows with the square of a text would take
-- minutes, so that a limit of seconds of processor time is no measurement.

local p = params{ folder = "", most = 2.0, kibibytes = 64 }

local completion = require "esker.help.completion"
local conditions = require "esker.sweep.conditions"
local confined = require "esker.recipe.confined"
local csv = require "esker.file.csv"
local defaults = require "esker.explore.defaults"
local designs = require "esker.sweep.designs"
local file_facts = require "esker.file.facts"
local file_texts = require "esker.file.texts"
local files = require "esker.files"
local json = require "esker.file.json"
local plans = require "esker.sweep.plans"
local provenance = require "esker.recipe.provenance"
local recipe = require "esker.recipe.recipe"
local result_formats = require "esker.recipe.result_formats"
local runs = require "esker.sweep.runs"
local statements = require "esker.session.statements"
local tables = require "esker.sweep.tables"
local texts = require "esker.texts"
local tile_plans = require "esker.tiles.plans"

local size = p.kibibytes << 10
local pieces = { "a", "0", '"', "=", " ", "{" } -- of all

-- Plain texts without which a file is not searched for others. They are no texts of files.
local marks = ' ="esker_ Software: Esker  esker:'

local function file(ending, before)
    return function(text)
        local path = p.folder .. "/long" .. ending
        files.write(path, (before or "") .. text .. marks)
        file_texts.read(path)
        file_facts.read(path)
    end
end

-- A table of one run with 2000 results whose names differ only in case.
local function alike()
    local results = {}
    for i = 0, 1999 do
        local name = ("abcdefghijk"):gsub("()(%l)", function(at, letter)
            return i >> (at - 1) & 1 == 1 and letter:upper() or letter
        end)
        results[name] = 1
    end
    tables.of{ { key = "0", parameters = {}, results = results } }
end

local declared, others = {}, {} -- parameters, and other defaults of theirs
for i = 1, 200 do
    declared[i], others["p" .. i] = ("p%d = 1"):format(i), 2
end
local declaration = "params{ " .. table.concat(declared, ", ") .. " }"

-- What is done with a text, and pieces that it seeks.
local uses = {
    { "a file", file ".pgm", '="a">', '"esker":{', '{"Software":"Esker ', "a\0string\0\255\0\0\0", "esker:", "&amp;",
        "Software\0string\0\255\255\0\0", "\nSoftware: Esker ", "a: b\n", "\0", "\n" },
    { "a picture", file(".pgm", "P5 4 4 255\n") }, { "SVG", file(".svg", "<svg >"), "Software: Esker &lt;\n" },
    { "JSON", file ".geojson", "[" }, { "a grid", file(".asc", "ncols "), "\n", "-" },
    { "PNG", file(".png", "\137PNG\r\n\26\n"), "\0\0\0\1tEXt" },
    { "NumPy", file(".npy", "\147NUMPY\1\0v\0"), "'" },
    { "libraries", function(text) confined.libraries(text) end, "'", ".a\"", "a\"" },
    { "modules", function(text) recipe.whole_text(p.folder .. "/none.lua", text) end, "require", 'require"',
        "require(" },
    { "defaults", function(text) defaults.replace(text:sub(#declaration + 1) .. declaration, others) end, "[[",
        "--[[", "[=[", '\\"', "'\\", "params{", "{(", "--\n" },
    { "rows", function(text) csv.rows(text) csv.rows("a,b\nx" .. text .. "x,1\n") end, ",", "\n", '"\n' },
    { "values", function(text) designs.read{ "a=" .. text } end, "..", ".", ",", "/1", "-" },
    { "drawn values", function(text) designs.read{ "a~" .. text } end, ".", ".." },
    { "a condition", function(text) conditions.read(text, "--where", { a = 1 }) end, "1e", ".5", "a.", "`", "(", "-" },
    { "a record", function(text)
        runs.record_of("0\tdone\t1\t1\t\tpa=s" .. text)
        runs.record_of(("0\tdone\t%s\t1"):format(text))
    end, "\t", "\\", "." },
    { "JSON values", function(text) json.decode(text) end, "[", "1e", '"\\' },
    { "a command", function(text) provenance.check{ ["esker:command"] = "esker " .. text } end, "'a'", "a=1 ", "'" },
    { "formats", function(text) result_formats.read(text) end, ",", "a=" },
    { "a plan of tiles", function(text) tile_plans.read("esker tiles 2\n" .. text) end, "\n", "\t", "source\t" },
    { "what is typed", function(text) statements.question(text, true) statements.compile(text, {}) end, "?", "\n" },
    { "completion", function(text) completion.candidates(text, {}) end, "{(", "a.", "a=" },
    { "shown", function(text) texts.visible(text) texts.json(text) end, "\xef\xbf", "\\" },
    { "results of a run", alike },
    { "a share", function(text) plans.shard{ shard = text } end, "/" },
}

local slow, cases = 0, 0
for _, use in ipairs(uses) do
    for i = 1, #pieces + #use - 2 do
        local piece, start = pieces[i] or use[i - #pieces + 2], os.clock()
        pcall(use[2], piece:rep(size // #piece))
        local seconds = os.clock() - start
        cases = cases + 1
        if seconds > p.most then
            slow = slow + 1
            print(("%s of %q took %.1f s"):format(use[1], piece, seconds))
        end
    end
end
return { slow = slow, cases = cases }
