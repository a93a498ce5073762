-- A chunk's nodes from its columns.

local min, max = math.min, math.max

local GRASS, SAND, ROCK, SNOW, BED, ROAD = 1, 2, 3, 4, 5, 6
local SOIL = 3 -- nodes

-- Radii of a pine's branches, from its tip down.
local PINE = { [0] = 0, 1, 1, 2, 1, 2, 2, 1, 2, 2, 2 }

-- Whether a crown has a leaf at its edge: a function of the place, so that crowns differ.
local function has_leaf(x, y, z)
    return (x * 7919 + y * 10007 + z * 104729) % 131 % 5 > 1
end

-- Draws the part of a tree that lies in the chunk; leaves leave stems and ground as they are. The stem ends a node
-- below the middle of the crown, or its top would shine through the leaves.
local function draw_tree(tree, data, area, lowest, highest, ids)
    local stem, leaves = ids.tree, ids.leaves
    if tree.pine then
        stem, leaves = ids.pine_tree, ids.pine_needles
    end
    local top = tree.y + tree.height - 1
    for y = max(tree.pine and tree.y + 2 or top - 2, lowest.y), min(top + 1, highest.y) do
        local radius = tree.pine and PINE[top + 1 - y] or y > top and 1 or 2
        for z = max(tree.z - radius, lowest.z), min(tree.z + radius, highest.z) do
            for x = max(tree.x - radius, lowest.x), min(tree.x + radius, highest.x) do
                local off = math.abs(x - tree.x) + math.abs(z - tree.z)
                local edge = off - 2 * radius -- 0 at corners
                local at = area:index(x, y, z)
                if (edge < -1 or off < 2 or edge == -1 and (tree.pine or y == top - 1 or has_leaf(x, y, z)))
                    and data[at] == ids.air then
                    data[at] = leaves
                end
            end
        end
    end
    if tree.x >= lowest.x and tree.x <= highest.x and tree.z >= lowest.z and tree.z <= highest.z then
        for y = max(tree.y, lowest.y), min(top - 1, highest.y) do
            data[area:index(tree.x, y, tree.z)] = stem
        end
    end
end

-- What lies at and below the top of columns.
local function layers(ids)
    return { [GRASS] = ids.grass, [SAND] = ids.sand, [ROCK] = ids.stone, [SNOW] = ids.snow, [BED] = ids.sand,
        [ROAD] = ids.gravel },
        { [GRASS] = ids.dirt, [SAND] = ids.sand, [ROCK] = ids.stone, [SNOW] = ids.dirt, [BED] = ids.sand,
            [ROAD] = ids.dirt }
end

-- Writes the nodes from `lowest` to `highest` into `data`, where air is; false, and nothing written, if all is air.
-- `ids`: of air, stone, dirt, grass, sand, snow, tree, leaves, pine_tree, pine_needles, water, river,
-- gravel, planks.
return function(columns, data, area, lowest, highest, ids)
    if lowest.y > columns.highest then
        return false
    end
    local tops, soils = layers(ids)
    local ground, water, top, side = columns.ground, columns.water, columns.top, columns.side
    local stone, river, sea = ids.stone, ids.river, ids.water
    local decks = columns.decks or {}
    local deep = columns.lowest - SOIL
    for z = lowest.z, highest.z do
        local row = (z - columns.z) * side - columns.x
        for y = lowest.y, highest.y do
            local at = area:index(lowest.x, y, z)
            for x = lowest.x, y <= deep and highest.x or lowest.x - 1 do
                data[at + x - lowest.x] = stone
            end
            for x = lowest.x, y > deep and y <= columns.highest and highest.x or lowest.x - 1 do
                local i = row + x
                local here = ground[i]
                if y < here then
                    data[at + x - lowest.x] = y > here - SOIL and soils[top[i]] or stone
                elseif y == here then
                    data[at + x - lowest.x] = tops[top[i]]
                elseif y <= water[i] then
                    data[at + x - lowest.x] = water[i] > 0 and river or sea
                elseif decks[i] and y <= decks[i] then
                    if water[i] < here then
                        data[at + x - lowest.x] = ids.gravel -- a dry bank of a brook
                    elseif y == decks[i] then
                        data[at + x - lowest.x] = ids.planks
                    end
                elseif not decks[i] and y == water[i] + 1 and top[i] == ROAD then
                    data[at + x - lowest.x] = ids.planks
                end
            end
        end
    end
    for _, tree in ipairs(columns.trees) do
        draw_tree(tree, data, area, lowest, highest, ids)
    end
    return true
end
