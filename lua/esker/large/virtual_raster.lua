-- Virtual rasters (.vrt), as gdalbuildvrt writes them: XML that names files which lie beside each other or overlap.

local planes = require "esker.planes"

local near <const> = 0.01 -- of a cell: corners of cells this far apart are one

local virtual_raster = {}

local characters <const> = { amp = "&", lt = "<", gt = ">", quot = '"', apos = "'" }

local function plain(text)
    return (text:gsub("&(%w+);", characters))
end

-- x, y, width and height of a rectangle of a source.
local function rectangle(source, name)
    local words = source:match("<" .. name .. "%s([^>]*)>") or ""
    local list = {}
    for i, key in ipairs{ "xOff", "yOff", "xSize", "ySize" } do
        list[i] = tonumber(words:match(key .. '="([^"]*)"'))
    end
    return #list == 4 and list or nil
end

local function is_whole(number)
    return math.abs(number - math.floor(number + 0.5)) <= near
end

-- The files that the virtual raster at `path` joins as they are: a list of { name, number without data or nil }, of
-- which the last shows. And the size of the whole, with the place of the first cell of the first file in it: { width,
-- height, x, y }.
function virtual_raster.files(path)
    local text, files, whole = planes.text(path), {}, nil
    local function refuse_it(why, ...)
        error(("mosaic: '%s' %s: gdal_translate makes a .tif of it"):format(path, why:format(...)), 0)
    end
    local band = text:match('<VRTRasterBand%f[%s][^>]*%f[%w]band="1".->(.-)</VRTRasterBand>')
    local head = text:match("<VRTDataset%f[^%w]([^>]*)>") or ""
    local width, height = head:match('rasterXSize="(%d+)"'), head:match('rasterYSize="(%d+)"')
    if head:find("subClass", 1, true) or not band or not width or not height then
        refuse_it("is no list of files that lie beside each other")
    end
    for kind, source in band:gmatch("<(%w+Source)%f[^%w][^>]*>(.-)</%1>") do
        local words, name = source:match("<SourceFilename([^>]*)>(.-)</SourceFilename>")
        local from, to = rectangle(source, "SrcRect"), rectangle(source, "DstRect")
        if kind ~= "SimpleSource" and kind ~= "ComplexSource" or not name then
            refuse_it("has a %s, which is not read", kind)
        elseif source:find("<Scale") or source:find("<LUT>") or source:find("<Exponent>") then
            refuse_it("changes the heights of '%s'", plain(name))
        elseif not from or not to or math.abs(from[3] - to[3]) > near or math.abs(from[4] - to[4]) > near
            or from[1] ~= 0 or from[2] ~= 0 or not is_whole(to[1]) or not is_whole(to[2]) then
            refuse_it("takes a part of '%s', or other cells", plain(name))
        elseif not source:find("<SourceBand>1</SourceBand>") then
            refuse_it("takes another band of '%s' than the first", plain(name))
        end
        whole = whole or { tonumber(width), tonumber(height), to[1], to[2] }
        local folder = words:find('relativeToVRT="1"', 1, true) and path:match("^.*/") or ""
        files[#files + 1] = { folder .. plain(name), tonumber(source:match("<NODATA>(.-)</NODATA>")) }
    end
    if #files == 0 then
        refuse_it("names no files")
    end
    return files, whole
end

return virtual_raster
