-- The levels of a pyramid, and its area: the part of the map that its sources fill. Where a source lies on the earth it
-- may go on beyond 180°, into the left of the map: the area's left edge is then to the right of its right one.

local tile_codec = require "esker.tile_codec"
local usage_error = require "esker.usage_error"

local tile_areas = { most_levels = 24 }

local most_turns = 2 -- around the earth, to either side: longitudes beyond are a mistake
local least_part = 0.01 -- of a cell that reaches beyond 180°: less is rounding

-- The edges of a field that lies somewhere, and the side of a cell, in shares of the world.
function tile_areas.box(name, field)
    local left, top, right, bottom, cell = tile_codec.box(field.frame, field.width, field.height)
    if top >= 1 or bottom <= 0 then
        error(("'%s' lies beyond 85.05° of latitude, where web maps end"):format(name), 0)
    elseif not (cell > 0 and left < right and top < bottom) then
        error(("the cells of '%s' are too small to be drawn on a map of the world"):format(name), 0)
    elseif right - left > most_turns then
        error(("'%s' is %.6g° wide, and so lies on itself: its frame's cells are too wide"):format(name,
            360 * (right - left)), 0)
    elseif left < -most_turns or right > 1 + most_turns then
        error(("'%s' lies %.3g° from longitude 0: its frame is that of another place, or another system"):format(name,
            360 * math.max(0.5 - left, right - 0.5)), 0)
    end
    return left, top, right, bottom, cell
end

-- The level at which the pixels of tiles are the cells of a world that is `across` cells wide.
local function level_of(plan, across)
    local level = 0
    while plan.tile * 2.0 ^ level < across do
        level = level + 1
    end
    return level
end

-- The level at which the cells of a field or image are the pixels of tiles.
function tile_areas.own_level(plan, source)
    return level_of(plan, source.kind == "Placed" and 1 / source.cell or math.max(source.width, source.height))
end

-- How often a tile of a level was halved since one tile was as large as the whole source.
function tile_areas.halvings(plan, source, level)
    local first = source.kind == "Placed"
        and tile_areas.own_level(plan, source) - level_of(plan, math.max(source.width, source.height)) or 0
    return math.max(level - first, 0)
end

-- The part of the world, or of the pyramid's square, that a source fills; `right` may be above 1.
local function box_of(plan, source)
    if source.width == 0 then -- a map
        return 0, 0, 1, 1
    elseif source.kind ~= "Placed" then
        local side = plan.tile << tile_areas.own_level(plan, source)
        return 0, 0, source.width / side, source.height / side
    end
    local least = least_part * source.cell
    local function rounded(edge)
        local whole = math.floor(edge + 0.5)
        return math.abs(edge - whole) < least and whole or edge
    end
    local left, right = rounded(source.left), rounded(source.right)
    local turns = math.floor(left)
    return left - turns, math.max(source.top, 0), right - turns, math.min(source.bottom, 1)
end

-- The part that all sources fill.
local function all_of(plan)
    local left, top, right, bottom = 1, 1, 0, 0
    for _, source in ipairs(plan.sources) do
        local box = { box_of(plan, source) }
        left, top = math.min(left, box[1]), math.min(top, box[2])
        right, bottom = math.max(right, box[3]), math.max(bottom, box[4])
    end
    if right - left >= 1 or right - 1 >= left then
        left, right = 0, 1
    end
    return { left = left, top = top, right = right > 1 and right - 1 or right, bottom = bottom }
end

-- The part of `all` in an area, left, top, right, bottom; of one that goes on beyond 180° the area itself if it has
-- cells on both sides, and nothing if on none.
local function within(all, area)
    local left, right = math.max(area.left, all.left), math.min(area.right, all.right)
    if all.left > all.right then
        local before, after = area.right > all.left, area.left < all.right
        if before and after then
            left, right = area.left, area.right
        elseif before then
            right = area.right
        elseif after then
            left = area.left
        end
    end
    return left, math.max(area.top, all.top), right, math.min(area.bottom, all.bottom)
end

-- The finest level that the cells of fields and images have; nil if there are only maps.
local function finest_level(plan, wishes)
    local finest
    for _, source in ipairs(plan.sources) do
        if source.width > 0 then
            local level = tile_areas.own_level(plan, source)
            finest = math.min(finest or level, level)
            if wishes.high and wishes.high > level then
                usage_error("--levels: the cells of '%s' are the pixels of level %d, there are none finer", source.name,
                    level)
            elseif not wishes.high and level > tile_areas.most_levels then
                usage_error("the cells of '%s' are the pixels of level %d, tiles have levels up to %d: choose some, as "
                    .. "in --levels 0..%d", source.name, level, tile_areas.most_levels, tile_areas.most_levels)
            end
        end
    end
    return finest
end

-- Sets levels and area of a plan, by default all that fields and images have.
function tile_areas.set(plan, wishes)
    local finest = math.max(finest_level(plan, wishes) or 5, wishes.low or 0)
    plan.low, plan.high = wishes.low or 0, wishes.high or finest
    local all, area = all_of(plan), wishes.area
    plan.left, plan.top, plan.right, plan.bottom = all.left, all.top, all.right, all.bottom
    if area and (area.left > 0 or area.top > 0 or area.right < 1 or area.bottom < 1) then
        plan.left, plan.top, plan.right, plan.bottom = within(all, area)
        if plan.left >= plan.right or plan.top >= plan.bottom then
            usage_error("--area: there is nothing of '%s' in it", plan.sources[1].name)
        end
    end
end

return tile_areas
