-- Recipes run apart from the program, in a process that is limited in time and memory and, unless it is trusted, may
-- read its own folder and the files that the user named, and write below its output folder.

local apart = require "esker.apart"
local host = require "esker.host"
local library = require "esker.library"
local names_of = require "esker.names"
local screen = require "esker.screen"

local confined = {}

local hour = 3600

local function folder_of(path)
    return path:match("^(.*/)[^/]*$") or "."
end

-- Where there is less than there should be, the user is told, once.
local told = false

local function tell_what_lacks(options)
    local lacks = not options.quiet and not told and apart.lacks()
    if lacks then
        screen.note("esker: ", lacks, "\n")
    end
    told = true
end

-- What a run of the recipe options.target with these parameter values may do; it writes below `folder`.
function confined.limits(options, values, folder)
    local megabytes = options["memory-limit"] or 0
    local limits = { trust = options.trust, time_limit = options["time-limit"] or hour,
        memory_limit = megabytes > 0 and megabytes * 2 ^ 20 or nil, read = { folder_of(options.target) },
        write = folder }
    for _, name in ipairs(names_of(values)) do
        local value = values[name]
        if type(value) == "string" and host.is_file(value) then
            limits.read[#limits.read + 1] = value
        end
    end
    if not options.trust then
        tell_what_lacks(options)
    end
    return limits
end

-- To be called in the new process, before the recipe. What it saves under a relative path goes below `folder`.
function confined.begin(options, folder)
    if folder then
        host.write_below(folder)
    end
    if not options.trust then
        library.seal()
    end
end

-- What `make` gives when it is called apart; its error is raised here.
function confined.ask(limits, make)
    return apart.ask(limits, function()
        confined.begin(limits, limits.write)
        return make()
    end)
end

return confined
