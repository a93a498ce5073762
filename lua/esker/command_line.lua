-- The commands and options of the program, each declared once: parsing, usage, the manual page and the completions of
-- three shells read this.

local esker = require "esker"
local did_you_mean = require "esker.did_you_mean"
local engine_kinds = require "esker.tiles.engine_kinds"
local file_formats = require "esker.file.formats"
local names_of = require "esker.names"
local planes = require "esker.planes"
local usage_error = require "esker.usage_error"
local web_kinds = require "esker.tiles.kinds"

local command_line = {}

-- "contours (lines), image, …".
local function kinds_of_tiles(tile_kinds)
    local list = names_of(tile_kinds)
    for i, name in ipairs(list) do
        local note = tile_kinds[name].note
        list[i] = note and ("%s (%s)"):format(name, note) or name
    end
    return table.concat(list, ", ")
end

-- `form` is the text after `esker`; `takes` is the kind of the first word after a command's name: "recipe", "folder",
-- "file" or "operation"; `several`: more words may follow. The first two commands have no name in the command line.
command_line.commands = {
    { name = "run", form = "RECIPE.lua [NAME=VALUE ...]", takes = "recipe",
        summary = "run a recipe, save its pictures, print its numbers" },
    { name = "session", form = "[RECIPE.lua [NAME=VALUE ...] -i]", takes = "recipe",
        summary = "start an interactive session, with a recipe's results if one is given" },
    { name = "sweep", form = "sweep RECIPE.lua NAME=VALUES ...", takes = "recipe",
        summary = "run a recipe over a space of parameters",
        description = "VALUES are a range, seed=1..20; a list, talus=8,12,16; evenly spaced values, "
            .. "magnitude=0..0.5/11; or drawn values, persistence=~0.3..0.7 with --samples. The same command "
            .. "continues a sweep that was stopped." },
    { name = "search", form = "search RECIPE.lua NAME=LOW..HIGH ...", takes = "recipe",
        summary = "find the parameters that make a result large or small",
        description = "LOW..HIGH is the range of a parameter that is searched. NAME=VALUE keeps one at a value." },
    { name = "explore", form = "explore RECIPE.lua [NAME=VALUE ...]", takes = "recipe",
        summary = "show a recipe's results in the browser, with sliders for its parameters",
        description = "Serves a page on this machine alone, at an address that it prints and opens. Endless maps are "
            .. "drawn as one zooms in. The recipe runs again when its file or a parameter changes. Ctrl-C ends it." },
    { name = "tiles", form = "tiles RECIPE.lua [NAME=VALUE ...]", takes = "recipe",
        summary = "draw the maps, fields or images that a recipe returns as a pyramid of tiles",
        description = "The output is an archive, FILE.pmtiles or FILE.mbtiles, or a folder of tiles z/x/y.png. Several "
            .. "kinds go to FILE-KIND.pmtiles. The same command continues where it was stopped." },
    { name = "large", form = "large RECIPE.lua [NAME=VALUE ...]", takes = "recipe",
        summary = "run a recipe with fields larger than memory, on several machines",
        description = "Each process works on its --shard of the strips, in the folder large.parts of the output. Then "
            .. "--merge joins what they found. Rounds of both follow each other until --merge has saved the results. "
            .. "Without --shard and --merge one process does all. The same command continues where it was stopped." },
    { name = "table", form = "table DIR", takes = "folder", summary = "summarise the runs of a sweep",
        description = "Prints the summary, or writes it to --output FILE: as text, or as JSON or CSV if FILE ends in "
            .. ".json or .csv. --json prints JSON." },
    { name = "help", form = "help [NAME | WORDS | RECIPE.lua]", takes = "operation", several = true,
        summary = "list the operations, describe one, find some by words, or describe a recipe's parameters" },
    { name = "info", form = "info FILE", takes = "file",
        summary = "show what is in a file, what made it, and the command that makes it again" },
}

-- An option without `value` is a flag. `kind`: "text" (the default), "integer" and "number" with minimum and maximum,
-- "choice", "folder" (a file with the commands `files_of`), "file", "formats". `commands`: those that allow it;
-- all if absent.
command_line.options = {
    { name = "output", short = "o", value = "DIR", kind = "folder", files_of = "table tiles",
        commands = "run session sweep search explore table tiles large",
        doc = "where files go; created if missing (default: the current folder; sweep and search: out; "
            .. "tiles: tiles.pmtiles; explore --static: explorer; table: a file for the summary)" },
    { name = "threads", short = "j", value = "N", kind = "integer", min = 1, max = 256,
        commands = "run session sweep search explore tiles large",
        doc = "number of threads; in a sweep, search, explorer or tiles, of workers (default: one per processor)" },
    { name = "interactive", short = "i", commands = "run session",
        doc = "after the recipe, stay in a session with its results" },
    { name = "graphics", value = "MODE", kind = "choice",
        choices = { "auto", "none", "blocks", "sixel", "kitty", "iterm2" }, commands = "run session",
        doc = "how pictures are shown in the terminal (default: the environment's ESKER_GRAPHICS, or auto)" },
    { name = "seed", value = "N", commands = "run session explore tiles large", doc = "the same as seed=N" },
    { name = "json", commands = "run table info help large",
        doc = "print the results, or the table's summary, as one JSON object; help: every declaration, or "
            .. "that of the name" },
    { name = "format", value = "NAME=FORMATS", kind = "formats", commands = "run large",
        doc = "files in which results are saved, as in --format height=tif,exr relief=png, or of all of a "
            .. "type: Field=npy; RiverMap=json saves zoomable maps for load_map, not pictures of them" },
    { name = "hash", commands = "run",
        doc = "save nothing; print a hash of each picture, equal where all bits are equal" },
    { name = "quiet", short = "q", doc = "no progress, no names of saved files" },
    { name = "time-limit", value = "SECONDS", kind = "number", min = 0,
        commands = "run session sweep search help explore tiles large",
        doc = "how long a run may take (default: 3600, explore: 60; 0: no limit)" },
    { name = "memory-limit", value = "MB", kind = "number", min = 0,
        commands = "run session sweep search help explore tiles large",
        doc = "memory for fields and Lua, in megabytes (default: nine tenths of the machine's; explore: 512 in all)" },
    { name = "trust", commands = "run session sweep search help explore tiles large",
        doc = "let the recipe do everything that Lua can: files, processes, the environment" },
    { name = "port", value = "N", kind = "integer", min = 1, max = 65535, commands = "explore",
        doc = "the port to serve at (default: one that is free)" },
    { name = "no-open", commands = "explore", doc = "do not open the browser" },
    { name = "static", commands = "explore",
        doc = "write the page with its tiles, for any web host, to --output, and end" },
    { name = "site", value = "DIR", kind = "folder", files_of = "", commands = "explore sweep search",
        doc = "a page that computes in the reader's browser, made of the site in DIR (make web): of the recipe, with "
            .. "--static; of each run, beside the gallery of a sweep or search" },
    { name = "samples", value = "N", kind = "integer", min = 1, max = 1e9, commands = "sweep",
        doc = "number of samples of the drawn parameters" },
    { name = "design", value = "NAME", kind = "choice", choices = { "sobol", "latin" }, commands = "sweep",
        doc = "how samples are drawn: Sobol's sequence or a Latin hypercube (default: sobol)" },
    { name = "design-seed", value = "N", kind = "integer", min = 0, max = 2 ^ 53, commands = "sweep search",
        doc = "seed of the samples (default: 1)" },
    { name = "from", value = "FILE.csv", kind = "file", pattern = "*.csv", commands = "sweep",
        doc = "one row of values per run, combined with the other parameters" },
    { name = "where", value = "CONDITION", commands = "sweep table",
        doc = "only the runs for which the condition holds, as in \"talus > 2 * k and seed ~= 3\"" },
    { name = "dry-run", commands = "sweep", doc = "print the runs and their number, run nothing" },
    { name = "yes", commands = "sweep tiles",
        doc = "do not ask before starting more than 10,000 runs; tiles: more than a million" },
    { name = "fail-fast", commands = "sweep", doc = "stop at the first run that fails" },
    { name = "no-pictures", commands = "sweep search", doc = "keep the numbers only" },
    { name = "sqlite", commands = "sweep search", doc = "write table.sqlite as well" },
    { name = "sheet", value = "FILE.png", kind = "file", pattern = "*.png", commands = "sweep search",
        doc = "write a contact sheet with captions" },
    { name = "kinds", value = "NAMES", commands = "tiles",
        doc = "what is drawn: " .. kinds_of_tiles(web_kinds) .. "; with --engine "
            .. kinds_of_tiles(engine_kinds) .. "; several with commas (default: relief, of an image: image; "
            .. "--engine: heights, image, mask, points, lines, polygons)" },
    { name = "levels", value = "LOW..HIGH", commands = "tiles explore",
        doc = "zoom levels, level 0 being one tile (default: 0..5; fields and images: down to their cells; explore "
            .. "--static: 0..4)" },
    { name = "area", value = "BOX", commands = "tiles",
        doc = "only the tiles that meet LEFT,TOP,RIGHT,BOTTOM, from 0 to 1 along the map's side" },
    { name = "world-level", value = "LEVEL", kind = "integer", min = 0, max = 20, commands = "tiles",
        doc = "the map is one tile of this level of web maps, 40,075 km / 2^LEVEL wide (default: 0)" },
    { name = "tile-size", value = "CELLS", kind = "integer", min = 32, max = 8192, commands = "tiles",
        doc = "side of a tile: 256 or 512 (default: 256); of an engine's tile one of its sizes, in points" },
    { name = "engine", value = "NAME", kind = "choice", choices = planes.engines(), commands = "tiles",
        doc = "tiles that a game engine loads as neighbours, into a folder: "
            .. table.concat(planes.engines(), ", ") },
    { name = "overlap", value = "ROWS", kind = "integer", min = 0, max = 1, commands = "tiles",
        doc = "--engine: rows of points that neighbours share, 0 or 1 (default: as the engine has it)" },
    { name = "cell", value = "METRES", kind = "number", min = 1e-3, max = 1e6, commands = "tiles",
        doc = "--engine: metres between points (default: 1; of fields as their frame says)" },
    { name = "range", value = "LOW..HIGH", commands = "tiles",
        doc = "--engine: metres that the smallest and the largest number stand for (default: those of the land)" },
    { name = "masks", value = "NAMES", commands = "tiles",
        doc = "--engine: fields that are layers of 8 bits, as in grass,rock" },
    { name = "palette", value = "NAME", commands = "tiles",
        doc = "colours of relief (default: hypsometric, of maps with a climate natural colours)" },
    { name = "metres", value = "N", kind = "number", min = 1e-6, max = 1e9, commands = "tiles",
        doc = "metres that a height of 1 stands for (default: of maps 8000, less where they are small; 1000; "
            .. "1 for fields with heights above 1.5)" },
    { name = "shard", value = "K/N", commands = "sweep tiles large",
        doc = "run the K-th of N shares (default: as SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT say)" },
    { name = "merge", commands = "sweep tiles large",
        doc = "join the tables, tiles or strips of all shares of the output" },
    { name = "maximize", value = "RESULT", commands = "search", doc = "the result to make large" },
    { name = "minimize", value = "RESULT", commands = "search", doc = "the result to make small" },
    { name = "budget", value = "N", kind = "integer", min = 8, max = 1e9, commands = "search",
        doc = "number of runs (default: 100)" },
    { name = "group", value = "NAMES", commands = "table",
        doc = "one summary for each combination of these parameters' values, as in talus,seed" },
    { name = "share", value = "CONDITION", commands = "table", doc = "the share of runs that meet the condition" },
    { name = "version", doc = "print the version" },
    { name = "help", short = "h", doc = "print the options; with a command its own, with a recipe its parameters" },
}

command_line.exit_status = "0 done, 1 the recipe failed, 2 wrong usage, 130 interrupted"

local by_name = {}
for _, command in ipairs(command_line.commands) do
    by_name[command.name] = command
    command.is_word = command.name ~= "run" and command.name ~= "session"
end

-- Whether the option is allowed with the command of this name.
function command_line.allows(option, name)
    return not option.commands or (" " .. option.commands .. " "):find(" " .. name .. " ", 1, true) ~= nil
end

-- --- what was typed --------------------------------------------------------------------------------------------------

local function allowed(option)
    if option.kind == "choice" then
        return table.concat(option.choices, ", ", 1, #option.choices - 1) .. " or " .. option.choices[#option.choices]
    end
    return ("%s %s"):format(option.kind == "integer" and "a whole number" or "a number",
        option.max and ("from %.16g to %.16g"):format(option.min, option.max) or ("from %.16g"):format(option.min))
end

-- The option's value for its text: a number, or the text itself.
function command_line.read_value(option, text)
    local value = text
    if option.kind == "integer" then
        value = math.tointeger(tonumber(text))
    elseif option.kind == "number" then
        value = tonumber(text)
    elseif option.kind == "choice" then
        value = nil
        for _, choice in ipairs(option.choices) do
            value = choice == text and text or value
        end
    end
    local number = type(value) == "number"
    if value == nil or number and not (value >= option.min and value <= (option.max or math.huge)) then
        usage_error("--%s must be %s, got '%s'", option.name, allowed(option), text)
    end
    return value
end

-- An option without its value, one that does not exist, or the beginning of several.
local function wrong_option(word, lacks_value)
    local name = word:match("^%-%-([^=]+)")
    local all, begun = {}, {}
    for i, option in ipairs(command_line.options) do
        all[i] = option.name
        begun[#begun + 1] = name and option.name:find(name, 1, true) == 1 and "--" .. option.name or nil
    end
    if #begun > 1 then
        usage_error("--%s may be %s; try esker --help", name, table.concat(begun, " or "))
    elseif lacks_value then
        usage_error("%s needs a value; try esker --help", word)
    end
    local nearest = name and esker.nearest(name, all)
    usage_error("there is no option %s%s (esker --help lists them)", word, did_you_mean(nearest and "--" .. nearest))
end

local file_endings = file_formats.endings()
for ending in ("zip tar gz jpg json lua pmtiles mbtiles html"):gmatch("%w+") do
    file_endings[ending] = true
end

local archives = { "mbtiles", "pmtiles" }

-- Tiles go to a folder, too, unless the ending is that of an archive.
local function check_tiles(output, ending)
    local nearest = esker.nearest(ending, archives)
    if ending == archives[1] or ending == archives[2] or not (nearest or file_endings[ending])
            or require("esker.files").folder(output) then
        return
    end
    usage_error("-o takes a .pmtiles, an .mbtiles or a folder, and '%s' has the name of another file%s", output,
        did_you_mean(nearest and output:sub(1, -#ending - 1) .. nearest))
end

local summaries = { csv = true, json = true }

-- A folder that would be new and is called as a file is a mistake, as is a text that is called as a picture.
local function check_output(output, command)
    local ending = (output or ""):match("%.(%w+)$")
    if command == "tiles" and ending then
        check_tiles(output, ending:lower())
    elseif command == "table" and ending and file_endings[ending:lower()] and not summaries[ending:lower()] then
        usage_error("-o takes a .txt, a .csv or a .json, and '%s' has the name of another file", output)
    end
    local makes_folder = command == "run" or command == "session" or command == "sweep" or command == "search"
        or command == "explore" or command == "large"
    if makes_folder and ending and file_endings[ending:lower()] and not require("esker.files").folder(output) then
        usage_error("-o takes a folder, and '%s' has the name of a file; files get the names of the recipe's results "
            .. "(--format %s, where that is one of theirs)", output, ending:lower())
    end
end

-- { command =, target =, words = { NAME=VALUE … }, [option's name] = value or true } for the words after `esker`.
function command_line.parse(words)
    for _, word in ipairs(words) do
        if word:find("^%-%-format") then
            words = require("esker.recipe.result_formats").join_words(words)
            break
        end
    end
    local given, operands, lacks_value = require("esker.getopt").read(words, command_line.options)
    if not given then
        wrong_option(operands, lacks_value)
    end
    local parsed = {}
    for _, each in ipairs(given) do
        local option = command_line.options[each.index]
        local value = each.value and command_line.read_value(option, each.value) or true
        local before = option.kind == "formats" and parsed[option.name] -- which several may give
        parsed[option.name] = before and before .. " " .. value or value
    end
    local first = operands[1]
    local is_word = first and by_name[first] and by_name[first].is_word
    local command = is_word and first or (parsed.interactive or not first) and "session" or "run"
    for _, each in ipairs(given) do
        local option = command_line.options[each.index]
        if not command_line.allows(option, command) then
            usage_error("--%s is an option of %s, not of %s", option.name,
                option.commands:gsub(" ", ", "), is_word and "esker " .. command or "a " .. command)
        end
    end
    parsed.command = command
    parsed.target = operands[is_word and 2 or 1]
    parsed.words = table.move(operands, is_word and 3 or 2, #operands, 1, {})
    check_output(parsed.output, command)
    local several = by_name[command].takes == "recipe" or by_name[command].several
    if not several and #parsed.words > 0 then
        usage_error("%s takes one name, got '%s' as well", command, parsed.words[1])
    end
    return parsed
end

-- --- what is printed -------------------------------------------------------------------------------------------------

local width, column = 100, 28

-- `text` wrapped after `first`; further lines begin with `indent`.
local function wrapped(text, first, indent)
    local lines, line, empty = {}, first, true
    for word in text:gmatch("%S+") do
        if not empty and utf8.len(line) + 1 + utf8.len(word) > width then
            lines[#lines + 1], line, empty = line, indent, true
        end
        line, empty = empty and line .. word or line .. " " .. word, false
    end
    lines[#lines + 1] = line
    return table.concat(lines, "\n")
end

-- `head` in the first column, `text` in the second.
function command_line.entry(head, text)
    local indent, length = (" "):rep(column), utf8.len(head)
    if length > column - 2 then
        return head .. "\n" .. wrapped(text, indent, indent)
    end
    return wrapped(text, head .. indent:sub(length + 1), indent)
end

-- `-o, --output DIR`
function command_line.spelling(option)
    return (option.short and "-" .. option.short .. ", " or "") .. "--" .. option.name
        .. (option.value and " " .. option.value or "")
end

local function option_entries(name)
    local lines = {}
    for _, option in ipairs(command_line.options) do
        if command_line.allows(option, name) then
            lines[#lines + 1] = command_line.entry((option.short and "  " or "      ")
                .. command_line.spelling(option), option.doc)
        end
    end
    return table.concat(lines, "\n")
end

local function command_usage(command)
    return ("usage: esker %s [OPTION ...]\n\n%s.%s\n\nOptions:\n%s\n"):format(command.form,
        command.summary:gsub("^%l", string.upper),
        command.description and "\n\n" .. wrapped(command.description, "", "") or "", option_entries(command.name))
end

local function program_usage()
    local lines = {}
    for i, each in ipairs(command_line.commands) do
        lines[i] = (i == 1 and "usage: " or "       ") .. "esker " .. each.form .. "\n"
            .. command_line.entry("", each.summary)
    end
    return table.concat(lines, "\n") .. "\n\nOptions of a run (`esker COMMAND --help` lists those of a command):\n"
        .. option_entries("run") .. "\n"
end

-- The usage of one command, or of the program.
function command_line.usage(name)
    local command = by_name[name]
    return (command and command.is_word and command_usage(command) or program_usage())
        .. "\nExit status: " .. command_line.exit_status .. ".\n"
end

command_line.version = "esker " .. esker.version

return command_line
