-- Runs recipes in a separate process with time and memory limits. Unless it is trusted, a recipe may read only its own
-- folder and files named by the user, and write only below its output folder.

local esker = require "esker"
local file_formats = require "esker.file.formats"
local files = require "esker.files"
local library = require "esker.recipe.library"
local names_of = require "esker.names"
local process = require "esker.process"
local recipe = require "esker.recipe.recipe"
local screen = require "esker.screen"
local usage_error = require "esker.usage_error"
local worker = require "esker.worker"

local confined = {}

local hour = 3600

local function folder_of(path)
    return path:match("^(.*/)[^/]*$") or "."
end

-- Libraries that read and write files, and what they are called in limits. A confined process cannot open a library,
-- so it is opened before, but only for a recipe that needs it: GDAL takes 40 ms.
local called = { GDAL = "rasters", OpenEXR = "exr" }
local readers, writers = {}, {} -- by ending
for _, format in ipairs(esker.formats()) do
    for _, ending in ipairs(format.library and format.endings or {}) do
        readers[ending] = called[format.library]
        writers[ending] = format.writes and called[format.library] or nil
    end
end
for _, ending in ipairs{ "nc", "map", "h5", "vrt" } do -- GDAL explains why it does not read them; mosaic joins a .vrt's
    readers[ending] = called.GDAL
end

-- Those with a .prj beside them, which GDAL writes.
local with_project = file_formats.endings(function(format) return format.keeps.project end)

-- Adds to `needs` the libraries of files that a text names, at its end or as the end of something in quotes, and of
-- formats: "dem.tif", "tif".
local function find_libraries(text, needs)
    text = '"' .. text .. '"'
    for at, ending in text:gmatch("()%f[%w](%w+)[\"']") do
        local before = text:sub(at - 1, at - 1)
        ending = ending:lower()
        local needed = before == "." and readers[ending] or before:find("[\"']") and writers[ending]
        if needed then
            needs[needed] = true
        end
    end
end

-- The libraries that a file of this name needs: a set.
function confined.libraries(name)
    local needs = {}
    find_libraries(name, needs)
    return needs
end

-- Whether lengths in the systems that a text names need PROJ, which comes with GDAL: those that are known without it
-- are in src/core/earth.c.
local function needs_systems(text)
    for code in text:gmatch("[eE][pP][sS][gG]:(%d*%+?)") do
        local number = tonumber(code) or 0
        local zone = number // 100
        local is_utm = zone == 326 or zone == 327 or zone == 269 or (number >= 25828 and number <= 25838)
        local is_known = is_utm or number == 3857 or number == 4326 or number == 4269 or number == 4258
        if not is_known then
            return true
        end
    end
    return text:find("PROJCS[", 1, true) or text:find("PROJCRS[", 1, true)
end

-- The libraries that the recipe, its modules, or a value needs.
local function needed_libraries(options, values)
    local needs = {}
    for _, name in ipairs(names_of(values)) do
        if type(values[name]) == "string" then
            find_libraries(values[name], needs)
            needs.rasters = needs.rasters or needs_systems(values[name]) and true
        end
    end
    for _, formats in pairs(options.format or {}) do
        find_libraries(table.concat(type(formats) == "table" and formats or { formats }, '" "'), needs)
    end
    local text = recipe.read_file(options.target)
    local well, whole = pcall(recipe.whole_text, options.target, text or "")
    text = well and whole or text or ""
    find_libraries(text, needs)
    needs.exr = needs.exr or text:find("%f[%w]control%s*=") and true -- Terrain3D's control maps
    needs.rasters = needs.rasters or needs_systems(text) or text:find("%f[%w]reproject%f[%W]") and true
    for ending in pairs(with_project) do
        needs.rasters = needs.rasters or text:find("%f[%w]" .. ending .. "[\"']") and true
    end
    return needs
end

-- Tells the user, once, if confinement is weaker than intended.
local told = false

local function tell_what_lacks(options)
    local lacks = not options.quiet and not told and process.lacks()
    if lacks then
        screen.note("esker: ", lacks, "\n")
    end
    told = true
end

-- Where the system confines nothing, a recipe that lies elsewhere than below the current folder has to be trusted.
local function check_place(path)
    local is_elsewhere = path:find("^[/\\]") or path:find("^%a:") or ("/" .. path .. "/"):find("[/\\]%.%.[/\\]")
    if process.trusts_elsewhere and is_elsewhere then
        usage_error("%s is outside of the current folder, and %s; --trust runs it all the same", path, process.lacks())
    end
end

-- The files beside one that say how to read it, as gdal.c and sidecar.h look for them, and those that are links
-- to elsewhere: who laid the link could have any file read.
local function beside(path)
    local found, elsewhere = {}, {}
    local stem = path:gsub("%.%w+$", "")
    local function add(name)
        local real = name ~= path and files.beside(path, name)
        if real then
            found[#found + 1] = real
        elseif real == false and name ~= path then
            elsewhere[#elsewhere + 1] = name
        end
    end
    for before, list in pairs{ [path] = "json hdr msk aux.xml", [stem] = "prj hdr sgrd rdc tfw wld shx dbf cpg" } do
        for ending in list:gmatch("%S+") do
            add(before .. "." .. ending)
            add(before .. "." .. ending:upper())
        end
    end
    return found, elsewhere
end

local told_of = {} -- paths of links that are not read

local function tell_of_links(links)
    for _, path in ipairs(links) do
        if not told_of[path] then
            told_of[path] = true
            screen.note("esker: ", path, " is not read: it is a link, and leads out of the folder of the file that it ",
                "describes, or to a file of another ending\n")
        end
    end
end

-- The limits of a run of the recipe options.target with these parameter values; it writes below `folder`. Files that a
-- value names may be read, but not those that the parameters in the set `unnamed` name: the user did not type them.
function confined.limits(options, values, folder, unnamed)
    local megabytes = options["memory-limit"] or 0
    local needs = needed_libraries(options, values)
    local limits = { trust = options.trust, time_limit = options["time-limit"] or hour,
        memory_limit = megabytes > 0 and megabytes * 2 ^ 20 or nil, read = { folder_of(options.target) },
        real = {}, write = folder, rasters = needs.rasters, exr = needs.exr }
    for _, name in ipairs(names_of(values)) do
        local value = values[name]
        if type(value) == "string" and not (unnamed and unnamed[name]) and files.is_file(value) then
            limits.read[#limits.read + 1] = value
            local found, elsewhere = beside(value)
            for _, path in ipairs(found) do -- a system that only GDAL may know
                limits.rasters = limits.rasters or path:lower():find("%.prj$") and true
            end
            table.move(found, 1, #found, #limits.real + 1, limits.real)
            if not (options.trust or options.quiet) then
                tell_of_links(elsewhere)
            end
        end
    end
    if not options.trust then
        check_place(options.target)
        tell_what_lacks(options)
    end
    return limits
end

-- Wraps `make` for a process with limits.
local function prepared(limits, make)
    return function()
        if not limits.trust then
            library.seal()
        end
        return make()
    end
end

-- Starts a process that calls `make` and ends with the status that it returns; returns its number for process.wait.
-- With `output`, the name of a file in limits.write for what it prints, it runs in parallel with others.
function confined.fork(limits, make, output)
    return process.fork(limits, prepared(limits, make), output)
end

-- Starts a process that stays and calls `answer` with each message (src/cli/worker.c).
function confined.worker(limits, answer)
    local ready = false
    return worker.start(limits, function(message)
        if not ready then
            ready = true
            prepared(limits, function() end)()
        end
        return answer(message)
    end)
end

-- Calls `make` in another process and returns its result; its error is raised here.
function confined.call(limits, make)
    return process.call(limits, prepared(limits, make))
end

return confined
