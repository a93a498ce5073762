# What a file does not keep is told, unless -q asks for silence; and recipes cannot warn in the program's name.
printf 'ncols 2\nnrows 2\nxllcorner 10.5\nyllcorner 47.25\ncellsize 30\nNODATA_value -9999\n1 2\n-9999 4\n' >dem.asc
echo 'local f = esker.load("dem.asc") esker.load("dem.asc") f:save("flat.asc") return { n = f.width }' >load.lua
esker load.lua
esker load.lua -q
esker load.lua --trust
cat flat.asc
printf 'ncols 3\nnrows 2\nxllcenter 1\nyllcenter 2\ndx 30\ndy 10\n1 2 3\n4 5 6\n' >oblong.asc
echo 'local f = esker.load("oblong.asc") f:save("again.asc") f:save("lost.pgm") return { n = f.width }' >oblong.lua
esker oblong.lua
cat again.asc
cat >placed.lua <<'END'
local f = esker.field{ size = 2, values = 1, frame = { x = 5, y = 7, cell = 30, system = 'LOCAL_CS["here"]' } }
f:save("a.png") f:save("a.asc") f:save("a.pgm") f:flip{}:save("b.asc")
return { n = 1 }
END
esker placed.lua
echo 'return { n = warn and 1 or 0 }' >warns.lua
esker warns.lua || true
# Heights that an engine's numbers cannot be.
cat >nodes.lua <<'END'
local land = esker.noise{ size = 8, seed = 2 }:normalize{}
land:export("high", { engine = "minetest", metres = 1e9 })
land:export("low", { engine = "minetest", metres = 30000 })
return { n = 1 }
END
esker nodes.lua
# A path counts from the current folder, which is named, as is the recipe's if the file lies there.
mkdir -p sub && cp dem.asc sub/beside.asc
cat >sub/missing.lua <<'END'
for _, path in ipairs{ "beside.asc", "missing.asc" } do print(select(2, pcall(esker.load, path))) end
print((select(2, pcall(require, "hills")):match("^[^;]*")))
return { n = 1 }
END
esker sub/missing.lua -q -o out
esker sub/missing.lua --trust -q -o out
