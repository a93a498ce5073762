#!/bin/sh
# Prints the table of docs/exchange.md: what is left of heights of 0 to 600 m and of gaps after a file, and after a file
# that another program has read and written. Needs GDAL's and OpenEXR's tools, and numpy.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/${ESKER_BUILD:-build}:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat >write.lua <<'X'
local land = esker.noise{ width = 301, height = 200, seed = 3, wrap = false }:normalize() * 600
local hole = esker.field{ width = 301, height = 200, values = function(x, y) return x * y == 600 and 1 or 0 end }
local dem = land:set_gaps(hole):georeference{ x = 733975, y = 3469995, cell = 30, system = "EPSG:26916", unit = "m" }
local whole = land:georeference{ like = dem, unit = "m" }
dem:save("float32.tif")
dem:save("int16.tif", { type = "int16" })
dem:save("uint16.tif", { type = "uint16" })
dem:save("float32.exr")
dem:save("float16.exr", { type = "float16" })
dem:save("dem.npy")
dem:save("dem.asc")
dem:save("big.r32", { order = "big", flip = true })
for _, ending in ipairs{ "r16", "png", "pgm" } do whole:save("whole." .. ending) end
return { n = 1 }
X
esker write.lua -q -o . >/dev/null
gdal_translate -q -of HFA float32.tif imagine.img
gdal_translate -q -co COMPRESS=LZW -co TILED=YES float32.tif lzw.tif
exrmaketiled -z piz -t 64 64 float32.exr tiles.exr
/usr/bin/python3 - <<'X'
import numpy
numpy.save("double.npy", numpy.asfortranarray(numpy.load("dem.npy").astype(">f8")))
X

cat >read.lua <<'X'
local dem = esker.load("float32.tif")
local rows = { { "float32.tif", "`.tif`" }, { "lzw.tif", "`.tif`, tiled and packed with LZW by GDAL" },
    { "imagine.img", "`.tif` to Erdas Imagine by GDAL" }, { "int16.tif", "`.tif` of int16" },
    { "uint16.tif", "`.tif` of uint16" }, { "float32.exr", "`.exr`" },
    { "tiles.exr", "`.exr`, tiled and packed with PIZ by `exrmaketiled`" }, { "float16.exr", "`.exr` of float16" },
    { "dem.npy", "`.npy`" }, { "double.npy", "`.npy`, to float64, big-endian, columns first by numpy" },
    { "big.r32", "`.r32`, big-endian, lowest row first" }, { "dem.asc", "`.asc`" }, { "whole.r16", "`.r16`" },
    { "whole.png", "`.png`" }, { "whole.pgm", "`.pgm`" } }
local function places(a, b)
    return a and b and a.x == b.x and a.y == b.y and a.cell_width == b.cell_width and a.cell_height == b.cell_height
end
print("| file | largest difference, m | gaps | place | system | unit |\n| --- | --- | --- | --- | --- | --- |")
for _, row in ipairs(rows) do
    local back = esker.load(row[1])
    local frame = back.frame or {}
    local off = (back - dem):abs():statistics().max
    local function mark(same) return same and "same" or "lost" end
    local gaps = row[1]:find("^whole") and "none" or mark(back:find_gaps() == dem:find_gaps())
    print(("| %s | %.3g | %s | %s | %s | %s |"):format(row[2], off, gaps, mark(places(frame, dem.frame)),
        mark(frame.system == dem.frame.system), mark(frame.unit == "m")))
end
return { n = 1 }
X
esker read.lua -q -o . | grep '^|'
