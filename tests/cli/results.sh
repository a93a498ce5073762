# Results with formats of their own; results without a usable name are refused before the work begins.
cat >formats.lua <<'LUA'
local land = esker.field{ size = 2, values = 0.5 }
return { land = { land, format = { "asc", "pgm" } }, other = { land, format = "r16" }, image = land:relief{},
    group = { deep = { land, format = "asc" }, n = 1 } }
LUA
esker formats.lua -o out
esker formats.lua -o out --hash
find out -type f | sort
for returned in '{ land, n = 1 }' '{ n = 1, esker.field{ size = 2, values = 0 } }' '{ ["a/b"] = 1 }' \
    '{ n = { land, format = 3 } }' '{ n = { land, format = "xyz" } }' '{ n = 1; m = land == 2, } -- one' \
    '{ a = { land, format = { "tif", "bogus" } } }' '{ a = land, b = { land:relief{}, format = "exr" } }' \
    '{ a = land, b = { esker.large{ field = land }, format = "png" } }' \
    '{ a = { land, format = {} } }' '{ a = { land, format = { "asc", png = "x" } } }' \
    '{ a = { 3, format = "png" } }' '{ a = { { land, format = "png" }, format = "asc" } }' \
    '{ a = { land, format = "" } }' '{ a = { land, format = "png,asc" } }' '{ a = { 3 } }' \
    '{ ["a,b"] = 1 }' '{ f = (function(a, b) return a, b end)(1, 2) }'; do
    printf 'local land = esker.field{ size = 2, values = 0 }\nprint("working")\nreturn %s\n' "$returned" >bad.lua
    esker bad.lua -o bad -q 2>message || echo "exit $?" >>message
    sed 's/saved as .*, not as/saved as ..., not as/' message >&2
done
# A map is drawn as a whole.
echo 'return { map = esker.river_map{ seed = 2, land = "raw" } }' >map.lua
esker map.lua -o drawn -q
ls drawn
# The same on the command line.
esker formats.lua -o chosen --format land=pgm,png other=asc
esker formats.lua -o chosen --format=group.deep=r16 --format land=png -q # both --format count
for format in land=obj nothing=png land=pngg land; do
    esker formats.lua -o refused -q --format $format 2>message || echo "exit $?" >&2
    sed 's/; formats are.*//; s/saved as .*, not as/saved as ..., not as/' message >&2
done
ls chosen
[ ! -e refused ]
cat >large.lua <<'LUA'
return { land = esker.large{ field = esker.field{ size = 2, values = 0.5 } }, n = 1 }
LUA
esker large.lua -o large --format land=tiff,npy
ls large
[ ! -e bad ]
# A function gives one result, with formats, too.
cat >functions.lua <<'LUA'
local land = esker.field{ size = 2, values = 0.5 }
return { land = function() print("made") return { land, format = "asc" } end, n = function() return 3 end,
    group = { deep = function() return land end } }
LUA
esker functions.lua -o made
ls made
for given in '{ a = 1 }' print nil 'error("no land")'; do
    echo "return { land = function() return $given end }" >bad.lua
    esker bad.lua -o bad -q || echo "exit $?" >&2
done
