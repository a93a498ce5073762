-- Tiles of maps for the explorer's page: each is drawn once for all who wait for it, and kept.

local answers = require "esker.explore.answers"
local cache = require "esker.explore.cache"
local places = require "esker.places"

local explore_tiles = {}

-- The message for a task at a map's tile; what names none is refused.
function explore_tiles.message(task, known, size, face, level, x, y)
    local z = level:match("^%d%d?$") and math.tointeger(tonumber(level))
    if not (z and places.is_cell(x, z) and places.is_cell(y, z)) then
        answers.refuse(400, "there is no such tile")
    elseif not face:match("^[0-6]$") then
        answers.refuse(400, "a face is 0 to 6")
    end
    return { task = task, name = known.name, face = tonumber(face), z = z, x = x, y = y, size = size }
end

-- The same for places and roads, which 4 × 4 tiles of a level have together, because each window needs the land around
-- it: x and y count such blocks.
function explore_tiles.block(known, face, level, x, y)
    local z = level:match("^%d%d?$") and math.tointeger(tonumber(level)) or 0
    local up = math.min(2, z)
    return explore_tiles.message("places", known, 256 << up, face, tostring(z - up), x, y)
end

-- The regions of 16 × 16 tiles in which a tile and those above it lie, and its level (queue.lua).
local function near(world, tile)
    local regions, x, y = { level = ("%s/%d/%d"):format(world, tile.face, tile.z) }, tile.x, tile.y
    local function rise()
        x, y = places.parent(x), places.parent(y)
    end
    for _ = 1, 4 do
        rise()
    end
    for i = 1, 6 do
        regions[i] = ("%s/%d/%d/%s/%s"):format(world, tile.face, math.max(0, tile.z - i + 1), x, y)
        rise()
    end
    return regions
end

local function name_of(world, tile)
    return table.concat({ world, tile.face, tile.z, tile.x, tile.y, tile.size }, "/")
end

-- Tiles of the maps of `runs` (runs.lua), drawn by `work` (queue.lua).
function explore_tiles.new(runs, work, cache_bytes)
    local tiles = {}
    local kept = cache.new(cache_bytes)
    local drawing = {} -- lists of those who wait for a tile, by its name

    -- Answers `requests` with the tile that is drawn, which is wanted as long as one of them is; with none it is drawn
    -- ahead, as long as its run is the newest.
    local function draw(known, message, name, requests)
        local ahead = not requests[1]
        local task = runs.task(known.generation, message, function(made)
            drawing[name] = nil
            if not made.error then
                kept.put(name, made.value)
            end
            for _, each in ipairs(requests) do
                if made.error then
                    answers.fail(each, made)
                else
                    answers.give_bytes(each, made.value)
                end
            end
        end)
        task.light, task.near = true, known.eroded and near(known.world, message) or nil
        function task.is_wanted()
            for _, each in ipairs(requests) do
                if not each.request:is_gone() then
                    return true
                end
            end
            return ahead and known.generation == runs.current()
        end
        function task.dropped()
            drawing[name] = nil
        end
        drawing[name] = requests
        work.add(task)
    end

    -- Answers a request with a tile, now or once it is drawn.
    function tiles.answer(request, known, message)
        local name = name_of(known.world, message)
        local found = kept.get(name)
        if found then
            answers.give_bytes(request, found)
        elseif drawing[name] then
            table.insert(drawing[name], request)
        else
            draw(known, message, name, { request })
        end
    end

    -- Draws the tiles that a page asks for first, while it still comes: of the first map, level 0.
    function tiles.draw_ahead(results)
        for _, result in ipairs(results) do
            if result.kind == "map" then
                local known = runs.world(result.world)
                for face = result.faces > 1 and 1 or 0, result.faces > 1 and result.faces or 0 do
                    local message = explore_tiles.message("tile", known, 256, tostring(face), "0", "0", "0")
                    local name = name_of(known.world, message)
                    if not drawing[name] then
                        draw(known, message, name, {})
                    end
                end
                return
            end
        end
    end

    return tiles
end

return explore_tiles
