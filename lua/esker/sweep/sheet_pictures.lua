-- The pictures of a contact sheet. A sweep's folder may be a stranger's, so confined processes read them, and make them
-- small.

local confined = require "esker.recipe.confined"
local display = require "esker.session.display"
local esker = require "esker"
local gallery = require "esker.sweep.gallery"

local sheet_pictures = {}

local together <const> = 16 -- pictures that one process reads
local max_pixels <const> = 2 ^ 24 -- of one
local seconds <const>, bytes <const> = 60, 2 ^ 30 -- that a process may take

-- Of "load: cannot read 'PATH': it is truncated" what comes after the path.
local function reason_in(problem)
    local text = tostring(problem)
    local _, last = text:find("': ", 1, true)
    return text:sub((last or 0) + 1)
end

-- In the confined process: images by path, or why there is none.
local function images_of(root, paths)
    local found = {}
    for _, path in ipairs(paths) do
        local well, value = pcall(esker.load, root .. "/" .. path, { max_pixels = max_pixels })
        found[path] = well and gallery.shrunk(display.picture_of(value)) or reason_in(value)
    end
    return found
end

-- The same in this process. Those of a process that fails are read by a process each.
local function read(limits, root, paths)
    local well, found = pcall(confined.call, limits, function() return images_of(root, paths) end)
    if well then
        return found
    elseif tostring(found):find("interrupted", 1, true) then
        error(found, 0)
    elseif #paths == 1 then
        return { [paths[1]] = tostring(found) }
    end
    local all = {}
    for _, path in ipairs(paths) do
        all[path] = read(limits, root, { path })[path]
    end
    return all
end

-- A function that gives the images at these paths in a sweep's folder, asked for in this order; nil and why if one
-- cannot be read.
function sheet_pictures.reader(folder, paths)
    local root, last, found = folder:real_path("."), 0, {}
    local limits = { time_limit = seconds, memory_limit = bytes, real = { root } }
    return function(path)
        if found[path] == nil then
            found = read(limits, root, table.move(paths, last + 1, math.min(last + together, #paths), 1, {}))
            last = last + together
        end
        if type(found[path]) == "string" then
            return nil, found[path]
        end
        return found[path]
    end
end

return sheet_pictures
