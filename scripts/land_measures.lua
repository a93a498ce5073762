-- Measures of one window of land of SIZE² cells, for scripts/land-figures.lua.

local M = { SIZE = 256 }

local SIZE <const> = M.SIZE
local STREAM <const> = 24 -- cells that a stream drains

-- --- falls of rivers -------------------------------------------------------------------------------------------------

local function steepest_fall(altitude, x, y)
    local most = 0
    for j = y - 1, y + 1 do
        for i = x - 1, x + 1 do
            local fall = (altitude:get(x, y) - altitude:get(i, j)) / (i ~= x and j ~= y and math.sqrt(2) or 1)
            most = math.max(most, fall)
        end
    end
    return most
end

-- Adds falls and counts of pixels that drain 24 or more, by powers of 2 of what they drain in cells.
function M.add_falls(sums, altitude, flow, cell)
    for y = 1, SIZE - 2 do
        for x = 1, SIZE - 2 do
            local drained = flow:get(x, y)
            if drained >= STREAM then
                local bin = math.log(drained, 2) // 1
                local sum = sums[bin] or { 0, 0 }
                sums[bin] = { sum[1] + steepest_fall(altitude, x, y) / cell, sum[2] + 1 }
            end
        end
    end
end

-- The exponent that fits the mean falls of bins of 100 pixels and more.
function M.concavity_of(sums)
    local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
    for bin, sum in pairs(sums) do
        if sum[2] >= 100 and sum[1] > 0 then
            local x, y = (bin + 0.5) * math.log(2), math.log(sum[1] / sum[2])
            n, sx, sy, sxx, sxy = n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y
        end
    end
    return n > 2 and -(n * sxy - sx * sy) / (n * sxx - sx * sx) or 0
end

-- --- waves -----------------------------------------------------------------------------------------------------------

-- Fourier transform in place of `count` complex numbers, a power of 2, at first + k * stride.
local function transform(real, imaginary, first, stride, count)
    local j = 0
    for i = 0, count - 2 do -- the order of reversed bits
        if i < j then
            local a, b = first + i * stride, first + j * stride
            real[a], real[b], imaginary[a], imaginary[b] = real[b], real[a], imaginary[b], imaginary[a]
        end
        local bit = count // 2
        while j & bit ~= 0 do
            j, bit = j ~ bit, bit // 2
        end
        j = j | bit
    end
    local half = 1
    while half < count do
        for k = 0, half - 1 do
            local turn = -math.pi * k / half
            local c, s = math.cos(turn), math.sin(turn)
            for i = k, count - 1, 2 * half do
                local a, b = first + i * stride, first + (i + half) * stride
                local x, y = c * real[b] - s * imaginary[b], c * imaginary[b] + s * real[b]
                real[b], imaginary[b] = real[a] - x, imaginary[a] - y
                real[a], imaginary[a] = real[a] + x, imaginary[a] + y
            end
        end
        half = 2 * half
    end
end

-- Cells in a Hann window, without the plane that fits them.
local function tapered(field)
    local middle, right, down, square = 0, 0, 0, 0
    local centre = (SIZE - 1) / 2
    for y = 0, SIZE - 1 do
        for x = 0, SIZE - 1 do
            local height = field:get(x, y)
            middle, square = middle + height, square + (x - centre) ^ 2
            right, down = right + height * (x - centre), down + height * (y - centre)
        end
    end
    middle, right, down = middle / SIZE ^ 2, right / square, down / square
    local cells, imaginary = {}, {}
    for y = 0, SIZE - 1 do
        for x = 0, SIZE - 1 do
            local hann = (1 - math.cos(2 * math.pi * x / SIZE)) * (1 - math.cos(2 * math.pi * y / SIZE))
            local plane = middle + right * (x - centre) + down * (y - centre)
            cells[y * SIZE + x], imaginary[y * SIZE + x] = hann * (field:get(x, y) - plane), 0
        end
    end
    return cells, imaginary
end

-- The share of waves of `from` to `to` cells in the variance of slopes that waves of 4 to 64 cells have.
function M.wave_share(altitude, from, to)
    local real, imaginary = tapered(altitude)
    for i = 0, SIZE - 1 do
        transform(real, imaginary, i * SIZE, 1, SIZE)
    end
    for i = 0, SIZE - 1 do
        transform(real, imaginary, i, SIZE, SIZE)
    end
    local inside, all = 0, 0
    for y = 0, SIZE - 1 do
        for x = 0, SIZE - 1 do
            local across, along = math.min(x, SIZE - x), math.min(y, SIZE - y)
            local number = across ^ 2 + along ^ 2
            local wave = SIZE / math.sqrt(number)
            if wave >= 4 and wave < 64 then
                local at = y * SIZE + x
                local power = number * (real[at] ^ 2 + imaginary[at] ^ 2)
                all = all + power
                inside = inside + (wave >= from and wave < to and power or 0)
            end
        end
    end
    return inside / all
end

-- --- divides ---------------------------------------------------------------------------------------------------------

local BLOCK <const> = 24

-- Where labels change along the border of a block: the middles between cells, and whether there are two labels.
local function ends_in(labels, left, top)
    local border, ends, first, second = {}, {}, labels:get(left, top), nil
    for i = 0, BLOCK - 2 do
        border[#border + 1] = { left + i, top }
    end
    for i = 0, BLOCK - 2 do
        border[#border + 1] = { left + BLOCK - 1, top + i }
    end
    for i = BLOCK - 1, 1, -1 do
        border[#border + 1] = { left + i, top + BLOCK - 1 }
    end
    for i = BLOCK - 1, 1, -1 do
        border[#border + 1] = { left, top + i }
    end
    for i, place in ipairs(border) do
        local next_one = border[i % #border + 1]
        local here, there = labels:get(place[1], place[2]), labels:get(next_one[1], next_one[2])
        if here ~= there then
            ends[#ends + 1] = { (place[1] + next_one[1]) / 2, (place[2] + next_one[2]) / 2 }
        end
        second = second or here ~= first and here or nil
        if here ~= first and here ~= second or here == 0 then
            return nil
        end
    end
    return #ends == 2 and ends or nil
end

-- The sides of cells in a block between two labels; nil if there are more.
local function sides_in(labels, left, top)
    local count, seen, labels_there = 0, {}, 0
    for y = top, top + BLOCK - 1 do
        for x = left, left + BLOCK - 1 do
            local here = labels:get(x, y)
            if not seen[here] then
                seen[here], labels_there = true, labels_there + 1
            end
            count = count + (x + 1 < left + BLOCK and labels:get(x + 1, y) ~= here and 1 or 0)
            count = count + (y + 1 < top + BLOCK and labels:get(x, y + 1) ~= here and 1 or 0)
        end
    end
    return labels_there == 2 and count or nil
end

-- How much longer divides are than the straight line, in the blocks that one divide crosses: between the basins of
-- reaches that begin where 1000 cells drain. The sides of cells along a line are 4/π times as long as the line, on
-- average over its directions, so a straight one has 1.
function M.divide_sinuosity(altitude)
    local labels = altitude:basins{ threshold = 1000 / SIZE ^ 2 }
    local long, straight = 0, 0
    for top = 0, SIZE - BLOCK, BLOCK // 2 do
        for left = 0, SIZE - BLOCK, BLOCK // 2 do
            local ends = ends_in(labels, left, top)
            local sides = ends and sides_in(labels, left, top)
            local far = ends and math.sqrt((ends[1][1] - ends[2][1]) ^ 2 + (ends[1][2] - ends[2][2]) ^ 2)
            if sides and far >= BLOCK / 2 then
                long, straight = long + sides * math.pi / 4, straight + far
            end
        end
    end
    return straight > 0 and long / straight or nil
end

return M
