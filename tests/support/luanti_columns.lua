-- Compares the columns that a server has made (tests/support/luanti_probe) with the map: luanti_columns.lua FILE SEED
-- SIDE. Ground is the altitude, rounded; water is where rivers and lakes are, and stands no higher than what lies
-- beside it.

local esker = require "esker"

local file, seed, side = arg[1], tonumber(arg[2]), tonumber(arg[3])
local map = esker.river_map{ seed = seed, side = side, landscape = "hills", lakes = 0.02 }
local CELLS = 80

-- The world's middle, as the mod chooses it: low land by a wide river near the map's middle.
local function middle()
    local parts = 256
    local altitude, river = map:render{ size = parts }
    local best, at_x, at_z = math.huge, parts / 2, parts / 2
    for row = 0, parts - 1 do
        for column = 0, parts - 1 do
            local height = altitude:get(column, parts - 1 - row)
            local width = river:get(column, parts - 1 - row) * side / parts
            local off = math.max(math.abs(column + 0.5 - parts / 2), math.abs(row + 0.5 - parts / 2))
            local worse = (height < 2 and 4 or height > 80 and 2 or 0) + (width < 10 and 1 or 0)
            if off + 31050 * parts / side < parts / 2 - 1 and worse * parts + off < best then
                best, at_x, at_z = worse * parts + off, column + 0.5, row + 0.5
            end
        end
    end
    return at_x * side / parts // 80 * 80, at_z * side / parts // 80 * 80
end

local columns, tiles = {}, {}
for line in io.lines(file) do
    local x, z, ground, water, top = line:match("^(%S+) (%S+) (%S+) (%S+) (%S+)$")
    x, z = tonumber(x), tonumber(z)
    columns[x] = columns[x] or {}
    columns[x][z] = { ground = tonumber(ground), water = tonumber(water), top = top }
    tiles[(x + 32) // CELLS] = tiles[(x + 32) // CELLS] or {}
    tiles[(x + 32) // CELLS][(z + 32) // CELLS] = true
end

local origin_x, origin_z = middle()
local counts = { dry = 0, river = 0, lake = 0, sea = 0, shore = 0 }
local faults = {}
local function fault(text, ...)
    faults[#faults + 1] = text:format(...)
end

-- Dry ground stands as high as the water beside it.
local function check_banks(x, z, here)
    for _, off in ipairs{ { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
        local beside = columns[x + off[1]] and columns[x + off[1]][z + off[2]]
        if beside and beside.water < beside.ground and beside.ground < here.water then
            fault("%d,%d: water at %d above the bank at %d", x, z, here.water, beside.ground)
        end
        if beside and beside.water >= beside.ground and math.abs(beside.water - here.water) > 1 then
            counts.shore = counts.shore + 1
        end
    end
end

local function check_column(x, z, here, altitude, river, water)
    local rounded = (altitude + 0.5) // 1
    if river >= 1 or water > 0 then
        counts[water > 0 and "lake" or "river"] = counts[water > 0 and "lake" or "river"] + 1
        if here.water <= here.ground or here.water < 0 then
            fault("%d,%d: no water at %d", x, z, here.ground)
        elseif here.water > math.max(rounded, 0) + 1 or here.water < rounded - 6 then
            fault("%d,%d: water at %d, altitude %.2f", x, z, here.water, altitude)
        end
    elseif altitude < 0 then
        counts.sea = counts.sea + 1
        if here.water ~= 0 or here.ground ~= math.min(rounded, -1) then
            fault("%d,%d: sea %d, ground %d, altitude %.2f", x, z, here.water, here.ground, altitude)
        end
    elseif here.water > here.ground then
        counts.river = counts.river + 1 -- an estuary, or what `river` does not show
        if river == 0 then
            fault("%d,%d: water at %d on dry land", x, z, here.water)
        end
    else
        counts.dry = counts.dry + 1
        if here.ground ~= rounded then
            fault("%d,%d: ground %d, altitude %.2f", x, z, here.ground, altitude)
        end
    end
    if here.water > here.ground then
        check_banks(x, z, here)
    end
end

for column, rows in pairs(tiles) do
    for row in pairs(rows) do
        local x, z = column * CELLS - 32, row * CELLS - 32
        local west, south = origin_x + x - 0.5, origin_z + z - 0.5
        local altitude, river, _, water = map:render{ size = CELLS, zoom = side / CELLS, x = (west + CELLS / 2) / side,
            y = 1 - (south + CELLS / 2) / side }
        for i = 0, CELLS - 1 do
            for k = 0, CELLS - 1 do
                local here, y = columns[x + i][z + k], CELLS - 1 - k
                check_column(x + i, z + k, here, altitude:get(i, y), river:get(i, y), water:get(i, y))
            end
        end
    end
end
print(("# dry %d, rivers %d, lakes %d, sea %d; steps of more than a node in water %d"):format(counts.dry, counts.river,
    counts.lake, counts.sea, counts.shore))
for i = 1, math.min(#faults, 10) do
    print(faults[i])
end
print(#faults .. " faults")
os.exit(#faults == 0 and counts.dry > 10000 and counts.river > 500)
