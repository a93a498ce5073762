-- For tests/long/luanti.sh: makes chunks one by one, writes what they are, and ends the server.
--
-- probe_first, probe_last: chunks, "x,y,z" each; probe_backwards: in the other order. Into the world's folder:
-- hashes.txt, a line for each chunk; columns.txt, of each column x, z, the highest node of ground and of water
-- (-32768: none), and what lies on top; faults.txt, what should not be.

local function place_of(name)
    local x, y, z = core.settings:get(name):match("^(-?%d+),(-?%d+),(-?%d+)$")
    return { x = tonumber(x), y = tonumber(y), z = tonumber(z) }
end

local first, last = place_of("probe_first"), place_of("probe_last")
local world = core.get_worldpath()
local files = {}
for _, name in ipairs{ "hashes", "columns", "faults" } do
    files[name] = assert(io.open(world .. "/" .. name .. ".txt", "w"))
end

local function chunks()
    local list = {}
    for x = first.x, last.x do
        for z = first.z, last.z do
            for y = first.y, last.y do
                local at = core.settings:get_bool("probe_backwards") and 1 or #list + 1
                table.insert(list, at, { x = x, y = y, z = z })
            end
        end
    end
    return list
end

local function corners(chunk)
    local lowest = vector.subtract(vector.multiply(chunk, 80), 32)
    return lowest, vector.add(lowest, 79)
end

local function is_any(name, ...)
    for _, part in ipairs{ ... } do
        if name:find(part, 1, true) then
            return true
        end
    end
    return false
end

-- Nodes by number: their names, and what they are.
local known = {}
local function kind_of(id)
    local kind = known[id]
    if not kind then
        local name = core.get_name_from_content_id(id)
        kind = { name = name, water = is_any(name, "water"), tree = is_any(name, "tree", "leaves", "needles"),
            stem = is_any(name, "tree"), leaves = is_any(name, "leaves", "needles"), air = name == "air",
            ignore = name == "ignore", letter = core.sha1(name):sub(1, 6) }
        known[id] = kind
    end
    return kind
end

local function look_at(chunk)
    local lowest, highest = corners(chunk)
    local manipulator = VoxelManip(lowest, highest)
    local from, to = manipulator:get_emerged_area()
    local data, area = manipulator:get_data(), VoxelArea:new{ MinEdge = from, MaxEdge = to }
    local letters, count = {}, 0
    for z = lowest.z, highest.z do
        for y = lowest.y, highest.y do
            local run, length
            for x = lowest.x, highest.x do
                local kind = kind_of(data[area:index(x, y, z)])
                if kind.ignore then
                    files.faults:write(("%d,%d,%d was not made\n"):format(x, y, z))
                end
                if kind ~= run then
                    count = count + 1
                    letters[count] = run and run.letter .. length or ""
                    run, length = kind, 0
                end
                length = length + 1
            end
            count = count + 1
            letters[count] = run.letter .. length .. "\n"
        end
    end
    files.hashes:write(("%d,%d,%d %s\n"):format(chunk.x, chunk.y, chunk.z, core.sha1(table.concat(letters))))
end

-- The columns of a stack of chunks, from above.
local function look_down(x, z)
    local lowest = corners{ x = x, y = first.y, z = z }
    local _, highest = corners{ x = x, y = last.y, z = z }
    local manipulator = VoxelManip(lowest, highest)
    local from, to = manipulator:get_emerged_area()
    local data, area = manipulator:get_data(), VoxelArea:new{ MinEdge = from, MaxEdge = to }
    for row = lowest.z, highest.z do
        for column = lowest.x, highest.x do
            local y, water = highest.y, -32768
            local kind = kind_of(data[area:index(column, y, row)])
            while y > lowest.y and (kind.air or kind.water or kind.tree) do
                water = water == -32768 and kind.water and y or water
                y = y - 1
                kind = kind_of(data[area:index(column, y, row)])
            end
            files.columns:write(("%d %d %d %d %s\n"):format(column, row, y, water, kind.name))
        end
    end
end

-- Crowns are whole, also across chunks: leaves, or another stem, are beside and above the top of each stem.
local function look_at_trees()
    local lowest = vector.add(corners(first), 4)
    local _, highest = corners(last)
    local stems = {}
    for x = lowest.x, highest.x - 4, 80 do
        for z = lowest.z, highest.z - 4, 80 do
            local found = core.find_nodes_in_area({ x = x, y = lowest.y, z = z }, { x = math.min(x + 79, highest.x - 4),
                y = highest.y - 9, z = math.min(z + 79, highest.z - 4) }, { "group:tree" })
            for _, at in ipairs(found) do
                table.insert(stems, at)
            end
        end
    end
    local trees = 0
    for _, at in ipairs(stems) do
        if not is_any(core.get_node(vector.add(at, { x = 0, y = 1, z = 0 })).name, "tree") then
            trees = trees + 1
            for _, off in ipairs{ { x = 1, y = 0, z = 0 }, { x = -1, y = 0, z = 0 }, { x = 0, y = 0, z = 1 },
                { x = 0, y = 0, z = -1 }, { x = 0, y = 1, z = 0 } } do
                local beside = vector.add(at, off)
                if not is_any(core.get_node(beside).name, "tree", "leaves", "needles", "dirt", "stone") then
                    files.faults:write(("tree at %s: no leaves at %s\n"):format(core.pos_to_string(at),
                        core.pos_to_string(beside)))
                end
            end
        end
    end
    return trees
end

local function finish()
    for _, chunk in ipairs(chunks()) do
        look_at(chunk)
    end
    for x = first.x, last.x do
        for z = first.z, last.z do
            look_down(x, z)
        end
    end
    core.log("action", ("luanti_probe: %d trees"):format(look_at_trees()))
    for _, file in pairs(files) do
        file:close()
    end
    local done = assert(io.open(world .. "/done.txt", "w"))
    done:close()
    core.request_shutdown()
end

local function make(list, number)
    if number > #list then
        return finish()
    end
    local lowest, highest = corners(list[number])
    core.emerge_area(lowest, highest, function(_, _, left)
        if left == 0 then
            core.after(0, make, list, number + 1)
        end
    end)
end

core.after(0, function()
    make(chunks(), 1)
end)
