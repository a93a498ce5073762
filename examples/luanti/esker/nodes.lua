-- A chunk's nodes from its columns.

local min, max = math.min, math.max

local GRASS, SAND, ROCK, SNOW, BED, ROAD = 1, 2, 3, 4, 5, 6
local SOIL = 3 -- nodes

-- Draws the part of a tree that lies in the chunk; leaves leave stems and ground as they are.
local function draw_tree(tree, data, area, lowest, highest, ids)
    local stem, leaves = ids.tree, ids.leaves
    if tree.pine then
        stem, leaves = ids.pine_tree, ids.pine_needles
    end
    local top = tree.y + tree.height - 1
    for y = max(top - 2, lowest.y), min(top + (tree.pine and 2 or 1), highest.y) do
        local radius = tree.pine and (y > top and 0 or y == top and 1 or 2) or (y > top and 1 or 2)
        for z = max(tree.z - radius, lowest.z), min(tree.z + radius, highest.z) do
            for x = max(tree.x - radius, lowest.x), min(tree.x + radius, highest.x) do
                local corner = radius > 1 and math.abs(x - tree.x) == radius and math.abs(z - tree.z) == radius
                local at = area:index(x, y, z)
                if not corner and data[at] == ids.air then
                    data[at] = leaves
                end
            end
        end
    end
    if tree.x >= lowest.x and tree.x <= highest.x and tree.z >= lowest.z and tree.z <= highest.z then
        for y = max(tree.y, lowest.y), min(top, highest.y) do
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
                elseif y == water[i] + 1 and top[i] == ROAD then
                    data[at + x - lowest.x] = ids.planks -- a bridge
                end
            end
        end
    end
    for _, tree in ipairs(columns.trees) do
        draw_tree(tree, data, area, lowest, highest, ids)
    end
    return true
end
