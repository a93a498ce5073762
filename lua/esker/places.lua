-- Places on endless maps: cells of a quadtree as whole numbers of any size, written in hexadecimal digits.

local places = {}

local max_levels = 100

-- Whether the text names a column or row of level `level`: below 2^level, lower-case, without needless zeros.
function places.is_cell(text, level)
    if not text:match("^[0-9a-f]+$") or text:match("^0.") then
        return false
    end
    local bits = 4 * (#text - 1)
    local first = tonumber(text:sub(1, 1), 16)
    while first > 0 do
        first, bits = first >> 1, bits + 1
    end
    return level <= max_levels and (text == "0" or bits <= level)
end

-- The cell of the level above that holds this one.
function places.parent(text)
    local digits, carry = {}, 0
    for i = 1, #text do
        local digit = tonumber(text:sub(i, i), 16)
        digits[i] = ("%x"):format(carry * 8 + (digit >> 1))
        carry = digit & 1
    end
    return (table.concat(digits):gsub("^0+(.)", "%1"))
end

-- How many cells of the same level lie from one to the other, or nil where these are many.
function places.between(from, to)
    local width = math.max(#from, #to)
    from, to = ("0"):rep(width - #from) .. from, ("0"):rep(width - #to) .. to
    local split = math.max(width - 8, 0)
    local before = split > 0 and places.between(from:sub(1, split), to:sub(1, split)) or split == 0 and 0
    if before and math.abs(before) <= 1 then
        return (before << 32) + tonumber(to:sub(split + 1), 16) - tonumber(from:sub(split + 1), 16)
    end
end

function places.is_zero(text)
    return text == "0"
end

-- The middle of a cell as a part of the map's side, exactly: (n + 1/2) / 2^level as operations take it.
function places.middle(text, level)
    return ("0x%s.8p-%d"):format(text, level)
end

-- What a text of a place says, 0 to 1, or nil: decimal digits, or hexadecimal ones with a power of two.
function places.number(text)
    local is_place = #text <= 120 and (text:find("^[01]%.?%d*$") or text:find("^0x[%x.p-]+$"))
    local number = is_place and tonumber(text)
    return number and number >= 0 and number <= 1 and number or nil
end

return places
