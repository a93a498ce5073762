-- The parameter values of a sweep: grids, and samples that fill a space evenly.

local csv = require "esker.file.csv"
local texts = require "esker.texts"
local usage_error = require "esker.usage_error"

local designs = {}

-- Primitive polynomials and first direction numbers of Sobol's sequence, from dimension 2 on (Joe and Kuo 2008,
-- "new-joe-kuo-6"): degree, coefficients, numbers.
local directions = {
    { 1, 0, { 1 } }, { 2, 1, { 1, 3 } }, { 3, 1, { 1, 3, 1 } }, { 3, 2, { 1, 1, 1 } }, { 4, 1, { 1, 1, 3, 3 } },
    { 4, 4, { 1, 3, 5, 13 } }, { 5, 2, { 1, 1, 5, 5, 17 } }, { 5, 4, { 1, 1, 5, 5, 5 } }, { 5, 7, { 1, 1, 7, 11, 19 } },
    { 5, 11, { 1, 1, 5, 1, 1 } }, { 5, 13, { 1, 1, 1, 3, 11 } }, { 5, 14, { 1, 3, 5, 5, 31 } },
    { 6, 1, { 1, 3, 3, 9, 7, 49 } }, { 6, 13, { 1, 1, 1, 15, 21, 21 } }, { 6, 16, { 1, 3, 1, 13, 27, 49 } },
}
designs.max_dimensions = #directions + 1

local bits = 32

-- The 32 direction numbers of a dimension.
local function direction_numbers(dimension)
    local v = {}
    if dimension == 1 then
        for i = 1, bits do
            v[i] = 1 << (bits - i)
        end
        return v
    end
    local degree, coefficients, first = table.unpack(directions[dimension - 1])
    for i = 1, bits do
        if i <= degree then
            v[i] = first[i] << (bits - i)
        else
            v[i] = v[i - degree] ~ (v[i - degree] >> degree)
            for k = 1, degree - 1 do
                if coefficients >> (degree - 1 - k) & 1 == 1 then
                    v[i] = v[i] ~ v[i - k]
                end
            end
        end
    end
    return v
end

local function random_word(seed, text)
    return tonumber(texts.hash(seed .. ":" .. text):sub(1, 8), 16)
end

-- Points in the unit cube, each a function of its index, from 0, shifted by the seed. The next index changes one bit of
-- the Gray code, and so one direction number in each dimension.
function designs.sobol(dimensions, seed)
    local numbers, shifts = {}, {}
    for d = 1, dimensions do
        numbers[d], shifts[d] = direction_numbers(d), random_word(seed, "sobol " .. d)
    end
    local words, gray = shifts, 0 -- of the last point
    return function(index)
        local wanted = index ~ (index >> 1)
        local changed, i = wanted ~ gray, 1
        while changed > 0 do
            if changed & 1 == 1 then
                for d = 1, dimensions do
                    words[d] = words[d] ~ numbers[d][i]
                end
            end
            changed, i = changed >> 1, i + 1
        end
        gray = wanted
        local point = {}
        for d = 1, dimensions do
            point[d] = (words[d] + 0.5) / 2 ^ bits
        end
        return point
    end
end

-- A Latin hypercube of `count` points: each interval of 1/count holds one point in each dimension.
function designs.latin(dimensions, seed, count)
    local orders, offsets = {}, {}
    for d = 1, dimensions do
        offsets[d] = random_word(seed, "latin in " .. d)
        local order, state = {}, random_word(seed, "latin " .. d)
        for i = 1, count do
            order[i] = i - 1
        end
        for i = count, 2, -1 do -- Fisher-Yates with our own generator: the same on every machine
            state = (state * 6364136223846793005 + 1442695040888963407)
            local k = (state >> 33) % i + 1
            order[i], order[k] = order[k], order[i]
        end
        orders[d] = order
    end
    return function(index)
        local point = {}
        for d = 1, dimensions do
            local word = (index * 0x9e3779b97f4a7c15 ~ offsets[d]) * 0xbf58476d1ce4e5b9
            local within = ((word ~ word >> 31) * 0x94d049bb133111eb >> 32) / 2 ^ 32
            point[d] = (orders[d][index + 1] + within) / count
        end
        return point
    end
end

-- --- VALUES ----------------------------------------------------------------------------------------------------------

local function bad(name, text, why)
    usage_error("%s: %s, got '%s'", name, why, text)
end

local forms = "values are 1..20, 8,12,16, 0..0.5/11 or ~0.3..0.7"

-- The numbers of LOW..HIGH; nil where a side is none.
function designs.range(text)
    local at = text:find("..", 1, true)
    if at then
        return tonumber(text:sub(1, at - 1)), tonumber(text:sub(at + 2))
    end
end

-- The values of one argument: { name =, list = {…} } or { name =, low =, high =, drawn = true }.
local function read_values(name, operator, text)
    if operator == "~" then
        local low, high = designs.range(text)
        if not low or not high or low >= high then
            bad(name, text, "a drawn range is LOW..HIGH, the first below the second")
        end
        return { name = name, low = low, high = high, drawn = true,
                 whole = math.type(low) == "integer" and math.type(high) == "integer" }
    end
    local range, count = text:match("^(.*)/(%d+)$")
    if range and range:find("..", 1, true) then
        local from, to = designs.range(range)
        count = math.tointeger(tonumber(count))
        if not from or not to or not count or count < 2 then
            bad(name, text, "evenly spaced values are LOW..HIGH/COUNT, two or more")
        end
        local list = {}
        for i = 0, count - 1 do
            list[i + 1] = from + (to - from) * i / (count - 1)
        end
        return { name = name, list = list }
    end
    local from, to = text:match("^(%-?%d+)%.%.(%-?%d+)$")
    if from then
        from, to = math.tointeger(tonumber(from)), math.tointeger(tonumber(to))
        if from > to then
            bad(name, text, "a range goes upwards")
        end
        return { name = name, first = from, count = to - from + 1 }
    end
    if text:find("..", 1, true) then
        bad(name, text, forms)
    end
    local list = {}
    for each in text:gmatch("[^,]*") do
        if each == "" then
            bad(name, text, "a list has values between its commas")
        end
        local value = tonumber(each)
        if value == nil and (each == "true" or each == "false") then
            value = each == "true"
        end
        list[#list + 1] = value == nil and each or value
    end
    return { name = name, list = list }
end

-- NAME=VALUES and NAME=~LOW..HIGH, in the order given.
function designs.read(words)
    local axes, seen = {}, {}
    for _, word in ipairs(words) do
        local name, operator, text = word:match("^([%a_][%w_]*)([=~])(.*)$")
        if not name then
            usage_error("'%s' is not NAME=VALUES", word)
        end
        if text:sub(1, 1) == "~" then
            operator, text = "~", text:sub(2)
        end
        if seen[name] then
            usage_error("%s is given twice", name)
        end
        seen[name] = true
        axes[#axes + 1] = read_values(name, operator, text)
    end
    return axes
end

local function length(axis)
    return axis.drawn and 1 or axis.count or #axis.list
end

-- All runs of the axes: their number, and a function that returns the values of a run by its index, from 0, the last
-- axis fastest. `rows`, if given, is a list of { name = value } that is combined with the axes.
function designs.runs(axes, options)
    local drawn, grid = {}, {}
    for _, axis in ipairs(axes) do
        table.insert(axis.drawn and drawn or grid, axis)
    end
    if #drawn > 0 and not options.samples then
        usage_error("%s is drawn at random: --samples gives the number of draws", drawn[1].name)
    elseif #drawn == 0 and options.samples then
        usage_error "--samples needs a drawn parameter, NAME=~LOW..HIGH"
    elseif #drawn > designs.max_dimensions and options.design ~= "latin" then
        usage_error("Sobol's sequence has %d dimensions here; --design latin has no such limit", designs.max_dimensions)
    end
    local samples = options.samples or 1
    local design = #drawn > 0 and (options.design == "latin" and designs.latin(#drawn, options.seed or 1, samples)
        or designs.sobol(#drawn, options.seed or 1))
    local rows = options.rows or { {} }
    local total = samples * #rows
    for _, axis in ipairs(grid) do
        total = total * length(axis)
    end
    return total, function(index)
        local values = {}
        for i = #grid, 1, -1 do
            local axis = grid[i]
            local count = length(axis)
            local at = index % count
            index = index // count
            values[axis.name] = axis.first and axis.first + at or axis.list[at + 1]
        end
        for name, value in pairs(rows[index % #rows + 1]) do
            values[name] = value
        end
        index = index // #rows
        local point = design and design(index)
        for i, axis in ipairs(drawn) do
            local value = axis.low + (axis.high - axis.low) * point[i]
            values[axis.name] = axis.whole and axis.low + math.floor(point[i] * (axis.high - axis.low + 1)) or value
        end
        return values
    end
end

-- The rows of a CSV file as { name = value }, and the names in order.
function designs.read_csv(text, path)
    local lists, row_number = csv.rows(text)
    if not lists then
        usage_error("%s: the quotes in row %d are not closed", path, row_number)
    end
    local names, rows = lists[1], {}
    for r = 2, #lists do
        local cells, row = lists[r], {}
        if #cells ~= #names then
            usage_error("%s: a row has %d values, but the first line has %d names", path, #cells,
                #names)
        end
        for i, name in ipairs(names) do
            row[name] = tonumber(cells[i]) or cells[i]
        end
        rows[#rows + 1] = row
    end
    if #rows == 0 then
        usage_error("%s: there are no rows", path)
    end
    return rows, names
end

return designs
