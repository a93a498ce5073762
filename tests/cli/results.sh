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
    '{ ["a,b"] = 1 }' '{ f = (function(a, b) return a, b end)(1, 2) }'; do
    printf 'local land = esker.field{ size = 2, values = 0 }\nprint("working")\nreturn %s\n' "$returned" >bad.lua
    esker bad.lua -o bad -q || echo "exit $?" >&2
done
