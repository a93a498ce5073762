-- Folders that commands write into. A path that the user typed may be a link; a name that Esker chose, as a default or
-- beside an output, may not, since whoever made the current folder may have put the link there.

local files = require "esker.files"
local reading = require "esker.file.reading"
local usage_error = require "esker.usage_error"

local output_folders = {}

-- The folder at a path that the user typed, with `make` created if it is missing; nil and why not.
function output_folders.typed(path, make)
    if make then
        files.make_folder(path)
    end
    return files.folder(path)
end

-- The path above, and the last part of a path.
local function split(path)
    local above, name = path:match("^(.*)/([^/]+)$")
    return above == "" and "/" or above or ".", name or path
end

-- The open folder above a path, if there is one, and the path's last part.
function output_folders.above(path)
    local above, name = split(path)
    return files.folder(above), name
end

function output_folders.is_link(path)
    local outer, name = output_folders.above(path)
    return outer ~= nil and outer:is_link(name)
end

local most_read <const> = 1 << 16

-- An error if one of these files, or of these folders with something in them, lies in a folder that lacks the record of
-- Esker's work: a file of this name with this text near its beginning. Esker chose all names.
function output_folders.check_own(folder, record, text, names)
    if folder:has(record) and (reading.beginning(folder, record, most_read) or ""):find(text, 1, true) then
        return
    end
    for _, name in ipairs{ record, table.unpack(names) } do
        if folder:has(name) or name:find("/$") and #folder:names((name:gsub("/$", ""))) > 0 then
            usage_error("%s is not Esker's, and would be replaced; remove it, or choose another folder with -o",
                folder:path(name))
        end
    end
end

-- Whether anything has that name, even a link that leads nowhere.
function output_folders.is_taken(path)
    local outer, name = output_folders.above(path)
    return outer ~= nil and outer:is_taken(name)
end

-- The folder at a path whose last part Esker chose; nil if there is none. Also the folder above it, and its name there.
function output_folders.chosen(path, make)
    local above, name = split(path)
    local outer, problem = output_folders.typed(above, make)
    if not outer then
        return make and error(problem, 0) or nil
    elseif outer:is_link(name) then
        usage_error("%s is a link, and was not named on the command line; name the folder that it leads to, as in -o "
            .. "FOLDER, or remove the link", path)
    elseif make then
        outer:make(name)
    end
    return outer:folder(name), outer, name
end

-- The folder at `path`, which the user typed unless it is the default.
function output_folders.open(path, default, make)
    if path then
        return output_folders.typed(path, make)
    end
    return (output_folders.chosen(default, make))
end

return output_folders
