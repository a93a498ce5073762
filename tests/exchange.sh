#!/bin/sh
# What other programs say of the files that Esker writes, and Esker of theirs, in confined recipes. Prints TAP.
. "$(dirname "$0")/support/scratch.sh"
reason() { head -c 600 printed message 2>/dev/null | cat -v; }
if ! command -v gdalinfo >/dev/null || ! command -v ogrinfo >/dev/null; then
    echo "1..0 # SKIP GDAL's tools are not here"
    exit
fi

# Each line of standard input as words of gdal_translate, in one process: a start of it takes 60 ms.
translate_all() {
    /usr/bin/python3 -c 'import sys
from osgeo import gdal
gdal.UseExceptions()
for line in sys.stdin:
    *words, source, target = line.split()
    gdal.Translate(target, source, options=gdal.TranslateOptions(options=words))' 2>>message
}

# gdalinfo FILE for each of these, in one process.
info_all() {
    /usr/bin/python3 -c 'import sys
from osgeo import gdal
gdal.UseExceptions()
for name in sys.argv[1:]: print(gdal.Info(name))' "$@" 2>>message
}

cat >make.lua <<'X'
local dem = 600 * esker.noise{ width = 70, height = 50, seed = 3, wrap = false }
dem.frame = { x = 733975, y = 3469995, cell = 30, system = "EPSG:26916", unit = "m" }
dem:save("dem.tif")
local eroded = esker.load("out/dem.tif"):olsen_erosion{ iterations = 2 }
eroded:save("eroded.tif")
eroded:rivers_from_flow{ threshold = 0.02 }:save("rivers.geojson")
eroded:contours{ levels = { 300 } }:save("contours.geojson")
eroded:scatter{}:save("points.geojson")
dem:georeference{ nowhere = true }:georeference{ x = 733975, y = 3469995, cell = 30 }:save("dem.asc")
dem:transform{ angle = 30 }:save("turned.tif")
return { same = tostring(esker.load("out/dem.tif") == dem) }
X
esker make.lua -o out >printed 2>message && [ ! -s message ] && grep -q 'same = true' printed
check "a confined recipe reads and writes GeoTIFF" $?

gdalinfo -checksum out/dem.tif >printed 2>message
grep -q 'Upper Left  *( *733975.000, 3469995.000)' printed && grep -q 'Lower Right *( *736075.000, 3468495.000)' printed &&
    grep -q 'ID\["EPSG",26916\]\]' printed && grep -q 'Unit Type: m' printed && grep -q 'LAYOUT=COG' printed
check "GDAL finds the same ground in it" $?
gdalinfo -checksum out/dem.asc >other 2>message &&
    [ "$(grep Checksum printed)" = "$(grep Checksum other)" ] && [ "$(grep '^Origin' printed)" = "$(grep '^Origin' other)" ]
check "and the same cells as in an ASC file" $?
gdalinfo out/eroded.tif | grep -q 'Lower Right *( *736075.000, 3468495.000)'
check "heights that were eroded lie where they lay" $?
if command -v gdalcompare.py >/dev/null; then
    gdal_translate -q -co COMPRESS=LZW -co TILED=YES out/dem.tif packed.tif 2>message
    echo 'esker.load("packed.tif"):save("again.tif")' >again.lua
    esker again.lua -o out >printed 2>message
    for name in dem again; do # without metadata: where those differ it looks at no cells
        gdal_translate -q "out/$name.tif" "bare-$name.tif" && gdal_edit.py -unsetmd "bare-$name.tif"
    done 2>message
    gdalcompare.py bare-dem.tif bare-again.tif >compared 2>message
    grep -q '^Differences Found' compared && ! grep -v 'differ at the binary level\|^Differences Found' compared
    check "gdalcompare finds no difference after a way through GDAL" $?
else
    check "gdalcompare finds no difference after a way through GDAL # SKIP no gdalcompare.py" 0
fi
for name in rivers contours points; do
    ogrinfo -al -so "out/$name.geojson" >printed 2>message
    grep -q 'ID\["EPSG",26916\]\]' printed && [ "$(sed -n 's/^Extent: (\(73[3-6][0-9]*\).*, \(346[89]\).*/\1/p' printed)" ]
    on_it=$?
    [ $name != contours ] || cp printed contours
    (exit $on_it)
    check "$name lie upon them" $?
done
grep -q '^height: Real' contours
check "heights of contours are numbers, also where they are whole" $?

echo 'return { ground = esker.load("out/dem.tif"):mesh{ error = 9 } }' >mesh.lua
esker mesh.lua -o out >printed 2>message
grep -q '(0, 0) of this mesh is 733975, 3468495 in EPSG:26916' message
check "a mesh says what it drops of where it lies" $?

cat >names.lua <<'X'
local dem = esker.load("out/dem.tif")
dem:save("long.tiff")
for _, name in ipairs{ "-dash", "gpkg_name", "sqlite_name", "ogr_empty_table" } do dem:contours{ levels = { 300 } }:save(name .. ".gpkg") end
return { same = tostring(esker.load("out/long.tiff") == dem) }
X
esker names.lua -o out >printed 2>message && [ ! -s message ] && grep -q 'same = true' printed &&
    gdalinfo out/long.tiff | grep -q 'LAYOUT=COG' && ogrinfo -so out/-dash.gpkg lines_-dash >printed 2>message &&
    ogrinfo -so out/gpkg_name.gpkg lines_gpkg_name >>printed && ogrinfo -so out/sqlite_name.gpkg lines_sqlite_name >>printed &&
    ogrinfo -so out/ogr_empty_table.gpkg lines_ogr_empty_table >>printed &&
    [ "$(grep -c 'Feature Count: [1-9]' printed)" = 4 ]
check "names that GeoPackages reserve, and .tiff, can be saved" $?
esker names.lua -o new.zip >printed 2>message
[ $? = 2 ] && grep -q '^esker: -o takes a folder' message && [ ! -e new.zip ]
check "and a folder is not called as a file" $?

# --- what GDAL writes ---
translate_all <<'X'
-ot Int16 -a_nodata 300 out/dem.tif whole.tif
-of HFA out/dem.tif dem.img
-co COMPRESS=LZW -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 out/turned.tif turned.tif
-ot Byte -b 1 -b 1 -b 1 -scale -co PHOTOMETRIC=RGB out/dem.tif colours.tif
-of AAIGrid out/dem.tif foreign.asc
-gcp 0 0 500000 4600000 -gcp 70 0 502100 4600000 -gcp 0 50 500000 4598500 -gcp 70 50 502100 4598400 -a_srs EPSG:32631 out/dem.tif points.tif
-ot CFloat32 out/dem.tif complex.tif
X
cat >read.lua <<'X'
local dem, whole, image = esker.load("out/dem.tif"), esker.load("whole.tif"), esker.load("dem.img")
local turned, back = esker.load("turned.tif").frame, esker.load("out/turned.tif").frame
local off = 0
whole:save("gaps.tif")
for _, type in ipairs{ "int16", "uint16" } do
    whole:save(type .. ".tif", { type = type })
    whole:save(type .. "-plain.tif", { type = type, low = type == "int16" and -32767 or 1, high = type == "int16" and 32767 or 65535 })
    local again, plain = esker.load("out/" .. type .. ".tif"), esker.load("out/" .. type .. "-plain.tif")
    local most = (again - whole):abs():statistics().max
    assert(again.gaps == whole.gaps and most < 600 / 65534 and plain == whole, type .. ": " .. most)
end
local bare = dem * 1
for y = 0, bare.height - 1 do for x = 0, bare.width - 1 do bare:set(x, y, math.floor(dem:get(x, y))) end end
bare:save("bare.tif", { type = "int16", low = -32767, high = 32767 })
assert(esker.load("out/bare.tif") == bare, "whole metres without gaps")
local labels = (dem * 0 + 3):set_gaps(whole:find_gaps())
labels:set(1, 2, 254)
labels:save("labels.tif", { type = "uint8" })
assert(esker.load("out/labels.tif") == labels and labels.gaps > 3, "labels in bytes")
local mask = dem:select{ height = { dem:statistics().mean, 1e9 } }
mask:save("mask.tif", { type = "uint8" })
assert(esker.load("out/mask.tif") == mask, "a mask in bytes")
for _, odd in ipairs{ mask / 2, mask - 1, mask * 256, labels + 1 } do
    assert(not pcall(odd.save, odd, "odd.tif", { type = "uint8" }), "numbers that are no bytes")
end
local through = esker.load("out/gaps.tif")
for x = 0, dem.width - 1 do off = math.max(off, math.abs((whole:get(x, 7) or dem:get(x, 7)) - dem:get(x, 7))) end
return { image = tostring(image == dem), system = image.frame.system, off = off <= 0.5 and "little" or off,
    gaps = whole.gaps, tif = through.gaps == whole.gaps and through == whole and "same" or through.gaps,
    turned = turned.turn_x == back.turn_x and turned.turn_x ~= 0 and "yes" or "no", colours = esker.type(esker.load("colours.tif")) }
X
esker read.lua -o out >printed 2>message && grep -q 'image = true' printed && grep -q 'system = EPSG:26916' printed &&
    grep -q 'off = little' printed && grep -q 'turned = yes' printed && grep -q 'colours = Image' printed
read=$?
reason() { cat printed message; gdalinfo out/gaps.tif | tail -3; }
missing=$(sed -n 's/^gaps = //p' printed)
[ "$missing" -gt 3 ] && grep -q 'tif = same' printed && gdalinfo -stats out/gaps.tif >stats 2>message &&
    grep -q 'NoData Value=-9999' stats &&
    info_all out/mask.tif out/labels.tif out/int16.tif out/uint16-plain.tif >all && sed -n '\|^Files: out/uint16-plain|,$p' all >plain &&
    sed '\|^Files: out/labels|,$d' all | grep -q 'Type=Byte' && grep -q 'NoData Value=255' all &&
    grep -q 'Type=Int16' all && grep -q 'Type=UInt16' plain && ! grep -q 'Scale:' plain && grep -q "VALID_PERCENT=$(awk "BEGIN { printf \"%.4g\", 100 - $missing / 35 }")" stats
check "cells without data are the same in both" $?
(exit "$read")
check "Esker reads GDAL's files: integers, Erdas Imagine, LZW in tiles, colours" $?

# --- numpy ---
cat >numbers.lua <<'X'
local hole = esker.field{ width = 7, height = 5, values = function(x, y) return x == 2 and y == 3 and 1 or 0 end }
local field = (esker.noise{ width = 7, height = 5, seed = 2 } * 9):set_gaps(hole)
field:save("numbers.npy")
return { same = tostring(esker.load("out/numbers.npy") == field) }
X
/usr/bin/python3 -c 'import numpy' 2>/dev/null && numpy=yes || numpy=
if [ "$numpy" ]; then
    esker numbers.lua -o out >printed 2>message && grep -q 'same = true' printed &&
        /usr/bin/python3 -c 'import numpy as n
a = n.load("out/numbers.npy")
assert a.shape == (5, 7) and n.isnan(a[3, 2]) and n.isnan(a).sum() == 1
for t in ["<f8", ">f4", "<i2", ">i4", "|i1", "<i8"]: n.save(t[1:], (n.arange(35).reshape(5, 7) * 3 - 20).astype(t))
n.save("b1", n.arange(35).reshape(5, 7) % 2 == 1)
n.save("columns", n.asfortranarray(n.arange(35).reshape(5, 7) * 3 - 20))' 2>message
    check "numpy reads arrays, and gaps as NaN" $?
    cat >read.lua <<'X'
local all = {}
for i, name in ipairs{ "f8.npy", "f4.npy", "i2.npy", "i4.npy", "i1.npy", "i8.npy", "columns.npy" } do
    local field = esker.load(name)
    all[i] = field:get(0, 0) == -20 and field:get(6, 4) == 82 and field:get(0, 2) == 22 and "y" or name
end
local bits = esker.load("b1.npy")
return { all = table.concat(all) .. ("%d%d"):format(bits:get(0, 0), bits:get(1, 0)) }
X
    esker read.lua -o out >printed 2>message && grep -q 'all = yyyyyyy01' printed
    check "and Esker numpy's arrays of any numbers and order" $?
fi

cat >grids.lua <<'X'
local dem = esker.load("out/dem.tif")
dem:save("placed.asc")
return { system = esker.load("foreign.asc").frame.system, own = esker.load("out/placed.asc").frame.system }
X
esker grids.lua -o out >printed 2>message && grep -q '^system = EPSG:26916' printed && grep -q '^own = EPSG:26916' printed && [ ! -s message ] &&
    gdalinfo out/placed.asc >printed 2>message && grep -q 'NAD_*1983_*UTM_*Zone_*16N\|NAD83 / UTM zone 16N' printed
check "a .prj beside a grid names its coordinate system, Esker's and GDAL's" $?
echo 'esker.field{ size = 3, values = 1, frame = { cell = 2, system = "EPSG:32631" } }:save("only.asc") return { n = 1 }' >only.lua
esker only.lua -o out >printed 2>message && [ ! -s message ] && grep -q '31N' out/only.prj
check "also that of a recipe that names no other raster" $?

# --- pictures ---
cat >pictures.lua <<'X'
local dem = esker.load("out/dem.tif")
local relief = dem:relief{}
relief:save("relief.tif")
relief:save("relief.png")
dem:set_gaps(dem:select{ height = { 0, 300 } }):relief{}:save("holes.tif")
local tif, png = esker.load("out/relief.tif"), esker.load("out/relief.png")
local function same(a, b) return a.x == b.x and a.cell_height == b.cell_height and a.system == b.system and not a.unit end
return { same = tostring(tif:hash() == relief:hash() and png:hash() == relief:hash() and same(tif.frame, dem.frame) and same(png.frame, dem.frame)),
    nowhere = tostring(dem:perspective{ width = 16, height = 16 }.frame or relief:join(relief).frame) }
X
esker pictures.lua -o out >printed 2>message && grep -q 'same = true' printed && grep -q 'nowhere = nil' printed &&
    gdalinfo out/relief.tif >printed 2>message && grep -q 'Upper Left  *( *733975.000, 3469995.000)' printed &&
    grep -q 'Band 3 .*ColorInterp=Blue' printed && ! grep -q 'Band 4' printed && grep -q 'esker_command=esker pictures.lua' printed &&
    grep -q 'ID\["EPSG",26916\]\]' printed && gdalinfo out/holes.tif | grep -q 'Band 4 .*ColorInterp=Alpha'
check "a relief lies upon its heights, as GeoTIFF and PNG" $?

# --- lines and points ---
cat >lines.lua <<'X'
local dem = esker.load("out/dem.tif")
local rivers, points = dem:rivers_from_flow{ threshold = 0.02 }, dem:scatter{}
for _, ending in ipairs{ "gpkg", "csv", "svg", "geojson" } do
    rivers:save("rivers." .. ending)
    points:save("points." .. ending)
end
X
echo 'return { n = 1 }' >>lines.lua
esker lines.lua -o out >printed 2>message
cp out/rivers.gpkg first.gpkg && esker lines.lua -o out >printed 2>message && cmp -s first.gpkg out/rivers.gpkg
check "a GeoPackage has the same bytes each time" $?
cat >nowhere.lua <<'X'
local dem = esker.load("out/dem.tif")
dem.frame = { x = 733975, y = 3469995, cell = 30, unit = "m" }
dem:scatter{}:save("unknown.gpkg")
dem:scatter{}:save("unknown.geojson")
dem.frame = { x = 7, y = 47, cell = 0.001 }
dem:scatter{}:save("degrees.geojson")
return { n = 1 }
X
esker nowhere.lua -o out >printed 2>message
[ "$(grep -c 'geojson' message)" = 1 ] && grep -q "unknown.geojson' has no coordinate system: .* for degrees" message
check "GeoJSON in metres without a system is told" $?
cat >shares.lua <<'X'
local map, planet = esker.river_map{ land = "raw" }, esker.river_map{ tiling = "sphere", land = "raw" }
map:rivers{ size = 64 }:save("shares.geojson")
map:render{ size = 64 }:contours{}:save("lines.geojson")
map:rivers{ size = 64 }:save("shares.gpkg")
planet:rivers{ x = 0, zoom = 8, size = 64 }:save("around.geojson")
planet:rivers{ size = 64 }:save("planet.geojson")
return { n = 1 }
X
esker shares.lua -o out >printed 2>message
[ "$(grep -c 'shares of the map' message)" = 2 ] && grep -q "'lines.geojson' are shares of the map's side, .* degrees (side" message &&
    [ "$(wc -l <message)" = 2 ]
check "and GeoJSON of a map without a length" $?
ogrinfo -al -so out/unknown.gpkg >printed 2>message &&
    grep -q 'Undefined Cartesian SRS' printed && ! grep -q 'WGS 84' printed
check "a GeoPackage without a system claims none" $?
for name in rivers points; do
    ogrinfo -al "out/$name.gpkg" >printed 2>message
    sed '1,/^OGRFeature/d' printed | grep -v '^ *widths\|^OGRFeature\|^ *id ' >packed
    ogrinfo -al "out/$name.geojson" | sed '1,/^OGRFeature/d' | grep -v '^ *widths\|^OGRFeature\|^ *id ' >plain
    [ -s plain ] && [ "$(sed 's/(Integer(Boolean))/(Integer)/' plain | tr -d ' ' | grep -c .)" = "$(tr -d ' ' <packed | grep -c .)" ] &&
        [ "$(grep -c '^  *\(LINESTRING\|POINT\)' plain)" = "$(grep -c '^  *\(LINESTRING\|POINT\)' packed)" ] &&
        [ "$(grep '^  *\(LINESTRING\|POINT\)' plain | head -3)" = "$(grep '^  *\(LINESTRING\|POINT\)' packed | head -3)" ] &&
        grep -q 'ID\["EPSG",26916\]\]' printed && grep -q "Layer name: $name" printed
    same=$?
    cp printed layers
    (exit $same)
    check "$name.gpkg is $name.geojson" $?
    ogrinfo -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo KEEP_GEOM_COLUMNS=NO -al -so "out/$name.csv" >printed 2>message
    [ "$(sed -n 's/^Extent: (\(73[3-6][0-9]*\).*, \(346[89]\).*/\1/p' printed)" ] &&
        grep -q '"system": "EPSG:26916"' "out/$name.csv.json"
    check "$name.csv lies upon them" $?
    /usr/bin/python3 -c 'import sys, xml.dom.minidom; print(xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("metadata")[0].firstChild.data)' \
        "out/$name.svg" >printed 2>message && grep -q '^esker:command: esker lines.lua' printed &&
        grep -q '"esker:command":"esker lines.lua"' "out/$name.geojson" &&
        grep -q 'esker_command=esker lines.lua' layers
    check "$name.svg, .geojson and .gpkg say how they were made" $?
done

# What goes into tables one by one is what GDAL reads of GeoJSON.
cat >tables.lua <<'X'
local dem = esker.load("out/dem.tif")
local function road(attributes)
    return { parts = { { { 1, 2 }, { 4, 7.5 }, { 6, 7 } } }, attributes = attributes }
end
local tables = { contours = dem:contours{ interval = 20 }, zones = dem:basins{ sea_level = 0 }:polygonize(),
    flags = esker.lines{ size = 64, list = { road{ main = true, width = 3.25, lanes = 2 }, road{ main = false, width = 7 } } },
    words = esker.lines{ size = 64, list = { road{ name = "2020-01-01" }, road{ name = "b" } } } }
for name, value in pairs(tables) do
    value:save(name .. ".gpkg")
    value:save(name .. ".geojson")
end
return { n = 1 }
X
esker tables.lua -o out >printed 2>message
/usr/bin/python3 - contours zones flags words <<'X' 2>>message
# What ogr2ogr writes of each as CSV, and the types of its columns, in one process.
import sys
from osgeo import gdal, ogr
gdal.UseExceptions()
for name in sys.argv[1:]:
    for ending in "gpkg", "geojson":
        source, table = gdal.OpenEx("out/%s.%s" % (name, ending)), "%s-%s.csv" % (name, ending)
        gdal.VectorTranslate(table, source, format="CSV", layerCreationOptions=["GEOMETRY=AS_WKT"])
        layer = source.GetLayer(0)
        columns = layer.GetLayerDefn()
        fields = [columns.GetFieldDefn(i) for i in range(columns.GetFieldCount())]
        print(ogr.GeometryTypeToName(layer.GetGeomType()), layer.GetFeatureCount(),
            *["%s: %s %d" % (each.GetName(), each.GetTypeName(), each.GetSubType()) for each in fields], sep="\n", file=open(table, "a"))
X
for name in contours zones flags words; do
    [ "$(wc -l <$name-gpkg.csv)" -gt 3 ] && cmp $name-gpkg.csv $name-geojson.csv >>message
    check "the table of $name.gpkg is that of its GeoJSON" $?
done

# --- raw numbers, and the .json beside them ---
cat >raw.lua <<'X'
local land = (esker.noise{ width = 7, height = 5, seed = 2 } * 9 - 2):set_gaps(esker.field{ width = 7, height = 5,
    values = function(x, y) return x == 2 and y == 3 and 1 or 0 end })
land.frame = { x = 500000, y = 4649776, cell = 30, system = "EPSG:32631", unit = "m" }
local whole, all = land:inpaint(land:find_gaps()), {}
whole:save("whole.r16", { low = -16384, high = 49151 })
whole:save("big.raw", { order = "big", flip = true })
for _, name in ipairs{ "land.r32", "land.asc", "land.npy" } do land:save(name) end
land:save("flipped.r32", { order = "big", flip = true })
whole:save("land.pgm")
for i, name in ipairs{ "land.r32", "flipped.r32", "land.asc", "land.npy", "land.pgm", "whole.r16", "big.raw" } do
    local back = esker.load("out/" .. name)
    local exact = name:find("^land%.[^p]") or name == "flipped.r32"
    local most = name == "whole.r16" and 0.5 or 9 / 65534
    local near = exact and back == land and back.gaps == 1 or not exact and (back - whole):abs():statistics().max <= most
    all[i] = near and back.frame and back.frame.system == "EPSG:32631" and back.frame.unit == "m" and "y" or name
end
whole:save("alone.r16")
return { all = table.concat(all) }
X
esker raw.lua -o out >printed 2>message && grep -q 'all = yyyyyyy$' printed && ! grep -v 'the .json beside it does$' message
check "what raw numbers, arrays and grids cannot say lies beside them" $?
if [ "$numpy" ]; then
    /usr/bin/python3 - 2>message <<'X'
import json, numpy as n
def read(name):
    beside = json.load(open("out/%s.json" % name))
    kind = {"big": ">", "little": "<"}[beside["byte_order"]] + {"uint16": "u2", "float32": "f4"}[beside["type"]]
    rows = n.fromfile("out/" + name, kind).reshape(beside["height"], beside["width"]).astype("f8")
    if beside["first_row"] == "lowest": rows = rows[::-1]
    assert beside["recipe"]["esker:command"] == "esker raw.lua" and beside["cell"] == 30
    return beside, rows if beside["type"] == "float32" else beside["low"] + rows / 65535 * (beside["high"] - beside["low"])
array = n.load("out/land.npy")
for name in "land.r32", "flipped.r32": n.testing.assert_array_equal(read(name)[1], array)
whole, rows = read("whole.r16")
assert whole["sea_level"] == 16384 and n.nanmax(abs(rows - array)) <= 0.5 and n.nanmax(abs(read("big.raw")[1] - array)) < 1e-4
X
    check "numpy reads them as the .json says" $?
fi
printf '{"width": 1e99, "height": -5, "low": "x", "place": "1 2 3", "byte_order": 7, "a\\' >out/alone.r16.json
echo 'return { height = esker.load("out/alone.r16") }' >bad.lua
esker bad.lua -o out >printed 2>message
[ $? = 1 ] && grep -q "alone.r16.json': it is no whole JSON object" message
check "a damaged .json is an error" $?
rm out/alone.r16.json
esker bad.lua -o out >printed 2>message
[ $? = 1 ] && grep -q 'alone.r16.* has 35 heights, but the file does not store its width, and no .json beside it.* width = 7, height = 5' message
check "none is none" $?

# --- OpenEXR ---
cat >channels.lua <<'X'
local dem = 600 * esker.noise{ width = 70, height = 50, seed = 3, wrap = false }
local flow = esker.noise{ width = 70, height = 50, seed = 4, wrap = false }
dem.frame = { x = 733975, y = 3469995, cell = 30, system = "EPSG:26916", unit = "m" }
local ground = dem:set_gaps(esker.field{ width = 70, height = 50, values = function(x, y) return x + y == 5 and 1 or 0 end })
ground:save("all.exr", { more = { flow, ground:find_gaps() }, names = "height, flow, mask" })
ground:save("half.exr", { type = "float16" })
local back, half = esker.load("out/all.exr", { channel = "height" }), esker.load("out/half.exr")
local _, many = pcall(ground.save, ground, "x.exr", { more = { flow }, names = "height" })
local _, large = pcall(function() (dem * 1000):save("x.exr", { type = "float16" }) end)
local _, which = pcall(esker.load, "out/all.exr", { channel = "depth" })
assert(many:find("names must give 2 different names") and large:find("up to 65504") and which:find("channels are flow, height, mask"))
return { same = tostring(back == ground and back.gaps == 6 and esker.load("out/all.exr", { channel = "flow" }) == flow),
    frame = tostring(back.frame.x == 733975 and back.frame.unit == "m" and half.frame.system == "EPSG:26916"),
    half = (half - ground):abs():statistics().max, gaps = half.gaps }
X
cat >chance.lua <<'X'
local wrong, files = {}, 0
for width = 20, 60 do
    for step = 5, 9, 2 do
        local land = esker.field{ width = width, height = 23, values = function(x, y)
            return math.sin(x * 0.37) * 100 + math.cos(y * 0.21) * 50 + 1 / 3
        end }
        land = land:set_gaps(esker.field{ width = width, height = 23, values = function(x, y)
            return (x + y) % step == 0 and 1 or 0
        end })
        land:save("chance.exr")
        local back = esker.load("out/chance.exr")
        files = files + 1
        if back ~= land or back.gaps ~= land.gaps then wrong[#wrong + 1] = width .. "/" .. step end
    end
end
return { files = files, wrong = "(" .. table.concat(wrong, " ") .. ")" }
X
if command -v exrheader >/dev/null && command -v exrmaketiled >/dev/null; then
    esker chance.lua -o out >printed 2>message && grep -q '^files = 123$' printed && grep -q '^wrong = ()$' printed
    check "chunks of an EXR that zip does not shorten by a byte are read again" $?
    esker channels.lua -o out >printed 2>message && grep -q 'same = true' printed && grep -q 'frame = true' printed &&
        grep -q 'gaps = 6' printed && awk '/^half/ { exit !($3 > 0 && $3 <= 0.25) }' printed
    check "an EXR holds several fields, gaps and the frame, in halves to half a step" $?
    exrheader out/all.exr >printed 2>message && grep -q '    flow, 32-bit floating-point' printed &&
        grep -q '    height, 32-bit' printed && grep -q '    mask, 32-bit' printed && grep -q '(0 0) - (69 49)' printed &&
        grep -q '^esker:command (type string): "esker channels.lua"' printed &&
        exrheader out/half.exr | grep -q '    Y, 16-bit floating-point'
    check "exrheader finds its channels and its recipe" $?
    for packing in none rle zip piz; do
        exrmaketiled -o -z $packing -t 16 16 out/all.exr $packing.exr 2>>message
    done
    cat >tiled.lua <<'X'
local all = {}
for i, name in ipairs{ "none.exr", "rle.exr", "zip.exr", "piz.exr" } do
    all[i] = esker.load(name, { channel = "height" }) == esker.load("out/all.exr", { channel = "height" }) and "y" or name
end
return { all = table.concat(all) }
X
    esker tiled.lua -o out >printed 2>message && grep -q 'all = yyyy' printed
    check "Esker reads tiles of every lossless compression" $?
    for packing in pxr24 b44 b44a dwaa; do
        exrmaketiled -o -z $packing -t 16 16 out/all.exr $packing.exr 2>>message
    done
    /usr/bin/python3 - <<'Y'
# One channel in each type and order of rows, and a window that begins elsewhere (OpenEXR File Layout).
import struct
def exr(name, type, code, order=0, x=0, y=0, channels=b"Y"):
    def attribute(name, kind, value): return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value
    out = b"\x76\x2f\x31\x01\2\0\0\0" + attribute(b"channels", b"chlist", b"Y\0" + struct.pack("<iB3xii", type, 0, 1, 1) + b"\0")
    out += attribute(b"compression", b"compression", b"\0") + attribute(b"lineOrder", b"lineOrder", bytes([order]))
    out += attribute(b"dataWindow", b"box2i", struct.pack("<4i", x, y, x + 2, y + 1))
    out += attribute(b"displayWindow", b"box2i", struct.pack("<4i", 0, 0, 2, 1)) + attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1))
    out += attribute(b"screenWindowCenter", b"v2f", b"\0" * 8) + attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)) + b"\0"
    rows = [struct.pack("<ii3" + code, y + i, 3 * struct.calcsize(code), *cells) for i, cells in enumerate([[1, 2, 3], [4, 5, 6]])]
    start, size = len(out) + 16, len(rows[0])
    turned = order == 1
    out += struct.pack("<QQ", start + turned * size, start + (not turned) * size) + b"".join(rows[::-1] if turned else rows)
    open(name + ".exr", "wb").write(out)
exr("uint", 0, "I"); exr("half", 1, "e"); exr("float", 2, "f"); exr("falling", 2, "f", order=1); exr("any", 1, "e", order=2)
exr("window", 2, "f", x=-7, y=5)
Y
    cat >kinds.lua <<'X'
local height, wrong = esker.load("out/all.exr", { channel = "height" }), {}
local pxr24 = esker.load("pxr24.exr", { channel = "height" })
if (pxr24 - height):abs():statistics().max > 0.02 or pxr24.gaps ~= height.gaps then wrong[#wrong + 1] = "pxr24" end
for _, name in ipairs{ "b44", "b44a" } do -- which the library misreads
    local _, problem = pcall(esker.load, name .. ".exr", { channel = "height" })
    if not tostring(problem):find("misreads several channels", 1, true) then wrong[#wrong + 1] = name end
end
for _, name in ipairs{ "uint", "half", "float", "falling", "any", "window" } do
    local field = esker.load(name .. ".exr")
    for i = 0, 5 do
        if field:get(i % 3, i // 3) ~= i + 1 then wrong[#wrong + 1] = name end
    end
end
local _, no = pcall(esker.load, "dwaa.exr", { channel = "height" })
return { wrong = "(" .. table.concat(wrong, " ") .. ")", no = no }
X
    esker kinds.lua -o out >printed 2>message && grep -q '^wrong = ()$' printed && grep -q '^no = .*its compression' printed
    check "and of PXR24, not of DWA and B44, each type of channel, and rows in any order" $?
    cat >parts.lua <<'X'
local a, b = esker.noise{ width = 70, height = 50, seed = 1 }, esker.noise{ width = 33, height = 90, seed = 2 }
a:save("a.exr")
b:save("b.exr", { more = { b * 2 }, names = "height, flow" })
return { n = 1 }
X
    cat >joined.lua <<'X'
local function load(name, channel)
    return esker.load(name .. ".exr", { channel = channel })
end
local _, no = pcall(load, "joined", "third.flow")
local _, cut = pcall(load, "cut", "third.Y")
return { same = tostring(load("joined") == load("out/a") and load("joined", "second.height") == load("out/b", "height")
    and load("joined", "flow") == load("out/b", "flow") and load("joined", "third.Y") == load("out/a")), no = no, cut = cut }
X
    esker parts.lua -o out >printed 2>message && exrmaketiled -o -z piz -t 16 16 out/a.exr tiled.exr 2>>message &&
        exrmultipart -combine -i out/a.exr::first out/b.exr::second tiled.exr::third -o joined.exr -override 1 >printed 2>&1 &&
        head -c 20000 joined.exr >cut.exr && esker joined.lua -o out >printed 2>message && grep -q 'same = true' printed &&
        grep -q 'its channels are first.Y, second.flow, second.height, third.Y' printed && grep -q "^cut = .*cannot read 'cut.exr'" printed &&
        grep -q 'has 3 parts; this is Y of first' message
    check "Esker reads each of several parts" $?
    esker info joined.exr >printed 2>message && grep -q '^part 1  *first: Y, ' printed && grep -q '^part 2  *second: ' printed &&
        grep -q '^part 3  *third: Y, ' printed
    check "esker info tells all parts and channels" $?
    head -c 5000 out/all.exr >short.exr
    /usr/bin/python3 - <<'X'
import struct
bytes = open("out/all.exr", "rb").read()
at = bytes.index(b"dataWindow\0") + 11 + 6 + 4
for name, side in ("large", 60000), ("lying", 16000), ("negative", -7):
    open(name + ".exr", "wb").write(bytes[:at] + struct.pack("<4i", 0, 0, side, side) + bytes[at + 16:])
X
    for name in short large lying negative; do
        echo "return { height = esker.load('$name.exr', { channel = 'height' }) }" >bad.lua
        esker bad.lua -o out --memory-limit 64 >printed 2>message
        [ $? = 1 ] && grep -q "load: " message && [ ! -s printed ]
        check "$name.exr is an error" $?
    done
fi
echo 'return { height = esker.noise{ size = 8 }, dem = esker.noise{ size = 8 } }' >formats.lua
esker formats.lua -o formats --format 'height=tif,tiff,exr dem=exr' >printed 2>message && [ -s formats/height.tif ] && cmp formats/height.tif formats/height.tiff && [ -s formats/height.exr ] &&
    [ -s formats/dem.exr ]
check "formats of the command line are written by confined recipes" $?

esker formats.lua -o both --format height=tif height=exr,tif >printed 2>message && [ -s both/height.tif ] && [ -s both/height.exr ] &&
    [ "$(grep -c 'height.tif' message)" = 1 ] && esker formats.lua -o long --format height=tiff >printed 2>message && [ -s long/height.tiff ] &&
    echo 'return { dem = { esker.noise{ size = 8 }, format = { "npy", "npy" } } }' >twice.lua && esker twice.lua -o twice 2>message &&
    [ "$(grep -c 'dem.npy' message)" = 1 ]
check "formats that are given twice for a result are both written, each once" $?
for format in npy r16 raw r32 asc pgm; do
    esker formats.lua -o beside --format height=$format 2>message && [ -s beside/height.$format.json ] || echo $format
done >wrong
esker formats.lua -o none --format height=json >printed 2>message
[ $? = 2 ] && [ ! -s wrong ] && [ ! -e none ] && grep -q 'a .json is no format of its own: it is written beside .raw' message
check "a .json is written without being asked for, and is no format" $?

# --- a recipe that saves its files itself ---
echo 'esker.load("out/dem.tif"):save("again.tif")' >saves.lua
esker saves.lua -o saved >printed 2>message && grep -q '^1 file saved' message && [ -s saved/again.tif ] && [ ! -s printed ] &&
    esker saves.lua -o saved -q --json >printed 2>message && [ "$(cat printed)" = '{}' ] && [ ! -s message ]
check "need not return anything" $?
echo 'local land = esker.load("out/dem.tif") return {}' >saves.lua
esker saves.lua -o saved >printed 2>message
[ $? = 1 ] && grep -q 'the table of results is empty' message
check "but does, if it saves none" $?

cat >large.lua <<'X'
local land = esker.noise{ size = 80 }:georeference{ cell = 30, system = "EPSG:32631", unit = "m" }
land.wraps = false
return { land = land, large = esker.large{ field = land, rows = 9 } }
X
esker large.lua -o larger --format 'large=tif,r32 land=tif,r32' >printed 2>message && cmp larger/large.tif larger/land.tif &&
    cmp larger/large.r32 larger/land.r32 && esker large.lua -o larger >printed 2>message && [ -s larger/large.npy.json ]
check "fields larger than memory are results with formats" $?

# --- what rasters have beside heights ---
echo 'return { n = tostring(esker.load("points.tif").frame) }' >points.lua
esker points.lua -o out >printed 2>message && grep -q 'n = nil' printed && grep -q "points.tif' is placed by 4 control points" message
check "control points are told" $?
echo 'return { height = esker.load("complex.tif") }' >bad.lua
esker bad.lua -o out >printed 2>message
[ $? = 1 ] && grep -q 'band 1 has complex numbers' message
check "complex numbers are no heights" $?

gdalwarp -q -ot Float32 -t_srs EPSG:4326 -dstalpha out/dem.tif alpha.tif >printed 2>message &&
    gdalwarp -q -t_srs EPSG:4326 -dstnodata -9999 out/dem.tif nodata.tif >>printed 2>>message
cat >alpha.lua <<'X'
local alpha, nodata = esker.load("alpha.tif"), esker.load("nodata.tif")
local large = esker.large{ file = "alpha.tif", rows = 11 }
return { same = tostring(alpha == nodata and alpha.gaps == nodata.gaps and alpha.gaps > 50),
    large = tostring(large:crop{ width = large.width, height = large.height } == nodata),
    alone = esker.load("alpha.tif", { band = 2 }).gaps }
X
esker alpha.lua -o out >printed 2>message && grep -q 'same = true' printed && grep -q 'large = true' printed &&
    grep -q 'alone = 0' printed && gdalinfo alpha.tif | grep -q 'Type=Float32, ColorInterp=Alpha'
check "transparent cells have no data" $?

# --- systems with heights ---
for system in EPSG:9518 EPSG:4326+5773 EPSG:4979 OGC:CRS84 EPSG:3857+3855 ESRI:102100 EPSG:26916+5703; do
    echo "-of GTiff -outsize 12 9 -a_srs $system -a_ullr 6 46 6.1 45.9 out/dem.tif with-$(echo $system | tr : -).tif"
done | translate_all
cat >compound.lua <<'X'
local ground = esker.load("with-OGC-CRS84.tif")
local all = { ground.frame.system }
for _, name in ipairs{ "EPSG-9518", "EPSG-4326+5773", "EPSG-4979" } do
    local field = esker.load("with-" .. name .. ".tif")
    all[#all + 1] = field.frame.system
    field:save(name .. ".tif")
    field:save(name .. ".asc")
    field:contours{}:save(name .. ".geojson")
    assert((field + ground).frame.system and esker.load("out/" .. name .. ".tif").frame.system == field.frame.system)
    assert(esker.load("out/" .. name .. ".asc").frame.system == field.frame.system, name .. ".asc")
end
for _, name in ipairs{ "EPSG-3857+3855", "ESRI-102100", "EPSG-26916+5703" } do
    all[#all + 1] = esker.load("with-" .. name .. ".tif").frame.system
end
return { all = table.concat(all, " ") }
X
esker compound.lua -o out >printed 2>message && [ ! -s message ] &&
    grep -qxF 'all = EPSG:4326 EPSG:4326+3855 EPSG:4326+5773 EPSG:4979 EPSG:3857+3855 EPSG:3857 EPSG:26916+5703' printed &&
    gdalinfo out/EPSG-9518.tif | grep -q 'EGM2008' && ogrinfo -so -al out/EPSG-4979.geojson | grep -q 'ID\["EPSG",4326\]\]'
check "systems with heights are named by their codes, added as their ground, and written again" $?
echo 'return { dem = esker.load("with-EPSG-9518.tif") }' >with.lua
esker tiles with.lua --kinds terrarium -o with.pmtiles -q >printed 2>message && esker info with.pmtiles >printed 2>&1 && grep -q '6.* 45\.9' printed
check "and tiles lie where they lie" $?

# --- which cells have no data, and in which numbers ---
/usr/bin/python3 - <<'Y'
# TIFFs as others write them, of one row of four cells: numbers, sign (1 unsigned, 2 signed, 3 float), the text for no data, photometric, bands
import struct
def tiff(name, code, kind, cells, missing=None, photometric=1, bands=1, extra=()):
    data = struct.pack("<%d%s" % (len(cells), code), *cells)
    size, entries, late = struct.calcsize(code), [], b""
    def entry(tag, type, count, value): entries.append((tag, type, count, value))
    entry(256, 3, 1, len(cells) // bands); entry(257, 3, 1, 1)
    entry(258, 3, bands, struct.pack("<%dH" % bands, *[8 * size] * bands))
    entry(259, 3, 1, 1); entry(262, 3, 1, photometric); entry(273, 4, 1, None); entry(277, 3, 1, bands); entry(278, 3, 1, 1)
    entry(279, 4, 1, len(data)); entry(284, 3, 1, 1)
    if photometric == 3: entry(320, 3, 768, struct.pack("<768H", *[i * 257 for i in range(256)] * 3))
    if extra: entry(338, 3, len(extra), struct.pack("<%dH" % len(extra), *extra))
    entry(339, 3, bands, struct.pack("<%dH" % bands, *[kind] * bands))
    if missing: entry(42113, 2, len(missing) + 1, missing.encode() + b"\0")
    start = 8 + 2 + 12 * len(entries) + 4
    out = b"II*\0\10\0\0\0" + struct.pack("<H", len(entries))
    for tag, type, count, value in entries:
        if isinstance(value, bytes):
            if len(value) <= 4: field = value.ljust(4, b"\0")
            else: field = struct.pack("<I", start + len(late)); late += value + b"\0" * (len(value) % 2)
        elif value is None: field = "here"
        else: field = struct.pack("<I", value)
        out += struct.pack("<HHI", tag, type, count); out += field if isinstance(field, bytes) else b"HERE"
    out = out.replace(b"HERE", struct.pack("<I", start + len(late)))
    open(name + ".tif", "wb").write(out + b"\0" * 4 + late + data)
largest = 3.4028234663852886e38
tiff("f4-digits", "f", 3, [1, -largest, 3, 4], "-3.402823e+38")
tiff("f4-digits2", "f", 3, [1, -largest, 3, 4], "-3.4028234663852886e+38")
tiff("f4-rounded", "f", 3, [1, -9999, 3, 4], "-9999.0000001")
tiff("f4-nan", "f", 3, [1, float("nan"), 3, float("inf")], "nan")
tiff("f4-nan-absent", "f", 3, [1, float("nan"), 3, 4])
tiff("f8", "d", 3, [1, -1.7976931348623157e308, 3, 4], "-1.7976931348623157e+308")
tiff("f8-tenth", "d", 3, [1, 0.1, 3, 4], "0.1")
tiff("f4-tenth", "f", 3, [1, 0.1, 3, 4], "0.1")
tiff("i2", "h", 2, [1, -32768, 3, 4], "-32768")
tiff("i2-absent", "h", 2, [1, -32768, 3, 4])
tiff("f4-absent", "f", 3, [1, -largest, 3, 4])
tiff("u2", "H", 1, [1, 65535, 3, 4], "65535")
tiff("i1", "b", 2, [1, -128, -3, 127], "-128")
tiff("i1-plain", "b", 2, [1, -128, -3, 127])
tiff("u4", "I", 1, [1, 4294967295, 3, 4], "4294967295")
tiff("i4", "i", 2, [1, -2147483648, 3, 4], "-2147483648")
tiff("palette", "B", 1, [1, 2, 3, 4], photometric=3)
tiff("bands", "H", 1, [1, 9, 9, 2, 9, 9, 3, 9, 9, 4, 9, 9], photometric=2, bands=3)
tiff("alpha", "B", 1, [1, 255, 2, 0, 3, 1, 4, 255], bands=2, extra=(2,))
open("N46E006.hgt", "wb").write(struct.pack(">1442401h", *[100] * 1442400, -32768))
open("said.flt", "wb").write(struct.pack("<4f", 1, -9999, 3, 4))
open("absent.flt", "wb").write(struct.pack("<4f", 1, -9999, 3, 4))
open("said.bil", "wb").write(struct.pack("<4h", 1, -9999, 3, 4))
header = "ncols 4\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nbyteorder LSBFIRST\n"
open("absent.hdr", "w").write(header)
open("said.hdr", "w").write(header + "nodata_value -9999\n")
open("said.bil.hdr", "w").write("NROWS 1\nNCOLS 4\nNBANDS 1\nNBITS 16\nBYTEORDER I\nPIXELTYPE SIGNEDINT\nNODATA -9999\n")
Y
cat >nodata.lua <<'X'
local wrong = {}
for name, cells in pairs{ ["f4-digits"] = "1 - 3 4", ["f4-digits2"] = "1 - 3 4", ["f4-rounded"] = "1 - 3 4", ["f4-nan"] = "1 - 3 -",
    ["f4-nan-absent"] = "1 - 3 4", f8 = "1 - 3 4", ["f8-tenth"] = "1 - 3 4", ["f4-tenth"] = "1 - 3 4", i2 = "1 - 3 4", u2 = "1 - 3 4",
    i1 = "1 - -3 127", ["i1-plain"] = "1 -128 -3 127", u4 = "1 - 3 4", i4 = "1 - 3 4", ["i2-absent"] = "1 -32768 3 4",
    palette = "1 2 3 4", bands = "1 2 3 4", alpha = "1 - 3 4" } do
    local field, found = esker.load(name .. ".tif"), {}
    for x = 0, 3 do
        local height = field:get(x, 0)
        found[#found + 1] = height and ("%g"):format(height) or "-"
    end
    local large = esker.large{ file = name .. ".tif", rows = 1 }:crop{ width = 4, height = 1 }
    if table.concat(found, " ") ~= cells or large ~= field or large.gaps ~= field.gaps then
        wrong[#wrong + 1] = name .. ": " .. table.concat(found, " ")
    end
end
esker.load("f4-absent.tif")
for name, gaps in pairs{ ["N46E006.hgt"] = 1, ["said.flt"] = 1, ["said.bil"] = 1, ["absent.flt"] = 0 } do
    if esker.load(name).gaps ~= gaps then wrong[#wrong + 1] = name end
end
return { wrong = "(" .. table.concat(wrong, ", ") .. ")" }
X
esker nodata.lua -o out >printed 2>message && grep -q '^wrong = ()$' printed && grep -q "'palette.tif' has the colours of a palette" message &&
    grep -q "'bands.tif' has 3 bands; this is the first" message && grep -q "'i2-absent.tif' has heights of -32768, and does not say" message &&
    grep -q "'f4-absent.tif' has heights of -3.40282" message && grep -q "'absent.flt' has heights of -9999" message &&
    [ "$(wc -l <message)" = 5 ]
check "numbers for no data of each type and spelling, signed bytes, palettes and bands" $?

mkdir rasters
: >message
translate_all <<'X'
-of EHdr out/dem.tif rasters/a.flt
-of SAGA out/dem.tif rasters/b.sdat
-of RST out/dem.tif rasters/c.rst
-of ENVI out/dem.tif rasters/d.bil
-of BT out/dem.tif rasters/e.bt
-of HFA out/dem.tif rasters/f.img
-of GTiff -co PROFILE=BASELINE -co TFW=YES out/dem.tif rasters/g.tif
-of GSBG out/dem.tif rasters/h.grd
-of netCDF out/dem.tif rasters/n.nc
-of BT -a_nodata -9999 out/dem.tif rasters/gaps.bt
-of ERS out/dem.tif b.ers
-of PAux out/dem.tif b.raw
-of RRASTER out/dem.tif b.grd
X
mv rasters/d.bil rasters/D.BIL && mv rasters/d.hdr rasters/D.HDR
cp rasters/a.flt rasters/none.flt && cp rasters/a.flt rasters/cut.flt && cp rasters/a.hdr rasters/cut.hdr && truncate -s 5000 rasters/cut.flt
cp rasters/a.flt rasters/linked.flt && cp rasters/a.hdr elsewhere.hdr && mkdir below
cat >below/rasters.lua <<'X'
local p = params{ dem = "../out/dem.tif", other = "../rasters/a.flt", third = "../rasters/b.sdat" }
local dem = esker.load(p.dem)
for _, name in ipairs{ p.other, p.third } do
    assert(esker.load(name) == dem and esker.load(name).frame.system == dem.frame.system, name)
end
return { done = 1 }
X
cat >rasters.lua <<'X'
local dem = esker.load("out/dem.tif")
local wrong = {}
for _, name in ipairs{ "a.flt", "b.sdat", "c.rst", "D.BIL", "e.bt", "f.img", "g.tif", "h.grd" } do
    local field = esker.load("rasters/" .. name)
    local large = esker.large{ file = "rasters/" .. name, rows = 9 }
    local frame = field.frame or {}
    if field ~= dem or frame.x ~= dem.frame.x or frame.y ~= dem.frame.y or frame.cell_height ~= 30
        or large:crop{ width = 70, height = 50 } ~= dem or large.frame.x ~= frame.x then
        wrong[#wrong + 1] = name
    end
end
local flt = esker.load("rasters/a.flt")
assert(flt.frame.system == "EPSG:26916", flt.frame.system)
return { wrong = "(" .. table.concat(wrong, " ") .. ")" }
X
esker rasters.lua -o out >printed 2>message && grep -q '^wrong = ()$' printed
check "rasters are read with the headers beside them" $?
esker below/rasters.lua dem=out/dem.tif other=rasters/a.flt third=rasters/b.sdat -o out >printed 2>message && grep -q 'done = 1' printed
check "also those that a parameter names" $?
cp rasters/e.bt rasters/counted.bt &&
    gdalinfo -stats rasters/counted.bt >printed && [ -e rasters/counted.bt.aux.xml ]
echo 'return { n = esker.load("rasters/gaps.bt").gaps }' >extra.lua
echo 'return { n = esker.load("rasters/counted.bt").gaps }' >counted.lua
esker extra.lua -o out >printed 2>message &&
    grep -q "'rasters/gaps.bt.aux.xml' says which cells have no data, and is not read: gdal_translate" message &&
    esker counted.lua -o out >printed 2>message && ! grep -q aux message
check "a value without data that GDAL keeps beside the file is told" $?
outside=$(mktemp -d)
: >rasters/tiles.vrt
cp elsewhere.hdr "$outside/linked.hdr" && ln -s "$outside/linked.hdr" rasters/linked.hdr
for each in 'none.flt:GDAL finds no .hdr of this format beside it' 'linked.flt:GDAL finds no .hdr of this format' \
    'cut.flt:cannot read .*cut.flt' 'n.nc:gdal_translate makes a .tif of it' \
    'tiles.vrt:esker.mosaic{ "….vrt" } joins those of a .vrt'; do
    echo "return { height = esker.load('rasters/${each%%:*}') }" >bad.lua
    esker bad.lua -o out >printed 2>message
    [ $? = 1 ] && grep -q "${each#*:}" message
    check "${each%%:*} is an error" $?
done
rm -r "$outside"
if command -v gdalbuildvrt >/dev/null; then
    cat >extent.lua <<'END'
local frame = esker.load("out/dem.tif").frame
local west, south = frame.x - 7 * frame.cell_width, frame.y - 24 * frame.cell_height
return { e = ("%.9g %.9g %.9g %.9g"):format(west, south, frame.x + 64 * frame.cell_width, frame.y + 7 * frame.cell_height) }
END
    mkdir -p tiles && for x in 0 30; do
        gdal_translate -q -a_nodata -9999 -srcwin $x 0 30 20 out/dem.tif tiles/"a & $x.tif"
    done
    gdalbuildvrt -q tiles/all.vrt tiles/"a & 0.tif" tiles/"a & 30.tif" && gdal_translate -q tiles/all.vrt all.tif
    gdalbuildvrt -q -tr 45 45 tiles/coarse.vrt tiles/"a & 0.tif"
    # an extent of seven cells more on the left and above, four on the right and below
    set -- $(esker extent.lua | sed -n 's/^e = //p')
    gdalbuildvrt -q -te "$@" tiles/wide.vrt tiles/"a & 30.tif" tiles/"a & 0.tif" && gdal_translate -q tiles/wide.vrt wide.tif
    cat >virtual.lua <<'END'
local here, there = esker.mosaic{ "tiles/all.vrt" }, esker.load("all.tif")
local large = esker.large{ mosaic = { "tiles/all.vrt" } }:crop{ width = 60, height = 20 }
assert(here == there and large == there and here.frame.x == there.frame.x and here.frame.system == there.frame.system)
local wide, shown = esker.mosaic{ "tiles/wide.vrt" }, esker.load("wide.tif")
assert(wide.width == 71 and wide.height == 31 and wide == shown and wide.frame.x == shown.frame.x)
assert(wide.frame.y == shown.frame.y and wide.gaps == 71 * 31 - 60 * 20 + here.gaps)
print(select(2, pcall(esker.mosaic, { "tiles/coarse.vrt" })))
END
    echo 'return { n = esker.mosaic{ "tiles/all.vrt" }.width }' >alone.lua
    esker alone.lua -o out >printed 2>message && grep -q '^n = 60$' printed &&
        esker virtual.lua -o out >printed 2>message && grep -q "coarse.vrt' takes a part of 'a & 0.tif', or other cells: gdal_translate" printed
    check "a virtual raster stands for its files" $?
else
    check "a virtual raster stands for its files # SKIP no gdalbuildvrt" 0
fi
cat >bare_zones.lua <<END
local gaps = esker.field{ size = 4, values = function(x) return x > 2 and 1 or 0 end }
esker.field{ size = 4, values = 1 }:set_gaps(gaps):zonal_statistics(esker.field{ size = 4, values = function(x) return x end })
END
esker bare_zones.lua -o out >printed 2>message
grep -q '1 of 3 zones have no cell with data' message
check "zones without data are told" $?
for ending in ers aux grd; do
    echo "return { dem = esker.load('b.$ending') }" >b.lua
    ! esker b.lua -o out >printed 2>message && grep -q 'gdal_translate makes a .tif of' message || cat message
    echo "return { dem = esker.large{ file = 'b.$ending' }:statistics().mean }" >b.lua
    ! esker b.lua -o out >printed 2>message && grep -q 'large: .*gdal_translate makes a .tif of' message || cat message
done >wrong
[ ! -s wrong ]
check "of rasters whose cells lie in other files the error says how to read them" $?
esker info rasters/a.flt >printed 2>message && grep -q '^system  *EPSG:26916' printed
check "esker info reads them, too" $?

# --- bad files ---
head -c 3000 out/dem.tif >short.tif
printf 'II*\000\010\000\000\000' >empty.tif
echo 'not a picture' >words.tif
/usr/bin/python3 - <<'X' 2>/dev/null || cp empty.tif huge.tif
import struct
def entry(tag, kind, value): return struct.pack("<HHII", tag, kind, 1, value)
open("huge.tif", "wb").write(b"II*\0\10\0\0\0" + struct.pack("<H", 7) + entry(256, 4, 60000) + entry(257, 4, 60000) + entry(258, 3, 32)
    + entry(259, 3, 1) + entry(262, 3, 1) + entry(273, 4, 8) + entry(279, 4, 100) + b"\0" * 4)
X
echo '<VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand><SimpleSource><SourceFilename>/etc/hostname</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>' >elsewhere.tif
for name in short empty words huge elsewhere; do
    echo "return { height = esker.load('$name.tif') }" >bad.lua
    esker bad.lua -o out --memory-limit 64 >printed 2>message
    [ $? = 1 ] && grep -q "load: .*$name.tif" message && [ ! -s printed ]
    check "$name.tif is an error" $?
done
echo 'return { height = esker.load("out/dem.t" .. "if") }' >unnamed.lua
esker unnamed.lua -o out >printed 2>message
[ $? = 1 ] && grep -q "write the file's ending in the recipe" message
check "a recipe that does not name the ending is told to" $?
echo "1..$count"
