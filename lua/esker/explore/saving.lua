-- Saves a recipe with other defaults under a new name beside it.

local defaults = require "esker.explore.defaults"
local files = require "esker.files"

local saving = {}

-- A name beside the recipe that is not taken: island-2.lua, island-3.lua, …
local function new_name(folder, recipe)
    local base = recipe:gsub("%.lua$", ""):gsub("%-%d+$", "")
    for i = 2, 999 do
        local name = ("%s-%d.lua"):format(base, i)
        if not folder:is_taken(name) then
            return name
        end
    end
end

-- The recipe's text with the overrides as defaults; nil and why not.
function saving.text(text, overrides)
    local changed, name = defaults.replace(text, overrides)
    if not changed then
        return nil, ("the default of %s is no plain value in the recipe: it cannot be changed there"):format(name)
    end
    return changed
end

-- Writes the recipe of this text, whose file is `path`, with the overrides as defaults, under the name `wanted` or a
-- new one beside it. Gives the path; nil and why not.
function saving.save(path, text, overrides, wanted)
    local changed, unchanged = saving.text(text, overrides)
    if not changed then
        return nil, unchanged
    end
    if wanted ~= nil and (type(wanted) ~= "string" or not wanted:match("^[%w_][%w_. -]*%.lua$")) then
        return nil, "the new name is letters, digits, spaces, _ - and dots, and ends in .lua"
    end
    local place, recipe = path:match("^(.-)([^/]*)$")
    local folder, missing = files.folder(place == "" and "." or place)
    if not folder then
        return nil, missing
    end
    local to = wanted or new_name(folder, recipe)
    if not to or folder:is_taken(to) then
        return nil, ("'%s' exists"):format(to and place .. to or path)
    end
    local well, problem = pcall(folder.write, folder, to, changed)
    if not well then
        return nil, tostring(problem)
    end
    return place .. to
end

return saving
