-- The files that pyramids end in: an archive or a folder for each set of tiles, with metadata for map programs.

local engine_tiles = require "esker.tiles.engine_tiles"
local json = require "esker.file.json"
local output_folders = require "esker.recipe.output_folders"
local pyramids = require "esker.tiles.pyramids"
local reading = require "esker.file.reading"
local tile_areas = require "esker.tiles.areas"
local tile_codec = require "esker.tile_codec"
local tile_kinds = require "esker.tiles.kinds"
local tile_plans = require "esker.tiles.plans"
local usage_error = require "esker.usage_error"

local tile_archives = {}

-- The format that an output's name asks for.
function tile_archives.format(path)
    return path:lower():match("%.(pmtiles)$") or path:lower():match("%.(mbtiles)$") or "folder"
end

-- The path of a set of tiles: the output itself if it is the only one.
function tile_archives.path(plan, sets, set, output)
    if #sets == 1 then
        return output
    elseif plan.format == "folder" then
        return output .. "/" .. set.name
    end
    local stem, ending = output:match("^(.*)(%.%a+)$")
    return stem .. "-" .. set.name .. ending
end

-- --- metadata --------------------------------------------------------------------------------------------------------

local fields_of = { rivers = { width = "Number" }, contours = { ele = "Number", index = "Boolean" } }

-- Ten digits are 10 micrometres of a place, and no rounding error shows.
local function rounded(number)
    return number and tonumber(("%.10g"):format(number))
end

-- What map programs are told of a set: "TileJSON 3.0.0", github.com/mapbox/tilejson-spec.
local function tilejson(plan, set)
    local west, south, east, north, longitude, latitude = pyramids.bounds(plan)
    local low, high = plan.low + plan.world, plan.high + plan.world
    local about = { tilejson = "3.0.0", name = set.name, version = "1.0.0", scheme = "xyz", minzoom = low,
        maxzoom = high, bounds = { rounded(west), rounded(south), rounded(east), rounded(north) },
        center = { rounded(longitude), rounded(latitude), low },
        description = plan.command, generator = "Esker " .. plan.version,
        format = set.kind == "vector" and "pbf" or "png", type = set.kind == "vector" and "overlay" or "baselayer",
        encoding = set.kind ~= "vector" and tile_kinds[set.kind].encoding or nil, tileSize = plan.tile,
        esker = { recipe = plan.recipe, recipe_hash = plan.hash, parameters = plan.parameters,
            metres = rounded(set.source.metres), lowest = rounded(set.source.low),
            highest = rounded(set.source.high) } }
    for i, layer in ipairs(set.layers or {}) do
        about.vector_layers = about.vector_layers or {}
        about.vector_layers[i] = { id = layer, fields = fields_of[layer], minzoom = low, maxzoom = high }
    end
    return about
end

local function about_set(plan, set)
    local about = tilejson(plan, set)
    return { name = set.name, format = about.format, kind = set.kind, low = about.minzoom, high = about.maxzoom,
        west = about.bounds[1], south = about.bounds[2], east = about.bounds[3], north = about.bounds[4],
        longitude = about.center[1], latitude = about.center[2], description = plan.command, tilejson = about,
        metadata = json.encode(about) }
end

-- --- folders ---------------------------------------------------------------------------------------------------------

local folder_archive = {}
folder_archive.__index = folder_archive

local most_json <const> = 1 << 20
local most_levels <const> = tile_areas.most_levels
local unfinished <const> = "tiles.json.unfinished" -- says which levels Esker is writing into the folder

-- The folder of a set; nil if there is none. The user typed the output's path, not those of sets below it.
local function open_set(plan, sets, set, output, make)
    local folder, problem = output_folders.typed(output, make)
    if make and not folder then
        error(problem, 0)
    elseif folder and #sets > 1 then
        folder = output_folders.chosen(tile_archives.path(plan, sets, set, output), make)
    end
    return folder
end

-- The levels in a folder that Esker wrote, from low to high, which only a file beside them says, and may be forged; nil
-- if that file is another program's.
local function own_levels(folder)
    local text = reading.beginning(folder, "tiles.json", most_json)
    local well, read, wrong = pcall(json.decode, text or "{}")
    if text and (not well or wrong or type(read) ~= "table" or not tostring(read.generator):find("^Esker")) then
        return nil
    end
    local low, high = math.tointeger(read.minzoom) or most_levels, math.tointeger(read.maxzoom) or -1
    local first, last = (reading.beginning(folder, unfinished, most_json) or ""):match("^(%d%d?) (%d%d?)\n$")
    low, high = math.min(low, tonumber(first) or low), math.max(high, tonumber(last) or high)
    return math.max(low, 0), math.min(high, most_levels)
end

-- The number from 0 to `most` that a name is, as Esker writes it; nil for others, as 05.
local function number_of(name, most)
    local number = math.tointeger(tonumber(name))
    return number and number >= 0 and number <= most and name == tostring(number) and number or nil
end

local function is_level(name, low, high)
    local level = number_of(name:match("^(.-)/?$"), high)
    return level ~= nil and level >= low
end

-- The levels in a folder from low to high, as "3"; also the name of something that stands where a level belongs.
local function found_in(folder, low, high)
    local levels, other = {}, nil
    for _, name in ipairs(folder:names(".", true)) do
        if is_level(name, low, high) then
            levels[#levels + 1] = name:match("^(%d+)/$")
            other = other or name:match("^%d+$")
        end
    end
    return levels, other
end

-- The levels of an earlier run, which are replaced; an error if others are in the place of tiles.
local function check_folder(plan, path, folder)
    local low, high = own_levels(folder)
    if not low then
        usage_error("%s has a tiles.json that Esker did not write; remove it, or choose another output", path)
    end
    local levels, other = found_in(folder, low, high)
    local taken, another = found_in(folder, plan.low + plan.world, plan.high + plan.world)
    other = other or another
    for _, level in ipairs(taken) do
        if not is_level(level, low, high) then
            usage_error("%s has tiles that Esker did not write, as %s; remove them, or choose another output", path,
                level)
        end
    end
    if other then
        usage_error("%s/%s is a link or a file, where a folder of tiles belongs; remove it, or choose another output",
            path, other)
    end
    return levels
end

local formats = { pmtiles = "esker.tiles.pmtiles", mbtiles = "esker.tiles.mbtiles" }

-- An error where a file that Esker did not write has the name that Esker chose for an archive.
local function check_archive(path, format)
    local folder, name = output_folders.above(path)
    local file <close> = folder and folder:open(name)
    if file and not require(formats[format]).is_own(file) then
        usage_error("%s is not Esker's, and would be replaced; remove it, or choose another output with -o", path)
    end
end

-- Which folders of tiles would be replaced; an error if one of them, or an archive of a name that Esker chose, is not
-- its own, or lies behind a link: what it leads to loses its tiles only if the user names it. The plan may be forged,
-- so the output's name says what is made: a default name is an archive's, thus the user typed the path of every
-- folder. `default`: nobody typed the output's.
function tile_archives.replaced(plan, output, default)
    if plan.format ~= tile_archives.format(output) then
        usage_error("the tiles in %s.parts were drawn in another format than %s; name the output that they were drawn "
            .. "for, as in -o OUTPUT", output, output)
    end
    if plan.engine then
        return engine_tiles.replaced(output, plan, tile_plans.sets(plan)) and { output } or {}
    end
    local list, sets = {}, tile_plans.sets(plan)
    local chosen = plan.format ~= "folder" and (default or #sets > 1) -- names by Esker
    for _, set in ipairs(chosen and sets or {}) do
        check_archive(tile_archives.path(plan, sets, set, output), plan.format)
    end
    for _, set in ipairs(plan.format == "folder" and sets or {}) do
        local path = tile_archives.path(plan, sets, set, output)
        local folder = open_set(plan, sets, set, output)
        local levels = {}
        if folder then
            levels = check_folder(plan, path, folder)
        end
        if (#levels > 0 or folder and folder:is_taken("tiles.json")) and output_folders.is_link(output) then
            usage_error("%s is a link to a folder of tiles, which would be replaced; name that folder itself", output)
        end
        list[#list + 1] = #levels > 0 and path or nil
    end
    return list
end

-- Removes the tiles of a level, and its folder if nothing else is in it.
local function remove_level(folder, level)
    local last = (1 << tonumber(level)) - 1
    for _, name in ipairs(folder:names(level)) do
        local column = number_of(name:match("^(.*)/$") or "", last)
        local place = column and level .. "/" .. column
        for _, tile in ipairs(place and folder:names(place) or {}) do
            if number_of(tile:match("^(.*)%.png$") or tile:match("^(.*)%.pbf$") or "", last) then
                folder:remove(place .. "/" .. tile)
            end
        end
        if place then
            folder:remove_empty(place)
        end
    end
    folder:remove_empty(level)
end

-- Tiles of an earlier run are removed: the new ones may be fewer.
local function create_folder(plan, sets, set, output)
    local folder = open_set(plan, sets, set, output, true)
    local low, high = own_levels(folder)
    folder:write(unfinished, ("%d %d\n"):format(low, high))
    folder:remove("tiles.json")
    for _, level in ipairs((found_in(folder, low, high))) do
        remove_level(folder, level)
    end
    folder:write(unfinished, ("%d %d\n"):format(plan.low + plan.world, plan.high + plan.world))
    return setmetatable({ folder = folder, made = {} }, folder_archive)
end

function folder_archive:put(tile, bytes, ending)
    local level, column = tostring(tile.z), tile.z .. "/" .. tile.x
    for _, name in ipairs{ level, column } do
        if not self.made[name] then
            self.folder:make(name)
            self.made[name] = true
        end
    end
    self.folder:write(("%s/%d.%s"):format(column, tile.y, ending), bytes)
end

-- tiles.json comes last: a folder that has it is complete.
function folder_archive:close(about)
    about.tilejson.tiles = { "{z}/{x}/{y}." .. about.format }
    self.folder:write("tiles.json", json.encode(about.tilejson) .. "\n")
    self.folder:remove(unfinished)
end

-- --- writing ---------------------------------------------------------------------------------------------------------

local most_named <const> = 20

local function refuse_damaged(parts, names)
    local paths = {}
    for i = 1, math.min(#names, most_named) do
        paths[i] = parts:path(names[i])
    end
    local more = #names > most_named and (" and %d more"):format(#names - most_named) or ""
    local one = #names == 1
    error(("%s%s %s damaged; remove %s, draw %s again (every share draws only what is missing), then join them")
        :format(table.concat(paths, ", "), more, one and "is" or "are", one and "it" or "them",
            one and "its share" or "their shares"), 0)
end

local head_size <const> = 12 -- of a set: the length of its tiles and their checksum

-- The tiles of a set that begins at a place in a block's open part, as texts, and the place where the set ends.
local function read_set(plan, file, at, count)
    local left = file:seek("end") - at - head_size
    file:seek("set", at)
    local size, checksum = ("<I8I4"):unpack(file:read(head_size))
    assert(size >= 0 and size <= left and size <= tile_plans.most_bytes(plan, count))
    local bytes, list, place = size > 0 and file:read(size) or "", {}, 1
    assert(#bytes == size and tile_codec.checksum(bytes) == checksum)
    for i = 1, count do
        list[i], place = ("<s4"):unpack(bytes, place)
    end
    return list, at + head_size + size
end

-- Adds to the list of each set where it begins in the part of a block, whose sets are sound and fill it.
local function find_sets(plan, parts, name, places, count)
    local file <close>, at = assert(parts:open(name)), 0
    for _, list in ipairs(places) do
        list[#list + 1], at = at, select(2, read_set(plan, file, at, count))
    end
    assert(at == file:seek("end"))
end

local function read_part(plan, parts, name, at, count)
    local file <close> = parts:open(name)
    local well, list = pcall(read_set, plan, file, at, count)
    return well and list or refuse_damaged(parts, { name })
end

-- Writes the sets of a plan whose blocks are all among the parts, and returns the paths; nothing if a part is damaged.
function tile_archives.write(plan, parts, output, tell)
    local sets, paths, wrong, places = tile_plans.sets(plan), {}, {}, {}
    for index = 1, #sets do
        places[index] = {}
    end
    local layout = tile_plans.layout(plan)
    layout.each(plan, function(block)
        if not pcall(find_sets, plan, parts, block.name, places, #layout.tiles(plan, block)) then
            wrong[#wrong + 1] = block.name
        end
    end)
    if #wrong > 0 then
        refuse_damaged(parts, wrong)
    end
    local folder = plan.engine and engine_tiles.create(output, plan, sets)
    for index, set in ipairs(sets) do
        local path, about = output, {}
        if not plan.engine then
            path, about = tile_archives.path(plan, sets, set, output), about_set(plan, set)
        end
        local archive = plan.engine and engine_tiles.archive(plan, set, folder)
            or plan.format == "folder" and create_folder(plan, sets, set, output)
            or require(formats[plan.format]).create(path)
        local number = 0
        layout.each(plan, function(block)
            local tiles = layout.tiles(plan, block)
            number = number + 1
            for i, bytes in ipairs(read_part(plan, parts, block.name, places[index][number], #tiles)) do
                if bytes ~= "" then
                    archive:put(tiles[i], bytes, about.format)
                end
            end
            tell(#tiles)
        end)
        archive:close(about)
        paths[index] = path
    end
    if plan.engine then
        engine_tiles.finish(plan, sets, folder)
        return { output }
    end
    return paths
end

return tile_archives
