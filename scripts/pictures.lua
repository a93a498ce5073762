-- Draws the reference's pictures from the declarations: lua5.4 scripts/pictures.lua FOLDER [missing]
--
-- An operation's picture shows the values that its `picture` or its example (scripts/pictured.lua) returns. A single
-- value of an operation on fields gets the field `height`, which it starts from, at its left. `missing` draws only
-- pictures that do not exist.

package.path = "scripts/?.lua;" .. package.path
local esker = require "built"
local pictured = dofile "scripts/pictured.lua"
local reduce = dofile "scripts/reduced.lua"

local folder, only_missing = arg[1], arg[2] == "missing"
local side, gap = 128, 6

local function start()
    local noise = esker.diamond_square{ size = side, seed = 11, smooth = true }
    local hills = esker.voronoi{ size = side, seed = 3 }
    return (2 / 3 * noise + 1 / 3 * hills):perturb{ seed = 5, magnitude = 0.1 }:normalize{}
end

local function run(text, height, ...)
    local environment = setmetatable({ height = height, esker = esker, print = function() end }, { __index = _G })
    return table.pack(assert(load(text, text, "t", environment))(...))
end

-- A mesh's edges, drawn over the field.
local function wireframe(mesh, height)
    local name = os.tmpname()
    local path = name .. ".obj"
    os.remove(name)
    mesh:save(path)
    local lines, points = esker.field{ width = height.width, height = height.height, values = 0 }, {}
    local scale
    local function draw(from, to)
        local dx, dy = to[1] - from[1], to[2] - from[2]
        local steps = math.max(1, math.ceil(math.max(math.abs(dx), math.abs(dy))))
        for i = 0, steps do
            lines:set((from[1] + dx * i / steps) // 1 | 0, (from[2] + dy * i / steps) // 1 | 0, 1)
        end
    end
    for line in io.lines(path) do
        local x, y = line:match("^v (%S+) (%S+)")
        local a, b, c = line:match("^f (%d+)%S* (%d+)%S* (%d+)")
        if x then
            points[#points + 1] = { tonumber(x), tonumber(y) }
        elseif a then
            if not scale then -- from the mesh's unit to cells, y downwards
                local longest = 0
                for _, point in ipairs(points) do
                    longest = math.max(longest, point[1], point[2])
                end
                scale = (side - 0.5) / longest
                for i, point in ipairs(points) do
                    points[i] = { point[1] * scale, side - point[2] * scale }
                end
            end
            local p, q, r = points[tonumber(a)], points[tonumber(b)], points[tonumber(c)]
            draw(p, q)
            draw(q, r)
            draw(r, p)
        end
    end
    os.remove(path)
    local colours = { { -1, "#203040" }, { -0.01, "#203040" }, { 0, "#8fae6b" }, { 1, "#f4efe2" } }
    return height:relief{ rivers = lines, palette = colours }
end

-- Heights have the same colours in every picture, so that two of them can be compared.
local function image(value, height)
    local name = esker.type(value)
    if name == "Image" then
        return value
    elseif name == "Field" then
        return value:relief{ low = -1, high = 1, exaggeration = 2 }
    elseif name == "Mesh" then
        return wireframe(value, height)
    end
    for _, declared in ipairs(esker.values()) do
        if declared.name == name then
            return run(declared.picture, nil, value, side)[1]
        end
    end
    error("no picture of a value of type " .. name)
end

local function in_a_row(values, height)
    local row
    for _, value in ipairs(values) do
        row = row and row:join(image(value, height), { gap = gap }) or image(value, height)
    end
    return row
end

local function write(name, draw, colours)
    local path = folder .. "/" .. name .. ".png"
    local file = io.open(path, "rb")
    if file then
        file:close()
        if only_missing then
            return
        end
    end
    draw():save(path)
    reduce(path, colours)
end

local height = start()
for _, operation in ipairs(esker.operations()) do
    local text = pictured(operation)
    if text then
        write(operation.name, function()
            local values = run(text, height)
            local input = operation.inputs[1]
            if #values == 1 and input and input.kind:find("field") then
                table.insert(values, 1, height)
            end
            return in_a_row(values, height)
        end)
    end
end

-- A palette from -1 at the left to 1 at the right.
for name in pairs(esker.palettes) do
    write("palette-" .. name, function()
        local ramp = esker.field{ width = 288, height = 16, values = function(x) return x / 143.5 - 1 end }
        return ramp:relief{ palette = name, contrast = 0, low = -1, high = 1 }
    end, 256)
end
