-- Writes PMTiles archives: "PMTiles Version 3 Specification", github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md;
-- sections are named below. Tiles come in the order of their numbers and go to the file at once. The file is: header
-- and root directory in the first 16 KiB, tiles, metadata, leaf directories.

local files = require "esker.files"
local tile_codec = require "esker.tile_codec"

local pmtiles = {}

local header_size, data_start = 127, 16384
local most_in_root, most_in_leaf = 4096, 16384 -- entries of a root without leaves, and of a leaf
local small_tile, most_small = 2048, 100000 -- equal tiles of up to this many bytes are stored once
local most_metadata <const> = 1 << 20
local gzipped, types = 2, { pbf = 1, png = 2 }

local function varint(number)
    local bytes = {}
    while number > 127 do
        bytes[#bytes + 1] = string.char(number & 127 | 128)
        number = number >> 7
    end
    bytes[#bytes + 1] = string.char(number)
    return table.concat(bytes)
end

-- Section 4.2: entries { number =, run =, offset =, length = }, column by column, compressed.
local function directory(entries, first, last)
    local columns = { varint(last - first + 1) }
    local before = 0
    for i = first, last do
        columns[#columns + 1] = varint(entries[i].number - before)
        before = entries[i].number
    end
    for _, key in ipairs{ "run", "length" } do
        for i = first, last do
            columns[#columns + 1] = varint(entries[i][key])
        end
    end
    for i = first, last do
        local previous = i > first and entries[i - 1]
        columns[#columns + 1] = previous and entries[i].offset == previous.offset + previous.length and "\0"
            or varint(entries[i].offset + 1)
    end
    return tile_codec.gzip(table.concat(columns))
end

-- Whether the numbers of a header can be an archive's: sections behind it, levels and area in order.
local function is_likely(numbers)
    local root, root_length, tiles = numbers[1], numbers[2], numbers[7]
    return root >= header_size and root_length > 0 and tiles >= header_size and numbers[16] <= numbers[17]
        and numbers[18] <= numbers[20] and numbers[19] <= numbers[21]
end

local function has_root(file, numbers)
    local length = numbers[2]
    local there = length <= most_metadata and file:seek("set", numbers[1])
    return tile_codec.gunzip(there and file:read(length) or "", most_metadata) ~= nil
end

-- What an archive says of itself, which may be any program's: levels, west, south, east, north, tiles, format (none if
-- it is not one of Esker's), bytes of the file, cut (how many there should be, if more), damaged (what is wrong) and
-- metadata, a text of JSON (empty if it cannot be read); nil if it is no archive.
local function about_file(file)
    local text = file and file:read(header_size) or ""
    if #text < header_size or text:sub(1, 8) ~= "PMTiles\3" then
        return nil
    end
    local numbers = { ("<I8I8 I8I8 I8I8 I8I8 I8I8I8 BBBB BB i4i4i4i4"):unpack(text, 9) }
    local bytes, whole = file:seek("end"), 0
    for i = 1, 7, 2 do -- the sections
        whole = math.max(whole, numbers[i] + numbers[i + 1])
    end
    local about = { bytes = bytes, cut = whole > bytes and whole or nil }
    if not is_likely(numbers) then
        about.damaged = "its header names no directory, no tiles or no area"
        about.metadata = ""
        return about
    end
    local start, length, packed = numbers[3], numbers[4], numbers[13]
    about.low, about.high, about.tiles = numbers[16], numbers[17], numbers[9]
    about.west, about.south, about.east, about.north = numbers[18] / 1e7, numbers[19] / 1e7, numbers[20] / 1e7,
        numbers[21] / 1e7
    for name, number in pairs(types) do
        about.format = number == numbers[15] and name or about.format
    end
    local there = length >= 0 and length <= most_metadata and start >= 0 and file:seek("set", start)
    local read = there and file:read(length) or ""
    if not about.cut and packed == gzipped and not has_root(file, numbers) then
        about.damaged = "its root directory is damaged"
    end
    about.metadata = packed == gzipped and tile_codec.gunzip(read, most_metadata) or packed == 1 and read or ""
    return about
end

function pmtiles.about(path)
    local file <close> = files.open(path)
    return about_file(file)
end

-- Whether an open file, which may be any program's, is an archive of Esker's.
function pmtiles.is_own(file)
    local about = about_file(file)
    return about ~= nil and about.metadata:find('"generator":"Esker ', 1, true) ~= nil
end

local archive = {}
archive.__index = archive

function pmtiles.create(path)
    local self = setmetatable({ file = files.create(path), entries = {}, leaves = {}, roots = {}, small = {},
        smalls = 0, size = 0, leaf_bytes = 0, addressed = 0, count = 0, contents = 0 }, archive)
    self.file:write(("\0"):rep(data_start))
    return self
end

-- Moves the entries so far to a leaf directory.
function archive:make_leaf()
    local leaf = directory(self.entries, 1, #self.entries)
    self.leaves[#self.leaves + 1] = leaf
    self.roots[#self.roots + 1] = { number = self.entries[1].number, run = 0, offset = self.leaf_bytes, length = #leaf }
    self.leaf_bytes = self.leaf_bytes + #leaf
    self.entries = {}
end

-- Where the bytes are in the file, which they are added to unless they are there.
function archive:store(bytes)
    local known = #bytes <= small_tile and self.small[bytes]
    if known then
        return known
    end
    local offset = self.size
    self.file:write(bytes)
    self.size, self.contents = offset + #bytes, self.contents + 1
    if #bytes <= small_tile and self.smalls < most_small then
        self.small[bytes], self.smalls = offset, self.smalls + 1
    end
    return offset
end

function archive:put(tile, bytes)
    local offset, last = self:store(bytes), self.entries[#self.entries]
    self.addressed = self.addressed + 1
    if last and last.offset == offset and last.number + last.run == tile.number then
        last.run = last.run + 1
        return
    elseif #self.entries == most_in_leaf then
        self:make_leaf()
    end
    self.count = self.count + 1
    self.entries[#self.entries + 1] = { number = tile.number, run = 1, offset = offset, length = #bytes }
end

-- Section 3.
local function header(self, about, root, metadata)
    local function e7(degrees)
        return math.floor(degrees * 1e7 + 0.5)
    end
    local after = data_start + self.size
    return ("<c7 B I8I8 I8I8 I8I8 I8I8 I8I8I8 BBBB BB i4i4i4i4 B i4i4"):pack("PMTiles", 3, header_size, #root, after,
        #metadata, after + #metadata, self.leaf_bytes, data_start, self.size, self.addressed, self.count, self.contents,
        1, gzipped, about.format == "pbf" and gzipped or 1, types[about.format], about.low, about.high, e7(about.west),
        e7(about.south), e7(about.east), e7(about.north), about.low, e7(about.longitude), e7(about.latitude))
end

-- Ends the archive; `about` as tile_metadata gives it, with `metadata`, a text of JSON.
function archive:close(about)
    if #self.leaves > 0 or #self.entries > most_in_root then
        self:make_leaf()
    end
    local entries = #self.leaves > 0 and self.roots or self.entries
    local root, metadata = directory(entries, 1, #entries), tile_codec.gzip(about.metadata)
    if header_size + #root > data_start then
        error("these are more tiles than a PMTiles archive holds here; write a folder or .mbtiles", 0)
    end
    self.file:write(metadata)
    self.file:write(table.concat(self.leaves))
    self.file:seek(0)
    self.file:write(header(self, about, root, metadata) .. root)
    self.file:close()
end

return pmtiles
