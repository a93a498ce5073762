# A relative path in save is below the output folder, for results and for what a recipe saves itself.
cat >saves.lua <<'LUA'
local land = esker.field{ size = 2, values = 0.5 }
land:save("own.asc")
return { land = land }
LUA
mkdir -p out/sub
esker saves.lua -o out -q
esker saves.lua -o out --trust -q
esker saves.lua -q
sed -i 's|own.asc|sub/own.asc|' saves.lua
esker saves.lua -o out -q
sed -i 's|sub/own.asc|none/own.asc|' saves.lua
esker saves.lua -o out -q || echo "exit $?" >&2
find . -type f | sort
