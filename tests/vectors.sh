#!/bin/sh
# Vectors that GDAL reads and writes, in confined recipes, and what its tools make of them. Prints TAP.
. "$(dirname "$0")/support/scratch.sh"
reason() { head -c 600 printed message 2>/dev/null | cat -v; }
if ! command -v ogr2ogr >/dev/null || ! command -v gdal_rasterize >/dev/null; then
    echo "1..0 # SKIP GDAL's tools are not here"
    exit
fi

cat >zones.geojson <<'X'
{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::26916"}},"features":[
{"type":"Feature","properties":{"zone":3,"name":"a é"},"geometry":{"type":"Polygon","coordinates":[[[734003.3,3469907.7],[735517.1,3469811.9],[735999.7,3468601.3],[734107.9,3468650.1],[734003.3,3469907.7]],[[734401,3469501],[734903,3469444],[734707,3469007],[734401,3469501]]]}},
{"type":"Feature","properties":{"zone":8,"name":"b, \"c\""},"geometry":{"type":"MultiPolygon","coordinates":[[[[735001.5,3469803.1],[736075,3469995],[736001.9,3469001.7],[735001.5,3469803.1]]],[[[733980,3468500],[734081,3468501],[734082,3468592],[733980,3468500]]]]}}]}
X
cat >roads.geojson <<'X'
{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::26916"}},"features":[
{"type":"Feature","properties":{"class":2},"geometry":{"type":"LineString","coordinates":[[734001.1,3469903.3],[734913.7,3469205.9],[735901.3,3469411.2]]}},
{"type":"Feature","properties":{"class":5},"geometry":{"type":"LineString","coordinates":[[735207.7,3468507.7],[735003.9,3469957.1]]}}]}
X
for name in zones roads; do
    ogr2ogr $name.gpkg $name.geojson && ogr2ogr $name.shp $name.geojson && ogr2ogr -lco SPATIAL_INDEX=NO $name.fgb $name.geojson &&
        ogr2ogr -t_srs EPSG:4326 $name-degrees.gpkg $name.geojson
done 2>message
cat >read.lua <<'X'
local same = {}
for _, name in ipairs{ "zones", "roads" } do
    local own = esker.load(name .. ".geojson")
    for _, ending in ipairs{ "gpkg", "shp", "fgb" } do
        local read = esker.load(name .. "." .. ending)
        local turned = ending == "shp" and name == "zones" -- outlines run the other way there
        for i, shape in ipairs(read:list()) do
            local other = own:list()[i]
            for k, part in ipairs(shape.parts) do
                for m, position in ipairs(part) do
                    local at = other.parts[k][m]
                    local off = turned and 0 or math.abs(position[1] - at[1]) + math.abs(position[2] - at[2])
                    assert(#part == #other.parts[k] and off < 1e-6, ("%s.%s %d %d %d %g"):format(name, ending, i, k, m, off))
                end
            end
            for key, value in pairs(other.attributes) do
                assert(shape.attributes[key] == value, key)
            end
        end
        assert(read.frame.system == "EPSG:26916" and read.count == own.count)
        same[#same + 1] = name .. "." .. ending
    end
    own:save("again-" .. name .. ".gpkg")
    own:save("again-" .. name .. ".geojson")
end
return { same = table.concat(same, " ") }
X
esker read.lua -o out >printed 2>message && [ ! -s message ] && grep -q 'same = zones.gpkg zones.shp zones.fgb roads' printed
check "a confined recipe reads GeoPackage, Shapefile and FlatGeobuf as it reads GeoJSON" $?

# "Extent: (733980.000000, 3468500.000000) - (736075.000000, 3469995.000000)"
ogr2ogr -t_srs EPSG:4326 corners.geojson zones.geojson -nlt POINT -dialect SQLite -sql "SELECT DissolvePoints(geometry) FROM zones" -explodecollections
for file in zones.gpkg roads.geojson roads-degrees.gpkg corners.geojson; do
    ogrinfo -so -al $file | sed -n 's/[(,)]//g; s/^Extent: //p' | awk '{ print $1 + 0 ", " $2 + 0; print $4 + 0 ", " $5 + 0 }' OFMT=%.4f CONVFMT=%.4f
    esker info $file | sed -n 's/^\(from\|to\) *//; s/,//; T; p' | awk '{ print $1 + 0 ", " $2 + 0 }' OFMT=%.4f CONVFMT=%.4f >>extents
done >expected 2>message
[ -s expected ] && [ ! -s message ] && cmp -s expected extents
check "esker info tells the extent that GDAL does" $?

for name in zones roads; do
    ogrinfo -al $name.geojson | sed '1,/^OGRFeature/d' >expected
    for ending in gpkg geojson; do
        ogrinfo -al out/again-$name.$ending | sed '1,/^OGRFeature/d' >printed 2>message
        sed -i '/^OGRFeature/d' printed expected
        cmp -s printed expected
        check "GDAL reads the same $name from the .$ending that Esker writes" $?
    done
done

cat >raster.lua <<'X'
local dem = 600 * esker.noise{ width = 70, height = 50, seed = 3, wrap = false }
dem.frame = { x = 733975, y = 3469995, cell = 30, system = "EPSG:26916", unit = "m" }
dem:save("dem.tif")
esker.load("zones.geojson"):rasterize{ like = dem, attribute = "zone" }:save("zones.tif")
esker.load("roads.geojson"):rasterize{ like = dem, attribute = "class" }:save("roads.tif")
esker.load("zones-degrees.gpkg"):reproject{ like = dem }:rasterize{ attribute = "zone" }:save("changed.tif")
local _, message = pcall(function() return esker.load("zones-degrees.gpkg"):rasterize{ like = dem } end)
return { refused = message }
X
esker raster.lua -o out >printed 2>message
grep -q 'the system of polygons is EPSG:4326, that of like EPSG:26916: reproject{ like = … } changes it' printed
check "another system is refused, and the message names the cure" $?
cells() { gdal_translate -q -of AAIGrid "$1" cells.asc && sed 1,5d cells.asc | sed '/^NODATA/d' | tr -s ' \n' '\n' | sed '/^$/d; s/\.0*$//' >"$2"; }
for pair in zones:zone: roads:class:-at; do
    name=${pair%%:*} option=${pair##*:} attribute=${pair#*:} attribute=${attribute%:*}
    gdal_rasterize -q $option -a "$attribute" -te 733975 3468495 736075 3469995 -tr 30 30 -ot Float32 $name.geojson theirs-$name.tif
    cells out/$name.tif ours && cells theirs-$name.tif theirs && [ "$(sort -u ours | wc -l)" = 3 ]
    check "$name are rasterized" $?
    cmp -s ours theirs || diff ours theirs >printed
    cmp -s ours theirs
    check "gdal_rasterize gives each cell of $name the same number" $?
done
cells out/changed.tif ours && cells out/zones.tif theirs
[ "$(diff ours theirs | grep -c '^<')" -le 2 ]
check "zones come back from degrees by reproject" $?
lua5.4 - <<'X'
local around = {}
for i = 0, 107 do
    local along, side = i % 54 // 18, i // 54 * -2 + 1
    around[#around + 1] = along < 2 and { side * (-180 + 10 * (i % 54)), side * -90 } or { side * 180, side * (-450 + 10 * (i % 54)) }
end
local rings = { corners = { { -180, -90 }, { 180, -90 }, { 180, 90 }, { -180, 90 } }, around = around,
    region = { { -120, 33 }, { -116, 33 }, { -116, 36 }, { -120, 36 } } }
for name, ring in pairs(rings) do
    local list = {}
    for i = 1, #ring + 1 do
        list[i] = ("[%d,%d]"):format(table.unpack(ring[(i - 1) % #ring + 1]))
    end
    local file <close> = io.open(name .. ".geojson", "w")
    file:write('{"type":"Polygon","coordinates":[[', table.concat(list, ","), "]]}")
end
X
cat >world.lua <<'X'
local dem = esker.field{ size = 9, values = 1, frame = { x = 400000, y = 3800000, cell = 30, system = "EPSG:32611" } }
for _, name in ipairs{ "corners", "around", "region" } do
    print(select(2, pcall(function() return esker.load(name .. ".geojson"):reproject{ like = dem } end)))
end
return {}
X
esker world.lua -o out >printed 2>message
grep -q 'the side from 180, -90 to 180, 90, of number 1 of the polygons, is far from straight in EPSG:32611' printed &&
    grep -q 'like lies inside number 1 of the polygons, but no longer in EPSG:32611' printed && grep -q '^Polygons' printed
check "polygons around the world do not fall together in UTM in silence" $?

cat >aligned.lua <<'X'
local dem = esker.load("out/dem.tif")
local like = esker.field{ width = 40, height = 30, values = 0 }
like.frame = { x = 734017, y = 3469801, cell = 30, system = "EPSG:26916" }
for _, method in ipairs{ "nearest", "linear", "cubic" } do
    dem:align{ like = like, method = method }:save(method .. ".tif")
end
like.frame = { x = 733975, y = 3469995, cell_width = 75, cell_height = 75, system = "EPSG:26916" }
dem:align{ like = like, method = "mean" }:save("mean.tif")
dem:clip(esker.load("zones.geojson"), { crop = false }):save("clipped.tif")
X
esker aligned.lua -o out >printed 2>message
check "heights are resampled" $?
# Lists of numbers, of which cells without data are "none": how many differ by more than a ten-thousandth.
differ() {
    for file in "$1" "$2"; do
        gdal_translate -q -of XYZ "$file" "$(basename "$file").xyz"
    done
    paste -d ' ' "$(basename "$1").xyz" "$(basename "$2").xyz" |
        awk '{ d = $3 - $6; if ($1 != $4 || $2 != $5 || d > 0.001 || d < -0.001) n++ } END { print n + 0, NR }'
}
for pair in nearest:near linear:bilinear cubic:cubic; do
    gdalwarp -q -overwrite -r "${pair#*:}" -te 734017 3468901 735217 3469801 -tr 30 30 -dstnodata -9999 out/dem.tif "theirs-${pair%:*}.tif"
    differ "out/${pair%:*}.tif" "theirs-${pair%:*}.tif" >printed
    grep -q '^0 1200$' printed
    check "gdalwarp -r ${pair#*:} gives the same heights" $?
done
gdalwarp -q -r average -te 733975 3468495 736075 3469995 -tr 75 75 -dstnodata -9999 out/dem.tif theirs-mean.tif
gdal_translate -q -srcwin 0 0 28 20 out/mean.tif ours-mean.tif && differ ours-mean.tif theirs-mean.tif >printed
grep -q '^0 560$' printed
check "gdalwarp -r average gives the same means" $?
gdalwarp -q -cutline zones.geojson -dstnodata -9999 out/dem.tif theirs-clipped.tif
gdal_calc() { gdal_translate -q -of XYZ "$1" "$2.xyz" && awk -v none="$(gdalinfo "$1" | sed -n 's/.*NoData Value=//p')" '{ print $3 == none ? "none" : $3 }' "$2.xyz" >"$2"; }
gdal_calc out/clipped.tif ours && gdal_calc theirs-clipped.tif theirs
[ "$(grep -c none ours)" -gt 100 ] && cmp ours theirs >printed
check "gdalwarp -cutline cuts the same cells" $?

mkdir -p elsewhere recipe && cp zones.gpkg zones.geojson elsewhere
ln -s ../elsewhere/zones.geojson recipe/linked.geojson
cat >recipe/stranger.lua <<'X'
local refused = {}
for _, path in ipairs{ "../elsewhere/zones.geojson", "../elsewhere/zones.gpkg", "linked.geojson", "/etc/passwd.csv" } do
    local well, problem = pcall(esker.load, path)
    refused[#refused + 1] = not well and tostring(problem):find("may read only below its own folder", 1, true) and path or problem
end
return { refused = table.concat(refused, " ") }
X
esker recipe/stranger.lua -o out >printed 2>message
grep -q 'refused = ../elsewhere/zones.geojson ../elsewhere/zones.gpkg linked.geojson' printed
check "a stranger's recipe reads vectors of its own folder only" $?
head -c 3000 zones.gpkg >broken.gpkg && head -c 200 zones.shp >broken.shp && head -c 300 zones.fgb >broken.fgb
cat >broken.lua <<'X'
for _, ending in ipairs{ "gpkg", "shp", "fgb" } do
    local well, problem = pcall(esker.load, "broken." .. ending)
    print(not well and problem)
end
return { n = 1 }
X
esker broken.lua -o out >printed 2>message
[ "$(grep -c "cannot read 'broken\|'broken.* has no" printed)" = 3 ]
check "files that are cut off are errors" $?
cat >export.lua <<'X'
esker.lines{ size = 64, list = { { { 5, 5 }, { 80, 20 } }, { { -9, -9 }, { -3, -3 } }, { { 3, 3 }, { 9, 64 } } } }
    :export("roads", { engine = "unreal", cell = 2 })
X
esker export.lua -o out >printed 2>message
grep -q 'export: 2 of 3 lines reach beyond the terrain: cut at its edge 1, left out 1' message
check "what an export cuts at the terrain's edge is told" $?
cat >export.lua <<'X'
local low = esker.points{ size = 64, list = { { 9, 9, altitude = 1.2 } } }
for name, options in pairs{ guessed = {}, given = { metres = 1 } } do
    options.engine = "unity"
    low:export(name, options)
end
X
esker export.lua -o out >printed 2>message
grep -q 'export: altitudes of at most 1.5 are taken for shares of 1000 m; give metres as for the heights' message &&
    [ "$(grep -o 'altitudes of' message | wc -l)" = 1 ] && grep -q ',1\.2' out/given.csv && grep -q ',1200' out/guessed.csv
check "and that the metres of low points are guessed" $?
echo "1..$count"
