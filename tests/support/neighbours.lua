-- Whether two vector tiles, the second to the right of the first, have the same points near their common edge, and
-- some, and whether their lines cross it at the same places: lua5.4 neighbours.lua LEFT.pbf RIGHT.pbf. Names and
-- numbers of fields are those of "Mapbox Vector Tile Specification 2.1".

local extent, near = 4096, 40

local function varint(text, at)
    local number, shift = 0, 0
    while true do
        local byte = text:byte(at)
        number, shift, at = number | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128 then
            return number, at
        end
    end
end

-- The members of a message: { field, value } …
local function members(text)
    local at = 1
    return function()
        if at > #text then
            return nil
        end
        local key, value
        key, at = varint(text, at)
        if key & 7 == 0 then
            value, at = varint(text, at)
        elseif key & 7 == 1 then
            value, at = text:sub(at, at + 7), at + 8
        else
            local size
            size, at = varint(text, at)
            value, at = text:sub(at, at + size - 1), at + size
        end
        return key >> 3, value
    end
end

-- Each with the one before; nil where a line begins.
local function each_point(geometry, visit)
    local at, x, y = 1, 0, 0
    while at <= #geometry do
        local command
        command, at = varint(geometry, at)
        for _ = 1, command >> 3 do
            local dx, dy
            local from_x, from_y = command & 7 == 2 and x or nil, y
            dx, at = varint(geometry, at)
            dy, at = varint(geometry, at)
            x, y = x + (dx >> 1 ~ -(dx & 1)), y + (dy >> 1 ~ -(dy & 1))
            visit(x, y, from_x, from_y)
        end
    end
end

local function points_near(path, edge)
    local file <close> = assert(io.open(path, "rb"))
    local found, count, crossings = {}, 0, {}
    for field, layer in members(file:read("a")) do
        local name
        for inner, value in members(layer) do
            name = inner == 1 and value or name
            for member, geometry in members(inner == 2 and value or "") do
                if member == 4 then
                    each_point(geometry, function(x, y, from_x, from_y)
                        local crossing = from_x and (from_x < edge) ~= (x < edge) and
                            from_y + (y - from_y) * (edge - from_x) / (x - from_x)
                        if crossing and crossing >= 0 and crossing <= extent then
                            table.insert(crossings, { name = name, y = crossing })
                        end
                        if math.abs(x - edge) <= near and y >= 0 and y <= extent then
                            found[("%s %d %d"):format(name or field, x - edge, y)], count = true, count + 1
                        end
                    end)
                end
            end
        end
    end
    return found, count, crossings
end

local function has_crossing(list, crossing)
    for _, each in ipairs(list) do
        if each.name == crossing.name and math.abs(each.y - crossing.y) <= 2 then
            return true
        end
    end
    return crossing.y < 2 or crossing.y > extent - 2
end

local left, count, left_crossings = points_near(arg[1], extent)
local right, _, right_crossings = points_near(arg[2], 0)
for _, pair in ipairs{ { left_crossings, right_crossings }, { right_crossings, left_crossings } } do
    for _, crossing in ipairs(pair[1]) do
        assert(has_crossing(pair[2], crossing), "only one tile has a line across the edge")
    end
end
for _, pair in ipairs{ { left, right }, { right, left } } do
    for point in pairs(pair[1]) do
        if not pair[2][point] then
            error("only one tile has " .. point)
        end
    end
end
assert(count > 20, "hardly any points")
