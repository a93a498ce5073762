-- Runs a recipe: a Lua file that composes operations and returns a table of named results.

local esker = require "esker"
local did_you_mean = require "esker.did_you_mean"
local files = require "esker.files"
local host = require "esker.host"
local keys = require "esker.keys"
local large_kind = require "esker.large.kind"
local library = require "esker.recipe.library"
local names_of = require "esker.names"
local parameters = require "esker.recipe.parameters"
local reading = require "esker.file.reading"
local returned = require "esker.recipe.returned"
local screen = require "esker.screen"
local usage_error = require "esker.usage_error"
local value_types = require "esker.value_types"

local recipe = {}

local max_bytes = 16 << 20 -- of a recipe or a module
local max_modules = 1000 -- that are searched for, existing or not
local max_whole = 32 << 20 -- bytes of a recipe with its modules

local function folder_of(path)
    return path:match("^(.*/)[^/]*$") or ""
end

local function copy(value)
    if type(value) ~= "table" then
        return value
    end
    local own = {}
    for name, each in next, value do
        own[name] = copy(each)
    end
    return own
end

-- A message of Lua, which may quote a whole line of a stranger's text.
local function shortened(message)
    local longest <const> = 4000
    return #message > longest and message:sub(1, longest) .. " …" or message
end

-- require "hills" reads hills.lua beside the recipe, require "lib.hills" lib/hills.lua, each once, with the
-- recipe's own environment. Trusted recipes find everything else that is installed, too. Of a recipe with a `source`,
-- the hash that says whether it has changed is that of the modules which the source names: others are an error.
local function make_require(environment, path_of_recipe, source, trusted)
    local folder, loaded, named = folder_of(path_of_recipe), { esker = environment.esker }, nil
    local function is_named(path)
        if not named then
            named = {}
            for _, each in ipairs(select(2, recipe.whole_text(path_of_recipe, source))) do
                named[each] = true
            end
        end
        return named[path]
    end
    return function(name)
        if loaded[name] ~= nil then
            return loaded[name]
        end
        if type(name) ~= "string" or not name:match("^[%w_][%w_.]*$") then
            error("require: a module's name is letters, digits, _ and dots, got " .. keys.text(name), 2)
        end
        local path = folder .. name:gsub("%.", "/") .. ".lua"
        local text, problem = recipe.read_file(path)
        if not text and files.is_file(path) then
            error("require: " .. problem, 2)
        elseif not text and trusted then
            local well, found, from = pcall(require, name)
            if not well then
                error(("require: there is no %s; %s"):format(path, found), 2)
            end
            return found, from
        elseif not text then
            error(("require: there is no %s"):format(path), 2)
        elseif source and not is_named(path) then
            error(("require: %s is not named where the recipe or a module requires it; write require \"%s\" or "
                .. "pcall(require, \"%s\"), so that a change of the module counts as one of the recipe"):format(path,
                name, name), 2)
        end
        local chunk, syntax = load(text, "@" .. path, "t", environment)
        if not chunk then
            error(shortened(syntax), 0)
        end
        local value = chunk(name)
        loaded[name] = value == nil and true or value
        return loaded[name]
    end
end

local function suggestion(name)
    return require("esker.help.command").suggestion(name)
end

-- A misspelt function is an error where it is named, not a nil that is called.
local strict_library = {
    __index = function(_, name)
        local well, nearest = pcall(suggestion, type(name) == "string" and name or "")
        nearest = well and nearest or nil -- a page may not have what knows it
        if nearest == name then
            error(("esker has no function '%s': it is written without 'esker.'"):format(name), 2)
        end
        error(("esker has no function '%s'%s"):format(keys.text(name), did_you_mean(nearest)), 2)
    end,
}

-- The global names of the recipe at `path` with the text `source`, which a session has not. Reading an undefined name
-- is an error, not nil: a misspelt variable would otherwise pass unnoticed into a table of arguments.
function recipe.environment(path, options, source)
    local environment = {}
    if options.trust then
        for name, value in pairs(_G) do
            environment[name] = value
        end
    else
        library.fill(environment)
    end
    environment.print = library.printer(options.print or screen.write, options.trust)
    for name, own in pairs(options.functions or {}) do
        environment[name] = own
    end
    environment._G = environment
    environment.esker = setmetatable(copy(esker), strict_library) -- so that a recipe cannot change the program's
    environment.require = make_require(environment, path, source, options.trust)
    return setmetatable(environment, {
        __index = function(_, name)
            local nearest = type(name) == "string" and esker.nearest(name, names_of(environment))
            error(("the name '%s' is not defined%s"):format(keys.text(name), did_you_mean(nearest)), 2)
        end,
    })
end

-- The whole text of a file of at most `most` bytes (16 MiB); nil and why not. With `folder` only what lies below it:
-- false for anything else.
function recipe.read_file(path, most, folder)
    local file, problem = files.open(path, folder)
    if not file then
        return file, problem
    end
    local found, failure = reading.whole(file, most or max_bytes)
    file:close()
    return found, failure and ("cannot read '%s': %s"):format(path, failure)
end

-- The text of the recipe at `path`; a usage error if there is none.
function recipe.text(path)
    local text, problem = recipe.read_file(path)
    if text then
        return text
    end
    local names = {}
    for _, command in ipairs(require("esker.command_line").commands) do
        names[#names + 1] = command.is_word and command.name or nil
    end
    local nearest = not path:find("[./]") and esker.nearest(path, names)
    usage_error("%s%s", problem:gsub("^cannot read '", "cannot read the recipe '"),
        did_you_mean(nearest and "esker " .. nearest))
end

-- Iterates over the names of modules that an untrusted text may require, in time linear in the text: require "x",
-- require("x"), require [[x]], pcall(require, "x").
local function required(source)
    local at = 1
    return function()
        while true do
            local _, stop = source:find("require", at, true)
            if not stop then
                return nil
            end
            at = source:match("^%s*()", stop + 1)
            if source:find("^[(,]", at) then
                at = source:match("^%s*()", at + 1)
            end
            local name = source:match("^[\"']([%w_][%w_.]*)[\"']", at) or source:match("^%[%[([%w_][%w_.]*)%]%]", at)
            if name then
                return name
            end
        end
    end
end

-- The text of the recipe at `path` and of all modules below its folder that it or they may require; an error if they
-- are too many or too long.
function recipe.whole_text(path, text)
    local folder, seen, texts, count = folder_of(path), { [path] = true }, { text }, 0
    local next_text, bytes = 1, #text
    while texts[next_text] do
        for name in required(texts[next_text]) do
            local file = folder .. name:gsub("%.", "/") .. ".lua"
            if not seen[file] then
                seen[file], count = true, count + 1
                if count > max_modules then
                    error(("%s requires more than %d modules"):format(path, max_modules), 0)
                elseif files.is_file(file) then
                    local found, problem = recipe.read_file(file, max_bytes, folder == "" and "." or folder)
                    texts[#texts + 1] = found or problem and error(problem, 0) or nil
                    bytes = bytes + (found and #found or 0)
                    if bytes > max_whole then
                        error(("%s and its modules have more than %d MiB"):format(path, max_whole >> 20), 0)
                    end
                end
            end
        end
        next_text = next_text + 1
    end
    return table.concat(texts, "\0"), names_of(seen)
end

-- Runs the recipe with this path and text, options.overrides ({ name = text }), options.lenient (parameters.new),
-- options.print (a function for what it prints) and options.trust. Returns what it returned and its parameter set.
-- Raises errors: strings for the recipe's, { usage = … } for the caller's.
function recipe.run(path, text, options)
    local set = parameters.new(options.overrides or {}, options.lenient)
    function set.on_declare()
        math.randomseed(math.type(set.values.seed) == "integer" and set.values.seed or 0)
        if options.on_declare then
            options.on_declare(set, text)
        end
    end
    math.randomseed(0) -- the same random numbers in every run
    if options.on_declare then
        options.on_declare(set, text)
    end
    local environment = recipe.environment(path, options, text)
    environment.params = set.declare
    local chunk, syntax = load(text, "@" .. path, "t", environment)
    if not chunk then
        local hint = " (a recipe is written in Lua; esker info shows what is in other files)"
        error(shortened(syntax) .. (path:find("%.lua$") and "" or hint), 0)
    end
    returned.check(text, path)
    local results = host.call_recipe(chunk, path)
    set.check_used()
    return results, set
end

-- No code of the recipe runs here: metatables cannot change the results.
local function sorted_names(results, path, prefix)
    if debug.getmetatable(results) then
        error(path .. ": results are plain tables, without a metatable", 0)
    end
    local wrong = keys.first_wrong(results, returned.is_name)
    if wrong and prefix ~= "" and rawget(results, 1) ~= nil then
        error(("%s: a result in the table '%s' needs a name, as in { height = land }; got a %s without one"):format(
            path, prefix:sub(1, -2), value_types.of(rawget(results, 1))), 0)
    elseif wrong then
        error(returned.wrong_name(path, wrong), 0)
    end
    return names_of(results)
end

local printable = { number = true, string = true, boolean = true }

-- Names the first member of { picture, format = … } that is neither.
local function check_members(value, path, whole)
    local wrong = keys.first_wrong(value, function(key)
        return key == 1 or key == "format"
    end)
    if wrong then
        error(("%s: the result '%s' is { value, format = … }, got '%s'%s"):format(path, whole, wrong,
            did_you_mean(esker.nearest(wrong, { "format" }))), 0)
    end
end

-- What is saved: value and formats of a picture, or of { picture, format = "asc" } or { picture, format = { … } }.
local function saved(value, path, whole)
    local picture, formats = value, nil
    if value_types.of(value) == "table" and value_types.usual_format(value_types.of(rawget(value, 1))) then
        check_members(value, path, whole)
        picture, formats = rawget(value, 1), rawget(value, "format")
    elseif value_types.of(value) == "table" and rawget(value, 1) ~= nil and rawget(value, "format") ~= nil then
        local kind = value_types.of(rawget(value, 1))
        error(("%s: the result '%s' has a format, but its value is a %s; %s are saved in formats"):format(path, whole,
            kind, value_types.saved()), 0)
    end
    local usual = value_types.usual_format(value_types.of(picture))
    return usual and picture, type(formats) == "table" and formats or { formats or usual }
end

-- Raises an error if the formats of a picture are no list of file extensions.
local function check_formats(formats, path, whole)
    local wrong = keys.first_wrong(formats, function(key)
        return math.type(key) == "integer" and key >= 1 and key <= #formats
    end)
    if wrong or #formats == 0 then
        error(("%s: the formats of the result '%s' are a list, as in format = { \"png\", \"asc\" }%s"):format(path,
            whole, wrong and (", got '%s'"):format(wrong) or "; it is empty"), 0)
    end
    for _, format in ipairs(formats) do
        if type(format) ~= "string" or not format:match("^%w+$") then
            local several = type(format) == "string" and format:match("^%w+,[%w,]*%w$")
            error(("%s: the result '%s' asks for the format %s; a format is a file extension, such as \"asc\"%s")
                :format(path, whole, type(format) == "string" and "'" .. format .. "'" or keys.text(format), several
                and '; several are { "' .. several:gsub(",+", '", "') .. '" }' or ""), 0)
        end
    end
end

-- Raises an error if a result cannot be saved as what it asks for.
local function check_format(result, path)
    local kind, format = value_types.of(result.picture), result.file:match("%.(%w+)$")
    if not value_types.saves_as(kind, format) then
        error(("%s: the result '%s' is %s, which is saved as %s, not as %s"):format(path, result.name,
            value_types[kind].singular, table.concat(value_types[kind].formats, ", "), format), 0)
    end
end

-- A picture of a zoomable map as a whole, in natural colours if it has a climate.
function recipe.drawn(map)
    local window = { width = 1024, height = map.planet and 512 or 1024 }
    local height, rivers = map:render(window)
    local drape = map.watered and map:cover(window).image or nil
    return height:relief{ rivers = rivers, drape = drape, palette = drape and "ground" or nil }
end

local collect

-- The one result that a function gives, as recipe.results lists it.
local function made_by(make, path, name, with_maps)
    local value = host.call_recipe(make, path)
    if value == nil or esker.type(value) == "function" then
        error(("%s: the result '%s' is a function that gives %s"):format(path, name, value and "a function"
            or "nothing"), 0)
    end
    local list = collect({ [name] = value }, path, "", {}, with_maps)
    if #list ~= 1 or list[1].name ~= name then
        error(("%s: the result '%s' is a function; it gives one value, not a table of them"):format(path, name), 0)
    end
    return list[1]
end

collect = function(results, path, prefix, list, with_maps)
    for _, name in ipairs(sorted_names(results, path, prefix)) do
        local value, whole = results[name], prefix .. name
        value = not with_maps and value_types.of(value) == "RiverMap" and recipe.drawn(value) or value
        local kind = value_types.of(value)
        local picture, formats = saved(value, path, whole)
        if picture then
            local is_saved = not with_maps or with_maps == "files"
            local text = not is_saved and "" or tostring(picture):match("%d+ × %d+$") or tostring(picture)
            local seen = {}
            check_formats(formats, path, whole)
            for _, format in ipairs(formats) do
                list[#list + 1] = not seen[format] and { name = whole, picture = picture,
                    file = whole .. "." .. format, text = text } or nil
                seen[format] = true
            end
        elseif printable[kind] or with_maps and kind == "RiverMap" then
            list[#list + 1] = { name = whole, value = value }
        elseif kind == "function" then
            local function make()
                return made_by(value, path, whole, with_maps)
            end
            list[#list + 1] = with_maps == "later" and { name = whole, make = make } or make()
        elseif kind == "table" and prefix == "" then
            collect(value, path, name .. ".", list, with_maps)
        else
            error(("%s: the result '%s' is a %s; results are %s, numbers and strings")
                :format(path, whole, kind, value_types.saved()), 0)
        end
    end
    return list
end

local function is_large(value)
    return large_kind.is(value) or large_kind.is_picture(value)
end

-- A recipe's results as a list in alphabetical order: { name =, picture =, file =, text = } or { name =, value = }. The
-- members of a table, such as what playability returns, are results too; a function is called, and gives one.
-- Zoomable maps are drawn as a whole; with `with_maps` they are results themselves. Where that is "files", pictures are
-- saved all the same; where it is "later", functions are not called: { name =, make = }, and make() gives the result.
-- Fields larger than memory are results with `with_large`, else their overviews.
function recipe.results(results, path, with_maps, with_large)
    if esker.type(results) ~= "table" then
        error(("%s: a recipe returns a table of results, as in return { height = land }; got %s"):format(
            path, results == nil and "nothing" or (esker.type(results):match("^[AEI]") and "an " or "a ")
            .. esker.type(results)), 0)
    end
    local list = collect(results, path, "", {}, with_maps)
    for _, each in ipairs(with_large and {} or list) do
        each.picture = is_large(each.picture) and each.picture:overview() or each.picture
    end
    for _, each in ipairs(list) do
        if each.picture then
            check_format(each, path)
        end
    end
    if #list == 0 then
        error(("%s: the table of results is empty"):format(path), 0)
    end
    return list
end

-- A copy of the results with overviews in place of fields larger than memory, which cannot be sent to another process.
function recipe.in_memory(results)
    for name, value in next, results do
        if is_large(value) then
            results[name] = value:overview()
        elseif esker.type(value) == "table" then
            recipe.in_memory(value)
        end
    end
    return results
end

return recipe
