-- Prints the table of src/analysis/realism.c from docs/realism.csv: lua5.4 scripts/realism-ranges.lua
-- For each measure its 10th, 50th and 90th percentile at cells of 1, 10, 30 and 90 m. A model counts for the
-- size nearest to its own by the logarithm; coasts, most of which are drawn from maps, count for all sizes.

local sizes <const> = { 1, 10, 30, 90 }
local shares <const> = { 0.1, 0.5, 0.9 }

local function cells_of(line)
    local cells = {}
    for cell in (line:gsub('"[^"]*"', function(text) return (text:gsub(",", ";")) end) .. ","):gmatch("([^,]*),") do
        cells[#cells + 1] = cell
    end
    return cells
end

local function size_of(cell)
    local nearest = 1
    for i, size in ipairs(sizes) do
        if math.abs(math.log(cell / size)) < math.abs(math.log(cell / sizes[nearest])) then
            nearest = i
        end
    end
    return nearest
end

-- Linear between the values next to it.
local function percentile(values, share)
    local at = share * (#values - 1)
    local low = math.floor(at)
    return values[low + 1] + ((values[low + 2] or values[low + 1]) - values[low + 1]) * (at - low)
end

local names, values = nil, {} -- [column][size]: a list
for line in io.lines("docs/realism.csv") do
    local row = cells_of(line)
    for i, name in ipairs(names or {}) do
        local value, cell = tonumber(row[i]), tonumber(row[values.cell])
        for size in ipairs(sizes) do
            if values[i] and value and (name == "coast" or size == size_of(cell)) then
                table.insert(values[i][size], value)
            end
        end
    end
    if not names then
        names = row
        for i, name in ipairs(names) do
            values.cell = name == "cell" and i or values.cell
            values[i] = values.note and { {}, {}, {}, {} } or nil
            values.note = values.note or name == "note"
        end
    end
end
for i, name in ipairs(names) do
    local ranges = {}
    for size, list in ipairs(values[i] or {}) do
        table.sort(list)
        local numbers = {}
        for k, share in ipairs(shares) do
            numbers[k] = ("%.3g"):format(percentile(list, share))
        end
        ranges[size] = "{ " .. table.concat(numbers, ", ") .. " }"
    end
    if ranges[1] then
        print(("    [MEASURE_%s] = { %s, %s,\n        %s, %s },"):format(name, table.unpack(ranges)))
    end
end
