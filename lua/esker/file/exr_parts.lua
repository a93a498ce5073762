-- The parts and channels of an OpenEXR file, from its header: "The OpenEXR File Layout", openexr.com.

local files = require "esker.files"

local exr_parts = {}

local most_header <const> = 1 << 20
local mark <const>, several <const> = 20000630, 0x1000 -- of a file; the flag of one with several parts

-- The names in an attribute "channels": each is followed by 16 bytes of its description.
local function names_in(value)
    local names, at = {}, 1
    while value:byte(at) ~= 0 do
        names[#names + 1], at = ("z"):unpack(value, at)
        at = at + 16
    end
    return names
end

-- Reads one header: its attributes, and the position after it.
local function read_header(bytes, at)
    local attributes = {}
    while bytes:byte(at) ~= 0 do
        local name, _, value, after = ("<zzs4"):unpack(bytes, at)
        attributes[name], at = value, after
    end
    return attributes, at + 1
end

local function read(bytes)
    local first, flags, at = ("<I4I4"):unpack(bytes)
    assert(first == mark)
    local parts = {}
    repeat
        local attributes
        attributes, at = read_header(bytes, at)
        local left, top, right, bottom = ("<i4i4i4i4"):unpack(attributes.dataWindow)
        parts[#parts + 1] = { name = attributes.name, width = right - left + 1,
            height = bottom - top + 1, channels = names_in(attributes.channels) }
    until flags & several == 0 or bytes:byte(at) == 0
    return parts
end

-- A list of { name =, width =, height =, channels = }; empty if the file has no such header.
function exr_parts.read(path)
    local file <close> = files.open(path)
    local well, parts = pcall(read, file and file:read(most_header) or "")
    return well and parts or {}
end

return exr_parts
