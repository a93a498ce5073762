-- Land from files that Esker's `export{ engine = "minetest" }` has written into the folder of this mod: heights, and
-- what lies on them. Nothing here knows Luanti.
--
-- Row 0 of the heights lies in the north, the middle of the field at x = 0, z = 0. Shapes are in nodes. What they are
-- says the end of a file's name: rivers, lakes, roads, bridges, towns, trees.

local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

local NARROWEST = 1.5 -- nodes: a river that is drawn
local ROAD = 1.6      -- half the width of a road, at least
local SQUARE_OF_TOWN = 4 -- radius of the gravel in a town's middle, at most
local DEEPEST = 6     -- nodes of a lake
local CROWN = 2       -- radius of a tree's crown
local APART = 4       -- nodes: a square of so many has one tree, or crowns would be a roof
local SQUARE = 16     -- trees are kept by squares of so many nodes
local SNOW = 1500      -- nodes above which there is snow, where no setting says so
local BANKS = 8       -- nodes that the banks of a ramp reach to its sides, at most

local Land = {}
Land.__index = Land

-- The column of the field at a place; nil beyond it.
function Land:column_at(x, z)
    local column, row = x + self.half, self.half - 1 - z
    if column >= 0 and row >= 0 and column < self.size and row < self.size then
        return row * self.size + column
    end
end

-- The height at a column of the field, in nodes; of ramps their own.
function Land:height_of(at)
    if self.raised[at] then
        return self.raised[at]
    end
    local low, high = self.heights:byte(2 * at + 1, 2 * at + 2)
    return low + 256 * high - 32768
end

-- --- shapes ----------------------------------------------------------------------------------------------------

-- Calls `visit(column, width, altitude, square)` for all columns nearer to a line than half its width there, at least
-- `least`: with the line's altitude beside the column, and the square of the distance.
function Land:along(points, widths, least, visit)
    for k = 2, #points do
        local a, b = points[k - 1], points[k]
        local wide = max(widths and max(widths[k - 1] or 0, widths[k] or 0) or 0, 2 * least)
        local reach, dx, dz = wide / 2, b[1] - a[1], b[2] - a[2]
        local square = dx * dx + dz * dz
        for z = ceil(min(a[2], b[2]) - reach), floor(max(a[2], b[2]) + reach) do
            for x = ceil(min(a[1], b[1]) - reach), floor(max(a[1], b[1]) + reach) do
                local share = square > 0 and min(max(((x - a[1]) * dx + (z - a[2]) * dz) / square, 0), 1) or 0
                local off_x, off_z = x - a[1] - share * dx, z - a[2] - share * dz
                local off = off_x * off_x + off_z * off_z
                local at = off <= reach * reach and self:column_at(x, z)
                if at then
                    visit(at, wide, (a[3] or 0) + share * ((b[3] or 0) - (a[3] or 0)), off)
                end
            end
        end
    end
end

-- Calls `visit(column)` for all columns in the rings of a polygon, by the even-odd rule.
function Land:within(rings, visit)
    local low, high = math.huge, -math.huge
    for _, point in ipairs(rings[1]) do
        low, high = min(low, point[2]), max(high, point[2])
    end
    for z = ceil(low), floor(high) do
        local crossings = {}
        for _, ring in ipairs(rings) do
            for k = 2, #ring do
                local a, b = ring[k - 1], ring[k]
                if (a[2] > z) ~= (b[2] > z) then
                    table.insert(crossings, a[1] + (z - a[2]) * (b[1] - a[1]) / (b[2] - a[2]))
                end
            end
        end
        table.sort(crossings)
        for k = 1, #crossings - 1, 2 do
            for x = ceil(crossings[k]), floor(crossings[k + 1]) do
                local at = self:column_at(x, z)
                if at then
                    visit(at)
                end
            end
        end
    end
end

local function river(land, geometry, properties)
    local widths, widest = properties.widths or {}, 0
    for _, width in ipairs(widths) do
        widest = max(widest, width)
    end
    if geometry.type == "LineString" and widest >= 0.5 then
        land:along(geometry.coordinates, widths, NARROWEST / 2, function(at, width)
            land.rivers[at] = max(land.rivers[at] or 0, width)
        end)
    end
end

local function lake(land, geometry)
    local level = geometry.type == "Polygon" and geometry.coordinates[1][1][3]
    if level then
        land:within(geometry.coordinates, function(at)
            land.lakes[at], land.depths[at] = level, DEEPEST
        end)
    end
end

-- Half the width of a road or bridge. Its attributes are in metres: how long it is in nodes says how long these are.
local function half_width(points, properties)
    local length = 0
    for k = 2, #points do
        local a, b = points[k - 1], points[k]
        length = length + math.sqrt((b[1] - a[1]) ^ 2 + (b[2] - a[2]) ^ 2)
    end
    local has_both = properties.width and (properties.length or 0) > 0
    return max(has_both and properties.width * length / properties.length / 2 or 0, ROAD)
end

local function road(land, geometry, properties)
    if geometry.type == "LineString" then
        land:along(geometry.coordinates, nil, half_width(geometry.coordinates, properties), function(at)
            land.roads[at] = true
        end)
    end
end

-- Where the decks of two stretches meet, a column has that of the nearer one.
local function bridge(land, geometry, properties)
    if geometry.type == "LineString" then
        local nearest = {}
        land:along(geometry.coordinates, nil, half_width(geometry.coordinates, properties),
            function(at, _, altitude, off)
                if off < (nearest[at] or math.huge) then
                    nearest[at] = off
                    land.decks[at] = floor(altitude + 0.5)
                end
            end)
    end
end

-- Its ground is level in the heights.
local function town(land, geometry, properties)
    local x, z = geometry.coordinates[1], geometry.coordinates[2]
    local radius = max(properties.radius or 0, 1)
    table.insert(land.towns, { name = properties.name or "Town", x = floor(x + 0.5), z = floor(z + 0.5),
        radius = radius })
    local square = min(radius / 2, SQUARE_OF_TOWN)
    land:along({ { x, z }, { x, z } }, nil, square, function(at)
        land.roads[at] = true
    end)
    land:along({ { x, z }, { x, z } }, nil, radius, function(at)
        land.cleared[at] = true
    end)
end

local function tree(land, geometry, properties)
    local x, z = floor(geometry.coordinates[1] + 0.5), floor(geometry.coordinates[2] + 0.5)
    local square, spot = floor(x / SQUARE) .. "," .. floor(z / SQUARE), floor(x / APART) .. "," .. floor(z / APART)
    if land.spots[spot] then
        return false
    end
    land.spots[spot] = true
    land.trees[square] = land.trees[square] or {}
    table.insert(land.trees[square], { x = x, z = z, variation = properties.variation or 0 })
end

local kinds = { river = river, rivers = river, lake = lake, lakes = lake, road = road, roads = road, bridge = bridge,
    bridges = bridge, town = town, towns = town, tree = tree, trees = tree }

-- Lakes are a node deeper for each step from their shores.
function Land:deepen_lakes()
    local depths, size = self.depths, self.size
    local list = {}
    for at in pairs(depths) do
        table.insert(list, at)
    end
    table.sort(list)
    local function step(at, one, two)
        depths[at] = min(depths[at], (depths[at + one] or 0) + 1, (depths[at + two] or 0) + 1)
    end
    for k = 1, #list do
        step(list[k], -1, -size)
    end
    for k = #list, 1, -1 do
        step(list[k], 1, size)
    end
end

-- Ramps of bridges are earth: a road on dry ground, with banks that fall by a node for each node to the side. Only what
-- lies over water stays a deck.
function Land:raise_ramps()
    local raised, banks = {}, {}
    local function is_dry(at)
        return not self.rivers[at] and not self.lakes[at] and self:height_of(at) >= 0
    end
    for at, deck in pairs(self.decks) do
        if is_dry(at) then
            raised[at] = max(deck, self:height_of(at))
            self.roads[at] = true
        end
    end
    for at, top in pairs(raised) do
        local reach = min(top - self:height_of(at), BANKS)
        local x, z = at % self.size - self.half, self.half - 1 - floor(at / self.size)
        for off_z = -reach, reach do
            for off_x = -reach, reach do
                local beside = self:column_at(x + off_x, z + off_z)
                local bank = top - floor(math.sqrt(off_x * off_x + off_z * off_z) + 0.5)
                if beside and not self.decks[beside] and not self.roads[beside] and is_dry(beside)
                    and bank > (banks[beside] or self:height_of(beside)) then
                    banks[beside] = bank
                end
            end
        end
    end
    for at, top in pairs(raised) do
        self.raised[at], self.decks[at] = top, nil
    end
    for at, bank in pairs(banks) do
        self.raised[at] = bank
    end
end

-- --- for columns.lua -------------------------------------------------------------------------------------------

function Land:room_of(width)
    return { side = width + 2 * self.make.BORDER, altitude = {}, river = {}, water = {}, level = {}, roads = {},
        decks = {} }
end

function Land:fill(room, x, z)
    local side, border = room.side, self.make.BORDER
    for i = 0, side * side - 1 do
        local at = self:column_at(x - border + i % side, z - border + floor(i / side))
        local height = at and self:height_of(at) or 0 / 0
        local level = at and self.lakes[at]
        room.altitude[i] = level or height
        room.level[i] = level or height
        room.water[i] = level and self.depths[at] or 0
        room.river[i] = at and not level and self.rivers[at] or 0
        room.roads[i] = at and self.roads[at] or nil
        room.decks[i] = at and self.decks[at] or nil
    end
end

function Land.numbers()
    return {}
end

-- Where they were exported, but not in water, in towns, on roads or the banks of ramps.
function Land:add_trees(columns)
    local side, edge = columns.side, self.make.BORDER - CROWN
    for square_z = floor(columns.z / SQUARE), floor((columns.z + side) / SQUARE) do
        for square_x = floor(columns.x / SQUARE), floor((columns.x + side) / SQUARE) do
            for _, each in ipairs(self.trees[square_x .. "," .. square_z] or {}) do
                local column, row = each.x - columns.x, each.z - columns.z
                local i = row * side + column
                if min(column, row) >= edge and max(column, row) < side - edge and columns.water[i] < columns.ground[i]
                    and not columns.roads[i] and not columns.decks[i]
                    and not self.cleared[self:column_at(each.x, each.z)]
                    and not self.raised[self:column_at(each.x, each.z)] then
                    local pine = columns.ground[i] > self.options.snow - 300
                    table.insert(columns.trees, { x = each.x, y = columns.ground[i] + 1, z = each.z,
                        height = (pine and 7 or 5) + floor(3 * each.variation), pine = pine })
                    columns.highest = max(columns.highest, columns.ground[i] + 11)
                end
            end
        end
    end
end

-- --- opening ---------------------------------------------------------------------------------------------------

-- The only file .r16 among `names`, or nil.
function Land.file_of_heights(names)
    local found
    for _, name in ipairs(names) do
        if name:find("%.r16$") then
            assert(not found, "esker: there must be one file .r16; there are " .. tostring(found) .. " and " .. name)
            found = name
        end
    end
    return found
end

-- Opens the land of the files `names`. `make`: what columns.lua gives. `text_of(name)` gives what is in a file,
-- `parse(text)` the value of a JSON text, `tell(text)` says what was read. Options are { snow, ores }.
function Land.open(names, make, text_of, parse, tell, options)
    local land = setmetatable({ make = make, options = { cell = 1, snow = options.snow or SNOW, ores = options.ores },
        kept = {}, order = {}, rivers = {}, lakes = {}, depths = {}, roads = {}, decks = {},
        towns = {}, cleared = {}, raised = {}, trees = {}, spots = {} }, Land)
    local name = Land.file_of_heights(names)
    land.heights = text_of(name)
    land.size = floor(math.sqrt(#land.heights / 2))
    assert(#land.heights == 2 * land.size * land.size, "esker: " .. name .. " is not a square of 16-bit numbers")
    land.half = floor(land.size / 2)
    for _, each in ipairs(names) do
        local kind = kinds[each:match("(%a+)%.geojson$")]
        local shapes = kind and parse(text_of(each))
        local dense = 0
        for _, feature in ipairs(shapes and shapes.features or {}) do
            dense = dense + (kind(land, feature.geometry, feature.properties or {}) == false and 1 or 0)
        end
        if each:find("%.geojson$") then
            tell(("esker: %s: %s%s"):format(each, shapes and #shapes.features - dense .. " are on the land"
                or "not read; names of files that are end with rivers, lakes, roads, bridges, towns or trees",
                dense > 0 and (", %d stand closer than %d nodes to others and are left out"):format(dense, APART)
                or ""))
        end
    end
    land:deepen_lakes()
    land:raise_ramps()
    return land
end

return Land
