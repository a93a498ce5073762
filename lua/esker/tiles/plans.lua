-- What `esker tiles` makes: a pyramid's levels and area, and for each map, field or image that the recipe returned the
-- sets of tiles that are drawn of it. A plan is a text as well, which processes and machines share: all tiles of one
-- pyramid are drawn by one plan.

local esker = require "esker"
local did_you_mean = require "esker.did_you_mean"
local engine_tiles = require "esker.tiles.engine_tiles"
local grids = require "esker.tiles.grids"
local web_kinds = require "esker.tiles.kinds"
local large_kind = require "esker.large.kind"
local names_of = require "esker.names"
local pyramids = require "esker.tiles.pyramids"
local texts = require "esker.texts"
local tile_areas = require "esker.tiles.areas"
local tile_codec = require "esker.tile_codec"
local usage_error = require "esker.usage_error"

local tile_plans = {}

local most_tiles, most_sources = 1e6, 64
local equator = 40075016.7 -- metres; the side of the world of web maps
local map_metres, map_steepness = 8000, 0.055 -- at most, of an altitude of 1 of raw maps: by default, and in sides

local box_keys = { "left", "top", "right", "bottom", "cell" } -- of sources that lie somewhere, in shares of the world
local source_keys = { "width", "height", "low", "high", "metres", table.unpack(box_keys) }

-- --- what the user wants ---------------------------------------------------------------------------------------------

-- Tiles of web maps, or of a game engine.
local function kinds_for(engine)
    return engine and engine_tiles.kinds or web_kinds
end

-- How the tiles of a plan lie: functions each, tiles and count.
function tile_plans.layout(plan)
    return plan.engine and grids or pyramids
end

local function wanted_kinds(text, kinds)
    local list, seen = {}, {}
    for name in text:gmatch("[^,]+") do
        if not kinds[name] then
            local names = names_of(kinds)
            usage_error("--kinds: there is no '%s'%s; kinds are %s", name, did_you_mean(esker.nearest(name, names)),
                table.concat(names, ", "))
        end
        list[#list + 1], seen[name] = not seen[name] and name or nil, true
    end
    return #list > 0 and list or usage_error("--kinds takes names, as in --kinds relief,terrarium")
end

local function wanted_levels(text)
    local low, high = text:match("^(%d+)%.%.(%d+)$")
    low, high = tonumber(low or text:match("^%d+$")), tonumber(high or text:match("^%d+$"))
    if low and low > high then
        usage_error("--levels takes the lower level first, as in %d..%d, got '%s'", high, low, text)
    end
    if not (low and high <= tile_areas.most_levels) then
        usage_error("--levels takes LOW..HIGH or one level, from 0 to %d, got '%s'", tile_areas.most_levels, text)
    end
    return math.tointeger(low), math.tointeger(high)
end

local function wanted_area(text)
    local numbers = {}
    for each in text:gmatch("[^,]*") do
        numbers[#numbers + 1] = tonumber(each) or false
    end
    local left, top, right, bottom = table.unpack(numbers)
    local takes = "--area takes LEFT,TOP,RIGHT,BOTTOM"
    if not (#numbers == 4 and left and top and right and bottom) then
        usage_error("%s, four numbers from 0 to 1, shares of the map's side: 0.25,0.5,0.5,0.75 or so, got '%s'", takes,
            text)
    elseif left >= right or top >= bottom then
        usage_error("%s: LEFT is less than RIGHT, and TOP less than BOTTOM, got '%s'", takes, text)
    elseif not (left >= 0 and top >= 0 and right <= 1 and bottom <= 1) then
        usage_error("%s in shares of the map's side, from 0 to 1, as in 0.25,0.5,0.5,0.75, got '%s'", takes, text)
    end
    return { left = left, top = top, right = right, bottom = bottom }
end

local function wanted_range(text)
    local low, high = text:match("^(.-)%.%.(.*)$")
    low, high = tonumber(low), tonumber(high)
    if not (low and high and low < high and low > -1e9 and high < 1e9) then
        usage_error("--range takes LOW..HIGH in metres, as in -200..1800, got '%s'", text)
    end
    return low, high
end

local function names_in(text)
    local set = {}
    for name in text:gmatch("[^,]+") do
        set[name] = true
    end
    return set
end

local web_only <const> = { "levels", "world-level", "palette" }
local engine_only <const> = { "overlap", "cell", "range", "masks" }

local function check_options(options)
    for _, name in ipairs(options.engine and web_only or engine_only) do
        if options[name] then
            usage_error(options.engine and "--%s is for web maps: leave it out, or --engine"
                or "--%s is for tiles of a game engine: name it, as in --engine unity", name)
        end
    end
end

-- The size of tiles of web maps.
local function web_size(size)
    if size ~= 256 and size ~= 512 then
        usage_error("--tile-size: tiles of web maps have 256 or 512 cells, got %d", size)
    end
    return size
end

-- The wishes that the options express, checked.
function tile_plans.wishes(options)
    check_options(options)
    local engine = options.engine
    local wishes = { palette = options.palette, metres = options.metres, yes = options.yes,
        world = options["world-level"] or 0, engine = engine, cell = options.cell,
        masks = names_in(options.masks or "") }
    if engine then
        wishes.tile, wishes.overlap = grids.wishes(engine, options["tile-size"], options.overlap)
    else
        wishes.tile = web_size(options["tile-size"] or 256)
    end
    if options.range then
        wishes.range_low, wishes.range_high = wanted_range(options.range)
    end
    wishes.kinds = options.kinds and wanted_kinds(options.kinds, kinds_for(engine))
    if options.levels then
        wishes.low, wishes.high = wanted_levels(options.levels)
        if wishes.high + wishes.world > tile_areas.most_levels then
            usage_error("--levels: with --world-level %d there are levels up to %d", wishes.world,
                tile_areas.most_levels - wishes.world)
        end
    end
    wishes.area = options.area and wanted_area(options.area)
    if wishes.palette then
        esker.field{ size = 2, values = 0 }:relief{ palette = wishes.palette } -- which knows all palettes
    end
    return wishes
end

-- --- what a recipe returned ------------------------------------------------------------------------------------------

-- What a value is to tiles: its type; of a map that is one a planet; of a field whose frame says where it lies, placed.
local function kind_of(value)
    local kind = large_kind.is(value) and "Field" or esker.type(value)
    if kind == "Field" and value.frame and tile_codec.box(value.frame, value.width, value.height) then
        return "Placed"
    end
    return kind == "RiverMap" and value.planet and "Planet" or kind
end

-- Maps are drawn at every level, fields and images down to their own cells.
function tile_plans.is_map(source)
    return source.kind == "RiverMap" or source.kind == "Planet"
end

-- What a result is to the tiles that are wished: to those of an engine a field is heights or a mask, wherever it lies.
local function kind_for(wishes, name, value)
    local kind = kind_of(value)
    if not wishes.engine then
        return kind
    elseif kind == "Planet" then
        error(("'%s' is a planet, and engines take flat land: draw a part of it with render, and return the field")
            :format(name), 0)
    end
    return (kind == "Field" or kind == "Placed") and (wishes.masks[name] and "Mask" or "Field") or kind
end

-- Whether a kind that is wanted can be drawn of a value of this type.
local function is_wanted(wishes, kind)
    for _, name in ipairs(wishes.kinds or wishes.engine and engine_tiles.usual or { "relief", "image" }) do
        if kinds_for(wishes.engine)[name].of[kind] then
            return true
        end
    end
    return false
end

-- The heights that colours range over, those of the whole map at 512 cells a side, and their unit.
local function heights_of(value, kind)
    if kind == "Image" then
        return 0, 1
    end
    local field = (kind == "Field" or kind == "Placed") and value
        or value:render{ size = 512, projection = kind == "Planet" and "mercator" or nil }
    local found = field:statistics()
    return found.min, found.max > found.min and found.max or found.min + 1, field.frame and field.frame.unit
end

local function metres_of(source, world, unit)
    local metres = tile_codec.unit_metres(unit or "")
    if metres <= 0 and tile_plans.is_map(source) then
        return math.min(map_metres, map_steepness * equator / (1 << world))
    end
    return metres > 0 and metres or (source.low < -1.5 or source.high > 1.5) and 1.0 or 1000.0
end

-- Web maps show other coordinate systems once they are projected.
local function check_system(name, value)
    local system = (esker.type(value) == "Field" or large_kind.is(value)) and value.frame and value.frame.system
    if system and kind_of(value) ~= "Placed" then
        error(("'%s' lies in %s, which web maps do not show: project it, as in gdalwarp -t_srs EPSG:3857, or draw it "
            .. "as it is, with frame = nil"):format(name, system:match("^EPSG:[%d+]+$") or "another system"), 0)
    end
end

-- What tiles of an engine are drawn of; the range of heights follows (engine_tiles.range).
local function describe_for_engine(source, value, wishes)
    source.low, source.high, source.metres = 0.0, 1.0, 1.0
    if source.kind ~= "RiverMap" then
        source.width, source.height = value.width, value.height
    end
    if source.kind == "Field" then
        local unit
        source.low, source.high, unit = heights_of(value, "Field")
        source.metres = wishes.metres or metres_of(source, 0, unit)
    end
    return source
end

local function describe(name, value, wishes)
    local kind = kind_for(wishes, name, value)
    local source = { name = name, kind = kind, width = 0, height = 0 }
    for _, key in ipairs(box_keys) do
        source[key] = 0.0
    end
    if wishes.engine then
        return describe_for_engine(source, value, wishes)
    end
    check_system(name, value)
    if kind == "Placed" then
        source.left, source.top, source.right, source.bottom, source.cell = tile_areas.box(name, value)
    end
    if not tile_plans.is_map(source) then
        source.width, source.height = value.width, value.height
    end
    if (kind == "Planet" or kind == "Placed") and wishes.world > 0 then
        usage_error("--world-level: '%s' is a planet, or has its place on the earth", name)
    end
    local unit
    source.low, source.high, unit = heights_of(value, kind)
    source.metres = wishes.metres or metres_of(source, wishes.world, unit)
    return source
end

-- The kinds that are wanted and can be drawn of none of the sources.
local function kinds_of_nothing(wishes, sources)
    local list = {}
    for _, name in ipairs(wishes.kinds or {}) do
        local found = false
        for _, source in ipairs(sources) do
            found = found or kinds_for(wishes.engine)[name].of[source.kind]
        end
        list[#list + 1] = not found and name or nil
    end
    return list
end

-- The kinds that can be drawn of some of the results, in words.
local function possible_kinds(results, wishes)
    local known = {}
    for _, result in ipairs(results) do
        for name, kind in pairs(kinds_for(wishes.engine)) do
            known[name] = known[name] or kind.of[kind_for(wishes, result.name, result.picture or result.value)]
        end
    end
    local list = table.concat(names_of(known), ", ")
    return list ~= "" and ("; of what it returns there are %s"):format(list) or ""
end

-- A name of --masks that is misspelt would leave numbers where a mask was wanted.
local function check_masks(results, wishes, path)
    local fields = {}
    for _, result in ipairs(results) do
        local kind = kind_of(result.picture or result.value)
        fields[result.name] = (kind == "Field" or kind == "Placed") or nil
    end
    for _, name in ipairs(names_of(wishes.masks)) do
        if not fields[name] then
            local list = table.concat(names_of(fields), ", ")
            usage_error("--masks: %s returns no field named '%s'; %s", path, name,
                list ~= "" and "its fields are " .. list or "it returns no fields")
        end
    end
end

-- The sources among results as recipe.results lists them, and their values by name.
function tile_plans.sources(results, wishes, path)
    local sources, values = {}, {}
    check_masks(results, wishes, path)
    for _, result in ipairs(results) do
        local value = result.picture or result.value
        if not values[result.name] and is_wanted(wishes, kind_for(wishes, result.name, value)) then
            sources[#sources + 1] = describe(result.name, value, wishes)
            values[result.name] = value
        end
    end
    local missing = kinds_of_nothing(wishes, sources)
    if #missing > 0 then
        error(("%s returns nothing of which tiles of the kind %s are drawn%s"):format(path,
            table.concat(missing, ", "), possible_kinds(results, wishes)), 0)
    elseif #sources == 0 then
        error(path .. " returns no map, field or image", 0)
    elseif #sources > most_sources then
        error(("%s returns %d maps, fields and images; tiles are made of at most %d"):format(path, #sources,
            most_sources), 0)
    end
    return sources, values
end

-- --- plans -----------------------------------------------------------------------------------------------------------

local function default_kinds(sources)
    local has = {}
    for _, source in ipairs(sources) do
        has[source.kind == "Image" and "image" or "relief"] = true
    end
    return names_of(has)
end

-- Sets how the tiles of an engine lie, and the range of their numbers.
local function set_grid(plan, wishes, values)
    plan.engine, plan.overlap, plan.palette = wishes.engine, wishes.overlap, ""
    plan.low, plan.high, plan.left, plan.top, plan.right, plan.bottom = 0, 0, 0, 0, 1, 1
    engine_tiles.set(plan, values, wishes)
    for _, source in ipairs(plan.sources) do
        if engine_tiles.kinds.heights.of[source.kind] then
            source.low, source.high = engine_tiles.range(source, values[source.name], plan, wishes)
        end
    end
    local names = {}
    for _, set in ipairs(tile_plans.sets(plan)) do
        if names[set.name] then
            usage_error("two layers would have the name '%s': give the recipe's results other names", set.name)
        end
        names[set.name] = true
    end
end

-- Whether there is a map with a climate, which is drawn in natural colours.
local function has_climate(values)
    for _, value in pairs(values) do
        if esker.type(value) == "RiverMap" and value.watered then
            return true
        end
    end
    return false
end

-- The plan for sources and their values; `about`: recipe, hash, parameters and command, as texts.
function tile_plans.make(sources, wishes, about, format, values)
    local plan = { sources = sources, tile = wishes.tile, world = wishes.world, format = format,
        palette = wishes.palette or has_climate(values) and "natural" or "hypsometric",
        kinds = wishes.kinds or wishes.engine and engine_tiles.usual or default_kinds(sources) }
    for name, value in pairs(about) do
        plan[name] = value
    end
    if wishes.engine then
        set_grid(plan, wishes, values)
        return plan
    end
    tile_areas.set(plan, wishes)
    local count = pyramids.count(plan)
    if count > most_tiles and not wishes.yes then
        usage_error("these are %.0f tiles; confirm them with --yes, or choose --levels and --area", count)
    end
    return plan
end

-- The sets of tiles: { source =, number of the source, kind = , layers = { names } of vector tiles, name = }.
function tile_plans.sets(plan)
    local list = {}
    for number, source in ipairs(plan.sources) do
        local layers, kinds = {}, kinds_for(plan.engine)
        local function add(name, set)
            set.source, set.number = source, number
            set.name = #plan.sources > 1 and source.name .. "-" .. name or name
            if plan.engine then
                set.name = kinds[name].plain and source.name or source.name .. "-" .. name
            end
            list[#list + 1] = set
        end
        for _, kind in ipairs(plan.kinds) do
            if kinds[kind].of[source.kind] then
                if kinds[kind].layer then
                    layers[#layers + 1] = kind
                else
                    add(kind, { kind = kind })
                end
            end
        end
        if #layers > 0 then
            add("vector", { kind = "vector", layers = layers })
        end
    end
    return list
end

-- The bytes that `count` tiles of one set take at most: a part of more is no part, whoever made it. Pictures take 4 a
-- cell, lines far fewer than 64, and points of an engine 250 each, of which a cell may have several.
function tile_plans.most_bytes(plan, count)
    return count * plan.tile ^ 2 * (plan.engine and 4096 or 64)
end

-- --- as text ---------------------------------------------------------------------------------------------------------

local first_line = "esker tiles 2"
local text_keys = { "version", "recipe", "hash", "parameters", "command", "format", "palette" }
local whole_keys = { "tile", "low", "high", "world" }
local number_keys = { "left", "top", "right", "bottom" }
local grid_keys = { "overlap", "first_x", "first_y", "across", "down", "cells", "rows" } -- whole, of an engine's tiles
local grid_numbers = { "cell", "given_cell" }

local function clean(text)
    return (texts.visible(text):gsub("[\t\n]", " "))
end

function tile_plans.write(plan)
    local lines = { first_line }
    for _, key in ipairs(text_keys) do
        lines[#lines + 1] = key .. "\t" .. clean(plan[key])
    end
    for _, key in ipairs(whole_keys) do
        lines[#lines + 1] = ("%s\t%d"):format(key, plan[key])
    end
    for _, key in ipairs(number_keys) do
        lines[#lines + 1] = ("%s\t%.17g"):format(key, plan[key])
    end
    if plan.engine then
        lines[#lines + 1] = "engine\t" .. plan.engine
        for _, key in ipairs(grid_keys) do
            lines[#lines + 1] = ("%s\t%d"):format(key, plan[key])
        end
        for _, key in ipairs(grid_numbers) do
            lines[#lines + 1] = ("%s\t%.17g"):format(key, plan[key])
        end
    end
    lines[#lines + 1] = "kinds\t" .. table.concat(plan.kinds, ",")
    for _, each in ipairs(plan.sources) do
        local numbers = {}
        for i, key in ipairs(source_keys) do
            numbers[i] = ("%.17g"):format(each[key])
        end
        lines[#lines + 1] = ("source\t%s\t%s\t%s"):format(each.name, each.kind, table.concat(numbers, "\t"))
    end
    return table.concat(lines, "\n") .. "\n"
end

local function read_source(line)
    local name, kind, rest = line:match("^source\t([%w_.-]+)\t(%a+)\t(.*)$")
    local source, index = { name = name, kind = kind }, 0
    for number in (rest or ""):gmatch("[^\t]+") do
        index = index + 1
        source[source_keys[index] or ""] = tonumber(number)
    end
    source.width, source.height = math.tointeger(source.width), math.tointeger(source.height)
    return name and index == #source_keys and source
end

local function is_whole(source)
    for _, key in ipairs(source_keys) do
        if not source[key] then
            return false
        end
    end
    return source.kind ~= "Placed" or source.cell > 0
end

-- Whether no two of a list have the same name: sets of tiles of one name would replace each other.
local function are_different(list)
    local seen = {}
    for _, each in ipairs(list) do
        local name = each.name or each
        if seen[name] then
            return false
        end
        seen[name] = true
    end
    return true
end

local function has_numbers(plan, ...)
    for _, keys in ipairs{ ... } do
        for _, key in ipairs(keys) do
            if not (plan[key] and plan[key] >= 0) then
                return false
            end
        end
    end
    return true
end

local function is_sound_grid(plan)
    return has_numbers(plan, grid_keys, grid_numbers) and grids.is_sound(plan)
        and are_different(plan.kinds) and are_different(plan.sources)
        and #tile_plans.sets(plan) > 0 and are_different(tile_plans.sets(plan))
end

local function is_sound(plan)
    if not has_numbers(plan, whole_keys, number_keys) then
        return false
    end
    if plan.engine then
        return is_sound_grid(plan)
    end
    return (plan.tile == 256 or plan.tile == 512) and plan.low <= plan.high
        and plan.high + plan.world <= tile_areas.most_levels and plan.left ~= plan.right and plan.left <= 1
        and plan.right <= 1 and plan.top < plan.bottom and plan.bottom <= 1
        and are_different(plan.kinds) and are_different(plan.sources) and #tile_plans.sets(plan) > 0
end

-- The plan that a text, perhaps of an untrusted folder, describes; nil unless it is what tile_plans.write makes.
function tile_plans.read(text)
    local plan = { sources = {}, kinds = {} }
    if text:match("^[^\n]*") ~= first_line then
        return nil
    end
    for line in text:gmatch("[^\n]+") do
        local source, key, value = read_source(line), line:match("^([%l_]+)\t(.*)$")
        if source and is_whole(source) and #plan.sources < most_sources then
            plan.sources[#plan.sources + 1] = source
        elseif key == "kinds" then
            for name in value:gmatch("[^,]+") do
                plan.kinds[#plan.kinds + 1] = kinds_for(plan.engine)[name] and name or nil
            end
        elseif key and plan[key] == nil then
            plan[key] = value
        end
    end
    for _, key in ipairs(text_keys) do
        plan[key] = type(plan[key]) == "string" and plan[key] or ""
    end
    for _, key in ipairs(whole_keys) do
        plan[key] = math.tointeger(tonumber(plan[key]))
    end
    for _, key in ipairs(number_keys) do
        plan[key] = tonumber(plan[key])
    end
    for _, key in ipairs(plan.engine and grid_keys or {}) do
        plan[key] = math.tointeger(tonumber(plan[key]))
    end
    for _, key in ipairs(plan.engine and grid_numbers or {}) do
        plan[key] = tonumber(plan[key])
    end
    return is_sound(plan) and tile_plans.write(plan) == text and plan or nil
end

return tile_plans
